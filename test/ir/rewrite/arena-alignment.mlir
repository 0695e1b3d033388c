// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An arena on the heap begins at a line of cache, whatever its buffers need; one
// on the stack, or in another memory, at what they need.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s --check-prefix=HEAP
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=alloca})' | FileCheck %s --check-prefix=STACK
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{alignment=128})' | FileCheck %s --check-prefix=MORE
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{space=5})' | FileCheck %s --check-prefix=OTHER

// HEAP: memref.alloc() {alignment = 64 : i64
// STACK: memref.alloca() {alignment = 4 : i64
// MORE: memref.alloc() {alignment = 128 : i64
func.func @default(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// OTHER-LABEL: @other
// OTHER: memref.alloc() {alignment = 4 : i64
func.func @other(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32, 5>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, 5>
  memref.copy %a, %x : memref<8xf32, 5> to memref<8xf32>
  return
}
