// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices that would go around the end of a ring: its first rows are there twice.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold 2>&1 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK-DAG: A0[x0, x1] -> [x0 mod 3 (2 mirrored), x1 mod 8] by lefebvre-feautrier, 40 cells of 144
// CHECK-DAG: A0[x0, x1] -> [x0 mod 6 (3 mirrored), x1 mod 8] by lefebvre-feautrier, 72 cells of 144
// CHECK-DAG: A0[x0, x1] -> [x0 mod 10 (1 mirrored), x1 mod 8] by lefebvre-feautrier, 88 cells of 240
// CHECK-DAG: A0[x0, x1] -> [x0 mod 3 (2 mirrored), x1 mod 8] by lefebvre-feautrier, 40 cells of 160

#R = strided<[8, 1], offset: ?>

// The last turns of the loop have been peeled off: no window follows two loops.
// CHECK-LABEL: func.func @tail
// CHECK: memref.alloc() : memref<5x8xi64>
func.func @tail(%in: memref<18x8xi64>, %f: memref<3x1xi64>, %out: memref<16x8xi64>) {
  %zero = arith.constant 0 : i64
  %A = memref.alloc() : memref<18x8xi64>
  affine.for %y = 0 to 2 {
    %i = memref.subview %in[%y, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
    %a = memref.subview %A[%y, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
    memref.copy %i, %a : memref<1x8xi64, #R> to memref<1x8xi64, #R>
  }
  affine.for %y = 0 to 13 {
    %y2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%y)
    %i = memref.subview %in[%y2, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
    %a = memref.subview %A[%y2, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
    linalg.add ins(%i, %i : memref<1x8xi64, #R>, memref<1x8xi64, #R>) outs(%a : memref<1x8xi64, #R>)
    %w = memref.subview %A[%y, 0] [3, 8] [1, 1] : memref<18x8xi64> to memref<3x8xi64, #R>
    %o = memref.subview %out[%y, 0] [1, 8] [1, 1] : memref<16x8xi64> to memref<1x8xi64, #R>
    linalg.fill ins(%zero : i64) outs(%o : memref<1x8xi64, #R>)
    linalg.conv_2d ins(%w, %f : memref<3x8xi64, #R>, memref<3x1xi64>) outs(%o : memref<1x8xi64, #R>)
  }
  affine.for %y = 13 to 16 {
    %y2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%y)
    %i = memref.subview %in[%y2, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
    %a = memref.subview %A[%y2, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
    memref.copy %i, %a : memref<1x8xi64, #R> to memref<1x8xi64, #R>
    %w = memref.subview %A[%y, 0] [3, 8] [1, 1] : memref<18x8xi64> to memref<3x8xi64, #R>
    %o = memref.subview %out[%y, 0] [1, 8] [1, 1] : memref<16x8xi64> to memref<1x8xi64, #R>
    linalg.fill ins(%zero : i64) outs(%o : memref<1x8xi64, #R>)
    linalg.conv_2d ins(%w, %f : memref<3x8xi64, #R>, memref<3x1xi64>) outs(%o : memref<1x8xi64, #R>)
  }
  memref.dealloc %A : memref<18x8xi64>
  return
}

// Tiles of four rows and a tail of two, written by vectors and by loops through
// a view; two pictures, one array.
// CHECK-LABEL: func.func @tiles
// CHECK: memref.alloc() : memref<9x8xi64>
func.func @tiles(%in: memref<18x8xi64>, %f: memref<3x1xi64>, %out: memref<16x8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %A = memref.alloc() : memref<18x8xi64>
  affine.for %picture = 0 to 2 {
    affine.for %y = 0 to 2 {
      %v = vector.load %in[%y, %c0] : memref<18x8xi64>, vector<8xi64>
      vector.store %v, %A[%y, %c0] : memref<18x8xi64>, vector<8xi64>
    }
    affine.for %y = 0 to 16 step 4 {
      %y2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%y)
      %a = memref.subview %A[%y2, 0] [4, 8] [1, 1] : memref<18x8xi64> to memref<4x8xi64, #R>
      affine.for %r = 0 to 4 {
        affine.for %x = 0 to 8 {
          %v = affine.load %in[%y + %r + 2, %x] : memref<18x8xi64>
          affine.store %v, %a[%r, %x] : memref<4x8xi64, #R>
        }
      }
      affine.for %r = 0 to 4 {
        %t = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%y, %r)
        %w = memref.subview %A[%t, 0] [3, 8] [1, 1] : memref<18x8xi64> to memref<3x8xi64, #R>
        %o = memref.subview %out[%t, 0] [1, 8] [1, 1] : memref<16x8xi64> to memref<1x8xi64, #R>
        linalg.conv_2d ins(%w, %f : memref<3x8xi64, #R>, memref<3x1xi64>) outs(%o : memref<1x8xi64, #R>)
      }
    }
  }
  memref.dealloc %A : memref<18x8xi64>
  return
}

// A skip connection: rows wait for long, but are taken two at a time.
// CHECK-LABEL: func.func @skip
// CHECK: memref.alloc() : memref<11x8xi64>
func.func @skip(%in: memref<30x8xi64>, %out: memref<30x8xi64>) {
  %A = memref.alloc() : memref<30x8xi64>
  affine.for %n = 0 to 2 {
    affine.for %y = 0 to 30 {
      affine.for %x = 0 to 8 {
        %v = affine.load %in[%y, %x] : memref<30x8xi64>
        affine.store %v, %A[%y, %x] : memref<30x8xi64>
      }
      affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%y) {
        %t = affine.apply affine_map<(d0) -> (d0 - 9)>(%y)
        %w = memref.subview %A[%t, 0] [2, 8] [1, 1] : memref<30x8xi64> to memref<2x8xi64, #R>
        %o = memref.subview %out[%t, 0] [2, 8] [1, 1] : memref<30x8xi64> to memref<2x8xi64, #R>
        linalg.add ins(%w, %o : memref<2x8xi64, #R>, memref<2x8xi64, #R>) outs(%o : memref<2x8xi64, #R>)
      }
    }
  }
  memref.dealloc %A : memref<30x8xi64>
  return
}

// Rows that are filled and added to where they stand; every second one through
// a view with a stride, which two copies follow.
// CHECK-LABEL: func.func @strided
// CHECK: memref.alloc() : memref<5x8xi64>
func.func @strided(%in: memref<20x8xi64>, %f: memref<3x1xi64>, %out: memref<18x8xi64>) {
  %zero = arith.constant 0 : i64
  %A = memref.alloc() : memref<20x8xi64>
  affine.for %n = 0 to 2 {
    affine.for %y = 0 to 18 step 2 {
      %i = memref.subview %in[%y, 0] [3, 8] [1, 1] : memref<20x8xi64> to memref<3x8xi64, #R>
      %a = memref.subview %A[%y, 0] [3, 8] [1, 1] : memref<20x8xi64> to memref<3x8xi64, #R>
      %e = memref.subview %a[0, 0] [2, 8] [2, 1] : memref<3x8xi64, #R> to memref<2x8xi64, strided<[16, 1], offset: ?>>
      %o = memref.subview %a[1, 0] [1, 8] [1, 1] : memref<3x8xi64, #R> to memref<1x8xi64, #R>
      %j = memref.subview %i[0, 0] [2, 8] [2, 1] : memref<3x8xi64, #R> to memref<2x8xi64, strided<[16, 1], offset: ?>>
      %k = memref.subview %i[1, 0] [1, 8] [1, 1] : memref<3x8xi64, #R> to memref<1x8xi64, #R>
      memref.copy %j, %e : memref<2x8xi64, strided<[16, 1], offset: ?>> to memref<2x8xi64, strided<[16, 1], offset: ?>>
      memref.copy %k, %o : memref<1x8xi64, #R> to memref<1x8xi64, #R>
      linalg.add ins(%o, %o : memref<1x8xi64, #R>, memref<1x8xi64, #R>) outs(%o : memref<1x8xi64, #R>)
      %u = memref.subview %out[%y, 0] [1, 8] [1, 1] : memref<18x8xi64> to memref<1x8xi64, #R>
      linalg.conv_2d ins(%a, %f : memref<3x8xi64, #R>, memref<3x1xi64>) outs(%u : memref<1x8xi64, #R>)
    }
  }
  memref.dealloc %A : memref<20x8xi64>
  return
}

func.func @print(%out: memref<?x8xi64>, %rows: index) {
  affine.for %i = 0 to %rows {
    %v = affine.vector_load %out[%i, 0] : memref<?x8xi64>, vector<8xi64>
    vector.print %v : vector<8xi64>
  }
  return
}

func.func @main() {
  %zero = arith.constant 0 : i64
  %c16 = arith.constant 16 : index
  %c18 = arith.constant 18 : index
  %c30 = arith.constant 30 : index
  %in = memref.alloc() : memref<30x8xi64>
  %f = memref.alloc() : memref<3x1xi64>
  %out = memref.alloc() : memref<30x8xi64>
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 8 {
      %m = arith.constant 31 : i64
      %x0 = arith.index_cast %i : index to i64
      %x1 = arith.index_cast %j : index to i64
      %z = arith.muli %x0, %m : i64
      %v = arith.addi %z, %x1 : i64
      affine.store %v, %in[%i, %j] : memref<30x8xi64>
      affine.store %zero, %out[%i, %j] : memref<30x8xi64>
    }
  }
  affine.for %i = 0 to 3 {
    %x0 = arith.index_cast %i : index to i64
    %m = arith.constant 5 : i64
    %v = arith.addi %x0, %m : i64
    affine.store %v, %f[%i, 0] : memref<3x1xi64>
  }
  %in18 = memref.subview %in[0, 0] [18, 8] [1, 1] : memref<30x8xi64> to memref<18x8xi64, strided<[8, 1]>>
  %in20 = memref.subview %in[0, 0] [20, 8] [1, 1] : memref<30x8xi64> to memref<20x8xi64, strided<[8, 1]>>
  %out16 = memref.subview %out[0, 0] [16, 8] [1, 1] : memref<30x8xi64> to memref<16x8xi64, strided<[8, 1]>>
  %out18 = memref.subview %out[0, 0] [18, 8] [1, 1] : memref<30x8xi64> to memref<18x8xi64, strided<[8, 1]>>
  %a = memref.cast %in18 : memref<18x8xi64, strided<[8, 1]>> to memref<18x8xi64>
  %b = memref.cast %in20 : memref<20x8xi64, strided<[8, 1]>> to memref<20x8xi64>
  %c = memref.cast %out16 : memref<16x8xi64, strided<[8, 1]>> to memref<16x8xi64>
  %d = memref.cast %out18 : memref<18x8xi64, strided<[8, 1]>> to memref<18x8xi64>
  %all = memref.cast %out : memref<30x8xi64> to memref<?x8xi64>
  call @tail(%a, %f, %c) : (memref<18x8xi64>, memref<3x1xi64>, memref<16x8xi64>) -> ()
  call @print(%all, %c16) : (memref<?x8xi64>, index) -> ()
  call @tiles(%a, %f, %c) : (memref<18x8xi64>, memref<3x1xi64>, memref<16x8xi64>) -> ()
  call @print(%all, %c16) : (memref<?x8xi64>, index) -> ()
  call @skip(%in, %out) : (memref<30x8xi64>, memref<30x8xi64>) -> ()
  call @print(%all, %c30) : (memref<?x8xi64>, index) -> ()
  call @strided(%b, %f, %d) : (memref<20x8xi64>, memref<3x1xi64>, memref<18x8xi64>) -> ()
  call @print(%all, %c18) : (memref<?x8xi64>, index) -> ()
  memref.dealloc %in : memref<30x8xi64>
  memref.dealloc %f : memref<3x1xi64>
  memref.dealloc %out : memref<30x8xi64>
  return
}
