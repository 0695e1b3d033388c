// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of X the cluster has an address, and writes through it when Y is there: nobody
// shares with X. (The cluster is one workgroup.) Z may take the bytes of Y.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @kernels {
  gpu.func @cluster(%in: !row, %out: !row) kernel {
    %rank = arith.constant 0 : i32
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i64
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    %d = builtin.unrealized_conversion_cast %x : !line to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %a = affine.load %y[63 - %t] : !line
    %e = llvm.getelementptr %q[%i] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
    llvm.store %a, %e : i32, !llvm.ptr<7>
    memref.store %a, %z[%t] : !line
    gpu.barrier
    %b = affine.load %z[63 - %t] : !line
    %c = llvm.load %e : !llvm.ptr<7> -> i32
    %w = arith.muli %b, %c : i32
    memref.store %w, %out[%t] : !row
    gpu.return
  }
}
