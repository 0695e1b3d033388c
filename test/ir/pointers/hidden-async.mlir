// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(func.func(berth-print-liveness))' -o %t 2>&1 | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-liveness)' -o %t 2>&1 | FileCheck %s --check-prefix=SEEN

// An async function may keep what it is given as any other: its token ends its
// work only.

async.func private @keeps(%m: memref<8xf32>, %table: memref<8xindex>) -> !async.token {
  %c0 = arith.constant 0 : index
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
  memref.store %p, %table[%c0] : memref<8xindex>
  return
}

// CHECK-LABEL: liveness of @awaited
// CHECK: not placed: a called function may keep it: run the pass on the module to look into it (async.call at line [[#@LINE+6]])
// SEEN-LABEL: liveness of @awaited
// SEEN: not placed: a called function lets it get away (async.call at line [[#@LINE+4]])
func.func @awaited(%table: memref<8xindex>, %x: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %t = async.call @keeps(%a, %table) : (memref<8xf32>, memref<8xindex>) -> !async.token
  async.await %t : !async.token
  return
}
