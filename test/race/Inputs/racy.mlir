// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that races by itself: no barrier between its two phases.

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @racy(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %v = affine.load %in[%t] : !row
    affine.store %v, %x[%t] : !line
    %w = affine.load %x[63 - %t] : !line
    affine.store %w, %out[%t] : !row
    gpu.return
  }
}
