// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the even numbers of a row in order: flags, their running sums, and the
// kept numbers, each in a buffer.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @compact(%in: !row, %out: !row) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %flags = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %odd = arith.andi %v, %one : i32
    %even = arith.xori %odd, %one : i32
    memref.store %even, %flags[%t] : !line
    gpu.barrier
    %place, %count = affine.for %i = 0 to 64 iter_args(%p = %zero, %n = %zero) -> (i32, i32) {
      %f = affine.load %flags[%i] : !line
      %isBefore = arith.cmpi ult, %i, %t : index
      %more = arith.addi %p, %f : i32
      %p1 = arith.select %isBefore, %more, %p : i32
      %n1 = arith.addi %n, %f : i32
      affine.yield %p1, %n1 : i32, i32
    }
    %kept = memref.alloc() : !line
    memref.store %zero, %kept[%t] : !line
    gpu.barrier
    %keeps = arith.cmpi eq, %even, %one : i32
    scf.if %keeps {
      %at = arith.index_cast %place : i32 to index
      memref.store %v, %kept[%at] : !line
    }
    gpu.barrier
    %k = affine.load %kept[63 - %t] : !line
    %both = arith.addi %k, %count : i32
    affine.store %both, %out[63 - %t] : !row
    gpu.return
  }
}
