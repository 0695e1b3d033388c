// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Bytes that are counted only where a loop runs. As unsigned numbers its bounds
// may compare otherwise: then %b has no bytes of its own, and takes %c's.

func.func @unsigned(%lb: index, %ub: index, %n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi slt, %lb, %ub : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  scf.for unsigned %i = %lb to %ub step %c1 {
    %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>) // expected-note {{by this write}}
  }
  memref.copy %c, %d : memref<?xf32> to memref<?xf32> // expected-error {{may have been overwritten}}
  return
}

// -----

// Compared as the loop does: right.
func.func @as_the_loop(%lb: index, %ub: index, %n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi ult, %lb, %ub : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  scf.for unsigned %i = %lb to %ub step %c1 {
    %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  }
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  return
}

// -----

// Signed loops the same, with the signed comparison.
func.func @signed(%lb: index, %ub: index, %n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi slt, %lb, %ub : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  scf.for %i = %lb to %ub step %c1 {
    %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  }
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  return
}

// -----

// A loop of constant bounds, as branches.
func.func @as_branches(%n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi slt, %c0, %c3 : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^body, ^end
^body:
  %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  return
}

// -----

// -1 is not below 3 as unsigned numbers.
func.func @as_branches_unsigned(%n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant -1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi ult, %first, %c3 : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  cf.br ^head(%first : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^body, ^end
^body:
  %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>) // expected-note {{by this write}}
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  memref.copy %c, %d : memref<?xf32> to memref<?xf32> // expected-error {{may have been overwritten}}
  return
}

// -----

// Folding has turned the comparison around: the loop's lower bound is constant.
func.func @turned(%ub: index, %n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi sgt, %ub, %c0 : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  scf.for %i = %c0 to %ub step %c1 {
    %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  }
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  return
}

// -----

// The loop does not run only where its upper bound is below the lower one.
func.func @not_turned(%ub: index, %n: index, %x: f32, %d: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %runs = arith.cmpi sgt, %c0, %ub : index
  %own = arith.select %runs, %bytes, %c0 : index
  %all = arith.addi %own, %bytes : index
  %arena = memref.alloc(%all) {alignment = 16 : i64} : memref<?xi8>
  %c = memref.view %arena[%own][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  scf.for %i = %c0 to %ub step %c1 {
    %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>) // expected-note {{by this write}}
  }
  memref.copy %c, %d : memref<?xf32> to memref<?xf32> // expected-error {{may have been overwritten}}
  return
}
