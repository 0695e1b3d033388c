// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row that is a number, and neither one of the mirrored ones nor its copy: MLIR
// looks at where it would be copied, though it never is.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold 2>&1 | FileCheck %s
// RUN: %berth-opt %s --berth-fold=max-operations=0 | mlir-opt --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops,lower-affine),convert-scf-to-cf,expand-strided-metadata)' -o /dev/null
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' %s

// CHECK: A0[x0, x1] -> [x0 mod 2 (1 mirrored), x1 mod 4]

#R = strided<[4, 1], offset: ?>

func.func @peeled(%out: memref<2x4xi64>) {
  %c0 = arith.constant 0 : index
  %A = memref.alloc() : memref<7x4xi64>
  affine.for %i = 0 to 1 {
    %v = arith.constant 5 : i64
    %r = affine.apply affine_map<(d0) -> (0)>(%c0)
    %a = memref.subview %A[%r, 0] [1, 4] [1, 1] : memref<7x4xi64> to memref<1x4xi64, #R>
    linalg.fill ins(%v : i64) outs(%a : memref<1x4xi64, #R>)
  }
  %v1 = arith.constant 6 : i64
  %r1 = affine.apply affine_map<(d0) -> (1)>(%c0)
  %a1 = memref.subview %A[%r1, 0] [1, 4] [1, 1] : memref<7x4xi64> to memref<1x4xi64, #R>
  linalg.fill ins(%v1 : i64) outs(%a1 : memref<1x4xi64, #R>)
  affine.for %i = 1 to 6 {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %w = arith.index_cast %n : index to i64
    %a = memref.subview %A[%n, 0] [1, 4] [1, 1] : memref<7x4xi64> to memref<1x4xi64, #R>
    linalg.fill ins(%w : i64) outs(%a : memref<1x4xi64, #R>)
    %m = memref.subview %A[%i, 0] [2, 4] [1, 1] : memref<7x4xi64> to memref<2x4xi64, #R>
    linalg.add ins(%m, %out : memref<2x4xi64, #R>, memref<2x4xi64>) outs(%out : memref<2x4xi64>)
  }
  affine.for %j = 0 to 4 {
    %l = affine.load %A[6, %j] : memref<7x4xi64>
    affine.store %l, %out[0, %j] : memref<2x4xi64>
  }
  memref.dealloc %A : memref<7x4xi64>
  return
}

func.func @main() {
  %zero = arith.constant 0 : i64
  %out = memref.alloc() : memref<2x4xi64>
  linalg.fill ins(%zero : i64) outs(%out : memref<2x4xi64>)
  call @peeled(%out) : (memref<2x4xi64>) -> ()
  affine.for %i = 0 to 2 {
    %v = affine.vector_load %out[%i, 0] : memref<2x4xi64>, vector<4xi64>
    vector.print %v : vector<4xi64>
  }
  memref.dealloc %out : memref<2x4xi64>
  return
}
