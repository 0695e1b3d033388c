// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-verify{kernels=other,choose})' -o /dev/null
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-verify{kernels=choose,chose})' 2>&1 | FileCheck %s --check-prefix=NAME
// A function that another flow launches: all threads come with the same
// arguments, and it is not called again.

// CHECK: error: touches bytes of the arena that other threads, which may have taken another way, use through another buffer at the same time
// NAME: error: kernels: the module has no function 'chose'
func.func private @other()

#wg = #gpu.address_space<workgroup>
func.func @choose(%arena: memref<512xi8, #wg>, %t: index, %f: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
  gpu.barrier
  scf.if %p {
    memref.store %f, %x[%t] : memref<64xf32, #wg>
  } else {
    memref.store %f, %y[%t] : memref<64xf32, #wg>
  }
  gpu.barrier
  return
}
