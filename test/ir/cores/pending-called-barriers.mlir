// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A called function's barrier in a branch ends no pending work for the planner,
// as it ends none for the verifier; in straight code it ends all.

// RUN: %berth-opt %s --berth-target=%S/Inputs/pending-call.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' | FileCheck %s

!far = memref<64xi8>
!near = memref<64xi8, "L1">

func.func private @sync() {
  "npu.barrier"() : () -> ()
  return
}

// CHECK-LABEL: @in_line(
// CHECK: berth.offset = 64 : i64
// CHECK: berth.offset = 0 : i64
// CHECK: berth.offset = 64 : i64
func.func @in_line(%x: !far, %p: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.fill"(%a) : (!near) -> ()
  "npu.mm"(%a, %b) : (!near, !near) -> ()
  call @sync() : () -> ()
  %c = memref.alloc() : !near
  "npu.fill"(%c) : (!near) -> ()
  "npu.copy"(%c, %x) : (!near, !far) -> ()
  "npu.copy"(%b, %x) : (!near, !far) -> ()
  "npu.barrier"() : () -> ()
  return
}

// CHECK-LABEL: @in_both_branches(
// CHECK: berth.offset = 0 : i64
// CHECK: berth.offset = 64 : i64
// CHECK: berth.offset = 128 : i64
func.func @in_both_branches(%x: !far, %p: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.fill"(%a) : (!near) -> ()
  "npu.mm"(%a, %b) : (!near, !near) -> ()
  scf.if %p {
    func.call @sync() : () -> ()
  } else {
    func.call @sync() : () -> ()
  }
  %c = memref.alloc() : !near
  "npu.fill"(%c) : (!near) -> ()
  "npu.copy"(%c, %x) : (!near, !far) -> ()
  "npu.copy"(%b, %x) : (!near, !far) -> ()
  "npu.barrier"() : () -> ()
  return
}

// CHECK-LABEL: @in_region(
// CHECK: berth.offset = 0 : i64
// CHECK: berth.offset = 64 : i64
// CHECK: berth.offset = 128 : i64
func.func @in_region(%x: !far, %p: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.fill"(%a) : (!near) -> ()
  "npu.mm"(%a, %b) : (!near, !near) -> ()
  scf.execute_region {
    func.call @sync() : () -> ()
    scf.yield
  }
  %c = memref.alloc() : !near
  "npu.fill"(%c) : (!near) -> ()
  "npu.copy"(%c, %x) : (!near, !far) -> ()
  "npu.copy"(%b, %x) : (!near, !far) -> ()
  "npu.barrier"() : () -> ()
  return
}
