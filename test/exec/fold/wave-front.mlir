// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves x + y over a table.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<14xi64>

func.func @kernel(%out: memref<14xi64>) {
  %A = memref.alloc() : memref<14x14xi64>
  affine.for %w = 0 to 27 {
    affine.for %x = max affine_map<(d0) -> (0, d0 - 13)>(%w) to min affine_map<(d0) -> (14, d0 + 1)>(%w) {
      affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - d0 - 1 >= 0)>(%x, %w) {
        %v0 = affine.load %A[%x - 1, %w - %x] : memref<14x14xi64>
        %v1 = affine.load %A[%x, %w - %x - 1] : memref<14x14xi64>
        %v2 = arith.constant 1 : i64
        %v3 = arith.constant 31 : i64
        %v4 = arith.muli %v2, %v3 : i64
        %v5 = arith.addi %v4, %v0 : i64
        %v6 = arith.muli %v5, %v3 : i64
        %v7 = arith.addi %v6, %v1 : i64
        affine.store %v7, %A[%x, %w - %x] : memref<14x14xi64>
      } else {
        %v8 = arith.index_cast %x : index to i64
        %v9 = arith.index_cast %w : index to i64
        %v10 = arith.constant 1 : i64
        %v11 = arith.constant 31 : i64
        %v12 = arith.muli %v10, %v11 : i64
        %v13 = arith.addi %v12, %v8 : i64
        %v14 = arith.muli %v13, %v11 : i64
        %v15 = arith.addi %v14, %v9 : i64
        affine.store %v15, %A[%x, %w - %x] : memref<14x14xi64>
      }
      affine.if affine_set<(d0, d1) : (d1 - d0 - 13 == 0)>(%x, %w) {
        %v16 = affine.load %A[%x, %w - %x] : memref<14x14xi64>
        affine.store %v16, %out[%x] : memref<14xi64>
      }
    }
  }
  memref.dealloc %A : memref<14x14xi64>
  return
}

func.func @main() {
  %out = memref.alloc() : memref<14xi64>
  call @kernel(%out) : (memref<14xi64>) -> ()
  affine.for %i0 = 0 to 14 {
    %v = affine.load %out[%i0] : memref<14xi64>
    vector.print %v : i64
  }
  memref.dealloc %out : memref<14xi64>
  return
}
