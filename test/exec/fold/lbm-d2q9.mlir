// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nine directions in the plane over time, as in lattice Boltzmann.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: mod

func.func @kernel(%out: memref<8x8xi64>) {
  %A = memref.alloc() : memref<6x8x8xi64>
  affine.for %i0 = 0 to 8 {
    affine.for %i1 = 0 to 8 {
      %v0 = arith.index_cast %i0 : index to i64
      %v1 = arith.index_cast %i1 : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %A[0, %i0, %i1] : memref<6x8x8xi64>
    }
  }
  affine.for %t = 1 to 6 {
    affine.for %i0 = 0 to 8 {
      affine.for %i1 = 0 to 8 {
        affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, 6 - d0 >= 0, d1 - 1 >= 0, 6 - d1 >= 0)>(%i0, %i1) {
          %v8 = affine.load %A[%t - 1, %i0 - 1, %i1 - 1] : memref<6x8x8xi64>
          %v9 = affine.load %A[%t - 1, %i0 - 1, %i1] : memref<6x8x8xi64>
          %v10 = affine.load %A[%t - 1, %i0 - 1, %i1 + 1] : memref<6x8x8xi64>
          %v11 = affine.load %A[%t - 1, %i0, %i1 - 1] : memref<6x8x8xi64>
          %v12 = affine.load %A[%t - 1, %i0, %i1] : memref<6x8x8xi64>
          %v13 = affine.load %A[%t - 1, %i0, %i1 + 1] : memref<6x8x8xi64>
          %v14 = affine.load %A[%t - 1, %i0 + 1, %i1 - 1] : memref<6x8x8xi64>
          %v15 = affine.load %A[%t - 1, %i0 + 1, %i1] : memref<6x8x8xi64>
          %v16 = affine.load %A[%t - 1, %i0 + 1, %i1 + 1] : memref<6x8x8xi64>
          %v17 = arith.constant 1 : i64
          %v18 = arith.constant 31 : i64
          %v19 = arith.muli %v17, %v18 : i64
          %v20 = arith.addi %v19, %v8 : i64
          %v21 = arith.muli %v20, %v18 : i64
          %v22 = arith.addi %v21, %v9 : i64
          %v23 = arith.muli %v22, %v18 : i64
          %v24 = arith.addi %v23, %v10 : i64
          %v25 = arith.muli %v24, %v18 : i64
          %v26 = arith.addi %v25, %v11 : i64
          %v27 = arith.muli %v26, %v18 : i64
          %v28 = arith.addi %v27, %v12 : i64
          %v29 = arith.muli %v28, %v18 : i64
          %v30 = arith.addi %v29, %v13 : i64
          %v31 = arith.muli %v30, %v18 : i64
          %v32 = arith.addi %v31, %v14 : i64
          %v33 = arith.muli %v32, %v18 : i64
          %v34 = arith.addi %v33, %v15 : i64
          %v35 = arith.muli %v34, %v18 : i64
          %v36 = arith.addi %v35, %v16 : i64
          affine.store %v36, %A[%t, %i0, %i1] : memref<6x8x8xi64>
        } else {
          %v37 = affine.load %A[%t - 1, %i0, %i1] : memref<6x8x8xi64>
          affine.store %v37, %A[%t, %i0, %i1] : memref<6x8x8xi64>
        }
      }
    }
  }
  affine.for %i0 = 0 to 8 {
    affine.for %i1 = 0 to 8 {
      %v38 = affine.load %A[5, %i0, %i1] : memref<6x8x8xi64>
      affine.store %v38, %out[%i0, %i1] : memref<8x8xi64>
    }
  }
  memref.dealloc %A : memref<6x8x8xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<8x8xi64>
  call @kernel(%out) : (memref<8x8xi64>) -> ()
  affine.for %i0 = 0 to 8 {
    affine.for %i1 = 0 to 8 {
      %v = affine.load %out[%i0, %i1] : memref<8x8xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<8x8xi64>
  return
}
