// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s %if llvm-22 %{ | FileCheck %s %}
// (With MLIR 19 what is asked for its address is not placed.)
// RUN: %same-output --pipeline="func.func(berth-arena)" %S/Inputs/prelude.mlir %s
// Views, calls, pointers that get away, regions that run at once. In a pass on
// single functions, called functions may not be looked into: other threads may
// be changing them.

// The only read is through a chain of views. (Without the store the copy would
// become a fill.)
// CHECK-LABEL: chain_of_views: 96
func.func @chain_of_views() {
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<16xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  memref.store %nine, %a[%c9] : memref<16xi32>
  %wide = memref.expand_shape %a [[0, 1]] output_shape [2, 8] : memref<16xi32> into memref<2x8xi32>
  %row = memref.subview %wide[1, 0] [1, 8] [1, 1] : memref<2x8xi32> to memref<8xi32, strided<[1], offset: 8>>
  %any = memref.cast %row : memref<8xi32, strided<[1], offset: 8>> to memref<?xi32, strided<[?], offset: ?>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %any : memref<?xi32, strided<[?], offset: ?>> -> memref<i32>, index, index, index
  %again = memref.reinterpret_cast %base to offset: [%offset], sizes: [8], strides: [1] : memref<i32> to memref<8xi32, strided<[1], offset: ?>>
  call @count(%t, %one) : (memref<8xi32>, i32) -> ()
  call @show(%t) : (memref<8xi32>) -> ()
  memref.copy %again, %t : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
  call @show(%t) : (memref<8xi32>) -> ()
  return
}

// A call that returns its argument: the result is the buffer.
func.func private @pass(%m: memref<8xi32>) -> memref<8xi32> {
  return %m : memref<8xi32>
}

// CHECK-LABEL: returned_by_call: 64
func.func @returned_by_call() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  %same = call @pass(%a) : (memref<8xi32>) -> memref<8xi32>
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%same) : (memref<8xi32>) -> ()
  return
}

// A call that stores its argument where a later op finds it again.
func.func private @keep(%m: memref<8xi32>, %where: memref<1xmemref<8xi32>>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %where[%c0] : memref<1xmemref<8xi32>>
  return
}

// CHECK-LABEL: kept_by_call: 32
func.func @kept_by_call() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %where = memref.alloca() : memref<1xmemref<8xi32>>
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @keep(%a, %where) : (memref<8xi32>, memref<1xmemref<8xi32>>) -> ()
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %again = memref.load %where[%c0] : memref<1xmemref<8xi32>>
  call @show(%again) : (memref<8xi32>) -> ()
  return
}

// The same without a call.
// CHECK-LABEL: stored: 32
func.func @stored() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %where = memref.alloca() : memref<1xmemref<8xi32>>
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  memref.store %a, %where[%c0] : memref<1xmemref<8xi32>>
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %again = memref.load %where[%c0] : memref<1xmemref<8xi32>>
  call @show(%again) : (memref<8xi32>) -> ()
  return
}

// A pointer as an integer, read through later.
// CHECK-LABEL: pointer_as_integer: 64
func.func @pointer_as_integer() {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  %address = memref.extract_aligned_pointer_as_index %a : memref<8xi32> -> index
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %number = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
  %x = llvm.load %pointer : !llvm.ptr -> i32
  vector.print %x : i32
  return
}

// Returned: not ours to place.
// CHECK-LABEL: makes_buffer: 32
func.func private @makes_buffer(%x: i32) -> memref<8xi32> {
  %t = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%x : i32) outs(%t : memref<8xi32>)
  linalg.add ins(%t, %t : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  return %a : memref<8xi32>
}

