// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of symbolic length.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc(%{{.*}}) : memref<?xi64>

func.func @kernel(%out: memref<64xi64>, %n: index, %m: index) {
  %zero = arith.constant 0 : i64
  affine.for %z0 = 0 to 64 {
    affine.store %zero, %out[%z0] : memref<64xi64>
  }
  %T = memref.alloc(%n, %m) : memref<?x?xi64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %v0 = arith.index_cast %i : index to i64
      %v1 = arith.index_cast %j : index to i64
      %v2 = arith.constant 1 : i64
      %v3 = arith.constant 31 : i64
      %v4 = arith.muli %v2, %v3 : i64
      %v5 = arith.addi %v4, %v0 : i64
      %v6 = arith.muli %v5, %v3 : i64
      %v7 = arith.addi %v6, %v1 : i64
      affine.store %v7, %T[%i, %j] : memref<?x?xi64>
    }
    affine.for %j = 0 to %m {
      %v8 = affine.load %T[%i, %j] : memref<?x?xi64>
      %v9 = affine.load %out[%j] : memref<64xi64>
      %v10 = arith.constant 1 : i64
      %v11 = arith.constant 31 : i64
      %v12 = arith.muli %v10, %v11 : i64
      %v13 = arith.addi %v12, %v8 : i64
      %v14 = arith.muli %v13, %v11 : i64
      %v15 = arith.addi %v14, %v9 : i64
      affine.store %v15, %out[%j] : memref<64xi64>
    }
  }
  memref.dealloc %T : memref<?x?xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<64xi64>
  %c1 = arith.constant 1 : index
  call @kernel(%out, %c1, %c1) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  call @kernel(%out, %c0, %c7) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  call @kernel(%out, %c7, %c0) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  call @kernel(%out, %c5, %c64) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<64xi64>
  return
}
