// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A kernel whose buffer takes the bytes of its callee's arena behind the call:
// the kernel has 128 bytes in all, where two arenas would have 256.
// RUN: %shared-bytes --forms='auto attribution' %s | FileCheck %s
// CHECK: auto: 128 bytes, aligned to 16
// CHECK: attribution: 128 bytes, aligned to 16

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @reversed(%x: f32) -> f32 {
      %c31 = arith.constant 31 : index
      %a = memref.alloc() : memref<32xf32, #workgroup>
      %thread = gpu.thread_id x
      %other = arith.subi %c31, %thread : index
      memref.store %x, %a[%thread] : memref<32xf32, #workgroup>
      gpu.barrier
      %y = memref.load %a[%other] : memref<32xf32, #workgroup>
      gpu.barrier
      return %y : f32
    }
    gpu.func @kernel(%out: memref<32xf32>) kernel {
      %c31 = arith.constant 31 : index
      %thread = gpu.thread_id x
      %x = memref.load %out[%thread] : memref<32xf32>
      %y = func.call @reversed(%x) : (f32) -> f32
      gpu.barrier
      %b = memref.alloc() : memref<32xf32, #workgroup>
      memref.store %y, %b[%thread] : memref<32xf32, #workgroup>
      gpu.barrier
      %other = arith.subi %c31, %thread : index
      %z = memref.load %b[%other] : memref<32xf32, #workgroup>
      memref.store %z, %out[%thread] : memref<32xf32>
      gpu.return
    }
  }
}
