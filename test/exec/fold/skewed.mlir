// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in waves w = 2 t + i: bounds with maxima, divisions.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: mod

func.func @kernel(%out: memref<30xi64>) {
  %z = arith.constant 5 : i64
  %A = memref.alloc() : memref<10x30xi64>
  affine.for %w = 0 to 48 {
    affine.for %t = max affine_map<(d0) -> (0, (d0 - 29) ceildiv 2)>(%w) to min affine_map<(d0) -> (10, d0 floordiv 2 + 1)>(%w) {
      affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 2 * d0 - 1 >= 0, 28 - d1 + 2 * d0 >= 0)>(%t, %w) {
        %v0 = affine.load %A[%t - 1, %w - 2 * %t - 1] : memref<10x30xi64>
        %v1 = affine.load %A[%t - 1, %w - 2 * %t ] : memref<10x30xi64>
        %v2 = affine.load %A[%t - 1, %w - 2 * %t + 1] : memref<10x30xi64>
        %v3 = arith.constant 1 : i64
        %v4 = arith.constant 31 : i64
        %v5 = arith.muli %v3, %v4 : i64
        %v6 = arith.addi %v5, %v0 : i64
        %v7 = arith.muli %v6, %v4 : i64
        %v8 = arith.addi %v7, %v1 : i64
        %v9 = arith.muli %v8, %v4 : i64
        %v10 = arith.addi %v9, %v2 : i64
        affine.store %v10, %A[%t, %w - 2 * %t] : memref<10x30xi64>
      } else {
        %v11 = arith.index_cast %w : index to i64
        %v12 = arith.index_cast %t : index to i64
        %v13 = arith.constant 1 : i64
        %v14 = arith.constant 31 : i64
        %v15 = arith.muli %v13, %v14 : i64
        %v16 = arith.addi %v15, %v11 : i64
        %v17 = arith.muli %v16, %v14 : i64
        %v18 = arith.addi %v17, %v12 : i64
        affine.store %v18, %A[%t, %w - 2 * %t] : memref<10x30xi64>
      }
      affine.if affine_set<(d0) : (d0 - 9 == 0)>(%t) {
        %v19 = affine.load %A[%t, %w - 2 * %t] : memref<10x30xi64>
        affine.store %v19, %out[%w - 2 * %t] : memref<30xi64>
      }
    }
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
