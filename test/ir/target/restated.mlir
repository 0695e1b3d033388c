// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A description that says of ops what the built-in table has of their operands is
// right by their interfaces, and changes nothing.

// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness)' -o /dev/null 2> %t.table
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness{target=%S/Inputs/restated.json})' -o /dev/null 2> %t.described
// RUN: diff %t.table %t.described
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' -o %t.table
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/restated.json})' -o %t.described
// RUN: diff %t.table %t.described
// RUN: FileCheck %s < %t.described

!b = memref<64xf32>

// CHECK: memref.view
func.func @f(%x: !b, %y: !b, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  memref.copy %x, %a : !b to !b
  %w = memref.cast %a : !b to memref<?xf32>
  %e = memref.load %w[%c1] : memref<?xf32>
  memref.store %e, %y[%c0] : !b
  linalg.fill ins(%zero : f32) outs(%b : !b)
  %s = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %b) -> !b {
    vector.store %v, %t[%i] : !b, vector<4xf32>
    scf.yield %t : !b
  }
  %u = vector.load %s[%c0] : !b, vector<4xf32>
  affine.store %e, %c[%c1] : !b
  %f = affine.load %c[%c1] : !b
  memref.store %f, %y[%c1] : !b
  vector.store %u, %y[%c0] : !b, vector<4xf32>
  memref.dealloc %a : !b
  memref.dealloc %b : !b
  memref.dealloc %c : !b
  return
}
