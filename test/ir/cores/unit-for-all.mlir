// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op on a unit that several cores come to is issued by each of them: the
// second core's work on %a may come behind the first one's on %b.

// RUN: %berth-opt %s --berth-target=%S/Inputs/unit-for-all.json --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate})' > %t
// RUN: FileCheck %s < %t
// The verifier has code of its own for it.
// RUN: sed 's/berth.offset = 16/berth.offset = 0/; s/berth.arena_size = 32/berth.arena_size = 16/' %t | not %berth-opt --berth-target=%S/Inputs/unit-for-all.json --berth-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %berth-opt %s --berth-target=%S/Inputs/unit-for-all.json -o %t.broken --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate test-break-rule=once-a-unit})' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: touches bytes of the arena that another core or unit, or work under way, may use through another buffer before the next barrier [berth-E124]

// One may say that the unit runs them once; that is told aloud.
// RUN: sed 's/"unit": "dma"/&, "once": true/' %S/Inputs/unit-for-all.json > %t.json
// RUN: %berth-opt %s --berth-target=%t.json --remarks-filter='berth.*' -o %t --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate})' 2>&1 | FileCheck %s --check-prefix=ALOUD
// ALOUD: [[#@LINE+18]]:3: {{.*}}taken to be run once by its unit, though several cores come to it: the description says so ('once'), and nothing proves it
// ALOUD-NOT: taken to be run once
// RUN: FileCheck %s --check-prefix=ONCE < %t
// RUN: sed 's/"npu.\(read\|write\)"(\(%[ab]\))/& {berth.once}/' %s | %berth-opt --berth-target=%S/Inputs/unit-for-all.json --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate})' | FileCheck %s --check-prefix=ONCE
// Without the word the verifier does not believe such a plan.
// RUN: not %berth-opt %t --berth-target=%S/Inputs/unit-for-all.json --berth-verify -o %t.wrong 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-LABEL: @all
// CHECK: berth.offset = 0
// CHECK: berth.offset = 16
// ONCE-LABEL: @all
// ONCE: berth.offset = 0
// ONCE: berth.offset = 0
func.func private @core_number() -> i32
func.func @all() {
  %core = call @core_number() : () -> i32
  %a = memref.alloc() : memref<16xi8, "L1">
  %b = memref.alloc() : memref<16xi8, "L1">
  "npu.write"(%a) : (memref<16xi8, "L1">) -> ()
  "npu.read"(%a) : (memref<16xi8, "L1">) -> ()
  "npu.write"(%b) : (memref<16xi8, "L1">) -> ()
  "npu.read"(%b) : (memref<16xi8, "L1">) -> ()
  "npu.barrier"() : () -> ()
  return
}

// One core alone comes to them.
// CHECK-LABEL: @one
// CHECK: berth.offset = 0
// CHECK: berth.offset = 0
func.func @one() {
  %zero = arith.constant 0 : i32
  %core = call @core_number() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  scf.if %is {
    %a = memref.alloc() : memref<16xi8, "L1">
    %b = memref.alloc() : memref<16xi8, "L1">
    "npu.write"(%a) : (memref<16xi8, "L1">) -> ()
    "npu.read"(%a) : (memref<16xi8, "L1">) -> ()
    "npu.write"(%b) : (memref<16xi8, "L1">) -> ()
    "npu.read"(%b) : (memref<16xi8, "L1">) -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
