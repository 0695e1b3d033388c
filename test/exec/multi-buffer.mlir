// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of no, one and many turns, from any bound by any step, print the same when
// their turns have slots and their copies are made ahead.
// Older ones have no unsigned loops.
// REQUIRES: llvm-22
// RUN: %same-output --pipeline='berth-multi-buffer,berth-arena{poison=true}' --pipeline='berth-multi-buffer,generate-runtime-verification' --pipeline='berth-multi-buffer{factor=3},canonicalize,berth-arena{poison=true}' --pipeline='berth-multi-buffer{factor=5 ahead=false},berth-arena{poison=true}' --pipeline='berth-multi-buffer{capacity=96},berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
//
// Each rule is needed: without it some program prints something else, or copies from
// beyond the end.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --pipeline='berth-multi-buffer{verify=false test-break-rule=%{rule}},generate-runtime-verification' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s
// CHECK: the {{output differs|program does not run}}
// REDEFINE: %{rule} = content-ends-with-block
// RUN: %{breaks}
// REDEFINE: %{rule} = sources-stay
// RUN: %{breaks}
// REDEFINE: %{rule} = turns-from-zero
// RUN: %{breaks}
// REDEFINE: %{rule} = turns-follow
// RUN: %{breaks}

// Any bounds; the copy reads from %i - %lb on.
func.func private @loop(%x: memref<64xi32>, %lb: index, %ub: index, %step: index) {
  %c0_i32 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %m = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%m : memref<8xi32>)
  scf.for %i = %lb to %ub step %step {
    %o = arith.subi %i, %lb : index
    %p = memref.subview %x[%o] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xi32>) outs(%m : memref<8xi32>) {
    ^bb0(%s: i32, %t: i32):
      %u = arith.muli %t, %c3 : i32
      %v = arith.addi %u, %s : i32
      linalg.yield %v : i32
    }
  }
  func.call @show(%m) : (memref<8xi32>) -> ()
  memref.dealloc %a : memref<8xi32>
  memref.dealloc %m : memref<8xi32>
  return
}

// The buffer is made in each turn, some of it is filled, and a view is used. What
// the loop hands on has nothing to do with it.
func.func private @made(%x: memref<64xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %first = arith.constant 0 : index
  %sum, %count = scf.for %i = %c0 to %n step %c3 iter_args(%s = %c0, %k = %c0) -> (i32, i32) : i32 {
    %a = memref.alloc() : memref<4x4xi32>
    %r = memref.subview %a[1, 0] [2, 4] [1, 1] : memref<4x4xi32> to memref<2x4xi32, strided<[4, 1], offset: 4>>
    %o = arith.index_cast %i : i32 to index
    %p = memref.subview %x[%o] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
    %q = memref.expand_shape %p [[0, 1]] output_shape [2, 4] : memref<8xi32, strided<[1], offset: ?>> into memref<2x4xi32, strided<[4, 1], offset: ?>>
    linalg.copy ins(%q : memref<2x4xi32, strided<[4, 1], offset: ?>>) outs(%r : memref<2x4xi32, strided<[4, 1], offset: 4>>)
    %v = memref.load %r[%first, %first] : memref<2x4xi32, strided<[4, 1], offset: 4>>
    %t = arith.muli %s, %c3 : i32
    %u = arith.addi %t, %v : i32
    %l = arith.addi %k, %c3 : i32
    memref.dealloc %a : memref<4x4xi32>
    scf.yield %u, %l : i32, i32
  }
  vector.print %sum : i32
  vector.print %count : i32
  return
}

// A loop in a loop, two buffers in one, and bounds that only numbers without sign
// keep apart.
func.func private @nested(%x: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3_i32 = arith.constant 3 : i32
  %c0_i32 = arith.constant 0 : i32
  %m = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%m : memref<8xi32>)
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c1 to %i step %c2 {
      %p = memref.subview %x[%i] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
      memref.copy %p, %a : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
      %o = arith.muli %i, %j : index
      %q = memref.subview %x[%o] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
      memref.copy %q, %b : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%m : memref<8xi32>) {
      ^bb0(%s: i32, %r: i32, %t: i32):
        %u = arith.muli %t, %c3_i32 : i32
        %v = arith.addi %u, %s : i32
        %w = arith.subi %v, %r : i32
        linalg.yield %w : i32
      }
    }
  }
  func.call @show(%m) : (memref<8xi32>) -> ()
  return
}
func.func private @unsigned(%x: memref<64xi32>) {
  %lb = arith.constant 0x7FFFFFFE : i32
  %ub = arith.constant 0x80000003 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 0 : index
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %sum = scf.for unsigned %i = %lb to %ub step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %d = arith.subi %i, %lb : i32
    %o = arith.index_cast %d : i32 to index
    %p = memref.subview %x[%o] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
    %v = memref.load %a[%first] : memref<8xi32>
    %t = arith.muli %s, %c5 : i32
    %u = arith.addi %t, %v : i32
    scf.yield %u : i32
  }
  vector.print %sum : i32
  return
}

