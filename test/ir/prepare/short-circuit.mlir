// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made where it is copied to counts against the capacity, and a try that
// fails leaves no trace.
// RUN: berth-opt %s --verify-diagnostics --pass-pipeline='builtin.module(berth-arena{capacity=48})' | FileCheck %s
// RUN: not berth-opt %s --pass-pipeline='builtin.module(berth-arena{capacity=48 short-circuit=false})' 2>&1 | FileCheck %s --check-prefix=COPIED
// COPIED: error: the buffers do not fit: they need 56 bytes

// With its copy it takes 56 bytes.
// CHECK-LABEL: func @fits
// CHECK-NOT: memref.copy
// CHECK: return
func.func @fits(%x: memref<12xi32>, %y: memref<12xi32>, %one: i32) {
  %s = memref.alloc() : memref<2xi32>
  %c0 = arith.constant 0 : index
  linalg.fill ins(%one : i32) outs(%s : memref<2xi32>)
  memref.store %one, %s[%c0] : memref<2xi32>
  %d = memref.alloc() : memref<12xi32>
  linalg.fill ins(%one : i32) outs(%d : memref<12xi32>)
  %p = memref.subview %d[2] [2] [1] : memref<12xi32> to memref<2xi32, strided<[1], offset: 2>>
  memref.copy %s, %p : memref<2xi32> to memref<2xi32, strided<[1], offset: 2>>
  linalg.add ins(%d, %x : memref<12xi32>, memref<12xi32>) outs(%y : memref<12xi32>)
  memref.dealloc %s : memref<2xi32>
  return
}

// Made in its place it would take 64, so it stays, and so does the order.
// CHECK-LABEL: func @stays
// CHECK: %[[S:.*]] = memref.view
// CHECK: linalg.fill {{.*}} outs(%[[S]]
// CHECK: memref.copy %[[S]]
func.func @stays(%x: memref<8xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<4xi32>
  linalg.fill ins(%one : i32) outs(%s : memref<4xi32>)
  memref.store %one, %s[%c0] : memref<4xi32>
  %t = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32>, memref<8xi32>) outs(%t : memref<8xi32>)
  linalg.add ins(%x, %t : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  %u = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%u : memref<8xi32>)
  %p = memref.subview %u[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.copy %s, %p : memref<4xi32> to memref<4xi32, strided<[1], offset: 2>>
  linalg.add ins(%x, %u : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  return
}

// A dimension of one element has a stride, too.
// CHECK-LABEL: func @one_element
// CHECK-NOT: memref.copy
func.func @one_element(%o: index) -> index {
  %c0 = arith.constant 0 : index
  %d = memref.alloc() : memref<1x4xindex>
  linalg.fill ins(%o : index) outs(%d : memref<1x4xindex>)
  %p = memref.subview %d[0, 2] [1, 1] [2, 1] : memref<1x4xindex> to memref<1xindex, strided<[8], offset: 2>>
  %s = memref.alloc() : memref<1xindex>
  memref.store %o, %s[%c0] : memref<1xindex>
  memref.copy %s, %p : memref<1xindex> to memref<1xindex, strided<[8], offset: 2>>
  %r = memref.load %d[%c0, %c0] : memref<1x4xindex>
  return %r : index
}
