// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by rows: scores, maximum and weights of one row.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<{{[0-9]+}}xi64>

func.func @kernel(%out: memref<10x10xi64>) {
  %zero = arith.constant 0 : i64
  %S = memref.alloc() : memref<10x10xi64>
  %M = memref.alloc() : memref<10xi64>
  %P = memref.alloc() : memref<10x10xi64>
  affine.for %q = 0 to 10 {
    affine.for %k = 0 to 10 {
      %v0 = arith.index_cast %q : index to i64
      %v1 = arith.index_cast %k : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %S[%q, %k] : memref<10x10xi64>
    }
    affine.store %zero, %M[%q] : memref<10xi64>
    affine.for %k = 0 to 10 {
      %v8 = affine.load %M[%q] : memref<10xi64>
      %v9 = affine.load %S[%q, %k] : memref<10x10xi64>
      %v10 = arith.maxsi %v8, %v9 : i64
      affine.store %v10, %M[%q] : memref<10xi64>
    }
    affine.for %k = 0 to 10 {
      %v11 = affine.load %M[%q] : memref<10xi64>
      %v12 = affine.load %S[%q, %k] : memref<10x10xi64>
      %v13 = arith.subi %v11, %v12 : i64
      affine.store %v13, %P[%q, %k] : memref<10x10xi64>
    }
    affine.for %d = 0 to 10 {
      affine.store %zero, %out[%q, %d] : memref<10x10xi64>
      affine.for %k = 0 to 10 {
        %v14 = affine.load %P[%q, %k] : memref<10x10xi64>
        %v15 = affine.load %out[%q, %d] : memref<10x10xi64>
        %v16 = arith.index_cast %d : index to i64
        %v17 = arith.constant 1 : i64
        %v18 = arith.constant 31 : i64
        %v19 = arith.muli %v17, %v18 : i64
        %v20 = arith.addi %v19, %v14 : i64
        %v21 = arith.muli %v20, %v18 : i64
        %v22 = arith.addi %v21, %v15 : i64
        %v23 = arith.muli %v22, %v18 : i64
        %v24 = arith.addi %v23, %v16 : i64
        affine.store %v24, %out[%q, %d] : memref<10x10xi64>
      }
    }
  }
  memref.dealloc %S : memref<10x10xi64>
  memref.dealloc %M : memref<10xi64>
  memref.dealloc %P : memref<10x10xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<10x10xi64>
  call @kernel(%out) : (memref<10x10xi64>) -> ()
  affine.for %i0 = 0 to 10 {
    affine.for %i1 = 0 to 10 {
      %v = affine.load %out[%i0, %i1] : memref<10x10xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<10x10xi64>
  return
}
