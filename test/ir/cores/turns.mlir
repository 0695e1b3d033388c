// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocation in a loop makes a buffer for each turn. In an arena they have one
// place: where units or cores share it, a barrier has to stand between the turns,
// and between the last access and the function's end.

// DEFINE: %{plan} = %berth-opt %s --berth-target=%S/Inputs/units.json -o /dev/null --remarks-filter='berth.*' --pass-pipeline=
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s
// RUN: %{plan}'builtin.module(berth-arena{space=L1 never-worse=false})' 2>&1 | FileCheck %s
// The verifier finds out by itself, at each of them.
// RUN: not %{plan}'builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=one-turn})' 2>&1 | FileCheck %s --check-prefix=TURN
// RUN: not %{plan}'builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=work-returns})' 2>&1 | FileCheck %s --check-prefix=LEFT

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// The DMA unit may be one turn behind, the program one ahead.
// CHECK: [[#@LINE+6]]:10: {{.*}}not placed: another core or unit may still use its previous instance
// TURN: [[#@LINE+5]]:10: error: makes a buffer anew that another core or unit may still use
func.func @behind(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !near
    "npu.run"(%a) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
    "npu.barrier"() : () -> ()
    memref.copy %a, %y : !near to !far
  }
  "npu.barrier"() : () -> ()
  return
}

// The same in a loop around it, and in the one that stands in the other.
// CHECK: [[#@LINE+9]]:12: {{.*}}not placed: another core or unit may still use its previous instance
// CHECK: [[#@LINE+13]]:10: {{.*}}placed at offset
// TURN: [[#@LINE+7]]:12: error: makes a buffer anew that another core or unit may still use
func.func @nested(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "npu.barrier"() : () -> ()
    scf.for %k = %c0 to %n step %c1 {
      %a = memref.alloc() : !near
      "npu.run"(%a) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
      "npu.barrier"() : () -> ()
      memref.copy %a, %y : !near to !far
    }
    %b = memref.alloc() : !near
    "npu.run"(%b) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
    "npu.barrier"() : () -> ()
    memref.copy %b, %y : !near to !far
  }
  "npu.barrier"() : () -> ()
  return
}

// CHECK: [[#@LINE+8]]:10: {{.*}}not placed: another core or unit may still use its previous instance
// CHECK: [[#@LINE+16]]:8: {{.*}}not placed: another core or unit may still use its previous instance
// TURN: [[#@LINE+6]]:10: error: makes a buffer anew that another core or unit may still use
// TURN: [[#@LINE+14]]:8: error: makes a buffer anew that another core or unit may still use
func.func @other_loops(%x: !far, %y: !far, %go: i1) {
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    %a = memref.alloc() : !near
    "npu.run"(%a) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
    "npu.barrier"() : () -> ()
    memref.copy %a, %y : !near to !far
    scf.yield
  }
  "npu.barrier"() : () -> ()
  cf.br ^again
^again:
  %b = memref.alloc() : !near
  "npu.run"(%b) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
  memref.copy %b, %y : !near to !far
  cf.cond_br %go, ^again, ^end
^end:
  "npu.barrier"() : () -> ()
  return
}

// One unit has an order of its own, and a barrier keeps turns apart wherever it
// stands in the turn, in a called function, too.
// CHECK: [[#@LINE+8]]:10: {{.*}}placed at offset
// CHECK: [[#@LINE+11]]:10: {{.*}}placed at offset
// CHECK: [[#@LINE+16]]:10: {{.*}}placed at offset
// TURN-NOT: error: makes
func.func @apart(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !near
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
    %b = memref.alloc() : !near
    "npu.run"(%b) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
    "npu.barrier"() : () -> ()
    memref.copy %b, %y : !near to !far
  }
  scf.for %i = %c0 to %n step %c1 {
    %c = memref.alloc() : !near
    func.call @layer(%c, %y) : (!near, !far) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
func.func private @layer(%a: !near, %y: !far) {
  "npu.run"(%a) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
  "npu.barrier"() : () -> ()
  memref.copy %a, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// The function has returned, and a unit goes on.
// CHECK: [[#@LINE+3]]:8: {{.*}}not placed: a core or unit may still use it when its function returns
// LEFT: [[#@LINE+5]]:3: error: may still use a buffer of the arena when its function returns
func.func @left(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.barrier"() : () -> ()
  memref.copy %a, %y : !near to !far
  return
}

// On one way only.
// CHECK: [[#@LINE+4]]:8: {{.*}}not placed: a core or unit may still use it when its function returns
// LEFT: [[#@LINE+6]]:3: error: may still use a buffer of the arena when its function returns
// LEFT: [[#@LINE+6]]:3: error: may still use a buffer of the arena when its function returns
func.func @early(%x: !far, %y: !far, %c: i1) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.barrier"() : () -> ()
  "npu.run"(%a) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
  memref.copy %a, %y : !near to !far
  cf.cond_br %c, ^early, ^late
^early:
  return
^late:
  "npu.barrier"() : () -> ()
  return
}

// A called function goes on behind its barrier.
// CHECK: [[#@LINE+3]]:8: {{.*}}not placed: a core or unit may still use it when its function returns
// LEFT: [[#@LINE+4]]:3: error: may still use a buffer of the arena when its function returns
func.func @called(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  call @meets_first(%a, %y) : (!near, !far) -> ()
  return
}
func.func private @meets_first(%a: !near, %y: !far) {
  "npu.barrier"() : () -> ()
  memref.copy %a, %y : !near to !far
  return
}

// The program has done its own ops when it returns.
// CHECK: [[#@LINE+3]]:8: {{.*}}placed at offset
// LEFT-NOT: error
func.func @program(%v: i8, %y: memref<64xi8>) {
  %a = memref.alloc() : !near
  linalg.fill ins(%v : i8) outs(%a : !near)
  memref.copy %a, %y : !near to memref<64xi8>
  return
}
