// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units work beside each other until the next barrier, each in order.

// RUN: %berth-opt %s --berth-target=%S/Inputs/units.json --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' | FileCheck %s
// RUN: %berth-opt %s --berth-target=%S/Inputs/units.json --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate verify=false test-break-rule=no-units})' | FileCheck %s --check-prefix=BROKEN
// The verifier notices.
// RUN: not %berth-opt %s --berth-target=%S/Inputs/units.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=no-units})' 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: touches bytes of the arena that another core or unit, or work under way, may use through another buffer before the next barrier

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// The engine may still read %a when the DMA unit begins to write %c.
// CHECK-LABEL: sym_name = "beside"
// CHECK: berth.arena_size = 192 : i64
// BROKEN-LABEL: sym_name = "beside"
// BROKEN: berth.arena_size = 128 : i64
func.func @beside(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  %d = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.barrier"() : () -> ()
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  memref.copy %x, %c : !far to !near
  "npu.barrier"() : () -> ()
  "npu.run"(%b, %c, %d) {operandSegmentSizes = array<i32: 2, 1>} : (!near, !near, !near) -> ()
  "npu.barrier"() : () -> ()
  memref.copy %d, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// Between these barriers the engine works alone, so that its ops are in order.
// CHECK-LABEL: sym_name = "alone"
// CHECK: berth.arena_size = 128 : i64
func.func @alone(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  %d = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.barrier"() : () -> ()
  "npu.run"(%a, %b) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  "npu.run"(%b, %c) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  "npu.run"(%c, %d) {operandSegmentSizes = array<i32: 1, 1>} : (!near, !near) -> ()
  "npu.barrier"() : () -> ()
  memref.copy %d, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// The DMA unit's first copy of a turn may run before the engine's last run of
// the turn before: there is no barrier at the loop's head.
// CHECK-LABEL: sym_name = "turns"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "turns"
// BROKEN: berth.arena_size = 64 : i64
func.func @turns(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !near
    %b = memref.alloc() : !near
    memref.copy %x, %a : !far to !near
    "npu.barrier"() : () -> ()
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
    "npu.run"(%b) {operandSegmentSizes = array<i32: 0, 1>} : (!near) -> ()
    "npu.run"(%b) {operandSegmentSizes = array<i32: 1, 0>} : (!near) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// A copy within L1 is none of the DMA unit's, and of two generic ops only the
// one that calls the engine's library runs there; the others the program runs
// itself.
// CHECK-LABEL: sym_name = "conditions"
// CHECK: berth.arena_size = 192 : i64
func.func @conditions(%x: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  memref.copy %a, %b : !near to !near
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = "npu_alu"} outs(%c : !near) {
  ^bb0(%v: i8):
    linalg.yield %v : i8
  }
  "npu.barrier"() : () -> ()
  return
}

// CHECK-LABEL: sym_name = "program"
// CHECK: berth.arena_size = 128 : i64
func.func @program(%x: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  memref.copy %a, %b : !near to !near
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = "other"} outs(%c : !near) {
  ^bb0(%v: i8):
    linalg.yield %v : i8
  }
  "npu.barrier"() : () -> ()
  return
}

// Nothing tells what @who is; it may be the number of a core, and the branches
// run at the same time.
func.func private @who() -> i32
// CHECK-LABEL: sym_name = "untold"
// CHECK: berth.arena_size = 128 : i64
func.func @untold(%x: !far) {
  %c0 = arith.constant 0 : i32
  %core = call @who() : () -> i32
  %first = arith.cmpi eq, %core, %c0 : i32
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %first {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %x : !near to !far
  } else {
    memref.copy %x, %b : !far to !near
    memref.copy %b, %x : !near to !far
  }
  "npu.barrier"() : () -> ()
  return
}

// What the program gets from outside decides for all units.
// CHECK-LABEL: sym_name = "decided"
// CHECK: berth.arena_size = 64 : i64
func.func @decided(%x: !far, %first: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %first {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %x : !near to !far
  } else {
    memref.copy %x, %b : !far to !near
    memref.copy %b, %x : !near to !far
  }
  "npu.barrier"() : () -> ()
  return
}
