// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Content that is computed again from what lives longer for that.
// RUN: %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=72},berth-arena{capacity=72 poison=true},berth-verify' --pipeline='berth-fit{space=default backing=77 capacity=64 access=1 fill=9 spill=9},berth-arena{capacity=64 poison=true},berth-arena{space=77 poison=true}' --differs='berth-fit{space=default backing=77 capacity=72 test-break-rule=free-operands verify=false},berth-arena{poison=true verify=false}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=72})' | FileCheck %s --check-prefix=AGAIN
// AGAIN-COUNT-1: berth.recompute
//
// The bytes that it lives in are needed.
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir && not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=72 test-break-rule=free-operands})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: may compute something else than the content was

#all = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>

func.func private @turn(%b: memref<8xi32>, %c: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.subi %c7, %i : index
    %v = memref.load %b[%j] : memref<8xi32>
    memref.store %v, %c[%i] : memref<8xi32>
  }
  return
}

// %n is used for the last time where %a is made, and %a comes back behind %b and %c.
func.func @longer(%x: memref<i32, 77>) {
  %n = memref.alloc() : memref<i32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<i32, 77>, memref<i32, 77>) outs(%n : memref<i32>)
  linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel"]} ins(%n : memref<i32>) outs(%a : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %in, %k : i32
    linalg.yield %s : i32
  }
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  func.call @turn(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%b) : (memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @show(%c) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %k = arith.constant 5 : i32
  %x = memref.alloc() : memref<i32, 77>
  memref.store %k, %x[] : memref<i32, 77>
  func.call @longer(%x) : (memref<i32, 77>) -> ()
  memref.dealloc %x : memref<i32, 77>
  return
}
