// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some workgroups leave early, as a whole: control stays uniform behind the
// branch, and barriers may still be inserted there.
// RUN: %race %s --blocks=2 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @early(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %w = affine.load %x[63 - %t] : !line
    %leaves = arith.cmpi eq, %block, %c0 : index
    cf.cond_br %leaves, ^leave, ^stay
  ^stay:
    memref.store %w, %y[%t] : !line
    gpu.barrier
    %u = affine.load %y[(%t + 1) mod 64] : !line
    memref.store %u, %out[%t] : !row
    cf.br ^leave
  ^leave:
    gpu.return
  }
}
