// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// affine-loop-fusion of MLIR 19 has no option `maximal`.
// REQUIRES: llvm-22
// Convolution, activation and pooling of three images, in the forms that upstream
// passes leave: tiled, coalesced (subscripts by affine.apply of constants),
// parallel, unrolled, lowered to scf, fused. The activation works in place; when
// fused, a pool's four values are all that lives.
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-tile{tile-size=3},canonicalize,cse))' | %berth-opt --berth-fold=max-operations=0 | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-normalize,affine-loop-coalescing))' | %berth-opt --berth-fold=max-operations=0 | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-parallelize))' | %berth-opt --berth-fold=max-operations=0 | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=3},canonicalize))' | %berth-opt --berth-fold=max-operations=0 | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(lower-affine,canonicalize)' | %berth-opt --berth-fold=max-operations=0 | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-fusion{maximal=true mode=greedy}))' | %berth-opt --berth-fold=max-operations=0 | FileCheck %s --check-prefix=FUSED
// RUN: %same-output --before='func.func(affine-loop-tile{tile-size=3},canonicalize,cse)' --pipeline='berth-fold{max-operations=0}' %s
// RUN: %same-output --before='func.func(affine-loop-normalize,affine-loop-coalescing)' --pipeline='berth-fold{max-operations=0}' %s
// RUN: %same-output --before='func.func(affine-parallelize)' --pipeline='berth-fold{max-operations=0}' %s
// RUN: %same-output --before='func.func(affine-loop-unroll{unroll-factor=3},canonicalize)' --pipeline='berth-fold{max-operations=0}' %s
// RUN: %same-output --before='lower-affine,canonicalize' --pipeline='berth-fold{max-operations=0}' %s
// RUN: %same-output --before='func.func(affine-loop-fusion{maximal=true mode=greedy})' --pipeline='berth-fold{max-operations=0}' %s

// CHECK: memref.alloc() : memref<10x10xf32>
// CHECK-NOT: memref.alloc
// CHECK-LABEL: func.func @main
// FUSED: memref.alloc() : memref<4xf32>
// FUSED-NOT: memref.alloc
// FUSED-LABEL: func.func @main

func.func @net(%x: memref<3x12x12xf32>, %k: memref<3x3xf32>, %out: memref<3x5x5xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %b = 0 to 3 {
    %c = memref.alloc() : memref<10x10xf32>
    %r = memref.alloc() : memref<10x10xf32>
    affine.for %i = 0 to 10 { affine.for %j = 0 to 10 {
      affine.store %z, %c[%i, %j] : memref<10x10xf32>
      affine.for %p = 0 to 3 { affine.for %q = 0 to 3 {
        %a = affine.load %x[%b, %i + %p, %j + %q] : memref<3x12x12xf32>
        %w = affine.load %k[%p, %q] : memref<3x3xf32>
        %m = arith.mulf %a, %w : f32
        %o = affine.load %c[%i, %j] : memref<10x10xf32>
        %s = arith.addf %o, %m : f32
        affine.store %s, %c[%i, %j] : memref<10x10xf32>
      } }
    } }
    affine.for %i = 0 to 10 { affine.for %j = 0 to 10 {
      %v = affine.load %c[%i, %j] : memref<10x10xf32>
      %m = arith.maximumf %v, %z : f32
      affine.store %m, %r[%i, %j] : memref<10x10xf32>
    } }
    affine.for %i = 0 to 5 { affine.for %j = 0 to 5 {
      %v0 = affine.load %r[%i * 2, %j * 2] : memref<10x10xf32>
      %v1 = affine.load %r[%i * 2 + 1, %j * 2] : memref<10x10xf32>
      %v2 = affine.load %r[%i * 2, %j * 2 + 1] : memref<10x10xf32>
      %v3 = affine.load %r[%i * 2 + 1, %j * 2 + 1] : memref<10x10xf32>
      %m0 = arith.maximumf %v0, %v1 : f32
      %m1 = arith.maximumf %v2, %v3 : f32
      %m2 = arith.maximumf %m0, %m1 : f32
      affine.store %m2, %out[%b, %i, %j] : memref<3x5x5xf32>
    } }
    memref.dealloc %c : memref<10x10xf32>
    memref.dealloc %r : memref<10x10xf32>
  }
  return
}
func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %x = memref.alloc() : memref<3x12x12xf32>
  %k = memref.alloc() : memref<3x3xf32>
  %o = memref.alloc() : memref<3x5x5xf32>
  affine.for %b = 0 to 3 { affine.for %i = 0 to 12 { affine.for %j = 0 to 12 {
    %s = affine.apply affine_map<(d0, d1, d2) -> ((d0 * 7 + d1 * 3 + d2 * 11) mod 13 - 6)>(%i, %j, %b)
    %t = arith.index_cast %s : index to i32
    %f = arith.sitofp %t : i32 to f32
    affine.store %f, %x[%b, %i, %j] : memref<3x12x12xf32>
    affine.if affine_set<(d0, d1) : (2 - d0 >= 0, 2 - d1 >= 0)>(%i, %j) { affine.store %f, %k[%i, %j] : memref<3x3xf32> }
  } } }
  call @net(%x, %k, %o) : (memref<3x12x12xf32>, memref<3x3xf32>, memref<3x5x5xf32>) -> ()
  affine.for %b = 0 to 3 { affine.for %i = 0 to 5 { affine.for %j = 0 to 5 {
    %v = affine.load %o[%b, %i, %j] : memref<3x5x5xf32>
    func.call @printF32(%v) : (f32) -> ()
    func.call @printNewline() : () -> ()
  } } }
  return
}
