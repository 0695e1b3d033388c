// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @k {
  func.func @d(%x: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    return
  }
}
