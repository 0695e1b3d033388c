// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline `berth`: what is folded is packed by its folded size.
// RUN: %berth-opt %s --berth | FileCheck %s
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth)' | FileCheck %s
// RUN: %berth-opt %s --berth='fold=off' | FileCheck %s --check-prefix=PLAIN
// RUN: %berth-opt %s --berth='fold={method=lefebvre-feautrier} arena=off' | FileCheck %s --check-prefix=ONLY
// RUN: not %berth-opt %s --berth='fold={speed=3}' 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: memref.alloc() {{.*}}: memref<80xi8>
// PLAIN: memref.alloc() {{.*}}: memref<640xi8>
// ONLY: memref.alloc() : memref<20xf32>
// ONLY-NOT: xi8
// BAD: {{speed}}
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
