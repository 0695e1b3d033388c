// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of one query over pages of keys and values that a table finds: the
// pages of values take the place of those of keys, and the partial sums that of
// the scores.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 5 of 5, bytes: 1024 -> 384, barriers inserted: 0
// CHECK-NEXT: equal, no race

!page = memref<8x8xf32, #gpu.address_space<workgroup>>
!scores = memref<32xf32, #gpu.address_space<workgroup>>
!pages = memref<4x8x8xf32>

gpu.module @kernels {
  gpu.func @attention(%q: memref<8xf32>, %keys: !pages, %values: !pages,
                      %table: memref<4xindex>, %out: memref<8xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %isFirst = arith.cmpi eq, %x, %c0 : index
    %scores = memref.alloc() : !scores
    affine.for %p = 0 to 4 {
      %page = memref.alloc() : !page
      %number = affine.load %table[%p] : memref<4xindex>
      %at = arith.andi %number, %c3 : index
      %k = memref.load %keys[%at, %y, %x] : !pages
      memref.store %k, %page[%y, %x] : !page
      gpu.barrier
      scf.if %isFirst {
        %dot = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
          %a = memref.load %page[%y, %i] : !page
          %b = affine.load %q[%i] : memref<8xf32>
          %product = arith.mulf %a, %b : f32
          %next = arith.addf %acc, %product : f32
          affine.yield %next : f32
        }
        affine.store %dot, %scores[8 * %p + symbol(%y)] : !scores
      }
      gpu.barrier
    }
    %first = affine.load %scores[0] : !scores
    %most = affine.for %i = 1 to 32 iter_args(%max = %first) -> f32 {
      %s = affine.load %scores[%i] : !scores
      %next = arith.maximumf %max, %s : f32
      affine.yield %next : f32
    }
    %weights = memref.alloc() : !scores
    %id = affine.apply affine_map<(x, y) -> (8 * y + x)>(%x, %y)
    %isMine = arith.cmpi ult, %id, %c32 : index
    scf.if %isMine {
      %s = memref.load %scores[%id] : !scores
      %less = arith.subf %s, %most : f32
      %e = math.exp %less : f32
      memref.store %e, %weights[%id] : !scores
    }
    gpu.barrier
    %sum = affine.for %i = 0 to 32 iter_args(%acc = %zero) -> f32 {
      %e = affine.load %weights[%i] : !scores
      %next = arith.addf %acc, %e : f32
      affine.yield %next : f32
    }
    %mine = affine.for %p = 0 to 4 iter_args(%acc = %zero) -> f32 {
      %tile = memref.alloc() : !page
      %number = affine.load %table[%p] : memref<4xindex>
      %at = arith.andi %number, %c3 : index
      %v = memref.load %values[%at, %x, %y] : !pages
      memref.store %v, %tile[%x, %y] : !page
      gpu.barrier
      %e = memref.load %tile[%y, %x] : !page
      %weight = affine.load %weights[8 * %p + symbol(%y)] : !scores
      %product = arith.mulf %e, %weight : f32
      %next = arith.addf %acc, %product : f32
      gpu.barrier
      affine.yield %next : f32
    }
    %parts = memref.alloc() : !page
    memref.store %mine, %parts[%y, %x] : !page
    gpu.barrier
    affine.if affine_set<(y) : (-y >= 0)>(%y) {
      %all = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %e = memref.load %parts[%i, %x] : !page
        %next = arith.addf %acc, %e : f32
        affine.yield %next : f32
      }
      %r = arith.divf %all, %sum : f32
      memref.store %r, %out[%x] : memref<8xf32>
    }
    gpu.return
  }
}
