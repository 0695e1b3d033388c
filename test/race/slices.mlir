// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read last of two stages, of the halves of a tile, and by each warp, is
// a part of the buffer: the rest of it is free without a barrier.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --arena=barriers=existing | FileCheck %s
// RUN: %status 1 %race %s --arena="test-break-rule=own-bytes verify=false" 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: buffers: 5 of 5, bytes: 1792 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// RACE: race.sh: a race in the planned kernel

!stages = memref<2x64xi32, #gpu.address_space<workgroup>>
!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @slices(%in: !row, %out: !row, %turns: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c63 = arith.constant 63 : index
    %zero = arith.constant 0 : i32
    %other = arith.subi %c63, %t : index
    %ring = memref.alloc() : !stages
    %next = memref.alloc() : !line
    %tile = memref.alloc() : !stages
    %left = memref.alloc() : !line
    %right = memref.alloc() : !line

    // Stages take turns; the last one read is the second.
    %v = memref.load %in[%t] : !row
    memref.store %v, %ring[%c1, %t] : !stages
    %sum = scf.for %i = %c0 to %turns step %c1 iter_args(%s = %zero) -> i32 {
      %stage = arith.remui %i, %c2 : index
      %w = arith.addi %s, %v : i32
      memref.store %w, %ring[%stage, %t] : !stages
      gpu.barrier
      %r = memref.load %ring[%stage, %other] : !stages
      %n = arith.addi %r, %s : i32
      scf.yield %n : i32
    }
    gpu.barrier
    %last = memref.load %ring[%c1, %other] : !stages
    %a = arith.addi %sum, %last : i32
    memref.store %a, %next[%t] : !line
    gpu.barrier
    %b = memref.load %next[%other] : !line
    gpu.barrier

    // Of the tile the lower half is read last, by subviews.
    %lower = memref.subview %tile[0, 0] [1, 64] [1, 1] : !stages to memref<64xi32, strided<[1]>, #gpu.address_space<workgroup>>
    %upper = memref.subview %tile[1, 0] [1, 64] [1, 1] : !stages to memref<64xi32, strided<[1], offset: 64>, #gpu.address_space<workgroup>>
    memref.store %b, %lower[%t] : memref<64xi32, strided<[1]>, #gpu.address_space<workgroup>>
    memref.store %v, %upper[%t] : memref<64xi32, strided<[1], offset: 64>, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %upper[%other] : memref<64xi32, strided<[1], offset: 64>, #gpu.address_space<workgroup>>
    gpu.barrier
    %l = memref.load %lower[%other] : memref<64xi32, strided<[1]>, #gpu.address_space<workgroup>>
    %c = arith.addi %u, %l : i32

    // Two warps, a buffer each, in the bytes of the upper half.
    %isLeft = arith.cmpi ult, %t, %c32 : index
    %d = scf.if %isLeft -> i32 {
      memref.store %c, %left[%t] : !line
      %e = memref.load %left[%t] : !line
      scf.yield %e : i32
    } else {
      memref.store %c, %right[%t] : !line
      %e = memref.load %right[%t] : !line
      scf.yield %e : i32
    }
    memref.store %d, %out[%t] : !row
    gpu.return
  }
}
