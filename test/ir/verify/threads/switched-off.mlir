// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-verify{threads=false})'
// For one thread, or several that keep one order, no barrier is needed. What
// berth-arena has planned for such, it does not hold against threads.
// RUN: %mlir-opt-berth %S/Inputs/two-tiles.mlir --pass-pipeline='builtin.module(berth-arena{barriers=none})' -o %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-verify{threads=false})' -o /dev/null
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-verify)' -o /dev/null

// CHECK: error: touches bytes of the arena that other threads may still use
#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @k() workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%c0] : memref<64xf32, #wg>
    memref.store %f, %y[%c0] : memref<64xf32, #wg>
    gpu.return
  }
}
