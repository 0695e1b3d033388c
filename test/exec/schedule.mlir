// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops move where less is live then, and never past others of the same memory.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena{schedule=on}' %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck --check-prefix=GIVEN %s
// RUN: cat %S/Inputs/prelude.mlir %s | not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{schedule=yes})' 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: {{.*}}schedule 'yes' is neither on nor off

// Two branches, one after the other instead of side by side.
// CHECK-LABEL: branches: 132
// GIVEN-LABEL: branches: 260
func.func @branches() {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xi32>
  linalg.fill ins(%two : i32) outs(%a : memref<32xi32>)
  %b = memref.alloc() : memref<32xi32>
  linalg.fill ins(%three : i32) outs(%b : memref<32xi32>)
  %s = memref.alloc() : memref<i32>
  linalg.fill ins(%zero : i32) outs(%s : memref<i32>)
  linalg.reduce { arith.addi } ins(%a : memref<32xi32>) outs(%s : memref<i32>) dimensions = [0]
  %t = memref.alloc() : memref<i32>
  linalg.fill ins(%zero : i32) outs(%t : memref<i32>)
  linalg.reduce { arith.addi } ins(%b : memref<32xi32>) outs(%t : memref<i32>) dimensions = [0]
  %x = memref.load %s[] : memref<i32>
  %y = memref.load %t[] : memref<i32>
  memref.dealloc %a : memref<32xi32>
  memref.dealloc %b : memref<32xi32>
  vector.print %x : i32
  vector.print %y : i32
  return
}

// The second fill overwrites what the first sum reads: it stays behind it.
// CHECK-LABEL: twice:
func.func @twice() {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  memref.store %three, %a[%c0] : memref<8xi32>
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  memref.store %two, %a[%c0] : memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// What is printed comes in its order.
// CHECK-LABEL: printed:
func.func @printed() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @count(%c, %one) : (memref<8xi32>, i32) -> ()
  vector.print %two : i32
  call @show(%b) : (memref<8xi32>) -> ()
  vector.print %one : i32
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  return
}

// Two names of one argument.
// CHECK-LABEL: arguments:
func.func private @arguments(%x: memref<8xi32>, %y: memref<8xi32>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  linalg.add ins(%a, %x : memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// A loop and a branch are ops like others; in a loop's body, too, ops move.
// CHECK-LABEL: nested:
func.func @nested(%p: i1) {
  %two = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %d = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%d : memref<8xi32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    linalg.add ins(%d, %d : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
    linalg.sub ins(%d, %d : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
    %x = memref.load %a[%i] : memref<8xi32>
    memref.store %x, %d[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    scf.if %p {
      memref.store %y, %d[%c0] : memref<8xi32>
    }
  }
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// What a parallel op does to the buffers in it is told of the op as a whole.
// CHECK-LABEL: opaque
func.func private @opaque(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  scf.forall (%i) in (1) {
    %a = memref.alloc() : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    %c = memref.alloc() : memref<8xi32>
    linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
    linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
    memref.store %two, %b[%c1] : memref<8xi32>
    linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
    linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
    linalg.add ins(%b, %c : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  }
  call @show(%x) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %one = arith.constant 1 : i32
  %x = memref.alloc() : memref<8xi32>
  call @count(%x, %one) : (memref<8xi32>, i32) -> ()
  call @branches() : () -> ()
  call @twice() : () -> ()
  call @printed() : () -> ()
  call @arguments(%x, %x) : (memref<8xi32>, memref<8xi32>) -> ()
  call @show(%x) : (memref<8xi32>) -> ()
  call @nested(%true) : (i1) -> ()
  call @nested(%false) : (i1) -> ()
  call @opaque(%x) : (memref<8xi32>) -> ()
  memref.dealloc %x : memref<8xi32>
  return
}
