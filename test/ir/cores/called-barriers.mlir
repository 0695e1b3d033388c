// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A called function that ends with a barrier leaves nothing under way, whatever
// it allocates and frees for itself: planner and verifier agree, also when the
// function has got an arena that it frees behind the barrier.

// DEFINE: %{plan} = %berth-opt %s --berth-target=%S/Inputs/units.json --pass-pipeline=
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=alloc never-worse=false})' | FileCheck %s

// For units, and for cores, the call is a barrier.
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' | FileCheck %s --check-prefix=SIZE
// RUN: %berth-opt %s --berth-target=%S/Inputs/cluster.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' | FileCheck %s --check-prefix=SIZE
// The verifier knows that a call may go on behind its barrier.
// RUN: not %{plan}'builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=ends-at-barrier})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GOES-ON

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// CHECK-LABEL: @layer(
// CHECK: npu.barrier
// CHECK-NEXT: memref.dealloc
func.func private @layer(%a: !near, %b: !near) {
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  %own = memref.alloc() : !near
  "npu.barrier"() : () -> ()
  return
}

// Units have used both when the function returns.
// CHECK-LABEL: @at_end(
// CHECK: memref.alloc() {{.*}} : memref<128xi8, "L1">
// CHECK-NOT: memref.alloc()
// CHECK: call @layer
func.func @at_end() {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @layer(%a, %b) : (!near, !near) -> ()
  return
}

// And when the next turn makes its own.
// CHECK-LABEL: @in_turns(
// CHECK: memref.alloc() {{.*}} : memref<128xi8, "L1">
// CHECK-NOT: memref.alloc()
// CHECK: func.call @layer
func.func @in_turns(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !near
    %b = memref.alloc() : !near
    func.call @layer(%a, %b) : (!near, !near) -> ()
  }
  return
}

func.func private @core_number() -> i32
func.func private @is_mover() -> i1
func.func private @sync() {
  "npu.barrier"() : () -> ()
  return
}

// Each call ends a step, in turns, too.
// SIZE-LABEL: @chain(
// SIZE-SAME: berth.arena_size = 128 : i64
func.func @chain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  call @sync() : () -> ()
  "npu.run"(%b, %c) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  call @sync() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %d = memref.alloc() : !near
    %e = memref.alloc() : !near
    "npu.run"(%d, %d) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
    func.call @sync() : () -> ()
    "npu.run"(%e, %e) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
    func.call @sync() : () -> ()
  }
  return
}

// Behind its barrier the call still moves %a when the engine has begun with %b.
// SIZE-LABEL: @goes_on(
// SIZE-SAME: berth.arena_size = 128 : i64
// GOES-ON: [[#@LINE+6]]:3: error: {{.*}}
func.func @goes_on(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  call @meets_first(%a, %y) : (!near, !far) -> ()
  "npu.run"(%b, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  "npu.barrier"() : () -> ()
  return
}
func.func private @meets_first(%a: !near, %y: !far) {
  "npu.barrier"() : () -> ()
  memref.copy %a, %y : !near to !far
  return
}

// On one way only.
// SIZE-LABEL: @perhaps(
// SIZE-SAME: berth.arena_size = 128 : i64
func.func @perhaps(%x: !far, %y: !far, %c: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  memref.copy %a, %y : !near to !far
  scf.if %c {
    func.call @sync() : () -> ()
  }
  "npu.run"(%b, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  "npu.barrier"() : () -> ()
  return
}
