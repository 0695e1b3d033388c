// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element by element through three arrays: one is enough.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<50xi64>

func.func @kernel(%out: memref<50xi64>) {
  %A = memref.alloc() : memref<50xi64>
  %B = memref.alloc() : memref<50xi64>
  %C = memref.alloc() : memref<50xi64>
  affine.for %i = 0 to 50 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.constant 1 : i64
    %v2 = arith.constant 31 : i64
    %v3 = arith.muli %v1, %v2 : i64
    %v4 = arith.addi %v3, %v0 : i64
    affine.store %v4, %A[%i] : memref<50xi64>
  }
  affine.for %i = 0 to 50 {
    %v5 = affine.load %A[%i] : memref<50xi64>
    %v6 = arith.constant 1 : i64
    %v7 = arith.constant 31 : i64
    %v8 = arith.muli %v6, %v7 : i64
    %v9 = arith.addi %v8, %v5 : i64
    affine.store %v9, %B[%i] : memref<50xi64>
  }
  affine.for %i = 0 to 50 {
    %v10 = affine.load %B[%i] : memref<50xi64>
    %v11 = arith.constant 1 : i64
    %v12 = arith.constant 31 : i64
    %v13 = arith.muli %v11, %v12 : i64
    %v14 = arith.addi %v13, %v10 : i64
    affine.store %v14, %C[%i] : memref<50xi64>
  }
  affine.for %i = 0 to 50 {
    %v15 = affine.load %C[%i] : memref<50xi64>
    %v16 = arith.constant 1 : i64
    %v17 = arith.constant 31 : i64
    %v18 = arith.muli %v16, %v17 : i64
    %v19 = arith.addi %v18, %v15 : i64
    affine.store %v19, %out[%i] : memref<50xi64>
  }
  memref.dealloc %A : memref<50xi64>
  memref.dealloc %B : memref<50xi64>
  memref.dealloc %C : memref<50xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<50xi64>
  call @kernel(%out) : (memref<50xi64>) -> ()
  affine.for %i0 = 0 to 50 {
    %v = affine.load %out[%i0] : memref<50xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<50xi64>
  return
}
