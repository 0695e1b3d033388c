// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil of five points over time.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<42xi64>

func.func @kernel(%out: memref<40xi64>) {
  %A = memref.alloc() : memref<9x40xi64>
  affine.for %i = 0 to 40 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.muli %v0, %v0 : i64
    affine.store %v1, %A[0, %i] : memref<9x40xi64>
  }
  affine.for %t = 1 to 9 {
    affine.for %i = 0 to 40 {
      affine.if affine_set<(d0) : (d0 - 2 >= 0, 37 - d0 >= 0)>(%i) {
        %v2 = affine.load %A[%t - 1, %i - 2] : memref<9x40xi64>
        %v3 = affine.load %A[%t - 1, %i - 1] : memref<9x40xi64>
        %v4 = affine.load %A[%t - 1, %i + 0] : memref<9x40xi64>
        %v5 = affine.load %A[%t - 1, %i + 1] : memref<9x40xi64>
        %v6 = affine.load %A[%t - 1, %i + 2] : memref<9x40xi64>
        %v7 = arith.constant 1 : i64
        %v8 = arith.constant 31 : i64
        %v9 = arith.muli %v7, %v8 : i64
        %v10 = arith.addi %v9, %v2 : i64
        %v11 = arith.muli %v10, %v8 : i64
        %v12 = arith.addi %v11, %v3 : i64
        %v13 = arith.muli %v12, %v8 : i64
        %v14 = arith.addi %v13, %v4 : i64
        %v15 = arith.muli %v14, %v8 : i64
        %v16 = arith.addi %v15, %v5 : i64
        %v17 = arith.muli %v16, %v8 : i64
        %v18 = arith.addi %v17, %v6 : i64
        affine.store %v18, %A[%t, %i] : memref<9x40xi64>
      } else {
        %v19 = affine.load %A[%t - 1, %i] : memref<9x40xi64>
        affine.store %v19, %A[%t, %i] : memref<9x40xi64>
      }
    }
  }
  affine.for %i = 0 to 40 {
    %v20 = affine.load %A[8, %i] : memref<9x40xi64>
    affine.store %v20, %out[%i] : memref<40xi64>
  }
  memref.dealloc %A : memref<9x40xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<40xi64>
  call @kernel(%out) : (memref<40xi64>) -> ()
  affine.for %i0 = 0 to 40 {
    %v = affine.load %out[%i0] : memref<40xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<40xi64>
  return
}
