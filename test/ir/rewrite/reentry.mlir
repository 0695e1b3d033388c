// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global arena exists once, so no two runs of its function may be under way.
// RUN: split-file %s %t
// DEFINE: %{options} =
// DEFINE: %{file} =
// DEFINE: %{run} = %mlir-opt-berth %t/%{file}.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{arena=global verify=false %{options}})' 2>&1

// REDEFINE: %{file} = callback
// RUN: not %{run} | FileCheck %s --check-prefix=ITSELF
// ITSELF: error: arena=global: the function may call itself, and all its instances would use the same bytes; use arena=alloc or arena=argument
// REDEFINE: %{options} = test-break-rule=no-callbacks
// RUN: %{run}
// REDEFINE: %{options} =

// REDEFINE: %{file} = loop
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// REDEFINE: %{file} = async
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// REDEFINE: %{file} = address
// RUN: not %{run} | FileCheck %s --check-prefix=ATONCE
// ATONCE: error: arena=global: parallel or asynchronous code calls the function, and all its runs would use the same bytes; use arena=alloc or arena=argument
// REDEFINE: %{options} = test-break-rule=one-caller
// RUN: %{run}
// REDEFINE: %{options} =

// Who else calls a public function is not seen; that is told where there are
// threads.
// REDEFINE: %{file} = public
// RUN: %{run} | FileCheck %s --check-prefix=PUBLIC
// PUBLIC: warning: arena=global: the function is public, and two threads that call it at a time would use the same bytes
// PUBLIC-NOT: warning
// REDEFINE: %{file} = alone
// RUN: %{run} | count 0

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
