// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without a result.

gpu.module @kernels {
  gpu.func @idle(%in: memref<4xi32>) kernel {
    gpu.return
  }
}
