// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// What a program says of addresses, and later passes believe. Wrong plans, made
// by hand, and a right one behind each.

// Elements of 8 bytes at an offset of 4.
func.func @offset(%x: f64) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() : memref<128xi8> // expected-note {{the arena, with its own alignment}}
  %a = memref.view %arena[%c4][] {berth.buffer = 0} : memref<128xi8> to memref<64xi8>
  %w = memref.view %a[%c0][] : memref<64xi8> to memref<8xf64> // expected-error {{takes an address in an arena for a multiple of something that it is not: of the alignment of its elements, or of the one assumed}}
  linalg.fill ins(%x : f64) outs(%w : memref<8xf64>)
  return
}
func.func @offsets_together(%x: f64) {
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c4][] {berth.buffer = 0} : memref<128xi8> to memref<64xi8>
  %w = memref.view %a[%c4][] : memref<64xi8> to memref<4xf64>
  linalg.fill ins(%x : f64) outs(%w : memref<4xf64>)
  return
}
// Wrong in whatever buffer: the program's own.
func.func @offset_of_program(%x: f64) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() {alignment = 8 : i64} : memref<128xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<128xi8> to memref<64xi8>
  %w = memref.view %a[%c4][] : memref<64xi8> to memref<4xf64>
  linalg.fill ins(%x : f64) outs(%w : memref<4xf64>)
  return
}
func.func @offset_of_program_in_place(%x: f64) {
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {alignment = 8 : i64, berth.offset = 0 : i64, berth.size = 64 : i64} : memref<64xi8>
  %w = memref.view %a[%c4][] : memref<64xi8> to memref<4xf64>
  linalg.fill ins(%x : f64) outs(%w : memref<4xf64>)
  return
}

// -----

// The arena has the alignment of bytes.
func.func @arena(%x: f64) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 1 : i64} : memref<64xi8> // expected-note {{the arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf64> // expected-error {{takes an address in an arena for a multiple}}
  linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
  return
}

// -----

// 16 is what malloc gives, and no more.
func.func @vectors(%x: vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8> // expected-note {{the arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<2xvector<8xf32>> // expected-error {{takes an address in an arena for a multiple}}
  memref.store %x, %a[%c0] : memref<2xvector<8xf32>>
  return
}
func.func @vectors_aligned(%x: vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 32 : i64} : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<2xvector<8xf32>>
  memref.store %x, %a[%c0] : memref<2xvector<8xf32>>
  return
}

// -----

func.func @type_cast(%x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() : memref<64xi8> // expected-note {{the arena}}
  %a = memref.view %arena[%c4][] {berth.buffer = 0} : memref<64xi8> to memref<4xf32>
  %v = vector.type_cast %a : memref<4xf32> to memref<vector<4xf32>> // expected-error {{takes an address in an arena for a multiple}}
  memref.store %x, %v[] : memref<vector<4xf32>>
  return
}
func.func @type_cast_aligned(%x: vector<4xf32>) {
  %c16 = arith.constant 16 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c16][] {berth.buffer = 0} : memref<64xi8> to memref<4xf32>
  %v = vector.type_cast %a : memref<4xf32> to memref<vector<4xf32>>
  memref.store %x, %v[] : memref<vector<4xf32>>
  return
}

// -----

func.func @assumed(%x: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8> // expected-note {{the arena}}
  %a = memref.view %arena[%c32][] {berth.buffer = 0} : memref<128xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<128xi8> to memref<8xf32>
  %right = memref.assume_alignment %b, 64 : memref<8xf32>
  %wrong = memref.assume_alignment %a, 64 : memref<8xf32> // expected-error {{takes an address in an arena for a multiple}}
  linalg.fill ins(%x : f32) outs(%wrong : memref<8xf32>)
  return
}

// -----

// Two buffers of one arena, though one is dead when the other is written.
func.func @distinct(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8> // expected-note {{this arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %d, %e = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32> // expected-error {{says that two buffers lie in different allocations, which may lie in one arena}}
  return
}

// One of them lies elsewhere: right.
func.func @distinct_from_argument(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %d, %e = memref.distinct_objects %a, %c : memref<8xf32>, memref<8xf32>
  linalg.fill ins(%x : f32) outs(%d : memref<8xf32>)
  memref.copy %d, %e : memref<8xf32> to memref<8xf32>
  return
}

// -----

// A called function takes bytes for vectors; a function that it calls does.
func.func private @views(%m: memref<64xi8>, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %v = memref.view %m[%c16][] : memref<64xi8> to memref<vector<4xf32>>
  memref.store %x, %v[] : memref<vector<4xf32>>
  return
}
func.func private @between(%x: vector<4xf32>, %m: memref<64xi8>) {
  func.call @views(%m, %x) : (memref<64xi8>, vector<4xf32>) -> ()
  return
}
func.func private @bytes(%m: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  memref.store %zero, %m[%c0] : memref<64xi8>
  return
}
func.func @given(%x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c80 = arith.constant 80 : index
  %arena = memref.alloc() {alignment = 16 : i64} : memref<144xi8> // expected-note {{the arena, with its own alignment}}
  %a = memref.view %arena[%c4][] {berth.buffer = 0} : memref<144xi8> to memref<64xi8>
  %b = memref.view %arena[%c80][] {berth.buffer = 1} : memref<144xi8> to memref<64xi8>
  call @bytes(%a) : (memref<64xi8>) -> ()
  call @between(%x, %b) : (vector<4xf32>, memref<64xi8>) -> ()
  call @between(%x, %a) : (vector<4xf32>, memref<64xi8>) -> () // expected-error {{gives a function an address in an arena that is taken there for a multiple of something that it is not}}
  return
}

// -----

// Placed by attributes: the memory starts at a multiple of 16, or of what the
// function says.
func.func @placed_low(%x: f64) attributes {berth.arena_size = 72 : i64} {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the arena, with its own alignment}}
  %a = memref.alloc() {berth.offset = 4 : i64, berth.size = 64 : i64} : memref<64xi8>
  // expected-error @+1 {{takes an address in an arena for a multiple of something that it is not}}
  %w = memref.view %a[%c0][] : memref<64xi8> to memref<8xf64>
  linalg.fill ins(%x : f64) outs(%w : memref<8xf64>)
  return
}

// -----

func.func @placed_in_16(%x: f32) attributes {berth.arena_size = 192 : i64} {
  // expected-note @+1 {{the arena, with its own alignment}}
  %a = memref.alloc() {berth.offset = 128 : i64, berth.size = 64 : i64} : memref<16xf32>
  // expected-error @+1 {{takes an address in an arena for a multiple of something that it is not}}
  %w = memref.assume_alignment %a, 64 : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%w : memref<16xf32>)
  return
}

// -----

func.func @placed_in_64(%x: f32) attributes {berth.arena_alignment = 64 : i64, berth.arena_size = 192 : i64} {
  %a = memref.alloc() {berth.offset = 128 : i64, berth.size = 64 : i64} : memref<16xf32>
  %w = memref.assume_alignment %a, 64 : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%w : memref<16xf32>)
  return
}
