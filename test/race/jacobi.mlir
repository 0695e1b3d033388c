// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two steps of a stencil in three dimensions; each step's tile is made anew, and
// the loop ends with a barrier.
// RUN: %race %s 8x4x2 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!tile = memref<2x4x8xf32, #gpu.address_space<workgroup>>
!volume = memref<2x4x8xf32>

gpu.module @kernels {
  gpu.func @jacobi(%in: !volume, %out: !volume) kernel {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %start = affine.load %in[%z, %y, %x] : !volume
    %end = affine.for %step = 0 to 2 iter_args(%mine = %start) -> f32 {
      %now = memref.alloc() : !tile
      affine.store %mine, %now[%z, %y, %x] : !tile
      gpu.barrier
      %a = affine.load %now[%z, %y, (%x + 1) mod 8] : !tile
      %b = affine.load %now[%z, (%y + 1) mod 4, %x] : !tile
      %c = affine.load %now[(%z + 1) mod 2, %y, %x] : !tile
      %ab = arith.addf %a, %b : f32
      %abc = arith.subf %ab, %c : f32
      %next = memref.alloc() : !tile
      affine.store %abc, %next[%z, %y, %x] : !tile
      gpu.barrier
      %d = affine.load %next[%z, 3 - %y, 7 - %x] : !tile
      gpu.barrier
      affine.yield %d : f32
    }
    affine.store %end, %out[%z, %y, %x] : !volume
    gpu.return
  }
}
