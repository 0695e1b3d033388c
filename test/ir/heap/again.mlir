// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second run uses the functions of the first, if it wants the same heap.
// RUN: %berth-opt %s --berth-heap --berth-heap=allocations=all | FileCheck %s
// RUN: not %berth-opt %s --berth-heap --berth-heap='space=1' 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: func.func @two
// CHECK-COUNT-2: call @berth_heap_take
// CHECK-COUNT-1: func.func private @berth_heap_take
// CHECK-NOT:   func.func private @berth_heap_take
// OTHER: again.mlir:[[#@LINE+1]]:{{.*}}error: the module has a heap of another kind already: '!heap = memref<?xi32>', not '!heap = memref<?xi32, 1
func.func @two(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc(%n) : memref<?xf32, 1>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<8xf32>
  memref.dealloc %c : memref<?xf32, 1>
  return
}
