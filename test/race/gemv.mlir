// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of a matrix times a vector per workgroup: products, then a tree. The
// vector's tile and the sums share across the barrier that Berth inserts.
// RUN: %race %s --blocks=3 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  gpu.func @gemv(%a: memref<3x64xf32>, %x: memref<64xf32>, %out: memref<3xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %row = gpu.block_id x
    %vector = memref.alloc() : !line
    %sums = memref.alloc() : !line
    %v = affine.load %x[63 - %t] : memref<64xf32>
    memref.store %v, %vector[%t] : !line
    gpu.barrier
    %e = affine.load %a[%row, %t] : memref<3x64xf32>
    %w = affine.load %vector[63 - %t] : !line
    %product = arith.mulf %e, %w : f32
    memref.store %product, %sums[%t] : !line
    gpu.barrier
    scf.for %k = %c0 to %c6 step %c1 {
      %half = arith.shrui %c32, %k : index
      %active = arith.cmpi ult, %t, %half : index
      scf.if %active {
        %other = arith.addi %t, %half : index
        %p = memref.load %sums[%t] : !line
        %q = memref.load %sums[%other] : !line
        %r = arith.addf %p, %q : f32
        memref.store %r, %sums[%t] : !line
      }
      gpu.barrier
    }
    affine.if affine_set<(t) : (t == 0)>(%t) {
      %sum = affine.load %sums[0] : !line
      affine.store %sum, %out[%row] : memref<3xf32>
    }
    gpu.return
  }
}
