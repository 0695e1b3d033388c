// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What allocations of dynamic size and of unbounded lifetime become.
// RUN: %berth-opt %s --split-input-file --berth-heap=size=4096 | FileCheck %s
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-heap{size=4096})' | FileCheck %s

// The dealloc's handle is the allocation's own.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:  (%[[N:.*]]: index)
// CHECK:       %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4096xi8>
// CHECK:       %[[WORDS:.*]] = memref.view %[[ARENA]]{{.*}} : memref<4096xi8> to memref<?xi32>
// CHECK:       call @berth_heap_open(%[[WORDS]], %{{.*}})
// CHECK:       %[[C24:.*]] = arith.constant 24 : i64
// CHECK:       %[[BYTES:.*]] = call @berth_heap_scale(%[[C24]], %[[N]])
// CHECK:       %[[COUNT:.*]] = call @berth_heap_words(%[[BYTES]])
// CHECK:       %[[ALIGNMENT:.*]] = arith.constant 8 : i32
// CHECK:       %[[TAKE:.*]]:3 = call @berth_heap_take(%[[WORDS]], %[[COUNT]], %[[ALIGNMENT]])
// CHECK:       cf.assert %{{.*}}, "berth-heap: memref.alloc at line [[#]]: bad size
// CHECK:       cf.assert %{{.*}}, "berth-heap: memref.alloc at line [[#]]: arena exhausted
// CHECK:       %[[M:.*]] = memref.view %[[ARENA]][%[[TAKE]]#1][%[[N]]] : memref<4096xi8> to memref<?x6xf32>
// CHECK:       memref.store %{{.*}}, %[[M]]
// CHECK:       call @berth_heap_give(%[[WORDS]], %[[TAKE]]#2)
// CHECK:       cf.assert %{{.*}}, "berth-heap: memref.dealloc at line [[#]]: double free
// CHECK-NOT:   memref.dealloc %[[M]]
// CHECK:       memref.dealloc %[[ARENA]]
// CHECK-NEXT:  return
// CHECK:       func.func private @berth_heap_take({{.*}}llvm.linkage = #llvm.linkage<internal>
func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %m = memref.alloc(%n) {alignment = 32 : i64} : memref<?x6xf32>
  memref.store %f, %m[%c0, %c0] : memref<?x6xf32>
  memref.dealloc %m : memref<?x6xf32>
  return
}

// -----

// Without a dealloc: freed behind the last use, also of a view.
// CHECK-LABEL: func.func @last_use
// CHECK:       %[[TAKE:.*]]:3 = call @berth_heap_take
// CHECK:       %[[M:.*]] = memref.view
// CHECK:       %[[PART:.*]] = memref.subview %[[M]]
// CHECK:       memref.load %[[PART]]
// CHECK-NEXT:  call @berth_heap_give(%{{.*}}, %[[TAKE]]#2)
// CHECK:       arith.addf
func.func @last_use(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %p = memref.subview %m[2] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 2>>
  %v = memref.load %p[%c0] : memref<?xf32, strided<[1], offset: 2>>
  %w = arith.addf %v, %v : f32
  return %w : f32
}

// -----

// A strided layout: a flat view of its span, then the strides.
// CHECK-LABEL: func.func @strided
// CHECK:       %[[C12:.*]] = arith.constant 12 : i64
// CHECK:       %[[C16:.*]] = arith.constant 16 : i64
// CHECK:       %[[SPAN:.*]] = call @berth_heap_span(%[[C12]], %{{.*}}, %[[C16]])
// CHECK:       %[[FLAT:.*]] = memref.view %{{.*}} : memref<4096xi8> to memref<?xf32>
// CHECK:       memref.reinterpret_cast %[[FLAT]] to offset: [4], sizes: [%{{.*}}, 8], strides: [16, 1] : memref<?xf32> to memref<?x8xf32, strided<[16, 1], offset: 4>>
func.func @strided(%n: index) {
  %m = memref.alloc(%n) : memref<?x8xf32, strided<[16, 1], offset: 4>>
  memref.dealloc %m : memref<?x8xf32, strided<[16, 1], offset: 4>>
  return
}

// -----

// The caller's arena, which the caller opens by calling the heap himself.
// CHECK-LABEL: func.func @own_arena(
// CHECK-SAME:  %[[ARENA:.*]]: memref<?xi8> {berth.arena}, %[[N:.*]]: index)
// CHECK-NOT:   memref.alloc()
// CHECK-NOT:   berth_heap_open
// CHECK:       memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xi64>
// CHECK:       func.func private @berth_heap_open(%{{.*}}: memref<?xi32>, %{{.*}}: i32) -> i32 attributes
// CHECK-NOT:   func.func private @berth_heap_open
func.func private @berth_heap_open(memref<?xi32>, i32) -> i32
func.func @own_arena(%arena: memref<?xi8> {berth.arena}, %n: index) {
  %m = memref.alloc(%n) : memref<?xi64>
  memref.dealloc %m : memref<?xi64>
  return
}

// -----

// A module that opens heaps for others gets the functions, too.
// CHECK-LABEL: func.func @opens
// CHECK:       func.func private @berth_heap_open(%{{.*}}: memref<?xi32>, %{{.*}}: i32) -> i32 attributes
func.func private @berth_heap_open(memref<?xi32>, i32) -> i32
func.func @opens(%words: memref<?xi32>, %mode: i32) -> i32 {
  %status = call @berth_heap_open(%words, %mode) : (memref<?xi32>, i32) -> i32
  return %status : i32
}
