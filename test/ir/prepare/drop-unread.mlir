// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is filled or copied for nobody goes, and so do buffers that nobody
// accesses; where code has to stay, these cost no bytes.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{drop-unread=false})' | FileCheck %s --check-prefix=KEPT
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | FileCheck %s --check-prefix=MARKED
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=unread-fills})' | not FileCheck %s

// An output that is overwritten anyway: without the fill it works in place.
// CHECK-LABEL: func @overwritten(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK-NOT: linalg.fill
// CHECK: linalg.exp
// KEPT-LABEL: func @overwritten(
// KEPT: memref.alloc() {{.*}} : memref<512xi8>
// KEPT: linalg.fill
func.func @overwritten(%in: memref<64xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

// A part stays as it was.
// CHECK-LABEL: func @partly(
// CHECK: linalg.fill
// CHECK: linalg.exp
func.func @partly(%in: memref<32xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  %half = memref.subview %b[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  linalg.exp ins(%in : memref<32xf32>) outs(%half : memref<32xf32, strided<[1]>>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

// The next turn reads it.
// CHECK-LABEL: func @next_turn(
// CHECK: scf.for
// CHECK: linalg.fill
func.func @next_turn(%x: memref<64xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %b, %out : memref<64xf32> to memref<64xf32>
    %f = arith.index_cast %i : index to i32
    %g = arith.sitofp %f : i32 to f32
    linalg.fill ins(%g : f32) outs(%b : memref<64xf32>)
  }
  return
}

// One branch reads it.
// CHECK-LABEL: func @one_branch(
// CHECK: linalg.fill
// CHECK: scf.if
func.func @one_branch(%x: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  scf.if %c {
    memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  }
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

// It may be of the other one, which is read.
// CHECK-LABEL: func @either(
// CHECK: linalg.fill ins(%{{.*}}) outs(%{{.*}} : memref<64xf32>)
func.func @either(%x: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  %s = arith.select %c, %a, %b : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

// A copy that goes may have been all that needed its source; then nothing is
// left, and no arena.
// CHECK-LABEL: func @chain(
// CHECK-NEXT: arith.constant
// CHECK-NEXT: return
func.func @chain() {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// Somebody else may read it.
// CHECK-LABEL: func @argument(
// CHECK: linalg.fill
// CHECK: linalg.fill
func.func @argument(%x: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<64xf32>)
  linalg.fill ins(%one : f32) outs(%x : memref<64xf32>)
  return
}

// Nobody touches %b. (Without rewriting it has no place, or one upon others.)
// CHECK-LABEL: func @untouched(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK-NOT: memref<64xf64>
// CHECK: return
// KEPT-LABEL: func @untouched(
// KEPT: memref.alloc() {{.*}} : memref<256xi8>
// KEPT: memref.alloc() : memref<64xf64>
// KEPT: return
// MARKED-LABEL: func @untouched(
// MARKED-SAME: berth.arena_size = 256
// MARKED: memref.alloc() {berth.offset = 0 : i64, berth.size = 256 : i64} : memref<64xf32>
// MARKED: memref.alloc() : memref<64xf64>
// MARKED: memref.alloc() {berth.offset = 0 : i64, berth.size = 128 : i64} : memref<32xf32>
func.func @untouched(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf64>
  %v = memref.subview %b[0] [32] [1] : memref<64xf64> to memref<32xf64, strided<[1]>>
  %w = memref.cast %v : memref<32xf64, strided<[1]>> to memref<?xf64, strided<[?]>>
  %c = memref.alloc() : memref<32xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %b : memref<64xf64>
  memref.dealloc %c : memref<32xf32>
  memref.dealloc %a : memref<64xf32>
  return
}

// A loop hands it on: it stays, upon the bytes of the other one.
// CHECK-LABEL: func @handed_on(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK-NOT: memref.alloc
// CHECK: scf.for
func.func @handed_on(%in: memref<64xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<32xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> memref<32xf32> {
    scf.yield %x : memref<32xf32>
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %r : memref<32xf32>
  return
}

// What a user has bound stays as it is.
// CHECK-LABEL: func @bound(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK: linalg.fill
func.func @bound() {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() {berth.pin = 0} : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  return
}
