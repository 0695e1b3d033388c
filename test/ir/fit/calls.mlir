// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=32 access=1})' --split-input-file --verify-diagnostics
// What calls are given may be elsewhere where all that the callee does with it may; if
// not, it is told which op does not.

func.func private @handed(%m: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xi32>
  linalg.add ins(%m, %m : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %y = %b) -> (memref<8xi32>, memref<8xi32>) {
    linalg.add ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32>)
    scf.yield %y, %x : memref<8xi32>, memref<8xi32>
  }
  return
}
func.func @f(%x: memref<8xi32, 77>, %n: index) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  // expected-error@+2 {{what this op uses has to be in default together with what stays there: 64 bytes, the capacity is 32}}
  // expected-note@+1 {{with 32 bytes (an op needs it in the memory that it is in (scf.for at line 11)), %alloc_0 with 32 bytes (an op needs it in the memory that it is in (scf.for at line 11))}}
  func.call @two(%a, %b, %n) : (memref<8xi32>, memref<8xi32>, index) -> ()
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%x : memref<8xi32, 77>)
  return
}
func.func private @two(%a: memref<8xi32>, %b: memref<8xi32>, %n: index) {
  func.call @handed(%a, %n) : (memref<8xi32>, index) -> ()
  func.call @handed(%b, %n) : (memref<8xi32>, index) -> ()
  return
}
