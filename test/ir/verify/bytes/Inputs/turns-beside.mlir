// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another op of the loop reads, or writes, what a turn is to hold.
//--- read.mlir
#s = strided<[1], offset: ?>
#t = strided<[16, 1], offset: ?>
func.func @read(%n: index, %o: memref<16xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %tag = memref.alloca() : memref<1xi32, 1>
  %last = memref.alloca() : memref<1xi32, 1>
  %b = memref.alloc() {berth.content = 3 : i64, berth.content_begins = [3], berth.content_places = 1 : i64} : memref<96xi32, 1>
  %two = memref.alloc() {berth.tile = 3 : i64, berth.tile_turns} : memref<2x16xi32>
  %zero = memref.subview %two[0, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, strided<[1]>>
  linalg.fill ins(%one : i32) outs(%zero : memref<16xi32, strided<[1]>>)
  %r:3 = scf.for %j = %c16 to %n step %c16 iter_args(%p = %c0, %here = %c1, %there = %c0) -> (index, index, index) {
    %v = memref.subview %b[%p] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
    %t = memref.subview %two[%there, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, #s>
    memref.dma_start %t[%c0], %v[%c0], %c16, %tag[%c0] : memref<16xi32, #s>, memref<16xi32, #s, 1>, memref<1xi32, 1>
    %h = memref.subview %two[%here, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, #s>
    linalg.fill ins(%one : i32) outs(%h : memref<16xi32, #s>)
    memref.dma_wait %tag[%c0], %c16 {berth.tile = 3 : i64} : memref<1xi32, 1>
    memref.copy %v, %o : memref<16xi32, #s, 1> to memref<16xi32, 1>
    scf.yield %j, %there, %here : index, index, index
  }
  %v = memref.subview %b[%r#0] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
  %t = memref.subview %two[%r#2, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, #s>
  memref.dma_start %t[%c0], %v[%c0], %c16, %last[%c0] : memref<16xi32, #s>, memref<16xi32, #s, 1>, memref<1xi32, 1>
  memref.dma_wait %last[%c0], %c16 {berth.tile = 3 : i64} : memref<1xi32, 1>
  return
}
//--- written.mlir
#s = strided<[1], offset: ?>
func.func @written(%n: index, %o: memref<16xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %tag = memref.alloca() : memref<1xi32, 1>
  %first = memref.alloca() : memref<1xi32, 1>
  %b = memref.alloc() {berth.content = 3 : i64, berth.content_begins = [3], berth.content_places = 1 : i64} : memref<96xi32, 1>
  linalg.fill ins(%one : i32) outs(%b : memref<96xi32, 1>)
  %two = memref.alloc() {berth.tile = 3 : i64, berth.tile_turns} : memref<2x16xi32>
  %zero = memref.subview %two[0, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, strided<[1]>>
  %start = memref.subview %b[0] [16] [1] : memref<96xi32, 1> to memref<16xi32, strided<[1]>, 1>
  memref.dma_start %start[%c0], %zero[%c0], %c16, %first[%c0] : memref<16xi32, strided<[1]>, 1>, memref<16xi32, strided<[1]>>, memref<1xi32, 1>
  memref.dma_wait %first[%c0], %c16 {berth.tile = 3 : i64} : memref<1xi32, 1>
  %r:3 = scf.for %j = %c16 to %n step %c16 iter_args(%p = %c0, %here = %c0, %there = %c1) -> (index, index, index) {
    %v = memref.subview %b[%j] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
    %t = memref.subview %two[%there, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, #s>
    memref.dma_start %v[%c0], %t[%c0], %c16, %tag[%c0] : memref<16xi32, #s, 1>, memref<16xi32, #s>, memref<1xi32, 1>
    %h = memref.subview %two[%here, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, #s>
    memref.copy %h, %o : memref<16xi32, #s> to memref<16xi32, 1>
    memref.dma_wait %tag[%c0], %c16 {berth.tile = 3 : i64} : memref<1xi32, 1>
    memref.store %one, %b[%p] : memref<96xi32, 1>
    scf.yield %j, %there, %here : index, index, index
  }
  %h = memref.subview %two[%r#1, 0] [1, 16] [1, 1] : memref<2x16xi32> to memref<16xi32, #s>
  memref.copy %h, %o : memref<16xi32, #s> to memref<16xi32, 1>
  return
}
