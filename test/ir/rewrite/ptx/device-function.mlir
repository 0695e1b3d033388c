// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A device function takes a global; the kernel that calls it has those bytes.
// RUN: %shared-bytes --forms=global %s | FileCheck %s
// CHECK: global: 128 bytes, aligned to 16

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @reversed(%x: f32) -> f32 {
      %c31 = arith.constant 31 : index
      %a = memref.alloc() : memref<32xf32, #workgroup>
      %b = memref.alloc() : memref<32xf32, #workgroup>
      %thread = gpu.thread_id x
      %other = arith.subi %c31, %thread : index
      memref.store %x, %a[%thread] : memref<32xf32, #workgroup>
      gpu.barrier
      %y = memref.load %a[%other] : memref<32xf32, #workgroup>
      gpu.barrier
      memref.store %y, %b[%thread] : memref<32xf32, #workgroup>
      gpu.barrier
      %z = memref.load %b[%other] : memref<32xf32, #workgroup>
      gpu.barrier
      return %z : f32
    }
    gpu.func @kernel(%out: memref<32xf32>) kernel {
      %thread = gpu.thread_id x
      %x = memref.load %out[%thread] : memref<32xf32>
      %y = func.call @reversed(%x) : (f32) -> f32
      memref.store %y, %out[%thread] : memref<32xf32>
      gpu.return
    }
  }
}
