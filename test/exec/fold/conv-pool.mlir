// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution and a pooling of three rows with stride 2, tiled by one row of the result.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s
// As loops over the slices, too.
// RUN: %same-output --before='convert-linalg-to-affine-loops' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<1x3x14x2xi64>

#I = strided<[576, 32, 2, 1], offset: ?>
#A = strided<[476, 28, 2, 1], offset: ?>
#O = strided<[96, 12, 2, 1], offset: ?>

// Two rows of the convolution for each of the pooling; the first one beforehand.
func.func @kernel(%in: memref<1x19x16x2xi64>, %f: memref<3x3x2x2xi64>, %out: memref<1x8x6x2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %low = arith.constant -1000000 : i64
  %window = memref.alloc() : memref<3x3xi64>
  %A = memref.alloc() : memref<1x17x14x2xi64>
  %i0 = memref.subview %in[0, 0, 0, 0] [1, 3, 16, 2] [1, 1, 1, 1] : memref<1x19x16x2xi64> to memref<1x3x16x2xi64, strided<[608, 32, 2, 1]>>
  %a0 = memref.subview %A[0, 0, 0, 0] [1, 1, 14, 2] [1, 1, 1, 1] : memref<1x17x14x2xi64> to memref<1x1x14x2xi64, strided<[476, 28, 2, 1]>>
  linalg.fill ins(%zero : i64) outs(%a0 : memref<1x1x14x2xi64, strided<[476, 28, 2, 1]>>)
  linalg.conv_2d_nhwc_hwcf ins(%i0, %f : memref<1x3x16x2xi64, strided<[608, 32, 2, 1]>>, memref<3x3x2x2xi64>) outs(%a0 : memref<1x1x14x2xi64, strided<[476, 28, 2, 1]>>)
  scf.for %p = %c0 to %c8 step %c1 {
    %y = affine.apply affine_map<(d0) -> (2 * d0)>(%p)
    %y1 = affine.apply affine_map<(d0) -> (2 * d0 + 1)>(%p)
    %i = memref.subview %in[0, %y1, 0, 0] [1, 4, 16, 2] [1, 1, 1, 1] : memref<1x19x16x2xi64> to memref<1x4x16x2xi64, strided<[608, 32, 2, 1], offset: ?>>
    %a = memref.subview %A[0, %y1, 0, 0] [1, 2, 14, 2] [1, 1, 1, 1] : memref<1x17x14x2xi64> to memref<1x2x14x2xi64, #A>
    linalg.fill ins(%zero : i64) outs(%a : memref<1x2x14x2xi64, #A>)
    linalg.conv_2d_nhwc_hwcf ins(%i, %f : memref<1x4x16x2xi64, strided<[608, 32, 2, 1], offset: ?>>, memref<3x3x2x2xi64>) outs(%a : memref<1x2x14x2xi64, #A>)
    %w = memref.subview %A[0, %y, 0, 0] [1, 3, 14, 2] [1, 1, 1, 1] : memref<1x17x14x2xi64> to memref<1x3x14x2xi64, #A>
    %o = memref.subview %out[0, %p, 0, 0] [1, 1, 6, 2] [1, 1, 1, 1] : memref<1x8x6x2xi64> to memref<1x1x6x2xi64, #O>
    linalg.fill ins(%low : i64) outs(%o : memref<1x1x6x2xi64, #O>)
    linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%w, %window : memref<1x3x14x2xi64, #A>, memref<3x3xi64>) outs(%o : memref<1x1x6x2xi64, #O>)
  }
  memref.dealloc %A : memref<1x17x14x2xi64>
  memref.dealloc %window : memref<3x3xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<1x19x16x2xi64>
  %f = memref.alloc() : memref<3x3x2x2xi64>
  %out = memref.alloc() : memref<1x8x6x2xi64>
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 19 {
      affine.for %k = 0 to 16 {
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
          affine.store %v, %in[%i, %j, %k, %l] : memref<1x19x16x2xi64>
        }
      }
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 2 {
        affine.for %l = 0 to 2 {
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
          affine.store %v, %f[%i, %j, %k, %l] : memref<3x3x2x2xi64>
        }
      }
    }
  }
  call @kernel(%in, %f, %out) : (memref<1x19x16x2xi64>, memref<3x3x2x2xi64>, memref<1x8x6x2xi64>) -> ()
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 6 {
        %v = affine.vector_load %out[%i, %j, %k, 0] : memref<1x8x6x2xi64>, vector<2xi64>
        vector.print %v : vector<2xi64>
      }
    }
  }
  memref.dealloc %in : memref<1x19x16x2xi64>
  memref.dealloc %f : memref<3x3x2x2xi64>
  memref.dealloc %out : memref<1x8x6x2xi64>
  return
}
