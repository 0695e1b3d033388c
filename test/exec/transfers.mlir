// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// RUN: %same-output --late=%late %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %mutate --late=%late %S/Inputs/prelude.mlir %s | FileCheck %s --check-prefix=MUTATED
// MUTATED: {{[0-9]+}} caught, {{[0-9]+}} harmless, 0 missed
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: not %mlir-opt-berth %t.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-dma})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %mlir-opt-berth %t.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=any-dma-wait})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: touches bytes of the arena that a transfer may still use through another buffer
// Transfers that go on behind their start, up to the wait for their tag: the
// test brings them at the wait, and spoils their targets until then. Sizes are
// those of the arena, tags and all.

// A tag, what is read and what is written lie apart from what is used while the
// transfer is under way. What comes behind it may have their bytes.
// CHECK-LABEL: one: 100
func.func @one() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant 1 : i32
  %n5 = arith.constant 5 : i32
  %n9 = arith.constant 9 : i32
  %from = memref.alloc() : memref<8xi32>
  %to = memref.alloc() : memref<8xi32>
  %tag = memref.alloc() : memref<1xi32>
  %beside = memref.alloc() : memref<8xi32>
  %behind = memref.alloc() : memref<8xi32>
  func.call @count(%from, %n1) : (memref<8xi32>, i32) -> ()
  memref.dma_start %from[%c0], %to[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<1xi32>
  func.call @count(%beside, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%beside) : (memref<8xi32>) -> ()
  memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  func.call @count(%behind, %n9) : (memref<8xi32>, i32) -> ()
  func.call @show(%behind) : (memref<8xi32>) -> ()
  func.call @show(%to) : (memref<8xi32>) -> ()
  return
}

