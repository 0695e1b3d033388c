// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unsharp mask by rows: three line buffers.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: mod

func.func @kernel(%out: memref<16x10xi64>) {
  %zero = arith.constant 0 : i64
  affine.for %z0 = 0 to 16 {
    affine.for %z1 = 0 to 10 {
      affine.store %zero, %out[%z0, %z1] : memref<16x10xi64>
    }
  }
  %I = memref.alloc() : memref<16x10xi64>
  %X = memref.alloc() : memref<16x10xi64>
  %Y = memref.alloc() : memref<16x10xi64>
  affine.for %y = 0 to 16 {
    affine.for %x = 0 to 10 {
      %v0 = arith.index_cast %y : index to i64
      %v1 = arith.index_cast %x : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %I[%y, %x] : memref<16x10xi64>
    }
    affine.for %x = 1 to 9 {
      %v8 = affine.load %I[%y, %x - 1] : memref<16x10xi64>
      %v9 = affine.load %I[%y, %x ] : memref<16x10xi64>
      %v10 = affine.load %I[%y, %x + 1] : memref<16x10xi64>
      %v11 = arith.constant 1 : i64
      %v12 = arith.constant 31 : i64
      %v13 = arith.muli %v11, %v12 : i64
      %v14 = arith.addi %v13, %v8 : i64
      %v15 = arith.muli %v14, %v12 : i64
      %v16 = arith.addi %v15, %v9 : i64
      %v17 = arith.muli %v16, %v12 : i64
      %v18 = arith.addi %v17, %v10 : i64
      affine.store %v18, %X[%y, %x] : memref<16x10xi64>
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%y) {
      affine.for %x = 1 to 9 {
        %v19 = affine.load %X[%y - 2, %x] : memref<16x10xi64>
        %v20 = affine.load %X[%y - 1, %x] : memref<16x10xi64>
        %v21 = affine.load %X[%y - 0, %x] : memref<16x10xi64>
        %v22 = arith.constant 1 : i64
        %v23 = arith.constant 31 : i64
        %v24 = arith.muli %v22, %v23 : i64
        %v25 = arith.addi %v24, %v19 : i64
        %v26 = arith.muli %v25, %v23 : i64
        %v27 = arith.addi %v26, %v20 : i64
        %v28 = arith.muli %v27, %v23 : i64
        %v29 = arith.addi %v28, %v21 : i64
        affine.store %v29, %Y[%y - 1, %x] : memref<16x10xi64>
      }
      affine.for %x = 1 to 9 {
        %v30 = affine.load %I[%y - 1, %x] : memref<16x10xi64>
        %v31 = affine.load %Y[%y - 1, %x] : memref<16x10xi64>
        %v32 = arith.constant 1 : i64
        %v33 = arith.constant 31 : i64
        %v34 = arith.muli %v32, %v33 : i64
        %v35 = arith.addi %v34, %v30 : i64
        %v36 = arith.muli %v35, %v33 : i64
        %v37 = arith.addi %v36, %v31 : i64
        affine.store %v37, %out[%y - 1, %x] : memref<16x10xi64>
      }
    }
  }
  memref.dealloc %I : memref<16x10xi64>
  memref.dealloc %X : memref<16x10xi64>
  memref.dealloc %Y : memref<16x10xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<16x10xi64>
  call @kernel(%out) : (memref<16x10xi64>) -> ()
  affine.for %i0 = 0 to 16 {
    affine.for %i1 = 0 to 10 {
      %v = affine.load %out[%i0, %i1] : memref<16x10xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<16x10xi64>
  return
}
