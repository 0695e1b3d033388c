// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that calls another one, in a loop of the kernel: @inner's arena
// lies in @outer's, and that in the kernel's, where %z takes its bytes: three
// phases in a ring, a barrier from each to the next. The barrier in the kernel
// stands between any two runs of @outer and of @inner, which need none.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 5 of 5, bytes: 1280 -> 768, barriers inserted: 3
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// CHECK-NEXT: without barrier 3: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @inner(%t: index, %v: i32) -> i32 {
    %c63 = arith.constant 63 : index
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %at = arith.subi %c63, %t : index
    %w = memref.load %x[%at] : !line
    return %w : i32
  }
  func.func private @outer(%t: index, %v: i32) -> i32 {
    %y = memref.alloc() : !line
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %u = affine.load %y[(%t + 1) mod 64] : !line
    %w = func.call @inner(%t, %u) : (index, i32) -> i32
    %s = arith.addi %u, %w : i32
    return %s : i32
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %v = memref.load %in[%t] : !row
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %v) -> i32 {
      %w = func.call @outer(%t, %a) : (index, i32) -> i32
      %z = memref.alloc() : !line
      memref.store %w, %z[%t] : !line
      gpu.barrier
      %u = affine.load %z[(%t + 5) mod 64] : !line
      scf.yield %u : i32
    }
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
