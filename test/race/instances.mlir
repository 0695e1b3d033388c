// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer made anew in each turn of a loop without a barrier at its end: a fast
// thread fills the next one while slow threads still read the last. In one arena
// both lie in the same bytes, so Berth ends the turn with a barrier.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 1 of 1, bytes: 256 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!rows = memref<4x64xi32>

gpu.module @kernels {
  gpu.func @instances(%in: !rows, %out: !rows) kernel {
    %t = gpu.thread_id x
    affine.for %i = 0 to 4 {
      %x = memref.alloc() : !line
      %v = affine.load %in[%i, %t] : !rows
      affine.store %v, %x[%t] : !line
      gpu.barrier
      %w = affine.load %x[63 - %t] : !line
      affine.store %w, %out[%i, %t] : !rows
    }
    gpu.return
  }
}
