// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `berth.address` is a place in the one memory of a chip, whoever has it.

// RUN: not %berth-opt %s --allow-unregistered-dialect --split-input-file --verify-each=false --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --implicit-check-not=error:

!t = memref<256xi8, "L1">

// Partly over the caller's; the second one stands above.
func.func private @callee() {
  %b = memref.alloc() {berth.address = 4224 : i64, berth.offset = 128 : i64, berth.size = 256 : i64} : !t
  %c = memref.alloc() {berth.address = 4480 : i64, berth.offset = 384 : i64, berth.size = 256 : i64} : !t
  return
}
func.func private @between() {
  call @callee() : () -> ()
  return
}
func.func @caller() {
  // CHECK: error: {{.*}}may be active at the same time as a buffer of another function, and has the same addresses
  %a = memref.alloc() {berth.address = 4096 : i64, berth.offset = 0 : i64, berth.size = 256 : i64} : !t
  call @between() : () -> ()
  return
}
// It calls nobody; and another memory has addresses of its own.
func.func @apart() {
  %a = memref.alloc() {berth.address = 4096 : i64, berth.offset = 0 : i64, berth.size = 256 : i64} : !t
  return
}
func.func @other() {
  %a = memref.alloc() {berth.address = 4224 : i64, berth.offset = 0 : i64, berth.size = 256 : i64} : memref<256xi8, "L2">
  call @between() : () -> ()
  return
}

// -----

func.func @iterations(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // CHECK: error: {{.*}}has one address for iterations that may be active at the same time
    %a = memref.alloc() {berth.address = 4096 : i64, berth.offset = 0 : i64, berth.size = 256 : i64} : memref<256xi8, "L1">
  }
  return
}

// -----

func.func private @again() {
  // CHECK: error: {{.*}}has one address for runs of its function that may be active at the same time
  %a = memref.alloc() {berth.address = 4096 : i64, berth.offset = 0 : i64, berth.size = 256 : i64} : memref<256xi8, "L1">
  call @again() : () -> ()
  return
}