func.func @gets_buffers() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = call @makes_buffer(%one) : (i32) -> memref<8xi32>
  %b = call @makes_buffer(%two) : (i32) -> memref<8xi32>
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Recursion: each activation has an arena of its own.
// CHECK-LABEL: recursive: 64
func.func private @recursive(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%a, %n) : (memref<8xi32>, i32) -> ()
  linalg.fill ins(%n : i32) outs(%t : memref<8xi32>)
  %more = arith.cmpi sgt, %n, %zero : i32
  scf.if %more {
    %less = arith.subi %n, %one : i32
    func.call @recursive(%less) : (i32) -> ()
  }
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// All iterations of a parallel loop may be at any of its ops at once: %s is
// still read in one when another has come to write %t.
// CHECK-LABEL: parallel: 64
func.func @parallel() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %s = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%s, %one) : (memref<8xi32>, i32) -> ()
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %j = arith.subi %c7, %i : index
    %x = memref.load %s[%j] : memref<8xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %t[%i] : memref<8xi32>
  }
  call @show(%t) : (memref<8xi32>) -> ()
  return
}

// Each iteration has an arena of its own, of 32 bytes, and the function one.
// CHECK-LABEL: allocated_in_parallel: 64
func.func @allocated_in_parallel() {
  %c0 = arith.constant 0 : index
  %out = memref.alloc() : memref<8xi32>
  scf.forall (%i) in (8) {
    %k = arith.index_cast %i : index to i32
    %own = memref.alloc() : memref<8xi32>
    linalg.fill ins(%k : i32) outs(%own : memref<8xi32>)
    %x = memref.load %own[%c0] : memref<8xi32>
    %next = memref.alloc() : memref<8xi32>
    linalg.fill ins(%x : i32) outs(%next : memref<8xi32>)
    %y = memref.load %next[%i] : memref<8xi32>
    memref.store %y, %out[%i] : memref<8xi32>
  }
  call @show(%out) : (memref<8xi32>) -> ()
  return
}

// Each turn reads through the address, carried as a number, of what the turn
// before allocated.
// CHECK-LABEL: carried_address: 32
func.func @carried_address() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %t = memref.alloc() : memref<8xi32>
  %s = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%s : memref<8xi32>)
  %first = memref.extract_aligned_pointer_as_index %s : memref<8xi32> -> index
  %last, %sum = scf.for %i = %c0 to %c9 step %c1
      iter_args(%before = %first, %x = %zero) -> (index, i32) {
    %a = memref.alloc() : memref<8xi32>
    %j = arith.index_cast %i : index to i32
    memref.store %j, %a[%c0] : memref<8xi32>
    %h = arith.index_cast %before : index to i64
    %g = llvm.inttoptr %h : i64 to !llvm.ptr
    %y = llvm.load %g : !llvm.ptr -> i32
    %z = arith.addi %x, %y : i32
    %w = arith.addi %z, %one : i32
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xi32> -> index
    scf.yield %p, %w : index, i32
  }
  linalg.fill ins(%zero : i32) outs(%t : memref<8xi32>)
  memref.store %sum, %t[%c0] : memref<8xi32>
  call @show(%t) : (memref<8xi32>) -> ()
  return
}

// The bits of an address as floats, and back.
// CHECK-LABEL: pointer_as_float: 64
func.func private @bits(%m: memref<8xi32>) -> f64 {
  %i = memref.extract_aligned_pointer_as_index %m : memref<8xi32> -> index
  %k = arith.index_cast %i : index to i64
  %f = arith.bitcast %k : i64 to f64
  return %f : f64
}

func.func @pointer_as_float() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  %f = call @bits(%a) : (memref<8xi32>) -> f64
  %v = vector.broadcast %f : f64 to vector<1xf64>
  %w = vector.bitcast %v : vector<1xf64> to vector<2xf32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @show(%b) : (memref<8xi32>) -> ()
  %back = vector.bitcast %w : vector<2xf32> to vector<1xi64>
  %k = vector.extract %back[0] : i64 from vector<1xi64>
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> i32
  vector.print %x : i32
  return
}

func.func @main() {
  %two = arith.constant 2 : i32
  call @chain_of_views() : () -> ()
  call @returned_by_call() : () -> ()
  call @kept_by_call() : () -> ()
  call @stored() : () -> ()
  call @pointer_as_integer() : () -> ()
  call @gets_buffers() : () -> ()
  call @recursive(%two) : (i32) -> ()
  call @parallel() : () -> ()
  call @allocated_in_parallel() : () -> ()
  call @carried_address() : () -> ()
  call @pointer_as_float() : () -> ()
  return
}
