// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each warp sums up its part in step, with barriers of the warp only. They do
// not order the warps: what comes next needs a barrier of the workgroup.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @warps(%in: !row, %out: !row) kernel {
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %c31 = arith.constant 31 : index
    %t = gpu.thread_id x
    %lane = arith.andi %t, %c31 : index
    %sums = memref.alloc() : !line
    %turn = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %sums[%t] : !line
    nvvm.bar.warp.sync %all : i32
    scf.for %k = %c0 to %c5 step %c1 {
      %half = arith.shrui %c16, %k : index
      %active = arith.cmpi ult, %lane, %half : index
      scf.if %active {
        %other = arith.addi %t, %half : index
        %a = memref.load %sums[%t] : !line
        %b = memref.load %sums[%other] : !line
        %c = arith.addi %a, %b : i32
        memref.store %c, %sums[%t] : !line
      }
      nvvm.bar.warp.sync %all : i32
    }
    %sum = affine.load %sums[(%t floordiv 32) * 32] : !line
    affine.store %sum, %turn[63 - %t] : !line
    gpu.barrier
    %turned = memref.load %turn[%t] : !line
    memref.store %turned, %out[%t] : !row
    gpu.return
  }
}
