// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A radix sort, a bit a turn: ranks by a prefix sum between two buffers, keys
// scattered in place, and what is sorted turned round on its way out.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 768, barriers inserted: 0
// CHECK-NEXT: equal, no race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @sort(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c63 = arith.constant 63 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %keys = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %keys[%t] : !line
    scf.for %bit = %c0 to %c6 step %c1 {
      %zeros = memref.alloc() : !line
      %spare = memref.alloc() : !line
      gpu.barrier
      %key = memref.load %keys[%t] : !line
      %shift = arith.index_cast %bit : index to i32
      %shifted = arith.shrui %key, %shift : i32
      %digit = arith.andi %shifted, %one : i32
      %isZero = arith.xori %digit, %one : i32
      memref.store %isZero, %zeros[%t] : !line
      %ranks, %rest = scf.for %k = %c0 to %c6 step %c1
          iter_args(%from = %zeros, %to = %spare) -> (!line, !line) {
        gpu.barrier
        %step = arith.shli %c1, %k : index
        %mine = memref.load %from[%t] : !line
        %far = arith.cmpi uge, %t, %step : index
        %sum = scf.if %far -> i32 {
          %at = arith.subi %t, %step : index
          %other = memref.load %from[%at] : !line
          %both = arith.addi %mine, %other : i32
          scf.yield %both : i32
        } else {
          scf.yield %mine : i32
        }
        memref.store %sum, %to[%t] : !line
        scf.yield %to, %from : !line, !line
      }
      gpu.barrier
      %all = memref.load %ranks[%c63] : !line
      %rank = memref.load %ranks[%t] : !line
      %low = arith.subi %rank, %one : i32
      %number = arith.index_cast %t : index to i32
      %ones = arith.subi %number, %rank : i32
      %high = arith.addi %all, %ones : i32
      %isOne = arith.cmpi eq, %digit, %one : i32
      %place = arith.select %isOne, %high, %low : i32
      %at = arith.index_cast %place : i32 to index
      memref.store %key, %keys[%at] : !line
    }
    gpu.barrier
    %turned = memref.alloc() : !line
    %sorted = memref.load %keys[%t] : !line
    affine.store %sorted, %turned[63 - %t] : !line
    gpu.barrier
    %r = memref.load %turned[%t] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
