// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that counts its turns itself: the threads agree on the count, so the
// barrier at its end separates its buffer from the next one. The same as blocks.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 0
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
