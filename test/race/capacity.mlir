// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two pairs of phases, of 768 and 1024 bytes a buffer: as many barriers as the
// capacity forces, and first the one that gains something.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --arena=capacity=1536 | FileCheck %s --check-prefix=ONE
// RUN: %race %s --arena=capacity=2048 | FileCheck %s --check-prefix=NONE

// CHECK: buffers: 4 of 4, bytes: 3584 -> 1024, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race
// ONE: buffers: 4 of 4, bytes: 3584 -> 1536, barriers inserted: 1
// ONE-NEXT: equal, no race
// ONE-NEXT: without barrier 1: race
// NONE: buffers: 4 of 4, bytes: 3584 -> 2048, barriers inserted: 0
// NONE-NEXT: equal, no race
// NONE-NOT: {{.}}

!three = memref<192xi32, #gpu.address_space<workgroup>>
!four = memref<256xi32, #gpu.address_space<workgroup>>
!row = memref<256xi32>

gpu.module @kernels {
  gpu.func @phases(%in: !row, %out: !row) kernel {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %mirror = arith.subi %c63, %t : index
    %near3 = arith.muli %t, %c3 : index
    %near4 = arith.muli %t, %c4 : index
    %far3 = arith.muli %mirror, %c3 : index
    %far4 = arith.muli %mirror, %c4 : index
    %x = memref.alloc() : !three
    %y = memref.alloc() : !three
    %u = memref.alloc() : !four
    %v = memref.alloc() : !four
    %a = vector.load %in[%near3] : !row, vector<3xi32>
    vector.store %a, %x[%near3] : !three, vector<3xi32>
    gpu.barrier
    %b = vector.load %x[%far3] : !three, vector<3xi32>
    vector.store %b, %y[%near3] : !three, vector<3xi32>
    gpu.barrier
    %c = vector.load %y[%far3] : !three, vector<3xi32>
    %d = vector.shuffle %c, %b [0, 1, 2, 5] : vector<3xi32>, vector<3xi32>
    gpu.barrier
    vector.store %d, %u[%near4] : !four, vector<4xi32>
    gpu.barrier
    %e = vector.load %u[%far4] : !four, vector<4xi32>
    vector.store %e, %v[%near4] : !four, vector<4xi32>
    gpu.barrier
    %f = vector.load %v[%far4] : !four, vector<4xi32>
    vector.store %f, %out[%near4] : !row, vector<4xi32>
    gpu.return
  }
}
