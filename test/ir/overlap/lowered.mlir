// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops,lower-affine),berth-arena{overlap=on})' | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on})' | FileCheck %s --check-prefix=AS-IT-IS

// What is a linalg op has an order once it is lowered; an affine loop has one, and
// is lowered for it.

// CHECK-LABEL: func.func @truncation(
// CHECK: memref<16384xi8>
// CHECK: berth.ordered
// AS-IT-IS: memref<20480xi8>
func.func @truncation(%in: memref<64x64xf32>, %out: memref<64x64xi8>) {
  %x = memref.alloc() : memref<64x64xf32>
  %y = memref.alloc() : memref<64x64xi8>
  memref.copy %in, %x : memref<64x64xf32> to memref<64x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xi8>) {
  ^bb0(%a: f32, %b: i8):
    %c = arith.fptosi %a : f32 to i8
    linalg.yield %c : i8
  }
  memref.copy %y, %out : memref<64x64xi8> to memref<64x64xi8>
  return
}

// CHECK-LABEL: func.func @pairs(
// CHECK: memref<256xi8>
// CHECK: berth.ordered
// AS-IT-IS-LABEL: func.func @pairs(
// AS-IT-IS: memref<256xi8>
// AS-IT-IS: scf.for
func.func @pairs(%in: memref<64xf32>, %out: memref<32xf32>) {
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<32xf32>
  memref.copy %in, %x : memref<64xf32> to memref<64xf32>
  affine.for %i = 0 to 32 {
    %a = affine.load %x[2 * %i] : memref<64xf32>
    %b = affine.load %x[2 * %i + 1] : memref<64xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %y[%i] : memref<32xf32>
  }
  memref.copy %y, %out : memref<32xf32> to memref<32xf32>
  return
}

// Many loops beside each other, and values that loops hand on: nothing that the
// check would refuse.
// CHECK-LABEL: func.func @handed_on(
// CHECK: memref<320xi8>
// CHECK-NOT: berth.ordered
func.func @handed_on(%in: memref<64xf32>, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xi8>
  memref.copy %in, %x : memref<64xf32> to memref<64xf32>
  %z = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %x) -> (memref<64xf32>) {
    %v = memref.load %a[%k] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%k] : memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %t = arith.fptosi %v : f32 to i8
    memref.store %t, %y[%i] : memref<64xi8>
  }
  memref.copy %y, %out : memref<64xi8> to memref<64xi8>
  return
}
