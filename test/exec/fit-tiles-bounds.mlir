// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As in fit-tiles-transfers.mlir.
// REQUIRES: llvm-22
// Slices come a turn ahead in loops that begin below 0 or above it, and stay where
// they are known behind passes that write the numbers of turns otherwise.
// DEFINE: %{fit} = berth-fit{space=2 backing=default capacity=64 transfers=dma}
// DEFINE: %{arenas} = berth-arena{space=2 poison=true},berth-arena{poison=true}
// RUN: %same-output --late=%late --forget-space=2 --pipeline='%{fit},%{arenas}' --pipeline='%{fit},canonicalize,berth-verify,%{arenas},berth-verify' --pipeline='%{fit},canonicalize,cse,berth-verify,%{arenas}' --pipeline='%{fit},berth-arena{poison=true},berth-arena{space=2 poison=true}' %S/Inputs/prelude.mlir %s
// Where only the tags have places, nobody can tell any more what the transfers end.
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter='.*' --pass-pipeline='builtin.module(%{fit},berth-arena,berth-verify)' 2>&1 | FileCheck %s
// CHECK-COUNT-5: 2 slots of 16 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
// CHECK-NOT: nothing surely waits

#slice = strided<[1], offset: ?>

func.func @f0(%x: memref<32xi32> {llvm.noalias, llvm.readonly}, %y: memref<32xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %lower = arith.constant -16 : index
  %upper = arith.constant 12 : index
  %step = arith.constant 5 : index
  %back = arith.constant 16 : index
  %a = memref.alloc() : memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %u = memref.subview %x[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    memref.copy %u, %v : memref<8xi32, #slice> to memref<8xi32, #slice, 2>
  }
  scf.for %i = %lower to %upper step %step {
    %j = arith.addi %i, %back : index
    %v = memref.subview %a[%j] [4] [1] : memref<32xi32, 2> to memref<4xi32, #slice, 2>
    %w = memref.subview %y[%j] [4] [1] : memref<32xi32> to memref<4xi32, #slice>
    linalg.add ins(%v, %v : memref<4xi32, #slice, 2>, memref<4xi32, #slice, 2>) outs(%w : memref<4xi32, #slice>)
  }
  return
}

func.func @f1(%x: memref<32xi32> {llvm.noalias, llvm.readonly}, %y: memref<32xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %lower = arith.constant 4 : index
  %upper = arith.constant 32 : index
  %step = arith.constant 4 : index
  %back = arith.constant -4 : index
  %a = memref.alloc() : memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %u = memref.subview %x[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    memref.copy %u, %v : memref<8xi32, #slice> to memref<8xi32, #slice, 2>
  }
  scf.for %i = %lower to %upper step %step {
    %j = arith.addi %i, %back : index
    %v = memref.subview %a[%j] [4] [1] : memref<32xi32, 2> to memref<4xi32, #slice, 2>
    %w = memref.subview %y[%j] [4] [1] : memref<32xi32> to memref<4xi32, #slice>
    linalg.add ins(%v, %v : memref<4xi32, #slice, 2>, memref<4xi32, #slice, 2>) outs(%w : memref<4xi32, #slice>)
  }
  return
}

func.func @f2(%x: memref<32xi32> {llvm.noalias, llvm.readonly}, %y: memref<32xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %lower = arith.constant -8 : index
  %upper = arith.constant 16 : index
  %step = arith.constant 4 : index
  %back = arith.constant 8 : index
  %a = memref.alloc() : memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %u = memref.subview %x[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    memref.copy %u, %v : memref<8xi32, #slice> to memref<8xi32, #slice, 2>
  }
  scf.for %i = %lower to %upper step %step {
    %j = arith.addi %i, %back : index
    %v = memref.subview %a[%j] [4] [1] : memref<32xi32, 2> to memref<4xi32, #slice, 2>
    %w = memref.subview %y[%j] [4] [1] : memref<32xi32> to memref<4xi32, #slice>
    linalg.add ins(%v, %v : memref<4xi32, #slice, 2>, memref<4xi32, #slice, 2>) outs(%w : memref<4xi32, #slice>)
  }
  return
}

func.func @f3(%x: memref<32xi32> {llvm.noalias, llvm.readonly}, %y: memref<32xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %lower = arith.constant -20 : index
  %upper = arith.constant 0 : index
  %step = arith.constant 10 : index
  %back = arith.constant 20 : index
  %a = memref.alloc() : memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %u = memref.subview %x[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    memref.copy %u, %v : memref<8xi32, #slice> to memref<8xi32, #slice, 2>
  }
  scf.for %i = %lower to %upper step %step {
    %j = arith.addi %i, %back : index
    %v = memref.subview %a[%j] [4] [1] : memref<32xi32, 2> to memref<4xi32, #slice, 2>
    %w = memref.subview %y[%j] [4] [1] : memref<32xi32> to memref<4xi32, #slice>
    linalg.add ins(%v, %v : memref<4xi32, #slice, 2>, memref<4xi32, #slice, 2>) outs(%w : memref<4xi32, #slice>)
  }
  return
}

func.func @f4(%x: memref<32xi32> {llvm.noalias, llvm.readonly}, %y: memref<32xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %lower = arith.constant 3 : index
  %upper = arith.constant 28 : index
  %step = arith.constant 5 : index
  %back = arith.constant -3 : index
  %a = memref.alloc() : memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %u = memref.subview %x[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    memref.copy %u, %v : memref<8xi32, #slice> to memref<8xi32, #slice, 2>
  }
  scf.for %i = %lower to %upper step %step {
    %j = arith.addi %i, %back : index
    %v = memref.subview %a[%j] [4] [1] : memref<32xi32, 2> to memref<4xi32, #slice, 2>
    %w = memref.subview %y[%j] [4] [1] : memref<32xi32> to memref<4xi32, #slice>
    linalg.add ins(%v, %v : memref<4xi32, #slice, 2>, memref<4xi32, #slice, 2>) outs(%w : memref<4xi32, #slice>)
  }
  return
}

func.func private @print(%m: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %m[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c7 = arith.constant 7 : i32
  %x = memref.alloc() : memref<32xi32>
  %y = memref.alloc() : memref<32xi32>
  scf.for %i = %c0 to %c32 step %c1 {
    %k = arith.index_cast %i : index to i32
    %v = arith.muli %k, %c7 : i32
    memref.store %v, %x[%i] : memref<32xi32>
    memref.store %k, %y[%i] : memref<32xi32>
  }
  call @f0(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
  call @print(%y) : (memref<32xi32>) -> ()
  call @f1(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
  call @print(%y) : (memref<32xi32>) -> ()
  call @f2(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
  call @print(%y) : (memref<32xi32>) -> ()
  call @f3(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
  call @print(%y) : (memref<32xi32>) -> ()
  call @f4(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
  call @print(%y) : (memref<32xi32>) -> ()
  return
}
