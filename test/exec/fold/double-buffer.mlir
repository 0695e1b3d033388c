// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two arrays that take turns.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel

func.func @kernel(%out: memref<30xi64>) {
  %A = memref.alloc() : memref<30xi64>
  %B = memref.alloc() : memref<30xi64>
  affine.for %i = 0 to 30 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.constant 1 : i64
    %v2 = arith.constant 31 : i64
    %v3 = arith.muli %v1, %v2 : i64
    %v4 = arith.addi %v3, %v0 : i64
    affine.store %v4, %A[%i] : memref<30xi64>
  }
  affine.for %t = 0 to 6 {
    %v5 = affine.load %A[0] : memref<30xi64>
    affine.store %v5, %B[0] : memref<30xi64>
    affine.for %i = 1 to 29 {
      %v6 = affine.load %A[%i - 1] : memref<30xi64>
      %v7 = affine.load %A[%i ] : memref<30xi64>
      %v8 = affine.load %A[%i + 1] : memref<30xi64>
      %v9 = arith.constant 1 : i64
      %v10 = arith.constant 31 : i64
      %v11 = arith.muli %v9, %v10 : i64
      %v12 = arith.addi %v11, %v6 : i64
      %v13 = arith.muli %v12, %v10 : i64
      %v14 = arith.addi %v13, %v7 : i64
      %v15 = arith.muli %v14, %v10 : i64
      %v16 = arith.addi %v15, %v8 : i64
      affine.store %v16, %B[%i] : memref<30xi64>
    }
    %v17 = affine.load %A[29] : memref<30xi64>
    affine.store %v17, %B[29] : memref<30xi64>
    %v18 = affine.load %B[0] : memref<30xi64>
    affine.store %v18, %A[0] : memref<30xi64>
    affine.for %i = 1 to 29 {
      %v19 = affine.load %B[%i - 1] : memref<30xi64>
      %v20 = affine.load %B[%i ] : memref<30xi64>
      %v21 = affine.load %B[%i + 1] : memref<30xi64>
      %v22 = arith.constant 1 : i64
      %v23 = arith.constant 31 : i64
      %v24 = arith.muli %v22, %v23 : i64
      %v25 = arith.addi %v24, %v19 : i64
      %v26 = arith.muli %v25, %v23 : i64
      %v27 = arith.addi %v26, %v20 : i64
      %v28 = arith.muli %v27, %v23 : i64
      %v29 = arith.addi %v28, %v21 : i64
      affine.store %v29, %A[%i] : memref<30xi64>
    }
    %v30 = affine.load %B[29] : memref<30xi64>
    affine.store %v30, %A[29] : memref<30xi64>
  }
  affine.for %i = 0 to 30 {
    %v31 = affine.load %A[%i] : memref<30xi64>
    affine.store %v31, %out[%i] : memref<30xi64>
  }
  memref.dealloc %A : memref<30xi64>
  memref.dealloc %B : memref<30xi64>
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
