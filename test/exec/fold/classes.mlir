// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running example of Darte, Isoard and Yuki: the cells with max(x, y) = k
// are made at step k, in parallel, from those of step k - 1. The smallest
// lattice has 4n - 4 cells; what it is depends on whether n is even, which is
// asked where the array is allocated.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %berth-opt %s --berth-fold='max-operations=0 method=lattice alone' | FileCheck %s --check-prefix=LATTICE
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GUARD
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline=berth %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0 method=lattice alone}' %s

// CHECK-LABEL: func.func private @corner
// CHECK: memref.alloc(%{{.*}}) : memref<?x2xi64>
// CHECK: arith.remsi %arg1, %{{.*}}
// CHECK: arith.select
// The condition around it is known to hold, so no largest of 2n - 2 and 1.
// GUARD: mod (2*p0 - 2), x0 mod 2] where p0 mod 2 = 0
// LATTICE: memref.alloc(%{{.*}}) : memref<2x?xi64>

#inside = affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 1 >= 0)>
#bottom = affine_set<(d0, d1) : (d0 - 1 >= 0, -d1 >= 0)>
#left = affine_set<(d0, d1) : (-d0 >= 0, d1 - 1 >= 0)>
#later = affine_set<()[s0] : (s0 - 2 >= 0)>
#x = affine_map<(d0, d1) -> (d0, d0 + d1)>

func.func private @cell(%x: index, %y: index, %v: i64) -> i64 {
  %c31 = arith.constant 31 : i64
  %c7 = arith.constant 7 : i64
  %xi = arith.index_cast %x : index to i64
  %yi = arith.index_cast %y : index to i64
  %a = arith.muli %v, %c31 : i64
  %b = arith.addi %a, %xi : i64
  %c = arith.muli %yi, %c7 : i64
  %d = arith.addi %b, %c : i64
  return %d : i64
}

func.func private @corner(%out: memref<64xi64>, %n: index) {
  %zero = arith.constant 0 : i64
  affine.if #later()[%n] {
    %A = memref.alloc(%n, %n) : memref<?x?xi64>
    affine.for %k = 0 to %n {
      // Those with x = k, then those with y = k.
      affine.parallel (%y) = (0) to (%k + 1) {
        affine.if #inside(%k, %y) {
          %v = affine.load %A[%k - 1, %y - 1] : memref<?x?xi64>
          %w = func.call @cell(%k, %y, %v) : (index, index, i64) -> i64
          affine.store %w, %A[%k, %y] : memref<?x?xi64>
        } else {
          affine.if #bottom(%k, %y) {
            %v = affine.load %A[%k - 1, 0] : memref<?x?xi64>
            %w = func.call @cell(%k, %y, %v) : (index, index, i64) -> i64
            affine.store %w, %A[%k, %y] : memref<?x?xi64>
          } else {
            affine.store %zero, %A[%k, %y] : memref<?x?xi64>
          }
        }
      }
      affine.parallel (%x) = (0) to (%k) {
        affine.if #inside(%x, %k) {
          %v = affine.load %A[%x - 1, %k - 1] : memref<?x?xi64>
          %w = func.call @cell(%x, %k, %v) : (index, index, i64) -> i64
          affine.store %w, %A[%x, %k] : memref<?x?xi64>
        } else {
          %v = affine.load %A[0, %k - 1] : memref<?x?xi64>
          %w = func.call @cell(%x, %k, %v) : (index, index, i64) -> i64
          affine.store %w, %A[%x, %k] : memref<?x?xi64>
        }
      }
    }
    affine.for %y = 0 to %n {
      %v = affine.load %A[%n - 1, %y] : memref<?x?xi64>
      affine.store %v, %out[%y] : memref<64xi64>
      %w = affine.load %A[%y, %n - 1] : memref<?x?xi64>
      affine.store %w, %out[%y + 32] : memref<64xi64>
    }
    memref.dealloc %A : memref<?x?xi64>
  }
  return
}

func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %o = memref.alloc() : memref<64xi64>
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 64 {
    affine.store %z, %o[%i] : memref<64xi64>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %n = %c0 to %c12 step %c1 {
    func.call @corner(%o, %n) : (memref<64xi64>, index) -> ()
    affine.for %i = 0 to 64 {
      %v = affine.load %o[%i] : memref<64xi64>
      func.call @printI64(%v) : (i64) -> ()
      func.call @printNewline() : () -> ()
    }
  }
  memref.dealloc %o : memref<64xi64>
  return
}
