// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second view of a buffer that is marked berth.keeps makes nothing anew: what
// is read through it has to be there still. Where berth-arena drops a copy, it
// marks the view of the buffer that was copied to.

// RUN: %berth-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' > %t
// RUN: %berth-opt %S/Inputs/dropped-copy.mlir --pass-pipeline='builtin.module(berth-arena)' -o %t.plan
// RUN: FileCheck %S/Inputs/dropped-copy.mlir < %t.plan
// RUN: %berth-opt %t.plan --pass-pipeline='builtin.module(berth-verify)' > %t
// Each offset of the other buffer at which it has bytes of this one.
// RUN: sed 's/constant 32 : index/constant 0 : index/' %t.plan > %t.0
// RUN: not %berth-opt %t.0 --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=MUTANT
// RUN: sed 's/constant 32 : index/constant 16 : index/' %t.plan > %t.16
// RUN: not %berth-opt %t.16 --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=MUTANT
// MUTANT: error: reads a buffer whose bytes in the arena may have been overwritten

func.func @kept(%o1: memref<8xi32>, %o2: memref<8xi32>) {
  %x = arith.constant 1 : i32
  %y = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %b = memref.view %arena[%c16][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @below {{by this write}}
  linalg.fill ins(%y : i32) outs(%b : memref<8xi32>)
  %a2 = memref.view %arena[%c0][] {berth.buffer = 0, berth.keeps} : memref<64xi8> to memref<8xi32>
  // expected-error @below {{reads a buffer whose bytes in the arena may have been overwritten}}
  memref.copy %a2, %o1 : memref<8xi32> to memref<8xi32>
  memref.copy %b, %o2 : memref<8xi32> to memref<8xi32>
  return
}

// -----

// In a loop: the first view of a turn makes it anew, the second one does not.
func.func @turns(%o1: memref<8xi32>, %o2: memref<8xi32>) {
  %x = arith.constant 1 : i32
  %y = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    %b = memref.view %arena[%c32][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%y : i32) outs(%b : memref<8xi32>)
    %a2 = memref.view %arena[%c0][] {berth.buffer = 0, berth.keeps} : memref<64xi8> to memref<8xi32>
    memref.copy %a2, %o1 : memref<8xi32> to memref<8xi32>
    memref.copy %b, %o2 : memref<8xi32> to memref<8xi32>
    %c = memref.view %arena[%c0][] {berth.buffer = 2} : memref<64xi8> to memref<16xi32>
    linalg.fill ins(%y : i32) outs(%c : memref<16xi32>)
  }
  return
}

// -----

// Nothing of the buffer is wanted where a view without the mark stands: clones
// of one view, as of an unrolled loop, make it again.
func.func @again(%o: memref<8xi32>) {
  %x = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  memref.copy %a, %o : memref<8xi32> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<16xi32>)
  %a2 = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a2[%c0] : memref<8xi32>
  memref.copy %a2, %o : memref<8xi32> to memref<8xi32>
  return
}

// -----

// It lies elsewhere than the view whose content it is to go on with.
func.func @moved(%in: memref<8xi32>, %other: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  memref.copy %other, %x : memref<8xi32> to memref<8xi32>
  %a = memref.view %arena[%c32][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  memref.copy %in, %a : memref<8xi32> to memref<8xi32>
  // expected-error @below {{goes on with what other views of its berth.buffer wrote, but none of them lies at its offset 0}}
  %b = memref.view %arena[%c0][] {berth.buffer = 0, berth.keeps} : memref<64xi8> to memref<8xi32>
  memref.copy %b, %out : memref<8xi32> to memref<8xi32>
  return
}
