// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A depthwise convolution between two pointwise ones, tiled by four rows.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s
// As loops over the slices, too.
// RUN: mlir-opt %s --convert-linalg-to-loops | %berth-opt - --berth-fold=max-operations=0 | FileCheck %s

// CHECK-LABEL: func.func @kernel
// The window of the depthwise one: two rows more than a tile.
// CHECK: memref.alloc() : memref<1x6x12x4xi64>
// CHECK: memref.alloc() : memref<1x4x10x4xi64>

#I = strided<[432, 24, 2, 1], offset: ?>
#A = strided<[864, 48, 4, 1], offset: ?>
#B = strided<[640, 40, 4, 1], offset: ?>
#O = strided<[320, 20, 2, 1], offset: ?>

func.func @kernel(%in: memref<1x18x12x2xi64>, %p: memref<1x1x2x4xi64>, %d: memref<3x3x4xi64>, %q: memref<1x1x4x2xi64>, %out: memref<1x16x10x2xi64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i64
  %A = memref.alloc() : memref<1x18x12x4xi64>
  %B = memref.alloc() : memref<1x16x10x4xi64>
  // Two rows before the first tile.
  %i0 = memref.subview %in[0, 0, 0, 0] [1, 2, 12, 2] [1, 1, 1, 1] : memref<1x18x12x2xi64> to memref<1x2x12x2xi64, strided<[432, 24, 2, 1]>>
  %a0 = memref.subview %A[0, 0, 0, 0] [1, 2, 12, 4] [1, 1, 1, 1] : memref<1x18x12x4xi64> to memref<1x2x12x4xi64, strided<[864, 48, 4, 1]>>
  linalg.fill ins(%zero : i64) outs(%a0 : memref<1x2x12x4xi64, strided<[864, 48, 4, 1]>>)
  linalg.conv_2d_nhwc_hwcf ins(%i0, %p : memref<1x2x12x2xi64, strided<[432, 24, 2, 1]>>, memref<1x1x2x4xi64>) outs(%a0 : memref<1x2x12x4xi64, strided<[864, 48, 4, 1]>>)
  scf.for %y = %c0 to %c16 step %c4 {
    %y2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%y)
    %i = memref.subview %in[0, %y2, 0, 0] [1, 4, 12, 2] [1, 1, 1, 1] : memref<1x18x12x2xi64> to memref<1x4x12x2xi64, #I>
    %a = memref.subview %A[0, %y2, 0, 0] [1, 4, 12, 4] [1, 1, 1, 1] : memref<1x18x12x4xi64> to memref<1x4x12x4xi64, #A>
    linalg.fill ins(%zero : i64) outs(%a : memref<1x4x12x4xi64, #A>)
    linalg.conv_2d_nhwc_hwcf ins(%i, %p : memref<1x4x12x2xi64, #I>, memref<1x1x2x4xi64>) outs(%a : memref<1x4x12x4xi64, #A>)
    %w = memref.subview %A[0, %y, 0, 0] [1, 6, 12, 4] [1, 1, 1, 1] : memref<1x18x12x4xi64> to memref<1x6x12x4xi64, #A>
    %b = memref.subview %B[0, %y, 0, 0] [1, 4, 10, 4] [1, 1, 1, 1] : memref<1x16x10x4xi64> to memref<1x4x10x4xi64, #B>
    linalg.fill ins(%zero : i64) outs(%b : memref<1x4x10x4xi64, #B>)
    linalg.depthwise_conv_2d_nhwc_hwc ins(%w, %d : memref<1x6x12x4xi64, #A>, memref<3x3x4xi64>) outs(%b : memref<1x4x10x4xi64, #B>)
    %o = memref.subview %out[0, %y, 0, 0] [1, 4, 10, 2] [1, 1, 1, 1] : memref<1x16x10x2xi64> to memref<1x4x10x2xi64, #O>
    linalg.fill ins(%zero : i64) outs(%o : memref<1x4x10x2xi64, #O>)
    linalg.conv_2d_nhwc_hwcf ins(%b, %q : memref<1x4x10x4xi64, #B>, memref<1x1x4x2xi64>) outs(%o : memref<1x4x10x2xi64, #O>)
  }
  memref.dealloc %A : memref<1x18x12x4xi64>
  memref.dealloc %B : memref<1x16x10x4xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<1x18x12x2xi64>
  %p = memref.alloc() : memref<1x1x2x4xi64>
  %d = memref.alloc() : memref<3x3x4xi64>
  %q = memref.alloc() : memref<1x1x4x2xi64>
  %out = memref.alloc() : memref<1x16x10x2xi64>
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 18 {
      affine.for %k = 0 to 12 {
        affine.for %l = 0 to 2 {
          %seed = arith.constant 1 : i64
          %m = arith.constant 31 : i64
          %r = arith.constant 17 : i64
          %x0 = arith.index_cast %i : index to i64
          %y0 = arith.addi %seed, %x0 : i64
          %z0 = arith.muli %y0, %m : i64
          %x1 = arith.index_cast %j : index to i64
          %y1 = arith.addi %z0, %x1 : i64
          %z1 = arith.muli %y1, %m : i64
          %x2 = arith.index_cast %k : index to i64
          %y2 = arith.addi %z1, %x2 : i64
          %z2 = arith.muli %y2, %m : i64
          %x3 = arith.index_cast %l : index to i64
          %y3 = arith.addi %z2, %x3 : i64
          %z3 = arith.muli %y3, %m : i64
          %v = arith.remsi %z3, %r : i64
          affine.store %v, %in[%i, %j, %k, %l] : memref<1x18x12x2xi64>
        }
      }
    }
  }
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 1 {
      affine.for %k = 0 to 2 {
        affine.for %l = 0 to 4 {
          %seed = arith.constant 2 : i64
          %m = arith.constant 31 : i64
          %r = arith.constant 17 : i64
          %x0 = arith.index_cast %i : index to i64
          %y0 = arith.addi %seed, %x0 : i64
          %z0 = arith.muli %y0, %m : i64
          %x1 = arith.index_cast %j : index to i64
          %y1 = arith.addi %z0, %x1 : i64
          %z1 = arith.muli %y1, %m : i64
          %x2 = arith.index_cast %k : index to i64
          %y2 = arith.addi %z1, %x2 : i64
          %z2 = arith.muli %y2, %m : i64
          %x3 = arith.index_cast %l : index to i64
          %y3 = arith.addi %z2, %x3 : i64
          %z3 = arith.muli %y3, %m : i64
          %v = arith.remsi %z3, %r : i64
          affine.store %v, %p[%i, %j, %k, %l] : memref<1x1x2x4xi64>
        }
      }
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %seed = arith.constant 3 : i64
        %m = arith.constant 31 : i64
        %r = arith.constant 17 : i64
        %x0 = arith.index_cast %i : index to i64
        %y0 = arith.addi %seed, %x0 : i64
        %z0 = arith.muli %y0, %m : i64
        %x1 = arith.index_cast %j : index to i64
        %y1 = arith.addi %z0, %x1 : i64
        %z1 = arith.muli %y1, %m : i64
        %x2 = arith.index_cast %k : index to i64
        %y2 = arith.addi %z1, %x2 : i64
        %z2 = arith.muli %y2, %m : i64
        %v = arith.remsi %z2, %r : i64
        affine.store %v, %d[%i, %j, %k] : memref<3x3x4xi64>
      }
    }
  }
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 1 {
      affine.for %k = 0 to 4 {
        affine.for %l = 0 to 2 {
          %seed = arith.constant 4 : i64
          %m = arith.constant 31 : i64
          %r = arith.constant 17 : i64
          %x0 = arith.index_cast %i : index to i64
          %y0 = arith.addi %seed, %x0 : i64
          %z0 = arith.muli %y0, %m : i64
          %x1 = arith.index_cast %j : index to i64
          %y1 = arith.addi %z0, %x1 : i64
          %z1 = arith.muli %y1, %m : i64
          %x2 = arith.index_cast %k : index to i64
          %y2 = arith.addi %z1, %x2 : i64
          %z2 = arith.muli %y2, %m : i64
          %x3 = arith.index_cast %l : index to i64
          %y3 = arith.addi %z2, %x3 : i64
          %z3 = arith.muli %y3, %m : i64
          %v = arith.remsi %z3, %r : i64
          affine.store %v, %q[%i, %j, %k, %l] : memref<1x1x4x2xi64>
        }
      }
    }
  }
  call @kernel(%in, %p, %d, %q, %out) : (memref<1x18x12x2xi64>, memref<1x1x2x4xi64>, memref<3x3x4xi64>, memref<1x1x4x2xi64>, memref<1x16x10x2xi64>) -> ()
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to 10 {
        %v = affine.vector_load %out[%i, %j, %k, 0] : memref<1x16x10x2xi64>, vector<2xi64>
        vector.print %v : vector<2xi64>
      }
    }
  }
  memref.dealloc %in : memref<1x18x12x2xi64>
  memref.dealloc %p : memref<1x1x2x4xi64>
  memref.dealloc %d : memref<3x3x4xi64>
  memref.dealloc %q : memref<1x1x4x2xi64>
  memref.dealloc %out : memref<1x16x10x2xi64>
  return
}
