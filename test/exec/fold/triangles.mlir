// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells that fill half of their array, all live at once: one half is turned
// over and lies beside the other. Lower and upper triangles, a trapezoid with
// shifted indices, and one of a size known at run time, odd and even.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold -o /dev/null 2>&1 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK: folded: A0[x0, x1] -> [x0 mod 7, x1 mod 15], where x0 >= 7 as (13 - x0, 14 - x1) by turn, 105 cells of 196
func.func @lower(%out: memref<14xi64>) {
  %A = memref.alloc() : memref<14x14xi64>
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = arith.constant 31 : i64
      %x = arith.index_cast %i : index to i64
      %y = arith.index_cast %j : index to i64
      %m = arith.muli %x, %c : i64
      %v = arith.addi %m, %y : i64
      affine.store %v, %A[%i, %j] : memref<14x14xi64>
    }
  }
  affine.for %j = 0 to 14 {
    affine.for %i = affine_map<(d0) -> (d0)>(%j) to 14 {
      %c = arith.constant 7 : i64
      %v = affine.load %A[%i, %j] : memref<14x14xi64>
      %s = affine.load %out[%j] : memref<14xi64>
      %m = arith.muli %s, %c : i64
      %t = arith.addi %m, %v : i64
      affine.store %t, %out[%j] : memref<14xi64>
    }
  }
  memref.dealloc %A : memref<14x14xi64>
  return
}

// From the last row to the first, by a negative step written out.
// CHECK: folded: {{.*}} by turn, 91 cells of 169
func.func @upper(%out: memref<14xi64>) {
  %A = memref.alloc() : memref<13x13xi64>
  affine.for %i = 0 to 13 {
    affine.for %j = affine_map<(d0) -> (12 - d0)>(%i) to 13 {
      %c = arith.constant 31 : i64
      %x = arith.index_cast %i : index to i64
      %y = arith.index_cast %j : index to i64
      %m = arith.muli %x, %c : i64
      %v = arith.addi %m, %y : i64
      affine.store %v, %A[12 - %i, %j] : memref<13x13xi64>
    }
  }
  affine.for %j = 0 to 13 {
    affine.for %i = 0 to affine_map<(d0) -> (d0 + 1)>(%j) {
      %c = arith.constant 7 : i64
      %v = affine.load %A[%i, %j] : memref<13x13xi64>
      %s = affine.load %out[%j] : memref<14xi64>
      %m = arith.muli %s, %c : i64
      %t = arith.addi %m, %v : i64
      affine.store %t, %out[%j] : memref<14xi64>
    }
  }
  memref.dealloc %A : memref<13x13xi64>
  return
}

// CHECK: folded: {{.*}} by turn, 55 cells of 192
func.func @trapezoid(%out: memref<14xi64>) {
  %A = memref.alloc() : memref<12x16xi64>
  affine.for %i = 2 to 12 {
    affine.for %j = 5 to affine_map<(d0) -> (d0 + 4)>(%i) {
      %c = arith.constant 31 : i64
      %x = arith.index_cast %i : index to i64
      %y = arith.index_cast %j : index to i64
      %m = arith.muli %x, %c : i64
      %v = arith.addi %m, %y : i64
      affine.store %v, %A[%i, %j] : memref<12x16xi64>
    }
  }
  affine.for %i = 2 to 12 {
    affine.for %j = 5 to affine_map<(d0) -> (17 - d0)>(%i) {
      %c = arith.constant 7 : i64
      %v = affine.load %A[13 - %i, %j] : memref<12x16xi64>
      %s = affine.load %out[%i] : memref<14xi64>
      %m = arith.muli %s, %c : i64
      %t = arith.addi %m, %v : i64
      affine.store %t, %out[%i] : memref<14xi64>
    }
  }
  memref.dealloc %A : memref<12x16xi64>
  return
}

// CHECK: folded: {{.*}} where x0 >= ceil(({{.*}} as ({{.*}} by turn
func.func @symbolic(%n: index, %out: memref<14xi64>) {
  %A = memref.alloc(%n, %n) : memref<?x?xi64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = arith.constant 31 : i64
      %x = arith.index_cast %i : index to i64
      %y = arith.index_cast %j : index to i64
      %m = arith.muli %x, %c : i64
      %v = arith.addi %m, %y : i64
      affine.store %v, %A[%i, %j] : memref<?x?xi64>
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0)>(%j) to %n {
      %c = arith.constant 7 : i64
      %v = affine.load %A[%i, %j] : memref<?x?xi64>
      %s = affine.load %out[%j] : memref<14xi64>
      %m = arith.muli %s, %c : i64
      %t = arith.addi %m, %v : i64
      affine.store %t, %out[%j] : memref<14xi64>
    }
  }
  memref.dealloc %A : memref<?x?xi64>
  return
}

func.func @print(%out: memref<14xi64>) {
  %zero = arith.constant 0 : i64
  affine.for %i0 = 0 to 14 {
    %v = affine.load %out[%i0] : memref<14xi64>
    vector.print %v : i64
    affine.store %zero, %out[%i0] : memref<14xi64>
  }
  return
}

func.func @main() {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c13 = arith.constant 13 : index
  %out = memref.alloc() : memref<14xi64>
  affine.for %i0 = 0 to 14 {
    affine.store %zero, %out[%i0] : memref<14xi64>
  }
  call @lower(%out) : (memref<14xi64>) -> ()
  call @print(%out) : (memref<14xi64>) -> ()
  call @upper(%out) : (memref<14xi64>) -> ()
  call @print(%out) : (memref<14xi64>) -> ()
  call @trapezoid(%out) : (memref<14xi64>) -> ()
  call @print(%out) : (memref<14xi64>) -> ()
  call @symbolic(%c13, %out) : (index, memref<14xi64>) -> ()
  call @print(%out) : (memref<14xi64>) -> ()
  call @symbolic(%c6, %out) : (index, memref<14xi64>) -> ()
  call @print(%out) : (memref<14xi64>) -> ()
  call @symbolic(%c1, %out) : (index, memref<14xi64>) -> ()
  call @symbolic(%c0, %out) : (index, memref<14xi64>) -> ()
  call @print(%out) : (memref<14xi64>) -> ()
  memref.dealloc %out : memref<14xi64>
  return
}
