// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What more operations would save at most: loads one behind the other read cells
// that are live at once. Not the same one twice, not behind a store or under a
// condition.
// RUN: %berth-opt %s --berth-fold=max-operations=100 --remarks-filter=berth-fold -o /dev/null 2>&1 | FileCheck %s
// CHECK: (10 loads, 2 stores): needs more than 120 operations and saves at most 1597 cells of 1600;
func.func @f(%o: memref<30xi64>, %n: i1) {
  %a = memref.alloc() : memref<40x40xi64>
  %c = arith.constant 1 : i64
  affine.for %i = 0 to 40 { affine.for %j = 0 to 40 { affine.store %c, %a[%i, %j] : memref<40x40xi64> } }
  affine.for %i = 0 to 30 {
    %x = affine.load %a[%i, 3] : memref<40x40xi64>
    %y = affine.load %a[%i + 1, 3] : memref<40x40xi64>
    %y2 = affine.load %a[%i + 1, 3] : memref<40x40xi64>
    %z = affine.load %a[%i + 1, 4] : memref<40x40xi64>
    affine.store %c, %a[%i + 2, 3] : memref<40x40xi64>
    %w = affine.load %a[%i + 2, 3] : memref<40x40xi64>
    affine.store %x, %o[%i] : memref<30xi64>
    scf.if %n {
      %p = affine.load %a[%i, 5] : memref<40x40xi64>
      %q = affine.load %a[%i, 6] : memref<40x40xi64>
      %r = affine.load %a[%i, 7] : memref<40x40xi64>
      %s = affine.load %a[%i, 8] : memref<40x40xi64>
      %s2 = affine.load %a[%i, 9] : memref<40x40xi64>
    }
  }
  memref.dealloc %a : memref<40x40xi64>
  return
}
