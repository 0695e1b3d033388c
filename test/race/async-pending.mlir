// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both copies are under way at once: the buffers must not share, though the
// first is read before the second is waited for.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!line = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @copies(%a: !row, %b: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %ca = nvgpu.device_async_copy %a[%t], %x[%t], 1 : !row to !line
    %ga = nvgpu.device_async_create_group %ca
    %cb = nvgpu.device_async_copy %b[%t], %y[%t], 1 : !row to !line
    %gb = nvgpu.device_async_create_group %cb
    nvgpu.device_async_wait %ga {numGroups = 1 : i32}
    gpu.barrier
    %v = affine.load %x[63 - %t] : !line
    nvgpu.device_async_wait %gb
    gpu.barrier
    %w = affine.load %y[(%t + 1) mod 64] : !line
    %sum = arith.addf %v, %w : f32
    affine.store %sum, %out[%t] : !row
    gpu.return
  }
}
