// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness)' -o %t 2>&1 | FileCheck %s

// An address that leaves a pointer's type, as an integer, an LLVM pointer, a
// struct or a vector of these, is followed like any alias.

func.func private @use(memref<8xf32>)
func.func private @number(index)
func.func private @address(memref<8xf32>) -> index

// Dead after its last use, though an integer was made of its address.
// CHECK-LABEL: liveness of @touched
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  llvm.store at line [[#@LINE+8]]{{$}}
// CHECK-NEXT:  %alloc_0 =
func.func @touched(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.store %f, %q : f32, !llvm.ptr
  call @use(%b) : (memref<8xf32>) -> ()
  return
}

// What is added, put in a vector and taken out, and loaded through.
// CHECK-LABEL: liveness of @arithmetic
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  memref.store at line [[#@LINE+7]] .. llvm.load at line [[#@LINE+16]]
func.func @arithmetic(%f: f32, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<0> : vector<2xindex>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%c0] : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %s = arith.muli %k, %c4 : index
  %t = arith.addi %p, %s : index
  %w = vector.insert %t, %v [0] : index into vector<2xindex>
  call @use(%b) : (memref<8xf32>) -> ()
  %x = vector.extract %w[0] : index from vector<2xindex>
  %i = arith.index_cast %x : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> f32
  return %r : f32
}

// A struct is a place like any other.
// CHECK-LABEL: liveness of @struct
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  {{.*}} .. llvm.load at line [[#@LINE+12]]
func.func @struct() -> f32 {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, i64)>
  %s = llvm.insertvalue %q, %u[0] : !llvm.struct<(ptr, i64)>
  %b = memref.alloc() : memref<8xf32>
  call @use(%b) : (memref<8xf32>) -> ()
  %t = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i64)>
  %r = llvm.load %t : !llvm.ptr -> f32
  return %r : f32
}

// CHECK-LABEL: liveness of @returned
// CHECK:       not placed: it is returned (func.return at line [[#@LINE+8]])
// CHECK:       not placed: it is returned (func.return at line [[#@LINE+7]])
func.func @returned() -> (index, i64) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  %i = arith.index_cast %q : index to i64
  return %p, %i : index, i64
}

// CHECK-LABEL: liveness of @in_a_table
// CHECK:       not placed: its address is stored in memory (memref.store at line [[#@LINE+5]])
func.func @in_a_table(%table: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.store %p, %table[%c0] : memref<8xindex>
  return
}

// CHECK-LABEL: liveness of @in_a_slot
// CHECK:       not placed: its address is stored in memory (llvm.store at line [[#@LINE+8]])
func.func @in_a_slot() -> f32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.store %q, %slot : !llvm.ptr, !llvm.ptr
  call @use(%a) : (memref<8xf32>) -> ()
  %t = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %r = llvm.load %t : !llvm.ptr -> f32
  return %r : f32
}

// The buffer holds its own address.
// CHECK-LABEL: liveness of @in_itself
// CHECK:       not placed: its address is stored in memory (llvm.store at line [[#@LINE+6]])
func.func @in_itself() {
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.store %q, %q : !llvm.ptr, !llvm.ptr
  return
}

// CHECK-LABEL: liveness of @carried
// CHECK:       not placed: its previous instance may still be used when it is allocated again
func.func @carried(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant 0 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> index {
    %a = memref.alloc() : memref<8xf32>
    memref.store %f, %a[%c0] : memref<8xf32>
    %h = arith.index_cast %before : index to i64
    %g = llvm.inttoptr %h : i64 to !llvm.ptr
    llvm.store %f, %g : f32, !llvm.ptr
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    scf.yield %p : index
  }
  %j = arith.index_cast %last : index to i64
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> f32
  return %r : f32
}

// A function without a body may make a number of it, and another one a pointer
// of the number. As ever, none is taken to keep it.
// CHECK-LABEL: liveness of @declared
// CHECK:       not placed: it is returned (func.return at line [[#@LINE+4]])
func.func @declared() -> index {
  %a = memref.alloc() : memref<8xf32>
  %p = call @address(%a) : (memref<8xf32>) -> index
  return %p : index
}

// Given an address as a number, though, it may have been asked to keep it.
// CHECK-LABEL: liveness of @given
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  memref.alloc at line [[#@LINE+2]] .. func.return at line [[#@LINE+7]]
func.func @given() {
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  call @number(%p) : (index) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @use(%b) : (memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: liveness of @given_in_loop
// CHECK:       not placed: an unknown op is given its address as an integer, and it is allocated again meanwhile (func.call at line [[#@LINE+7]])
func.func @given_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    func.call @number(%p) : (index) -> ()
  }
  return
}

func.func private @keep(%p: index, %table: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  memref.store %p, %table[%c0] : memref<8xindex>
  return
}
func.func private @next(%p: index, %n: index) -> (index, index) {
  %c4 = arith.constant 4 : index
  %q = arith.addi %p, %c4 : index
  return %n, %q : index, index
}

// CHECK-LABEL: liveness of @kept_by_callee
// CHECK:       not placed: a called function lets it get away (func.call at line [[#@LINE+4]])
func.func @kept_by_callee(%table: memref<8xindex>) {
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  call @keep(%p, %table) : (index, memref<8xindex>) -> ()
  return
}

// The first result is another number.
// CHECK-LABEL: liveness of @through_callee
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  {{.*}} .. llvm.load at line [[#@LINE+8]]
func.func @through_callee(%n: index) -> (f32, index) {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %m, %s = call @next(%p, %n) : (index, index) -> (index, index)
  %i = arith.index_cast %s : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> f32
  return %r, %m : f32, index
}

// What is read from memory is data, be it an integer too.
// CHECK-LABEL: liveness of @data
// CHECK:       %alloc = memref.alloc
// CHECK-NEXT:  {{.*}} .. memref.load at line [[#@LINE+5]]
func.func @data(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xindex>
  memref.store %n, %a[%c0] : memref<8xindex>
  %r = memref.load %a[%c0] : memref<8xindex>
  return %r : index
}
