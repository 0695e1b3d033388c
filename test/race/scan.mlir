// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two prefix sums one after the other, each between two buffers that change
// their roles in every step.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @scan(%in: !row, %sums: !row, %products: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    memref.store %v, %a[%t] : !line
    %s, %s_spare = scf.for %k = %c0 to %c6 step %c1
        iter_args(%from = %a, %to = %b) -> (!line, !line) {
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
    %total = affine.load %s[63 - %t] : !line
    affine.store %total, %sums[63 - %t] : !row
    %c = memref.alloc() : !line
    %d = memref.alloc() : !line
    memref.store %total, %c[%t] : !line
    %p, %p_spare = scf.for %k = %c0 to %c6 step %c1
        iter_args(%from = %c, %to = %d) -> (!line, !line) {
      gpu.barrier
      %step = arith.shli %c1, %k : index
      %mine = memref.load %from[%t] : !line
      %far = arith.cmpi uge, %t, %step : index
      %product = scf.if %far -> i32 {
        %at = arith.subi %t, %step : index
        %other = memref.load %from[%at] : !line
        %both = arith.muli %mine, %other : i32
        scf.yield %both : i32
      } else {
        scf.yield %mine : i32
      }
      memref.store %product, %to[%t] : !line
      scf.yield %to, %from : !line, !line
    }
    gpu.barrier
    %last = affine.load %p[63 - %t] : !line
    affine.store %last, %products[63 - %t] : !row
    gpu.return
  }
}
