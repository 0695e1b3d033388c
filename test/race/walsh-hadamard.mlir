// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Walsh-Hadamard transform in butterflies, from one buffer to another and
// back; then neighbours in the spectrum meet in a third.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @transform(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %t = gpu.thread_id x
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %a[%t] : !line
    gpu.barrier
    %spectrum, %spare = scf.for %k = %c0 to %c6 step %c1
        iter_args(%now = %a, %next = %b) -> (!line, !line) {
      %stride = arith.shli %c1, %k : index
      %other = arith.xori %t, %stride : index
      %bit = arith.andi %t, %stride : index
      %isLow = arith.cmpi eq, %bit, %c0 : index
      %mine = memref.load %now[%t] : !line
      %far = memref.load %now[%other] : !line
      %sum = arith.addi %mine, %far : i32
      %difference = arith.subi %far, %mine : i32
      %result = arith.select %isLow, %sum, %difference : i32
      memref.store %result, %next[%t] : !line
      gpu.barrier
      scf.yield %next, %now : !line, !line
    }
    %energy = memref.alloc() : !line
    %x = affine.load %spectrum[63 - %t] : !line
    %square = arith.muli %x, %x : i32
    memref.store %square, %energy[%t] : !line
    gpu.barrier
    %near = affine.load %energy[(%t + 1) mod 64] : !line
    %both = arith.addi %x, %near : i32
    memref.store %both, %out[%t] : !row
    gpu.return
  }
}
