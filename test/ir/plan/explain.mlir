// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why two buffers do not share, by the names that MLIR prints. Other names get
// those that there are.
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{explain=%%alloc,%%alloc_0})' 2>&1 | FileCheck %s
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{explain=%%alloc,%%alloc_1})' 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not %berth-opt %s -o %t.none --pass-pipeline='builtin.module(berth-arena{explain=%%a,%%b})' 2>&1 | FileCheck %s --check-prefix=NAMES
// A function that has others is no matter, and alone it cannot tell.
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{explain=%%alloc,%%alloc_1})' 2>&1 | FileCheck %s --check-prefix=ELSEWHERE --implicit-check-not='no two'
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(func.func(berth-arena{explain=%%alloc,%%alloc_1}))' 2>&1 | FileCheck %s --check-prefix=NESTED

// CHECK: %alloc and %alloc_0 are both live in
// CHECK-NEXT: memref.copy at line [[# @LINE + 17]]
// CHECK-NEXT: %alloc: read by memref.copy at line [[# @LINE + 16]];
// CHECK-NEXT: %alloc_0: written by memref.copy at line [[# @LINE + 15]];

// APART: %alloc and %alloc_1 are never live together

// NAMES: explain of @f: no two allocations are called '%a,%b'; there are %alloc = memref.alloc at line [[# @LINE + 7]], %alloc_0 = memref.alloc at line [[# @LINE + 8]], %alloc_1 =
// NAMES: error: explain: no two allocations are called '%a,%b' in one function [berth-E026]
// ELSEWHERE: %alloc and %alloc_1 are never live together
// NESTED-DAG: %alloc and %alloc_1 are never live together
// NESTED-DAG: explain of @g: no two allocations are called '%alloc,%alloc_1'; there are %alloc =
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  // The names in this file are not kept.
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  memref.copy %c, %y : memref<8xf32> to memref<8xf32>
  return
}

func.func @g(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}
