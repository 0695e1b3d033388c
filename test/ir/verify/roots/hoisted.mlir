// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)'
// RUN: %berth-opt %S/Inputs/hoisted.mlir --pass-pipeline='builtin.module(berth-arena{poison=true},loop-invariant-code-motion,berth-verify)' | FileCheck %s --check-prefix=BEHIND
// RUN: %berth-opt %S/Inputs/hoisted.mlir --pass-pipeline='builtin.module(berth-arena,loop-invariant-code-motion,berth-arena,canonicalize,cse,loop-invariant-code-motion,berth-verify)' | FileCheck %s --check-prefix=BEHIND

// All views have left the two loops, one of the inner loop both of them.
// BEHIND-LABEL: func.func @main
// BEHIND-COUNT-3: memref.view {{.*}} berth.loop = "main:1"
// BEHIND: memref.view {{.*}} berth.loop = "main:2"
// BEHIND: scf.for
// BEHIND-NOT: memref.view
// BEHIND: {berth.loop = "main:2"}
// BEHIND: {berth.loop = "main:1"}

// The last element of %a is never written, so no turn overwrites all of it; and
// the name says that each begins with a new one, whatever %b has left there.
func.func @named(%in: memref<7xi32>, %out: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.loop = "named:1"} : memref<32xi8> to memref<8xi32>
  %part = memref.subview %a[0] [7] [1] : memref<8xi32> to memref<7xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1, berth.loop = "named:1"} : memref<32xi8> to memref<8xi32>
  scf.for %k = %c0 to %c7 step %c1 {
    scf.for %i = %c0 to %c7 step %c1 {
      %v = memref.load %in[%i] : memref<7xi32>
      memref.store %v, %a[%i] : memref<8xi32>
    }
    memref.copy %part, %out : memref<7xi32> to memref<7xi32>
    scf.for %i = %c0 to %c7 step %c1 {
      %v = memref.load %in[%i] : memref<7xi32>
      memref.store %v, %b[%i] : memref<8xi32>
    }
    %w = memref.load %b[%k] : memref<8xi32>
    memref.store %w, %out[%k] : memref<7xi32>
  } {berth.loop = "named:1"}
  return
}

// -----

// Without it %a might be what an earlier turn has left.
func.func @unnamed(%in: memref<7xi32>, %out: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.loop = "unnamed:1"} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1, berth.loop = "unnamed:1"} : memref<32xi8> to memref<8xi32>
  scf.for %k = %c0 to %c7 step %c1 {
    scf.for %i = %c0 to %c7 step %c1 {
      %v = memref.load %in[%i] : memref<7xi32>
      memref.store %v, %a[%i] : memref<8xi32>
    }
    // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
    %w = memref.load %a[%k] : memref<8xi32>
    // expected-note @+1 {{by this write}}
    memref.store %w, %b[%c0] : memref<8xi32>
  }
  return
}

// -----

// A use behind the loop: the view was never in there.
func.func @used_behind(%in: memref<7xi32>, %out: memref<7xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.loop = "used_behind:1"} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1, berth.loop = "used_behind:1"} : memref<32xi8> to memref<8xi32>
  scf.for %k = %c0 to %c7 step %c1 {
    scf.for %i = %c0 to %c7 step %c1 {
      %v = memref.load %in[%i] : memref<7xi32>
      memref.store %v, %a[%i] : memref<8xi32>
    }
    // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
    %w = memref.load %a[%k] : memref<8xi32>
    // expected-note @+1 {{by this write}}
    memref.store %w, %b[%c0] : memref<8xi32>
  } {berth.loop = "used_behind:1"}
  // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
  %last = memref.load %a[%c1] : memref<8xi32>
  memref.store %last, %out[%c0] : memref<7xi32>
  return
}

// -----

// Of two loops of one name, as inlining makes them, the outer one counts: the
// inner one's turns use what is there before it.
func.func @outermost(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.loop = "outermost:1"} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1, berth.loop = "outermost:1"} : memref<32xi8> to memref<8xi32>
  scf.for %l = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %isFirst = arith.cmpi eq, %k, %c0 : index
      scf.if %isFirst {
        memref.copy %in, %a : memref<8xi32> to memref<8xi32>
      }
      // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
      %w = memref.load %a[%k] : memref<8xi32>
      // expected-note @+1 {{by this write}}
      memref.copy %in, %b : memref<8xi32> to memref<8xi32>
      memref.store %w, %out[%k] : memref<8xi32>
    } {berth.loop = "outermost:1"}
  } {berth.loop = "outermost:1"}
  return
}

// -----

// What a turn hands on is read in the next one, before it begins anew.
func.func @carried(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<32xi8>
  %first = memref.alloc() : memref<8xi32>
  memref.copy %in, %first : memref<8xi32> to memref<8xi32>
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.loop = "carried:1"} : memref<32xi8> to memref<8xi32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%last = %first) -> (memref<8xi32>) {
    memref.copy %last, %out : memref<8xi32> to memref<8xi32>
    memref.copy %in, %a : memref<8xi32> to memref<8xi32>
    scf.yield %a : memref<8xi32>
  } {berth.loop = "carried:1"}
  return
}

// -----

func.func @carried_too_long(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<32xi8>
  %first = memref.alloc() : memref<8xi32>
  memref.copy %in, %first : memref<8xi32> to memref<8xi32>
  // expected-note @+1 {{by this view}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0, berth.loop = "carried_too_long:1"} : memref<32xi8> to memref<8xi32>
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%last = %first) -> (memref<8xi32>) {
    memref.copy %in, %a : memref<8xi32> to memref<8xi32>
    // expected-error @+1 {{reads an earlier instance of a buffer that has been made anew since}}
    memref.copy %last, %out : memref<8xi32> to memref<8xi32>
    scf.yield %a : memref<8xi32>
  } {berth.loop = "carried_too_long:1"}
  return
}
