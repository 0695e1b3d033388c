// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product whose inner dimension is split over four groups of threads; their
// partial sums meet in a buffer that may lie in the operands' bytes.
// RUN: %race %s 4x4x4 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!operand = memref<4x16xf32, #gpu.address_space<workgroup>>
!parts = memref<4x4x4xf32, #gpu.address_space<workgroup>>
!in = memref<4x16xf32>
!out = memref<4x4xf32>

gpu.module @kernels {
  gpu.func @split(%a: !in, %b: !in, %out: !out) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %tile_a = memref.alloc() : !operand
    %tile_b = memref.alloc() : !operand
    %parts = memref.alloc() : !parts
    %va = affine.load %a[%y, 4 * %z + %x] : !in
    affine.store %va, %tile_a[%y, 4 * %z + %x] : !operand
    %vb = affine.load %b[%y, 4 * %z + %x] : !in
    affine.store %vb, %tile_b[%y, 4 * %z + %x] : !operand
    gpu.barrier
    %part = affine.for %k = 0 to 4 iter_args(%acc = %zero) -> f32 {
      %ea = affine.load %tile_a[%y, 4 * %z + %k] : !operand
      %eb = affine.load %tile_b[%x, 4 * %z + %k] : !operand
      %product = arith.mulf %ea, %eb : f32
      %next = arith.addf %acc, %product : f32
      affine.yield %next : f32
    }
    affine.store %part, %parts[%z, %y, %x] : !parts
    gpu.barrier
    affine.if affine_set<(z) : (-z >= 0)>(%z) {
      %sum = affine.for %k = 0 to 4 iter_args(%acc = %zero) -> f32 {
        %p = affine.load %parts[%k, %y, %x] : !parts
        %next = arith.addf %acc, %p : f32
        affine.yield %next : f32
      }
      affine.store %sum, %out[%y, %x] : !out
    }
    gpu.return
  }
}
