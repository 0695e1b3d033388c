// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers whose places users bind still hold what they held.
// REQUIRES: mlir
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline='berth-arena{reserved=0-16}' %S/Inputs/prelude.mlir %s | FileCheck %s --check-prefix=RESERVED

// %b dies where %c is written, but may not share; %d lies where %a does.
// CHECK-LABEL: bound: 128
// RESERVED-LABEL: bound: 128
func.func @bound() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() {berth.group = 1} : memref<8xi32>
  %b = memref.alloc() {berth.no_reuse} : memref<8xi32>
  %c = memref.alloc() {berth.pin = 96} : memref<8xi32>
  %d = memref.alloc() {berth.group = 1} : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @show(%a) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.add ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%d : memref<8xi32>)
  linalg.add ins(%c, %d : memref<8xi32>, memref<8xi32>) outs(%d : memref<8xi32>)
  call @show(%c) : (memref<8xi32>) -> ()
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @bound() : () -> ()
  return
}
