// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that goes on behind its op until the next barrier, and with that behind
// its function: the next call would have the same bytes.

// RUN: %berth-opt %s --berth-target=%S/Inputs/pending.json --remarks-filter='berth.*' --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHY < %t
// RUN: %berth-opt %s --berth-target=%S/Inputs/pending.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=alloc})' -o %t
// RUN: not %berth-opt %s --berth-target=%S/Inputs/pending.json -o %t --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=work-returns})' 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: not %berth-opt %s --berth-target=%S/Inputs/pending.json -o %t --pass-pipeline='builtin.module(berth-arena{space=L1 test-break-rule=no-async})' 2>&1 | FileCheck %s --check-prefix=ASYNC

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// CHECK-LABEL: sym_name = "left"
// CHECK-NOT: berth.arena_size
// WHY: [[@LINE+4]]:8: {{.*}}not placed: pending work may still use it when its function returns
// VERIFY: [[@LINE+5]]:3: error: may still use a buffer of the arena when its function returns
// ASYNC: [[@LINE+4]]:3: error: may still use a buffer of the arena when its function returns
func.func private @left(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.send"(%a, %y) : (!near, !far) -> ()
  return
}

func.func @twice(%x: !far, %y: !far) {
  call @left(%x, %y) : (!far, !far) -> ()
  call @left(%x, %y) : (!far, !far) -> ()
  "npu.barrier"() : () -> ()
  return
}

func.func private @send(%a: !near, %y: !far) {
  "npu.send"(%a, %y) : (!near, !far) -> ()
  return
}

func.func private @send_and_wait(%a: !near, %y: !far) {
  call @send(%a, %y) : (!near, !far) -> ()
  "npu.barrier"() : () -> ()
  return
}

// The function that it calls leaves it under way.
// CHECK-LABEL: sym_name = "handed"
// CHECK-NOT: berth.arena_size
// VERIFY: [[@LINE+4]]:3: error: may still use a buffer of the arena when its function returns
func.func @handed(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  call @send(%a, %y) : (!near, !far) -> ()
  return
}

// The next turn would meet it.
// CHECK-LABEL: sym_name = "turns"
// CHECK-NOT: berth.arena_size
// WHY: [[@LINE+5]]:10: {{.*}}not placed: {{something asynchronous|another core or unit}} may still use its previous instance
func.func @turns(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !near
    memref.copy %x, %a : !far to !near
    func.call @send(%a, %y) : (!near, !far) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// A barrier has ended it, here or in the called function.
// CHECK-LABEL: sym_name = "ended"
// CHECK: berth.arena_size = 64 : i64
func.func @ended(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  call @send(%a, %y) : (!near, !far) -> ()
  "npu.barrier"() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : !near
    memref.copy %x, %b : !far to !near
    "npu.send"(%b, %y) : (!near, !far) -> ()
    "npu.barrier"() : () -> ()
  }
  return
}

// A function that only waits does so for its callers, in loops, too.
// CHECK-LABEL: sym_name = "chain"
// CHECK: berth.arena_size = 64 : i64
func.func @chain(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !near
    memref.copy %x, %a : !far to !near
    "npu.send"(%a, %y) : (!near, !far) -> ()
    func.call @sync_twice() : () -> ()
    %b = memref.alloc() : !near
    memref.copy %x, %b : !far to !near
    func.call @send(%b, %y) : (!near, !far) -> ()
    func.call @sync() : () -> ()
  }
  return
}
func.func private @sync() {
  "npu.barrier"() : () -> ()
  return
}
func.func private @sync_twice() {
  call @sync() : () -> ()
  call @sync() : () -> ()
  return
}

// What it uses before its barrier is used while the work is under way, and on
// one way there is no barrier.
// CHECK-LABEL: sym_name = "not_yet"
// CHECK: berth.arena_size = 128 : i64
func.func @not_yet(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.send"(%a, %y) : (!near, !far) -> ()
  call @send_and_wait(%b, %y) : (!near, !far) -> ()
  return
}

// CHECK-LABEL: sym_name = "perhaps"
// CHECK: berth.arena_size = 128 : i64
func.func @perhaps(%x: !far, %y: !far, %c: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.send"(%a, %y) : (!near, !far) -> ()
  call @sync_perhaps(%c) : (i1) -> ()
  memref.copy %x, %b : !far to !near
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}
func.func private @sync_perhaps(%c: i1) {
  scf.if %c {
    "npu.barrier"() : () -> ()
  }
  return
}

// A barrier in a branch ends it on one way only; the next one always does.
// CHECK-LABEL: sym_name = "branch"
// CHECK: berth.arena_size = 128 : i64
func.func @branch(%x: !far, %y: !far, %c: i1) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %d = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  "npu.send"(%a, %y) : (!near, !far) -> ()
  scf.if %c {
    "npu.barrier"() : () -> ()
  }
  memref.copy %x, %b : !far to !near
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  memref.copy %x, %d : !far to !near
  memref.copy %d, %y : !near to !far
  return
}

// CHECK-LABEL: sym_name = "waited"
// CHECK: berth.arena_size = 64 : i64
func.func @waited(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  call @send_and_wait(%a, %y) : (!near, !far) -> ()
  return
}
