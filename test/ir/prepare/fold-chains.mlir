// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{fold-constants=1M})' | FileCheck %s
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// What is made of something made of a constant counts, too; and no constant is left
// that nobody needs: not in the middle, nor the first one.
// CHECK-NOT: @chained
// CHECK: memref.global "private" constant @berth_constant_1
// CHECK-NOT: berth_constant_0
// CHECK: memref.global "private" constant @kept
// CHECK: memref.global constant @public
// CHECK-LABEL: func.func @chain
// CHECK-NOT: get_global @chained
// CHECK: get_global @berth_constant_1
// REMARK: where most is live, 2 buffers of 128 bytes hold what is computed from constants alone (128 of @chained at
memref.global "private" constant @chained : memref<4x4xf32> = dense<1.5>
memref.global "private" constant @kept : memref<4x4xf32> = dense<2.5>
memref.global constant @public : memref<4x4xf32> = dense<3.5>
func.func @chain(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %w = memref.get_global @chained : memref<4x4xf32>
  %t = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%w : memref<4x4xf32>) outs(%t : memref<4x4xf32>) permutation = [1, 0]
  %u = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%t : memref<4x4xf32>) outs(%u : memref<4x4xf32>) permutation = [1, 0]
  linalg.matmul ins(%x, %u : memref<4x4xf32>, memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}
func.func @others_of_them(%y: memref<4x4xf32>) {
  %w = memref.get_global @kept : memref<4x4xf32>
  %t = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%w : memref<4x4xf32>) outs(%t : memref<4x4xf32>) permutation = [1, 0]
  %p = memref.get_global @public : memref<4x4xf32>
  %u = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%p : memref<4x4xf32>) outs(%u : memref<4x4xf32>) permutation = [1, 0]
  linalg.add ins(%t, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  linalg.add ins(%u, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}
