// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// The body of a gpu.launch takes a global, which outlining copies to the kernel.
// RUN: %shared-bytes --forms=global --behind=gpu-kernel-outlining %s | FileCheck %s
// CHECK: global: 128 bytes, aligned to 16

#workgroup = #gpu.address_space<workgroup>

func.func @host(%out: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%block, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%thread, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<32xf32, #workgroup>
    %b = memref.alloc() : memref<32xf32, #workgroup>
    %x = memref.load %out[%thread] : memref<32xf32>
    memref.store %x, %a[%thread] : memref<32xf32, #workgroup>
    gpu.barrier
    %y = memref.load %a[%thread] : memref<32xf32, #workgroup>
    memref.store %y, %b[%thread] : memref<32xf32, #workgroup>
    gpu.barrier
    %z = memref.load %b[%thread] : memref<32xf32, #workgroup>
    memref.store %z, %out[%thread] : memref<32xf32>
    gpu.terminator
  }
  return
}
