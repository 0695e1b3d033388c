// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain control flow: a divergent branch between two phases. Its ways meet
// again, so barriers stand in front of it and behind it, none in between, where
// the two sides keep apart.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 4 of 4, bytes: 768 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race

!half = memref<32xi32, #gpu.address_space<workgroup>>
!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @meet(%in: !row, %out: !row) kernel {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !half
    %z = memref.alloc() : !half
    %w = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %turned = affine.load %x[63 - %t] : !line
    %isLow = arith.cmpi ult, %t, %c32 : index
    cf.cond_br %isLow, ^low, ^high
  ^low:
    memref.store %turned, %y[%t] : !half
    %a = memref.load %y[%t] : !half
    cf.br ^meet(%a : i32)
  ^high:
    %at = arith.subi %t, %c32 : index
    memref.store %v, %z[%at] : !half
    %b = memref.load %z[%at] : !half
    %sum = arith.addi %b, %turned : i32
    cf.br ^meet(%sum : i32)
  ^meet(%u: i32):
    affine.store %u, %w[(%t + 5) mod 64] : !line
    gpu.barrier
    %last = affine.load %w[63 - %t] : !line
    memref.store %last, %out[%t] : !row
    gpu.return
  }
}
