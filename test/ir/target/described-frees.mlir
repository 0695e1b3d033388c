// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A described op that only frees ends the life of a buffer, as memref.dealloc
// does: it goes with its allocation, and stays where nothing is rewritten.

// DEFINE: %{opt} = %berth-opt %s --berth-target=%S/Inputs/frees.json --mlir-print-op-generic --pass-pipeline=
// RUN: %{opt}'builtin.module(berth-arena{space=L1 arena=annotate},berth-verify)' | FileCheck %s --check-prefix=KEPT
// RUN: %{opt}'builtin.module(berth-arena{space=L1 never-worse=false},berth-verify)' | FileCheck %s

!near = memref<64xi8, "L1">

// KEPT-LABEL: sym_name = "in_turn"
// KEPT-COUNT-2: "npu.free"
// KEPT: berth.arena_size = 64 : i64
// CHECK-LABEL: sym_name = "in_turn"
// CHECK-NOT: "npu.free"
// CHECK: "memref.dealloc"
func.func @in_turn() {
  %a = memref.alloc() : !near
  "npu.use"(%a) : (!near) -> ()
  "npu.free"(%a) : (!near) -> ()
  %b = "npu.new"() : () -> !near
  "npu.use"(%b) : (!near) -> ()
  "npu.free"(%b) : (!near) -> ()
  return
}

// What does more than free stays, and its buffer where it is; so does what frees
// another's memory, too.
// KEPT-LABEL: sym_name = "more"
// KEPT-NOT: berth.offset
// CHECK-LABEL: sym_name = "more"
// CHECK: "npu.free_and_tell"
// CHECK: "npu.free_both"
func.func @more(%x: !near) {
  %a = memref.alloc() : !near
  "npu.use"(%a) : (!near) -> ()
  %done = "npu.free_and_tell"(%a) : (!near) -> i1
  %b = memref.alloc() : !near
  "npu.use"(%b) : (!near) -> ()
  "npu.free_both"(%b, %x) : (!near, !near) -> ()
  return
}
