// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What goes on behind its op holds its buffers to the wait. Without one it goes on
// behind the function, whose memory is another's then.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness)' %s 2>&1 >/dev/null | FileCheck %s

// CHECK: liveness of @transfer
// CHECK: not placed: a transfer that nothing surely waits for may still use it
func.func @transfer(%x: memref<16xf32>, %tag: memref<1xi32>) {
  %a = memref.alloc() : memref<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  memref.dma_start %x[%c0], %a[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  %v = memref.load %x[%c0] : memref<16xf32>
  return
}

// CHECK: liveness of @no_wait
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @no_wait() {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !llvm.ptr
  %c0 = arith.constant 0 : index
  return
}

// CHECK: liveness of @waited
// CHECK: dev.start {{.*}} .. dev.wait
func.func @waited() {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !llvm.ptr
  %c0 = arith.constant 0 : index
  "dev.wait"(%t) : (!llvm.ptr) -> ()
  %c1 = arith.constant 1 : index
  return
}

// A wait on one way only is none on the other.
// CHECK: liveness of @waited_sometimes
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @waited_sometimes(%c: i1) {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  scf.if %c {
    "dev.wait"(%t) : (!dev.token) -> ()
  }
  return
}

// Nobody waits in this loop for what the last turn started.
// CHECK: liveness of @never_waited
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token (dev.start at line [[#@LINE+6]])
func.func @never_waited(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  }
  return
}

// A question is no wait.
// CHECK: liveness of @asked
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @asked() -> i1 {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  %d = "dev.is_done"(%t) : (!dev.token) -> i1
  return %d : i1
}

// Nor is an op that may put the token into something else, or counts it.
// CHECK: liveness of @grouped
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
// CHECK: liveness of @counted
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @grouped(%g: !async.group) {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !async.token
  "dev.add"(%t, %g) : (!async.token, !async.group) -> ()
  async.await_all %g
  return
}
func.func @counted() {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  %d = "dev.number"(%t) : (!dev.token) -> index
  return
}
// CHECK: liveness of @two_tokens
// CHECK: dev.start {{.*}} .. dev.wait_all
func.func @two_tokens(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  %u = "dev.start"(%x) : (memref<16xf32>) -> !dev.token
  "dev.wait_all"(%u, %t) : (!dev.token, !dev.token) -> ()
  return
}

// One starts behind the other; the wait for the last one is for both.
// CHECK: liveness of @chain
// CHECK: dev.start {{.*}} .. dev.wait
// CHECK: liveness of @chain_without_end
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @chain(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  %u = "dev.start"(%t, %x) : (!dev.token, memref<16xf32>) -> !dev.token
  "dev.wait"(%u) : (!dev.token) -> ()
  return
}
func.func @chain_without_end(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %t = "dev.start"(%a) : (memref<16xf32>) -> !dev.token
  %u = "dev.start"(%t, %x) : (!dev.token, memref<16xf32>) -> !dev.token
  return
}

// Effects are told, but also a token.
// CHECK: liveness of @device_copy
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
// CHECK: liveness of @device_copy_waited
// CHECK: gpu.memcpy {{.*}} .. gpu.wait at line [[#@LINE+13]]
func.func @device_copy(%x: memref<16xf32>) {
  %s = gpu.wait async
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.memcpy async [%s] %a, %x : memref<16xf32>, memref<16xf32>
  %u = gpu.wait async [%t]
  return
}
func.func @device_copy_waited(%x: memref<16xf32>) {
  %s = gpu.wait async
  %a = memref.alloc() : memref<16xf32>
  %t = gpu.memcpy async [%s] %a, %x : memref<16xf32>, memref<16xf32>
  %u = gpu.wait async [%t]
  gpu.wait [%u]
  %c0 = arith.constant 0 : index
  return
}

async.func @later(%x: memref<16xf32>) -> !async.token {
  return
}

// CHECK: liveness of @call_later
// CHECK: not placed: async code that is not awaited in its block uses it (async.call
// CHECK: liveness of @call_awaited
// CHECK: async.call {{.*}} .. async.await
func.func @call_later() {
  %a = memref.alloc() : memref<16xf32>
  %t = async.call @later(%a) : (memref<16xf32>) -> !async.token
  return
}
func.func @call_awaited() {
  %a = memref.alloc() : memref<16xf32>
  %t = async.call @later(%a) : (memref<16xf32>) -> !async.token
  async.await %t : !async.token
  return
}

// Without `nowait` the op ends when it is done.
// CHECK: liveness of @target
// CHECK: not placed: async code that is not awaited in its block uses it (omp.target
// CHECK: omp.target at line
func.func @target() {
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  %am = omp.map.info var_ptr(%a : memref<f32>, f32) map_clauses(tofrom) capture(ByRef) -> memref<f32>
  %bm = omp.map.info var_ptr(%b : memref<f32>, f32) map_clauses(tofrom) capture(ByRef) -> memref<f32>
  omp.target nowait map_entries(%am -> %x : memref<f32>) {
    %f = memref.load %x[] : memref<f32>
    omp.terminator
  }
  omp.target map_entries(%bm -> %y : memref<f32>) {
    %f = memref.load %y[] : memref<f32>
    omp.terminator
  }
  return
}

// It returns at each suspension.
// CHECK: liveness of @coroutine
// CHECK: not placed: it is allocated in a coroutine, which may return before it has come to its end
func.func @coroutine() {
  %id = async.coro.id
  %handle = async.coro.begin %id
  %a = memref.alloc() : memref<16xf32>
  %state = async.coro.save %handle
  async.coro.suspend %state, ^suspended, ^resumed, ^done
^resumed:
  cf.br ^done
^done:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return
}

// What is put into something unknown is used by whoever uses that.
// CHECK: liveness of @queue
// CHECK: dev.enqueue {{.*}} .. dev.run
// CHECK: liveness of @storage
// CHECK: memref.alloc {{.*}} .. {{memref.load|func.return}}
func.func @queue(%x: memref<16xf32>) {
  %q = "dev.queue"() : () -> !dev.queue
  %a = memref.alloc() : memref<16xf32>
  "dev.enqueue"(%q, %a) : (!dev.queue, memref<16xf32>) -> ()
  %c0 = arith.constant 0 : index
  "dev.run"(%q) : (!dev.queue) -> ()
  %c1 = arith.constant 1 : index
  return
}
func.func @storage(%f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = async.runtime.create : !async.value<memref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%c0] : memref<16xf32>
  async.runtime.store %a, %s : !async.value<memref<16xf32>>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %m = async.runtime.load %s : !async.value<memref<16xf32>>
  %r = memref.load %m[%c0] : memref<16xf32>
  return %r : f32
}
