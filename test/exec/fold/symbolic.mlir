// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic sizes, down to the smallest.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc(%{{.*}}) : memref<?xi64>
// CHECK: arith.remsi

func.func @kernel(%out: memref<64xi64>, %T: index, %n: index) {
  %zero = arith.constant 0 : i64
  affine.for %z0 = 0 to 64 {
    affine.store %zero, %out[%z0] : memref<64xi64>
  }
  %A = memref.alloc(%T, %n) : memref<?x?xi64>
  affine.for %i = 0 to %n {
    %v0 = arith.index_cast %i : index to i64
    %v1 = arith.constant 1 : i64
    %v2 = arith.constant 31 : i64
    %v3 = arith.muli %v1, %v2 : i64
    %v4 = arith.addi %v3, %v0 : i64
    affine.store %v4, %A[0, %i] : memref<?x?xi64>
  }
  affine.for %t = 1 to %T {
    affine.for %i = 0 to %n {
      affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - 2 - d0 >= 0)>(%i)[%n] {
        %v5 = affine.load %A[%t - 1, %i - 1] : memref<?x?xi64>
        %v6 = affine.load %A[%t - 1, %i ] : memref<?x?xi64>
        %v7 = affine.load %A[%t - 1, %i + 1] : memref<?x?xi64>
        %v8 = arith.constant 1 : i64
        %v9 = arith.constant 31 : i64
        %v10 = arith.muli %v8, %v9 : i64
        %v11 = arith.addi %v10, %v5 : i64
        %v12 = arith.muli %v11, %v9 : i64
        %v13 = arith.addi %v12, %v6 : i64
        %v14 = arith.muli %v13, %v9 : i64
        %v15 = arith.addi %v14, %v7 : i64
        affine.store %v15, %A[%t, %i] : memref<?x?xi64>
      } else {
        %v16 = affine.load %A[%t - 1, %i] : memref<?x?xi64>
        affine.store %v16, %A[%t, %i] : memref<?x?xi64>
      }
    }
  }
  affine.if affine_set<()[s0] : (s0 - 1 >= 0)>()[%T] {
    affine.for %i = 0 to %n {
      %v17 = affine.load %A[symbol(%T) - 1, %i] : memref<?x?xi64>
      affine.store %v17, %out[%i] : memref<64xi64>
    }
  }
  memref.dealloc %A : memref<?x?xi64>
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
  %c5 = arith.constant 5 : index
  call @kernel(%out, %c1, %c5) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  %c2 = arith.constant 2 : index
  call @kernel(%out, %c2, %c1) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  call @kernel(%out, %c2, %c2) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  %c3 = arith.constant 3 : index
  call @kernel(%out, %c3, %c2) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  call @kernel(%out, %c9, %c64) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  %c20 = arith.constant 20 : index
  %c33 = arith.constant 33 : index
  call @kernel(%out, %c20, %c33) : (memref<64xi64>, index, index) -> ()
  affine.for %i0 = 0 to 64 {
    %v = affine.load %out[%i0] : memref<64xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<64xi64>
  return
}
