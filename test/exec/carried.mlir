// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// Buffers that loops and branches carry: values that may be any of several.

// Ping-pong: the two buffers change places in each iteration, so both live
// through the whole loop, and a temporary shares with neither.
// CHECK-LABEL: ping_pong: 96
func.func @ping_pong() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<8xi32>, memref<8xi32>) {
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
    linalg.add ins(%x, %t : memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32>)
    scf.yield %y, %x : memref<8xi32>, memref<8xi32>
  }
  call @show(%r#0) : (memref<8xi32>) -> ()
  call @show(%r#1) : (memref<8xi32>) -> ()
  return
}

// Each iteration yields a buffer of its own and reads the previous one: two
// instances of the same allocation live at once, so they take turns in two
// places.
// CHECK-LABEL: yielded_allocation: 96
func.func @yielded_allocation() {
  %nine = arith.constant 9 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> (memref<8xi32>) {
    %new = memref.alloc() : memref<8xi32>
    %t = memref.alloc() : memref<8xi32>
    linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
    linalg.fill ins(%one : i32) outs(%new : memref<8xi32>)
    linalg.add ins(%x, %t : memref<8xi32>, memref<8xi32>) outs(%new : memref<8xi32>)
    func.call @show(%x) : (memref<8xi32>) -> ()
    scf.yield %new : memref<8xi32>
  }
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// The result of a loop may be the buffer it began with or the one it yields;
// both must survive what follows.
// CHECK-LABEL: loop_result: 96
func.func @loop_result(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<8xi32>) {
    scf.yield %b : memref<8xi32>
  }
  call @count(%t, %two) : (memref<8xi32>, i32) -> ()
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// The result of an if.
// CHECK-LABEL: if_result: 96
func.func @if_result(%p: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %r = scf.if %p -> memref<8xi32> {
    scf.yield %a : memref<8xi32>
  } else {
    scf.yield %b : memref<8xi32>
  }
  call @count(%t, %two) : (memref<8xi32>, i32) -> ()
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// Allocated in the branches and yielded: the result may be either, so both have
// one place, and not that of what is used before it is read.
// CHECK-LABEL: if_allocates: 64
func.func @if_allocates(%p: i1) {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %t = memref.alloc() : memref<8xi32>
  %r = scf.if %p -> memref<8xi32> {
    %a = memref.alloc() : memref<8xi32>
    func.call @count(%a, %one) : (memref<8xi32>, i32) -> ()
    scf.yield %a : memref<8xi32>
  } else {
    %b = memref.alloc() : memref<8xi32>
    func.call @count(%b, %two) : (memref<8xi32>, i32) -> ()
    scf.yield %b : memref<8xi32>
  }
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%r) : (memref<8xi32>) -> ()
  return
}

// A while that carries one of two buffers from its test to its body.
// CHECK-LABEL: while_carries: 96
func.func @while_carries() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %r:3 = scf.while (%i = %c0, %x = %a, %y = %b)
      : (index, memref<8xi32>, memref<8xi32>) -> (index, memref<8xi32>, memref<8xi32>) {
    %more = arith.cmpi ult, %i, %c4 : index
    scf.condition(%more) %i, %y, %x : index, memref<8xi32>, memref<8xi32>
  } do {
  ^bb0(%i: index, %x: memref<8xi32>, %y: memref<8xi32>):
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
    linalg.add ins(%x, %t : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %x, %y : index, memref<8xi32>, memref<8xi32>
  }
  call @show(%r#1) : (memref<8xi32>) -> ()
  call @show(%r#2) : (memref<8xi32>) -> ()
  return
}

// A loop of blocks that carries buffers as arguments.
// CHECK-LABEL: blocks_carry: 96
func.func @blocks_carry() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  cf.br ^header(%c0, %a, %b : index, memref<8xi32>, memref<8xi32>)
^header(%i: index, %x: memref<8xi32>, %y: memref<8xi32>):
  %more = arith.cmpi ult, %i, %c4 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %k = arith.index_cast %i : index to i32
  linalg.fill ins(%k : i32) outs(%t : memref<8xi32>)
  linalg.add ins(%x, %t : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next, %y, %x : index, memref<8xi32>, memref<8xi32>)
^exit:
  call @show(%x) : (memref<8xi32>) -> ()
  call @show(%y) : (memref<8xi32>) -> ()
  return
}

// A select: writing through it is writing to either, so neither is overwritten
// for certain.
// CHECK-LABEL: select_write: 96
func.func @select_write(%p: i1) {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  %either = arith.select %p, %a, %b : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%either : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// A select: the only read is through it.
// CHECK-LABEL: select_read: 96
func.func @select_read(%p: i1) {
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %either = arith.select %p, %a, %b : memref<8xi32>
  linalg.fill ins(%nine : i32) outs(%t : memref<8xi32>)
  call @show(%t) : (memref<8xi32>) -> ()
  call @show(%either) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %no = arith.constant false
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  call @ping_pong() : () -> ()
  call @yielded_allocation() : () -> ()
  call @loop_result(%c0) : (index) -> ()
  call @loop_result(%c2) : (index) -> ()
  call @if_result(%no) : (i1) -> ()
  call @if_result(%yes) : (i1) -> ()
  call @if_allocates(%no) : (i1) -> ()
  call @if_allocates(%yes) : (i1) -> ()
  call @while_carries() : () -> ()
  call @blocks_carry() : () -> ()
  call @select_write(%no) : (i1) -> ()
  call @select_write(%yes) : (i1) -> ()
  call @select_read(%no) : (i1) -> ()
  call @select_read(%yes) : (i1) -> ()
  return
}
