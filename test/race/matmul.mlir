// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiled product: the tiles of A and B are read up to the barrier that ends the
// loop, so the tile of C, in which the result is turned round, needs no more.
// RUN: %race %s 8x8 --blocks=2 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: without

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  gpu.func @matmul(%a: memref<16x32xf32>, %b: memref<32x8xf32>, %ct: memref<8x16xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %block = gpu.block_id x
    %tile_a = memref.alloc() : !tile
    %tile_b = memref.alloc() : !tile
    %tile_c = memref.alloc() : !tile
    %sum = affine.for %k = 0 to 4 iter_args(%so_far = %zero) -> f32 {
      %va = affine.load %a[8 * %block + %y, 8 * %k + %x] : memref<16x32xf32>
      affine.store %va, %tile_a[%y, %x] : !tile
      %vb = affine.load %b[8 * %k + %y, %x] : memref<32x8xf32>
      affine.store %vb, %tile_b[%y, %x] : !tile
      gpu.barrier
      %part = affine.for %i = 0 to 8 iter_args(%acc = %so_far) -> f32 {
        %ea = affine.load %tile_a[%y, %i] : !tile
        %eb = affine.load %tile_b[%i, %x] : !tile
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      gpu.barrier
      affine.yield %part : f32
    }
    affine.store %sum, %tile_c[%y, %x] : !tile
    gpu.barrier
    %turned = affine.load %tile_c[%x, %y] : !tile
    affine.store %turned, %ct[%y, 8 * %block + %x] : memref<8x16xf32>
    gpu.return
  }
}
