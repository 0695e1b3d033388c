// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has memory that threads share is run by them: a global of the default
// space would be one for all of them.
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{arena=global})' 2>&1 | FileCheck %s
// RUN: %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{arena=global barriers=none})'

// CHECK: error: arena=global: all threads of the kernel would use the same bytes; use arena=alloca
func.func @nested(%x: memref<8xf32>, %f: f32) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  affine.parallel (%i) = (0) to (8) {
    %b = memref.alloc() : memref<8xf32, 3>
    memref.store %f, %b[%i] : memref<8xf32, 3>
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}
