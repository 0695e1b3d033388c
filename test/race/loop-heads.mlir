// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers only at the head of loops: whoever leaves the first loop may meet
// those that still read in its last turn. One barrier between the loops is
// cheaper than one in either; as blocks too.
// RUN: %race %s | FileCheck %s
// RUN: mlir-opt --lower-affine --convert-scf-to-cf %s -o %t.mlir
// RUN: %race %t.mlir | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 1024 -> 512, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!lines = memref<2x64xi32, #gpu.address_space<workgroup>>
!rows = memref<5x64xi32>

gpu.module @kernels {
  gpu.func @loops(%in: !rows, %out: !rows, %sums: !rows) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !lines
    %y = memref.alloc() : !lines
    affine.for %i = 0 to 5 {
      %v = affine.load %in[%i, %t] : !rows
      affine.store %v, %x[%i mod 2, %t] : !lines
      gpu.barrier
      %w = affine.load %x[%i mod 2, 63 - %t] : !lines
      affine.store %w, %out[%i, %t] : !rows
    }
    affine.for %i = 0 to 5 {
      %v = affine.load %in[%i, %t] : !rows
      affine.store %v, %y[%i mod 2, %t] : !lines
      gpu.barrier
      %w = affine.load %y[%i mod 2, (%t + 1) mod 64] : !lines
      affine.store %w, %sums[%i, %t] : !rows
    }
    gpu.return
  }
}
