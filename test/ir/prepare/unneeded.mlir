// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that nobody needs once it is filled again elsewhere takes no bytes,
// nor do its views; an arena for nothing goes, too.
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s
// RUN: berth-opt %s --pass-pipeline='builtin.module(berth-arena{refill=false})' | FileCheck %s --check-prefix=KEPT

// KEPT-LABEL: func @all
// KEPT: memref.alloc() {{.*}} : memref<128xi8>
// CHECK-LABEL: func @all
// CHECK-NOT: memref.{{(alloc|view|dealloc)}}
// CHECK: linalg.fill ins(%{{.*}}) outs(%arg0
// CHECK-NEXT: return
func.func @all(%x: memref<32xi32>) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<32xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<32xi32>)
  %v = memref.subview %a[0] [32] [1] : memref<32xi32> to memref<32xi32, strided<[1]>>
  %w = memref.cast %v : memref<32xi32, strided<[1]>> to memref<?xi32, strided<[?]>>
  memref.copy %v, %x : memref<32xi32, strided<[1]>> to memref<32xi32>
  memref.dealloc %a : memref<32xi32>
  return
}

// The other one stays.
// CHECK-LABEL: func @one
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
func.func @one(%x: memref<16xi32>, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xi32>
  %b = memref.alloc() : memref<16xi32>
  linalg.fill ins(%y : i32) outs(%a : memref<16xi32>)
  memref.copy %x, %b : memref<16xi32> to memref<16xi32>
  memref.copy %a, %x : memref<16xi32> to memref<16xi32>
  %r = memref.load %b[%c0] : memref<16xi32>
  return %r : i32
}

// What a user has bound stays as it is.
// CHECK-LABEL: func @bound
// CHECK: memref.alloc() {{.*}} : memref<128xi8>
func.func @bound(%x: memref<32xi32>) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() {berth.pin = 0} : memref<32xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<32xi32>)
  memref.copy %a, %x : memref<32xi32> to memref<32xi32>
  return
}
