// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that is overwritten and used again is placed anew each time.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{split-lives=false}' %S/Inputs/prelude.mlir %s | FileCheck --check-prefix=ONE %s
// RUN: cat %S/Inputs/prelude.mlir %s | %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' -o %t.mlir 2>&1 | FileCheck --check-prefix=REMARK %s

// %x is written over the first thing that %a holds, and the second thing over
// %x. As one buffer %a would have to lie beside %x.
// CHECK-LABEL: two_lives: 64
// ONE-LABEL: two_lives: 96
// The figures are those of the program as it was.
// REMARK: 3 of 3 buffers in an arena of 64 bytes instead of 96
func.func @two_lives() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%y : memref<8xi32>)
  linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  call @show(%y) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Views are made again for each life.
// CHECK-LABEL: through_views: 32
func.func @through_views() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2x4xi32>
  %b = memref.alloc() : memref<8xi32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  %row = memref.subview %a[1, 0] [1, 4] [1, 1] : memref<2x4xi32> to memref<4xi32, strided<[1], offset: 4>>
  linalg.fill ins(%one : i32) outs(%flat : memref<8xi32>)
  memref.store %two, %row[%c1] : memref<4xi32, strided<[1], offset: 4>>
  call @show(%flat) : (memref<8xi32>) -> ()
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%a : memref<2x4xi32>)
  memref.store %one, %row[%c1] : memref<4xi32, strided<[1], offset: 4>>
  call @show(%flat) : (memref<8xi32>) -> ()
  return
}

// A part of it is overwritten, or all of it in one branch: one life.
// CHECK-LABEL: one_life
func.func @one_life(%c: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  memref.store %two, %a[%c3] : memref<8xi32>
  call @show(%a) : (memref<8xi32>) -> ()
  scf.if %c {
    linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  } else {
    linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
  }
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// What is written at the end of a turn is read in the next one, with another
// life in between.
// CHECK-LABEL: over_the_back_edge
func.func @over_the_back_edge() {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @show(%a) : (memref<8xi32>) -> ()
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
    linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
    linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  }
  return
}

// The deallocation is of one of the two allocations; the arena needs neither.
// CHECK-LABEL: freed
func.func @freed() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  call @show(%b) : (memref<8xi32>) -> ()
  linalg.fill ins(%two : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  memref.dealloc %a : memref<8xi32>
  memref.dealloc %b : memref<8xi32>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @two_lives() : () -> ()
  call @through_views() : () -> ()
  call @one_life(%true) : (i1) -> ()
  call @one_life(%false) : (i1) -> ()
  call @over_the_back_edge() : () -> ()
  call @freed() : () -> ()
  return
}
