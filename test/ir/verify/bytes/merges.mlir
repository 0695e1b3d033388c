// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// A value that is one of several buffers with the very same bytes: right as long
// as nobody but it writes there while it is wanted.

// Each turn writes the one or the other: right.
func.func @in_turns(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %p -> memref<8xi32> {
      linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
      scf.yield %a : memref<8xi32>
    } else {
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      scf.yield %b : memref<8xi32>
    }
    %v = memref.load %r[%c0] : memref<8xi32>
    memref.store %v, %r[%c1] : memref<8xi32>
    %w = memref.load %r[%c1] : memref<8xi32>
    %view = memref.subview %r[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
    %u = memref.load %view[%c1] : memref<4xi32, strided<[1]>>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// The old one or a new one, from turn to turn: right.
func.func @handed_on(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> memref<8xi32> {
    %r = scf.if %p -> memref<8xi32> {
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      scf.yield %b : memref<8xi32>
    } else {
      scf.yield %old : memref<8xi32>
    }
    %v = memref.load %r[%c0] : memref<8xi32>
    scf.yield %r : memref<8xi32>
  }
  %v = memref.load %last[%c0] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// %r may be %b.
func.func @written_besides(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %r = scf.if %p -> memref<8xi32> {
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    scf.yield %a : memref<8xi32>
  } else {
    linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    scf.yield %b : memref<8xi32>
  }
  // expected-note@+1 {{by this write}}
  memref.store %x, %a[%c0] : memref<8xi32>
  // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  %v = memref.load %r[%c1] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// %r may be %b, whose write spoils %a.
func.func @read_besides(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %r = arith.select %p, %a, %b : memref<8xi32>
  // expected-note@+1 {{by this write}}
  memref.store %x, %r[%c0] : memref<8xi32>
  // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  %v = memref.load %a[%c1] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// What is handed over is spoilt already.
func.func @both_written(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  // expected-note@+1 {{by this write}}
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  %r = arith.select %p, %a, %b : memref<8xi32>
  // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  %v = memref.load %r[%c1] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// So is what is handed on once more.
func.func @handed_on_spoilt(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  // expected-note@+1 {{by this write}}
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  %r = arith.select %p, %a, %b : memref<8xi32>
  %s = scf.if %p -> memref<8xi32> {
    scf.yield %r : memref<8xi32>
  } else {
    scf.yield %b : memref<8xi32>
  }
  // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  %v = memref.load %s[%c1] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// What is written through %r may be in %a.
func.func @written_through_it(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %r = arith.select %p, %a, %b : memref<8xi32>
  linalg.fill ins(%x : i32) outs(%r : memref<8xi32>)
  // expected-note@+1 {{by this write}}
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  %v = memref.load %a[%c1] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// One is %a where the other is %b.
func.func @two_merges(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %r = arith.select %p, %a, %b : memref<8xi32>
  %s = arith.select %p, %b, %a : memref<8xi32>
  linalg.fill ins(%x : i32) outs(%r : memref<8xi32>)
  // expected-note@+1 {{by this write}}
  linalg.fill ins(%x : i32) outs(%s : memref<8xi32>)
  // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  %v = memref.load %r[%c1] : memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Turns that may run at once have another one in mind each.
func.func @at_the_same_time(%p: i1, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-error@+1 {{reads a buffer while it writes another one}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = arith.select %p, %a, %b : memref<8xi32>
    memref.store %x, %r[%i] : memref<8xi32>
    %v = memref.load %r[%i] : memref<8xi32>
    scf.reduce
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// A select of a merge: %s is %a only if %r is, so a write to %r spoils neither.
func.func @chosen_again(%v: i32, %is: i1, %other: i1, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c32][] {berth.buffer = 2} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%x : memref<8xi32>)
  %r = scf.if %is -> memref<8xi32> {
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
    scf.yield %a : memref<8xi32>
  } else {
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%v : i32) outs(%b : memref<8xi32>)
    scf.yield %b : memref<8xi32>
  }
  %s = arith.select %other, %r, %x : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%r : memref<8xi32>)
  memref.copy %s, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The same where %s is another buffer there: what is written to %r spoils it.
func.func @chosen_other(%v: i32, %is: i1, %other: i1, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 2} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%x : memref<8xi32>)
  %r = scf.if %is -> memref<8xi32> {
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    scf.yield %a : memref<8xi32>
  } else {
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    scf.yield %b : memref<8xi32>
  }
  %s = arith.select %other, %r, %x : memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%r : memref<8xi32>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %s, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// %s may have %a from %r or from %q, which are not one choice: %q may be %a where
// %r is %b.
func.func @chosen_of_two(%v: i32, %is: i1, %if: i1, %other: i1, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xi32>
  %r = arith.select %is, %a, %b : memref<8xi32>
  %q = arith.select %if, %a, %out : memref<8xi32>
  %s = arith.select %other, %q, %r : memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%r : memref<8xi32>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %s, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// %a is handed to the loop full and to its body spoilt: what the one edge hands
// on says nothing about the other. Right: the body fills it first.
func.func @by_another_edge(%p: i1, %x: i16, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %bytes = memref.view %arena[%c0][] : memref<64xi8> to memref<32xi8>
  %pattern = arith.constant -1 : i8
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi16>
  linalg.fill ins(%x : i16) outs(%a : memref<16xi16>)
  %r:2 = scf.while (%i = %c0, %old = %a) : (index, memref<16xi16>) -> (index, memref<16xi16>) {
    %v = memref.load %old[%c0] : memref<16xi16>
    memref.store %pattern, %bytes[%c0] : memref<32xi8>
    %t = memref.view %arena[%c32][] {berth.buffer = 1} : memref<64xi8> to memref<16xi16>
    linalg.fill ins(%x : i16) outs(%t : memref<16xi16>)
    %w = memref.load %t[%c1] : memref<16xi16>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %a : index, memref<16xi16>
  } do {
  ^bb0(%i: index, %given: memref<16xi16>):
    %new = scf.if %p -> (memref<16xi16>) {
      %b = memref.view %arena[%c32][] {berth.buffer = 2} : memref<64xi8> to memref<16xi16>
      linalg.fill ins(%x : i16) outs(%b : memref<16xi16>)
      scf.yield %b : memref<16xi16>
    } else {
      linalg.fill ins(%x : i16) outs(%a : memref<16xi16>)
      scf.yield %given : memref<16xi16>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %new : index, memref<16xi16>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The same, but the body hands it back as it is.
func.func @back_over_the_edge(%p: i1, %x: i16, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %bytes = memref.view %arena[%c0][] : memref<64xi8> to memref<32xi8>
  %pattern = arith.constant -1 : i8
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi16>
  linalg.fill ins(%x : i16) outs(%a : memref<16xi16>)
  %r:2 = scf.while (%i = %c0, %old = %a) : (index, memref<16xi16>) -> (index, memref<16xi16>) {
    // expected-error@+1 {{have been overwritten by another buffer's}}
    %v = memref.load %old[%c0] : memref<16xi16>
    memref.store %pattern, %bytes[%c0] : memref<32xi8>
    %t = memref.view %arena[%c32][] {berth.buffer = 1} : memref<64xi8> to memref<16xi16>
    // expected-note@+1 {{by this write}}
    linalg.fill ins(%x : i16) outs(%t : memref<16xi16>)
    %w = memref.load %t[%c1] : memref<16xi16>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %a : index, memref<16xi16>
  } do {
  ^bb0(%i: index, %given: memref<16xi16>):
    %new = scf.if %p -> (memref<16xi16>) {
      %b = memref.view %arena[%c32][] {berth.buffer = 2} : memref<64xi8> to memref<16xi16>
      linalg.fill ins(%x : i16) outs(%b : memref<16xi16>)
      scf.yield %b : memref<16xi16>
    } else {
      scf.yield %given : memref<16xi16>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %new : index, memref<16xi16>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Nobody has written what the loop begins with, so nothing of it is lost: right.
func.func @never_written(%flags: memref<?xi1>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> memref<8xi32> {
    %p = memref.load %flags[%i] : memref<?xi1>
    %r = scf.if %p -> memref<8xi32> {
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      scf.yield %b : memref<8xi32>
    } else {
      scf.yield %old : memref<8xi32>
    }
    %v = memref.load %r[%c0] : memref<8xi32>
    scf.yield %old : memref<8xi32>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Here somebody has.
func.func @written_first(%flags: memref<?xi1>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> memref<8xi32> {
    %p = memref.load %flags[%i] : memref<?xi1>
    %r = scf.if %p -> memref<8xi32> {
      // expected-note@+1 {{by this write}}
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      scf.yield %b : memref<8xi32>
    } else {
      scf.yield %old : memref<8xi32>
    }
    // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
    %v = memref.load %r[%c0] : memref<8xi32>
    scf.yield %old : memref<8xi32>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Here somebody has, through the merged value, from the second turn on.
func.func @written_later(%flags: memref<?xi1>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> memref<8xi32> {
    %p = memref.load %flags[%i] : memref<?xi1>
    %r = scf.if %p -> memref<8xi32> {
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      scf.yield %b : memref<8xi32>
    } else {
      scf.yield %old : memref<8xi32>
    }
    // expected-error@+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
    %v = memref.load %r[%c0] : memref<8xi32>
    // expected-note@+1 {{by this write}}
    memref.store %x, %old[%c1] : memref<8xi32>
    scf.yield %old : memref<8xi32>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}
