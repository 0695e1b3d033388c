// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two convolutions row by row: three rows stay of what is between them.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s
// As loops over the slices, too.
// RUN: %same-output --before='convert-linalg-to-loops' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<3x14xi64>

#S16 = strided<[16, 1], offset: ?>
#S14 = strided<[14, 1], offset: ?>
#S12 = strided<[12, 1], offset: ?>

func.func @kernel(%in: memref<20x16xi64>, %f: memref<3x3xi64>, %out: memref<16x12xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c18 = arith.constant 18 : index
  %zero = arith.constant 0 : i64
  %A = memref.alloc() : memref<18x14xi64>
  scf.for %y = %c0 to %c18 step %c1 {
    %i = memref.subview %in[%y, 0] [3, 16] [1, 1] : memref<20x16xi64> to memref<3x16xi64, #S16>
    %a = memref.subview %A[%y, 0] [1, 14] [1, 1] : memref<18x14xi64> to memref<1x14xi64, #S14>
    linalg.fill ins(%zero : i64) outs(%a : memref<1x14xi64, #S14>)
    linalg.conv_2d ins(%i, %f : memref<3x16xi64, #S16>, memref<3x3xi64>) outs(%a : memref<1x14xi64, #S14>)
    %p = arith.cmpi sge, %y, %c2 : index
    scf.if %p {
      %y2 = arith.subi %y, %c2 : index
      %w = memref.subview %A[%y2, 0] [3, 14] [1, 1] : memref<18x14xi64> to memref<3x14xi64, #S14>
      %o = memref.subview %out[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, #S12>
      linalg.fill ins(%zero : i64) outs(%o : memref<1x12xi64, #S12>)
      linalg.conv_2d ins(%w, %f : memref<3x14xi64, #S14>, memref<3x3xi64>) outs(%o : memref<1x12xi64, #S12>)
    }
  }
  memref.dealloc %A : memref<18x14xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<20x16xi64>
  %f = memref.alloc() : memref<3x3xi64>
  %out = memref.alloc() : memref<16x12xi64>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 16 {
      %seed = arith.constant 1 : i64
      %m = arith.constant 31 : i64
      %r = arith.constant 17 : i64
      %x0 = arith.index_cast %i : index to i64
      %y0 = arith.addi %seed, %x0 : i64
      %z0 = arith.muli %y0, %m : i64
      %x1 = arith.index_cast %j : index to i64
      %y1 = arith.addi %z0, %x1 : i64
      %z1 = arith.muli %y1, %m : i64
      %v = arith.remsi %z1, %r : i64
      affine.store %v, %in[%i, %j] : memref<20x16xi64>
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      %seed = arith.constant 2 : i64
      %m = arith.constant 31 : i64
      %r = arith.constant 17 : i64
      %x0 = arith.index_cast %i : index to i64
      %y0 = arith.addi %seed, %x0 : i64
      %z0 = arith.muli %y0, %m : i64
      %x1 = arith.index_cast %j : index to i64
      %y1 = arith.addi %z0, %x1 : i64
      %z1 = arith.muli %y1, %m : i64
      %v = arith.remsi %z1, %r : i64
      affine.store %v, %f[%i, %j] : memref<3x3xi64>
    }
  }
  call @kernel(%in, %f, %out) : (memref<20x16xi64>, memref<3x3xi64>, memref<16x12xi64>) -> ()
  affine.for %i = 0 to 16 {
    %v = affine.vector_load %out[%i, 0] : memref<16x12xi64>, vector<12xi64>
    vector.print %v : vector<12xi64>
  }
  memref.dealloc %in : memref<20x16xi64>
  memref.dealloc %f : memref<3x3xi64>
  memref.dealloc %out : memref<16x12xi64>
  return
}
