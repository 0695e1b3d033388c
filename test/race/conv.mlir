// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution of two channels as a product with unfolded patches: the input
// tile dies when the patches stand, and the result may take its place.
// RUN: %race %s 8x8 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 2960 -> 2704, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!image = memref<10x10xf32, #gpu.address_space<workgroup>>
!patches = memref<9x8x8xf32, #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!in = memref<2x10x10xf32>
!weights = memref<2x9xf32>
!out = memref<2x8x8xf32>
#halo = affine_set<(x, y) : (35 - x - 8 * y >= 0)>

gpu.module @kernels {
  gpu.func @conv(%in: !in, %w: !weights, %out: !out) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    affine.for %c = 0 to 2 {
      %image = memref.alloc() : !image
      %patches = memref.alloc() : !patches
      %result = memref.alloc() : !tile
      %flat = affine.apply affine_map<(x, y) -> (x + 8 * y)>(%x, %y)
      affine.for %i = 0 to 2 {
        affine.if affine_set<(x, y, i) : (99 - 64 * i - x - 8 * y >= 0)>(%x, %y, %i) {
          %v = affine.load %in[%c, (%x + 8 * %y + 64 * %i) floordiv 10, (%x + 8 * %y + 64 * %i) mod 10] : !in
          affine.store %v, %image[(%x + 8 * %y + 64 * %i) floordiv 10, (%x + 8 * %y + 64 * %i) mod 10] : !image
        }
      }
      gpu.barrier
      affine.for %i = 0 to 3 {
        affine.for %j = 0 to 3 {
          %v = affine.load %image[%y + %i, %x + %j] : !image
          affine.store %v, %patches[3 * %i + %j, %x, %y] : !patches
        }
      }
      gpu.barrier
      %sum = affine.for %i = 0 to 9 iter_args(%acc = %zero) -> f32 {
        %p = affine.load %patches[%i, %y, %x] : !patches
        %f = affine.load %w[%c, %i] : !weights
        %product = arith.mulf %p, %f : f32
        %next = arith.addf %acc, %product : f32
        affine.yield %next : f32
      }
      affine.store %sum, %result[%y, %x] : !tile
      gpu.barrier
      %turned = affine.load %result[%x, %y] : !tile
      affine.store %turned, %out[%c, %y, %x] : !out
      gpu.barrier
    }
    gpu.return
  }
}
