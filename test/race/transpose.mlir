// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two matrices are transposed one after the other through padded tiles.
// RUN: %race %s 16x4 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 2176 -> 1088, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!tile = memref<16x17xf32, #gpu.address_space<workgroup>>
!matrix = memref<16x16xf32>

gpu.module @kernels {
  gpu.func @transpose(%a: !matrix, %b: !matrix, %at: !matrix, %bt: !matrix) kernel {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %tile = memref.alloc() : !tile
    affine.for %i = 0 to 4 {
      %v = affine.load %a[4 * %i + %y, %x] : !matrix
      affine.store %v, %tile[4 * %i + %y, %x] : !tile
    }
    gpu.barrier
    affine.for %i = 0 to 4 {
      %v = affine.load %tile[%x, 4 * %i + %y] : !tile
      affine.store %v, %at[4 * %i + %y, %x] : !matrix
    }
    %other = memref.alloc() : !tile
    affine.for %i = 0 to 4 {
      %v = affine.load %b[4 * %i + %y, %x] : !matrix
      affine.store %v, %other[4 * %i + %y, %x] : !tile
    }
    gpu.barrier
    affine.for %i = 0 to 4 {
      %v = affine.load %other[%x, 4 * %i + %y] : !tile
      affine.store %v, %bt[4 * %i + %y, %x] : !matrix
    }
    gpu.return
  }
}
