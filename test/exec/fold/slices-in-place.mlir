// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op on views reads and writes in an order of its own: what it reads keeps its cells.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<2x4x4xi64>

#V = strided<[4, 1], offset: ?>

// Transposed in place, a square of fewer than two would be lost.
func.func @kernel(%in: memref<4x4xi64>, %out: memref<4x4xi64>) {
  %A = memref.alloc() : memref<9x4x4xi64>
  %a = memref.subview %A[0, 0, 0] [1, 4, 4] [1, 1, 1] : memref<9x4x4xi64> to memref<4x4xi64, strided<[4, 1]>>
  memref.copy %in, %a : memref<4x4xi64> to memref<4x4xi64, strided<[4, 1]>>
  affine.for %t = 0 to 8 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%t)
    %from = memref.subview %A[%t, 0, 0] [1, 4, 4] [1, 1, 1] : memref<9x4x4xi64> to memref<4x4xi64, #V>
    %to = memref.subview %A[%n, 0, 0] [1, 4, 4] [1, 1, 1] : memref<9x4x4xi64> to memref<4x4xi64, #V>
    linalg.transpose ins(%from : memref<4x4xi64, #V>) outs(%to : memref<4x4xi64, #V>) permutation = [1, 0]
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%to : memref<4x4xi64, #V>) {
    ^bb0(%x: i64):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i64
      %y = arith.addi %x, %j : i64
      linalg.yield %y : i64
    }
  }
  %z = memref.subview %A[8, 0, 0] [1, 4, 4] [1, 1, 1] : memref<9x4x4xi64> to memref<4x4xi64, strided<[4, 1], offset: 128>>
  memref.copy %z, %out : memref<4x4xi64, strided<[4, 1], offset: 128>> to memref<4x4xi64>
  memref.dealloc %A : memref<9x4x4xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<4x4xi64>
  %out = memref.alloc() : memref<4x4xi64>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
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
      affine.store %v, %in[%i, %j] : memref<4x4xi64>
    }
  }
  call @kernel(%in, %out) : (memref<4x4xi64>, memref<4x4xi64>) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.vector_load %out[%i, 0] : memref<4x4xi64>, vector<4xi64>
    vector.print %v : vector<4xi64>
  }
  memref.dealloc %in : memref<4x4xi64>
  memref.dealloc %out : memref<4x4xi64>
  return
}
