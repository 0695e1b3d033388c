// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two matrix products fused by rows: one row is live.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<9xi64>

func.func @kernel(%out: memref<12x9xi64>) {
  %zero = arith.constant 0 : i64
  %T = memref.alloc() : memref<12x9xi64>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 9 {
      affine.store %zero, %T[%i, %j] : memref<12x9xi64>
      affine.for %k = 0 to 7 {
        %v0 = arith.index_cast %i : index to i64
        %v1 = arith.index_cast %k : index to i64
        %v2 = arith.index_cast %j : index to i64
        %v3 = arith.constant 1 : i64
        %v4 = arith.constant 31 : i64
        %v5 = arith.muli %v3, %v4 : i64
        %v6 = arith.addi %v5, %v0 : i64
        %v7 = arith.muli %v6, %v4 : i64
        %v8 = arith.addi %v7, %v1 : i64
        %v9 = arith.muli %v8, %v4 : i64
        %v10 = arith.addi %v9, %v2 : i64
        %v11 = affine.load %T[%i, %j] : memref<12x9xi64>
        %v12 = arith.addi %v11, %v10 : i64
        affine.store %v12, %T[%i, %j] : memref<12x9xi64>
      }
    }
    affine.for %j = 0 to 9 {
      affine.store %zero, %out[%i, %j] : memref<12x9xi64>
      affine.for %k = 0 to 9 {
        %v13 = affine.load %T[%i, %k] : memref<12x9xi64>
        %v14 = arith.index_cast %k : index to i64
        %v15 = arith.index_cast %j : index to i64
        %v16 = arith.constant 1 : i64
        %v17 = arith.constant 31 : i64
        %v18 = arith.muli %v16, %v17 : i64
        %v19 = arith.addi %v18, %v13 : i64
        %v20 = arith.muli %v19, %v17 : i64
        %v21 = arith.addi %v20, %v14 : i64
        %v22 = arith.muli %v21, %v17 : i64
        %v23 = arith.addi %v22, %v15 : i64
        %v24 = affine.load %out[%i, %j] : memref<12x9xi64>
        %v25 = arith.addi %v24, %v23 : i64
        affine.store %v25, %out[%i, %j] : memref<12x9xi64>
      }
    }
  }
  memref.dealloc %T : memref<12x9xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<12x9xi64>
  call @kernel(%out) : (memref<12x9xi64>) -> ()
  affine.for %i0 = 0 to 12 {
    affine.for %i1 = 0 to 9 {
      %v = affine.load %out[%i0, %i1] : memref<12x9xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<12x9xi64>
  return
}
