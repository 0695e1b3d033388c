// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil of three points over time.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<41xi64>

func.func @kernel(%out: memref<40xi64>) {
  %A = memref.alloc() : memref<12x40xi64>
  affine.for %i = 0 to 40 {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.muli %v0, %v0 : i64
    affine.store %v1, %A[0, %i] : memref<12x40xi64>
  }
  affine.for %t = 1 to 12 {
    affine.for %i = 0 to 40 {
      affine.if affine_set<(d0) : (d0 - 1 >= 0, 38 - d0 >= 0)>(%i) {
        %v2 = affine.load %A[%t - 1, %i - 1] : memref<12x40xi64>
        %v3 = affine.load %A[%t - 1, %i + 0] : memref<12x40xi64>
        %v4 = affine.load %A[%t - 1, %i + 1] : memref<12x40xi64>
        %v5 = arith.constant 1 : i64
        %v6 = arith.constant 31 : i64
        %v7 = arith.muli %v5, %v6 : i64
        %v8 = arith.addi %v7, %v2 : i64
        %v9 = arith.muli %v8, %v6 : i64
        %v10 = arith.addi %v9, %v3 : i64
        %v11 = arith.muli %v10, %v6 : i64
        %v12 = arith.addi %v11, %v4 : i64
        affine.store %v12, %A[%t, %i] : memref<12x40xi64>
      } else {
        %v13 = affine.load %A[%t - 1, %i] : memref<12x40xi64>
        affine.store %v13, %A[%t, %i] : memref<12x40xi64>
      }
    }
  }
  affine.for %i = 0 to 40 {
    %v14 = affine.load %A[11, %i] : memref<12x40xi64>
    affine.store %v14, %out[%i] : memref<40xi64>
  }
  memref.dealloc %A : memref<12x40xi64>
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
