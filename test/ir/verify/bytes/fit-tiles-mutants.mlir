// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 tells places in split input by the piece.
// REQUIRES: llvm-22
// Slices that berth-fit brings in and takes out (berth.tile) are right; with any one end
// of a copy exchanged for other memory of its type, or without a copy, it is refused.

// DEFINE: %{fit} =
// DEFINE: %{make} = %berth-opt %s --pass-pipeline='builtin.module(%{fit},berth-verify)' -o %t.fit.mlir && %python -B %S/Inputs/fit_mutants.py %t.fit.mlir %t.mutants.mlir > %t.count
// DEFINE: %{refused} = not %berth-opt %t.mutants.mlir --split-input-file --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2> %t.errors && %python -B %S/Inputs/fit_mutants.py --refused %t.mutants.mlir %t.errors
// REDEFINE: %{fit} = berth-fit{space=default backing=77 capacity=96}
// RUN: %{make} && %{refused} | diff %t.count -
// RUN: FileCheck %s < %t.count
// CHECK: slices 29
//
// So it is of the transfers between both,
// REDEFINE: %{fit} = berth-fit{space=default backing=77 capacity=96 transfers=dma double-buffer=false}
// RUN: %{make} && %{refused} | diff %t.count -
// RUN: FileCheck %s --check-prefix=TRANSFERS < %t.count
// TRANSFERS: moved 8, transfers 88,
//
// and of those that start a turn ahead. Three bring another slice of the content, that
// of a turn in front of the loop: which one the program means, no mark tells.
// REDEFINE: %{fit} = berth-fit{space=default backing=77 capacity=96 transfers=dma}
// RUN: %{make} && %{refused} > %t.accepted
// RUN: cat %t.count %t.accepted | FileCheck %s --check-prefix=AHEAD
// AHEAD: moved 10, transfers 219,
// AHEAD-COUNT-3: accepted
// AHEAD: moved 10, transfers 216,

#slice = strided<[1], offset: ?>
func.func @f(%x: memref<32xi32, 77> {llvm.noalias, llvm.readonly}, %y: memref<32xi32, 77>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  %w = memref.alloc() : memref<32xi32>
  memref.copy %x, %w : memref<32xi32, 77> to memref<32xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %u = memref.subview %w[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%u, %u : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%v : memref<8xi32, #slice>)
    %z = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.fill ins(%k : i32) outs(%z : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %z = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %z : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%v : memref<8xi32, #slice>)
    linalg.add ins(%v, %z : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%z : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %s = memref.subview %y[%i] [8] [1] : memref<32xi32, 77> to memref<8xi32, #slice, 77>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %z = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %z : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%s : memref<8xi32, #slice, 77>)
  }
  return
}
