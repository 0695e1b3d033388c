// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline of two stages, each a buffer of its own, in which one group pends at
// each wait. Behind the loop the last stage has ended, so the scratch buffer takes
// its bytes while the copies of the others are still under way.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!line = memref<64xf32, #gpu.address_space<workgroup>>
!in = memref<7x64xf32>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @pipeline(%in: !in, %out: !row, %turned: !row) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %b0 = memref.alloc() : !line
    %b1 = memref.alloc() : !line
    %scratch = memref.alloc() : !line
    %p0 = arith.constant 0 : index
    %pc0 = nvgpu.device_async_copy %in[%p0, %t], %b0[%t], 1 : !in to !line
    %pg0 = nvgpu.device_async_create_group %pc0
    %sum = affine.for %k = 0 to 4 step 2 iter_args(%s0 = %zero) -> f32 {
      %k0 = affine.apply affine_map<(k) -> (k + 1)>(%k)
      %c0 = nvgpu.device_async_copy %in[%k0, %t], %b1[%t], 1 : !in to !line
      %g0 = nvgpu.device_async_create_group %c0
      nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
      gpu.barrier
      %e0 = affine.load %b0[63 - %t] : !line
      %s1 = arith.addf %s0, %e0 : f32
      gpu.barrier
      %k1 = affine.apply affine_map<(k) -> (k + 2)>(%k)
      %c1 = nvgpu.device_async_copy %in[%k1, %t], %b0[%t], 1 : !in to !line
      %g1 = nvgpu.device_async_create_group %c1
      nvgpu.device_async_wait %g1 {numGroups = 1 : i32}
      gpu.barrier
      %e1 = affine.load %b1[63 - %t] : !line
      %s2 = arith.addf %s1, %e1 : f32
      gpu.barrier
      affine.yield %s2 : f32
    }
    affine.store %sum, %scratch[%t] : !line
    gpu.barrier
    %other = affine.load %scratch[(%t + 1) mod 64] : !line
    affine.store %other, %turned[%t] : !row
    nvgpu.device_async_wait %pg0 {numGroups = 0 : i32}
    gpu.barrier
    %l0 = affine.load %b0[63 - %t] : !line
    %r0 = arith.addf %sum, %l0 : f32
    affine.store %r0, %out[%t] : !row
    gpu.return
  }
}
