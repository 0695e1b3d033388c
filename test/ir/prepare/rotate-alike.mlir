// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop begins with is a slot of its turns only if it is made with the
// attributes of theirs by their names: `guard = 256` is no alignment.

// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s

// CHECK-LABEL: func.func @turns
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 256 : i64{{.*}}} : memref<320xi8>
// CHECK: %[[OTHER:.*]] = arith.constant 64 : index
// CHECK: %[[INIT:.*]] = memref.view %[[ARENA]][%[[OTHER]]]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[EVEN:.*]] = memref.view %[[ARENA]][%[[ZERO]]]
// CHECK: %[[BEHIND:.*]] = arith.constant 256 : index
// CHECK: %[[ODD:.*]] = memref.view %[[ARENA]][%[[BEHIND]]]
// CHECK: iter_args({{.*}} = %[[INIT]])
// CHECK: arith.select {{.*}}, %[[EVEN]], %[[ODD]] {berth.turns = 2 : i64}
func.func @turns(%n: index, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() {guard = 256 : i64} : memref<16xf32>
  memref.copy %y, %init : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (memref<16xf32>) {
    %q = memref.alloc() {alignment = 256 : i64} : memref<16xf32>
    linalg.exp ins(%p : memref<16xf32>) outs(%q : memref<16xf32>)
    scf.yield %q : memref<16xf32>
  }
  memref.copy %r, %y : memref<16xf32> to memref<16xf32>
  return
}
