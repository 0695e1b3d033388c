// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of four: loads and stores that are wider than an element.
// RUN: %race %s 32 | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<128xf32, #gpu.address_space<workgroup>>
!row = memref<128xf32>

gpu.module @kernels {
  gpu.func @vectors(%in: !row, %out: !row) kernel {
    %c4 = arith.constant 4 : index
    %c31 = arith.constant 31 : index
    %t = gpu.thread_id x
    %x = memref.alloc() {alignment = 16 : i64} : !line
    %y = memref.alloc() {alignment = 16 : i64} : !line
    %at = arith.muli %t, %c4 : index
    %mirror = arith.subi %c31, %t : index
    %far = arith.muli %mirror, %c4 : index
    %v = vector.load %in[%at] : !row, vector<4xf32>
    vector.store %v, %x[%at] : !line, vector<4xf32>
    gpu.barrier
    %w = vector.load %x[%far] : !line, vector<4xf32>
    %sum = arith.addf %v, %w : vector<4xf32>
    vector.store %sum, %y[%at] : !line, vector<4xf32>
    gpu.barrier
    %u = vector.load %y[%far] : !line, vector<4xf32>
    vector.store %u, %out[%at] : !row, vector<4xf32>
    gpu.return
  }
}
