// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product in a pipeline of two stages: one barrier per step, behind which the
// next tiles are loaded while the present ones are read. The loop ends with
// reads, so the tile of C needs a barrier; behind the loop it is cheapest.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 1280 -> 1024, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!stages = memref<2x8x8xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!a = memref<8x40xf32>
!b = memref<40x8xf32>
!c = memref<8x8xf32>

gpu.module @kernels {
  gpu.func @matmul(%a: !a, %b: !b, %ct: !c) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %stages_a = memref.alloc() : !stages
    %stages_b = memref.alloc() : !stages
    %tile_c = memref.alloc() : !tile
    %va = affine.load %a[%y, %x] : !a
    affine.store %va, %stages_a[0, %y, %x] : !stages
    %vb = affine.load %b[%y, %x] : !b
    affine.store %vb, %stages_b[0, %y, %x] : !stages
    %sum = affine.for %k = 0 to 5 iter_args(%so_far = %zero) -> f32 {
      gpu.barrier
      affine.if affine_set<(k) : (3 - k >= 0)>(%k) {
        %na = affine.load %a[%y, 8 * %k + 8 + %x] : !a
        affine.store %na, %stages_a[(%k + 1) mod 2, %y, %x] : !stages
        %nb = affine.load %b[8 * %k + 8 + %y, %x] : !b
        affine.store %nb, %stages_b[(%k + 1) mod 2, %y, %x] : !stages
      }
      %part = affine.for %i = 0 to 8 iter_args(%acc = %so_far) -> f32 {
        %ea = affine.load %stages_a[%k mod 2, %y, %i] : !stages
        %eb = affine.load %stages_b[%k mod 2, %i, %x] : !stages
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.yield %part : f32
    }
    affine.store %sum, %tile_c[%y, %x] : !tile
    gpu.barrier
    %turned = affine.load %tile_c[%x, %y] : !tile
    affine.store %turned, %ct[%y, %x] : !c
    gpu.return
  }
}
