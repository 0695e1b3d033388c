// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Misspelt attributes of functions, their arguments and results, and of modules.
// RUN: berth-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-arena)'

// expected-error @+2 {{there is no attribute 'berth.unifrm': the nearest one is 'berth.uniform'}}
// expected-error @+1 {{there is no attribute 'berth.sise': the nearest one is 'berth.size'}}
func.func @f(%x: memref<4xf32> {berth.unifrm}) -> (i32 {berth.sise = 1 : i64}) {
  %c = arith.constant 0 : i32
  return %c : i32
}

// -----

// expected-error @+1 {{there is no attribute 'berth.arenasize': the nearest one is 'berth.arena_size'}}
func.func @g() attributes {berth.arenasize = 3 : i64} {
  return
}

// -----

// expected-error @+1 {{there is no attribute 'berth.pinn': the nearest one is 'berth.pin'}}
module attributes {berth.pinn} {
  func.func @h() {
    return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{there is no attribute 'berth.heep': the nearest one is 'berth.heap'}}
  gpu.func @k(%x: memref<4xf32> {berth.heep}) kernel {
    gpu.return
  }
}
