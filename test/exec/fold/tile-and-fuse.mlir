// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tile-and-fuse makes of a convolution behind its producer: the last tile
// is smaller, by affine.min, and the producer's rows are two more than that. The
// other function reads at the border what lies next to it.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true}' %s

#same = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @tiles
// CHECK: memref.alloc() : memref<6x8xi32>
func.func @tiles(%in: memref<12x8xi32>, %kernel: memref<3x1xi32>, %out: memref<10x8xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<12x8xi32>
  scf.for %i = %c0 to %c10 step %c4 {
    %n = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)
    %m = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%n]
    %from = memref.subview %in[%i, 0] [%m, 8] [1, 1] : memref<12x8xi32> to memref<?x8xi32, strided<[8, 1], offset: ?>>
    %rows = memref.subview %a[%i, 0] [%m, 8] [1, 1] : memref<12x8xi32> to memref<?x8xi32, strided<[8, 1], offset: ?>>
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%from : memref<?x8xi32, strided<[8, 1], offset: ?>>) outs(%rows : memref<?x8xi32, strided<[8, 1], offset: ?>>) {
    ^bb0(%x: i32, %y: i32):
      %s = arith.addi %x, %x : i32
      linalg.yield %s : i32
    }
    %to = memref.subview %out[%i, 0] [%n, 8] [1, 1] : memref<10x8xi32> to memref<?x8xi32, strided<[8, 1], offset: ?>>
    linalg.conv_2d ins(%rows, %kernel : memref<?x8xi32, strided<[8, 1], offset: ?>>, memref<3x1xi32>) outs(%to : memref<?x8xi32, strided<[8, 1], offset: ?>>)
  }
  memref.dealloc %a : memref<12x8xi32>
  return
}

// CHECK-LABEL: func.func @border
// CHECK: memref.alloc() : memref<3xi32>
func.func @border(%in: memref<12x8xi32>, %out: memref<10x8xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<10xi32>
  affine.for %i = 0 to 11 {
    %written = affine.min affine_map<(d0) -> (d0, 9)>(%i)
    %v = memref.load %in[%written, %c0] : memref<12x8xi32>
    memref.store %v, %a[%written] : memref<10xi32>
    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
      %before = affine.max affine_map<(d0) -> (d0 - 2, 0)>(%i)
      %x = memref.load %a[%before] : memref<10xi32>
      %y = memref.load %a[%written] : memref<10xi32>
      %s = arith.subi %y, %x : i32
      affine.store %s, %out[%i - 1, 1] : memref<10x8xi32>
    }
  }
  memref.dealloc %a : memref<10xi32>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<12x8xi32>
  %kernel = memref.alloc() : memref<3x1xi32>
  %out = memref.alloc() : memref<10x8xi32>
  %zero = arith.constant 0 : i32
  affine.for %y = 0 to 12 {
    affine.for %x = 0 to 8 {
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 17 + d1 * 5)>(%y, %x)
      %v = arith.index_cast %i : index to i32
      affine.store %v, %in[%y, %x] : memref<12x8xi32>
    }
  }
  affine.for %y = 0 to 3 {
    %v = arith.index_cast %y : index to i32
    %w = arith.muli %v, %v : i32
    affine.store %w, %kernel[%y, 0] : memref<3x1xi32>
  }
  affine.for %y = 0 to 10 {
    affine.for %x = 0 to 8 {
      affine.store %zero, %out[%y, %x] : memref<10x8xi32>
    }
  }
  call @tiles(%in, %kernel, %out) : (memref<12x8xi32>, memref<3x1xi32>, memref<10x8xi32>) -> ()
  affine.for %y = 0 to 10 {
    affine.for %x = 0 to 8 {
      %v = affine.load %out[%y, %x] : memref<10x8xi32>
      vector.print %v : i32
    }
  }
  call @border(%in, %out) : (memref<12x8xi32>, memref<10x8xi32>) -> ()
  affine.for %y = 0 to 10 {
    %v = affine.load %out[%y, 1] : memref<10x8xi32>
    vector.print %v : i32
  }
  memref.dealloc %in : memref<12x8xi32>
  memref.dealloc %kernel : memref<3x1xi32>
  memref.dealloc %out : memref<10x8xi32>
  return
}
