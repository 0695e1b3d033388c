// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output --pipeline=berth-arena --pipeline='berth-arena{dynamic=bounded poison=true}' --pipeline=berth-merge %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: not %mlir-opt-berth %t.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=signed-bounds})' 2>&1 | FileCheck %s
// CHECK: error: reads a
// MLIR 19 has no such loops.
// REQUIRES: llvm-22
// Loops that compare their bounds as unsigned numbers, and whose bounds compare
// otherwise as signed ones.

func.func private @fill(%m: memref<?xi32>, %x: i32) {
  linalg.fill ins(%x : i32) outs(%m : memref<?xi32>)
  return
}

func.func private @first(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi32>
  vector.print %v : i32
  return
}

// The bytes of %a and %b count where the loop runs: it does, from 2^63 - 1 to
// 2^63 + 1.
func.func @runs(%lb: index, %ub: index, %n: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.for unsigned %i = %lb to %ub step %c1 {
    %b = memref.alloc(%n) : memref<?xi32>
    func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
    %a = memref.alloc(%n) : memref<?xi32>
    func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
    func.call @first(%b) : (memref<?xi32>) -> ()
    func.call @first(%a) : (memref<?xi32>) -> ()
  }
  return
}

// The same of other types than index.
func.func @runs_in_bytes(%lb: i8, %ub: i8, %n: index) {
  %c1 = arith.constant 1 : i8
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.for unsigned %i = %lb to %ub step %c1 : i8 {
    %b = memref.alloc(%n) : memref<?xi32>
    func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
    %a = memref.alloc(%n) : memref<?xi32>
    func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
    func.call @first(%b) : (memref<?xi32>) -> ()
    func.call @first(%a) : (memref<?xi32>) -> ()
  }
  return
}

// A bound of at most 100 says nothing of the variable: below 0 it is large.
func.func @variable_as_size(%lb: index, %ub: index, %step: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %most = affine.min affine_map<(n) -> (n, 100)>(%ub)
  scf.for unsigned %i = %lb to %most step %step {
    %b = memref.alloc(%i) : memref<?xi32>
    func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
    func.call @first(%b) : (memref<?xi32>) -> ()
  }
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c7 = arith.constant 7 : index
  %c120 = arith.constant 120 : index
  %most = arith.constant 9223372036854775807 : index
  %above = arith.constant -9223372036854775807 : index
  %last = arith.constant -100 : index
  %far = arith.constant -200 : index
  %byte = arith.constant 126 : i8
  %large = arith.constant -126 : i8
  call @runs(%most, %above, %c7) : (index, index, index) -> ()
  call @runs(%above, %most, %c7) : (index, index, index) -> ()
  call @runs_in_bytes(%byte, %large, %c7) : (i8, i8, index) -> ()
  call @variable_as_size(%c120, %last, %far) : (index, index, index) -> ()
  return
}
