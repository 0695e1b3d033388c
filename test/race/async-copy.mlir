// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two asynchronous copies, the second into the bytes of the first's target: it
// may start only when every thread has read what the first brought.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @copies(%a: !row, %b: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %ca = nvgpu.device_async_copy %a[%t], %x[%t], 1 : !row to !line
    %ga = nvgpu.device_async_create_group %ca
    nvgpu.device_async_wait %ga
    gpu.barrier
    %v = affine.load %x[63 - %t] : !line
    %cb = nvgpu.device_async_copy %b[%t], %y[%t], 1 : !row to !line
    %gb = nvgpu.device_async_create_group %cb
    nvgpu.device_async_wait %gb
    gpu.barrier
    %w = affine.load %y[(%t + 1) mod 64] : !line
    %sum = arith.addf %v, %w : f32
    affine.store %sum, %out[%t] : !row
    gpu.return
  }
}
