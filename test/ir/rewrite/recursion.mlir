// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All instances of a recursive function would share a global arena.
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=global})' %s 2>&1 | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s --check-prefix=ALLOC

// CHECK: error: arena=global: the function may call itself
// ALLOC-LABEL: @even
// ALLOC: memref.alloc() {{.*}} : memref<16xi8>
func.func @even(%n: index, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %out, %a : memref<4xf32> to memref<4xf32>
  call @odd(%n, %out) : (index, memref<4xf32>) -> ()
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  return
}

func.func @odd(%n: index, %out: memref<4xf32>) {
  call @even(%n, %out) : (index, memref<4xf32>) -> ()
  return
}
