// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts two rows one after the other; the barriers stand in the inner of two
// loops, and the one that sharing needs goes between the sorts.
// RUN: %race %s 32 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 256 -> 128, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<32xi32, #gpu.address_space<workgroup>>
!rows = memref<2x32xi32>

gpu.module @kernels {
  gpu.func @sort(%in: !rows, %out: !rows) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    affine.for %row = 0 to 2 {
      %keys = memref.alloc() : !line
      %v = affine.load %in[%row, %t] : !rows
      memref.store %v, %keys[%t] : !line
      gpu.barrier
      scf.for %p = %c0 to %c5 step %c1 {
        %p1 = arith.addi %p, %c1 : index
        %size = arith.shli %c1, %p1 : index
        scf.for %q = %c0 to %p1 step %c1 {
          %down = arith.subi %p, %q : index
          %stride = arith.shli %c1, %down : index
          %other = arith.xori %t, %stride : index
          %leads = arith.cmpi ugt, %other, %t : index
          scf.if %leads {
            %a = memref.load %keys[%t] : !line
            %b = memref.load %keys[%other] : !line
            %bit = arith.andi %t, %size : index
            %rises = arith.cmpi eq, %bit, %c0 : index
            %low = arith.minsi %a, %b : i32
            %high = arith.maxsi %a, %b : i32
            %first = arith.select %rises, %low, %high : i32
            %second = arith.select %rises, %high, %low : i32
            memref.store %first, %keys[%t] : !line
            memref.store %second, %keys[%other] : !line
          }
          gpu.barrier
        }
      }
      %ranks = memref.alloc() : !line
      %key = affine.load %keys[31 - %t] : !line
      memref.store %key, %ranks[%t] : !line
      gpu.barrier
      %rank = affine.load %ranks[(%t + 1) mod 32] : !line
      affine.store %rank, %out[%row, %t] : !rows
      gpu.barrier
    }
    gpu.return
  }
}
