// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What an op does of which nothing is known is assumed, and said aloud, once for
// each name of an op.

// DEFINE: %{pass} = berth-arena
// DEFINE: %{run} = %mlir-opt-berth %s --allow-unregistered-dialect --split-input-file -o %t --pass-pipeline='builtin.module(%{pass})' 2>&1
// RUN: %{run} | FileCheck %s --implicit-check-not=warning:
// REDEFINE: %{pass} = berth-merge
// RUN: %{run} | FileCheck %s --check-prefix=MERGE --implicit-check-not=warning:

// Whoever has decided is not told.
// REDEFINE: %{pass} = berth-arena{unknown-ops=use}
// RUN: %{run} | count 0
// REDEFINE: %{pass} = berth-arena{unknown-ops=keep}
// RUN: %{run} | count 0
// REDEFINE: %{pass} = berth-arena{unknown-ops=reject}
// RUN: %{run} | count 0
// REDEFINE: %{pass} = berth-merge{unknown-ops=use}
// RUN: %{run} | count 0

// CHECK: unknown-ops.mlir:[[@LINE+6]]:3: warning: nothing tells what 'mychip.dma_start' does: it is taken to read and write the buffers that it is given while it runs, and to keep none of them
// CHECK: note: unknown-ops=keep if it may go on with them after it has returned, unknown-ops=reject to place none of them, unknown-ops=use if this is right
// MERGE: unknown-ops.mlir:[[@LINE+4]]:3: warning: nothing tells what 'mychip.dma_start' does
func.func @once(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  "mychip.dma_start"(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  "mychip.dma_start"(%a, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  "mychip.dma_start"(%x, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  "mychip.dma_start"(%b, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

func.func @again(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  "mychip.dma_start"(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// In called functions too, and under the names of each op; what a merge leaves
// alone it need not tell of.
// CHECK: unknown-ops.mlir:[[@LINE+4]]:3: warning: nothing tells what 'mychip.send' does
// CHECK: unknown-ops.mlir:[[@LINE+4]]:3: warning: nothing tells what 'mychip.poke' does
func.func private @callee(%a: memref<8xf32>) {
  %x = memref.cast %a : memref<8xf32> to memref<?xf32>
  "mychip.send"(%x) : (memref<?xf32>) -> ()
  "mychip.poke"(%a) : (memref<8xf32>) -> ()
  return
}

func.func @caller() {
  %a = memref.alloc() : memref<8xf32>
  call @callee(%a) : (memref<8xf32>) -> ()
  return
}

// -----

// Nothing is told where nothing is assumed: of what is not placed, and of what is
// held to the end because nobody waits for what the op returns.
func.func @returned(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  "mychip.fill"(%a) : (memref<8xf32>) -> ()
  return %a : memref<8xf32>
}

func.func @token(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %t = "mychip.start"(%a) : (memref<8xf32>) -> !mychip.token
  "mychip.wait"(%t) : (!mychip.token) -> ()
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}
