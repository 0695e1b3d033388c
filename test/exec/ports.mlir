// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that an engine gets at through ports of their own begin in different banks.
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %same-output --target=%S/Inputs/ports.json --pipeline='berth-arena{banks=shift}' --pipeline='berth-arena{banks=shift poison=true}' --differs='berth-arena{banks=shift verify=false test-break-rule=shift-over}' %t.mlir | FileCheck %s
// RUN: not %berth-opt --berth-target=%S/Inputs/ports.json %t.mlir --pass-pipeline='builtin.module(berth-arena{banks=shift test-break-rule=shift-over})' -o %t.out 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: %berth-opt --berth-target=%S/Inputs/ports.json --remarks-filter=berth-arena %t.mlir --pass-pipeline='builtin.module(berth-arena{banks=shift})' -o %t.out 2>&1 | FileCheck %s --check-prefix=WHY
// BROKEN: error: {{reads|overwrites|touches}}

// CHECK: main: 112
func.func @main() {
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<8xi32>
  %z = memref.alloc() : memref<8xi32>
  call @count(%x, %one) : (memref<8xi32>, i32) -> ()
  call @count(%y, %ten) : (memref<8xi32>, i32) -> ()
  // WHY: passes over the banks in a step of its ports: 1, before: 2
  linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%z : memref<8xi32>)
  call @show(%z) : (memref<8xi32>) -> ()
  %w = memref.alloc() : memref<8xi32>
  linalg.mul ins(%y, %z : memref<8xi32>, memref<8xi32>) outs(%w : memref<8xi32>)
  call @show(%x) : (memref<8xi32>) -> ()
  call @show(%w) : (memref<8xi32>) -> ()
  return
}
