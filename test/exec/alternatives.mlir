// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline=berth-merge %S/Inputs/prelude.mlir %s
// A value that is one of several buffers: they may have the same bytes as long
// as only the one is wanted that it is.

// CHECK-LABEL: one_of_two: 32
func.func @one_of_two(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %r = scf.if %p -> memref<8xi32> {
    %a = memref.alloc() : memref<8xi32>
    func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
    scf.yield %a : memref<8xi32>
  } else {
    %b = memref.alloc() : memref<8xi32>
    func.call @count(%b, %two) : (memref<8xi32>, i32) -> ()
    scf.yield %b : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: one_of_four: 32
func.func @one_of_four(%i: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %r = scf.index_switch %i -> memref<8xi32>
  case 0 {
    %a = memref.alloc() : memref<8xi32>
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
    scf.yield %a : memref<8xi32>
  }
  case 1 {
    %b = memref.alloc() : memref<8xi32>
    linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
    scf.yield %b : memref<8xi32>
  }
  case 2 {
    %c = memref.alloc() : memref<8xi32>
    func.call @count(%c, %two) : (memref<8xi32>, i32) -> ()
    scf.yield %c : memref<8xi32>
  }
  default {
    %d = memref.alloc() : memref<8xi32>
    func.call @count(%d, %one) : (memref<8xi32>, i32) -> ()
    scf.yield %d : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// Blocks, around and around: in each turn another one.
// CHECK-LABEL: blocks_in_a_loop: 32
func.func @blocks_in_a_loop(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  cf.br ^head(%c0, %p : index, i1)
^head(%i: index, %turn: i1):
  cf.cond_br %turn, ^left, ^right
^left:
  %k = arith.index_cast %i : index to i32
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  cf.br ^meet(%a : memref<8xi32>)
^right:
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  cf.br ^meet(%b : memref<8xi32>)
^meet(%r: memref<8xi32>):
  call @show(%r) : (memref<8xi32>) -> ()
  %next = arith.addi %i, %c1 : index
  %true = arith.constant true
  %other = arith.xori %turn, %true : i1
  %more = arith.cmpi slt, %next, %c5 : index
  cf.cond_br %more, ^head(%next, %other : index, i1), ^end
^end:
  return
}

// The old one or a new one; the old one is not wanted where the new one is made.
// CHECK-LABEL: kept_or_new: 32
func.func @kept_or_new(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %first = memref.alloc() : memref<8xi32>
  call @count(%first, %one) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %first) -> memref<8xi32> {
    %k = arith.index_cast %i : index to i32
    %odd = arith.trunci %k : i32 to i1
    %new = arith.xori %odd, %p : i1
    %r = scf.if %new -> memref<8xi32> {
      %a = memref.alloc() : memref<8xi32>
      func.call @count(%a, %k) : (memref<8xi32>, i32) -> ()
      scf.yield %a : memref<8xi32>
    } else {
      scf.yield %old : memref<8xi32>
    }
    func.call @show(%r) : (memref<8xi32>) -> ()
    scf.yield %r : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// What is chosen is written only then.
// CHECK-LABEL: chosen_first: 32
func.func @chosen_first(%p: i1) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %r = arith.select %p, %a, %b : memref<8xi32>
  call @count(%r, %one) : (memref<8xi32>, i32) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// Both are written before one is chosen.
// CHECK-LABEL: chosen_last: 64
func.func @chosen_last(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  %r = arith.select %p, %a, %b : memref<8xi32>
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// %a is read by its own name too, behind what was written to %b.
// CHECK-LABEL: wanted_besides: 64
func.func @wanted_besides(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %r = scf.if %p -> memref<8xi32> {
    scf.yield %a : memref<8xi32>
  } else {
    %b = memref.alloc() : memref<8xi32>
    func.call @count(%b, %two) : (memref<8xi32>, i32) -> ()
    scf.yield %b : memref<8xi32>
  }
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// %a is written by its own name while %r, which may be %b, is still wanted.
// CHECK-LABEL: written_besides: 64
func.func @written_besides(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %r = scf.if %p -> memref<8xi32> {
    linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
    scf.yield %a : memref<8xi32>
  } else {
    linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
    scf.yield %b : memref<8xi32>
  }
  linalg.fill ins(%three : i32) outs(%a : memref<8xi32>)
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// Half of %a is from the turn before; %b's write in between would spoil it.
// CHECK-LABEL: written_in_part: 64
func.func @written_in_part(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.index_cast %i : index to i32
    %odd = arith.trunci %k : i32 to i1
    %left = arith.xori %odd, %p : i1
    %r = scf.if %left -> memref<8xi32> {
      memref.store %k, %a[%i] : memref<8xi32>
      scf.yield %a : memref<8xi32>
    } else {
      linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
      scf.yield %b : memref<8xi32>
    }
    func.call @show(%r) : (memref<8xi32>) -> ()
  }
  return
}

// Two merges of the same buffers, crosswise: both are wanted at once.
// CHECK-LABEL: crosswise: 64
func.func @crosswise(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %r, %s = scf.if %p -> (memref<8xi32>, memref<8xi32>) {
    scf.yield %a, %b : memref<8xi32>, memref<8xi32>
  } else {
    scf.yield %b, %a : memref<8xi32>, memref<8xi32>
  }
  call @count(%r, %one) : (memref<8xi32>, i32) -> ()
  call @count(%s, %two) : (memref<8xi32>, i32) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  call @show(%s) : (memref<8xi32>) -> ()
  return
}

// In turns that may run at the same time, each has another one in mind.
// CHECK-LABEL: at_the_same_time: 64
func.func @at_the_same_time(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %k = arith.index_cast %i : index to i32
    %odd = arith.trunci %k : i32 to i1
    %left = arith.xori %odd, %p : i1
    %r = arith.select %left, %a, %b : memref<8xi32>
    memref.store %k, %r[%i] : memref<8xi32>
    scf.reduce
  }
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %even = arith.select %p, %b, %a : memref<8xi32>
  %x = memref.load %even[%c3] : memref<8xi32>
  vector.print %x : i32
  %uneven = arith.select %p, %a, %b : memref<8xi32>
  %y = memref.load %uneven[%c2] : memref<8xi32>
  vector.print %y : i32
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  call @one_of_four(%c0) : (index) -> ()
  call @one_of_four(%c1) : (index) -> ()
  call @one_of_four(%c2) : (index) -> ()
  call @one_of_four(%c3) : (index) -> ()
  scf.for %i = %c0 to %c2 step %c1 {
    %k = arith.index_cast %i : index to i32
    %p = arith.trunci %k : i32 to i1
    func.call @one_of_two(%p) : (i1) -> ()
    func.call @blocks_in_a_loop(%p) : (i1) -> ()
    func.call @kept_or_new(%p) : (i1) -> ()
    func.call @chosen_first(%p) : (i1) -> ()
    func.call @chosen_last(%p) : (i1) -> ()
    func.call @wanted_besides(%p) : (i1) -> ()
    func.call @written_besides(%p) : (i1) -> ()
    func.call @written_in_part(%p) : (i1) -> ()
    func.call @crosswise(%p) : (i1) -> ()
    func.call @at_the_same_time(%p) : (i1) -> ()
  }
  return
}
