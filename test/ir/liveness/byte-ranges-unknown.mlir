// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{drop-unread=false})' | FileCheck %s
// Parts that types do not tell of, or that somebody may leave, are the whole:
// berth-verify, which goes by types alone, takes the plans.

// The offset is a value, if a constant one.
// CHECK-LABEL: func @by_value
// CHECK: memref.alloc() {{.*}} : memref<96xi8>
func.func @by_value(%x: memref<16xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xi32>
  memref.copy %x, %a : memref<16xi32> to memref<16xi32>
  %b = memref.alloc() : memref<8xi32>
  memref.copy %z, %b : memref<8xi32> to memref<8xi32>
  %s = memref.subview %a[%c0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: ?>>
  linalg.add ins(%s, %b : memref<8xi32, strided<[1], offset: ?>>, memref<8xi32>) outs(%y : memref<8xi32>)
  return
}

// One half goes to a function, which may go on into the other one.
// CHECK-LABEL: func @given_away
// CHECK: memref.alloc() {{.*}} : memref<144xi8>
func.func private @use(memref<6xi32, strided<[1], offset: 6>>)
func.func @given_away(%x: memref<12xi32>, %y: memref<24xi32>, %o: memref<6xi32>, %k: i32) {
  %a = memref.alloc() : memref<12xi32>
  memref.copy %x, %a : memref<12xi32> to memref<12xi32>
  %hi = memref.subview %a[6] [6] [1] : memref<12xi32> to memref<6xi32, strided<[1], offset: 6>>
  %lo = memref.subview %a[0] [6] [1] : memref<12xi32> to memref<6xi32, strided<[1]>>
  %b = memref.alloc() : memref<24xi32>
  memref.copy %y, %b : memref<24xi32> to memref<24xi32>
  memref.copy %hi, %o : memref<6xi32, strided<[1], offset: 6>> to memref<6xi32>
  linalg.fill ins(%k : i32) outs(%lo : memref<6xi32, strided<[1]>>)
  func.call @use(%hi) : (memref<6xi32, strided<[1], offset: 6>>) -> ()
  return
}
