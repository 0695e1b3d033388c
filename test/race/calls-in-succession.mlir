// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions one after the other: the second may write where the first still
// reads. The third begins with a barrier.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 6 of 6, bytes: 1536 -> 1024, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @f(%t: index, %v: i32) -> i32 {
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %w = affine.load %x[(%t + 1) mod 64] : !line
    return %w : i32
  }
  func.func private @g(%t: index, %v: i32) -> i32 {
    %y = memref.alloc() : !line
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %w = affine.load %y[(%t + 2) mod 64] : !line
    return %w : i32
  }
  func.func private @h(%t: index, %v: i32) -> i32 {
    %z = memref.alloc() : !line
    gpu.barrier
    memref.store %v, %z[%t] : !line
    gpu.barrier
    %w = affine.load %z[(%t + 3) mod 64] : !line
    return %w : i32
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %a = func.call @f(%t, %v) : (index, i32) -> i32
    %b = func.call @g(%t, %a) : (index, i32) -> i32
    %r = func.call @h(%t, %b) : (index, i32) -> i32
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
