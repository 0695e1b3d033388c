// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unsharp mask by rows of linalg ops.
// RUN: %berth-opt %s --berth-fold='max-operations=0 joint=false' | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0 joint=false}' --pipeline='berth-fold{max-operations=0 joint=false},berth-arena{poison=true},berth-verify' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<3x12xi64>
// CHECK: memref.alloc() : memref<2x12xi64>
// CHECK: memref.alloc() : memref<1x12xi64>

func.func @kernel(%in: memref<20x16xi64>, %f: memref<3x3xi64>, %out: memref<16x12xi64>) {
  %c2 = arith.constant 2 : index
  %I = memref.alloc() : memref<18x12xi64>
  %X = memref.alloc() : memref<18x12xi64>
  %Y = memref.alloc() : memref<16x12xi64>
  affine.for %y = 0 to 18 {
    %l = memref.subview %in[%y, 0] [1, 12] [1, 1] : memref<20x16xi64> to memref<1x12xi64, strided<[16, 1], offset: ?>>
    %m = memref.subview %in[%y, 2] [1, 12] [1, 1] : memref<20x16xi64> to memref<1x12xi64, strided<[16, 1], offset: ?>>
    %r = memref.subview %in[%y, 4] [1, 12] [1, 1] : memref<20x16xi64> to memref<1x12xi64, strided<[16, 1], offset: ?>>
    %i = memref.subview %I[%y, 0] [1, 12] [1, 1] : memref<18x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
    %x = memref.subview %X[%y, 0] [1, 12] [1, 1] : memref<18x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
    memref.copy %m, %i : memref<1x12xi64, strided<[16, 1], offset: ?>> to memref<1x12xi64, strided<[12, 1], offset: ?>>
    linalg.add ins(%l, %r : memref<1x12xi64, strided<[16, 1], offset: ?>>, memref<1x12xi64, strided<[16, 1], offset: ?>>) outs(%x : memref<1x12xi64, strided<[12, 1], offset: ?>>)
    linalg.add ins(%x, %m : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[16, 1], offset: ?>>) outs(%x : memref<1x12xi64, strided<[12, 1], offset: ?>>)
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%y) {
      %y1 = affine.apply affine_map<(d0) -> (d0 - 1)>(%y)
      %y2 = affine.apply affine_map<(d0) -> (d0 - 2)>(%y)
      %w = memref.subview %X[%y2, 0] [3, 12] [1, 1] : memref<18x12xi64> to memref<3x12xi64, strided<[12, 1], offset: ?>>
      %v = memref.subview %Y[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      %j = memref.subview %I[%y1, 0] [1, 12] [1, 1] : memref<18x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      %o = memref.subview %out[%y2, 0] [1, 12] [1, 1] : memref<16x12xi64> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      %w0 = memref.subview %w[0, 0] [1, 12] [1, 1] : memref<3x12xi64, strided<[12, 1], offset: ?>> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      %w1 = memref.subview %w[1, 0] [1, 12] [1, 1] : memref<3x12xi64, strided<[12, 1], offset: ?>> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      %w2 = memref.subview %w[2, 0] [1, 12] [1, 1] : memref<3x12xi64, strided<[12, 1], offset: ?>> to memref<1x12xi64, strided<[12, 1], offset: ?>>
      linalg.add ins(%w0, %w2 : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[12, 1], offset: ?>>) outs(%v : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.add ins(%v, %w1 : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[12, 1], offset: ?>>) outs(%v : memref<1x12xi64, strided<[12, 1], offset: ?>>)
      linalg.sub ins(%j, %v : memref<1x12xi64, strided<[12, 1], offset: ?>>, memref<1x12xi64, strided<[12, 1], offset: ?>>) outs(%o : memref<1x12xi64, strided<[12, 1], offset: ?>>)
    }
  }
  memref.dealloc %I : memref<18x12xi64>
  memref.dealloc %X : memref<18x12xi64>
  memref.dealloc %Y : memref<16x12xi64>
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
