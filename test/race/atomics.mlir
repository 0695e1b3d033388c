// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of several kinds: counts of each warp's own in the first buffer, all bits
// of each class in the second; the largest of both in the third. An atomic orders
// nothing but itself.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @atomics(%in: !row, %out: !row) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %counts = memref.alloc() : !line
    %bits = memref.alloc() : !line
    %largest = memref.alloc() : !line
    memref.store %zero, %counts[%t] : !line
    memref.store %zero, %bits[%t] : !line
    gpu.barrier
    %v = memref.load %in[%t] : !row
    %index = arith.index_cast %v : i32 to index
    %class = arith.remui %index, %c16 : index
    %mine = affine.apply affine_map<(d0, d1) -> (d0 + (d1 floordiv 32) * 32)>(%class, %t)
    %0 = memref.atomic_rmw addi %one, %counts[%mine] : (i32, !line) -> i32
    %1 = memref.atomic_rmw ori %v, %bits[%class] : (i32, !line) -> i32
    gpu.barrier
    %count = affine.load %counts[63 - %t] : !line
    %seen = affine.load %bits[%t mod 16] : !line
    memref.store %zero, %largest[%t] : !line
    gpu.barrier
    %mixed = arith.addi %count, %seen : i32
    %2 = memref.atomic_rmw maxs %mixed, %largest[%class] : (i32, !line) -> i32
    gpu.barrier
    %result = affine.load %largest[63 - %t] : !line
    memref.store %result, %out[%t] : !row
    gpu.return
  }
}
