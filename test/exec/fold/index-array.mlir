// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A size and an offset that are read from an array which is folded as well.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true}' %s

// CHECK-LABEL: func.func @offset
// CHECK: memref.alloc() : memref<1x8xi64>
// CHECK: memref.alloc() : memref<index>
// CHECK-LABEL: func.func @size
// CHECK: memref.alloc() : memref<index>
// CHECK: memref.alloc({{.*}}) : memref<?xi64>

func.func @offset(%out: memref<8xi64>, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %idx = memref.alloc() : memref<20xindex>
  %A = memref.alloc() : memref<9x8xi64>
  memref.store %c3, %idx[%c1] : memref<20xindex>
  %n = memref.load %idx[%c1] : memref<20xindex>
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.subview %A[%i, %n] [1, 4] [1, 1] : memref<9x8xi64> to memref<4xi64, strided<[1], offset: ?>>
    linalg.fill ins(%x : i64) outs(%v : memref<4xi64, strided<[1], offset: ?>>)
    %k = arith.addi %n, %c1 : index
    %w = memref.load %A[%i, %k] : memref<9x8xi64>
    memref.store %w, %out[%i] : memref<8xi64>
  }
  memref.dealloc %A : memref<9x8xi64>
  memref.dealloc %idx : memref<20xindex>
  return
}

func.func @size(%out: memref<8xi64>, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %idx = memref.alloc() : memref<20xindex>
  memref.store %c3, %idx[%c1] : memref<20xindex>
  %n = memref.load %idx[%c1] : memref<20xindex>
  %A = memref.alloc(%n, %c8) : memref<?x?xi64>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %A[%j, %i] : memref<?x?xi64>
    }
    scf.for %j = %c0 to %n step %c1 {
      %w = memref.load %A[%j, %i] : memref<?x?xi64>
      memref.store %w, %out[%i] : memref<8xi64>
    }
  }
  memref.dealloc %A : memref<?x?xi64>
  memref.dealloc %idx : memref<20xindex>
  return
}

func.func @main() {
  %seven = arith.constant 7 : i64
  %nine = arith.constant 9 : i64
  %out = memref.alloc() : memref<8xi64>
  call @offset(%out, %seven) : (memref<8xi64>, i64) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %out[%i] : memref<8xi64>
    vector.print %v : i64
  }
  call @size(%out, %nine) : (memref<8xi64>, i64) -> ()
  affine.for %i = 0 to 8 {
    %v = affine.load %out[%i] : memref<8xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<8xi64>
  return
}
