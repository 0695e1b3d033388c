// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// Two products, one after the other, in tiles that upstream's own passes bring
// to a fast memory (space 2) and back: while one pair of tiles is multiplied,
// the next one is on its way. What the first product uses is free for the
// second.
//
// DEFINE: %{tiles} = func.func(affine-loop-tile{tile-sizes=8,8,8},affine-data-copy-generate{generate-dma=true fast-mem-space=2 fast-mem-capacity=1 skip-non-unit-stride-loops=true})
// RUN: %same-output --late=%late --before='%{tiles}' --pipeline='berth-arena{space=2}' --pipeline='berth-arena{space=2 poison=true}' %s | FileCheck %s --check-prefix=TILED
// RUN: %same-output --late=%late --before='%{tiles},func.func(affine-pipeline-data-transfer,canonicalize)' --pipeline='berth-arena{space=2}' --pipeline='berth-arena{space=2 poison=true}' --pipeline='berth-arena{space=2},berth-arena' --pipeline='berth-arena,berth-arena{space=2}' %s | FileCheck %s
// TILED: two_layers: 768
// CHECK: two_layers: 1280

func.func @two_layers(%x: memref<32x32xf32>, %v: memref<32x32xf32>, %w: memref<32x32xf32>, %h: memref<32x32xf32>, %y: memref<32x32xf32>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      affine.for %k = 0 to 32 {
        %a = affine.load %x[%i, %k] : memref<32x32xf32>
        %b = affine.load %v[%k, %j] : memref<32x32xf32>
        %c = affine.load %h[%i, %j] : memref<32x32xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %h[%i, %j] : memref<32x32xf32>
      }
    }
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      affine.for %k = 0 to 32 {
        %a = affine.load %h[%i, %k] : memref<32x32xf32>
        %b = affine.load %w[%k, %j] : memref<32x32xf32>
        %c = affine.load %y[%i, %j] : memref<32x32xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %y[%i, %j] : memref<32x32xf32>
      }
    }
  }
  return
}

// m[i, j] = (a i + b j) mod 5 - 2: small integers, on which sums are exact.
func.func @count(%m: memref<32x32xf32>, %a: index, %b: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %two = arith.constant 2.0 : f32
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %p = arith.muli %i, %a : index
      %q = arith.muli %j, %b : index
      %s = arith.addi %p, %q : index
      %r = arith.remui %s, %c5 : index
      %n = arith.index_cast %r : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.subf %f, %two : f32
      memref.store %v, %m[%i, %j] : memref<32x32xf32>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<32x32xf32>
  %v = memref.alloc() : memref<32x32xf32>
  %w = memref.alloc() : memref<32x32xf32>
  %h = memref.alloc() : memref<32x32xf32>
  %y = memref.alloc() : memref<32x32xf32>
  call @count(%x, %c1, %c2) : (memref<32x32xf32>, index, index) -> ()
  call @count(%v, %c3, %c1) : (memref<32x32xf32>, index, index) -> ()
  call @count(%w, %c2, %c3) : (memref<32x32xf32>, index, index) -> ()
  linalg.fill ins(%zero : f32) outs(%h : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>)
  call @two_layers(%x, %v, %w, %h, %y) : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  scf.for %i = %c0 to %c32 step %c1 {
    %row = vector.load %y[%i, %c0] : memref<32x32xf32>, vector<32xf32>
    vector.print %row : vector<32xf32>
  }
  return
}
