// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The token of a unit that several cores use: what it stands for ends where both a
// barrier and a wait stand, and either of them alone is not enough to share bytes.

// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/token-barriers.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{arena=annotate verify=true})' -o /dev/null 2>&1 | FileCheck %s

!b = memref<16xi8>
!t = !npu.token

// CHECK: [[#@LINE+2]]:8: remark: {{.*}}not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @barrier(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %t = "npu.start"(%x, %a) : (!b, !b) -> !t
  "npu.barrier"() : () -> ()
  "npu.use"(%a, %y) : (!b, !b) -> ()
  "npu.barrier"() : () -> ()
  "npu.use"(%x, %b) : (!b, !b) -> ()
  "npu.use"(%b, %y) : (!b, !b) -> ()
  "npu.barrier"() : () -> ()
  return
}

// CHECK: [[#@LINE+1]]:1: remark: {{.*}}2 of 2 buffers in an arena of 16 bytes instead of 32
func.func @both(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %t = "npu.start"(%x, %a) : (!b, !b) -> !t
  "npu.barrier"() : () -> ()
  "npu.wait"(%t) : (!t) -> ()
  "npu.use"(%a, %y) : (!b, !b) -> ()
  "npu.barrier"() : () -> ()
  "npu.use"(%x, %b) : (!b, !b) -> ()
  "npu.use"(%b, %y) : (!b, !b) -> ()
  "npu.barrier"() : () -> ()
  return
}

// CHECK: [[#@LINE+1]]:1: remark: {{.*}}2 of 2 buffers in an arena of 32 bytes instead of 32
func.func @wait(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %t = "npu.start"(%x, %a) : (!b, !b) -> !t
  "npu.wait"(%t) : (!t) -> ()
  "npu.use"(%a, %y) : (!b, !b) -> ()
  "npu.use"(%x, %b) : (!b, !b) -> ()
  "npu.use"(%b, %y) : (!b, !b) -> ()
  "npu.barrier"() : () -> ()
  return
}
