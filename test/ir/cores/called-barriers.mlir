// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A called function that ends with a barrier leaves nothing under way, whatever
// it allocates and frees for itself: planner and verifier agree, also when the
// function has got an arena that it frees behind the barrier.

// DEFINE: %{plan} = %berth-opt %s --berth-target=%S/Inputs/units.json --pass-pipeline=
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=alloc never-worse=false})' | FileCheck %s

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
