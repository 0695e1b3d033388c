// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline that copies one tile too many, which nobody waits for: with
// fences=insert a wait goes behind the loop, and both stages' bytes are free.
// RUN: %race %s --arena="fences=insert" | FileCheck %s
// RUN: %race %s | FileCheck %s --check-prefix=KEPT
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{fences=insert})' | FileCheck %s --check-prefix=PLACE
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{fences=insert chip=sm_80})' | FileCheck %s --check-prefix=ROOM

// CHECK: buffers: 4 of 4, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// KEPT: buffers: 4 of 4, bytes: 1024 -> 768, barriers inserted: 0
// PLACE: affine.for
// PLACE: affine.yield
// PLACE: nvgpu.device_async_create_group
// PLACE-NEXT: nvgpu.device_async_wait
// PLACE: gpu.barrier
// No more workgroups fit by it.
// ROOM: memref<768xi8

!line = memref<64xf32, #gpu.address_space<workgroup>>
!in = memref<5x64xf32>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @overrun(%in: !in, %out: !row) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %first = arith.constant 0 : index
    %even = memref.alloc() : !line
    %odd = memref.alloc() : !line
    %sums = memref.alloc() : !line
    %squares = memref.alloc() : !line
    %c = nvgpu.device_async_copy %in[%first, %t], %even[%t], 1 : !in to !line
    %g = nvgpu.device_async_create_group %c
    %sum = affine.for %k = 0 to 4 step 2 iter_args(%before = %zero) -> f32 {
      %next = affine.apply affine_map<(k) -> (k + 1)>(%k)
      %co = nvgpu.device_async_copy %in[%next, %t], %odd[%t], 1 : !in to !line
      %go = nvgpu.device_async_create_group %co
      nvgpu.device_async_wait %go {numGroups = 1 : i32}
      gpu.barrier
      %a = affine.load %even[63 - %t] : !line
      %between = arith.addf %before, %a : f32
      gpu.barrier
      %last = affine.apply affine_map<(k) -> (k + 2)>(%k)
      %ce = nvgpu.device_async_copy %in[%last, %t], %even[%t], 1 : !in to !line
      %ge = nvgpu.device_async_create_group %ce
      nvgpu.device_async_wait %ge {numGroups = 1 : i32}
      gpu.barrier
      %b = affine.load %odd[63 - %t] : !line
      %behind = arith.addf %between, %b : f32
      gpu.barrier
      affine.yield %behind : f32
    }
    %square = arith.mulf %sum, %sum : f32
    affine.store %sum, %sums[%t] : !line
    affine.store %square, %squares[%t] : !line
    gpu.barrier
    %one = affine.load %sums[(%t + 1) mod 64] : !line
    %other = affine.load %squares[(%t + 2) mod 64] : !line
    %both = arith.addf %one, %other : f32
    affine.store %both, %out[%t] : !row
    gpu.return
  }
}
