// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function does to a buffer that it is given: @sum reads it behind its
// barrier, which what follows the call has to wait for. @fill writes it behind
// one, so it may have the bytes of what stands in front of the call.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  func.func private @sum(%t: index, %x: !line) -> i32 {
    gpu.barrier
    %a = affine.load %x[(%t + 1) mod 64] : !line
    %b = affine.load %x[(%t + 2) mod 64] : !line
    %s = arith.addi %a, %b : i32
    return %s : i32
  }
  func.func private @fill(%t: index, %v: i32, %x: !line) {
    gpu.barrier
    memref.store %v, %x[%t] : !line
    return
  }
  gpu.func @calls(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    %a = func.call @sum(%t, %x) : (index, !line) -> i32
    %y = memref.alloc() : !line
    memref.store %a, %y[%t] : !line
    gpu.barrier
    %b = affine.load %y[(%t + 3) mod 64] : !line
    %z = memref.alloc() : !line
    func.call @fill(%t, %b, %z) : (index, i32, !line) -> ()
    %c = memref.load %z[%t] : !line
    %w = memref.alloc() : !line
    affine.store %c, %w[(%t + 4) mod 64] : !line
    gpu.barrier
    %r = memref.load %w[%t] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
