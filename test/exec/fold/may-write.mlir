// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store under a condition on data overwrites nothing for certain.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<20xi64>

func.func @kernel(%out: memref<20xi64>) {
  %A = memref.alloc() : memref<8x20xi64>
  %three = arith.constant 3 : i64
  %nil = arith.constant 0 : i64
  affine.for %i = 0 to 20 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.constant 1 : i64
    %v2 = arith.constant 31 : i64
    %v3 = arith.muli %v1, %v2 : i64
    %v4 = arith.addi %v3, %v0 : i64
    affine.store %v4, %A[0, %i] : memref<8x20xi64>
  }
  affine.for %t = 1 to 8 {
    affine.for %i = 0 to 20 {
      %v5 = affine.load %A[%t - 1, %i] : memref<8x20xi64>
      affine.store %v5, %A[%t, %i] : memref<8x20xi64>
      %v6 = arith.remsi %v5, %three : i64
      %v7 = arith.cmpi eq, %v6, %nil : i64
      scf.if %v7 {
        %v8 = arith.constant 1 : i64
        %v9 = arith.constant 31 : i64
        %v10 = arith.muli %v8, %v9 : i64
        %v11 = arith.addi %v10, %v5 : i64
        %v12 = arith.muli %v11, %v9 : i64
        %v13 = arith.addi %v12, %v5 : i64
        affine.store %v13, %A[%t, %i] : memref<8x20xi64>
      }
    }
  }
  affine.for %i = 0 to 20 {
    %v14 = affine.load %A[7, %i] : memref<8x20xi64>
    affine.store %v14, %out[%i] : memref<20xi64>
  }
  memref.dealloc %A : memref<8x20xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<20xi64>
  call @kernel(%out) : (memref<20xi64>) -> ()
  affine.for %i0 = 0 to 20 {
    %v = affine.load %out[%i0] : memref<20xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<20xi64>
  return
}
