// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why two buffers do not share, by the names that MLIR prints. Other names get
// those that there are.
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{explain=%%alloc,%%alloc_0})' 2>&1 | FileCheck %s
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{explain=%%alloc,%%alloc_1})' 2>&1 | FileCheck %s --check-prefix=APART
// RUN: %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{explain=%%a,%%b})' 2>&1 | FileCheck %s --check-prefix=NAMES

// CHECK: %alloc and %alloc_0 are both live in
// CHECK-NEXT: memref.copy at line [[# @LINE + 13]]
// CHECK-NEXT: %alloc: read by memref.copy at line [[# @LINE + 12]];
// CHECK-NEXT: %alloc_0: written by memref.copy at line [[# @LINE + 11]];

// APART: %alloc and %alloc_1 are never live together

// NAMES: explain of @f: no two allocations are called '%a,%b'; there are %alloc = memref.alloc at line [[# @LINE + 3]], %alloc_0 = memref.alloc at line [[# @LINE + 4]], %alloc_1 =
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
