// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Work that goes on behind its op. Wrong plans, made by hand: %a and %b have
// bytes in common. A right one behind each.

async.func private @late(%m: memref<8xf32>) -> !async.token {
  return
}
func.func @async_call(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t = async.call @late(%a) : (memref<8xf32>) -> !async.token // expected-note {{started here, and on some way not waited for}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{touches bytes of the arena that work still under way may use through another buffer}}
  return
}
func.func @async_call_awaited(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %t = async.call @late(%a) : (memref<8xf32>) -> !async.token
  async.await %t : !async.token
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}

// -----

// To drop a token is not to wait.
func.func @execute(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t = async.execute { // expected-note {{started here}}
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    async.yield
  }
  async.runtime.drop_ref %t {count = 1 : i64} : !async.token
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// Awaited, in each turn, and what runs in it too: right.
func.func @execute_awaited(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
    %t = async.execute {
      %u = async.execute {
        linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
        async.yield
      }
      async.await %u : !async.token
      async.yield
    }
    async.await %t : !async.token
    %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  }
  return
}

// -----

// Awaited on one way only.
func.func @sometimes(%x: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event // expected-note {{started here}}
  scf.if %c {
    "mychip.wait"(%t) : (!mychip.event) -> ()
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  }
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// On both: right.
func.func @always(%x: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event
  scf.if %c {
    "mychip.wait"(%t) : (!mychip.event) -> ()
  } else {
    "mychip.wait"(%t) : (!mychip.event) -> ()
  }
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}

// -----

// An op that answers with a number may only have asked.
func.func @asked(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event // expected-note {{started here}}
  %done = "mychip.poll"(%t) : (!mychip.event) -> i1
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// The wait of a later op that has waited for the first one: right.
func.func @chain(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event
  %u = "mychip.then"(%t) : (!mychip.event) -> !mychip.event
  "mychip.wait"(%u) : (!mychip.event) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}

// -----

// The wait of one turn is for the last start only.
func.func @turns(%x: f32, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
    %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event // expected-note {{started here}}
    scf.if %c {
      "mychip.wait"(%t) : (!mychip.event) -> ()
      linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
    }
  }
  return
}

// -----

func.func @task(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  omp.task { // expected-note {{started here}}
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    omp.terminator
  }
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// -----

func.func @nowait(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %m = omp.map.info var_ptr(%a : memref<8xf32>, memref<8xf32>) map_clauses(tofrom) capture(ByRef) -> memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  omp.target nowait map_entries(%m -> %mapped : memref<8xf32>) { // expected-note {{started here}}
    "mychip.fill"(%mapped) : (memref<8xf32>) -> ()
    omp.terminator
  }
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// Without it the op is done when it returns: right.
func.func @target(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %m = omp.map.info var_ptr(%a : memref<8xf32>, memref<8xf32>) map_clauses(tofrom) capture(ByRef) -> memref<8xf32>
  omp.target map_entries(%m -> %mapped : memref<8xf32>) {
    "mychip.fill"(%mapped) : (memref<8xf32>) -> ()
    omp.terminator
  }
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}

// -----

func.func @acc(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  acc.parallel async { // expected-note {{started here}}
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
    acc.yield
  }
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// -----

func.func @device(%x: f32, %d: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %t0 = gpu.wait async
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t1 = gpu.memcpy async [%t0] %d, %a : memref<8xf32>, memref<8xf32> // expected-note {{started here}}
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t2 = gpu.wait async [%t1]
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}

// gpu.wait joins tokens where it returns one, else it waits: right.
func.func @device_waited(%x: f32, %d: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %d, %a : memref<8xf32>, memref<8xf32>
  %t2 = gpu.wait async [%t1]
  gpu.wait [%t2]
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}

// -----

func.func @message(%x: f32, %tag: i32, %rank: i32) {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %r = mpi.isend(%a, %tag, %rank, %comm) : memref<8xf32>, i32, i32 -> !mpi.request // expected-note {{started here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}
func.func @message_waited(%x: f32, %tag: i32, %rank: i32) {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %r = mpi.isend(%a, %tag, %rank, %comm) : memref<8xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}

// -----

// A called function starts it, and does not wait.
func.func private @begin(%m: memref<8xf32>) {
  %t = "mychip.start"(%m) : (memref<8xf32>) -> !mychip.event
  return
}
func.func private @begin_and_wait(%m: memref<8xf32>) {
  %t = "mychip.start"(%m) : (memref<8xf32>) -> !mychip.event
  "mychip.wait"(%t) : (!mychip.event) -> ()
  return
}
func.func @calls(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  call @begin_and_wait(%a) : (memref<8xf32>) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  call @begin(%a) : (memref<8xf32>) -> () // expected-note {{here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}

// -----

// To add a token to a group is no wait, nor is to number it.
func.func @grouped(%x: f32, %g: !async.group) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !async.token // expected-note {{started here}}
  "mychip.add"(%t, %g) : (!async.token, !async.group) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  async.await_all %g
  return
}
func.func @numbered(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  // expected-error @+1 {{may still use a buffer of the arena when its function returns}}
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event // expected-note {{started here}}
  %n = "mychip.number"(%t) : (!mychip.event) -> index
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{work still under way}}
  return
}
func.func @two_waited_for(%x: f32, %other: !mychip.event) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.event
  "mychip.wait_all"(%t, %other) : (!mychip.event, !mychip.event) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  return
}
