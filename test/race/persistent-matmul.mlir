// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A workgroup that stays for several tiles of a product: operands in buffers that
// stand in front of all loops, and a third one through which results leave
// turned round.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 768, barriers inserted: 0
// CHECK-NEXT: equal, no race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!matrix = memref<16x16xf32>

gpu.module @kernels {
  gpu.func @matmul(%a: !matrix, %b: !matrix, %ct: !matrix) kernel {
    %zero = arith.constant 0.0 : f32
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %first = gpu.block_id x
    %tile_a = memref.alloc() : !tile
    %tile_b = memref.alloc() : !tile
    %staged = memref.alloc() : !tile
    scf.for %tile = %first to %c4 step %c1 {
      %row = affine.apply affine_map<(t) -> (8 * (t floordiv 2))>(%tile)
      %column = affine.apply affine_map<(t) -> (8 * (t mod 2))>(%tile)
      %c = affine.for %k = 0 to 2 iter_args(%sum = %zero) -> f32 {
        %ra = affine.apply affine_map<(r, y) -> (r + y)>(%row, %y)
        %ka = affine.apply affine_map<(k, x) -> (8 * k + x)>(%k, %x)
        %kb = affine.apply affine_map<(k, y) -> (8 * k + y)>(%k, %y)
        %cb = affine.apply affine_map<(c, x) -> (c + x)>(%column, %x)
        %ea = memref.load %a[%ra, %ka] : !matrix
        %eb = memref.load %b[%kb, %cb] : !matrix
        memref.store %ea, %tile_a[%y, %x] : !tile
        memref.store %eb, %tile_b[%y, %x] : !tile
        gpu.barrier
        %part = affine.for %i = 0 to 8 iter_args(%acc = %sum) -> f32 {
          %fa = affine.load %tile_a[%y, %i] : !tile
          %fb = affine.load %tile_b[%i, %x] : !tile
          %product = arith.mulf %fa, %fb : f32
          %next = arith.addf %acc, %product : f32
          affine.yield %next : f32
        }
        gpu.barrier
        affine.yield %part : f32
      }
      memref.store %c, %staged[%x, %y] : !tile
      gpu.barrier
      %r = memref.load %staged[%y, %x] : !tile
      %rt = affine.apply affine_map<(c, y) -> (c + y)>(%column, %y)
      %ctt = affine.apply affine_map<(r, x) -> (r + x)>(%row, %x)
      memref.store %r, %ct[%rt, %ctt] : !matrix
    }
    gpu.return
  }
}
