// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vertical blur fused with its producer: a line buffer.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<{{.*}}xi64>
// CHECK: mod

func.func @kernel(%out: memref<18x6xi64>) {
  %B = memref.alloc() : memref<20x6xi64>
  affine.for %y = 0 to 20 {
    affine.for %x = 0 to 6 {
      %v0 = arith.index_cast %y : index to i64
      %v1 = arith.index_cast %x : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %B[%y, %x] : memref<20x6xi64>
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%y) {
      affine.for %x = 0 to 6 {
        %v8 = affine.load %B[%y - 2, %x] : memref<20x6xi64>
        %v9 = affine.load %B[%y - 1, %x] : memref<20x6xi64>
        %v10 = affine.load %B[%y - 0, %x] : memref<20x6xi64>
        %v11 = arith.constant 1 : i64
        %v12 = arith.constant 31 : i64
        %v13 = arith.muli %v11, %v12 : i64
        %v14 = arith.addi %v13, %v8 : i64
        %v15 = arith.muli %v14, %v12 : i64
        %v16 = arith.addi %v15, %v9 : i64
        %v17 = arith.muli %v16, %v12 : i64
        %v18 = arith.addi %v17, %v10 : i64
        affine.store %v18, %out[%y - 2, %x] : memref<18x6xi64>
      }
    }
  }
  memref.dealloc %B : memref<20x6xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<18x6xi64>
  call @kernel(%out) : (memref<18x6xi64>) -> ()
  affine.for %i0 = 0 to 18 {
    affine.for %i1 = 0 to 6 {
      %v = affine.load %out[%i0, %i1] : memref<18x6xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<18x6xi64>
  return
}
