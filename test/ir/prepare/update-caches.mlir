// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// caches=in-place: arguments of which functions return a changed copy are changed
// themselves, where all callers are through with them.
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{caches=keep})' | FileCheck %s --check-prefix=KEEP
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(berth-arena))' | FileCheck %s --check-prefix=KEEP
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | FileCheck %s --check-prefix=KEEP
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{caches=some})' 2>&1 | FileCheck %s --check-prefix=SOME
// SOME: caches 'some' is neither in-place nor keep

// What bufferization makes of an argument that may not be written: the layout is that
// of all callers' memory. A loop carries the cache, and everything is one buffer.
// KEEP-LABEL:  func.func private @step
// KEEP:          memref.copy
// REMARK-DAG:  func.func private @step{{.*}}
// REMARK-DAG:  remark: [Passed] berth-arena | Category:berth-arena | Remark="argument 0 is updated in place, without a copy (256 bytes)"
// CHECK-LABEL: func.func private @step(
// CHECK-SAME:    %[[CACHE:[^:]*]]: memref<4x16xf32, strided<[?, ?], offset: ?>>, %{{[^:]*}}: memref<1x16xf32>, %{{[^:]*}}: index) {
// CHECK-NEXT:    %[[CAST:.*]] = memref.cast %[[CACHE]] : {{.*}} to memref<4x16xf32>
// CHECK-NEXT:    %[[SLICE:.*]] = memref.subview %[[CAST]]
// CHECK-NEXT:    memref.copy %{{.*}}, %[[SLICE]]
// CHECK-NEXT:    return{{$}}
func.func private @step(%cache: memref<4x16xf32, strided<[?, ?], offset: ?>>, %x: memref<1x16xf32>, %p: index) -> memref<4x16xf32> {
  %r = memref.alloc() : memref<4x16xf32>
  memref.copy %cache, %r : memref<4x16xf32, strided<[?, ?], offset: ?>> to memref<4x16xf32>
  %slice = memref.subview %r[%p, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
  memref.copy %x, %slice : memref<1x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
  return %r : memref<4x16xf32>
}
// CHECK-LABEL: func.func @decode
// CHECK-NEXT:    memref.alloc() {{.*}} : memref<256xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[INIT:.*]] = memref.view
// CHECK:         scf.for {{.*}} iter_args(%[[C:.*]] = %[[INIT]])
// CHECK:           %[[CAST:.*]] = memref.cast %[[C]]
// CHECK:           func.call @step(%[[CAST]], %{{.*}}, %{{.*}}) : ({{.*}}) -> ()
// CHECK-NEXT:      scf.yield %[[C]]
func.func @decode(%x: memref<1x16xf32>, %n: index, %out: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %init = memref.alloc() : memref<4x16xf32>
  linalg.fill ins(%z : f32) outs(%init : memref<4x16xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%c = %init) -> memref<4x16xf32> {
    %cast = memref.cast %c : memref<4x16xf32> to memref<4x16xf32, strided<[?, ?], offset: ?>>
    %r = func.call @step(%cast, %x, %i) : (memref<4x16xf32, strided<[?, ?], offset: ?>>, memref<1x16xf32>, index) -> memref<4x16xf32>
    scf.yield %r : memref<4x16xf32>
  }
  memref.copy %last, %out : memref<4x16xf32> to memref<4x16xf32>
  return
}

// -----

// What is freed is freed once, where the last one of them was; and a function that
// returned what it got of a call returns nothing any more.
// REMARK: argument 0 is updated in place, without a copy (32 bytes)
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME:    %{{[^:]*}}: memref<8xf32>, %{{[^:]*}}: f32) {
// KEEP-LABEL:  func.func private @inner({{.*}}) -> memref<8xf32>
func.func private @inner(%a: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
// CHECK-LABEL: func.func private @outer(
// CHECK-SAME:    %[[A:[^:]*]]: memref<8xf32>, %{{[^:]*}}: f32) {
// CHECK:         call @inner(%[[A]], %{{.*}})
// CHECK:         return{{$}}
func.func private @outer(%a: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %r = call @inner(%a, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  return %r : memref<8xf32>
}
// CHECK-LABEL: func.func @returned
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    call @outer(%[[A]], %{{.*}})
// CHECK-NEXT:    return %[[A]]
func.func @returned(%v: f32) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %r = call @outer(%a, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return %r : memref<8xf32>
}

// -----

// The user's word: of all that call it from elsewhere, and of one here that hands over
// a part of something larger.
// REMARK: argument 0 is updated in place, without a copy (32 bytes)
// CHECK-LABEL: func.func @marked(
// CHECK-SAME:    %[[A:[^:]*]]: memref<8xf32> {berth.updated}, %{{[^:]*}}: f32) -> memref<8xf32> {
// CHECK-NOT:     memref.alloc
// CHECK:         return %[[A]]
func.func @marked(%a: memref<8xf32> {berth.updated}, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: warning: argument 0 of this call is changed, since the function marks it berth.updated; that nobody needs what it held is not proved: {{.*}}[berth-E
// CHECK-LABEL: func.func @rows
// CHECK:         %[[ROW:.*]] = memref.subview
// CHECK:         call @marked(%[[ROW]], %{{.*}})
// CHECK-NEXT:    "use"(%[[ROW]])
func.func @rows(%all: memref<2x8xf32>, %v: f32) {
  %row = memref.subview %all[0, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<8xf32>
  %r = call @marked(%row, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  "use"(%r) : (memref<8xf32>) -> ()
  return
}

// -----

// Who hands over a constant, or the same memory twice, is not believed.
// REMARK: argument 0 is copied, and not updated in place (32 bytes): a caller hands over a constant
// REMARK: argument 0 is copied, and not updated in place (32 bytes): a caller hands over the argument twice
memref.global "private" constant @fixed : memref<8xf32> = dense<1.0>
func.func @marked_constant(%a: memref<8xf32> {berth.updated}, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
func.func @hands_constant(%v: f32) {
  %c = memref.get_global @fixed : memref<8xf32>
  %r = call @marked_constant(%c, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  "use"(%r) : (memref<8xf32>) -> ()
  return
}
func.func @marked_two(%a: memref<8xf32> {berth.updated}, %b: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  "use"(%b) : (memref<8xf32>) -> ()
  return %r : memref<8xf32>
}
func.func @hands_twice(%c: memref<8xf32>, %v: f32) {
  %r = call @marked_two(%c, %c, %v) : (memref<8xf32>, memref<8xf32>, f32) -> memref<8xf32>
  "use"(%r) : (memref<8xf32>) -> ()
  return
}

// -----

// Under whose word memory is freed nobody can tell.
// REMARK: argument 0 is copied, and not updated in place (32 bytes): memory is freed of which nobody knows whose it is then
// CHECK-LABEL: func.func @marked_freed
// CHECK:         memref.copy
func.func @marked_freed(%a: memref<8xf32> {berth.updated}, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
func.func @frees(%a: memref<8xf32> {berth.updated}, %v: f32) {
  %r = call @marked_freed(%a, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  "use"(%r) : (memref<8xf32>) -> ()
  memref.dealloc %r : memref<8xf32>
  return
}

// -----

memref.global "private" @constant : memref<8xf32> = dense<1.0>

// REMARK: argument 0 is copied, and not updated in place (32 bytes): a caller's argument is no memory of its own
func.func private @of_global(%a: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: argument 0 is copied, and not updated in place (32 bytes): a caller's argument comes from callers that are not seen, and is not marked berth.updated
func.func private @of_caller(%a: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: argument 0 is copied, and not updated in place (32 bytes): somebody else may get hold of the argument
func.func private @of_keeper(%a: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: argument 0 is copied, and not updated in place (32 bytes): it may be called from outside of the module, and the argument is not marked berth.updated
func.func @of_others(%a: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r : memref<8xf32>
}
// REMARK: argument 0 is copied, and not updated in place (32 bytes): the function does more with it
func.func private @and_returned(%a: memref<8xf32>, %v: f32) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return %r, %a : memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: func.func @callers
func.func @callers(%a: memref<8xf32>, %table: memref<1xmemref<8xf32>>, %v: f32) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @constant : memref<8xf32>
  %0 = call @of_global(%g, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  %1 = call @of_caller(%a, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  %k = memref.alloc() : memref<8xf32>
  memref.store %k, %table[%c0] : memref<1xmemref<8xf32>>
  %2 = call @of_keeper(%k, %v) : (memref<8xf32>, f32) -> memref<8xf32>
  %l = memref.alloc() : memref<8xf32>
  %3:2 = call @and_returned(%l, %v) : (memref<8xf32>, f32) -> (memref<8xf32>, memref<8xf32>)
  return
}

// -----

// What callers bring for the copy goes with it.
// REMARK: argument 0 is updated in place, without a copy (32 bytes)
// CHECK-LABEL: func.func private @fills(
// CHECK-SAME:    %[[A:[^:]*]]: memref<8xf32>, %{{[^:]*}}: f32 {my.mark}) {
// CHECK-NOT:     memref.copy
// CHECK:         memref.store %{{.*}}, %[[A]]
func.func private @fills(%a: memref<8xf32>, %r: memref<8xf32> {my.other}, %v: f32 {my.mark}) {
  %c0 = arith.constant 0 : index
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.store %v, %r[%c0] : memref<8xf32>
  return
}
// CHECK-LABEL: func.func @brings
// CHECK:         %[[A:.*]] = memref.view
// CHECK:         call @fills(%[[A]], %{{.*}}) : (memref<8xf32>, f32) -> ()
// CHECK-NEXT:    "use"(%[[A]])
func.func @brings(%v: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %r = memref.alloc() : memref<8xf32>
  call @fills(%a, %r, %v) : (memref<8xf32>, memref<8xf32>, f32) -> ()
  "use"(%r) : (memref<8xf32>) -> ()
  return
}
