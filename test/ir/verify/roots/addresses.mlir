// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Addresses of buffers that get away. Wrong plans, made by hand: %a and %b have
// bytes in common. A right one behind each.

// Whoever loads the pointer finds the bytes of %b.
func.func @stored(%box: !llvm.ptr, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  llvm.store %p, %box : !llvm.ptr, !llvm.ptr // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{touches bytes of the arena that may be used through an address of another buffer, which has got away}}
  %q = llvm.load %box : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}

// Before that nobody has it.
func.func @stored_later(%box: !llvm.ptr, %x: f32, %c: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  llvm.store %p, %box : !llvm.ptr, !llvm.ptr
  %q = llvm.load %box : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> f32
  return %v : f32
}

// -----

// In a struct, and as a number in a memref.
func.func @packed(%box: !llvm.ptr, %table: memref<1xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<4xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %u = llvm.mlir.undef : !llvm.struct<(i64, i64)>
  %s = llvm.insertvalue %j, %u[1] : !llvm.struct<(i64, i64)>
  llvm.store %s, %box : !llvm.struct<(i64, i64)>, !llvm.ptr // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}
func.func @number(%table: memref<1xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<4xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  memref.store %i, %table[%c0] : memref<1xindex> // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}

// Loaded through and used up: right.
func.func @used_up(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
  %w = memref.load %b[%c0] : memref<8xf32>
  return %w : f32
}

// -----

// The address of the last turn's buffer, as a number.
func.func @carried(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %arena = memref.alloc() : memref<64xi8>
  %z, %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %c0, %acc = %zero) -> (index, f32) {
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32> // expected-note {{by this view}}
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    %j = arith.index_cast %old : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> f32 // expected-error {{reads an earlier instance of a buffer that has been made anew since}}
    %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    scf.yield %i, %v : index, f32
  }
  return %r : f32
}

// Read before the buffer is made again: right.
func.func @carried_and_read(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %arena = memref.alloc() : memref<64xi8>
  %z, %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %c0, %acc = %zero) -> (index, f32) {
    %j = arith.index_cast %old : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> f32
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    scf.yield %i, %v : index, f32
  }
  return %r : f32
}

// -----

// Stored, and the buffer is made again in the next turn.
func.func @stored_in_loop(%n: index, %box: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  scf.for %k = %c0 to %n step %c1 {
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32> // expected-error {{makes a buffer anew of which an address has got away}}
    %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    %j = arith.index_cast %i : index to i64
    llvm.store %j, %box : i64, !llvm.ptr // expected-note {{here}}
  }
  return
}

// -----

func.func @returned() -> index {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8> // expected-note {{this arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.dealloc %arena : memref<64xi8>
  return %i : index // expected-error {{returns an address in an arena that is freed, or used again, when the function has returned}}
}

// The caller has the arena: right.
func.func @returned_of_argument(%arena: memref<64xi8>) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  return %i : index
}

// -----

func.func @freed(%box: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  llvm.store %j, %box : i64, !llvm.ptr // expected-note {{here}}
  memref.dealloc %arena : memref<64xi8> // expected-error {{frees an arena of which an address has got away}}
  return
}

// -----

// A called function keeps it, and one that hands it on to that one.
func.func private @keep(%m: memref<8xf32>, %t: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %i = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
  memref.store %i, %t[%c0] : memref<1xindex>
  return
}
func.func private @hand_on(%m: memref<8xf32>, %t: memref<1xindex>) {
  func.call @keep(%m, %t) : (memref<8xf32>, memref<1xindex>) -> ()
  return
}
func.func @callee(%t: memref<1xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call @hand_on(%a, %t) : (memref<8xf32>, memref<1xindex>) -> () // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}

// Once it keeps one of them, it may keep what it hands to itself.
func.func private @swap(%m: memref<8xf32>, %n: memref<8xf32>, %t: memref<1xindex>, %again: i1) {
  %c0 = arith.constant 0 : index
  %i = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
  memref.store %i, %t[%c0] : memref<1xindex>
  scf.if %again {
    %false = arith.constant false
    func.call @swap(%n, %m, %t, %false) : (memref<8xf32>, memref<8xf32>, memref<1xindex>, i1) -> ()
  }
  return
}
func.func @recursive(%m: memref<8xf32>, %t: memref<1xindex>, %x: f32, %again: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call @swap(%m, %a, %t, %again) : (memref<8xf32>, memref<8xf32>, memref<1xindex>, i1) -> () // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}

// One that only reads, with itself: right.
func.func private @read(%m: memref<8xf32>, %again: i1) {
  scf.if %again {
    %false = arith.constant false
    func.call @read(%m, %false) : (memref<8xf32>, i1) -> ()
  }
  return
}
func.func @reads(%x: f32, %again: i1, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call @read(%a, %again) : (memref<8xf32>, i1) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Three that call each other and only read: right.
func.func private @one(%m: memref<8xf32>, %again: i1) {
  scf.if %again {
    func.call @two(%m, %again) : (memref<8xf32>, i1) -> ()
  }
  return
}
func.func private @two(%m: memref<8xf32>, %again: i1) {
  func.call @three(%m, %again) : (memref<8xf32>, i1) -> ()
  return
}
func.func private @three(%m: memref<8xf32>, %again: i1) {
  %false = arith.constant false
  func.call @two(%m, %false) : (memref<8xf32>, i1) -> ()
  func.call @one(%m, %false) : (memref<8xf32>, i1) -> ()
  return
}
func.func @reads(%x: f32, %again: i1, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call @one(%a, %again) : (memref<8xf32>, i1) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The last of three keeps the address of what the first is given.
func.func private @one(%m: memref<8xf32>, %t: memref<1xindex>, %again: i1) {
  scf.if %again {
    func.call @two(%m, %t, %again) : (memref<8xf32>, memref<1xindex>, i1) -> ()
  }
  return
}
func.func private @two(%m: memref<8xf32>, %t: memref<1xindex>, %again: i1) {
  func.call @three(%m, %t, %again) : (memref<8xf32>, memref<1xindex>, i1) -> ()
  return
}
func.func private @three(%m: memref<8xf32>, %t: memref<1xindex>, %again: i1) {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  func.call @one(%m, %t, %false) : (memref<8xf32>, memref<1xindex>, i1) -> ()
  %address = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
  memref.store %address, %t[%c0] : memref<1xindex>
  return
}
func.func @keeps(%x: f32, %again: i1, %t: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call @one(%a, %t, %again) : (memref<8xf32>, memref<1xindex>, i1) -> () // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}

// -----

// A declared function may return the address that it was given, as a number.
func.func private @address(memref<8xf32>) -> index
func.func @declared(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = call @address(%a) : (memref<8xf32>) -> index
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-note {{by this write}}
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32 // expected-error {{reads a buffer whose bytes in the arena may have been overwritten}}
  return %v : f32
}

// An op that Berth does not know, given a number.
func.func @unknown(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  "mychip.register"(%i) : (index) -> () // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}

// -----

// Code that is text, in memory of the host.
func.func @text(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  llvm.inline_asm has_side_effects "mov $0, %gs:0", "r" %j : (i64) -> () // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}
