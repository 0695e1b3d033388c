// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As re-entry, with no barrier at the loop's end: the second phase of a slow
// thread meets the next iteration of a fast one, too.
// RUN: %race %s | FileCheck %s

// CHECK: buffers: 2 of 2, bytes: 512 -> 256, barriers inserted: 2
// CHECK-NEXT: equal, no race
// CHECK-NEXT: without barrier 1: race
// CHECK-NEXT: without barrier 2: race

!line = memref<64xf32, #gpu.address_space<workgroup>>
!out = memref<4x64xf32>

gpu.module @kernels {
  gpu.func @phases(%in: !out, %out: !out) kernel {
    %t = gpu.thread_id x
    affine.for %i = 0 to 4 {
      %first = memref.alloc() : !line
      %second = memref.alloc() : !line
      %v = affine.load %in[%i, %t] : !out
      affine.store %v, %first[%t] : !line
      gpu.barrier
      %w = affine.load %first[(%t + 1) mod 64] : !line
      %d = arith.subf %w, %v : f32
      affine.store %d, %second[%t] : !line
      gpu.barrier
      %e = affine.load %second[(%t + 2) mod 64] : !line
      affine.store %e, %out[%i, %t] : !out
    }
    gpu.return
  }
}
