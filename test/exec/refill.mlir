// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a buffer that holds one value become fills, and the buffer is
// filled where that value is needed next.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline=berth-merge %S/Inputs/prelude.mlir %s
// RUN: %same-output --pipeline='berth-arena{refill=false}' %S/Inputs/prelude.mlir %s | FileCheck --check-prefix=KEPT %s
// RUN: cat %S/Inputs/prelude.mlir %s | %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' | FileCheck --check-prefix=IR %s

// What bufferization makes of three sums that start with one tensor of zeros.
// CHECK-LABEL: one_fill_of_many: 32
// KEPT-LABEL: one_fill_of_many: 64
// IR-LABEL: func.func @one_fill_of_many
// IR-NOT: memref.copy
// IR-COUNT-3: linalg.fill
// IR-NOT: linalg.fill
// IR-LABEL: func.func @copied_twice
func.func @one_fill_of_many() {
  %zero = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%zero : i32) outs(%a : memref<8xi32>)
  %b = memref.alloc() : memref<8xi32>
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  call @add(%b, %one) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  %c = memref.alloc() : memref<8xi32>
  memref.copy %a, %c : memref<8xi32> to memref<8xi32>
  call @show(%c) : (memref<8xi32>) -> ()
  call @add(%a, %one) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A copy of a copy; nothing is left of the first buffer.
// CHECK-LABEL: copied_twice: 32
func.func @copied_twice() {
  %v = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  %b = memref.alloc() : memref<8xi32>
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  memref.copy %b, %c : memref<8xi32> to memref<8xi32>
  call @show(%c) : (memref<8xi32>) -> ()
  call @count(%c, %v) : (memref<8xi32>, i32) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// What is written in between is copied, not what was filled in.
// IR-LABEL: func.func @written_in_between
// IR: memref.copy
// IR-LABEL: func.func @written_in_a_loop
func.func @written_in_between() {
  %v = arith.constant 5 : i32
  %w = arith.constant 6 : i32
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  memref.store %w, %a[%c3] : memref<8xi32>
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// The first turn copies the fill, the others do not.
// IR: memref.copy
// IR-LABEL: func.func @copied_in_a_loop
func.func @written_in_a_loop() {
  %v = arith.constant 5 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  scf.for %i = %c0 to %c3 step %c1 {
    memref.copy %a, %b : memref<8xi32> to memref<8xi32>
    func.call @show(%b) : (memref<8xi32>) -> ()
    %k = arith.index_cast %i : index to i32
    memref.store %k, %a[%i] : memref<8xi32>
  }
  return
}

// IR-NOT: memref.copy
// IR-LABEL: func.func @overwritten_in_a_branch
func.func @copied_in_a_loop() {
  %v = arith.constant 5 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  scf.for %i = %c0 to %c3 step %c1 {
    memref.copy %a, %b : memref<8xi32> to memref<8xi32>
    %k = arith.index_cast %i : index to i32
    memref.store %k, %b[%i] : memref<8xi32>
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// One branch overwrites the fill, the other does not: it has to stay.
func.func @overwritten_in_a_branch(%c: i1) {
  %v = arith.constant 5 : i32
  %w = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  scf.if %c {
    linalg.fill ins(%w : i32) outs(%a : memref<8xi32>)
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A fill that is overwritten at once is dropped.
// IR-LABEL: func.func @overwritten
// IR-COUNT-2: linalg.fill
// IR-NOT: linalg.fill
// IR-LABEL: func.func @part
func.func @overwritten() {
  %v = arith.constant 5 : i32
  %w = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  call @show(%b) : (memref<8xi32>) -> ()
  linalg.fill ins(%w : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// A row of the filled buffer goes to a column of another one.
// IR-NOT: memref.copy
// IR-LABEL: func.func @two_as_one
func.func @part() {
  %v = arith.constant 3 : i32
  %w = arith.constant 4 : i32
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<2x4xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<4x4xi32>)
  linalg.fill ins(%w : i32) outs(%b : memref<2x4xi32>)
  %row = memref.subview %a[1, 0] [1, 2] [1, 1] : memref<4x4xi32> to memref<2xi32, strided<[1], offset: 4>>
  %column = memref.subview %b[0, 2] [2, 1] [1, 1] : memref<2x4xi32> to memref<2xi32, strided<[4], offset: 2>>
  memref.copy %row, %column : memref<2xi32, strided<[1], offset: 4>> to memref<2xi32, strided<[4], offset: 2>>
  %flat = memref.collapse_shape %b [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  call @show(%flat) : (memref<8xi32>) -> ()
  return
}

// Two bytes seen as one number are not the byte that was filled in.
// IR: memref.copy
func.func @two_as_one() {
  %v = arith.constant 1 : i8
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 4 : i64} : memref<32xi8>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i8) outs(%a : memref<32xi8>)
  %words = memref.view %a[%c0][] : memref<32xi8> to memref<8xi32>
  memref.copy %words, %b : memref<8xi32> to memref<8xi32>
  call @show(%words) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Copies of copies, of which the one in between changes: what it had before is
// in %c, and what it has then in %a and %d.
// IR-LABEL: func.func @changed_in_between
// IR-COUNT-2: linalg.fill
// IR-COUNT-2: memref.copy
// IR-LABEL: func.func @copied_back
func.func @changed_in_between() {
  %v = arith.constant 5 : i32
  %d = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  memref.copy %b, %c : memref<8xi32> to memref<8xi32>
  call @add(%b, %v) : (memref<8xi32>, i32) -> ()
  memref.copy %b, %a : memref<8xi32> to memref<8xi32>
  memref.copy %a, %d : memref<8xi32> to memref<8xi32>
  call @show(%c) : (memref<8xi32>) -> ()
  call @add(%c, %v) : (memref<8xi32>, i32) -> ()
  call @show(%d) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  return
}

// The copy comes back to what was filled, and goes on from there.
// IR-NOT: memref.copy
func.func @copied_back() {
  %v = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%a : memref<8xi32>)
  memref.copy %a, %b : memref<8xi32> to memref<8xi32>
  call @add(%a, %v) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  memref.copy %b, %a : memref<8xi32> to memref<8xi32>
  memref.copy %a, %c : memref<8xi32> to memref<8xi32>
  call @add(%c, %v) : (memref<8xi32>, i32) -> ()
  call @show(%c) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

func.func private @add(%m: memref<8xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<8xi32>, vector<8xi32>
  %w = vector.broadcast %x : i32 to vector<8xi32>
  %s = arith.addi %v, %w : vector<8xi32>
  vector.store %s, %m[%c0] : memref<8xi32>, vector<8xi32>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @one_fill_of_many() : () -> ()
  call @copied_twice() : () -> ()
  call @written_in_between() : () -> ()
  call @written_in_a_loop() : () -> ()
  call @copied_in_a_loop() : () -> ()
  call @overwritten_in_a_branch(%true) : (i1) -> ()
  call @overwritten_in_a_branch(%false) : (i1) -> ()
  call @overwritten() : () -> ()
  call @part() : () -> ()
  call @two_as_one() : () -> ()
  call @changed_in_between() : () -> ()
  call @copied_back() : () -> ()
  return
}
