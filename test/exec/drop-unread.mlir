// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is filled or copied for nobody goes: the programs compute the same.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena' --pipeline='berth-arena{poison=true}' --pipeline='berth-arena{drop-unread=false poison=true}' %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{drop-unread=false}' %S/Inputs/prelude.mlir %s | FileCheck --check-prefix=KEPT %s

// CHECK: overwritten: 32
// KEPT: overwritten: 64
func.func @overwritten() {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %seven) : (memref<8xi32>, i32) -> ()
  linalg.fill ins(%zero : i32) outs(%b : memref<8xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xi32>) outs(%b : memref<8xi32>) {
  ^bb0(%v: i32, %o: i32):
    %w = arith.muli %v, %v : i32
    linalg.yield %w : i32
  }
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// Each turn reads what the last one filled.
// CHECK: next_turn: 64
func.func @next_turn() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%b, %three) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    memref.copy %b, %a : memref<8xi32> to memref<8xi32>
    func.call @show(%a) : (memref<8xi32>) -> ()
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
  }
  return
}

// Only what another way does not overwrite is read.
// CHECK: some_ways: 32
func.func @some_ways() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %five = arith.constant 5 : i32
  %nine = arith.constant 9 : i32
  %b = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.fill ins(%five : i32) outs(%b : memref<8xi32>)
    %two = arith.constant 2 : index
    %odd = arith.remui %i, %two : index
    %c = arith.cmpi eq, %odd, %c1 : index
    scf.if %c {
      linalg.fill ins(%nine : i32) outs(%b : memref<8xi32>)
    }
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// A part of it is read.
// CHECK: a_part: 32
func.func @a_part() {
  %five = arith.constant 5 : i32
  %nine = arith.constant 9 : i32
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%five : i32) outs(%b : memref<8xi32>)
  %half = memref.subview %b[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  linalg.fill ins(%nine : i32) outs(%half : memref<4xi32, strided<[1]>>)
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// It may be filled through the other one's view, and nobody reads that.
// CHECK: either: 64
func.func @either() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i32
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %five) : (memref<8xi32>, i32) -> ()
  call @count(%b, %three) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c2 step %c1 {
    %c = arith.cmpi eq, %i, %c1 : index
    %s = arith.select %c, %b, %a : memref<8xi32>
    linalg.fill ins(%five : i32) outs(%s : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// Nobody touches %b and %r, whatever lies on them.
// CHECK: untouched: 32
func.func @untouched() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %five = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %five) : (memref<8xi32>, i32) -> ()
  %b = memref.alloc() : memref<8xi32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %b) -> memref<8xi32> {
    scf.yield %x : memref<8xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  memref.dealloc %r : memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  return
}

func.func @main() {
  call @overwritten() : () -> ()
  call @next_turn() : () -> ()
  call @some_ways() : () -> ()
  call @a_part() : () -> ()
  call @either() : () -> ()
  call @untouched() : () -> ()
  return
}
