// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// Content that changes places by transfers, which come as late as can be, and spoil
// their targets until then.
// RUN: %same-output --late=%late --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=96 recompute=0 transfers=dma},berth-arena{capacity=96 poison=true},berth-arena{space=77 poison=true},berth-verify' --pipeline='berth-fit{space=default backing=77 capacity=96 access=1 transfers=dma channels=1},berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=96 recompute=0 transfers=dma},berth-fit{space=77 backing=78 capacity=48 must-fit=false transfers=dma},berth-arena{poison=true},berth-arena{space=77 poison=true}' --differs='berth-fit{space=default backing=77 capacity=96 recompute=0 transfers=dma verify=false test-break-rule=steady-sources},berth-arena{poison=true verify=false}' --differs='berth-fit{space=default backing=77 capacity=96 recompute=0 transfers=dma verify=false test-break-rule=awaited-targets},berth-arena{poison=true verify=false}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=96 recompute=0 transfers=dma})' 2>&1 | FileCheck %s --check-prefix=BESIDE
// BESIDE: 4 moves are transfers, of which 3 go on beside other ops
// BESIDE: 2 moves are transfers, of which 2 go on beside other ops
// BESIDE: 2 moves are transfers, of which 2 go on beside other ops
//
// Each rule is needed: without it the program prints something else, and the check
// of what has moved refuses it.
// DEFINE: %{rule} =
// DEFINE: %{refused} = not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=96 recompute=0 transfers=dma test-break-rule=%{rule}})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: {{touches what a transfer still uses|(moves content from|reads) a place that may not hold}}
// REFUSED: error: content that berth-fit has moved is not where it is used; nothing has been changed
// REDEFINE: %{rule} = steady-sources
// RUN: %{refused}
// REDEFINE: %{rule} = awaited-targets
// RUN: %{refused}

func.func private @fill(%m: memref<8xi32, 77>, %x: i32) {
  %c0 = arith.constant 0 : index
  %base = vector.broadcast %x : i32 to vector<8xi32>
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %v = arith.addi %base, %steps : vector<8xi32>
  vector.store %v, %m[%c0] : memref<8xi32, 77>, vector<8xi32>
  return
}

// Turns around what it is given, twice.
func.func private @both(%b: memref<8xi32>, %c: memref<8xi32>, %d: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.subi %c7, %i : index
    %v = memref.load %b[%j] : memref<8xi32>
    memref.store %v, %c[%i] : memref<8xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %d[%j] : memref<8xi32>
  }
  return
}

// %a is out while the three others are used together. It is changed in between, so
// its place in the memory behind is written twice and read twice.
func.func @changed(%x: memref<8xi32, 77>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  func.call @show(%a) : (memref<8xi32>) -> ()
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @show(%b) : (memref<8xi32>) -> ()
  func.call @both(%b, %c, %d) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%d) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %d : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  func.call @show(%a) : (memref<8xi32>) -> ()
  func.call @both(%d, %b, %c) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%b) : (memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// The same in each turn of a loop, with memory that is given back.
func.func @turns(%x: memref<8xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.alloc() : memref<8xi32>
    %b = memref.alloc() : memref<8xi32>
    %c = memref.alloc() : memref<8xi32>
    %d = memref.alloc() : memref<8xi32>
    linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
    func.call @show(%a) : (memref<8xi32>) -> ()
    linalg.sub ins(%x, %a : memref<8xi32, 77>, memref<8xi32>) outs(%b : memref<8xi32>)
    func.call @show(%b) : (memref<8xi32>) -> ()
    func.call @both(%b, %c, %d) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    func.call @show(%c) : (memref<8xi32>) -> ()
    func.call @show(%d) : (memref<8xi32>) -> ()
    memref.dealloc %b : memref<8xi32>
    memref.dealloc %c : memref<8xi32>
    memref.dealloc %d : memref<8xi32>
    func.call @show(%a) : (memref<8xi32>) -> ()
    memref.dealloc %a : memref<8xi32>
  }
  return
}

// %a and %b are copied in by the program itself.
func.func @brought(%x: memref<8xi32, 77>, %k: i32) {
  %y = memref.alloc() : memref<8xi32, 77>
  func.call @fill(%y, %k) : (memref<8xi32, 77>, i32) -> ()
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  memref.copy %y, %a : memref<8xi32, 77> to memref<8xi32>
  memref.copy %y, %b : memref<8xi32, 77> to memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%c : memref<8xi32>)
  func.call @show(%c) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @both(%c, %d, %b) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%b) : (memref<8xi32>) -> ()
  func.call @show(%d) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  memref.dealloc %y : memref<8xi32, 77>
  return
}

func.func @main() {
  %x = memref.alloc() : memref<8xi32, 77>
  %k = arith.constant 5 : i32
  func.call @fill(%x, %k) : (memref<8xi32, 77>, i32) -> ()
  func.call @changed(%x) : (memref<8xi32, 77>) -> ()
  func.call @turns(%x) : (memref<8xi32, 77>) -> ()
  %n = arith.constant 9 : i32
  func.call @brought(%x, %n) : (memref<8xi32, 77>, i32) -> ()
  memref.dealloc %x : memref<8xi32, 77>
  return
}
