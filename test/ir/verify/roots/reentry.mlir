// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// A global arena is one for all runs of a function: wrong plans, made by hand,
// and right ones behind them.

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// It calls itself through a pointer.
// expected-error @below {{has its buffers in a global arena, and may be run again before it has returned}}
func.func @itself(%again: i1, %x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8> // expected-note {{this arena}}
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %f = func.constant @itself : (i1, f32, memref<8xf32>) -> ()
  scf.if %again {
    %false = arith.constant false
    func.call_indirect %f(%false, %x, %c) : (i1, f32, memref<8xf32>) -> ()
  }
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// It calls whatever it is given, and somebody has taken a pointer to it.
// expected-error @below {{may be run again before it has returned}}
func.func @given(%f: (f32) -> (), %x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call_indirect %f(%x) : (f32) -> ()
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
func.func @taken() -> (((f32) -> (), f32, memref<8xf32>) -> ()) {
  %f = func.constant @given // expected-note {{by this, at any time}}
    : ((f32) -> (), f32, memref<8xf32>) -> ()
  return %f : ((f32) -> (), f32, memref<8xf32>) -> ()
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// Nobody has: right.
func.func @given(%f: (f32) -> (), %x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  func.call_indirect %f(%x) : (f32) -> ()
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// Iterations that run at the same time call a function that calls it.
// expected-error @below {{may be run again before it has returned}}
func.func private @inner(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
func.func private @between(%x: f32, %c: memref<8xf32>) {
  func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
  return
}
func.func @parallel(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) { // expected-note {{by this, at any time}}
    func.call @between(%x, %c) : (f32, memref<8xf32>) -> ()
  }
  return
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// expected-error @below {{may be run again before it has returned}}
func.func private @inner(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
func.func @execute(%x: f32, %c: memref<8xf32>) {
  %t = async.execute { // expected-note {{by this, at any time}}
    func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
    async.yield
  }
  func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
  async.await %t : !async.token
  return
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// What it returns to goes on later, beside its caller.
// expected-error @below {{may be run again before it has returned}}
func.func private @inner(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
// expected-note @below {{by this, at any time}}
func.func private @body(%x: f32, %c: memref<8xf32>) -> !async.token {
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  async.runtime.resume %handle
  async.coro.suspend %saved, ^suspend, ^resume, ^cleanup
^resume:
  func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
  async.runtime.set_available %token : !async.token
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return %token : !async.token
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// Who has the address may call it.
// expected-error @below {{may be run again before it has returned}}
func.func private @inner(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
llvm.func @start_thread(!llvm.ptr)
func.func @start() {
  %p = llvm.mlir.addressof @between : !llvm.ptr // expected-note {{by this, at any time}}
  llvm.call @start_thread(%p) : (!llvm.ptr) -> ()
  return
}
llvm.func internal @between(%x: f32) {
  %c = memref.alloca() : memref<8xf32>
  func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
  llvm.return
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// Some text may be a name, in whatever attribute.
// expected-error @below {{may be run again before it has returned}}
func.func private @inner(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
func.func @start(%x: f32, %c: memref<8xf32>) {
  "some.start"() {tasks = [{first = "inner"}]} : () -> () // expected-note {{by this, at any time}}
  func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
  return
}

// -----

memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 16}

// One run after the other, in a loop too: right.
func.func private @inner(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  return
}
func.func @loop(%x: f32, %c: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    func.call @inner(%x, %c) : (f32, memref<8xf32>) -> ()
  }
  return
}
