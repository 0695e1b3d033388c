// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// Slices that come and go by transfers, which come as late as can be: those that are
// only read a turn ahead, into one of two tiles, where both fit. Of rows with gaps a
// start tells the distance.
// DEFINE: %{fit} = berth-fit{space=2 backing=default capacity=192 transfers=dma
// DEFINE: %{arenas} = berth-arena{space=2 poison=true},berth-arena{poison=true}
// RUN: %same-output --late=%late --forget-space=2 --pipeline='%{fit}}' --pipeline='%{fit}},berth-verify,%{arenas},berth-verify' --pipeline='%{fit} double-buffer=false},%{arenas}' --pipeline='%{fit} channels=1},%{arenas}' --pipeline='%{fit}},berth-arena{poison=true},berth-arena{space=2 poison=true}' --pipeline='%{fit}},canonicalize,cse,%{arenas}' %S/Inputs/prelude.mlir %s
//
// Each rule is needed: without it the program prints something else, and the check
// refuses it.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --late=%late --forget-space=2 --pipeline='%{fit} verify=false test-break-rule=%{rule}},berth-arena{space=2 poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DEFINE: %{refused} = cat %S/Inputs/prelude.mlir %s > %t.mlir && not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(%{fit} test-break-rule=%{rule}})' 2>&1 | FileCheck %s
// DIFFERS: the output differs
// REDEFINE: %{rule} = awaited-targets
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=TOUCHES
// TOUCHES: error: touches a tile that a transfer still uses
// REDEFINE: %{rule} = steady-sources
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=WRITES
// WRITES: error: {{touches a (tile that a transfer still uses|slice that a tile holds)|uses a tile that may not hold its slice}}
// REDEFINE: %{fit} = berth-fit{space=2 backing=default capacity=224 transfers=dma
// REDEFINE: %{rule} = sources-stay
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=AHEAD
// AHEAD: error: touches a slice that a tile holds
//
// REDEFINE: %{fit} = berth-fit{space=2 backing=default capacity=192 transfers=dma
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(%{fit}})' 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit{space=2 backing=default capacity=160 transfers=dma})' 2>&1 | FileCheck %s
// RUN: %same-output --late=%late --forget-space=2 --pipeline='berth-fit{space=2 backing=default capacity=160 transfers=dma},%{arenas}' %S/Inputs/prelude.mlir %s
// What it says that it moves is what is moved when it runs.
// RUN: %python -B %S/Inputs/count_moves.py mlir-opt %berth_plugin %mlir_lib '%{fit}}' %t.mlir --late=%late --spaces=2,default | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}[[#]] figures, {{[1-9]}}[[#]] bytes, {{[1-9]}}[[#]] in slices

#slice = strided<[1], offset: ?>
#tile = strided<[8, 1], offset: ?>
#column = strided<[8], offset: ?>

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

// What an argument holds, and what was made before, are read a turn ahead; the sum
// goes out in its turn.
// CHECK: fitted into 160 bytes of 2
// CHECK-COUNT-2: 2 slots of 32 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
func.func @stream(%x: memref<32xi32> {llvm.noalias, llvm.readonly}, %y: memref<32xi32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32, 2>
  %b = memref.alloc() : memref<32xi32, 2>
  %c = memref.alloc() : memref<32xi32, 2>
  memref.copy %x, %a : memref<32xi32> to memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %z = memref.subview %c[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%z : memref<8xi32, #slice, 2>)
  }
  // From another turn on; canonicalize writes remainders of that out.
  scf.for %i = %c8 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %z = memref.subview %c[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.sub ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%z : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %z = memref.subview %c[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.mul ins(%z, %z : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<32xi32>) -> ()
  return
}

// A turn changes what the next one reads: each slice is brought in in its turn.
// CHECK: gets no slots: with them what is live would not fit the capacity
func.func @chain(%y: memref<32xi32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32, 2>
  %b = memref.alloc() : memref<32xi32, 2>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
    linalg.fill ins(%k : i32) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%v : memref<8xi32, #slice, 2>)
    %k = arith.muli %i, %c3 : index
    %j = arith.remui %k, %c32 : index
    %u = memref.subview %a[%j] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%u, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
  }
  // As many turns as are asked for, none of them too.
  scf.for %i = %c0 to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    linalg.add ins(%v, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%w : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%w, %w : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<32xi32>) -> ()
  return
}

// A product in tiles of 4 x 4 of rows of 8: those of one factor come ahead, for which
// alone there is room.
// PRODUCT: 2 slots of 64 bytes for the turns of scf.for at line
func.func @product(%y: memref<8x8xi32> {llvm.noalias}, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8x8xi32, 2>
  %b = memref.alloc() : memref<8x8xi32, 2>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %u = arith.addi %k, %x : i32
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xi32, 2> to memref<8xi32, #slice, 2>
    %w = memref.subview %b[0, %i] [8, 1] [1, 1] : memref<8x8xi32, 2> to memref<8xi32, #column, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
    linalg.fill ins(%u : i32) outs(%w : memref<8xi32, #column, 2>)
  }
  linalg.fill ins(%zero : i32) outs(%y : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c4 {
    scf.for %j = %c0 to %c8 step %c4 {
      %z = memref.subview %y[%i, %j] [4, 4] [1, 1] : memref<8x8xi32> to memref<4x4xi32, #tile>
      scf.for %k = %c0 to %c8 step %c4 {
        %v = memref.subview %a[%i, %k] [4, 4] [1, 1] : memref<8x8xi32, 2> to memref<4x4xi32, #tile, 2>
        %w = memref.subview %b[%k, %j] [4, 4] [1, 1] : memref<8x8xi32, 2> to memref<4x4xi32, #tile, 2>
        linalg.matmul ins(%v, %w : memref<4x4xi32, #tile, 2>, memref<4x4xi32, #tile, 2>) outs(%z : memref<4x4xi32, #tile>)
      }
    }
  }
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<8x8xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c7 = arith.constant 7 : i32
  %x = memref.alloc() : memref<32xi32>
  %y = memref.alloc() : memref<32xi32>
  %z = memref.alloc() : memref<8x8xi32>
  scf.for %i = %c0 to %c32 step %c1 {
    %k = arith.index_cast %i : index to i32
    %v = arith.muli %k, %c7 : i32
    memref.store %v, %x[%i] : memref<32xi32>
  }
  call @stream(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
  call @chain(%y, %c0) : (memref<32xi32>, index) -> ()
  call @chain(%y, %c16) : (memref<32xi32>, index) -> ()
  call @product(%z, %c7) : (memref<8x8xi32>, i32) -> ()
  return
}
