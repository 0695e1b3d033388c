// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop with constant bounds that holds a barrier comes to it at least once,
// however many turns it has; planner and verifier find that out alone.

// DEFINE: %{target} =
// DEFINE: %{plan} = %berth-opt %s --berth-target=%{target} --pass-pipeline=
// REDEFINE: %{target} = %S/Inputs/pending-run.json
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' | FileCheck %s --check-prefixes=SIZE,WORK
// REDEFINE: %{target} = %S/Inputs/units.json
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' | FileCheck %s --check-prefixes=SIZE,UNIT
// The verifier knows that others may have no turn.
// RUN: not %{plan}'builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=some-turns})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-TURN

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

func.func private @sync() {
  "npu.barrier"() : () -> ()
  return
}

// SIZE-LABEL: @affine_call(
// SIZE-SAME: berth.arena_size = 128 : i64
func.func @affine_call(%y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  affine.for %i = 0 to 2 {
    func.call @sync() : () -> ()
  }
  %c = memref.alloc() : !near
  memref.copy %y, %c : !far to !near
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// SIZE-LABEL: @affine_many(
// SIZE-SAME: berth.arena_size = 128 : i64
func.func @affine_many(%y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  affine.for %i = -2 to 1000 step 3 {
    "npu.barrier"() : () -> ()
  }
  %c = memref.alloc() : !near
  memref.copy %y, %c : !far to !near
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// That the branches of scf.for follow its bounds MLIR does not tell, so pending
// work takes more.
// SIZE-LABEL: @many(
// WORK-SAME: berth.arena_size = 192 : i64
// UNIT-SAME: berth.arena_size = 128 : i64
func.func @many(%y: !far, %step: index) {
  %from = arith.constant -3 : index
  %to = arith.constant 100000 : index
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  scf.for %i = %from to %to step %step {
    "npu.barrier"() : () -> ()
  }
  %c = memref.alloc() : !near
  memref.copy %y, %c : !far to !near
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// SIZE-LABEL: @perhaps_none(
// SIZE-SAME: berth.arena_size = 192 : i64
// NO-TURN: [[#@LINE+11]]:3: error: touches bytes of the arena that another core or unit, or work under way, may use
func.func @perhaps_none(%y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  scf.for %i = %c0 to %n step %c1 {
    "npu.barrier"() : () -> ()
  }
  %c = memref.alloc() : !near
  memref.copy %y, %c : !far to !near
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}
