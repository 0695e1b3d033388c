// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of views, elements of views, sizes known at run time, tiles that do not divide.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc({{.*}}) : memref<6x?xi64>

#R = strided<[?, 1], offset: ?>

func.func @kernel(%in: memref<14x10xi64>, %out: memref<12x10xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c14 = arith.constant 14 : index
  %w = memref.dim %in, %c1 : memref<14x10xi64>
  %W = memref.alloc(%c14, %w) : memref<?x?xi64>
  // The first two rows, element by element.
  scf.for %y = %c0 to %c2 step %c1 {
    scf.for %x = %c0 to %w step %c1 {
      %v = memref.load %in[%y, %x] : memref<14x10xi64>
      memref.store %v, %W[%y, %x] : memref<?x?xi64>
    }
  }
  scf.for %y = %c0 to %c12 step %c4 {
    %y2 = arith.addi %y, %c2 : index
    %n = affine.min affine_map<(d0) -> (4, -d0 + 12)>(%y)
    %n2 = affine.min affine_map<(d0) -> (6, -d0 + 14)>(%y)
    %i = memref.subview %in[%y2, 0] [%n, %w] [1, 1] : memref<14x10xi64> to memref<?x?xi64, strided<[10, 1], offset: ?>>
    %a = memref.subview %W[%y2, 0] [%n, %w] [1, 1] : memref<?x?xi64> to memref<?x?xi64, #R>
    memref.copy %i, %a : memref<?x?xi64, strided<[10, 1], offset: ?>> to memref<?x?xi64, #R>
    %b = memref.subview %W[%y, 0] [%n2, %w] [1, 1] : memref<?x?xi64> to memref<?x?xi64, #R>
    scf.for %r = %c0 to %n step %c1 {
      %row = memref.subview %b[%r, 0] [3, %w] [1, 1] : memref<?x?xi64, #R> to memref<3x?xi64, #R>
      %yr = arith.addi %y, %r : index
      scf.for %x = %c0 to %w step %c1 {
        %p = memref.load %row[%c0, %x] : memref<3x?xi64, #R>
        %q = memref.load %row[%c1, %x] : memref<3x?xi64, #R>
        %s = memref.load %row[%c2, %x] : memref<3x?xi64, #R>
        %pq = arith.muli %p, %q : i64
        %v = arith.subi %pq, %s : i64
        memref.store %v, %out[%yr, %x] : memref<12x10xi64>
      }
    }
  }
  memref.dealloc %W : memref<?x?xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<14x10xi64>
  %out = memref.alloc() : memref<12x10xi64>
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 10 {
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
      affine.store %v, %in[%i, %j] : memref<14x10xi64>
    }
  }
  call @kernel(%in, %out) : (memref<14x10xi64>, memref<12x10xi64>) -> ()
  affine.for %i = 0 to 12 {
    %v = affine.vector_load %out[%i, 0] : memref<12x10xi64>, vector<10xi64>
    vector.print %v : vector<10xi64>
  }
  memref.dealloc %in : memref<14x10xi64>
  memref.dealloc %out : memref<12x10xi64>
  return
}
