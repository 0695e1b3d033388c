// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: two-cores
// DEFINE: %{run} = %same-output --async='async-parallel-for{num-workers=4 min-task-size=1}'
// RUN: %{run} --pipeline=berth-arena %S/Inputs/prelude.mlir %s
// RUN: not %{run} --pipeline='berth-arena{verify=false test-break-rule=shared-iterations}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s
// Iterations of a parallel loop that run at the same time: the first one to fill
// its buffer goes on only when another one has, which has spoilt it if they share
// an arena.

// CHECK: the output differs
func.func private @usleep(%microseconds: i32) -> i32

memref.global "private" @arrived : memref<i32> = dense<0>

// Waits until somebody else has come here, now or before; for two minutes at
// most, so that a test in which nobody comes fails rather than hangs.
func.func private @meet() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12000 = arith.constant 12000 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %pause = arith.constant 10000 : i32
  %arrived = memref.get_global @arrived : memref<i32>
  %before = memref.atomic_rmw addi %one, %arrived[] : (i32, memref<i32>) -> i32
  %turns = scf.while (%turn = %c0) : (index) -> index {
    %count = memref.atomic_rmw addi %zero, %arrived[] : (i32, memref<i32>) -> i32
    %alone = arith.cmpi slt, %count, %two : i32
    %patient = arith.cmpi ult, %turn, %c12000 : index
    %waits = arith.andi %alone, %patient : i1
    scf.condition(%waits) %turn : index
  } do {
  ^bb0(%turn: index):
    func.call @usleep(%pause) : (i32) -> i32
    %next = arith.addi %turn, %c1 : index
    scf.yield %next : index
  }
  return
}

func.func @tiles(%out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %n = arith.index_cast %i : index to i32
    %m = arith.muli %n, %ten : i32
    %a = memref.alloc() : memref<8xi32>
    linalg.fill ins(%n : i32) outs(%a : memref<8xi32>)
    func.call @meet() : () -> ()
    %x = memref.load %a[%c0] : memref<8xi32>
    memref.dealloc %a : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    linalg.fill ins(%m : i32) outs(%b : memref<8xi32>)
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
