// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One barrier keeps all of three buffers from two others, which take their
// bytes in another division.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 5 of 5, bytes: 1600 -> 832, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!bytes = memref<64xi8, #gpu.address_space<workgroup>>
!words = memref<64xi32, #gpu.address_space<workgroup>>
!reals = memref<64xf64, #gpu.address_space<workgroup>>
!in = memref<64xi32>
!out = memref<64xf64>

gpu.module @kernels {
  gpu.func @mixed(%in: !in, %out: !out, %sums: !out) kernel {
    %t = gpu.thread_id x
    %b = memref.alloc() : !bytes
    %w = memref.alloc() : !words
    %r = memref.alloc() : !reals
    %v = affine.load %in[%t] : !in
    %small = arith.trunci %v : i32 to i8
    affine.store %small, %b[%t] : !bytes
    affine.store %v, %w[%t] : !words
    %real = arith.sitofp %v : i32 to f64
    affine.store %real, %r[%t] : !reals
    gpu.barrier
    %x = affine.load %b[63 - %t] : !bytes
    %y = affine.load %w[(%t + 1) mod 64] : !words
    %z = affine.load %r[(%t + 2) mod 64] : !reals
    %xr = arith.sitofp %x : i8 to f64
    %yr = arith.sitofp %y : i32 to f64
    %xy = arith.addf %xr, %yr : f64
    %xyz = arith.mulf %xy, %z : f64
    %r2 = memref.alloc() : !reals
    %w2 = memref.alloc() : !words
    affine.store %xyz, %r2[%t] : !reals
    affine.store %y, %w2[%t] : !words
    gpu.barrier
    %p = affine.load %r2[63 - %t] : !reals
    affine.store %p, %out[%t] : !out
    %q = affine.load %w2[63 - %t] : !words
    %qr = arith.sitofp %q : i32 to f64
    affine.store %qr, %sums[%t] : !out
    gpu.return
  }
}
