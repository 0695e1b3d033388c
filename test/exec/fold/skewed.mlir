// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in waves w = 2 t + i: bounds with maxima, divisions.
// RUN: %berth-opt %s --berth-fold | FileCheck %s
// RUN: %same-output --pipeline=berth-fold %s

// CHECK-LABEL: func.func @kernel
// CHECK: mod

func.func @kernel(%out: memref<30xi64>) {
  %z = arith.constant 5 : i64
  %A = memref.alloc() : memref<10x30xi64>
  affine.for %i = 0 to 30 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.constant 1 : i64
    %v2 = arith.constant 31 : i64
    %v3 = arith.muli %v1, %v2 : i64
    %v4 = arith.addi %v3, %v0 : i64
    affine.store %v4, %A[0, %i] : memref<10x30xi64>
  }
  affine.for %t = 1 to 10 {
    affine.store %z, %A[%t, 0] : memref<10x30xi64>
    affine.store %z, %A[%t, 29] : memref<10x30xi64>
  }
  affine.for %w = 3 to 47 {
    affine.for %t = max affine_map<(d0) -> (1, (d0 - 28) ceildiv 2)>(%w) to min affine_map<(d0) -> (10, (d0 - 1) floordiv 2 + 1)>(%w) {
      %v5 = affine.load %A[%t - 1, %w - 2 * %t - 1] : memref<10x30xi64>
      %v6 = affine.load %A[%t - 1, %w - 2 * %t ] : memref<10x30xi64>
      %v7 = affine.load %A[%t - 1, %w - 2 * %t + 1] : memref<10x30xi64>
      %v8 = arith.constant 1 : i64
      %v9 = arith.constant 31 : i64
      %v10 = arith.muli %v8, %v9 : i64
      %v11 = arith.addi %v10, %v5 : i64
      %v12 = arith.muli %v11, %v9 : i64
      %v13 = arith.addi %v12, %v6 : i64
      %v14 = arith.muli %v13, %v9 : i64
      %v15 = arith.addi %v14, %v7 : i64
      affine.store %v15, %A[%t, %w - 2 * %t] : memref<10x30xi64>
    }
  }
  affine.for %i = 0 to 30 {
    %v16 = affine.load %A[9, %i] : memref<10x30xi64>
    affine.store %v16, %out[%i] : memref<30xi64>
  }
  memref.dealloc %A : memref<10x30xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<30xi64>
  call @kernel(%out) : (memref<30xi64>) -> ()
  affine.for %i0 = 0 to 30 {
    %v = affine.load %out[%i0] : memref<30xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<30xi64>
  return
}
