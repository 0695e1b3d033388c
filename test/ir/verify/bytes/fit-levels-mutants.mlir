// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 tells places in split input by the piece.
// REQUIRES: llvm-22
// Content in three memories: a place in the middle one is itself a buffer that may
// leave. With any one end of a move exchanged, without a move (or a transfer's start,
// or its wait), with it in front of the last write of what it moves or behind the first
// op that needs it, or with another transfer's wait, what berth-fit has made is refused.

// DEFINE: %{fit} =
// DEFINE: %{make} = %berth-opt %s --pass-pipeline='builtin.module(%{fit},berth-verify)' -o %t.fit.mlir && %python -B %S/Inputs/fit_mutants.py %t.fit.mlir %t.mutants.mlir
// DEFINE: %{refused} = not %berth-opt %t.mutants.mlir --split-input-file --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2> %t.errors && %python -B %S/Inputs/fit_mutants.py --refused %t.mutants.mlir %t.errors

// Twice a fill comes from another place that still holds the content: from the middle
// memory, where it lay before it went out from there. Neither is wrong.
// REDEFINE: %{fit} = berth-fit{space=default backing=77 capacity=96 recompute=0},berth-fit{space=77 backing=78 capacity=64 recompute=0}
// RUN: %{make} | FileCheck %s --check-prefix=COPIES
// RUN: %{refused} | FileCheck %s --check-prefix=REFUSED
// COPIES: moves 121, moved 15,
// REFUSED-COUNT-2: accepted
// REFUSED: moves 119, moved 15,

// REDEFINE: %{fit} = berth-fit{target=%S/Inputs/three-levels.json}
// RUN: %{make} | FileCheck %s --check-prefix=STARTS
// RUN: %{refused} | FileCheck %s --check-prefix=AWAITED
// STARTS: moved 13, transfers 290,
// AWAITED-COUNT-2: accepted
// AWAITED: moved 13, transfers 288,

func.func @f(%x: memref<8xi32, 78> {llvm.noalias, llvm.readonly}, %w: memref<8xi32, 78>, %y: memref<8xi32, 78>, %z: memref<8xi32, 78>, %n: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  %e = memref.alloc() : memref<8xi32>
  memref.copy %x, %a : memref<8xi32, 78> to memref<8xi32>
  linalg.fill ins(%n : i32) outs(%b : memref<8xi32>)
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.mul ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%d : memref<8xi32>)
  linalg.mul ins(%c, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.mul ins(%c, %d : memref<8xi32>, memref<8xi32>) outs(%e : memref<8xi32>)
  linalg.mul ins(%e, %b : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.mul ins(%d, %c : memref<8xi32>, memref<8xi32>) outs(%d : memref<8xi32>)
  memref.copy %a, %w : memref<8xi32> to memref<8xi32, 78>
  linalg.add ins(%e, %d : memref<8xi32>, memref<8xi32>) outs(%e : memref<8xi32>)
  memref.copy %e, %y : memref<8xi32> to memref<8xi32, 78>
  linalg.add ins(%b, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  memref.copy %c, %z : memref<8xi32> to memref<8xi32, 78>
  return
}
