// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// Slices that a turn reads and writes: they come while the turn before is at work, and go
// back while the next one is, each in one of three tiles. Loops of any number of turns, with
// other slices that come or go. Transfers come as late as can be; then an op that a
// description names moves them, and does too.
// DEFINE: %{fit} = berth-fit{space=2 backing=default capacity=192 transfers=dma
// DEFINE: %{arenas} = berth-arena{space=2 poison=true},berth-arena{poison=true}
// RUN: %same-output --late=%late --forget-space=2 --pipeline='%{fit}},berth-verify,%{arenas},berth-verify' --pipeline='%{fit} channels=2},%{arenas}' --pipeline='%{fit} channels=3},berth-arena{poison=true},berth-arena{space=2 poison=true}' --pipeline='%{fit}},canonicalize,cse,berth-verify,%{arenas}' --pipeline='%{fit}},loop-invariant-code-motion,berth-verify,%{arenas}' --pipeline='berth-fit{space=2 backing=default capacity=96 transfers=dma},%{arenas}' %S/Inputs/prelude.mlir %s
// RUN: %same-output --late=%late --forget-space=2 --target=%S/Inputs/two-memories-moves.json --pipeline='berth-fit,berth-verify,berth-arena{poison=true},berth-verify' --pipeline='berth-fit,canonicalize,cse,berth-verify,berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
//
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(%{fit}})' 2>&1 | FileCheck %s
// What it says that it moves is what is moved when it runs.
// RUN: %python -B %S/Inputs/count_moves.py mlir-opt %berth_plugin %mlir_lib '%{fit}}' %t.mlir --late=%late --spaces=2,default | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}[[#]] figures, {{[1-9]}}[[#]] bytes, {{[1-9]}}[[#]] in slices
//
// Each rule is needed: without it the program prints something else, and the check
// refuses it.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --late=%late --forget-space=2 --pipeline='%{fit} verify=false test-break-rule=%{rule}},berth-arena{space=2 poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DEFINE: %{refused} = not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(%{fit} test-break-rule=%{rule}})' 2>&1 | FileCheck %s
// DIFFERS: the output differs
// REDEFINE: %{rule} = slices-apart
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=APART
// APART: error: brings a slice that another turn may change
// REDEFINE: %{rule} = returns-alone
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=BESIDE
// BESIDE: error: touches a slice that a tile holds
// REDEFINE: %{rule} = tiles-take-turns
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=TURNS
// TURNS: error: has no tiles that turns take one after the other

#slice = strided<[1], offset: ?>

func.func private @print(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %m[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// As many turns as are asked for: the number of the turn is added to each slice.
// CHECK: 3 slots of 32 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead, taken out 1 behind
func.func @change(%y: memref<64xi32> {llvm.noalias}, %from: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %from to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%v : memref<8xi32, #slice, 2>)
    %first = memref.load %v[%c0] : memref<8xi32, #slice, 2>
    vector.print %first : i32
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

// Parts of what a turn writes are what the next one reads: that stays in its turn. The
// other slice is twice as far in each turn as it is long.
// CHECK: gets no slots: its slice is read and written in one turn, and two turns may have a part of it in common
func.func @common(%y: memref<64xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c56 = arith.constant 56 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c56 step %c4 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

// Behind that, a turn reads what another one has changed, or will: each slice moves in its
// turn.
// CHECK: gets no slots: an op of the loop uses the memory that it goes to
func.func @others(%y: memref<64xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32, 2>
  %b = memref.alloc() : memref<64xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
    linalg.fill ins(%k : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%v : memref<8xi32, #slice, 2>)
    %k = arith.muli %i, %c3 : index
    %j = arith.remui %k, %c64 : index
    %u = memref.subview %a[%j] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%u, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %b[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

// Rows that come and go, in a loop around one that adds a product to each; and what is
// subtracted, which comes only, and goes on from where a number says.
// CHECK: 3 slots of 32 bytes for the turns of scf.for
func.func @rows(%y: memref<64xi32> {llvm.noalias}, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8x8xi32, 2>
  %b = memref.alloc() : memref<10x8xi32, 2>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%x : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = arith.index_cast %i : index to i32
    %j = arith.addi %i, %c2 : index
    %v = memref.subview %b[%j, 0] [1, 8] [1, 1] : memref<10x8xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%x : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xi32, 2> to memref<8xi32, #slice, 2>
    %j = arith.addi %i, %k : index
    %w = memref.subview %b[%j, 0] [1, 8] [1, 1] : memref<10x8xi32, 2> to memref<8xi32, #slice, 2>
    scf.for %r = %c0 to %c2 step %c1 {
      linalg.mul ins(%w, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
      linalg.add ins(%v, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%v : memref<8xi32, #slice, 2>)
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xi32, 2> to memref<8xi32, #slice, 2>
    %j = arith.muli %i, %c8 : index
    %o = memref.subview %y[%j] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<64xi32>
  scf.for %n = %c0 to %c64 step %c8 {
    func.call @change(%y, %c0, %n) : (memref<64xi32>, index, index) -> ()
  }
  func.call @change(%y, %c8, %c64) : (memref<64xi32>, index, index) -> ()
  func.call @common(%y) : (memref<64xi32>) -> ()
  func.call @others(%y) : (memref<64xi32>) -> ()
  scf.for %n = %c0 to %c8 step %c1 {
    func.call @rows(%y, %n, %c2) : (memref<64xi32>, index, index) -> ()
  }
  memref.dealloc %y : memref<64xi32>
  return
}
