// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// What iterations that may run at the same time do to their arenas, and to those
// outside.

// In a parallel loop everything happens at once.
func.func @parallel(%x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+1 {{reads a buffer}}
    %r = memref.load %a[%c0] : memref<8xi32>
    // expected-note @+1 {{by this write}}
    memref.store %r, %b[%i] : memref<8xi32>
  }
  return
}

// -----

func.func private @use(memref<8xi32>)

// An arena of each iteration: right. There is one order in it.
func.func @arena_of_iteration(%x: i32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %arena = memref.alloc() : memref<64xi8>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    func.call @use(%a) : (memref<8xi32>) -> ()
    linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    func.call @use(%b) : (memref<8xi32>) -> ()
    memref.dealloc %arena : memref<64xi8>
  }
  return
}

// -----

func.func private @use(memref<8xi32>)

// The order is kept in an iteration as anywhere.
func.func @order_in_iteration(%x: i32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %arena = memref.alloc() : memref<64xi8>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    // expected-note @+1 {{by this write}}
    linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten}}
    func.call @use(%a) : (memref<8xi32>) -> ()
  }
  return
}

// -----

// An arena for all iterations, even for one buffer.
func.func @arena_of_all(%x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  // expected-note @+1 {{the iterations of this op}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+1 {{makes a buffer in an arena that iterations which may run at the same time share}}
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    %r = memref.load %a[%c0] : memref<8xi32>
  }
  return
}

// -----

// An arena of the outer iteration is shared by those of the loop in it.
func.func @arena_of_outer_iteration(%x: i32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %arena = memref.alloc() : memref<64xi8>
    // expected-note @+1 {{the iterations of this op}}
    affine.parallel (%j) = (0) to (8) {
      // expected-error @+1 {{makes a buffer in an arena that iterations}}
      %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
      linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
      %r = memref.load %a[%c0] : memref<8xi32>
    }
  }
  return
}

// -----

// So is a global, wherever it is named, and what is cast in the iteration.
memref.global "private" @arena : memref<64xi8>
func.func @arena_named_in_iteration(%x: i32, %arena: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the iterations of this op}}
  scf.forall (%i) in (8) {
    %global = memref.get_global @arena : memref<64xi8>
    // expected-error @+1 {{makes a buffer in an arena that iterations}}
    %a = memref.view %global[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    %r = memref.load %a[%c0] : memref<8xi32>
    %cast = memref.cast %arena : memref<?xi8> to memref<64xi8>
    // expected-error @+1 {{makes a buffer in an arena that iterations}}
    %b = memref.view %cast[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    %s = memref.load %b[%c0] : memref<8xi32>
  }
  return
}

// -----

// A loop in the iteration that runs at once is one access of the iteration.
func.func @at_once_in_iteration(%x: i32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %arena = memref.alloc() : memref<64xi8>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    scf.forall (%j) in (8) {
      // expected-error @+1 {{reads a buffer}}
      %r = memref.load %a[%c0] : memref<8xi32>
      // expected-note @+1 {{by this write}}
      memref.store %r, %b[%j] : memref<8xi32>
    }
  }
  return
}

// -----

// The reduction comes when the arena is gone.
func.func @handed_on(%n: index, %init: memref<8xi32>) -> memref<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%init) -> memref<8xi32> {
    %arena = memref.alloc() : memref<64xi8>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    // expected-error @+1 {{uses a buffer at the end of an iteration, when its arena is gone}}
    scf.reduce(%a : memref<8xi32>) {
    ^bb0(%l: memref<8xi32>, %m: memref<8xi32>):
      scf.reduce.return %m : memref<8xi32>
    }
  }
  return %r : memref<8xi32>
}

// -----

func.func @read_by_reduction(%n: index, %init: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%init) -> i32 {
    %arena = memref.alloc() : memref<64xi8>
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%init : i32) outs(%a : memref<8xi32>)
    memref.dealloc %arena : memref<64xi8>
    scf.reduce(%init : i32) {
    ^bb0(%l: i32, %m: i32):
      // expected-error @+1 {{uses a buffer at the end of an iteration, when its arena is gone}}
      %s = memref.load %a[%c0] : memref<8xi32>
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
