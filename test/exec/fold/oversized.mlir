// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays allocated for more than their indices use, as affine maps or index
// arithmetic say.
// RUN: %berth-opt %s --berth-fold --remarks-filter='berth.*' 2>&1 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold' %s

// CHECK: not folded: folding would save too little: 1000000 cells of 1001000 are left where each size known at run time only is 1000
// CHECK: folded: A0[x0, x1] -> [x0 mod max(p0, 1), x1 mod max(p0, 1)]
// CHECK: folded: A0[x0, x1] -> [x0 mod max(p0, 1), x1 mod max(p0, 1)]
// CHECK-LABEL: func.func @kernel

func.func @kernel(%out: memref<8x8xi64>, %n: index) {
  %c7 = arith.constant 7 : index
  %wide = affine.apply affine_map<()[s0] -> (s0 * 100)>()[%n]
  %tall = arith.muli %n, %c7 : index
  %little = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%n]
  %a = memref.alloc(%n, %wide) : memref<?x?xi64>
  %b = memref.alloc(%tall, %n) : memref<?x?xi64>
  %c = memref.alloc(%n, %little) : memref<?x?xi64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x = arith.muli %i, %c7 : index
      %y = arith.addi %x, %j : index
      %v = arith.index_cast %y : index to i64
      affine.store %v, %a[%i, %j] : memref<?x?xi64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %v = affine.load %a[%j, %i] : memref<?x?xi64>
      affine.store %v, %b[%i, %j] : memref<?x?xi64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %v = affine.load %b[%j, %i] : memref<?x?xi64>
      affine.store %v, %c[%i, %j] : memref<?x?xi64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %v = affine.load %c[%j, %i] : memref<?x?xi64>
      affine.store %v, %out[%i, %j] : memref<8x8xi64>
    }
  }
  memref.dealloc %a : memref<?x?xi64>
  memref.dealloc %b : memref<?x?xi64>
  memref.dealloc %c : memref<?x?xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<8x8xi64>
  %zero = arith.constant 0 : i64
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %out[%i, %j] : memref<8x8xi64>
    }
  }
  affine.for %n = 0 to 9 {
    func.call @kernel(%out, %n) : (memref<8x8xi64>, index) -> ()
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %v = affine.load %out[%i, %j] : memref<8x8xi64>
        vector.print %v : i64
      }
    }
  }
  memref.dealloc %out : memref<8x8xi64>
  return
}