// Up to the last number there is: a turn more would have none.
func.func private @last(%x: memref<64xi32>, %lb: i8, %step: i8) {
  %ub = arith.constant 127 : i8
  %first = arith.constant 0 : index
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %sum = scf.for %i = %lb to %ub step %step iter_args(%s = %c0) -> (i32) : i8 {
    %d = arith.subi %i, %lb : i8
    %e = arith.extui %d : i8 to i32
    %f = arith.divui %e, %c5 : i32
    %o = arith.index_cast %f : i32 to index
    %p = memref.subview %x[%o] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
    %v = memref.load %a[%first] : memref<8xi32>
    %t = arith.muli %s, %c5 : i32
    %u = arith.addi %t, %v : i32
    scf.yield %u : i32
  }
  vector.print %sum : i32
  return
}

// What is copied is written by the turn before, by another argument.
func.func private @written(%x: memref<64xi32>, %y: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.subview %x[%i] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
    %v = memref.load %a[%c1] : memref<8xi32>
    %w = memref.load %a[%c0] : memref<8xi32>
    %s = arith.addi %v, %w : i32
    %k = arith.addi %i, %c1 : index
    memref.store %s, %y[%k] : memref<64xi32>
  }
  %q = memref.subview %x[0] [8] [1] : memref<64xi32> to memref<8xi32, strided<[1]>>
  %r = memref.cast %q : memref<8xi32, strided<[1]>> to memref<8xi32>
  func.call @show(%r) : (memref<8xi32>) -> ()
  return
}

// Some of the buffer is what earlier turns have left.
func.func private @kept(%x: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c3_i32 = arith.constant 3 : i32
  %c0_i32 = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8xi32>)
  %b = memref.alloc() : memref<8xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0_i32) -> (i32) {
    %h = memref.subview %b[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
    %p = memref.subview %x[%i] [4] [1] : memref<64xi32> to memref<4xi32, strided<[1], offset: ?>>
    memref.copy %p, %h : memref<4xi32, strided<[1], offset: ?>> to memref<4xi32, strided<[1]>>
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.store %c3_i32, %b[%c7] : memref<8xi32>
    }
    %v = memref.load %b[%c0] : memref<8xi32>
    %w = memref.load %b[%c7] : memref<8xi32>
    %t = arith.addi %s, %v : i32
    %u = arith.addi %t, %w : i32
    memref.store %u, %b[%c7] : memref<8xi32>
    scf.yield %u : i32
  }
  vector.print %sum : i32
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c56 = arith.constant 56 : index
  %c57 = arith.constant 57 : index
  %c64 = arith.constant 64 : index
  %below = arith.constant -30 : index
  %x = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %s = arith.muli %i, %i : index
    %v = arith.index_cast %s : index to i32
    memref.store %v, %x[%i] : memref<64xi32>
  }
  func.call @loop(%x, %c0, %c0, %c1) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %c7, %c3, %c1) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %c7, %c8, %c3) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %c0, %c57, %c56) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %c0, %c57, %c8) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %c1, %c12, %c2) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %below, %c7, %c3) : (memref<64xi32>, index, index, index) -> ()
  func.call @loop(%x, %below, %c0, %c64) : (memref<64xi32>, index, index, index) -> ()
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n55 = arith.constant 55 : i32
  func.call @made(%x, %n0) : (memref<64xi32>, i32) -> ()
  func.call @made(%x, %n1) : (memref<64xi32>, i32) -> ()
  func.call @made(%x, %n55) : (memref<64xi32>, i32) -> ()
  func.call @nested(%x, %c0) : (memref<64xi32>, index) -> ()
  func.call @nested(%x, %c8) : (memref<64xi32>, index) -> ()
  func.call @unsigned(%x) : (memref<64xi32>) -> ()
  %b128 = arith.constant -128 : i8
  %b126 = arith.constant 126 : i8
  %b1 = arith.constant 1 : i8
  %b85 = arith.constant 85 : i8
  func.call @last(%x, %b126, %b1) : (memref<64xi32>, i8, i8) -> ()
  func.call @last(%x, %b128, %b1) : (memref<64xi32>, i8, i8) -> ()
  func.call @last(%x, %b128, %b85) : (memref<64xi32>, i8, i8) -> ()
  func.call @kept(%x, %c7) : (memref<64xi32>, index) -> ()
  func.call @written(%x, %x, %c7) : (memref<64xi32>, memref<64xi32>, index) -> ()
  memref.dealloc %x : memref<64xi32>
  return
}
