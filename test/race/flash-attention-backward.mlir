// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention backwards, a block of eight keys a turn: the weights are computed
// anew, and their gradient takes a place once those of values are written.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 6 of 6, bytes: 1536 -> 1280, barriers inserted: 0
// CHECK-NEXT: equal, no race

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!block = memref<8x8xf32>
!keys = memref<32x8xf32>

gpu.module @kernels {
  gpu.func @backward(%q: !block, %k: !keys, %v: !keys, %do: !block, %l: !block,
                     %dq: !block, %dk: !keys, %dv: !keys) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %tile_q = memref.alloc() : !tile
    %tile_do = memref.alloc() : !tile
    %eq = affine.load %q[%y, %x] : !block
    %edo = affine.load %do[%y, %x] : !block
    affine.store %eq, %tile_q[%y, %x] : !tile
    affine.store %edo, %tile_do[%y, %x] : !tile
    %dq_sum = affine.for %j = 0 to 4 iter_args(%dq_acc = %zero) -> f32 {
      %tile_k = memref.alloc() : !tile
      %tile_v = memref.alloc() : !tile
      %tile_p = memref.alloc() : !tile
      %tile_ds = memref.alloc() : !tile
      %ek = affine.load %k[8 * %j + %y, %x] : !keys
      %ev = affine.load %v[8 * %j + %y, %x] : !keys
      affine.store %ek, %tile_k[%y, %x] : !tile
      affine.store %ev, %tile_v[%y, %x] : !tile
      gpu.barrier
      %s = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %ea = affine.load %tile_q[%y, %i] : !tile
        %eb = affine.load %tile_k[%x, %i] : !tile
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      %el = affine.load %l[%y, %x] : !block
      %less = arith.subf %s, %el : f32
      %low = arith.constant -4.0 : f32
      %high = arith.constant 4.0 : f32
      %above = arith.maximumf %less, %low : f32
      %within = arith.minimumf %above, %high : f32
      %p = math.exp %within : f32
      affine.store %p, %tile_p[%y, %x] : !tile
      %dp = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %ea = affine.load %tile_do[%y, %i] : !tile
        %eb = affine.load %tile_v[%x, %i] : !tile
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      gpu.barrier
      %dv_part = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %ea = affine.load %tile_p[%i, %y] : !tile
        %eb = affine.load %tile_do[%i, %x] : !tile
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.store %dv_part, %dv[8 * %j + %y, %x] : !keys
      %ds = arith.mulf %p, %dp : f32
      affine.store %ds, %tile_ds[%y, %x] : !tile
      gpu.barrier
      %dk_part = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %ea = affine.load %tile_ds[%i, %y] : !tile
        %eb = affine.load %tile_q[%i, %x] : !tile
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.store %dk_part, %dk[8 * %j + %y, %x] : !keys
      %dq_part = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> f32 {
        %ea = affine.load %tile_ds[%y, %i] : !tile
        %eb = affine.load %tile_k[%i, %x] : !tile
        %product = arith.mulf %ea, %eb : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      %dq_next = arith.addf %dq_acc, %dq_part : f32
      gpu.barrier
      affine.yield %dq_next : f32
    }
    affine.store %dq_sum, %dq[%y, %x] : !block
    gpu.return
  }
}
