// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of slices that overlap in one piece of memory: rows that are read no
// more, or not written yet, are another one's.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold -o /dev/null 2>&1 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

#R = strided<[4, 1], offset: ?>

// Each row of the first makes two of the second, as it is and from right to left:
// it starts one row before the
// end of the second, which comes there as the last row has been read.
// CHECK: placed 2 arrays in 52 cells, packed as wholes 72: A0[x0, x1] -> [x0 mod 6, x1 mod 4] at 28, A1[x0, x1] -> [x0 mod 12, x1 mod 4] at 0
func.func @rows(%in: memref<6x4xi64>, %out: memref<12x4xi64>) {
  %A = memref.alloc() : memref<6x4xi64>
  %B = memref.alloc() : memref<12x4xi64>
  affine.for %i = 0 to 6 {
    %x = memref.subview %in[%i, 0] [1, 4] [1, 1] : memref<6x4xi64> to memref<1x4xi64, #R>
    %a = memref.subview %A[%i, 0] [1, 4] [1, 1] : memref<6x4xi64> to memref<1x4xi64, #R>
    linalg.add ins(%x, %x : memref<1x4xi64, #R>, memref<1x4xi64, #R>) outs(%a : memref<1x4xi64, #R>)
  }
  affine.for %i = 0 to 6 {
    %j = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
    %k = affine.apply affine_map<(d0) -> (2 * d0 + 1)>(%i)
    %a = memref.subview %A[%i, 0] [1, 4] [1, 1] : memref<6x4xi64> to memref<1x4xi64, #R>
    %b = memref.subview %B[%j, 0] [1, 4] [1, 1] : memref<12x4xi64> to memref<1x4xi64, #R>
    %c = memref.subview %B[%k, 0] [1, 4] [1, 1] : memref<12x4xi64> to memref<1x4xi64, #R>
    memref.copy %a, %b : memref<1x4xi64, #R> to memref<1x4xi64, #R>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 3 - d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x4xi64, #R>) outs(%c : memref<1x4xi64, #R>) {
    ^bb0(%x: i64, %y: i64):
      linalg.yield %x : i64
    }
  }
  affine.for %i = 0 to 12 {
    %j = affine.apply affine_map<(d0) -> (11 - d0)>(%i)
    %b = memref.subview %B[%j, 0] [1, 4] [1, 1] : memref<12x4xi64> to memref<1x4xi64, #R>
    %o = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<12x4xi64> to memref<1x4xi64, #R>
    memref.copy %b, %o : memref<1x4xi64, #R> to memref<1x4xi64, #R>
  }
  memref.dealloc %A : memref<6x4xi64>
  memref.dealloc %B : memref<12x4xi64>
  return
}

// By vectors and by elements. Nobody frees them: an alloca each.
// CHECK: placed 2 arrays in 51 cells, packed as wholes 72
func.func @vectors(%in: memref<6x4xi64>, %out: memref<12x4xi64>) {
  %c0 = arith.constant 0 : index
  %A = memref.alloca() : memref<6x4xi64>
  %B = memref.alloca() : memref<12x4xi64>
  affine.for %i = 0 to 6 {
    %v = vector.load %in[%i, %c0] : memref<6x4xi64>, vector<4xi64>
    %w = arith.addi %v, %v : vector<4xi64>
    vector.store %w, %A[%i, %c0] : memref<6x4xi64>, vector<4xi64>
  }
  affine.for %i = 0 to 6 {
    %j = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
    %v = vector.load %A[%i, %c0] : memref<6x4xi64>, vector<4xi64>
    vector.store %v, %B[%j, %c0] : memref<12x4xi64>, vector<4xi64>
    affine.for %k = 0 to 4 {
      %x = affine.load %A[%i, 3 - %k] : memref<6x4xi64>
      affine.store %x, %B[2 * %i + 1, %k] : memref<12x4xi64>
    }
  }
  affine.for %i = 0 to 12 {
    %j = affine.apply affine_map<(d0) -> (11 - d0)>(%i)
    %v = vector.load %B[%j, %c0] : memref<12x4xi64>, vector<4xi64>
    vector.store %v, %out[%i, %c0] : memref<12x4xi64>, vector<4xi64>
  }
  return
}

