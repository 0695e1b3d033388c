// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread waits until all of the second half have raised a flag, which
// they do behind their store to Y.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 516 -> 260, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!flag = memref<1xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @flag(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %t = gpu.thread_id x
    %flag = memref.alloc() : !flag
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %zero, %flag[%c0] : !flag
    }
    %v = memref.load %in[%t] : !row
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %a = affine.load %x[63 - %t] : !line
    scf.if %first {
      scf.while : () -> () {
        %f = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, !flag) -> i32
        %more = arith.cmpi ne, %f, %half : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    }
    memref.store %a, %y[%t] : !line
    %second = arith.cmpi uge, %t, %c32 : index
    scf.if %second {
      %old = memref.atomic_rmw addi %one, %flag[%c0] : (i32, !flag) -> i32
    }
    gpu.barrier
    %b = affine.load %y[63 - %t] : !line
    %s = arith.addi %a, %b : i32
    memref.store %s, %out[%t] : !row
    gpu.return
  }
}
