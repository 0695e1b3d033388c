// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine passes take different memrefs for disjoint memory: behind Berth they
// would move stores to one view across loads from another of the same bytes.
// RUN: %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: affine-loops.mlir:[[@LINE+15]]:3: warning: affine loops touch buffers that share bytes: passes that take different memrefs for disjoint memory, such as affine-loop-fusion, must not follow
// CHECK: note: run them ahead of this pass, or lower-affine behind it
func.func @shared(%x: memref<8xf32>, %o: memref<8xf32>, %q: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c1 = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    %w = arith.addf %v, %c1 : f32
    affine.store %w, %a[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %a[7 - %i] : memref<8xf32>
    affine.store %v, %o[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    affine.store %v, %b[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %b[7 - %i] : memref<8xf32>
    affine.store %v, %q[%i] : memref<8xf32>
  }
  return
}

// Nothing to tell of one buffer, or of loops of another dialect.
func.func @one(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    affine.store %v, %a[%i] : memref<8xf32>
    %w = affine.load %a[%i] : memref<8xf32>
    affine.store %w, %x[7 - %i] : memref<8xf32>
  }
  return
}
