// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Passes of the affine dialect take different memrefs for disjoint memory. So
// affine loops that write over what they have read leave the dialect.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on})' 2>/dev/null | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on},func.func(affine-raise-from-memref,affine-parallelize,affine-loop-fusion,affine-scalrep,affine-loop-tile),berth-verify)' 2>/dev/null | FileCheck %s --check-prefix=BEHIND
// Where only attributes are wanted they stay, with a mark: what runs them in
// parallel is refused.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on arena=annotate},berth-verify)' 2>/dev/null | FileCheck %s --check-prefix=MARKED
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on arena=annotate},func.func(affine-parallelize),berth-verify)' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on arena=annotate},func.func(lower-affine),berth-verify)' -o /dev/null
// So is what became of them without the rule.
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on test-break-rule=affine-order},func.func(affine-parallelize),berth-verify)' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: reads a buffer whose bytes

// CHECK-LABEL: func.func @pairs(
// CHECK: memref<256xi8>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[AT:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK: memref.load %{{.*}}[%[[AT]]] : memref<64xf32>
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]] : memref<32xf32>
// CHECK: } {berth.ordered}
// BEHIND-LABEL: func.func @pairs(
// BEHIND: scf.for
// BEHIND-NOT: affine.parallel
// BEHIND: berth.ordered
// MARKED-LABEL: func.func @pairs({{.*}}berth.arena_size = 256
// MARKED: affine.for
// MARKED: } {berth.ordered}
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

// In a loop that stays affine: none of its passes runs this one in parallel.
// CHECK-LABEL: func.func @inner(
// CHECK: memref<256xi8>
// CHECK: affine.for
// CHECK: scf.for
// CHECK: } {berth.ordered}
// BEHIND-LABEL: func.func @inner(
// BEHIND-NOT: affine.parallel
// BEHIND: affine.for
// BEHIND: scf.for
func.func @inner(%in: memref<4x64xf32>, %out: memref<4x32xf32>) {
  affine.for %t = 0 to 4 {
    %x = memref.alloc() : memref<64xf32>
    %y = memref.alloc() : memref<32xf32>
    %from = memref.subview %in[%t, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %to = memref.subview %out[%t, 0] [1, 32] [1, 1] : memref<4x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %from, %x : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32>
    affine.for %i = 0 to 32 {
      %a = affine.load %x[2 * %i] : memref<64xf32>
      %b = affine.load %x[2 * %i + 1] : memref<64xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %y[%i] : memref<32xf32>
    }
    memref.copy %y, %to : memref<32xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.dealloc %x : memref<64xf32>
    memref.dealloc %y : memref<32xf32>
  }
  return
}

// What cannot leave the dialect is left alone, unless nothing has to.
// CHECK-LABEL: func.func @with_parallel(
// CHECK: memref<384xi8>
// CHECK: affine.for
// MARKED-LABEL: func.func @with_parallel({{.*}}berth.arena_size = 256
func.func @with_parallel(%in: memref<64xf32>, %out: memref<32xf32>, %z: memref<32x2xf32>) {
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<32xf32>
  memref.copy %in, %x : memref<64xf32> to memref<64xf32>
  affine.for %i = 0 to 32 {
    %a = affine.load %x[2 * %i] : memref<64xf32>
    %b = affine.load %x[2 * %i + 1] : memref<64xf32>
    affine.parallel (%j) = (0) to (2) {
      affine.store %a, %z[%i, %j] : memref<32x2xf32>
    }
    %c = arith.addf %a, %b : f32
    affine.store %c, %y[%i] : memref<32xf32>
  }
  memref.copy %y, %out : memref<32xf32> to memref<32xf32>
  return
}

// Values that loops and branches hand on, and conditions of two parts.
// CHECK-LABEL: func.func @carried(
// CHECK: memref<1024xi8>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: iter_args
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK: } {berth.ordered}
func.func @carried(%in: memref<16x16xi32>, %out: memref<8x8xi32>) {
  %least = arith.constant -1000 : i32
  %x = memref.alloc() : memref<16x16xi32>
  %y = memref.alloc() : memref<8x8xi32>
  memref.copy %in, %x : memref<16x16xi32> to memref<16x16xi32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %m = affine.for %k = 0 to 2 iter_args(%n = %least) -> i32 {
        %q = affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 == 0)>(%i, %j) -> i32 {
          %w = affine.load %x[2 * %i + %k, 2 * %j] : memref<16x16xi32>
          affine.yield %w : i32
        } else {
          affine.yield %n : i32
        }
        affine.yield %q : i32
      }
      affine.store %m, %y[%i, %j] : memref<8x8xi32>
    }
  }
  memref.copy %y, %out : memref<8x8xi32> to memref<8x8xi32>
  return
}
