// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number of two bits that overflows is not followed; a remainder of it is bounded even so, and
// berth-verify finds, as berth-arena did, that the last load reads nothing of what is written behind it.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{barriers=existing})' | FileCheck %s
// CHECK: workgroup(%{{.*}} : memref<256xi8,

gpu.module @m {
  gpu.func @k(%v: i32, %n: index, %out: memref<?xi32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c62 = arith.constant 62 : index
    %c7 = arith.constant 7 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    %t16 = arith.addi %t, %c16 : index
    memref.store %v, %x[%t16] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z1 = arith.index_cast %t : index to i2
    %z2 = arith.index_cast %n : index to i2
    %z3 = arith.xori %z1, %z2 : i2
    %i = arith.index_castui %z3 : i2 to index
    %r0 = arith.remui %i, %c16 : index
    %r = arith.addi %r0, %c16 : index
    %a = memref.load %x[%r] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %a, %out[%t] : memref<?xi32>
    %y = memref.alloc() : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : memref<16xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %y[%c0] : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %u, %out[%t] : memref<?xi32>
    gpu.return
  }
}
