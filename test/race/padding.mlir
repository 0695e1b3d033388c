// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile is transposed, and another one has its bytes then; rows of both are padded, by
// two, so that threads of two rows miss each other, too.
// RUN: %race --arena=padding=auto %s | FileCheck %s
// CHECK: buffers: 2 of 2, bytes: 2176 -> 1088, barriers inserted: 0
// CHECK-NEXT: equal, no race

!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
!in = memref<16x16xf32>

gpu.module @kernels {
  gpu.func @transpose(%in: !in, %out: !in) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %x = arith.remui %t, %c16 : index
    %y = arith.divui %t, %c16 : index
    %c4 = arith.constant 4 : index
    %a = memref.alloc() : !tile
    %b = memref.alloc() : !tile
    scf.for %i = %y to %c16 step %c4 {
      %v = memref.load %in[%i, %x] : !in
      memref.store %v, %a[%i, %x] : !tile
    }
    gpu.barrier
    scf.for %i = %y to %c16 step %c4 {
      %v = memref.load %a[%x, %i] : !tile
      memref.store %v, %out[%i, %x] : !in
    }
    gpu.barrier
    scf.for %i = %y to %c16 step %c4 {
      %v = memref.load %out[%i, %x] : !in
      %w = arith.addf %v, %v : f32
      memref.store %w, %b[%x, %i] : !tile
    }
    gpu.barrier
    scf.for %i = %y to %c16 step %c4 {
      %v = memref.load %b[%i, %x] : !tile
      memref.store %v, %out[%i, %x] : !in
    }
    gpu.return
  }
}
