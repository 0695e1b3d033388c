// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seven points in space over time.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: mod

func.func @kernel(%out: memref<5x5x5xi64>) {
  %A = memref.alloc() : memref<5x5x5x5xi64>
  affine.for %i0 = 0 to 5 {
    affine.for %i1 = 0 to 5 {
      affine.for %i2 = 0 to 5 {
        %v0 = arith.index_cast %i0 : index to i64
        %v1 = arith.index_cast %i1 : index to i64
        %v2 = arith.index_cast %i2 : index to i64
        %v3 = arith.constant 1 : i64
        %v4 = arith.constant 31 : i64
        %v5 = arith.muli %v3, %v4 : i64
        %v6 = arith.addi %v5, %v0 : i64
        %v7 = arith.muli %v6, %v4 : i64
        %v8 = arith.addi %v7, %v1 : i64
        %v9 = arith.muli %v8, %v4 : i64
        %v10 = arith.addi %v9, %v2 : i64
        affine.store %v10, %A[0, %i0, %i1, %i2] : memref<5x5x5x5xi64>
      }
    }
  }
  affine.for %t = 1 to 5 {
    affine.for %i0 = 0 to 5 {
      affine.for %i1 = 0 to 5 {
        affine.for %i2 = 0 to 5 {
          affine.if affine_set<(d0, d1, d2) : (d0 - 1 >= 0, 3 - d0 >= 0, d1 - 1 >= 0, 3 - d1 >= 0, d2 - 1 >= 0, 3 - d2 >= 0)>(%i0, %i1, %i2) {
            %v11 = affine.load %A[%t - 1, %i0, %i1, %i2] : memref<5x5x5x5xi64>
            %v12 = affine.load %A[%t - 1, %i0 + 1, %i1, %i2] : memref<5x5x5x5xi64>
            %v13 = affine.load %A[%t - 1, %i0 - 1, %i1, %i2] : memref<5x5x5x5xi64>
            %v14 = affine.load %A[%t - 1, %i0, %i1 + 1, %i2] : memref<5x5x5x5xi64>
            %v15 = affine.load %A[%t - 1, %i0, %i1 - 1, %i2] : memref<5x5x5x5xi64>
            %v16 = affine.load %A[%t - 1, %i0, %i1, %i2 + 1] : memref<5x5x5x5xi64>
            %v17 = affine.load %A[%t - 1, %i0, %i1, %i2 - 1] : memref<5x5x5x5xi64>
            %v18 = arith.constant 1 : i64
            %v19 = arith.constant 31 : i64
            %v20 = arith.muli %v18, %v19 : i64
            %v21 = arith.addi %v20, %v11 : i64
            %v22 = arith.muli %v21, %v19 : i64
            %v23 = arith.addi %v22, %v12 : i64
            %v24 = arith.muli %v23, %v19 : i64
            %v25 = arith.addi %v24, %v13 : i64
            %v26 = arith.muli %v25, %v19 : i64
            %v27 = arith.addi %v26, %v14 : i64
            %v28 = arith.muli %v27, %v19 : i64
            %v29 = arith.addi %v28, %v15 : i64
            %v30 = arith.muli %v29, %v19 : i64
            %v31 = arith.addi %v30, %v16 : i64
            %v32 = arith.muli %v31, %v19 : i64
            %v33 = arith.addi %v32, %v17 : i64
            affine.store %v33, %A[%t, %i0, %i1, %i2] : memref<5x5x5x5xi64>
          } else {
            %v34 = affine.load %A[%t - 1, %i0, %i1, %i2] : memref<5x5x5x5xi64>
            affine.store %v34, %A[%t, %i0, %i1, %i2] : memref<5x5x5x5xi64>
          }
        }
      }
    }
  }
  affine.for %i0 = 0 to 5 {
    affine.for %i1 = 0 to 5 {
      affine.for %i2 = 0 to 5 {
        %v35 = affine.load %A[4, %i0, %i1, %i2] : memref<5x5x5x5xi64>
        affine.store %v35, %out[%i0, %i1, %i2] : memref<5x5x5xi64>
      }
    }
  }
  memref.dealloc %A : memref<5x5x5x5xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<5x5x5xi64>
  call @kernel(%out) : (memref<5x5x5xi64>) -> ()
  affine.for %i0 = 0 to 5 {
    affine.for %i1 = 0 to 5 {
      affine.for %i2 = 0 to 5 {
        %v = affine.load %out[%i0, %i1, %i2] : memref<5x5x5xi64>
        vector.print %v : i64
      }
    }
  }
  memref.dealloc %out : memref<5x5x5xi64>
  return
}
