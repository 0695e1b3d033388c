// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A carried flag decides which of two buffers a turn works in. All threads carry
// the same: the barriers in the branches count, and one between two turns
// keeps it apart from the next.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @turns(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %true = arith.constant true
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %last, %w = scf.for %i = %c0 to %c5 step %c1
        iter_args(%isEven = %true, %now = %v) -> (i1, i32) {
      %next = scf.if %isEven -> (i32) {
        %x = memref.alloc() : !line
        memref.store %now, %x[%t] : !line
        gpu.barrier
        %other = affine.load %x[63 - %t] : !line
        %sum = arith.addi %now, %other : i32
        scf.yield %sum : i32
      } else {
        %y = memref.alloc() : !line
        memref.store %now, %y[%t] : !line
        gpu.barrier
        %other = affine.load %y[(%t + 1) mod 64] : !line
        %sum = arith.subi %now, %other : i32
        scf.yield %sum : i32
      }
      %isOdd = arith.xori %isEven, %true : i1
      scf.yield %isOdd, %next : i1, i32
    }
    memref.store %w, %out[%t] : !row
    gpu.return
  }
}
