// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop with a barrier where it decides whether to go on, and none behind its
// reads: the buffer after it needs a barrier of its own.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @head(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %end, %w = scf.while (%i = %c0, %now = %v) : (index, i32) -> (index, i32) {
      gpu.barrier
      memref.store %now, %x[%t] : !line
      gpu.barrier
      %other = affine.load %x[63 - %t] : !line
      %next = arith.addi %now, %other : i32
      %more = arith.cmpi ult, %i, %c5 : index
      scf.condition(%more) %i, %next : index, i32
    } do {
    ^bb0(%i: index, %now: i32):
      %j = arith.addi %i, %c1 : index
      scf.yield %j, %now : index, i32
    }
    memref.store %w, %y[%t] : !line
    gpu.barrier
    %u = affine.load %y[(%t + 9) mod 64] : !line
    memref.store %u, %out[%t] : !row
    gpu.return
  }
}
