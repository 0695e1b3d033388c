// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A global arena exists once, so no two runs of its function may be under way.
// RUN: split-file %s %t
// DEFINE: %{options} =
// DEFINE: %{file} =
// DEFINE: %{run} = %mlir-opt-berth %t/%{file}.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{arena=global verify=false %{options}})' --allow-unregistered-dialect 2>&1

// REDEFINE: %{file} = itself
// RUN: not %{run} | FileCheck %s --check-prefix=ITSELF
// ITSELF: error: arena=global: the function may call itself, and all its instances would use the same bytes; use arena=alloc or arena=argument

// Any use of its name that is no plain call.
// REDEFINE: %{file} = callback
// RUN: not %{run} | FileCheck %s --check-prefix=NAMED
// REDEFINE: %{file} = address
// RUN: not %{run} | FileCheck %s --check-prefix=NAMED
// REDEFINE: %{file} = lowered
// RUN: not %{run} | FileCheck %s --check-prefix=NAMED
// REDEFINE: %{file} = attribute
// RUN: not %{run} | FileCheck %s --check-prefix=NAMED
// REDEFINE: %{file} = text
// RUN: not %{run} | FileCheck %s --check-prefix=NAMED
// REDEFINE: %{file} = constructor
// RUN: not %{run} | FileCheck %s --check-prefix=NAMED
// NAMED: error: arena=global: an op that is no plain call names the function, or one that calls it, so that it may run again while it runs, and all its runs would use the same bytes; use arena=alloc
// REDEFINE: %{options} = test-break-rule=no-callbacks
// RUN: %{run}
// REDEFINE: %{options} =

// REDEFINE: %{file} = loop
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// REDEFINE: %{file} = async
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// REDEFINE: %{file} = coroutine
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// REDEFINE: %{file} = threads
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// REDEFINE: %{file} = region
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// ATONCE: error: arena=global: parallel or asynchronous code runs the function, and all its runs would use the same bytes; use arena=alloc or arena=argument
// REDEFINE: %{options} = test-break-rule=one-caller
// RUN: %{run}
// REDEFINE: %{options} =

// REDEFINE: %{file} = plain
// RUN: %{run} | count 0

// Who else calls a public function is not seen; that is told where there are
// threads.
// REDEFINE: %{file} = public
// RUN: %{run} | FileCheck %s --check-prefix=PUBLIC
// PUBLIC: warning: arena=global: the function is public, and two threads that call it at a time would use the same bytes
// PUBLIC-NOT: warning
// REDEFINE: %{file} = alone
// RUN: %{run} | count 0

//--- itself.mlir
func.func @walk(%n: index, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  func.call @apply(%n, %out) : (index, memref<8xf32>) -> ()
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func private @apply(%n: index, %out: memref<8xf32>) {
  func.call @walk(%n, %out) : (index, memref<8xf32>) -> ()
  return
}

//--- callback.mlir
func.func @walk(%n: index, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  %f = func.constant @walk : (index, memref<8xf32>) -> ()
  func.call @apply(%n, %out, %f) : (index, memref<8xf32>, (index, memref<8xf32>) -> ()) -> ()
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func private @apply(%n: index, %out: memref<8xf32>, %f: (index, memref<8xf32>) -> ()) {
  func.call_indirect %f(%n, %out) : (index, memref<8xf32>) -> ()
  return
}

//--- loop.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func private @between(%out: memref<8xf32>) {
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  return
}
func.func @loop(%out: memref<8xf32>) {
  scf.forall (%i) in (4) {
    func.call @between(%out) : (memref<8xf32>) -> ()
  }
  return
}

//--- async.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @start(%out: memref<8xf32>) {
  %t = async.execute {
    func.call @leaf(%out) : (memref<8xf32>) -> ()
    async.yield
  }
  async.await %t : !async.token
  return
}

//--- address.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @loop(%out: memref<8xf32>) {
  %f = func.constant @leaf : (memref<8xf32>) -> ()
  omp.parallel {
    func.call_indirect %f(%out) : (memref<8xf32>) -> ()
    omp.terminator
  }
  return
}

//--- lowered.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
memref.global "private" @m : memref<8xf32> = uninitialized
llvm.func internal @between() {
  %m = memref.get_global @m : memref<8xf32>
  func.call @leaf(%m) : (memref<8xf32>) -> ()
  llvm.return
}
llvm.func @start_thread(!llvm.ptr)
func.func @start(%out: memref<8xf32>) {
  %p = llvm.mlir.addressof @between : !llvm.ptr
  llvm.call @start_thread(%p) : (!llvm.ptr) -> ()
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  return
}

//--- attribute.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @start(%out: memref<8xf32>) {
  "some.start"() {tasks = [{first = @leaf}]} : () -> ()
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  return
}

//--- text.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @start(%out: memref<8xf32>) {
  emitc.call_opaque "leaf"() : () -> ()
  return
}

//--- constructor.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
memref.global "private" @m : memref<8xf32> = uninitialized
llvm.func @begin() {
  %m = memref.get_global @m : memref<8xf32>
  func.call @leaf(%m) : (memref<8xf32>) -> ()
  llvm.return
}
llvm.mlir.global_ctors ctors = [@begin], priorities = [0 : i32], data = [#llvm.zero]

//--- coroutine.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
// What --async-to-async-runtime makes of an async.execute.
func.func private @body(%out: memref<8xf32>) -> !async.token attributes {passthrough = ["presplitcoroutine"]} {
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  async.runtime.resume %handle
  async.coro.suspend %saved, ^suspend, ^resume, ^cleanup
^resume:
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  async.runtime.set_available %token : !async.token
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return %token : !async.token
}
func.func @start(%out: memref<8xf32>) {
  %t = func.call @body(%out) : (memref<8xf32>) -> !async.token
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  async.runtime.await %t : !async.token
  return
}

//--- threads.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func private @of_threads(%out: memref<8xf32>) {
  %i = gpu.thread_id x
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  return
}

//--- region.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @start(%out: memref<8xf32>) {
  // It does not say in which order its region runs.
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%out : memref<8xf32>) {
  ^bb0(%x: f32):
    func.call @leaf(%out) : (memref<8xf32>) -> ()
    linalg.yield %x : f32
  }
  return
}

//--- plain.mlir
func.func private @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func private @between(%out: memref<8xf32>) {
  func.call @leaf(%out) : (memref<8xf32>) -> ()
  return
}
func.func private @print(memref<*xf32>)
func.func @loop(%n: index, %c: i1, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      func.call @between(%out) {some.note = "first"} : (memref<8xf32>) -> ()
    }
    llvm.call @lowered() : () -> ()
  }
  %u = memref.cast %out : memref<8xf32> to memref<*xf32>
  func.call @print(%u) : (memref<*xf32>) -> ()
  return
}
memref.global "private" @m : memref<8xf32> = uninitialized
llvm.func internal @lowered() {
  %m = memref.get_global @m : memref<8xf32>
  func.call @leaf(%m) : (memref<8xf32>) -> ()
  llvm.return
}

//--- public.mlir
func.func @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @loop(%x: memref<8xf32>, %f: f32) {
  scf.forall (%i) in (8) {
    memref.store %f, %x[%i] : memref<8xf32>
  }
  return
}

//--- alone.mlir
func.func @leaf(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
