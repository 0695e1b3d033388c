// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel loops: iterations are unordered, so their cells stay apart; loops
// around and after them are ordered. Sequential loops would allow 17 cells for
// the stencil.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func @stencil
// CHECK: memref.alloc() : memref<2x16xi64>
// CHECK-LABEL: func.func @blocks
// CHECK: memref.alloc() : memref<16xi64, 1>
// CHECK-LABEL: func.func @steps
// CHECK: memref.alloc() : memref<9xi64>

func.func @stencil(%out: memref<64xi64>) {
  %A = memref.alloc() : memref<9x16xi64>
  affine.parallel (%i) = (0) to (16) {
    %v = arith.index_cast %i : index to i64
    affine.store %v, %A[0, %i] : memref<9x16xi64>
  }
  affine.for %t = 1 to 9 {
    affine.parallel (%i) = (0) to (16) {
      %l = affine.load %A[%t - 1, (%i + 15) mod 16] : memref<9x16xi64>
      %m = affine.load %A[%t - 1, %i] : memref<9x16xi64>
      %k = arith.constant 3 : i64
      %p = arith.muli %l, %k : i64
      %s = arith.addi %p, %m : i64
      affine.store %s, %A[%t, %i] : memref<9x16xi64>
    }
  }
  affine.parallel (%i) = (0) to (16) {
    %v = affine.load %A[8, %i] : memref<9x16xi64>
    affine.store %v, %out[%i] : memref<64xi64>
  }
  memref.dealloc %A : memref<9x16xi64>
  return
}

// One array for each iteration of the outer loop, in a memory space of its own.
func.func @blocks(%out: memref<64xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%b) in (2) {
    %A = memref.alloc() : memref<4x16xi64, 1>
    scf.for %k = %c0 to %c1 step %c1 {
      scf.parallel (%t) = (%c0) to (%c16) step (%c1) {
        %v = arith.index_cast %t : index to i64
        memref.store %v, %A[%k, %t] : memref<4x16xi64, 1>
      }
      scf.parallel (%t) = (%c0) to (%c16) step (%c1) {
        %r = affine.apply affine_map<(d0) -> (15 - d0)>(%t)
        %v = memref.load %A[%k, %r] : memref<4x16xi64, 1>
        %p = affine.apply affine_map<(d0, d1) -> (16 + 16 * d0 + d1)>(%b, %t)
        memref.store %v, %out[%p] : memref<64xi64>
      }
    }
  }
  return
}

// Several variables, steps, bounds that are a smallest or a largest.
func.func @steps(%out: memref<64xi64>) {
  %A = memref.alloc() : memref<16x16xi64>
  affine.for %r = 0 to 2 {
    affine.parallel (%i, %j) = (0, max(0, 1)) to (8, min(2, 5)) step (2, 1) {
      %s = arith.addi %i, %r : index
      %v = arith.index_cast %s : index to i64
      affine.store %v, %A[%i + %r * 8, %j] : memref<16x16xi64>
      affine.store %v, %A[%i + %r * 8, %j + 4] : memref<16x16xi64>
    }
    scf.forall (%i, %j) = (0, 1) to (8, 6) step (2, 4) {
      %p = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 8)>(%i, %r)
      %q = affine.apply affine_map<(d0, d1) -> (48 + d0 + d1 floordiv 4)>(%i, %j)
      %v = memref.load %A[%p, %j] : memref<16x16xi64>
      memref.store %v, %out[%q] : memref<64xi64>
    }
  }
  memref.dealloc %A : memref<16x16xi64>
  return
}

func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

func.func @main() {
  %out = memref.alloc() : memref<64xi64>
  %zero = arith.constant 0 : i64
  affine.for %i = 0 to 64 {
    affine.store %zero, %out[%i] : memref<64xi64>
  }
  func.call @stencil(%out) : (memref<64xi64>) -> ()
  func.call @blocks(%out) : (memref<64xi64>) -> ()
  func.call @steps(%out) : (memref<64xi64>) -> ()
  affine.for %i = 0 to 64 {
    %v = affine.load %out[%i] : memref<64xi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printComma() : () -> ()
  }
  func.call @printNewline() : () -> ()
  memref.dealloc %out : memref<64xi64>
  return
}
