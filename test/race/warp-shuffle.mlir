// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each warp sums up its elements by shuffles, all modes of them, and scans them.
// A shuffle orders no memory: what comes next needs a barrier of the workgroup.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @shuffles(%in: !row, %out: !row) kernel {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c31 = arith.constant 31 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %first = memref.alloc() : !line
    %second = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %first[%t] : !line
    gpu.barrier
    %a = affine.load %first[63 - %t] : !line
    %x, %valid0 = gpu.shuffle xor %a, %c1, %width : i32
    %b = arith.addi %a, %x : i32
    %f = arith.sitofp %b : i32 to f32
    %up, %isInside = gpu.shuffle up %f, %c2, %width : f32
    %g = arith.select %isInside, %up, %f : f32
    %last, %valid1 = gpu.shuffle idx %g, %c31, %width : f32
    %h = arith.addf %g, %last : f32
    %down, %hasNext = gpu.shuffle down %h, %c1, %width : f32
    %i = arith.select %hasNext, %down, %h : f32
    %j = arith.fptosi %i : f32 to i32
    memref.store %j, %second[%t] : !line
    gpu.barrier
    %k = affine.load %second[63 - %t] : !line
    memref.store %k, %out[%t] : !row
    gpu.return
  }
}
