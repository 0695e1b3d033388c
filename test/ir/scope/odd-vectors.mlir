// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors without dimensions, and vectors of more bytes than anybody has.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | FileCheck %s

// CHECK-LABEL: func @odd
func.func @odd(%x: vector<f32>) {
  %c0 = arith.constant 0 : index
  // CHECK: berth.size = 12 : i64{{.*}}vector<f32>
  %a = memref.alloc() : memref<3xvector<f32>>
  memref.store %x, %a[%c0] : memref<3xvector<f32>>
  // CHECK: memref.alloc() : memref<4xvector<1073741824x1073741824x8xf64>>
  %b = memref.alloc() : memref<4xvector<1073741824x1073741824x8xf64>>
  // CHECK: memref.alloc() : memref<4xvector<16777216xi16777215>>
  %c = memref.alloc() : memref<4xvector<16777216xi16777215>>
  return
}
