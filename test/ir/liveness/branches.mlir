// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// Branches are alternatives: a buffer is live in a branch only if its content
// is needed from there. Functions whose name ends in _share have no pair.

// %a is dead in the first branch between its read and the fill, and live
// throughout the second.
// CHECK-LABEL: interference of @last_use_in_one_branch
// CHECK-NOT:   %alloc and %alloc_0:
// CHECK:       %alloc and %alloc_1: both live in
// CHECK-NOT:   %alloc_0 and %alloc_1:
func.func @last_use_in_one_branch(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.if %c {
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  } else {
    linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
    memref.copy %d, %out : memref<8xf32> to memref<8xf32>
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @used_in_one_branch
// CHECK:       %alloc and %alloc_0: both live in
// CHECK-NOT:   %alloc and %alloc_1:
func.func @used_in_one_branch(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.if %c {
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  } else {
    linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
    memref.copy %d, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// CHECK-LABEL: interference of @branch_locals_share
// CHECK-NOT:   both live
func.func @branch_locals_share(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  scf.if %c {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// Both content flows cross the back edge and meet in either branch.
// CHECK-LABEL: interference of @alternatives_meet_across_iterations
// CHECK:       %alloc and %alloc_0: both live in
func.func @alternatives_meet_across_iterations(%m: memref<10xi1>,
                                               %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    %c = memref.load %m[%i] : memref<10xi1>
    scf.if %c {
      memref.copy %b, %out : memref<8xf32> to memref<8xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    } else {
      memref.copy %a, %out : memref<8xf32> to memref<8xf32>
      linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    }
  }
  return
}

// The same without the reads of the other iteration: alternatives again.
// CHECK-LABEL: interference of @alternatives_in_loop_share
// CHECK-NOT:   both live
func.func @alternatives_in_loop_share(%m: memref<10xi1>,
                                      %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    %c = memref.load %m[%i] : memref<10xi1>
    scf.if %c {
      linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
      memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    } else {
      linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
      memref.copy %b, %out : memref<8xf32> to memref<8xf32>
    }
  }
  return
}

// Written in both branches, read after them: live from either write.
// CHECK-LABEL: interference of @defined_by_both_branches
// CHECK:       %alloc and %alloc_0: both live in
// CHECK-NOT:   %alloc and %alloc_1:
func.func @defined_by_both_branches(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  scf.if %c {
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  } else {
    linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
    memref.copy %d, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @index_switch
// CHECK:       %alloc and %alloc_0: both live in
// CHECK-NOT:   %alloc and %alloc_1:
// CHECK-NOT:   %alloc_0 and %alloc_1:
func.func @index_switch(%n: index, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.index_switch %n
  case 3 {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
    scf.yield
  }
  default {
    %d = memref.alloc() : memref<8xf32>
    linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
    memref.copy %d, %out : memref<8xf32> to memref<8xf32>
  }
  return
}
