// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two halves of the workgroup, each with barriers of its own threads and two
// phases. Such a barrier keeps the phases of its half apart, and yet is none of
// the workgroup, so Berth does not rely on it.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!half = memref<32xi32, #gpu.address_space<workgroup>>
!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @halves(%in: !row, %out: !row) kernel {
    %id1 = arith.constant 1 : i32
    %id2 = arith.constant 2 : i32
    %count = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !half
    %y = memref.alloc() : !half
    %z = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %first = arith.cmpi ult, %t, %c32 : index
    %w = scf.if %first -> i32 {
      affine.store %v, %x[%t] : !half
      nvvm.barrier id = %id1 number_of_threads = %count
      %other = affine.load %x[31 - %t] : !half
      scf.yield %other : i32
    } else {
      affine.store %v, %y[%t - 32] : !half
      nvvm.barrier id = %id2 number_of_threads = %count
      %other = affine.load %y[63 - %t] : !half
      %twice = arith.addi %other, %v : i32
      scf.yield %twice : i32
    }
    memref.store %w, %z[%t] : !line
    gpu.barrier
    %turned = affine.load %z[63 - %t] : !line
    memref.store %turned, %out[%t] : !row
    gpu.return
  }
}
