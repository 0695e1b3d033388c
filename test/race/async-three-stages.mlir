// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline of three stages, each a buffer of its own, in which two groups pend at
// each wait. Behind the loop the last stage has ended, so the scratch buffer takes
// its bytes while the copies of the others are still under way.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 768, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!line = memref<64xf32, #gpu.address_space<workgroup>>
!in = memref<11x64xf32>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @pipeline(%in: !in, %out: !row, %turned: !row) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %b0 = memref.alloc() : !line
    %b1 = memref.alloc() : !line
    %b2 = memref.alloc() : !line
    %scratch = memref.alloc() : !line
    %p0 = arith.constant 0 : index
    %pc0 = nvgpu.device_async_copy %in[%p0, %t], %b0[%t], 1 : !in to !line
    %pg0 = nvgpu.device_async_create_group %pc0
    %p1 = arith.constant 1 : index
    %pc1 = nvgpu.device_async_copy %in[%p1, %t], %b1[%t], 1 : !in to !line
    %pg1 = nvgpu.device_async_create_group %pc1
    %sum = affine.for %k = 0 to 6 step 3 iter_args(%s0 = %zero) -> f32 {
      %k0 = affine.apply affine_map<(k) -> (k + 2)>(%k)
      %c0 = nvgpu.device_async_copy %in[%k0, %t], %b2[%t], 1 : !in to !line
      %g0 = nvgpu.device_async_create_group %c0
      nvgpu.device_async_wait %g0 {numGroups = 2 : i32}
      gpu.barrier
      %e0 = affine.load %b0[63 - %t] : !line
      %s1 = arith.addf %s0, %e0 : f32
      gpu.barrier
      %k1 = affine.apply affine_map<(k) -> (k + 3)>(%k)
      %c1 = nvgpu.device_async_copy %in[%k1, %t], %b0[%t], 1 : !in to !line
      %g1 = nvgpu.device_async_create_group %c1
      nvgpu.device_async_wait %g1 {numGroups = 2 : i32}
      gpu.barrier
      %e1 = affine.load %b1[63 - %t] : !line
      %s2 = arith.addf %s1, %e1 : f32
      gpu.barrier
      %k2 = affine.apply affine_map<(k) -> (k + 4)>(%k)
      %c2 = nvgpu.device_async_copy %in[%k2, %t], %b1[%t], 1 : !in to !line
      %g2 = nvgpu.device_async_create_group %c2
      nvgpu.device_async_wait %g2 {numGroups = 2 : i32}
      gpu.barrier
      %e2 = affine.load %b2[63 - %t] : !line
      %s3 = arith.addf %s2, %e2 : f32
      gpu.barrier
      affine.yield %s3 : f32
    }
    affine.store %sum, %scratch[%t] : !line
    gpu.barrier
    %other = affine.load %scratch[(%t + 1) mod 64] : !line
    affine.store %other, %turned[%t] : !row
    nvgpu.device_async_wait %pg0 {numGroups = 1 : i32}
    gpu.barrier
    %l0 = affine.load %b0[63 - %t] : !line
    %r0 = arith.addf %sum, %l0 : f32
    nvgpu.device_async_wait %pg1 {numGroups = 0 : i32}
    gpu.barrier
    %l1 = affine.load %b1[63 - %t] : !line
    %r1 = arith.addf %r0, %l1 : f32
    affine.store %r1, %out[%t] : !row
    gpu.return
  }
}
