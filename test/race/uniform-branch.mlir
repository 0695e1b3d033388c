// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch on the number of the workgroup: its sides are alternatives, share,
// and need no barrier against each other. Behind it one is needed.
// RUN: %race %s --blocks=2 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!out = memref<2x64xi32>

gpu.module @kernels {
  gpu.func @alternatives(%in: !row, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %first = arith.cmpi eq, %block, %c0 : index
    %w = scf.if %first -> i32 {
      memref.store %v, %x[%t] : !line
      gpu.barrier
      %other = affine.load %x[63 - %t] : !line
      scf.yield %other : i32
    } else {
      affine.store %v, %y[63 - %t] : !line
      gpu.barrier
      %other = affine.load %y[(%t + 5) mod 64] : !line
      scf.yield %other : i32
    }
    memref.store %w, %z[%t] : !line
    gpu.barrier
    %last = affine.load %z[(%t + 1) mod 64] : !line
    memref.store %last, %out[%block, %t] : !out
    gpu.return
  }
}
