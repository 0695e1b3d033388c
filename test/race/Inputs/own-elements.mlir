// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread keeps to elements of its own, so that a wrong plan shows in the
// result only.

!line = memref<128xi32, #gpu.address_space<workgroup>>
!row = memref<128xi32>

gpu.module @kernels {
  gpu.func @own(%in: !row, %out: !row) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %v = affine.load %in[2 * %t] : !row
    affine.store %v, %x[2 * %t] : !line
    %twice = arith.addi %v, %v : i32
    affine.store %twice, %y[2 * %t] : !line
    %w = affine.load %y[2 * %t] : !line
    affine.store %w, %x[2 * %t + 1] : !line
    %a = affine.load %x[2 * %t] : !line
    %b = affine.load %x[2 * %t + 1] : !line
    affine.store %a, %out[2 * %t] : !row
    affine.store %b, %out[2 * %t + 1] : !row
    gpu.return
  }
}
