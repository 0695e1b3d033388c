// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes whose product overflows, and large coefficients, where few cells live.
// RUN: %berth-opt %s --berth-fold | FileCheck %s

// CHECK-LABEL: func.func @huge
// CHECK: memref.alloc() : memref<f32>
// CHECK-LABEL: func.func @coefficient
// CHECK: memref.alloc() : memref<7xf32>
// CHECK: affine.store {{.*}}[(%{{.*}} * 1000000000) mod 7]
func.func @huge(%out: memref<8xf32>, %x: f32) {
  %a = memref.alloc() : memref<4000000000x4000000000xf32>
  affine.for %i = 0 to 4000000000 {
    affine.store %x, %a[%i, 4000000000 - 1 - %i] : memref<4000000000x4000000000xf32>
    %v = affine.load %a[%i, 4000000000 - 1 - %i] : memref<4000000000x4000000000xf32>
    affine.store %v, %out[0] : memref<8xf32>
  }
  return
}
func.func @coefficient(%out: memref<8xf32>, %x: f32) {
  %a = memref.alloc() : memref<4000000000xf32>
  affine.for %i = 0 to 4 {
    affine.store %x, %a[%i * 1000000000] : memref<4000000000xf32>
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i * 1000000000] : memref<4000000000xf32>
    affine.store %v, %out[%i] : memref<8xf32>
  }
  return
}
