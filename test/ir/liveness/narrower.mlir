// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequential loops write narrower elements over those that they have read, by
// default, where they come to them in the order of memory.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=off})' | FileCheck %s --check-prefix=OFF
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | FileCheck %s --check-prefix=OFF
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{in-place=false})' | FileCheck %s --check-prefix=OFF
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{test-break-rule=any-nest-order})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: reads a buffer whose bytes
// OFF-NOT: berth.ordered
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on})' | FileCheck %s --check-prefix=ON
// ON-LABEL: func @run_time(
// ON: memref.alloc() {{.*}} : memref<256xi8>
// ON: } {berth.ordered}

// CHECK-LABEL: func @plain(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK: } {berth.ordered}
func.func @plain(%in: memref<8x8xf32>, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = arith.fptosi %x : f32 to i8
      memref.store %y, %b[%i, %k] : memref<8x8xi8>
    }
  }
  memref.copy %b, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// Bounds need not be known, and vectors are as good; some elements may stay.
// CHECK-LABEL: func @run_time(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK: berth.ordered
func.func @run_time(%in: memref<64xi32>, %out: memref<64xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %in, %a : memref<64xi32> to memref<64xi32>
  scf.for %i = %c0 to %n step %c4 {
    %x = vector.load %a[%i] : memref<64xi32>, vector<4xi32>
    %y = arith.trunci %x : vector<4xi32> to vector<4xi8>
    vector.store %y, %b[%i] : memref<64xi8>, vector<4xi8>
  }
  memref.copy %b, %out : memref<64xi8> to memref<64xi8>
  return
}

// By columns: the first element of the second row is written ahead of what lies
// in its place.
// CHECK-LABEL: func @by_columns(
// CHECK: memref.alloc() {{.*}} : memref<320xi8>
// CHECK-NOT: berth.ordered
func.func @by_columns(%in: memref<8x8xf32>, %out: memref<8x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = arith.fptosi %x : f32 to i8
      memref.store %y, %b[%i, %k] : memref<8x8xi8>
    }
  }
  memref.copy %b, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// In any order, from behind, or by a subscript that nobody knows.
// CHECK-LABEL: func @no_order(
// CHECK: memref.alloc() {{.*}} : memref<320xi8>
// CHECK-LABEL: func @from_behind(
// CHECK: memref.alloc() {{.*}} : memref<320xi8>
// CHECK-LABEL: func @anywhere(
// CHECK: memref.alloc() {{.*}} : memref<{{320|328}}xi8>
func.func @no_order(%in: memref<64xf32>, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %out : memref<64xi8> to memref<64xi8>
  return
}
func.func @from_behind(%in: memref<64xf32>, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %k = arith.subi %c63, %i : index
    %x = memref.load %a[%k] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%k] : memref<64xi8>
  }
  memref.copy %b, %out : memref<64xi8> to memref<64xi8>
  return
}
func.func @anywhere(%in: memref<8x8xf32>, %out: memref<8x8xi8>, %rows: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xi8>
  memref.copy %in, %a : memref<8x8xf32> to memref<8x8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %i = memref.load %rows[%k] : memref<8xindex>
    %x = memref.load %a[%i, %k] : memref<8x8xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i, %k] : memref<8x8xi8>
  }
  memref.copy %b, %out : memref<8x8xi8> to memref<8x8xi8>
  return
}

// Passes of the affine dialect may change the order.
// CHECK-LABEL: func @affine_loop(
// CHECK: memref.alloc() {{.*}} : memref<320xi8>
func.func @affine_loop(%in: memref<64xf32>, %out: memref<64xi8>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    affine.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %b, %out : memref<64xi8> to memref<64xi8>
  return
}

// What is read again is spoilt by then.
// CHECK-LABEL: func @read_again(
// CHECK: memref.alloc() {{.*}} : memref<320xi8>
func.func @read_again(%in: memref<64xf32>, %out: memref<64xi8>, %again: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.fptosi %x : f32 to i8
    memref.store %y, %b[%i] : memref<64xi8>
  }
  memref.copy %a, %again : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xi8> to memref<64xi8>
  return
}
