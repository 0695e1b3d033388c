// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaussian elimination in a tile, with a buffer for the factors of each step;
// then the result is turned round in the bytes of either.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 544 -> 288, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!factors = memref<8xf32, #gpu.address_space<workgroup>>
!matrix = memref<8x8xf32>

gpu.module @kernels {
  gpu.func @eliminate(%in: !matrix, %out: !matrix) kernel {
    %large = arith.constant 50.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %tile = memref.alloc() : !tile
    %v = affine.load %in[%y, %x] : !matrix
    affine.store %v, %tile[%y, %x] : !tile
    affine.if affine_set<(x, y) : (x - y == 0)>(%x, %y) {
      %d = arith.addf %v, %large : f32
      affine.store %d, %tile[%y, %x] : !tile
    }
    gpu.barrier
    affine.for %k = 0 to 7 {
      %factors = memref.alloc() : !factors
      affine.if affine_set<(x, y, k) : (x == 0, y - k - 1 >= 0)>(%x, %y, %k) {
        %a = affine.load %tile[%y, %k] : !tile
        %b = affine.load %tile[%k, %k] : !tile
        %f = arith.divf %a, %b : f32
        affine.store %f, %factors[%y] : !factors
      }
      gpu.barrier
      affine.if affine_set<(x, y, k) : (x - k >= 0, y - k - 1 >= 0)>(%x, %y, %k) {
        %f = affine.load %factors[%y] : !factors
        %top = affine.load %tile[%k, %x] : !tile
        %old = affine.load %tile[%y, %x] : !tile
        %product = arith.mulf %f, %top : f32
        %new = arith.subf %old, %product : f32
        affine.store %new, %tile[%y, %x] : !tile
      }
      gpu.barrier
    }
    %turn = memref.alloc() : !tile
    %mine = affine.load %tile[%x, %y] : !tile
    affine.store %mine, %turn[%y, 7 - %x] : !tile
    gpu.barrier
    %turned = affine.load %turn[%x, %y] : !tile
    affine.store %turned, %out[%y, %x] : !matrix
    gpu.return
  }
}
