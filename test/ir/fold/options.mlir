// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --berth-fold='max-operations=0 method=lefebvre-feautrier alone' | FileCheck %s --check-prefix=LF
// RUN: %berth-opt %s --berth-fold='max-operations=0 pow2-slack=60' | FileCheck %s --check-prefix=POW2
// RUN: %berth-opt %s --berth-fold='max-operations=0 pow2-slack=50' | FileCheck %s --check-prefix=SLACK
// RUN: %berth-opt %s --berth-fold='max-operations=0 min-gain=95' | FileCheck %s --check-prefix=GAIN
// RUN: %berth-opt %s --berth-fold='max-operations=300' --remarks-filter='berth.*' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: %berth-opt %s --berth-fold='max-operations=16000' --remarks-filter='berth.*' 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: %berth-opt %s --berth-fold | FileCheck %s --check-prefix=AUTO
// RUN: not %berth-opt %s --berth-fold='max-operations=-2' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %berth-opt %s --berth-fold='max-operations=0 method=magic' 2>&1 | FileCheck %s --check-prefix=METHOD
// RUN: not %berth-opt %s --berth-fold='max-operations=0 min-gain=101' 2>&1 | FileCheck %s --check-prefix=PERCENT

// LF: memref.alloc() : memref<2x20xf32>
// POW2: memref.alloc() : memref<32xf32>
// From 21 to 32 are 52 percent.
// SLACK: memref.alloc() : memref<21xf32>
// GAIN: memref.alloc() : memref<8x20xf32>
// BUDGET: not folded: {{.*}}ran out of isl's operation budget
// BUDGET: memref.alloc() : memref<8x20xf32>
// AUTO: memref.alloc() : memref<21xf32>
// LITTLE: not folded: the list of cells ran out of isl's operation budget (3 loads, 3 stores): needs more than 16000 operations and saves at most 158 cells of 160; max-operations=160000 allows each array ten times that
// LITTLE: memref.alloc() : memref<8x20xf32>
// NEGATIVE: error: berth-fold: max-operations is at least -1, not -2
// METHOD: error: berth-fold: no method is called 'magic'
// PERCENT: error: berth-fold: min-gain is at most 100 percent
func.func @stencil(%out: memref<20xf32>, %x: f32) {
  %a = memref.alloc() : memref<8x20xf32>
  affine.for %i = 0 to 20 {
    affine.store %x, %a[0, %i] : memref<8x20xf32>
  }
  affine.for %t = 1 to 8 {
    affine.store %x, %a[%t, 0] : memref<8x20xf32>
    affine.for %i = 1 to 20 {
      %l = affine.load %a[%t - 1, %i - 1] : memref<8x20xf32>
      %m = affine.load %a[%t - 1, %i] : memref<8x20xf32>
      %s = arith.addf %l, %m : f32
      affine.store %s, %a[%t, %i] : memref<8x20xf32>
    }
  }
  affine.for %i = 0 to 20 {
    %v = affine.load %a[7, %i] : memref<8x20xf32>
    affine.store %v, %out[%i] : memref<20xf32>
  }
  return
}
