// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --split-input-file --verify-diagnostics --berth-verify -o /dev/null

// %x has bytes 0 to 63, %y lies on its lower half, which has been read.
func.func @lower_is_dead(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %lo = memref.subview %x[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1]>>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  memref.copy %lo, %out : memref<8xi32, strided<[1]>> to memref<8xi32>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

func.func @lower_is_live(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %lo = memref.subview %x[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1]>>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  memref.copy %lo, %out : memref<8xi32, strided<[1]>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// %y reaches one element into the upper half.
func.func @one_too_far(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c4][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// A write to some of the lower half does not make the rest of it good again.
func.func @some_of_it(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %lo = memref.subview %x[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1]>>
  %even = memref.subview %x[0] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2]>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%even : memref<4xi32, strided<[2]>>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %lo, %out : memref<8xi32, strided<[1]>> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Another way to the lower half: through what a view was made of.
func.func @moved_back(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  %back = memref.reinterpret_cast %hi to offset: [0], sizes: [8], strides: [1] : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32, strided<[1]>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %back, %out : memref<8xi32, strided<[1]>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// What a value merges may be all of it.
func.func @chosen(%v: i32, %out: memref<8xi32>, %is: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %lo = memref.subview %x[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 0>>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  %l = memref.cast %lo : memref<8xi32, strided<[1], offset: 0>> to memref<8xi32, strided<[1], offset: ?>>
  %h = memref.cast %hi : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32, strided<[1], offset: ?>>
  %p = arith.select %is, %l, %h : memref<8xi32, strided<[1], offset: ?>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %p, %out : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// What stands for all of the buffer in between is no other buffer.
func.func @with_metadata(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %x : memref<16xi32> -> memref<i32>, index, index, index
  %all = memref.reinterpret_cast %base to offset: [0], sizes: [8], strides: [1] : memref<i32> to memref<8xi32, strided<[1]>>
  memref.copy %all, %out : memref<8xi32, strided<[1]>> to memref<8xi32>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The same, when it is read.
func.func @through_metadata(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %hi : memref<8xi32, strided<[1], offset: 8>> -> memref<i32>, index, index, index
  %all = memref.reinterpret_cast %base to offset: [0], sizes: [8], strides: [1] : memref<i32> to memref<8xi32, strided<[1]>>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  // expected-error @+1 {{reads a buffer}}
  memref.copy %all, %out : memref<8xi32, strided<[1]>> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Behind expand-strided-metadata a subview is this.
func.func @expanded(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %x : memref<16xi32> -> memref<i32>, index, index, index
  %hi = memref.reinterpret_cast %base to offset: [8], sizes: [8], strides: [1] : memref<i32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The same, one element too low.
func.func @expanded_too_low(%v: i32, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %x : memref<16xi32> -> memref<i32>, index, index, index
  %hi = memref.reinterpret_cast %base to offset: [7], sizes: [8], strides: [1] : memref<i32> to memref<8xi32, strided<[1], offset: 7>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 7>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// From a byte view of a buffer, offsets count from where that starts.
func.func @from_byte_view(%v: i8, %out: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<64xi8>
  %lo = memref.view %x[%c0][] : memref<64xi8> to memref<48xi8>
  %up = memref.view %x[%c32][] : memref<64xi8> to memref<32xi8>
  %first = memref.reinterpret_cast %up to offset: [0], sizes: [16], strides: [1] : memref<32xi8> to memref<16xi8, strided<[1]>>
  %half = memref.subview %x[0] [32] [1] : memref<64xi8> to memref<32xi8, strided<[1]>>
  linalg.fill ins(%v : i8) outs(%x : memref<64xi8>)
  memref.copy %half, %out : memref<32xi8, strided<[1]>> to memref<32xi8>
  %y = memref.view %arena[%c32][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i8) outs(%y : memref<32xi8>)
  %some = memref.subview %out[0] [16] [1] : memref<32xi8> to memref<16xi8, strided<[1]>>
  // expected-error @+1 {{reads a buffer}}
  memref.copy %first, %some : memref<16xi8, strided<[1]>> to memref<16xi8, strided<[1]>>
  memref.copy %y, %out : memref<32xi8> to memref<32xi8>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Beside buffers of sizes known at run time only, which lie above.
func.func @below_dynamic(%v: i32, %out: memref<8xi32>, %n: index, %bytes: index, %w: i8, %all: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %top = arith.addi %n, %c64 : index
  %arena = memref.alloc(%bytes) : memref<?xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<?xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  %z = memref.view %arena[%top][%n] {berth.buffer = 2} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<?xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  linalg.fill ins(%w : i8) outs(%z : memref<?xi8>)
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  memref.copy %y, %out : memref<8xi32> to memref<8xi32>
  memref.copy %z, %all : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// One that may begin in the upper half is apart from neither piece.
func.func @into_dynamic(%v: i32, %out: memref<8xi32>, %n: index, %bytes: index, %w: i8, %all: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %top = arith.addi %n, %c32 : index
  %arena = memref.alloc(%bytes) : memref<?xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<?xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  %z = memref.view %arena[%top][%n] {berth.buffer = 2} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<?xi8> to memref<8xi32>
  linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%w : i8) outs(%z : memref<?xi8>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %hi, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  memref.copy %z, %all : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// A loop overwrites the lower half, at places that only its turns tell, while the
// upper half is another buffer's.
func.func @covered_piece(%v: i32, %out: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  memref.copy %x, %out : memref<16xi32> to memref<16xi32>
  %z = memref.view %arena[%c0][] {berth.buffer = 2} : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%v : i32) outs(%z : memref<16xi32>)
  memref.copy %z, %out : memref<16xi32> to memref<16xi32>
  scf.for %i = %c0 to %c8 step %c4 {
    %p = memref.subview %x[%i] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
    linalg.fill ins(%v : i32) outs(%p : memref<4xi32, strided<[1], offset: ?>>)
    %y = memref.view %arena[%c32][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  }
  linalg.fill ins(%v : i32) outs(%hi : memref<8xi32, strided<[1], offset: 8>>)
  memref.copy %x, %out : memref<16xi32> to memref<16xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The last element of the lower half is not among them.
func.func @not_quite_covered(%v: i32, %out: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<16xi32>
  %hi = memref.subview %x[8] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.fill ins(%v : i32) outs(%x : memref<16xi32>)
  memref.copy %x, %out : memref<16xi32> to memref<16xi32>
  %z = memref.view %arena[%c0][] {berth.buffer = 2} : memref<64xi8> to memref<16xi32>
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%v : i32) outs(%z : memref<16xi32>)
  memref.copy %z, %out : memref<16xi32> to memref<16xi32>
  scf.for %i = %c0 to %c8 step %c4 {
    %p = memref.subview %x[%i] [3] [1] : memref<16xi32> to memref<3xi32, strided<[1], offset: ?>>
    linalg.fill ins(%v : i32) outs(%p : memref<3xi32, strided<[1], offset: ?>>)
    %y = memref.view %arena[%c32][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%v : i32) outs(%y : memref<8xi32>)
  }
  linalg.fill ins(%v : i32) outs(%hi : memref<8xi32, strided<[1], offset: 8>>)
  // expected-error @+1 {{reads a buffer}}
  memref.copy %x, %out : memref<16xi32> to memref<16xi32>
  memref.dealloc %arena : memref<64xi8>
  return
}
