// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp specialisation: half of the threads work in X while the others work in Y.
// Only Z, behind the barrier, may take their bytes.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!half = memref<32xi32, #gpu.address_space<workgroup>>
!line = memref<64xi32, #gpu.address_space<workgroup>>
!out = memref<64xi32>

gpu.module @kernels {
  gpu.func @halves(%in: !out, %out: !out) kernel {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.alloc() : !half
    %y = memref.alloc() : !half
    %z = memref.alloc() : !line
    %first = arith.cmpi ult, %t, %c32 : index
    %mine = memref.load %in[%t] : !out
    scf.if %first {
      memref.store %mine, %x[%t] : !half
    } else {
      %at = arith.subi %t, %c32 : index
      %square = arith.muli %mine, %mine : i32
      memref.store %square, %y[%at] : !half
    }
    gpu.barrier
    %sum = scf.if %first -> i32 {
      %v = affine.load %y[31 - %t] : !half
      scf.yield %v : i32
    } else {
      %v = affine.load %x[63 - %t] : !half
      scf.yield %v : i32
    }
    memref.store %sum, %z[%t] : !line
    gpu.barrier
    %v = affine.load %z[63 - %t] : !line
    memref.store %v, %out[%t] : !out
    gpu.return
  }
}
