// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An arena may lie in a buffer of another one: a block of the heap that has been
// placed, or a frame behind inline. Each is checked by itself.
// RUN: %mlir-opt-berth %s --verify-diagnostics --pass-pipeline="builtin.module(berth-verify)" -o /dev/null

// What works in place within the block is seen, and so is that all of it is
// overwritten.
func.func @right(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<256xi8>
  %heap = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<128xi8>
  %block = memref.view %heap[%n][] : memref<128xi8> to memref<32xi8>
  %a = memref.view %block[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xf32>
  %b = memref.view %block[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.sqrt ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// One that does not work in place.
func.func @at_once(%x: memref<8x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<512xi8>
  %heap = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8> to memref<512xi8>
  %block = memref.view %heap[%n][] : memref<512xi8> to memref<256xi8>
  %a = memref.view %block[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %block[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0] // expected-error {{reads a buffer while it writes another one}}
  memref.copy %b, %x : memref<8x8xf32> to memref<8x8xf32>
  return
}

// Within the block.
func.func @inner(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<256xi8>
  %heap = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<128xi8>
  %block = memref.view %heap[%n][] : memref<128xi8> to memref<32xi8>
  %a = memref.view %block[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xf32>
  %b = memref.view %block[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.sqrt ins(%x : memref<8xf32>) outs(%b : memref<8xf32>) // expected-note {{by this write}}
  memref.copy %a, %x : memref<8xf32> to memref<8xf32> // expected-error {{may have been overwritten by another buffer's}}
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// Around it: the block's buffers lie in one that shares bytes with %other.
func.func @outer(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<256xi8>
  %heap = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<128xi8>
  %other = memref.view %arena[%c64][] {berth.buffer = 1} : memref<256xi8> to memref<8xf32>
  %block = memref.view %heap[%n][] : memref<128xi8> to memref<32xi8>
  %a = memref.view %block[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.sqrt ins(%x : memref<8xf32>) outs(%other : memref<8xf32>) // expected-note {{by this write}}
  memref.copy %a, %x : memref<8xf32> to memref<8xf32> // expected-error {{may have been overwritten by another buffer's}}
  memref.copy %other, %x : memref<8xf32> to memref<8xf32>
  return
}

// Three of them, and what is wrong is in the innermost.
func.func @third(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<256xi8>
  %heap = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<128xi8>
  %block = memref.view %heap[%n][] {berth.buffer = 0} : memref<128xi8> to memref<64xi8>
  %frame = memref.view %block[%n][] : memref<64xi8> to memref<32xi8>
  %a = memref.view %frame[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xf32>
  %b = memref.view %frame[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.sqrt ins(%x : memref<8xf32>) outs(%b : memref<8xf32>) // expected-note {{by this write}}
  memref.copy %a, %x : memref<8xf32> to memref<8xf32> // expected-error {{may have been overwritten by another buffer's}}
  return
}
