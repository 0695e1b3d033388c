// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// Slices that come while the turn before is at work, and go out while the next one is:
// of loops of any number of turns, none too, that carry numbers, call functions, count
// from elsewhere and stand in others. Transfers come as late as can be; then an op that
// a description names moves them, and does too.
// DEFINE: %{fit} = berth-fit{space=2 backing=default capacity=128 transfers=dma
// DEFINE: %{arenas} = berth-arena{space=2 poison=true},berth-arena{poison=true}
// RUN: %same-output --late=%late --forget-space=2 --pipeline='%{fit}},berth-verify,%{arenas},berth-verify' --pipeline='%{fit} channels=1},%{arenas}' --pipeline='%{fit} channels=2},berth-arena{poison=true},berth-arena{space=2 poison=true}' --pipeline='%{fit}},canonicalize,cse,berth-verify,%{arenas}' --pipeline='%{fit}},loop-invariant-code-motion,berth-verify,%{arenas}' --pipeline='berth-fit{space=2 backing=default capacity=64 transfers=dma},%{arenas}' %S/Inputs/prelude.mlir %s
// RUN: %same-output --late=%late --forget-space=2 --target=%S/Inputs/two-memories-moves.json --pipeline='berth-fit,berth-verify,berth-arena{poison=true},berth-verify' --pipeline='berth-fit,canonicalize,cse,berth-verify,berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
//
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(%{fit}})' 2>&1 | FileCheck %s
// RUN: %berth-opt %t.mlir --berth-target=%S/Inputs/two-memories-moves.json -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit)' 2>&1 | FileCheck %s
//
// Each rule is needed: without it the program prints something else, and the check
// refuses it.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --late=%late --forget-space=2 --pipeline='%{fit} verify=false test-break-rule=%{rule}},berth-arena{space=2 poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DEFINE: %{refused} = not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(%{fit} test-break-rule=%{rule}})' 2>&1 | FileCheck %s
// DIFFERS: the output differs
// REDEFINE: %{rule} = sources-stay
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=BESIDE
// REDEFINE: %{rule} = returns-alone
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=BESIDE
// BESIDE: error: touches a slice that a tile holds
// REDEFINE: %{rule} = tiles-take-turns
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=TURNS
// TURNS: error: has no tiles that turns take one after the other

#slice = strided<[1], offset: ?>

func.func private @print(%m: memref<48xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c48 = arith.constant 48 : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c48 step %c8 {
    %v = memref.subview %m[%i] [8] [1] : memref<48xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

func.func private @fillAll(%m: memref<48xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  scf.for %i = %c0 to %c48 step %c1 {
    %k = arith.index_cast %i : index to i32
    %y = arith.addi %k, %x : i32
    memref.store %y, %m[%i] : memref<48xi32>
  }
  return
}

// Reads and writes, as many turns as are asked for.
// CHECK: 2 slots of 32 bytes for the turns of scf.for at line [[LOOP:[0-9]+]]; 1 ahead
// CHECK: 2 slots of 32 bytes for the turns of scf.for at line [[LOOP]]; taken out 1 behind
func.func @both(%x: memref<48xi32> {llvm.noalias, llvm.readonly}, %y: memref<48xi32> {llvm.noalias}, %from: index, %n: index) {
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<48xi32, 2>
  %b = memref.alloc() : memref<48xi32, 2>
  memref.copy %x, %a : memref<48xi32> to memref<48xi32, 2>
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%seven : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %from to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<48xi32> to memref<8xi32, #slice>
    linalg.add ins(%w, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<48xi32>) -> ()
  return
}

func.func private @note(%m: memref<8xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %o = memref.load %m[%c0] : memref<8xi32>
  %s = arith.addi %o, %x : i32
  memref.store %s, %m[%c0] : memref<8xi32>
  func.call @show(%m) : (memref<8xi32>) -> ()
  return
}

// A number is carried, a function is called, and the loop stands in another one.
func.func @called(%y: memref<48xi32> {llvm.noalias}, %m: memref<8xi32> {llvm.noalias}, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<48xi32, 2>
  %b = memref.alloc() : memref<48xi32, 2>
  scf.for %i = %c0 to %c48 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%zero : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  %all = scf.for %r = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> i32 {
    %part = scf.for %i = %c8 to %n step %c8 iter_args(%in = %sum) -> i32 {
      %v = memref.subview %a[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
      %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
      linalg.mul ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
      %first = memref.load %v[%c0] : memref<8xi32, #slice, 2>
      func.call @note(%m, %first) : (memref<8xi32>, i32) -> ()
      %out = arith.addi %in, %first : i32
      scf.yield %out : i32
    }
    scf.yield %part : i32
  }
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<48xi32> to memref<8xi32, #slice>
    linalg.add ins(%w, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<48xi32>) -> ()
  return %all : i32
}

// What goes out is read in the turn, the sum of what the turn before wrote: it goes out
// in its turn.
// CHECK: gets no slots: an op of the loop uses the memory that it goes to
func.func @chained(%y: memref<48xi32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c48 = arith.constant 48 : index
  %one = arith.constant 1 : i32
  %b = memref.alloc() : memref<48xi32, 2>
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%one : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c8 to %n step %c8 {
    %j = arith.subi %i, %c8 : index
    %v = memref.subview %b[%j] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<48xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    memref.copy %o, %w : memref<8xi32, #slice> to memref<8xi32, #slice, 2>
  }
  func.call @print(%y) : (memref<48xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c40 = arith.constant 40 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %x = memref.alloc() : memref<48xi32>
  %y = memref.alloc() : memref<48xi32>
  %m = memref.alloc() : memref<8xi32>
  func.call @fillAll(%x, %ten) : (memref<48xi32>, i32) -> ()
  func.call @fillAll(%y, %zero) : (memref<48xi32>, i32) -> ()
  func.call @count(%m, %zero) : (memref<8xi32>, i32) -> ()
  func.call @both(%x, %y, %c0, %c0) : (memref<48xi32>, memref<48xi32>, index, index) -> ()
  func.call @both(%x, %y, %c48, %c0) : (memref<48xi32>, memref<48xi32>, index, index) -> ()
  func.call @both(%x, %y, %c0, %c8) : (memref<48xi32>, memref<48xi32>, index, index) -> ()
  func.call @both(%x, %y, %c8, %c24) : (memref<48xi32>, memref<48xi32>, index, index) -> ()
  func.call @both(%x, %y, %c0, %c24) : (memref<48xi32>, memref<48xi32>, index, index) -> ()
  func.call @both(%x, %y, %c0, %c48) : (memref<48xi32>, memref<48xi32>, index, index) -> ()
  %p = func.call @called(%y, %m, %c48) : (memref<48xi32>, memref<8xi32>, index) -> i32
  %q = func.call @called(%y, %m, %c16) : (memref<48xi32>, memref<8xi32>, index) -> i32
  %r = func.call @called(%y, %m, %c0) : (memref<48xi32>, memref<8xi32>, index) -> i32
  vector.print %p : i32
  vector.print %q : i32
  vector.print %r : i32
  func.call @chained(%y, %c48) : (memref<48xi32>, index) -> ()
  func.call @chained(%y, %c0) : (memref<48xi32>, index) -> ()
  return
}
