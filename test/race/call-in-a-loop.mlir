// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function called in a loop without a barrier meets its own last run: it gets
// a barrier. Called once, or with a barrier in between, it needs none.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 6 of 6, bytes: 1536 -> 1024, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @again(%t: index, %v: i32) -> i32 {
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %w = affine.load %x[(%t + 1) mod 64] : !line
    return %w : i32
  }
  func.func private @once(%t: index, %v: i32) -> i32 {
    %y = memref.alloc() : !line
    gpu.barrier
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %w = affine.load %y[(%t + 2) mod 64] : !line
    return %w : i32
  }
  func.func private @apart(%t: index, %v: i32) -> i32 {
    %z = memref.alloc() : !line
    memref.store %v, %z[%t] : !line
    gpu.barrier
    %w = affine.load %z[(%t + 3) mod 64] : !line
    return %w : i32
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %v) -> i32 {
      %a = func.call @again(%t, %u) : (index, i32) -> i32
      scf.yield %a : i32
    }
    gpu.barrier
    %p = func.call @once(%t, %r) : (index, i32) -> i32
    gpu.barrier
    %q = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %p) -> i32 {
      %a = func.call @apart(%t, %u) : (index, i32) -> i32
      gpu.barrier
      scf.yield %a : i32
    }
    memref.store %q, %out[%t] : !row
    gpu.return
  }
}
