// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocation inside a loop is folded for each iteration.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: affine.for
// CHECK: memref.alloc() : memref<12xi64>

func.func @kernel(%out: memref<5x12xi64>) {
  affine.for %o = 0 to 5 {
    %A = memref.alloc() : memref<6x12xi64>
    affine.for %i = 0 to 12 {
      %v0 = arith.index_cast %o : index to i64
      %v1 = arith.index_cast %i : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %A[0, %i] : memref<6x12xi64>
    }
    affine.for %t = 1 to 6 {
      affine.for %i = 0 to 12 {
        %v8 = affine.load %A[%t - 1, %i] : memref<6x12xi64>
        %v9 = arith.index_cast %t : index to i64
        %v10 = arith.constant 1 : i64
        %v11 = arith.constant 31 : i64
        %v12 = arith.muli %v10, %v11 : i64
        %v13 = arith.addi %v12, %v8 : i64
        %v14 = arith.muli %v13, %v11 : i64
        %v15 = arith.addi %v14, %v9 : i64
        affine.store %v15, %A[%t, %i] : memref<6x12xi64>
      }
    }
    affine.for %i = 0 to 12 {
      %v16 = affine.load %A[5, %i] : memref<6x12xi64>
      affine.store %v16, %out[%o, %i] : memref<5x12xi64>
    }
    memref.dealloc %A : memref<6x12xi64>
  }
  return
}

func.func @main() {
  %out = memref.alloc() : memref<5x12xi64>
  call @kernel(%out) : (memref<5x12xi64>) -> ()
  affine.for %i0 = 0 to 5 {
    affine.for %i1 = 0 to 12 {
      %v = affine.load %out[%i0, %i1] : memref<5x12xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<5x12xi64>
  return
}
