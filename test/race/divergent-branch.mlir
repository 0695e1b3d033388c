// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two sides of a divergent branch run at the same time: X and Y are dead
// behind it, and yet must not share. What comes behind a barrier may take both.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!half = memref<32xi32, #gpu.address_space<workgroup>>
!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @branch(%in: !row, %out: !row) kernel {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !half
    %y = memref.alloc() : !half
    %z = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %first = arith.cmpi ult, %t, %c32 : index
    %w = scf.if %first -> i32 {
      memref.store %v, %x[%t] : !half
      %again = memref.load %x[%t] : !half
      %double = arith.addi %again, %v : i32
      scf.yield %double : i32
    } else {
      %at = arith.subi %t, %c32 : index
      memref.store %v, %y[%at] : !half
      %again = memref.load %y[%at] : !half
      %square = arith.muli %again, %v : i32
      scf.yield %square : i32
    }
    affine.store %w, %z[63 - %t] : !line
    gpu.barrier
    %all = memref.load %z[%t] : !line
    memref.store %all, %out[%t] : !row
    gpu.return
  }
}
