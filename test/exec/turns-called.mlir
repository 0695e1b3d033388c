// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A called function makes the buffer of a turn and returns it: with out-params the
// caller brings it, in each turn, and slots take turns.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena{results=out-params}' --pipeline='berth-arena{results=out-params poison=true}' %s | FileCheck %s
// CHECK: loop: 64

func.func private @step(%p: memref<8xi32>) -> memref<8xi32> {
  %q = memref.alloc() : memref<8xi32>
  linalg.add ins(%p, %p : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>)
  return %q : memref<8xi32>
}

func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<8xi32> {
    %q = func.call @step(%p) : (memref<8xi32>) -> memref<8xi32>
    scf.yield %q : memref<8xi32>
  }
  %v = vector.load %last[%c0] : memref<8xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %n = %c0 to %c5 step %c1 {
    func.call @loop(%n) : (index) -> ()
  }
  return
}
