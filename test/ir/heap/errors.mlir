// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One clear error each, and nothing printed.
// RUN: not %berth-opt %s --berth-heap=size=52 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: not %berth-opt %s --berth-heap=size=-8 2>&1 | FileCheck --check-prefix=NEGATIVE %s
// RUN: not %berth-opt %s --berth-heap=size=8589934592 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: not %berth-opt %s --berth-heap=arena=stack 2>&1 | FileCheck --check-prefix=ARENA %s
// RUN: not %berth-opt %s --berth-heap=allocations=some 2>&1 | FileCheck --check-prefix=SOME %s
// RUN: not %berth-opt %s --berth-heap='space=<<' 2>&1 | FileCheck --check-prefix=SPACE %s
// RUN: not %berth-opt %s --split-input-file --berth-heap 2>&1 | FileCheck %s
// RUN: not %berth-opt %s --split-input-file --berth-heap=arena=argument 2>&1 | FileCheck --check-prefix=ARGUMENT %s

// SMALL:    berth-heap: size 52 is not within 56 (what the heap's own bookkeeping takes) and 4294967292 bytes
// NEGATIVE: berth-heap: size -8 is not within 56
// LARGE:    berth-heap: size 8589934592 is not within 56
// ARENA:    berth-heap: arena 'stack' is none of auto, own, argument
// SOME:     berth-heap: allocations 'some' is neither dynamic nor all
// SPACE:    berth-heap: space '<<' is neither

// CHECK: errors.mlir:[[#@LINE+1]]:{{.*}}error: argument 1 is marked berth.arena but is no memref<?xi8> in the memory space of the heap
func.func @marked(%n: index, %arena: memref<?xi32> {berth.arena}) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// CHECK: errors.mlir:[[#@LINE+2]]:{{.*}}error: the module already defines @berth_heap_take, which the heap needs for itself
// ARGUMENT: errors.mlir:[[#@LINE+1]]:{{.*}}error: arena=argument needs an argument with the attribute berth.arena
func.func @plain(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}

func.func @berth_heap_take() {
  return
}

// -----

// CHECK: errors.mlir:[[#@LINE+2]]:{{.*}}error: the module already declares another @berth_heap_open, which the heap needs for itself
func.func private @berth_heap_open(memref<?xi32>)
func.func @opens(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  return
}
