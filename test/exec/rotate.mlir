// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two slots take turns for a buffer that each iteration makes from the last
// one, and three where a turn uses what the last two have made.
// REQUIRES: mlir
// RUN: %same-output --pipeline='func.func(berth-arena)' --pipeline='func.func(berth-arena{poison=true})' %s
// RUN: not %same-output --pipeline='func.func(berth-arena{verify=false test-break-rule=any-initial-slot})' %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{test-break-rule=any-initial-slot}))' %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena))' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{rotate=false}))' %s | FileCheck %s --check-prefix=OFF
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{arena=annotate}))' %s | FileCheck %s --check-prefix=OFF

// BROKEN: same-output: the output differs
// REFUSED: error: uses a buffer that turns take, behind the loop
// REFUSED: error: uses a buffer that turns take, in the loop
// OFF-NOT: arith.select

// The initial buffer and one slot besides: 64 bytes.
// CHECK-LABEL: @pingpong
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.for
// CHECK: arith.select
// CHECK-NOT: memref.alloc
// CHECK-LABEL: @twice
func.func @pingpong(%lower: index, %upper: index, %step: index) {
  %one = arith.constant 1.0 : f32
  %init = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%init : memref<8xf32>)
  %last = scf.for %i = %lower to %upper step %step iter_args(%p = %init) -> memref<8xf32> {
    %q = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %n = linalg.index 0 : index
      %k = arith.index_cast %n : index to i32
      %f = arith.sitofp %k : i32 to f32
      %s = arith.addf %a, %f : f32
      %t = arith.addf %s, %b : f32
      linalg.yield %t : f32
    }
    scf.yield %q : memref<8xf32>
  }
  %c0 = arith.constant 0 : index
  %v = vector.load %last[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %v : vector<8xf32>
  return
}

// CHECK: memref.alloc() {{.*}} : memref<48xi8>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @twice(%lower: index, %upper: index, %step: index) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%two : f32) outs(%b : memref<4xf32>)
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%p = %a, %o = %b) -> (memref<4xf32>, memref<4xf32>) {
    %q = memref.alloc() : memref<4xf32>
    linalg.add ins(%p, %o : memref<4xf32>, memref<4xf32>) outs(%q : memref<4xf32>)
    scf.yield %q, %p : memref<4xf32>, memref<4xf32>
  }
  %c0 = arith.constant 0 : index
  %v = vector.load %r#0[%c0] : memref<4xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  return
}

// A pointer that is stored may be used in any later iteration.
// CHECK-LABEL: @stored
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
func.func private @stored(%n: index, %a: memref<4xf32>, %table: memref<8xindex>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<4xf32> {
    %q = memref.alloc() : memref<4xf32>
    memref.copy %p, %q : memref<4xf32> to memref<4xf32>
    %address = memref.extract_aligned_pointer_as_index %q : memref<4xf32> -> index
    memref.store %address, %table[%i] : memref<8xindex>
    scf.yield %q : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// The initial buffer is still wanted behind the loop, or in it, or there may be
// no loop at all: two slots besides.
// CHECK-LABEL: @wanted_behind
// CHECK: memref.alloc() {{.*}} : memref<48xi8>
// CHECK: scf.for
func.func @wanted_behind(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %init = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%init : memref<4xf32>)
  %view = memref.expand_shape %init [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<4xf32> {
    %q = memref.alloc() : memref<4xf32>
    linalg.add ins(%p, %p : memref<4xf32>, memref<4xf32>) outs(%q : memref<4xf32>)
    scf.yield %q : memref<4xf32>
  }
  %u = memref.load %view[%c0, %c0] : memref<2x2xf32>
  vector.print %u : f32
  %v = memref.load %last[%c0] : memref<4xf32>
  vector.print %v : f32
  return
}

// CHECK-LABEL: @wanted_inside
// CHECK: memref.alloc() {{.*}} : memref<48xi8>
// CHECK: scf.for
func.func @wanted_inside(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %init = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%init : memref<4xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<4xf32> {
    %q = memref.alloc() : memref<4xf32>
    linalg.add ins(%p, %init : memref<4xf32>, memref<4xf32>) outs(%q : memref<4xf32>)
    scf.yield %q : memref<4xf32>
  }
  %v = memref.load %last[%c0] : memref<4xf32>
  vector.print %v : f32
  return
}

// The loop begins with one buffer twice.
// CHECK-LABEL: @both_begin_with_it
// CHECK: memref.alloc() {{.*}} : memref<80xi8>
// CHECK: scf.for
func.func @both_begin_with_it(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %init = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%init : memref<4xf32>)
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init, %o = %init) -> (memref<4xf32>, memref<4xf32>) {
    %q = memref.alloc() : memref<4xf32>
    linalg.add ins(%p, %p : memref<4xf32>, memref<4xf32>) outs(%q : memref<4xf32>)
    %r = memref.alloc() : memref<4xf32>
    linalg.add ins(%o, %p : memref<4xf32>, memref<4xf32>) outs(%r : memref<4xf32>)
    scf.yield %q, %r : memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %last#0[%c0] : memref<4xf32>
  vector.print %v : f32
  %w = memref.load %last#1[%c0] : memref<4xf32>
  vector.print %w : f32
  return
}

// The initial buffer is older than the loop around this one: each time it begins
// with it again.
// CHECK-LABEL: @begins_again
// CHECK: memref.alloc() {{.*}} : memref<48xi8>
// CHECK: scf.for
func.func @begins_again(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %init = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%init : memref<4xf32>)
  scf.for %k = %c0 to %n step %c1 {
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<4xf32> {
      %q = memref.alloc() : memref<4xf32>
      linalg.add ins(%p, %p : memref<4xf32>, memref<4xf32>) outs(%q : memref<4xf32>)
      scf.yield %q : memref<4xf32>
    }
    %v = memref.load %last[%c0] : memref<4xf32>
    vector.print %v : f32
  }
  return
}

// What leaves the function is left alone.
// CHECK-LABEL: @returned
// CHECK: scf.for
// CHECK-NEXT: memref.alloc
func.func private @returned(%n: index, %a: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<4xf32> {
    %q = memref.alloc() : memref<4xf32>
    memref.copy %p, %q : memref<4xf32> to memref<4xf32>
    scf.yield %q : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  call @pingpong(%c0, %c0, %c1) : (index, index, index) -> ()
  call @pingpong(%c0, %c1, %c1) : (index, index, index) -> ()
  call @pingpong(%c1, %c10, %c1) : (index, index, index) -> ()
  call @pingpong(%c1, %c10, %c3) : (index, index, index) -> ()
  call @twice(%c0, %c10, %c1) : (index, index, index) -> ()
  scf.for %n = %c0 to %c10 step %c3 {
    func.call @wanted_behind(%n) : (index) -> ()
    func.call @wanted_inside(%n) : (index) -> ()
    func.call @both_begin_with_it(%n) : (index) -> ()
    func.call @begins_again(%n) : (index) -> ()
  }
  return
}
