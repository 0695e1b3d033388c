// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three steps of a stencil over a tile with a halo that shrinks. Each step reads
// one buffer and writes the next; the third may take the first's place since the
// barrier between them stands already.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 816 -> 552, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!t0 = memref<70xf32, #gpu.address_space<workgroup>>
!t1 = memref<68xf32, #gpu.address_space<workgroup>>
!t2 = memref<66xf32, #gpu.address_space<workgroup>>
!in = memref<70xf32>
!out = memref<64xf32>
#most = affine_set<(t) : (5 - t >= 0)>
#some = affine_set<(t) : (3 - t >= 0)>
#few = affine_set<(t) : (1 - t >= 0)>

gpu.module @kernels {
  gpu.func @stencil(%in: !in, %out: !out) kernel {
    %t = gpu.thread_id x
    %x0 = memref.alloc() : !t0
    %x1 = memref.alloc() : !t1
    %x2 = memref.alloc() : !t2
    %v = affine.load %in[%t] : !in
    affine.store %v, %x0[%t] : !t0
    affine.if #most(%t) {
      %h = affine.load %in[%t + 64] : !in
      affine.store %h, %x0[%t + 64] : !t0
    }
    gpu.barrier
    %a0 = affine.load %x0[%t] : !t0
    %a1 = affine.load %x0[%t + 1] : !t0
    %a2 = affine.load %x0[%t + 2] : !t0
    %a01 = arith.addf %a0, %a1 : f32
    %a = arith.subf %a01, %a2 : f32
    affine.store %a, %x1[%t] : !t1
    affine.if #some(%t) {
      %h0 = affine.load %x0[%t + 64] : !t0
      %h1 = affine.load %x0[%t + 66] : !t0
      %h = arith.addf %h0, %h1 : f32
      affine.store %h, %x1[%t + 64] : !t1
    }
    gpu.barrier
    %b0 = affine.load %x1[%t] : !t1
    %b1 = affine.load %x1[%t + 2] : !t1
    %b = arith.mulf %b0, %b1 : f32
    affine.store %b, %x2[%t] : !t2
    affine.if #few(%t) {
      %h = affine.load %x1[%t + 65] : !t1
      affine.store %h, %x2[%t + 64] : !t2
    }
    gpu.barrier
    %c0 = affine.load %x2[%t] : !t2
    %c1 = affine.load %x2[%t + 2] : !t2
    %c = arith.addf %c0, %c1 : f32
    affine.store %c, %out[%t] : !out
    gpu.return
  }
}
