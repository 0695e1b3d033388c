// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that counts its turns itself: Berth does not see that the threads agree
// on the count, so it relies on no barrier in it and keeps its buffer apart.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 1 of 2, bytes: 256 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @count(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %end, %w = scf.while (%i = %c0, %now = %v) : (index, i32) -> (index, i32) {
      %more = arith.cmpi ult, %i, %c5 : index
      scf.condition(%more) %i, %now : index, i32
    } do {
    ^bb0(%i: index, %now: i32):
      %x = memref.alloc() : !line
      memref.store %now, %x[%t] : !line
      gpu.barrier
      %other = affine.load %x[63 - %t] : !line
      %next = arith.addi %now, %other : i32
      %j = arith.addi %i, %c1 : index
      gpu.barrier
      scf.yield %j, %next : index, i32
    }
    %y = memref.alloc() : !line
    memref.store %w, %y[%t] : !line
    gpu.barrier
    %u = affine.load %y[(%t + 9) mod 64] : !line
    memref.store %u, %out[%t] : !row
    gpu.return
  }
}
