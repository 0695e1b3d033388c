// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers only inside of loops: the one at the end of the first loop keeps the
// two loops apart, and nothing has to be inserted.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 0
// CHECK-NEXT: equal, no race
// CHECK-NOT: {{.}}

!line = memref<64xi32, #gpu.address_space<workgroup>>
!rows = memref<4x64xi32>

gpu.module @kernels {
  gpu.func @loops(%in: !rows, %out: !rows) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    affine.for %i = 0 to 4 {
      %v = affine.load %in[%i, %t] : !rows
      affine.store %v, %x[%t] : !line
      gpu.barrier
      %w = affine.load %x[63 - %t] : !line
      affine.store %w, %out[%i, %t] : !rows
      gpu.barrier
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %out[%i, %t] : !rows
      affine.store %v, %y[%t] : !line
      gpu.barrier
      %w = affine.load %y[(%t + 1) mod 64] : !line
      %sum = arith.addi %v, %w : i32
      affine.store %sum, %out[%i, %t] : !rows
      gpu.barrier
    }
    gpu.return
  }
}
