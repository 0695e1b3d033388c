// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax of a row: two reductions in a tree. The sums may take the bytes of the
// maxima once every thread has read the largest one.
// RUN: %race %s | FileCheck %s
// RUN: %race %s --arena=arena=dynamic --keep-barriers | FileCheck %s --check-prefix=FORM
// RUN: %race %s --arena=arena=global --keep-barriers | FileCheck %s --check-prefix=FORM

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 1
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race

// FORM: bytes: 512 -> 256, barriers inserted: 1
// FORM-NEXT: equal, no race

!line = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<256xf32>

gpu.module @kernels {
  gpu.func @softmax(%in: !row, %out: !row) kernel {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0e30 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %maxima = memref.alloc() : !line
    %sums = memref.alloc() : !line
    %most = affine.for %i = 0 to 4 iter_args(%so_far = %low) -> f32 {
      %v = affine.load %in[64 * %i + %t] : !row
      %larger = arith.maximumf %so_far, %v : f32
      affine.yield %larger : f32
    }
    affine.store %most, %maxima[%t] : !line
    gpu.barrier
    scf.for %k = %c0 to %c6 step %c1 {
      %half = arith.shrui %c32, %k : index
      %active = arith.cmpi ult, %t, %half : index
      scf.if %active {
        %other = arith.addi %t, %half : index
        %a = memref.load %maxima[%t] : !line
        %b = memref.load %maxima[%other] : !line
        %c = arith.maximumf %a, %b : f32
        memref.store %c, %maxima[%t] : !line
      }
      gpu.barrier
    }
    %max = affine.load %maxima[0] : !line
    %sum = affine.for %i = 0 to 4 iter_args(%so_far = %zero) -> f32 {
      %v = affine.load %in[64 * %i + %t] : !row
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      affine.store %e, %out[64 * %i + %t] : !row
      %s = arith.addf %so_far, %e : f32
      affine.yield %s : f32
    }
    affine.store %sum, %sums[%t] : !line
    gpu.barrier
    scf.for %k = %c0 to %c6 step %c1 {
      %half = arith.shrui %c32, %k : index
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
    %total = affine.load %sums[0] : !line
    affine.for %i = 0 to 4 {
      %e = affine.load %out[64 * %i + %t] : !row
      %p = arith.divf %e, %total : f32
      affine.store %p, %out[64 * %i + %t] : !row
    }
    gpu.return
  }
}
