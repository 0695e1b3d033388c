// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Functions that use one global as their arena: what a called one makes there
// takes the bytes of the caller's buffers.

memref.global "private" @arena : memref<64xi8> = uninitialized
func.func private @callee(%x: f32) {
  %c32 = arith.constant 32 : index
  %g = memref.get_global @arena : memref<64xi8>
  %a = memref.view %g[%c32][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}
func.func private @between(%x: f32) {
  call @callee(%x) : (f32) -> ()
  return
}
func.func @live_across(%x: f32, %d: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %g = memref.get_global @arena : memref<64xi8>
  %a = memref.view %g[%c32][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  call @between(%x) : (f32) -> () // expected-note {{by this write}}
  memref.copy %a, %d : memref<8xf32> to memref<8xf32> // expected-error {{may have been overwritten}}
  return
}

// -----

// Done before the call, written behind it, or elsewhere: right.
memref.global "private" @arena : memref<96xi8> = uninitialized
func.func private @callee(%x: f32) {
  %c32 = arith.constant 32 : index
  %g = memref.get_global @arena : memref<96xi8>
  %a = memref.view %g[%c32][] {berth.buffer = 0} : memref<96xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}
func.func @not_live(%x: f32, %d: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %g = memref.get_global @arena : memref<96xi8>
  %a = memref.view %g[%c32][] {berth.buffer = 0} : memref<96xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %d : memref<8xf32> to memref<8xf32>
  %b = memref.view %g[%c0][] {berth.buffer = 1} : memref<96xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  call @callee(%x) : (f32) -> ()
  %c = memref.view %g[%c32][] {berth.buffer = 2} : memref<96xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<8xf32>)
  memref.copy %b, %d : memref<8xf32> to memref<8xf32>
  memref.copy %c, %d : memref<8xf32> to memref<8xf32>
  return
}

// -----

// What the callee is given it reads after it has written over it.
memref.global "private" @arena : memref<64xi8> = uninitialized
func.func private @callee(%m: memref<8xf32>, %d: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @arena : memref<64xi8>
  %a = memref.view %g[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %m, %d : memref<8xf32> to memref<8xf32>
  return
}
func.func @given(%x: f32, %d: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @arena : memref<64xi8>
  %a = memref.view %g[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  call @callee(%a, %d, %x) : (memref<8xf32>, memref<8xf32>, f32) -> () // expected-error {{reads a buffer while it writes another one}}
  return
}
