// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two slots take turns for a buffer that each iteration makes from the last
// one; a buffer that is handed on twice keeps its allocation.
// REQUIRES: mlir
// RUN: %same-output --pipeline='func.func(berth-arena{rotate=true})' --pipeline='func.func(berth-arena{rotate=true poison=true})' %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{rotate=true}))' %s | FileCheck %s

// init and two slots: 96 bytes.
// CHECK-LABEL: @pingpong
// CHECK: memref.alloc() {{.*}} : memref<96xi8>
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

// CHECK: scf.for
// CHECK: memref.alloc
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
  return
}
