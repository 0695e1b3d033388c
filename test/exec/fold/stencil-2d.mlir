// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five points in the plane over time.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<{{[0-9x]+}}xi64>
// CHECK: mod

func.func @kernel(%out: memref<9x8xi64>) {
  %A = memref.alloc() : memref<7x9x8xi64>
  affine.for %i0 = 0 to 9 {
    affine.for %i1 = 0 to 8 {
      %v0 = arith.index_cast %i0 : index to i64
      %v1 = arith.index_cast %i1 : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %A[0, %i0, %i1] : memref<7x9x8xi64>
    }
  }
  affine.for %t = 1 to 7 {
    affine.for %i0 = 0 to 9 {
      affine.for %i1 = 0 to 8 {
        affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, 7 - d0 >= 0, d1 - 1 >= 0, 6 - d1 >= 0)>(%i0, %i1) {
          %v8 = affine.load %A[%t - 1, %i0, %i1] : memref<7x9x8xi64>
          %v9 = affine.load %A[%t - 1, %i0 + 1, %i1] : memref<7x9x8xi64>
          %v10 = affine.load %A[%t - 1, %i0 - 1, %i1] : memref<7x9x8xi64>
          %v11 = affine.load %A[%t - 1, %i0, %i1 + 1] : memref<7x9x8xi64>
          %v12 = affine.load %A[%t - 1, %i0, %i1 - 1] : memref<7x9x8xi64>
          %v13 = arith.constant 1 : i64
          %v14 = arith.constant 31 : i64
          %v15 = arith.muli %v13, %v14 : i64
          %v16 = arith.addi %v15, %v8 : i64
          %v17 = arith.muli %v16, %v14 : i64
          %v18 = arith.addi %v17, %v9 : i64
          %v19 = arith.muli %v18, %v14 : i64
          %v20 = arith.addi %v19, %v10 : i64
          %v21 = arith.muli %v20, %v14 : i64
          %v22 = arith.addi %v21, %v11 : i64
          %v23 = arith.muli %v22, %v14 : i64
          %v24 = arith.addi %v23, %v12 : i64
          affine.store %v24, %A[%t, %i0, %i1] : memref<7x9x8xi64>
        } else {
          %v25 = affine.load %A[%t - 1, %i0, %i1] : memref<7x9x8xi64>
          affine.store %v25, %A[%t, %i0, %i1] : memref<7x9x8xi64>
        }
      }
    }
  }
  affine.for %i0 = 0 to 9 {
    affine.for %i1 = 0 to 8 {
      %v26 = affine.load %A[6, %i0, %i1] : memref<7x9x8xi64>
      affine.store %v26, %out[%i0, %i1] : memref<9x8xi64>
    }
  }
  memref.dealloc %A : memref<7x9x8xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<9x8xi64>
  call @kernel(%out) : (memref<9x8xi64>) -> ()
  affine.for %i0 = 0 to 9 {
    affine.for %i1 = 0 to 8 {
      %v = affine.load %out[%i0, %i1] : memref<9x8xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<9x8xi64>
  return
}
