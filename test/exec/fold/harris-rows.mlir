// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Harris corners by rows of linalg ops: eight arrays between the image and the response.
// RUN: %berth-opt %s --berth-fold='max-operations=0 joint=false' | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0 joint=false}' --pipeline='berth-fold{max-operations=0 joint=false},berth-arena{poison=true},berth-verify' %s
// All eight in one piece of memory: the sums lie in rows of the products that have been read.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED
// PLACED: placed 8 arrays in 154 cells, packed as wholes 162
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s
// As loops over the slices, too.
// RUN: mlir-opt %s --convert-linalg-to-loops | %berth-opt - --berth-fold='max-operations=0 joint=false' | FileCheck %s

// CHECK-LABEL: func.func @kernel
// CHECK-COUNT-3: memref.alloc() : memref<3x14xi64>
// CHECK-COUNT-2: memref.alloc() : memref<1x14xi64>
// CHECK-COUNT-3: memref.alloc() : memref<1x12xi64>
// CHECK-NOT: memref.alloc() : memref<18

// Gradients, products, sums of three by three, response: each stage a row.
func.func @kernel(%in: memref<20x16xi64>, %f: memref<3x3xi64>, %out: memref<16x12xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c18 = arith.constant 18 : index
  %zero = arith.constant 0 : i64
  %g = memref.alloc() : memref<3x3xi64>
  %b = memref.alloc() : memref<3x3xi64>
  %one = arith.constant 1 : i64
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      %v = affine.load %f[%j, %i] : memref<3x3xi64>
      affine.store %v, %g[%i, %j] : memref<3x3xi64>
      affine.store %one, %b[%i, %j] : memref<3x3xi64>
    }
  }
  %Ix = memref.alloc() : memref<18x14xi64>
  %Iy = memref.alloc() : memref<18x14xi64>
  %Ixx = memref.alloc() : memref<18x14xi64>
  %Iyy = memref.alloc() : memref<18x14xi64>
  %Ixy = memref.alloc() : memref<18x14xi64>
  %Sxx = memref.alloc() : memref<16x12xi64>
  %Syy = memref.alloc() : memref<16x12xi64>
  %Sxy = memref.alloc() : memref<16x12xi64>
  scf.for %y = %c0 to %c18 step %c1 {
    %i = memref.subview %in[%y, 0] [3, 16] [1, 1] : memref<20x16xi64> to memref<3x16xi64, strided<[16, 1], offset: ?>>
    %ix = memref.subview %Ix[%y, 0] [1, 14] [1, 1] : memref<18x14xi64> to memref<1x14xi64, strided<[14, 1], offset: ?>>
    linalg.fill ins(%zero : i64) outs(%ix : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    linalg.conv_2d ins(%i, %f : memref<3x16xi64, strided<[16, 1], offset: ?>>, memref<3x3xi64>) outs(%ix : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    %iy = memref.subview %Iy[%y, 0] [1, 14] [1, 1] : memref<18x14xi64> to memref<1x14xi64, strided<[14, 1], offset: ?>>
    linalg.fill ins(%zero : i64) outs(%iy : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    linalg.conv_2d ins(%i, %g : memref<3x16xi64, strided<[16, 1], offset: ?>>, memref<3x3xi64>) outs(%iy : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    %ixx = memref.subview %Ixx[%y, 0] [1, 14] [1, 1] : memref<18x14xi64> to memref<1x14xi64, strided<[14, 1], offset: ?>>
    linalg.mul ins(%ix, %ix : memref<1x14xi64, strided<[14, 1], offset: ?>>, memref<1x14xi64, strided<[14, 1], offset: ?>>) outs(%ixx : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    %iyy = memref.subview %Iyy[%y, 0] [1, 14] [1, 1] : memref<18x14xi64> to memref<1x14xi64, strided<[14, 1], offset: ?>>
    linalg.mul ins(%iy, %iy : memref<1x14xi64, strided<[14, 1], offset: ?>>, memref<1x14xi64, strided<[14, 1], offset: ?>>) outs(%iyy : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    %ixy = memref.subview %Ixy[%y, 0] [1, 14] [1, 1] : memref<18x14xi64> to memref<1x14xi64, strided<[14, 1], offset: ?>>
    linalg.mul ins(%ix, %iy : memref<1x14xi64, strided<[14, 1], offset: ?>>, memref<1x14xi64, strided<[14, 1], offset: ?>>) outs(%ixy : memref<1x14xi64, strided<[14, 1], offset: ?>>)
    %p = arith.cmpi sge, %y, %c2 : index
    scf.if %p {
      %y2 = arith.subi %y, %c2 : index
      %wIxx = memref.subview %Ixx[%y2, 0] [3, 14] [1, 1] : memref<18x14xi64> to memref<3x14xi64, strided<[14, 1], offset: ?>>
      %sxx = memref.subview %Sxx[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      linalg.fill ins(%zero : i64) outs(%sxx : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.conv_2d ins(%wIxx, %b : memref<3x14xi64, strided<[14, 1], offset: ?>>, memref<3x3xi64>) outs(%sxx : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      %wIyy = memref.subview %Iyy[%y2, 0] [3, 14] [1, 1] : memref<18x14xi64> to memref<3x14xi64, strided<[14, 1], offset: ?>>
      %syy = memref.subview %Syy[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      linalg.fill ins(%zero : i64) outs(%syy : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.conv_2d ins(%wIyy, %b : memref<3x14xi64, strided<[14, 1], offset: ?>>, memref<3x3xi64>) outs(%syy : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      %wIxy = memref.subview %Ixy[%y2, 0] [3, 14] [1, 1] : memref<18x14xi64> to memref<3x14xi64, strided<[14, 1], offset: ?>>
      %sxy = memref.subview %Sxy[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      linalg.fill ins(%zero : i64) outs(%sxy : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.conv_2d ins(%wIxy, %b : memref<3x14xi64, strided<[14, 1], offset: ?>>, memref<3x3xi64>) outs(%sxy : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      %o = memref.subview %out[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      linalg.mul ins(%sxx, %syy : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[12, 1], offset: ?>>) outs(%o : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.mul ins(%sxy, %sxy : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[12, 1], offset: ?>>) outs(%sxy : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.sub ins(%o, %sxy : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[12, 1], offset: ?>>) outs(%o : memref<1x12xi64, strided<[12, 1], offset: ?>>)
    }
  }
  memref.dealloc %Ix : memref<18x14xi64>
  memref.dealloc %Iy : memref<18x14xi64>
  memref.dealloc %Ixx : memref<18x14xi64>
  memref.dealloc %Iyy : memref<18x14xi64>
  memref.dealloc %Ixy : memref<18x14xi64>
  memref.dealloc %Sxx : memref<16x12xi64>
  memref.dealloc %Syy : memref<16x12xi64>
  memref.dealloc %Sxy : memref<16x12xi64>
  memref.dealloc %g : memref<3x3xi64>
  memref.dealloc %b : memref<3x3xi64>
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
