// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that work in place, and what tiling and its like make of them: all of it
// is seen to be right.
// REQUIRES: llvm-22
// DEFINE: %{passes} =
// DEFINE: %{accepted} = %berth-opt %s --pass-pipeline='builtin.module(berth-arena,func.func(%{passes}),berth-verify)' -o /dev/null
// REDEFINE: %{passes} = affine-loop-tile{tile-size=4}
// RUN: %{accepted}
// REDEFINE: %{passes} = affine-loop-tile{tile-size=4},affine-loop-normalize
// RUN: %{accepted}
// REDEFINE: %{passes} = affine-loop-tile{tile-size=4},affine-parallelize
// RUN: %{accepted}
// REDEFINE: %{passes} = affine-loop-tile{tile-size=4},lower-affine,loop-invariant-code-motion,cse,canonicalize
// RUN: %{accepted}
// REDEFINE: %{passes} = affine-loop-coalescing
// RUN: %{accepted}
// REDEFINE: %{passes} = affine-loop-unroll{unroll-factor=3}
// RUN: %{accepted}
// REDEFINE: %{passes} = affine-loop-unroll-jam{unroll-jam-factor=2}
// RUN: %{accepted}
// REDEFINE: %{passes} = scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,4}
// RUN: %{accepted}
// REDEFINE: %{passes} = scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,4},loop-invariant-code-motion,cse,canonicalize
// RUN: %{accepted}
// REDEFINE: %{passes} = scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,4},lower-affine
// RUN: %{accepted}
// REDEFINE: %{passes} = scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,4 no-min-max-bounds=true}
// RUN: %{accepted}

func.func @sequential(%in: memref<10x7xf32>, %out: memref<10x7xf32>) {
  %x = memref.alloc() : memref<10x7xf32>
  %y = memref.alloc() : memref<10x7xf32>
  memref.copy %in, %x : memref<10x7xf32> to memref<10x7xf32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<10x7xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %y[%i, %j] : memref<10x7xf32>
    }
  }
  memref.copy %y, %out : memref<10x7xf32> to memref<10x7xf32>
  return
}

func.func @parallel(%in: memref<10x7xf32>, %out: memref<10x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %x = memref.alloc() : memref<10x7xf32>
  %y = memref.alloc() : memref<10x7xf32>
  memref.copy %in, %x : memref<10x7xf32> to memref<10x7xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c10, %c7) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : memref<10x7xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %y[%i, %j] : memref<10x7xf32>
  }
  memref.copy %y, %out : memref<10x7xf32> to memref<10x7xf32>
  return
}
