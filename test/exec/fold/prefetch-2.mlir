// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline that loads two steps ahead.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: arith.remsi

func.func @kernel(%out: memref<24x4xi64>) {
  %P = memref.alloc() : memref<24x4xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %cN = arith.constant 24 : index
  %cE = arith.constant 26 : index
  %cD = arith.constant 2 : index
  scf.for %s = %c0 to %cE step %c1 {
    %more = arith.cmpi slt, %s, %cN : index
    scf.if %more {
      scf.for %j = %c0 to %c4 step %c1 {
        %v0 = arith.index_cast %s : index to i64
        %v1 = arith.index_cast %j : index to i64
        %v2 = arith.constant 1 : i64
        %v3 = arith.constant 31 : i64
        %v4 = arith.muli %v2, %v3 : i64
        %v5 = arith.addi %v4, %v0 : i64
        %v6 = arith.muli %v5, %v3 : i64
        %v7 = arith.addi %v6, %v1 : i64
        memref.store %v7, %P[%s, %j] : memref<24x4xi64>
      }
    }
    %late = arith.cmpi sge, %s, %cD : index
    scf.if %late {
      %u = arith.subi %s, %cD : index
      scf.for %j = %c0 to %c4 step %c1 {
        %v8 = memref.load %P[%u, %j] : memref<24x4xi64>
        %v9 = arith.constant 1 : i64
        %v10 = arith.constant 31 : i64
        %v11 = arith.muli %v9, %v10 : i64
        %v12 = arith.addi %v11, %v8 : i64
        %v13 = arith.muli %v12, %v10 : i64
        %v14 = arith.addi %v13, %v8 : i64
        memref.store %v14, %out[%u, %j] : memref<24x4xi64>
      }
    }
  }
  memref.dealloc %P : memref<24x4xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<24x4xi64>
  call @kernel(%out) : (memref<24x4xi64>) -> ()
  affine.for %i0 = 0 to 24 {
    affine.for %i1 = 0 to 4 {
      %v = affine.load %out[%i0, %i1] : memref<24x4xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %out : memref<24x4xi64>
  return
}
