// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention in blocks of eight keys with a running maximum: the tile of V takes
// the place of the tile of K, and the turned result that of Q.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 5 of 5, bytes: 1280 -> 768, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!queries = memref<8x8xf32>
!keys = memref<32x8xf32>

gpu.module @kernels {
  gpu.func @attention(%q: !queries, %k: !keys, %v: !keys, %ot: !queries) kernel {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0e30 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %tile_q = memref.alloc() : !tile
    %eq = affine.load %q[%y, %x] : !queries
    affine.store %eq, %tile_q[%y, %x] : !tile
    %most, %weight, %sum = affine.for %j = 0 to 4
        iter_args(%max = %low, %l = %zero, %o = %zero) -> (f32, f32, f32) {
      %tile_k = memref.alloc() : !tile
      %scores = memref.alloc() : !tile
      %tile_v = memref.alloc() : !tile
      %ek = affine.load %k[8 * %j + %y, %x] : !keys
      affine.store %ek, %tile_k[%y, %x] : !tile
      gpu.barrier
      %score = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %a = affine.load %tile_q[%y, %i] : !tile
        %b = affine.load %tile_k[%x, %i] : !tile
        %product = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.store %score, %scores[%y, %x] : !tile
      %ev = affine.load %v[8 * %j + %y, %x] : !keys
      affine.store %ev, %tile_v[%y, %x] : !tile
      gpu.barrier
      %larger = affine.for %i = 0 to 8 iter_args(%acc = %max) -> f32 {
        %s = affine.load %scores[%y, %i] : !tile
        %next = arith.maximumf %acc, %s : f32
        affine.yield %next : f32
      }
      %shrink = arith.subf %max, %larger : f32
      %factor = math.exp %shrink : f32
      %l0 = arith.mulf %l, %factor : f32
      %o0 = arith.mulf %o, %factor : f32
      %l1, %o1 = affine.for %i = 0 to 8 iter_args(%la = %l0, %oa = %o0) -> (f32, f32) {
        %s = affine.load %scores[%y, %i] : !tile
        %d = arith.subf %s, %larger : f32
        %p = math.exp %d : f32
        %e = affine.load %tile_v[%i, %x] : !tile
        %pe = arith.mulf %p, %e : f32
        %ln = arith.addf %la, %p : f32
        %on = arith.addf %oa, %pe : f32
        affine.yield %ln, %on : f32, f32
      }
      gpu.barrier
      affine.yield %larger, %l1, %o1 : f32, f32, f32
    }
    %result = arith.divf %sum, %weight : f32
    %turn = memref.alloc() : !tile
    affine.store %result, %turn[%y, %x] : !tile
    gpu.barrier
    %turned = affine.load %turn[%x, %y] : !tile
    affine.store %turned, %ot[%y, %x] : !queries
    gpu.return
  }
}
