// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(berth-verify))' -o /dev/null
// A run nested under functions looks into no other: one with a body may keep
// what it is given. What is only declared is taken not to.

func.func @seen(%m: memref<8xf32>) {
  return
}
func.func private @declared(memref<8xf32>)
func.func @caller(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  call @declared(%a) : (memref<8xf32>) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  call @seen(%a) : (memref<8xf32>) -> () // expected-note {{here: this run does not look into other functions, so that a call may do anything; run the pass on the module}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>) // expected-error {{which has got away}}
  return
}
