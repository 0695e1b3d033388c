// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// What the first turn of a loop reads comes beside what stands in front of the loop, unless
// that has to do with it. Transfers come as late as can be.
// DEFINE: %{fit} = berth-fit{space=2 backing=default capacity=256 transfers=dma
// DEFINE: %{arenas} = berth-arena{space=2 poison=true},berth-arena{poison=true}
// RUN: %same-output --late=%late --forget-space=2 --pipeline='%{fit}},berth-verify,%{arenas},berth-verify' --pipeline='%{fit}},canonicalize,cse,berth-verify,%{arenas}' --pipeline='%{fit} channels=1},%{arenas}' --pipeline='berth-fit{space=2 backing=default capacity=128 transfers=dma},%{arenas}' %S/Inputs/prelude.mlir %s
// RUN: %same-output --late=%late --forget-space=2 --target=%S/Inputs/two-memories-moves.json --pipeline='berth-fit,berth-verify,berth-arena{poison=true},berth-verify' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(%{fit}})' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t.out
//
// The rule is needed: without it the program prints something else, and the check refuses it.
// REDEFINE: %{fit} = berth-fit{space=2 backing=default capacity=192 transfers=dma
// RUN: not %same-output --late=%late --forget-space=2 --pipeline='%{fit} verify=false test-break-rule=first-fills},berth-arena{space=2 poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(%{fit} test-break-rule=first-fills})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// DIFFERS: the output differs
// REFUSED: error: touches a slice that a tile holds

#slice = strided<[1], offset: ?>

func.func private @print(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %m[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// Beside the work on %s.
// CHECK: 1 moves for the first turns of loops go on beside what stands in front of them
// IR-LABEL: func.func @beside
// IR: memref.dma_start {{.*}} : memref<8xi32, strided<[1], offset: ?>>, memref<8xi32, strided<[1], offset: ?>, 2>
// IR: linalg.mul
// IR: memref.dma_wait
func.func @beside(%y: memref<64xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3 : i32
  %a = memref.alloc() : memref<64xi32, 2>
  %s = memref.alloc() : memref<16xi32, 2>
  %t = memref.alloc() : memref<16xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  linalg.fill ins(%three : i32) outs(%s : memref<16xi32, 2>)
  linalg.mul ins(%s, %s : memref<16xi32, 2>, memref<16xi32, 2>) outs(%t : memref<16xi32, 2>)
  %p = memref.subview %t[4] [8] [1] : memref<16xi32, 2> to memref<8xi32, strided<[1], offset: 4>, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %p : memref<8xi32, #slice, 2>, memref<8xi32, strided<[1], offset: 4>, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

// Not beside what writes that slice.
func.func @behind(%y: memref<64xi32> {llvm.noalias}, %from: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %from to %c16 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.sub ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%v : memref<8xi32, #slice, 2>)
    %seven = arith.constant 7 : i32
    memref.store %seven, %v[%c0] : memref<8xi32, #slice, 2>
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %y = memref.alloc() : memref<64xi32>
  func.call @beside(%y) : (memref<64xi32>) -> ()
  func.call @behind(%y, %c0) : (memref<64xi32>, index) -> ()
  func.call @behind(%y, %c8) : (memref<64xi32>, index) -> ()
  memref.dealloc %y : memref<64xi32>
  return
}
