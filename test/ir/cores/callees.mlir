// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in functions that are called: all cores have to come to equally many
// there, and to the call between the same ones.

// RUN: %berth-opt %s --berth-target=%S/Inputs/cluster.json --remarks-filter='berth.*' --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHY < %t
// RUN: %berth-opt %s --berth-target=%S/Inputs/cluster.json --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate verify=false test-break-rule=any-count})' | FileCheck %s --check-prefix=BROKEN
// The verifier believes none of these.
// RUN: not %berth-opt %s --berth-target=%S/Inputs/cluster.json -o %t --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=any-count})' 2>&1 | FileCheck %s --check-prefix=COUNT

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

func.func private @core_number() -> i32
func.func private @is_mover() -> i1
func.func private @work(!near, !near)
func.func private @unknown()

func.func private @meet_if(%q: i1) {
  scf.if %q {
    "npu.barrier"() : () -> ()
  }
  return
}

func.func private @meet_if_nested(%q: i1) {
  call @meet_if(%q) : (i1) -> ()
  return
}

func.func private @meet_often(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "npu.barrier"() : () -> ()
  }
  return
}

func.func private @movers_meet() {
  %mover = call @is_mover() : () -> i1
  scf.if %mover {
    "npu.barrier"() : () -> ()
  }
  return
}

func.func private @workers_meet() {
  %mover = call @is_mover() : () -> i1
  scf.if %mover {
  } else {
    "npu.barrier"() : () -> ()
  }
  return
}

func.func private @meet_again(%q: i1) {
  "npu.barrier"() : () -> ()
  scf.if %q {
    func.call @meet_again(%q) : (i1) -> ()
  }
  return
}

func.func private @meet_once() {
  "npu.barrier"() : () -> ()
  return
}

func.func private @all_meet() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      "npu.barrier"() : () -> ()
    }
    "npu.barrier"() : () -> ()
  }
  return
}

// The worker comes to the barrier in the first call alone, the mover to that in
// the second one: %a and %b are used at the same time.
// CHECK-LABEL: sym_name = "argument"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "argument"
// BROKEN: berth.arena_size = 64 : i64
// WHY: [[@LINE+8]]:3: {{.*}}no buffer shares bytes: it is not certain that all cores come to equally many barriers in what this op does
// COUNT: [[@LINE+7]]:3: error: is shared by cores of which it is not known that they come to equally many barriers
func.func @argument(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %true = arith.constant true
  %worker = arith.xori %mover, %true : i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @meet_if(%mover) : (i1) -> ()
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  call @meet_if(%worker) : (i1) -> ()
  "npu.barrier"() : () -> ()
  return
}

// CHECK-LABEL: sym_name = "nested"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "nested"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+7]]:3: error: is shared by cores
func.func @nested(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %true = arith.constant true
  %worker = arith.xori %mover, %true : i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @meet_if_nested(%mover) : (i1) -> ()
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  call @meet_if_nested(%worker) : (i1) -> ()
  "npu.barrier"() : () -> ()
  return
}

// As many turns as the core's number.
// CHECK-LABEL: sym_name = "turns"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "turns"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+9]]:3: error: is shared by cores
func.func @turns(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %core = call @core_number() : () -> i32
  %n = arith.index_cast %core : i32 to index
  %c1 = arith.constant 1 : index
  %rest = arith.subi %c1, %n : index
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @meet_often(%n) : (index) -> ()
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  call @meet_often(%rest) : (index) -> ()
  "npu.barrier"() : () -> ()
  return
}

// The functions ask for the core's number themselves.
// CHECK-LABEL: sym_name = "asked"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "asked"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+5]]:3: error: is shared by cores
func.func @asked(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @movers_meet() : () -> ()
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  call @workers_meet() : () -> ()
  "npu.barrier"() : () -> ()
  return
}

// Nobody tells how often it calls itself.
// CHECK-LABEL: sym_name = "recursive"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "recursive"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+5]]:3: error: is shared by cores
func.func @recursive(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @meet_again(%mover) : (i1) -> ()
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// Nor what a function does that nobody sees.
// CHECK-LABEL: sym_name = "unseen"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "unseen"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+5]]:3: error: is shared by cores
func.func @unseen(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @unknown() : () -> ()
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// All come to one in it, but the mover has two more before and the worker two
// more behind it, so that %a and %b are used between the same two.
// CHECK-LABEL: sym_name = "aside"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "aside"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+1]]:1: error: is shared by cores
func.func @aside(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %mover {
    "npu.barrier"() : () -> ()
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  }
  call @meet_once() : () -> ()
  scf.if %mover {
  } else {
    func.call @work(%b, %b) : (!near, !near) -> ()
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// It is read from memory whether the call is made.
// CHECK-LABEL: sym_name = "read"
// CHECK: berth.arena_size = 128 : i64
// BROKEN-LABEL: sym_name = "read"
// BROKEN: berth.arena_size = 64 : i64
// COUNT: [[@LINE+7]]:5: error: is shared by cores
func.func @read(%x: !far, %y: !far, %flag: memref<i1>) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %now = memref.load %flag[] : memref<i1>
  scf.if %now {
    func.call @all_meet() : () -> ()
  }
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// Of constants and turns it is certain.
// CHECK-LABEL: sym_name = "certain"
// CHECK: berth.arena_size = 64 : i64
// COUNT-NOT: error
func.func @certain(%x: !far, %y: !far, %q: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  call @all_meet() : () -> ()
  scf.if %q {
    func.call @all_meet() : () -> ()
  }
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    func.call @all_meet() : () -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
