// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with iter_args, several functions, bounds that are a largest and a
// smallest, also tiled.
// RUN: %berth-opt %s --berth-fold=max-operations=0 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline=berth %s
// RUN: %same-output --before='func.func(affine-loop-tile{tile-size=3},canonicalize,cse)' --pipeline='berth-fold{max-operations=0}' %s

// CHECK-LABEL: func.func private @step
// CHECK: memref.alloc(%{{.*}}) : memref<?xi64>
// CHECK-LABEL: func.func private @shift
// CHECK: memref.alloc() : memref<i64>
func.func private @step(%out: memref<32xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %A = memref.alloc(%n, %n) : memref<?x?xi64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> i64 {
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%in = %z) -> i64 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%i, %j)
      %v = arith.index_cast %k : index to i64
      memref.store %v, %A[%i, %j] : memref<?x?xi64>
      %q = arith.addi %in, %v : i64
      scf.yield %q : i64
    }
    %col = affine.for %j = 0 to %n iter_args(%in = %z) -> i64 {
      %e = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%j)[%n]
      %v = memref.load %A[%i, %e] : memref<?x?xi64>
      %m = arith.muli %v, %in : i64
      %q = arith.addi %m, %one : i64
      affine.yield %q : i64
    }
    %r = arith.addi %row, %col : i64
    %p = affine.apply affine_map<(d0) -> (d0 mod 32)>(%i)
    memref.store %r, %out[%p] : memref<32xi64>
    %s = arith.addi %acc, %r : i64
    scf.yield %s : i64
  }
  memref.dealloc %A : memref<?x?xi64>
  return %sum : i64
}
func.func private @shift(%out: memref<32xi64>, %lo: index, %hi: index) {
  %A = memref.alloc() : memref<128xi64>
  affine.for %i = max affine_map<(d0) -> (d0, 0)>(%lo) to min affine_map<(d0) -> (d0, 32)>(%hi) {
    %v = arith.index_cast %i : index to i64
    affine.store %v, %A[%i * 4] : memref<128xi64>
    %w = affine.load %A[%i * 4] : memref<128xi64>
    affine.store %w, %out[%i] : memref<32xi64>
  }
  return
}
func.func private @printI64(i64)
func.func private @printNewline()
func.func @main() {
  %o = memref.alloc() : memref<32xi64>
  %z = arith.constant 0 : i64
  affine.for %i = 0 to 32 { affine.store %z, %o[%i] : memref<32xi64> }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c20 = arith.constant 20 : index
  %a = call @step(%o, %c0) : (memref<32xi64>, index) -> i64
  %b = call @step(%o, %c1) : (memref<32xi64>, index) -> i64
  %d = call @step(%o, %c7) : (memref<32xi64>, index) -> i64
  call @shift(%o, %c7, %c20) : (memref<32xi64>, index, index) -> ()
  call @shift(%o, %c20, %c7) : (memref<32xi64>, index, index) -> ()
  func.call @printI64(%a) : (i64) -> ()
  func.call @printNewline() : () -> ()
  func.call @printI64(%b) : (i64) -> ()
  func.call @printNewline() : () -> ()
  func.call @printI64(%d) : (i64) -> ()
  func.call @printNewline() : () -> ()
  affine.for %i = 0 to 32 {
    %v = affine.load %o[%i] : memref<32xi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
