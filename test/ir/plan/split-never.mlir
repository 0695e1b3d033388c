// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop that never turns does to a buffer is of no life, and gets no allocation of its own.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{capacity=288})' | FileCheck %s
// CHECK: memref.alloc() {{.*}} : memref<288xi8>
// CHECK-NOT: memref.alloc()

func.func @never(%x: memref<12x6xi32, 1>) {
  %a = memref.alloc() : memref<12x6xi32>
  memref.copy %x, %a : memref<12x6xi32, 1> to memref<12x6xi32>
  linalg.add ins(%a, %a : memref<12x6xi32>, memref<12x6xi32>) outs(%x : memref<12x6xi32, 1>)
  %v = arith.constant 33 : i32
  linalg.fill ins(%v : i32) outs(%a : memref<12x6xi32>)
  affine.for %i = 0 to 0 step 2 {
    %s = memref.subview %a[%i, 0] [2, 6] [1, 1] : memref<12x6xi32> to memref<2x6xi32, strided<[6, 1], offset: ?>>
    linalg.add ins(%s, %s : memref<2x6xi32, strided<[6, 1], offset: ?>>, memref<2x6xi32, strided<[6, 1], offset: ?>>) outs(%s : memref<2x6xi32, strided<[6, 1], offset: ?>>)
  }
  linalg.add ins(%a, %x : memref<12x6xi32>, memref<12x6xi32, 1>) outs(%x : memref<12x6xi32, 1>)
  return
}
