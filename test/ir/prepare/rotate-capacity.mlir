// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots that take turns are left out where only they make the arena too large.

// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{capacity=128})' | FileCheck %s --check-prefix=SLOTS
// RUN: %berth-opt %s --remarks-filter='berth-arena' --pass-pipeline='builtin.module(berth-arena{capacity=127})' 2> %t | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=TELLS < %t
// Where it is too large without them as well, nothing else is said than before, once.
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{capacity=63})' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{capacity=63 rotate=false})' 2>&1 | FileCheck %s --check-prefix=WITHOUT

// SLOTS: memref<128xi8>
// SLOTS: arith.select
// NONE: memref<64xi8>
// NONE-NOT: arith.select
// TELLS-COUNT-1: no buffers of loops take turns (rotate): with slots for them the arena would be above the capacity
// ERROR: :[[#@LINE+5]]:1: error: the buffers do not fit: they need 128 bytes (no plan fits), the capacity is 63 bytes
// ERROR-NOT: error:
// WITHOUT: :[[#@LINE+3]]:1: error: the buffers do not fit: they need 64 bytes

// The result of a turn is the operand of the next one.
func.func @turns(%n: index, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<16xf32>
  memref.copy %y, %init : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (memref<16xf32>) {
    %q = memref.alloc() : memref<16xf32>
    linalg.exp ins(%p : memref<16xf32>) outs(%q : memref<16xf32>)
    scf.yield %q : memref<16xf32>
  }
  memref.copy %r, %y : memref<16xf32> to memref<16xf32>
  return
}
