// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s -o %t \
// RUN:   --pass-pipeline='builtin.module(berth-print-liveness)' 2>&1 | FileCheck %s

// A number that a function keeps which may be called here.
// CHECK-LABEL: liveness of @number_kept
// CHECK:       not placed: a function that may be called here by its address lets it get away (func.call_indirect at line [[#@LINE+12]])
memref.global "private" @kept : memref<1xi64>
func.func private @keep_number(%i: i64) {
  %g = memref.get_global @kept : memref<1xi64>
  linalg.fill ins(%i : i64) outs(%g : memref<1xi64>)
  return
}
func.func @number_kept() {
  %a = memref.alloc() : memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %n = arith.index_cast %i : index to i64
  %f = func.constant @keep_number : (i64) -> ()
  func.call_indirect %f(%n) : (i64) -> ()
  return
}
