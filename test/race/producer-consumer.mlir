// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ring between two halves of the workgroup: in each step one half fills a slot
// while the other empties the one before. Behind the loop the sums take its
// bytes.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!ring = memref<2x32xi32, #gpu.address_space<workgroup>>
!line = memref<64xi32, #gpu.address_space<workgroup>>
!rows = memref<5x32xi32>
!out = memref<64xi32>
#produces = affine_set<(t, i) : (31 - t >= 0, 4 - i >= 0)>
#consumes = affine_set<(t, i) : (t - 32 >= 0, i - 1 >= 0)>

gpu.module @kernels {
  gpu.func @ring(%in: !rows, %out: !out) kernel {
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %ring = memref.alloc() : !ring
    %sums = memref.alloc() : !line
    %sum = affine.for %i = 0 to 6 iter_args(%acc = %zero) -> i32 {
      affine.if #produces(%t, %i) {
        %v = affine.load %in[%i, %t] : !rows
        affine.store %v, %ring[%i mod 2, %t] : !ring
      }
      %next = affine.if #consumes(%t, %i) -> i32 {
        %v = affine.load %ring[(%i + 1) mod 2, 63 - %t] : !ring
        %more = arith.addi %acc, %v : i32
        affine.yield %more : i32
      } else {
        affine.yield %acc : i32
      }
      gpu.barrier
      affine.yield %next : i32
    }
    affine.store %sum, %sums[%t] : !line
    gpu.barrier
    %v = affine.load %sums[63 - %t] : !line
    affine.store %v, %out[%t] : !out
    gpu.return
  }
}
