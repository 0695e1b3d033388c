// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Double buffering: a relaxation goes to and fro between two buffers that swap
// in each turn, then the result is turned round in a third.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @relax(%in: !row, %out: !row) kernel {
    %half = arith.constant 0.5 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %ping = memref.alloc() : !line
    %pong = memref.alloc() : !line
    %turn = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %ping[%t] : !line
    gpu.barrier
    %now, %spare = scf.for %i = %c0 to %c4 step %c1
        iter_args(%from = %ping, %to = %pong) -> (!line, !line) {
      %a = affine.load %from[(%t + 63) mod 64] : !line
      %b = affine.load %from[(%t + 1) mod 64] : !line
      %sum = arith.addf %a, %b : f32
      %mean = arith.mulf %sum, %half : f32
      memref.store %mean, %to[%t] : !line
      gpu.barrier
      scf.yield %to, %from : !line, !line
    }
    %mine = affine.load %now[(%t + 7) mod 64] : !line
    memref.store %mine, %turn[%t] : !line
    gpu.barrier
    %turned = affine.load %turn[63 - %t] : !line
    memref.store %turned, %out[%t] : !row
    gpu.return
  }
}