// The source is read last by the start, and yet it stays until the wait.
// CHECK-LABEL: out: 68
func.func @out(%result: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant 1 : i32
  %n5 = arith.constant 5 : i32
  %from = memref.alloc() : memref<8xi32>
  %tag = memref.alloc() : memref<1xi32>
  %beside = memref.alloc() : memref<8xi32>
  %behind = memref.alloc() : memref<8xi32>
  func.call @count(%from, %n1) : (memref<8xi32>, i32) -> ()
  memref.dma_start %from[%c0], %result[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<1xi32>
  func.call @count(%beside, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%beside) : (memref<8xi32>) -> ()
  memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  func.call @count(%behind, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%behind) : (memref<8xi32>) -> ()
  return
}

// Two at once on two elements of one tag: each ends with its own wait.
// CHECK-LABEL: two: 104
func.func @two(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %tag = memref.alloc() : memref<2xi32>
  %t = memref.alloc() : memref<8xi32>
  %u = memref.alloc() : memref<8xi32>
  %v = memref.alloc() : memref<8xi32>
  memref.dma_start %x[%c0], %a[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_start %x[%c0], %b[%c0], %c8, %tag[%c1] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  func.call @count(%t, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%t) : (memref<8xi32>) -> ()
  memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
  func.call @show(%b) : (memref<8xi32>) -> ()
  func.call @count(%u, %n5) : (memref<8xi32>, i32) -> ()
  func.call @count(%v, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%u) : (memref<8xi32>) -> ()
  func.call @show(%v) : (memref<8xi32>) -> ()
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The same the other way round, where nobody reads what is under way: after the
// first wait one source is free, the other one is not.
// CHECK-LABEL: two_out: 72
func.func @two_out(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %n6 = arith.constant 6 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %tag = memref.alloc() : memref<2xi32>
  %t = memref.alloc() : memref<8xi32>
  func.call @count(%a, %n5) : (memref<8xi32>, i32) -> ()
  func.call @count(%b, %n6) : (memref<8xi32>, i32) -> ()
  memref.dma_start %a[%c0], %x[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_start %b[%c0], %y[%c0], %c8, %tag[%c1] : memref<8xi32>, memref<8xi32>, memref<2xi32>
  memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
  func.call @count(%t, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%t) : (memref<8xi32>) -> ()
  memref.dma_wait %tag[%c0], %c8 : memref<2xi32>
  return
}

// Each turn waits for what the turn before has started, on one element.
// CHECK-LABEL: one_element: 68
func.func @one_element(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %tag = memref.alloc() : memref<i32>
  %behind = memref.alloc() : memref<8xi32>
  memref.dma_start %x[%c0], %a[%c0], %c8, %tag[] : memref<8xi32>, memref<8xi32>, memref<i32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc() : memref<8xi32>
    func.call @count(%t, %n5) : (memref<8xi32>, i32) -> ()
    func.call @show(%t) : (memref<8xi32>) -> ()
    memref.dma_wait %tag[], %c8 : memref<i32>
    func.call @show(%a) : (memref<8xi32>) -> ()
    memref.dma_start %x[%c0], %a[%c0], %c8, %tag[] : memref<8xi32>, memref<8xi32>, memref<i32>
  }
  memref.dma_wait %tag[], %c8 : memref<i32>
  func.call @show(%a) : (memref<8xi32>) -> ()
  func.call @count(%behind, %n5) : (memref<8xi32>, i32) -> ()
  func.call @show(%behind) : (memref<8xi32>) -> ()
  return
}

// Two stages, whose numbers the loop swaps. Behind the last wait their bytes are
// free.
// CHECK-LABEL: swapped: 104
func.func @swapped(%x: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %stages = memref.alloc() : memref<2x8xi32>
  %tags = memref.alloc() : memref<2xi32>
  memref.dma_start %x[%c0], %stages[%c0, %c0], %c8, %tags[%c0] : memref<8xi32>, memref<2x8xi32>, memref<2xi32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%this = %c0, %next = %c1) -> (index, index) {
    memref.dma_start %x[%c0], %stages[%next, %c0], %c8, %tags[%next] : memref<8xi32>, memref<2x8xi32>, memref<2xi32>
    %t = memref.alloc() : memref<8xi32>
    func.call @count(%t, %n5) : (memref<8xi32>, i32) -> ()
    memref.dma_wait %tags[%this], %c8 : memref<2xi32>
    %v = memref.load %stages[%this, %c1] : memref<2x8xi32>
    memref.store %v, %t[%c1] : memref<8xi32>
    func.call @show(%t) : (memref<8xi32>) -> ()
    scf.yield %next, %this : index, index
  }
  memref.dma_wait %tags[%last#0], %c8 : memref<2xi32>
  %w = memref.load %stages[%last#0, %c1] : memref<2x8xi32>
  %behind = memref.alloc() : memref<26xi32>
  linalg.fill ins(%w : i32) outs(%behind : memref<26xi32>)
  %s = memref.subview %behind[0] [8] [1] : memref<26xi32> to memref<8xi32>
  func.call @show(%s) : (memref<8xi32>) -> ()
  return
}

// One number that flips.
// CHECK-LABEL: flipped: 104
func.func @flipped(%x: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %stages = memref.alloc() : memref<2x8xi32>
  %tags = memref.alloc() : memref<2xi32>
  memref.dma_start %x[%c0], %stages[%c0, %c0], %c8, %tags[%c0] : memref<8xi32>, memref<2x8xi32>, memref<2xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%this = %c0) -> (index) {
    %next = arith.subi %c1, %this : index
    memref.dma_start %x[%c0], %stages[%next, %c0], %c8, %tags[%next] : memref<8xi32>, memref<2x8xi32>, memref<2xi32>
    %t = memref.alloc() : memref<8xi32>
    func.call @count(%t, %n5) : (memref<8xi32>, i32) -> ()
    memref.dma_wait %tags[%this], %c8 : memref<2xi32>
    %v = memref.load %stages[%this, %c1] : memref<2x8xi32>
    memref.store %v, %t[%c1] : memref<8xi32>
    func.call @show(%t) : (memref<8xi32>) -> ()
    scf.yield %next : index
  }
  memref.dma_wait %tags[%last], %c8 : memref<2xi32>
  %behind = memref.alloc() : memref<26xi32>
  linalg.fill ins(%n5 : i32) outs(%behind : memref<26xi32>)
  %s = memref.subview %behind[0] [8] [1] : memref<26xi32> to memref<8xi32>
  func.call @show(%s) : (memref<8xi32>) -> ()
  return
}

// Four stages, three of them under way, by the remainder of the turn's number.
// CHECK-LABEL: ring: 176
func.func @ring(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %n5 = arith.constant 5 : i32
  %stages = memref.alloc() : memref<4x8xi32>
  %tags = memref.alloc() : memref<4xi32>
  memref.dma_start %x[%c0], %stages[%c0, %c0], %c8, %tags[%c0] : memref<8xi32>, memref<4x8xi32>, memref<4xi32>
  memref.dma_start %x[%c0], %stages[%c1, %c0], %c8, %tags[%c1] : memref<8xi32>, memref<4x8xi32>, memref<4xi32>
  scf.for %i = %c2 to %c10 step %c1 {
    %next = arith.remui %i, %c4 : index
    memref.dma_start %x[%c0], %stages[%next, %c0], %c8, %tags[%next] : memref<8xi32>, memref<4x8xi32>, memref<4xi32>
    %t = memref.alloc() : memref<8xi32>
    func.call @count(%t, %n5) : (memref<8xi32>, i32) -> ()
    %first = arith.subi %i, %c2 : index
    %this = arith.remui %first, %c4 : index
    memref.dma_wait %tags[%this], %c8 : memref<4xi32>
    %v = memref.load %stages[%this, %c1] : memref<4x8xi32>
    memref.store %v, %t[%c1] : memref<8xi32>
    func.call @show(%t) : (memref<8xi32>) -> ()
  }
  memref.dma_wait %tags[%c0], %c8 : memref<4xi32>
  memref.dma_wait %tags[%c1], %c8 : memref<4xi32>
  %behind = memref.alloc() : memref<44xi32>
  linalg.fill ins(%n5 : i32) outs(%behind : memref<44xi32>)
  %s = memref.subview %behind[0] [8] [1] : memref<44xi32> to memref<8xi32>
  func.call @show(%s) : (memref<8xi32>) -> ()
  return
}

// The same as blocks: what a branch hands on is the number's new name.
// CHECK-LABEL: blocks: 104
func.func @blocks(%x: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %stages = memref.alloc() : memref<2x8xi32>
  %tags = memref.alloc() : memref<2xi32>
  %t = memref.alloc() : memref<8xi32>
  %behind = memref.alloc() : memref<26xi32>
  memref.dma_start %x[%c0], %stages[%c0, %c0], %c8, %tags[%c0] : memref<8xi32>, memref<2x8xi32>, memref<2xi32>
  cf.br ^turn(%c0, %c0 : index, index)
^turn(%i: index, %this: index):
  %next = arith.xori %this, %c1 : index
  memref.dma_start %x[%c0], %stages[%next, %c0], %c8, %tags[%next] : memref<8xi32>, memref<2x8xi32>, memref<2xi32>
  linalg.fill ins(%n5 : i32) outs(%t : memref<8xi32>)
  memref.dma_wait %tags[%this], %c8 : memref<2xi32>
  %v = memref.load %stages[%this, %c1] : memref<2x8xi32>
  memref.store %v, %t[%c1] : memref<8xi32>
  func.call @show(%t) : (memref<8xi32>) -> ()
  %following = arith.addi %i, %c1 : index
  %isMore = arith.cmpi slt, %following, %n : index
  cf.cond_br %isMore, ^turn(%following, %next : index, index), ^end(%next : index)
^end(%last: index):
  memref.dma_wait %tags[%last], %c8 : memref<2xi32>
  linalg.fill ins(%n5 : i32) outs(%behind : memref<26xi32>)
  %s = memref.subview %behind[0] [8] [1] : memref<26xi32> to memref<8xi32>
  func.call @show(%s) : (memref<8xi32>) -> ()
  return
}

// A target that is overwritten from end to end is free before, in each turn.
// CHECK-LABEL: overwritten: 40
func.func @overwritten(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %n5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %tag = memref.alloc() : memref<2xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    memref.dma_start %x[%c0], %a[%c0], %c8, %tag[%c1] : memref<8xi32>, memref<8xi32>, memref<2xi32>
    memref.dma_wait %tag[%c1], %c8 : memref<2xi32>
    func.call @show(%a) : (memref<8xi32>) -> ()
    linalg.fill ins(%n5 : i32) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  return
}

// A function that waits for what it starts leaves nothing behind.
func.func private @fetch(%x: memref<8xi32>, %to: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %x[%c0], %to[%c0], %c8, %tag[%c0] : memref<8xi32>, memref<8xi32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  return
}

// CHECK-LABEL: called: 32
func.func @called(%x: memref<8xi32>) {
  %n5 = arith.constant 5 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @fetch(%x, %a) : (memref<8xi32>, memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  call @count(%b, %n5) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n3 = arith.constant 3 : i32
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<8xi32>
  call @count(%x, %n3) : (memref<8xi32>, i32) -> ()
  call @one() : () -> ()
  call @out(%y) : (memref<8xi32>) -> ()
  call @show(%y) : (memref<8xi32>) -> ()
  call @two(%x) : (memref<8xi32>) -> ()
  call @two_out(%x, %y) : (memref<8xi32>, memref<8xi32>) -> ()
  call @show(%x) : (memref<8xi32>) -> ()
  call @show(%y) : (memref<8xi32>) -> ()
  call @one_element(%x) : (memref<8xi32>) -> ()
  call @swapped(%x, %c4) : (memref<8xi32>, index) -> ()
  call @swapped(%x, %c0) : (memref<8xi32>, index) -> ()
  call @flipped(%x, %c4) : (memref<8xi32>, index) -> ()
  call @flipped(%x, %c0) : (memref<8xi32>, index) -> ()
  call @ring(%x) : (memref<8xi32>) -> ()
  call @blocks(%x, %c4) : (memref<8xi32>, index) -> ()
  call @overwritten(%x) : (memref<8xi32>) -> ()
  call @called(%x) : (memref<8xi32>) -> ()
  return
}
