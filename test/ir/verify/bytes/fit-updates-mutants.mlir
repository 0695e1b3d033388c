// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 tells places in split input by the piece.
// REQUIRES: llvm-22
// Of three tiles that come and go beside other turns any number, any subscript of a slice
// that moves and any two of what the loop carries may not be exchanged for others, nor may a
// start or a wait be missing. Of what is only read behind that, each turn may take the slice
// of the first one: which one the program means, no mark tells.

// DEFINE: %{then} =
// DEFINE: %{make} = %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=256 transfers=dma recompute=0},canonicalize,%{then}berth-verify)' -o %t.fit.mlir && %python -B %S/Inputs/turn_mutants.py %t.fit.mlir %t.mutants.mlir > %t.count
// DEFINE: %{refused} = not %berth-opt %t.mutants.mlir --split-input-file --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2> %t.errors && %python -B %S/Inputs/fit_mutants.py --refused %t.mutants.mlir %t.errors | grep accepted > %t.refused
// RUN: %{make} && %{refused}
// RUN: cat %t.refused %t.count | FileCheck %s
// CHECK-COUNT-1: accepted
// CHECK-NOT: accepted
// CHECK: numbers {{[1-9][0-9]+}}, slices {{[1-9][0-9]+}}, carried {{[1-9][0-9]}}, dropped {{[1-9][0-9]}}
// RUN: FileCheck %s --check-prefix=MADE < %t.fit.mlir
// MADE: memref<3x16xi32>
// REDEFINE: %{then} = cse,loop-invariant-code-motion,
// RUN: %{make} && %{refused}
// RUN: cat %t.refused %t.count | FileCheck %s

#s = strided<[1], offset: ?>
func.func @changed(%x: memref<96xi32, 1>, %o: memref<96xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c96 = arith.constant 96 : index
  %a = memref.alloc() : memref<96xi32>
  scf.for %i = %c0 to %c96 step %c16 {
    %v = memref.subview %a[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    %w = memref.subview %x[%i] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
    linalg.add ins(%w, %w : memref<16xi32, #s, 1>, memref<16xi32, #s, 1>) outs(%v : memref<16xi32, #s>)
  }
  scf.for %i = %c0 to %c96 step %c16 {
    %v = memref.subview %a[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    linalg.add ins(%v, %v : memref<16xi32, #s>, memref<16xi32, #s>) outs(%v : memref<16xi32, #s>)
  }
  scf.for %i = %c0 to %c96 step %c16 {
    %v = memref.subview %a[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    %w = memref.subview %o[%i] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
    linalg.add ins(%v, %v : memref<16xi32, #s>, memref<16xi32, #s>) outs(%w : memref<16xi32, #s, 1>)
  }
  return
}
