// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op may say that it allocates an argument of a block: that is no buffer.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena,berth-merge,berth-print-liveness)' 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @argument(
// CHECK-NOT: memref.alloc
func.func @argument(%arg: index) {
  %x = test.side_effect_with_region_op (%arg) {
  ^bb0(%inner: index):
    test.region_yield %inner : index
  } {effects = [ {effect="allocate", on_argument, test_resource} ]} : index -> index
  return
}
