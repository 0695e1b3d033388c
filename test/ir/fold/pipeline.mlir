// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline `berth`: what is folded is packed by its folded size.
// RUN: %berth-opt %s --berth | FileCheck %s
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth)' | FileCheck %s
// RUN: %berth-opt %s --berth='fold=off' | FileCheck %s --check-prefix=PLAIN
// RUN: %berth-opt %s --berth='fold={method=lefebvre-feautrier alone} arena=off' | FileCheck %s --check-prefix=ONLY
// RUN: not %berth-opt %s --berth='fold={speed=3}' 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: memref.alloc() {{.*}}: memref<80xi8>
// PLAIN: memref.alloc() {{.*}}: memref<640xi8>
// ONLY: memref.alloc() : memref<20xf32>
// ONLY-NOT: xi8
// RUN: %berth-opt %s --berth | FileCheck %s --check-prefix=CHAIN
// RUN: %berth-opt %s --berth='merge=on' | FileCheck %s --check-prefix=MERGED
// RUN: %berth-opt %s --berth='merge={may-merge=same-type}' | FileCheck %s --check-prefix=MERGED
// RUN: %berth-opt %s --berth='arena=off' | FileCheck %s --check-prefix=ALONE

// BAD: no option is called 'speed'
// BAD-NOT: LLVM ERROR
func.func @rows(%out: memref<8x20xf32>, %x: f32) {
  %a = memref.alloc() : memref<8x20xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 20 {
      affine.store %x, %a[%i, %j] : memref<8x20xf32>
    }
    affine.for %j = 0 to 20 {
      %v = affine.load %a[%i, 19 - %j] : memref<8x20xf32>
      affine.store %v, %out[%i, %j] : memref<8x20xf32>
    }
  }
  memref.dealloc %a : memref<8x20xf32>
  return
}

// Merged buffers are not written in place, so an arena is better without.
// CHAIN-LABEL: @chain
// CHAIN: memref.alloc() {{.*}}: memref<4096xi8>
// MERGED-LABEL: @chain
// MERGED: memref.alloc() {{.*}}: memref<8192xi8>
// ALONE-LABEL: @chain
// ALONE-COUNT-2: memref.alloc() {{.*}}: memref<1024xf32>
// ALONE-NOT: memref.alloc
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return
}
