// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Content that is computed again from a copy of memory behind, which is kept for that,
// or copied once more.
// RUN: %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=100},berth-arena{capacity=100 poison=true},berth-verify' --pipeline='berth-fit{space=default backing=77 capacity=96},berth-arena{capacity=96 poison=true},berth-verify' --pipeline='berth-fit{space=default backing=77 capacity=96 access=1 fill=9 spill=9},berth-arena{capacity=96 poison=true},berth-arena{space=77 poison=true}' %S/Inputs/prelude.mlir %s
// RUN: %same-output --forget-space=77 --late=%late --pipeline='berth-fit{space=default backing=77 capacity=100 transfers=dma},berth-arena{capacity=100 poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=96 transfers=dma},berth-arena{capacity=96 poison=true}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=100})' | FileCheck %s --check-prefix=AGAIN
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=96})' | FileCheck %s --check-prefix=AGAIN
// AGAIN-LABEL: func.func @copied
// AGAIN: berth.recompute
// AGAIN-LABEL: func.func @changed
// AGAIN-NOT: berth.recompute
//
// What the copy was made of has to be as it was.
// RUN: not %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=96 verify=false test-break-rule=sources-stay},berth-arena{poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: the output differs
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir && not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=96 test-break-rule=sources-stay})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: {{moves content from|reads}} a place that may not hold

#all = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
#back = {indexing_maps = [affine_map<(i) -> (7 - i)>, #all], iterator_types = ["parallel"]}

// %n, a copy of %x, is used for the last time where %a is made, and %a comes back behind %b,
// %c and %d.
func.func @copied(%k0: i32) {
  %x = memref.alloc() : memref<i32, 77>
  memref.store %k0, %x[] : memref<i32, 77>
  %n = memref.alloc() : memref<i32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  memref.copy %x, %n : memref<i32, 77> to memref<i32>
  linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel"]} ins(%n : memref<i32>) outs(%a : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %in, %k : i32
    linalg.yield %s : i32
  }
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.generic #back ins(%b : memref<8xi32>) outs(%c : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  linalg.generic #back ins(%c : memref<8xi32>) outs(%d : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.muli %in, %in : i32
    linalg.yield %s : i32
  }
  linalg.add ins(%b, %d : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @show(%c) : (memref<8xi32>) -> ()
  memref.dealloc %x : memref<i32, 77>
  return
}

// The same, but %x is another one then.
func.func @changed(%k0: i32) {
  %x = memref.alloc() : memref<i32, 77>
  memref.store %k0, %x[] : memref<i32, 77>
  %more = arith.constant 100 : i32
  %n = memref.alloc() : memref<i32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  memref.copy %x, %n : memref<i32, 77> to memref<i32>
  linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel"]} ins(%n : memref<i32>) outs(%a : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %in, %k : i32
    linalg.yield %s : i32
  }
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.generic #back ins(%b : memref<8xi32>) outs(%c : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  linalg.generic #back ins(%c : memref<8xi32>) outs(%d : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.muli %in, %in : i32
    linalg.yield %s : i32
  }
  linalg.add ins(%b, %d : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  memref.store %more, %x[] : memref<i32, 77>
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @show(%c) : (memref<8xi32>) -> ()
  memref.dealloc %x : memref<i32, 77>
  return
}

func.func @main() {
  %k = arith.constant 5 : i32
  func.call @copied(%k) : (i32) -> ()
  func.call @changed(%k) : (i32) -> ()
  return
}
