// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses through views: columns of a tile, and another shape of the next.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!tile = memref<8x8xi32, #gpu.address_space<workgroup>>
!column = memref<8xi32, strided<[8], offset: ?>, #gpu.address_space<workgroup>>
!flat = memref<64xi32, #gpu.address_space<workgroup>>
!matrix = memref<8x8xi32>

gpu.module @kernels {
  gpu.func @views(%in: !matrix, %out: !matrix) kernel {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %tile = memref.alloc() : !tile
    %v = memref.load %in[%y, %x] : !matrix
    %column = memref.subview %tile[0, %x] [8, 1] [1, 1] : !tile to !column
    memref.store %v, %column[%y] : !column
    gpu.barrier
    %other = memref.subview %tile[0, %y] [8, 1] [1, 1] : !tile to !column
    %w = memref.load %other[%x] : !column
    %next = memref.alloc() : !tile
    %flat = memref.collapse_shape %next [[0, 1]] : !tile into !flat
    affine.store %w, %flat[8 * %y + %x] : !flat
    gpu.barrier
    %u = affine.load %next[7 - %y, %x] : !tile
    memref.store %u, %out[%y, %x] : !matrix
    gpu.return
  }
}
