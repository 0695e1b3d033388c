// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a loop each function follows the other one, in the same bytes: a barrier on
// either side. A run of one of them does not meet its last run, for the other's
// barrier stands in between.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 768, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
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
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %v) -> i32 {
      %a = func.call @f(%t, %u) : (index, i32) -> i32
      %b = func.call @g(%t, %a) : (index, i32) -> i32
      scf.yield %b : i32
    }
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
