// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 tells places in split input by the piece.
// REQUIRES: llvm-22
// What berth-fit has made is right; with any one operand of a move, or of what is
// computed again, exchanged for other memory of its type (an argument, an allocation,
// another place), without a move, or with one of them too early or too late, it is
// refused.

// Prices at which computing again is surely cheaper than moving.
// DEFINE: %{options} = capacity=64 access=2 fill=2 spill=2 recompute=1
// DEFINE: %{make} = %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 %{options}},berth-verify)' -o %t.fit.mlir && %python -B %S/Inputs/fit_mutants.py %t.fit.mlir %t.mutants.mlir > %t.count
// DEFINE: %{refused} = not %berth-opt %t.mutants.mlir --split-input-file --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2> %t.errors && %python -B %S/Inputs/fit_mutants.py --refused %t.mutants.mlir %t.errors | diff %t.count -
// RUN: %{make}
// RUN: %{refused}
// RUN: FileCheck %s < %t.count
// CHECK: moves 54, moved 6, transfers 0, computed again 5
// What was copied in is read again from there.
// REDEFINE: %{options} = capacity=16 must-fit=false
// RUN: %{make}
// RUN: %{refused}
// RUN: FileCheck %s --check-prefix=AGAIN < %t.count
// AGAIN: moves 23

func.func @f(%x: memref<8xi32, 77> {llvm.noalias, llvm.readonly}, %w: memref<8xi32, 77>, %y: memref<8xi32, 77>, %z: memref<8xi32, 77>, %n: i32) {
  %m = arith.addi %n, %n : i32
  %s = memref.alloc() : memref<8xi32, 77>
  linalg.copy ins(%w : memref<8xi32, 77>) outs(%s : memref<8xi32, 77>)
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  memref.copy %x, %a : memref<8xi32, 77> to memref<8xi32>
  linalg.fill ins(%n : i32) outs(%b : memref<8xi32>)
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.mul ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  linalg.mul ins(%c, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.mul ins(%c, %s : memref<8xi32>, memref<8xi32, 77>) outs(%d : memref<8xi32>)
  linalg.mul ins(%d, %d : memref<8xi32>, memref<8xi32>) outs(%d : memref<8xi32>)
  linalg.mul ins(%d, %c : memref<8xi32>, memref<8xi32>) outs(%d : memref<8xi32>)
  linalg.add ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32, 77>)
  linalg.add ins(%a, %d : memref<8xi32>, memref<8xi32>) outs(%z : memref<8xi32, 77>)
  linalg.add ins(%a, %d : memref<8xi32>, memref<8xi32>) outs(%w : memref<8xi32, 77>)
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%z : memref<8xi32, 77>)
  return
}
func.func @g(%x: memref<8xi32, 77>, %w: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %s = memref.alloc() : memref<8xi32, 77>
  linalg.copy ins(%w : memref<8xi32, 77>) outs(%s : memref<8xi32, 77>)
  %a = memref.alloc() : memref<8xi32>
  memref.copy %s, %a : memref<8xi32, 77> to memref<8xi32>
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32, 77>)
  linalg.mul ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32, 77>)
  return
}
