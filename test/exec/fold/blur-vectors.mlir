// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vectorized blur: rows as vectors, three of them stay.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<3x16xi64>

func.func @kernel(%in: memref<12x18xi64>, %out: memref<10x16xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %X = memref.alloc() : memref<12x16xi64>
  affine.for %y = 0 to 12 {
    affine.for %x = 0 to 16 step 8 {
      %x1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%x)
      %x2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%x)
      %a = vector.load %in[%y, %x] : memref<12x18xi64>, vector<8xi64>
      %b = vector.load %in[%y, %x1] : memref<12x18xi64>, vector<8xi64>
      %c = vector.transfer_read %in[%y, %x2], %zero {in_bounds = [true]} : memref<12x18xi64>, vector<8xi64>
      %d = arith.addi %a, %b : vector<8xi64>
      %e = arith.addi %d, %c : vector<8xi64>
      vector.transfer_write %e, %X[%y, %x] {in_bounds = [true]} : vector<8xi64>, memref<12x16xi64>
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%y) {
      %y1 = affine.apply affine_map<(d0) -> (d0 - 1)>(%y)
      %y2 = affine.apply affine_map<(d0) -> (d0 - 2)>(%y)
      affine.for %x = 0 to 16 step 8 {
        %a = vector.load %X[%y2, %x] : memref<12x16xi64>, vector<8xi64>
        %b = vector.transfer_read %X[%y1, %x], %zero {in_bounds = [true]} : memref<12x16xi64>, vector<8xi64>
        %c = vector.load %X[%y, %x] : memref<12x16xi64>, vector<8xi64>
        %d = arith.addi %a, %b : vector<8xi64>
        %e = arith.addi %d, %c : vector<8xi64>
        vector.store %e, %out[%y2, %x] : memref<10x16xi64>, vector<8xi64>
      }
    }
  }
  memref.dealloc %X : memref<12x16xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<12x18xi64>
  %out = memref.alloc() : memref<10x16xi64>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 18 {
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
      affine.store %v, %in[%i, %j] : memref<12x18xi64>
    }
  }
  call @kernel(%in, %out) : (memref<12x18xi64>, memref<10x16xi64>) -> ()
  affine.for %i = 0 to 10 {
    %v = affine.vector_load %out[%i, 0] : memref<10x16xi64>, vector<16xi64>
    vector.print %v : vector<16xi64>
  }
  memref.dealloc %in : memref<12x18xi64>
  memref.dealloc %out : memref<10x16xi64>
  return
}
