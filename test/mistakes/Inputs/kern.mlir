// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @m {
  gpu.func @k(%x: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.return
  }
}
