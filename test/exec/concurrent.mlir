// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: two-cores
// RUN: %same-output --async --pipeline='berth-arena,async-parallel-for{num-workers=4 min-task-size=1}' %S/Inputs/prelude.mlir %s
// RUN: not %same-output --async --pipeline='berth-arena{verify=false test-break-rule=shared-iterations},async-parallel-for{num-workers=4 min-task-size=1}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s
// Iterations of a parallel loop that run at the same time, and sleep where they
// would spoil an arena that they share.

// CHECK: the output differs
func.func private @usleep(%microseconds: i32) -> i32

func.func @tiles(%out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : i32
  %pause = arith.constant 20000 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %n = arith.index_cast %i : index to i32
    %m = arith.muli %n, %ten : i32
    %a = memref.alloc() : memref<8xi32>
    linalg.fill ins(%n : i32) outs(%a : memref<8xi32>)
    func.call @usleep(%pause) : (i32) -> i32
    %x = memref.load %a[%c0] : memref<8xi32>
    memref.dealloc %a : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    linalg.fill ins(%m : i32) outs(%b : memref<8xi32>)
    func.call @usleep(%pause) : (i32) -> i32
    %y = memref.load %b[%c0] : memref<8xi32>
    memref.dealloc %b : memref<8xi32>
    %z = arith.addi %x, %y : i32
    memref.store %z, %out[%i] : memref<8xi32>
  }
  return
}

func.func @main() {
  %out = memref.alloc() : memref<8xi32>
  call @tiles(%out) : (memref<8xi32>) -> ()
  call @show(%out) : (memref<8xi32>) -> ()
  return
}
