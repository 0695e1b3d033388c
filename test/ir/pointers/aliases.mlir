// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// A use of anything that may point into a buffer is a use of the buffer. In all
// of these functions %t is used while such a value is still to be read.

// CHECK-LABEL: interference of @view_chain
// CHECK:       %alloc and %alloc_0: both live in
func.func @view_chain(%i: index, %out: memref<4xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  %t = memref.alloc() : memref<4xf32>
  %v = memref.view %a[%c0][] : memref<64xi8> to memref<4x4xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<4x4xf32>)
  %s = memref.subview %v[%i, 0] [1, 4] [1, 1]
      : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %e = memref.expand_shape %s [[0, 1]] output_shape [2, 2]
      : memref<4xf32, strided<[1], offset: ?>>
      into memref<2x2xf32, strided<[2, 1], offset: ?>>
  %l = memref.collapse_shape %e [[0, 1]]
      : memref<2x2xf32, strided<[2, 1], offset: ?>>
      into memref<4xf32, strided<[1], offset: ?>>
  linalg.fill ins(%f : f32) outs(%t : memref<4xf32>)
  memref.copy %t, %out : memref<4xf32> to memref<4xf32>
  memref.copy %l, %out
      : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  return
}

// CHECK-LABEL: interference of @reinterpret
// CHECK:       %alloc and %alloc_0: both live in
func.func @reinterpret(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a
      : memref<8xf32> -> memref<f32>, index, index, index
  %r = memref.reinterpret_cast %base to offset: [0], sizes: [8], strides: [1]
      : memref<f32> to memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @select
// CHECK:       %alloc and %alloc_1: both live in
// CHECK:       %alloc_0 and %alloc_1: both live in
func.func @select(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  %p = arith.select %c, %a, %b : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// A write through a select may have hit the other buffer: no kill. %t lies
// between the first write of %a and the fill of %p.
// CHECK-LABEL: interference of @select_does_not_kill
// CHECK:       %alloc and %alloc_1: both live in
func.func @select_does_not_kill(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  %p = arith.select %c, %a, %b : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%p : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @if_result
// CHECK:       %alloc and %alloc_1: both live in
// CHECK:       %alloc_0 and %alloc_1: both live in
func.func @if_result(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %p = scf.if %c -> memref<8xf32> {
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    scf.yield %a : memref<8xf32>
  } else {
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @switch_result
// CHECK:       %alloc and %alloc_0: both live in
func.func @switch_result(%n: index, %x: memref<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p = scf.index_switch %n -> memref<8xf32>
  case 1 {
    scf.yield %x : memref<8xf32>
  }
  default {
    scf.yield %a : memref<8xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// Two buffers change places in a loop; both are used after it.
// CHECK-LABEL: interference of @loop_result
// CHECK:       %alloc and %alloc_0: both live in
// CHECK:       %alloc and %alloc_1: both live in
// CHECK:       %alloc_0 and %alloc_1: both live in
func.func @loop_result(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  %p:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %y, %x : memref<8xf32>, memref<8xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p#0, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @while_result
// CHECK:       %alloc and %alloc_0: both live in
func.func @while_result(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p = scf.while (%x = %a) : (memref<8xf32>) -> memref<8xf32> {
    scf.condition(%c) %x : memref<8xf32>
  } do {
  ^bb0(%y: memref<8xf32>):
    scf.yield %y : memref<8xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @execute_region_result
// CHECK:       %alloc and %alloc_0: both live in
func.func @execute_region_result(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p = scf.execute_region -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @alloca_scope_result
// CHECK:       %alloc and %alloc_0: both live in
func.func @alloca_scope_result(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p = memref.alloca_scope -> memref<8xf32> {
    memref.alloca_scope.return %a : memref<8xf32>
  }
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

func.func private @either(%c: i1, %x: memref<8xf32>, %y: memref<8xf32>)
    -> memref<8xf32> {
  %p = arith.select %c, %x, %y : memref<8xf32>
  return %p : memref<8xf32>
}

// CHECK-LABEL: interference of @call_result
// CHECK:       %alloc and %alloc_0: both live in
func.func @call_result(%c: i1, %x: memref<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p = call @either(%c, %x, %a)
      : (i1, memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// Ops that no interface explains hand on what they are given.
// CHECK-LABEL: interference of @conversion_cast
// CHECK:       %alloc and %alloc_0: both live in
func.func @conversion_cast(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %d = builtin.unrealized_conversion_cast %a
      : memref<8xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %p = builtin.unrealized_conversion_cast %d
      : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @distinct_objects
// CHECK:       %alloc and %alloc_0: both live in
func.func @distinct_objects(%x: memref<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %p:2 = memref.distinct_objects %a, %x : memref<8xf32>, memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p#0, %out : memref<8xf32> to memref<8xf32>
  return
}
