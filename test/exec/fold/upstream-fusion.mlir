// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// affine-loop-fusion of MLIR 19 has no option `maximal`.
// REQUIRES: llvm-22
// What affine-loop-fusion leaves: the whole intermediate, live row by row.
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-fusion{maximal=true}))' -o %t.mlir
// RUN: %berth-opt %t.mlir --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %t.mlir

// CHECK-LABEL: func.func @kernel
// CHECK: memref.alloc() : memref<3xi64>
// CHECK: return
func.func @kernel(%in: memref<12x10xi64>, %out: memref<10x10xi64>) {
  %rows = memref.alloc() : memref<12x10xi64>
  %three = arith.constant 3 : i64
  affine.for %y = 0 to 12 {
    affine.for %x = 0 to 10 {
      %v = affine.load %in[%y, %x] : memref<12x10xi64>
      %w = arith.muli %v, %three : i64
      affine.store %w, %rows[%y, %x] : memref<12x10xi64>
    }
  }
  affine.for %y = 0 to 10 {
    affine.for %x = 0 to 10 {
      %a = affine.load %rows[%y, %x] : memref<12x10xi64>
      %b = affine.load %rows[%y + 1, %x] : memref<12x10xi64>
      %c = affine.load %rows[%y + 2, %x] : memref<12x10xi64>
      %d = arith.addi %a, %b : i64
      %e = arith.muli %d, %c : i64
      affine.store %e, %out[%y, %x] : memref<10x10xi64>
    }
  }
  memref.dealloc %rows : memref<12x10xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<12x10xi64>
  %out = memref.alloc() : memref<10x10xi64>
  affine.for %y = 0 to 12 {
    affine.for %x = 0 to 10 {
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 17 + d1 * 5)>(%y, %x)
      %v = arith.index_cast %i : index to i64
      affine.store %v, %in[%y, %x] : memref<12x10xi64>
    }
  }
  call @kernel(%in, %out) : (memref<12x10xi64>, memref<10x10xi64>) -> ()
  affine.for %y = 0 to 10 {
    affine.for %x = 0 to 10 {
      %v = affine.load %out[%y, %x] : memref<10x10xi64>
      vector.print %v : i64
    }
  }
  memref.dealloc %in : memref<12x10xi64>
  memref.dealloc %out : memref<10x10xi64>
  return
}
