// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cores with branches of their own: the n-th barrier of one is the n-th of all.

// RUN: %berth-opt %s --berth-target=%S/Inputs/cluster.json --remarks-filter='berth.*' --mlir-print-op-generic --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' > %t 2>&1
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHY < %t
// With views the verifier has to follow the phases, too.
// RUN: %berth-opt %s --berth-target=%S/Inputs/cluster.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=alloc})' -o %t
// Of barriers that do not match it believes nothing.
// RUN: not %berth-opt %s --berth-target=%S/Inputs/cluster.json -o %t --pass-pipeline='builtin.module(berth-arena{space=L1 test-break-rule=any-count})' 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: is shared by cores of which it is not known that they come to equally many barriers, though buffers share bytes
// Nor of one core that does everything.
// RUN: not %berth-opt %s --berth-target=%S/Inputs/cluster.json -o %t --pass-pipeline='builtin.module(berth-arena{space=L1 split-lives=false test-break-rule=no-cores})' 2>&1 | FileCheck %s --check-prefix=CORES
// CORES: error: {{touches bytes of the arena that another core or unit|reads a buffer whose bytes in the arena another buffer's may have overwritten, by the barriers}}

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

func.func private @core_number() -> i32
func.func private @is_mover() -> i1
func.func private @work(!near, !near)
func.func private @unknown()

// %a and %d meet at no time: the third barrier lies between.
// CHECK-LABEL: sym_name = "matched"
// CHECK: berth.arena_size = 128 : i64
func.func @matched(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  %d = memref.alloc() : !near
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
    memref.copy %b, %y : !near to !far
    "npu.barrier"() : () -> ()
    memref.copy %x, %c : !far to !near
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
    memref.copy %d, %y : !near to !far
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%a, %b) : (!near, !near) -> ()
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
    func.call @work(%c, %d) : (!near, !near) -> ()
    "npu.barrier"() : () -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// One barrier more on one side.
// CHECK-LABEL: sym_name = "unmatched"
// CHECK: berth.arena_size = 128 : i64
// WHY: [[@LINE+13]]:3: {{.*}}no buffer shares bytes: some cores come to more barriers than others
func.func @unmatched(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// Loops with as many turns, by constants and by a value that all cores have.
// CHECK-LABEL: sym_name = "loops"
// CHECK: berth.arena_size = 128 : i64
func.func @loops(%x: !far, %y: !far, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %core = call @core_number() : () -> i32
  %index = arith.index_cast %core : i32 to index
  %worker = arith.cmpi ult, %index, %c1 : index
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %c = memref.alloc() : !near
  scf.if %worker {
    scf.for %i = %c0 to %c3 step %c1 {
      "npu.barrier"() : () -> ()
      func.call @work(%a, %a) : (!near, !near) -> ()
      "npu.barrier"() : () -> ()
    }
    "npu.barrier"() : () -> ()
    scf.for %i = %c0 to %n step %c1 {
      "npu.barrier"() : () -> ()
      func.call @work(%b, %c) : (!near, !near) -> ()
      "npu.barrier"() : () -> ()
    }
  } else {
    scf.for %i = %c0 to %c6 step %c2 {
      memref.copy %x, %a : !far to !near
      "npu.barrier"() : () -> ()
      "npu.barrier"() : () -> ()
      memref.copy %a, %y : !near to !far
    }
    "npu.barrier"() : () -> ()
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %b : !far to !near
      "npu.barrier"() : () -> ()
      "npu.barrier"() : () -> ()
    }
  }
  "npu.barrier"() : () -> ()
  return
}

// Of these nobody knows that they have.
// CHECK-LABEL: sym_name = "turns"
// CHECK: berth.arena_size = 128 : i64
// WHY: [[@LINE+8]]:5: {{.*}}no buffer shares bytes: it is not certain that all cores come to equally many barriers
func.func @turns(%x: !far, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %mover {
    scf.for %i = %c0 to %n step %c1 {
      memref.copy %x, %a : !far to !near
      "npu.barrier"() : () -> ()
    }
  } else {
    scf.for %i = %c0 to %m step %c1 {
      func.call @work(%b, %b) : (!near, !near) -> ()
      "npu.barrier"() : () -> ()
    }
  }
  "npu.barrier"() : () -> ()
  return
}

// Nor that they come to the barrier at all.
// CHECK-LABEL: sym_name = "maybe"
// CHECK: berth.arena_size = 128 : i64
// WHY: [[@LINE+7]]:3: {{.*}}no buffer shares bytes: a barrier stands in a branch
func.func @maybe(%x: !far, %flag: memref<i1>) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %now = memref.load %flag[] : memref<i1>
  memref.copy %x, %a : !far to !near
  memref.copy %a, %x : !near to !far
  scf.if %now {
    "npu.barrier"() : () -> ()
  }
  memref.copy %x, %b : !far to !near
  "npu.barrier"() : () -> ()
  return
}

// What nobody describes may be a barrier, too.
// CHECK-LABEL: sym_name = "opaque"
// CHECK: berth.arena_size = 128 : i64
// WHY: [[@LINE+10]]:5: {{.*}}no buffer shares bytes: one core comes to an op that may be a barrier
func.func @opaque(%x: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    "npu.barrier"() : () -> ()
  } else {
    "npu.barrier"() : () -> ()
    func.call @unknown() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// What has no unit all cores run, each at its own pace.
// CHECK-LABEL: sym_name = "all"
// CHECK: berth.arena_size = 128 : i64
func.func @all(%v: i8, %y: memref<64xi8>) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  linalg.fill ins(%v : i8) outs(%a : !near)
  memref.copy %a, %y : !near to memref<64xi8>
  linalg.fill ins(%v : i8) outs(%b : !near)
  memref.copy %b, %y : !near to memref<64xi8>
  "npu.barrier"() : () -> ()
  return
}

// Between these barriers one core alone is at work; but %a, which the other one
// has filled, is wanted behind them.
// CHECK-LABEL: sym_name = "kept"
// CHECK: berth.arena_size = 128 : i64
func.func @kept(%x: !far, %y: !far) {
  %mover = call @is_mover() : () -> i1
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  scf.if %mover {
    memref.copy %x, %a : !far to !near
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
    memref.copy %a, %y : !near to !far
    "npu.barrier"() : () -> ()
  }
  %not = arith.constant true
  %worker = arith.xori %mover, %not : i1
  scf.if %worker {
    "npu.barrier"() : () -> ()
    func.call @work(%b, %b) : (!near, !near) -> ()
    "npu.barrier"() : () -> ()
    "npu.barrier"() : () -> ()
  }
  return
}
