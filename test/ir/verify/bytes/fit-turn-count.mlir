// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns that stand by themselves around a loop run only where it has as many: it begins
// behind two of them here, so that a condition of one is not enough, nor is another
// comparison.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-fit{space=2 backing=default capacity=128 transfers=dma},berth-verify)' -o %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(canonicalize,cse,berth-verify)' -o %t.canonical.mlir
// DEFINE: %{refused} = not %mlir-opt-berth %t.wrong.mlir --pass-pipeline='builtin.module(berth-verify)' -o %t.out 2>&1 | FileCheck %s
// RUN: sed 's/arith.andi \(%[a-z0-9_]*\), %[a-z0-9_]* : i1/arith.andi \1, \1 : i1/' %t.mlir > %t.wrong.mlir
// RUN: %{refused}
// RUN: sed 's/arith.cmpi slt/arith.cmpi ult/' %t.mlir > %t.wrong.mlir
// RUN: %{refused}
// RUN: sed 's/arith.cmpi slt/arith.cmpi sle/' %t.mlir > %t.wrong.mlir
// RUN: %{refused}
// RUN: sed 's/arith.andi/arith.ori/' %t.mlir > %t.wrong.mlir
// RUN: %{refused}
// CHECK: error: may have fewer turns than stand around it

#slice = strided<[1], offset: ?>
func.func @both(%x: memref<48xi32> {llvm.noalias, llvm.readonly}, %y: memref<48xi32> {llvm.noalias}, %from: index, %n: index) {
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<48xi32, 2>
  %b = memref.alloc() : memref<48xi32, 2>
  memref.copy %x, %a : memref<48xi32> to memref<48xi32, 2>
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%seven : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %from to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c48 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<48xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<48xi32> to memref<8xi32, #slice>
    linalg.add ins(%w, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<48xi32>) -> ()
  return
}

func.func private @print(memref<48xi32>)
