// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over warps and over the workgroup. The barriers in the latter are
// upstream's affair, and not counted on.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: no race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @reductions(%in: !row, %out: !row) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %first = memref.alloc() : !line
    %second = memref.alloc() : !line
    %third = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %first[%t] : !line
    gpu.barrier
    %a = affine.load %first[63 - %t] : !line
    %most = gpu.subgroup_reduce maxsi %a uniform : (i32) -> i32
    %b = arith.subi %most, %a : i32
    memref.store %b, %second[%t] : !line
    gpu.barrier
    %c = affine.load %second[63 - %t] : !line
    %sum = gpu.all_reduce add %c uniform {} : (i32) -> i32
    %d = arith.subi %sum, %c : i32
    memref.store %d, %third[%t] : !line
    gpu.barrier
    %e = affine.load %third[63 - %t] : !line
    memref.store %e, %out[%t] : !row
    gpu.return
  }
}
