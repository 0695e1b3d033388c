// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function begins with a barrier: what the kernel does before the call is
// apart from it. What comes behind is not.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @f(%t: index, %v: i32) -> i32 {
    %x = memref.alloc() : !line
    gpu.barrier
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %w = affine.load %x[(%t + 63) mod 64] : !line
    return %w : i32
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %y = memref.alloc() : !line
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %a = affine.load %y[(%t + 1) mod 64] : !line
    %b = func.call @f(%t, %a) : (index, i32) -> i32
    %z = memref.alloc() : !line
    memref.store %b, %z[%t] : !line
    gpu.barrier
    %r = affine.load %z[(%t + 5) mod 64] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
