// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Offsets known at run time are multiples of what elements need, as far as the
// arithmetic tells; and buffers end within their arenas.

func.func @not_rounded(%n: index, %x: f32) {
  %c16 = arith.constant 16 : index
  %bytes = arith.addi %n, %c16 : index
  %arena = memref.alloc(%bytes) {alignment = 16 : i64} : memref<?xi8> // expected-note {{the arena, with its own alignment}}
  %all = arith.maxui %n, %c16 : index
  %b = memref.view %arena[%all][] {berth.buffer = 0} : memref<?xi8> to memref<4xf32> // expected-error {{takes an address in an arena for a multiple of something that it is not}}
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  return
}

// -----

func.func @rounded(%n: index, %x: f32) {
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %mask = arith.constant -4 : index
  %zero = arith.constant 0 : index
  %small = arith.cmpi ult, %n, %c16 : index
  %more = arith.addi %n, %c3 : index
  %up = arith.andi %more, %mask : index
  %size = arith.select %small, %up, %zero : index
  %shift = arith.maxui %size, %c16 : index
  %bytes = arith.addi %shift, %c16 : index
  %arena = memref.alloc(%bytes) {alignment = 16 : i64} : memref<?xi8>
  %b = memref.view %arena[%shift][] {berth.buffer = 0} : memref<?xi8> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  return
}

// -----

// Nothing tells of an argument: it is taken for right.
func.func @given(%shift: index, %arena: memref<?xi8>, %x: f32) {
  %b = memref.view %arena[%shift][] {berth.buffer = 0} : memref<?xi8> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  return
}

// -----

func.func @beyond(%x: f32) {
  %c52 = arith.constant 52 : index
  %arena = memref.alloc() : memref<64xi8> // expected-note {{this arena}}
  %b = memref.view %arena[%c52][] {berth.buffer = 0} : memref<64xi8> to memref<4xf32> // expected-error {{ends beyond its arena}}
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  return
}
