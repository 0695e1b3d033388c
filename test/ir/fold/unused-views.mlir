// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A view that nobody uses goes, since nobody has asked whether it fits what the
// array folds to.
// RUN: %berth-opt %s --berth-fold | FileCheck %s

// CHECK-LABEL: func.func @unused
// CHECK: memref.alloc() : memref<1x4xi64>
// CHECK-NOT: [2, 4]
func.func @unused(%x: memref<20x4xi64>, %y: memref<20x4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<20x4xi64>
  scf.parallel (%j) = (%c0) to (%c1) step (%c1) {
    scf.for %i = %c0 to %c7 step %c1 {
      %from = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<20x4xi64> to memref<1x4xi64, strided<[4, 1], offset: ?>>
      %row = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<20x4xi64> to memref<1x4xi64, strided<[4, 1], offset: ?>>
      %to = memref.subview %y[%i, 0] [1, 4] [1, 1] : memref<20x4xi64> to memref<1x4xi64, strided<[4, 1], offset: ?>>
      memref.copy %from, %row : memref<1x4xi64, strided<[4, 1], offset: ?>> to memref<1x4xi64, strided<[4, 1], offset: ?>>
      memref.copy %row, %to : memref<1x4xi64, strided<[4, 1], offset: ?>> to memref<1x4xi64, strided<[4, 1], offset: ?>>
      %rows = memref.subview %a[5, 0] [2, 4] [1, 1] : memref<20x4xi64> to memref<2x4xi64, strided<[4, 1], offset: 20>>
      %part = memref.subview %rows[1, 0] [1, 4] [1, 1] : memref<2x4xi64, strided<[4, 1], offset: 20>> to memref<1x4xi64, strided<[4, 1], offset: 24>>
    }
  }
  memref.dealloc %a : memref<20x4xi64>
  return
}
