// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil with a tiled loop: steps and dependent bounds.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: mod

func.func @kernel(%out: memref<34xi64>) {
  %z = arith.constant 9 : i64
  %A = memref.alloc() : memref<8x34xi64>
  affine.for %i = 0 to 34 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.constant 1 : i64
    %v2 = arith.constant 31 : i64
    %v3 = arith.muli %v1, %v2 : i64
    %v4 = arith.addi %v3, %v0 : i64
    affine.store %v4, %A[0, %i] : memref<8x34xi64>
  }
  affine.for %t = 1 to 8 {
    affine.store %z, %A[%t, 0] : memref<8x34xi64>
    affine.store %z, %A[%t, 33] : memref<8x34xi64>
    affine.for %b = 1 to 33 step 8 {
      affine.for %i = affine_map<(d0) -> (d0)>(%b) to affine_map<(d0) -> (d0 + 8)>(%b) {
        %v5 = affine.load %A[%t - 1, %i - 1] : memref<8x34xi64>
        %v6 = affine.load %A[%t - 1, %i ] : memref<8x34xi64>
        %v7 = affine.load %A[%t - 1, %i + 1] : memref<8x34xi64>
        %v8 = arith.constant 1 : i64
        %v9 = arith.constant 31 : i64
        %v10 = arith.muli %v8, %v9 : i64
        %v11 = arith.addi %v10, %v5 : i64
        %v12 = arith.muli %v11, %v9 : i64
        %v13 = arith.addi %v12, %v6 : i64
        %v14 = arith.muli %v13, %v9 : i64
        %v15 = arith.addi %v14, %v7 : i64
        affine.store %v15, %A[%t, %i] : memref<8x34xi64>
      }
    }
  }
  affine.for %i = 0 to 34 {
    %v16 = affine.load %A[7, %i] : memref<8x34xi64>
    affine.store %v16, %out[%i] : memref<34xi64>
  }
  memref.dealloc %A : memref<8x34xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<34xi64>
  call @kernel(%out) : (memref<34xi64>) -> ()
  affine.for %i0 = 0 to 34 {
    %v = affine.load %out[%i0] : memref<34xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<34xi64>
  return
}
