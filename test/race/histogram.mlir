// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram by atomics, then its running sums in another buffer.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!bins = memref<64xi32, #gpu.address_space<workgroup>>
!in = memref<512xi32>
!out = memref<64xi32>

gpu.module @kernels {
  gpu.func @histogram(%in: !in, %out: !out) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %bins = memref.alloc() : !bins
    %sums = memref.alloc() : !bins
    memref.store %zero, %bins[%t] : !bins
    gpu.barrier
    affine.for %i = 0 to 8 {
      %v = affine.load %in[64 * %i + %t] : !in
      %bin = arith.index_cast %v : i32 to index
      %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, !bins) -> i32
    }
    gpu.barrier
    %sum = affine.for %i = 0 to 64 iter_args(%acc = %zero) -> i32 {
      %n = affine.load %bins[%i] : !bins
      %counts = arith.cmpi ule, %i, %t : index
      %more = arith.addi %acc, %n : i32
      %next = arith.select %counts, %more, %acc : i32
      affine.yield %next : i32
    }
    memref.store %sum, %sums[%t] : !bins
    gpu.barrier
    %v = affine.load %sums[63 - %t] : !bins
    affine.store %v, %out[63 - %t] : !out
    gpu.return
  }
}
