// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layer normalisation of a row: mean and variance by reductions in a tree, the
// row itself cached all the while.
// RUN: %race %s 128 | FileCheck %s

// CHECK: buffers: 3 of 3, bytes: 2048 -> 1536, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

!line = memref<128xf32, #gpu.address_space<workgroup>>
!cache = memref<256xf32, #gpu.address_space<workgroup>>
!row = memref<256xf32>

gpu.module @kernels {
  gpu.func @layer_norm(%in: !row, %out: !row) kernel {
    %count = arith.constant 256.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %cache = memref.alloc() : !cache
    %sums = memref.alloc() : !line
    %squares = memref.alloc() : !line
    %v0 = affine.load %in[%t] : !row
    %v1 = affine.load %in[%t + 128] : !row
    affine.store %v0, %cache[%t] : !cache
    affine.store %v1, %cache[%t + 128] : !cache
    %pair = arith.addf %v0, %v1 : f32
    affine.store %pair, %sums[%t] : !line
    gpu.barrier
    scf.for %k = %c0 to %c7 step %c1 {
      %half = arith.shrui %c64, %k : index
      %active = arith.cmpi ult, %t, %half : index
      scf.if %active {
        %other = arith.addi %t, %half : index
        %a = memref.load %sums[%t] : !line
        %b = memref.load %sums[%other] : !line
        %c = arith.addf %a, %b : f32
        memref.store %c, %sums[%t] : !line
      }
      gpu.barrier
    }
    %sum = affine.load %sums[0] : !line
    %mean = arith.divf %sum, %count : f32
    %d0 = arith.subf %v0, %mean : f32
    %d1 = arith.subf %v1, %mean : f32
    %q0 = arith.mulf %d0, %d0 : f32
    %q1 = arith.mulf %d1, %d1 : f32
    %q = arith.addf %q0, %q1 : f32
    affine.store %q, %squares[%t] : !line
    gpu.barrier
    scf.for %k = %c0 to %c7 step %c1 {
      %half = arith.shrui %c64, %k : index
      %active = arith.cmpi ult, %t, %half : index
      scf.if %active {
        %other = arith.addi %t, %half : index
        %a = memref.load %squares[%t] : !line
        %b = memref.load %squares[%other] : !line
        %c = arith.addf %a, %b : f32
        memref.store %c, %squares[%t] : !line
      }
      gpu.barrier
    }
    %total = affine.load %squares[0] : !line
    %variance = arith.divf %total, %count : f32
    %scale = math.rsqrt %variance : f32
    affine.for %i = 0 to 2 {
      %v = affine.load %cache[255 - %t - 128 * %i] : !cache
      %d = arith.subf %v, %mean : f32
      %n = arith.mulf %d, %scale : f32
      affine.store %n, %out[255 - %t - 128 * %i] : !row
    }
    gpu.return
  }
}
