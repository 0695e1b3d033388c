// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles by scf loops, of which the last is smaller: affine.min bounds a loop. A
// lower bound that is a maximum, with a step. Neither modulus depends on sizes
// of which nothing is known.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline=berth %s

// CHECK-LABEL: func.func private @tiles
// CHECK: memref.alloc() : memref<8xi64>
// CHECK-LABEL: func.func private @strides
// CHECK: memref.alloc() : memref<57xi64>
func.func private @tiles(%out: memref<64xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %A = memref.alloc(%n) : memref<?xi64>
  scf.for %b = %c0 to %n step %c8 {
    %size = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%b)[%n]
    scf.for %i = %c0 to %size step %c1 {
      %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%b, %i)
      %v = arith.index_cast %p : index to i64
      memref.store %v, %A[%p] : memref<?xi64>
    }
    scf.for %i = %c0 to %size step %c1 {
      %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%b, %i)
      %v = memref.load %A[%p] : memref<?xi64>
      memref.store %v, %out[%p] : memref<64xi64>
    }
  }
  memref.dealloc %A : memref<?xi64>
  return
}
func.func private @strides(%out: memref<64xi64>, %lo: index, %n: index) {
  %A = memref.alloc() : memref<64x64xi64>
  affine.for %t = 0 to 3 {
    affine.for %i = max affine_map<(d0)[s0] -> (s0, 3 * d0)>(%t)[%lo] to min affine_map<()[s0] -> (s0, 60)>()[%n] step 4 {
      %v = arith.index_cast %i : index to i64
      affine.store %v, %A[%t, %i] : memref<64x64xi64>
    }
    affine.for %i = max affine_map<(d0)[s0] -> (s0, 3 * d0)>(%t)[%lo] to min affine_map<()[s0] -> (s0, 60)>()[%n] step 4 {
      %v = affine.load %A[%t, %i] : memref<64x64xi64>
      affine.store %v, %out[%i] : memref<64xi64>
    }
  }
  memref.dealloc %A : memref<64x64xi64>
  return
}
func.func private @printI64(i64)
func.func private @printNewline()
func.func private @show(%o: memref<64xi64>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %o[%i] : memref<64xi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
func.func @main() {
  %o = memref.alloc() : memref<64xi64>
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 64 { affine.store %z, %o[%i] : memref<64xi64> }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %c64 = arith.constant 64 : index
  call @tiles(%o, %c0) : (memref<64xi64>, index) -> ()
  call @tiles(%o, %c1) : (memref<64xi64>, index) -> ()
  call @tiles(%o, %c20) : (memref<64xi64>, index) -> ()
  call @show(%o) : (memref<64xi64>) -> ()
  affine.for %i = 0 to 64 { affine.store %z, %o[%i] : memref<64xi64> }
  call @strides(%o, %c0, %c64) : (memref<64xi64>, index, index) -> ()
  call @show(%o) : (memref<64xi64>) -> ()
  call @strides(%o, %c5, %c20) : (memref<64xi64>, index, index) -> ()
  call @show(%o) : (memref<64xi64>) -> ()
  return
}
