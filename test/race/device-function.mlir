// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device function called twice: within it the two phases share, and the
// kernel's buffer takes the bytes of its arena between the calls. It ends with a
// barrier, so only the second call needs one in front.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @turn(%t: index, %v: i32) -> i32 {
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %c63 = arith.constant 63 : index
    %at = arith.subi %c63, %t : index
    %w = memref.load %x[%at] : !line
    gpu.barrier
    memref.store %w, %y[%at] : !line
    gpu.barrier
    %u = memref.load %y[%t] : !line
    gpu.barrier
    return %u : i32
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %w = func.call @turn(%t, %v) : (index, i32) -> i32
    %z = memref.alloc() : !line
    memref.store %w, %z[%t] : !line
    gpu.barrier
    %u = affine.load %z[(%t + 1) mod 64] : !line
    %r = func.call @turn(%t, %u) : (index, i32) -> i32
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