// Offsets keep the alignment that an array asks for: a multiple of four rows.
// CHECK: placed 2 arrays in 64 cells, packed as wholes 80: A0[x0, x1] -> [x0 mod 8, x1 mod 4] at 32, A1
func.func @aligned(%in: memref<6x4xi64>, %out: memref<12x4xi64>) {
  %A = memref.alloc() {alignment = 128} : memref<8x4xi64>
  %B = memref.alloc() : memref<16x4xi64>
  affine.for %i = 0 to 8 {
    %r = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    %x = memref.subview %in[%r, 0] [1, 4] [1, 1] : memref<6x4xi64> to memref<1x4xi64, #R>
    %a = memref.subview %A[%i, 0] [1, 4] [1, 1] : memref<8x4xi64> to memref<1x4xi64, #R>
    linalg.add ins(%x, %x : memref<1x4xi64, #R>, memref<1x4xi64, #R>) outs(%a : memref<1x4xi64, #R>)
  }
  affine.for %i = 0 to 8 {
    %j = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
    %a = memref.subview %A[%i, 0] [1, 4] [1, 1] : memref<8x4xi64> to memref<1x4xi64, #R>
    %b = memref.subview %B[%j, 0] [1, 4] [1, 1] : memref<16x4xi64> to memref<1x4xi64, #R>
    %c = memref.subview %B[%j, 0] [2, 4] [1, 1] : memref<16x4xi64> to memref<2x4xi64, #R>
    %d = memref.subview %c[1, 0] [1, 4] [1, 1] : memref<2x4xi64, #R> to memref<1x4xi64, #R>
    memref.copy %a, %b : memref<1x4xi64, #R> to memref<1x4xi64, #R>
    linalg.mul ins(%b, %b : memref<1x4xi64, #R>, memref<1x4xi64, #R>) outs(%d : memref<1x4xi64, #R>)
  }
  affine.for %i = 0 to 12 {
    %j = affine.apply affine_map<(d0) -> (15 - d0)>(%i)
    %b = memref.subview %B[%j, 0] [1, 4] [1, 1] : memref<16x4xi64> to memref<1x4xi64, #R>
    %o = memref.subview %out[%i, 0] [1, 4] [1, 1] : memref<12x4xi64> to memref<1x4xi64, #R>
    memref.copy %b, %o : memref<1x4xi64, #R> to memref<1x4xi64, #R>
  }
  memref.dealloc %A : memref<8x4xi64>
  memref.dealloc %B : memref<16x4xi64>
  return
}

func.func @print(%out: memref<12x4xi64>) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 4 {
      %x = affine.load %out[%i, %j] : memref<12x4xi64>
      vector.print %x : i64
    }
  }
  return
}

func.func @main() {
  %in = memref.alloc() : memref<6x4xi64>
  %out = memref.alloc() : memref<12x4xi64>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %n = affine.apply affine_map<(d0, d1) -> (10 * d0 + d1)>(%i, %j)
      %v = arith.index_cast %n : index to i64
      affine.store %v, %in[%i, %j] : memref<6x4xi64>
    }
  }
  call @rows(%in, %out) : (memref<6x4xi64>, memref<12x4xi64>) -> ()
  call @print(%out) : (memref<12x4xi64>) -> ()
  call @vectors(%in, %out) : (memref<6x4xi64>, memref<12x4xi64>) -> ()
  call @print(%out) : (memref<12x4xi64>) -> ()
  call @aligned(%in, %out) : (memref<6x4xi64>, memref<12x4xi64>) -> ()
  call @print(%out) : (memref<12x4xi64>) -> ()
  memref.dealloc %in : memref<6x4xi64>
  memref.dealloc %out : memref<12x4xi64>
  return
}
