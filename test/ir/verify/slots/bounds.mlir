// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds and steps that are equal values, by one op or by several.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{factor=3},berth-verify)' | FileCheck %s
// CHECK-COUNT-3: berth.slots = 3

func.func @none(%x: memref<?xf32> {llvm.noalias, llvm.readonly}, %r: memref<8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %lb = arith.muli %n, %c2 : index
  %ub = arith.muli %n, %c2 : index
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %lb to %ub step %c1 {
    %p = memref.subview %x[%i] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  }
  return
}
func.func @steps(%x: memref<?xf32> {llvm.noalias, llvm.readonly}, %r: memref<8xf32>, %n: index, %s: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %s to %n step %s {
    %p = memref.subview %x[%i] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  }
  return
}
func.func @last(%x: memref<?xf32> {llvm.noalias, llvm.readonly}, %r: memref<8xf32>, %n: index, %s: index) {
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %n to %s step %s {
    %p = memref.subview %x[%i] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %p, %a : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  }
  return
}
