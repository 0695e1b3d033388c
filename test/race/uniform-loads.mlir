// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the loop runs stands in memory that nobody writes: all threads agree
// on it, so a barrier may be inserted in the loop, which Y needs to have X's
// bytes. One thread may leave the loop's body while another is in it still.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race

!line = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  gpu.func @turns(%in: !row, %lengths: memref<4xi32> {llvm.noalias, llvm.readonly}, %out: !row) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : i32
    %last = arith.constant 63 : index
    %other = arith.subi %last, %t : index
    %b = gpu.block_id x
    %at, %rest = affine.delinearize_index %b into (4, 8) : index, index
    %length = memref.load %lengths[%at] : memref<4xi32>
    %few = arith.andi %length, %c3 : i32
    %some = arith.addi %few, %c3 : i32
    %n = arith.index_cast %some : i32 to index
    %v = memref.load %in[%t] : !row
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
      %x = memref.alloc() : !line
      %y = memref.alloc() : !line
      memref.store %a, %x[%t] : !line
      gpu.barrier
      %r = memref.load %x[%other] : !line
      %s = arith.addf %r, %v : f32
      memref.store %s, %y[%t] : !line
      gpu.barrier
      %w = memref.load %y[%other] : !line
      scf.yield %w : f32
    }
    memref.store %end, %out[%t] : !row
    gpu.return
  }
}
