// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Parts of arenas that calls are handed. Wrong plans, made by hand.

func.func private @callee(%x: memref<8xf32>, %y: memref<8xf32>, %arena: memref<32xi8> {llvm.align = 4 : i64}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// %a is wanted behind the call, which overwrites it.
func.func @kept(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  call @callee(%x, %y, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> () // expected-note {{by this write}}
  memref.copy %a, %y : memref<8xf32> to memref<8xf32> // expected-error {{reads a buffer whose bytes in the arena may have been overwritten}}
  return
}

// So is what the call reads while it runs.
func.func @handed(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  call @callee(%a, %y, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> () // expected-error {{reads a buffer while it writes another one that has bytes of the arena in common with it}}
  return
}

// And what the call writes.
func.func @result(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  call @callee(%x, %a, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> () // expected-note {{by this write}}
  memref.copy %a, %y : memref<8xf32> to memref<8xf32> // expected-error {{reads a buffer whose bytes in the arena may have been overwritten}}
  return
}

// Before and behind the call the bytes are free.
func.func @right(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  call @callee(%x, %y, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> ()
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  call @callee(%x, %y, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> ()
  return
}

// Iterations that run at the same time have one frame.
func.func @iterations(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<64xi8>
  %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) { // expected-note {{in this op}}
    %z = memref.alloc() : memref<8xf32>
    func.call @callee(%x, %z, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> () // expected-error {{hands a part of an arena to a function that may run several times at once, later, or in an unknown order}}
    memref.dealloc %z : memref<8xf32>
  }
  return
}

// So have work that goes on, and what stands behind it.
func.func @work(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
  %t = async.execute { // expected-note {{in this op}}
    func.call @callee(%x, %y, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> () // expected-error {{hands a part of an arena to a function that may run several times at once, later, or in an unknown order}}
    async.yield
  }
  async.await %t : !async.token
  return
}

// A frame in each iteration's own arena is right.
func.func @own(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %arena = memref.alloc() : memref<64xi8>
    %frame = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<32xi8>
    %z = memref.alloc() : memref<8xf32>
    func.call @callee(%x, %z, %frame) : (memref<8xf32>, memref<8xf32>, memref<32xi8>) -> ()
    memref.dealloc %z : memref<8xf32>
    memref.dealloc %arena : memref<64xi8>
  }
  return
}
