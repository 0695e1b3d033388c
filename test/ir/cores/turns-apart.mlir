// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier in each turn does not say that all cores are in one turn: here the
// second core has met one before, so that the first one fills the next turn's
// %a while the second one still reads its own.

// RUN: %berth-opt %s --berth-target=%S/Inputs/turns-apart.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate})' 2>&1 | FileCheck %s
// The verifier runs each core by itself.
// RUN: not %berth-opt %s --berth-target=%S/Inputs/turns-apart.json -o %t --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate test-break-rule=in-step})' 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: [[#@LINE+19]]:10: error: makes a buffer anew that another core or unit may still use
// BROKEN-NOT: error:

func.func private @core() -> i32

// CHECK: [[#@LINE+14]]:10: {{.*}}not placed: another core or unit may still use its previous instance when it is allocated again: cores may be turns apart, since it is not known that they come to equally many barriers
func.func @behind(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %core = call @core() : () -> i32
  %is = arith.cmpi eq, %core, %zero : i32
  scf.if %is {
  } else {
    "npu.barrier"() : () -> ()
  }
  scf.for %i = %c0 to %c2 step %c1 {
    // The allocation of each turn.
    %a = memref.alloc() : memref<16xi8, "L1">
    "npu.use"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.use"(%a, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  }
  scf.if %is {
    "npu.barrier"() : () -> ()
  }
  "npu.barrier"() : () -> ()
  return
}

// All come to the same ones: one place.
// CHECK: func.func @together
// CHECK: memref.alloc() {berth.offset = 0
func.func @together(%x: memref<16xi8, "L1">, %y: memref<16xi8, "L1">) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<16xi8, "L1">
    "npu.use"(%x, %a) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.use"(%a, %y) : (memref<16xi8, "L1">, memref<16xi8, "L1">) -> ()
    "npu.barrier"() : () -> ()
  }
  "npu.barrier"() : () -> ()
  return
}
