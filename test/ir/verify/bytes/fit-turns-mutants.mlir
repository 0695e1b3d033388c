// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 tells places in split input by the piece.
// REQUIRES: llvm-22
// Two tiles that the turns of a loop take one after the other are right, as berth-fit
// makes them and behind canonicalize. With any number of a tile, any subscript of a slice
// that moves, or any two of what the loop carries exchanged for others, or without a start
// or a wait, it is refused; but for two that have every turn use the slice of the first
// one: which one the program means, no mark tells.

// DEFINE: %{then} =
// DEFINE: %{make} = %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=256 transfers=dma recompute=0},canonicalize,%{then}berth-verify)' -o %t.fit.mlir && %python -B %S/Inputs/turn_mutants.py %t.fit.mlir %t.mutants.mlir > %t.count
// DEFINE: %{refused} = not %berth-opt %t.mutants.mlir --split-input-file --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2> %t.errors && %python -B %S/Inputs/fit_mutants.py --refused %t.mutants.mlir %t.errors | grep accepted > %t.refused
// RUN: %{make} && %{refused}
// RUN: cat %t.refused %t.count | FileCheck %s
// CHECK-COUNT-2: accepted
// CHECK-NOT: accepted
// CHECK: numbers {{[1-9][0-9]+}}, slices {{[1-9][0-9]+}}, carried {{[1-9][0-9]}}, dropped {{[1-9][0-9]}}
// RUN: FileCheck %s --check-prefix=MADE < %t.fit.mlir
// MADE-COUNT-4: berth.tile_turns
// REDEFINE: %{then} = cse,loop-invariant-code-motion,
// RUN: %{make} && %{refused}
// RUN: cat %t.refused %t.count | FileCheck %s
//
// So is a loop whose turns use a slice of the same content besides.
// RUN: split-file %S/Inputs/turns-beside.mlir %t.beside
// RUN: not %berth-opt %t.beside/read.mlir --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not %berth-opt %t.beside/written.mlir --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=BESIDE
// BESIDE: error: touches a slice that a tile holds

#s = strided<[1], offset: ?>
func.func @both(%x: memref<96xi32, 1> {llvm.noalias, llvm.readonly}, %o: memref<96xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c96 = arith.constant 96 : index
  %a = memref.alloc() : memref<96xi32>
  %b = memref.alloc() : memref<96xi32>
  memref.copy %x, %a : memref<96xi32, 1> to memref<96xi32>
  scf.for %i = %c0 to %c96 step %c16 {
    %v = memref.subview %a[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    %w = memref.subview %b[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    linalg.add ins(%v, %v : memref<16xi32, #s>, memref<16xi32, #s>) outs(%w : memref<16xi32, #s>)
  }
  scf.for %i = %c0 to %c96 step %c16 {
    %w = memref.subview %b[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    %z = memref.subview %o[%i] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
    memref.copy %w, %z : memref<16xi32, #s> to memref<16xi32, #s, 1>
  }
  return
}

func.func @asked(%o: memref<96xi32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %b = memref.alloc() : memref<96xi32>
  scf.for %i = %c0 to %n step %c16 {
    %w = memref.subview %b[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    linalg.fill ins(%one : i32) outs(%w : memref<16xi32, #s>)
  }
  scf.for %i = %c16 to %n step %c16 {
    %w = memref.subview %b[%i] [16] [1] : memref<96xi32> to memref<16xi32, #s>
    %z = memref.subview %o[%i] [16] [1] : memref<96xi32, 1> to memref<16xi32, #s, 1>
    linalg.add ins(%w, %w : memref<16xi32, #s>, memref<16xi32, #s>) outs(%z : memref<16xi32, #s, 1>)
  }
  return
}
