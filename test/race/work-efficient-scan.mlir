// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prefix sum up and down a tree, in one buffer; what it finds is where elements
// go that are kept.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @scan(%in: !row, %out: !row) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c63 = arith.constant 63 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !row
    %kept = arith.andi %v, %one : i32
    %tree = memref.alloc() : !line
    memref.store %kept, %tree[%t] : !line
    %number = arith.addi %t, %c1 : index
    scf.for %k = %c0 to %c6 step %c1 {
      gpu.barrier
      %half = arith.shli %c1, %k : index
      %full = arith.shli %half, %c1 : index
      %end = arith.muli %number, %full : index
      %right = arith.subi %end, %c1 : index
      %isIn = arith.cmpi ule, %right, %c63 : index
      scf.if %isIn {
        %left = arith.subi %right, %half : index
        %a = memref.load %tree[%left] : !line
        %b = memref.load %tree[%right] : !line
        %s = arith.addi %a, %b : i32
        memref.store %s, %tree[%right] : !line
      }
    }
    gpu.barrier
    %all = memref.load %tree[%c63] : !line
    gpu.barrier
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      memref.store %zero, %tree[%c63] : !line
    }
    scf.for %k = %c0 to %c6 step %c1 {
      gpu.barrier
      %down = arith.subi %c5, %k : index
      %half = arith.shli %c1, %down : index
      %full = arith.shli %half, %c1 : index
      %end = arith.muli %number, %full : index
      %right = arith.subi %end, %c1 : index
      %isIn = arith.cmpi ule, %right, %c63 : index
      scf.if %isIn {
        %left = arith.subi %right, %half : index
        %a = memref.load %tree[%left] : !line
        %b = memref.load %tree[%right] : !line
        %s = arith.addi %a, %b : i32
        memref.store %b, %tree[%left] : !line
        memref.store %s, %tree[%right] : !line
      }
    }
    gpu.barrier
    %place = memref.load %tree[%t] : !line
    %packed = memref.alloc() : !line
    %id = arith.index_cast %t : index to i32
    %before = arith.subi %id, %place : i32
    %behind = arith.addi %all, %before : i32
    %isKept = arith.cmpi eq, %kept, %one : i32
    %to = arith.select %isKept, %place, %behind : i32
    %at = arith.index_cast %to : i32 to index
    memref.store %v, %packed[%at] : !line
    gpu.barrier
    %r = affine.load %packed[63 - %t] : !line
    memref.store %r, %out[%t] : !row
    gpu.return
  }
}
