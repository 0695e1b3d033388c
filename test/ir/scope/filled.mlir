// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations that fill what they allocate cannot become views of an arena.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-merge)' | FileCheck %s --check-prefix=MERGE

func.func private @use(memref<8xf32>)
func.func private @use16(memref<16xf32>)

// The source is placed, and so are its deallocations; the clone keeps its own.
// REMARK: [[#@LINE+10]]:{{.*}}"placed at offset 0, 32 bytes"
// REMARK: [[#@LINE+11]]:{{.*}}"not placed: its allocation fills it, too"
// CHECK-LABEL: @clone
// CHECK: %[[CLONE:.*]] = bufferization.clone %view
// CHECK-NEXT: call @use(%[[CLONE]])
// CHECK-NEXT: memref.dealloc %[[CLONE]]
// CHECK-NEXT: memref.dealloc %alloc {
// MERGE-LABEL: @clone
// MERGE: bufferization.clone
func.func @clone() {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  %b = bufferization.clone %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  call @use(%b) : (memref<8xf32>) -> ()
  memref.dealloc %b : memref<8xf32>
  return
}

// It frees its source besides.
// REMARK: [[#@LINE+7]]:{{.*}}"not placed: a deallocation of it cannot be erased (memref.realloc
// REMARK: [[#@LINE+8]]:{{.*}}"not placed: its allocation fills it, too"
// CHECK-LABEL: @realloc
// CHECK: memref.realloc
// MERGE-LABEL: @realloc
// MERGE: memref.realloc
func.func @realloc() {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  %b = memref.realloc %a : memref<8xf32> to memref<16xf32>
  call @use16(%b) : (memref<16xf32>) -> ()
  memref.dealloc %b : memref<16xf32>
  return
}
