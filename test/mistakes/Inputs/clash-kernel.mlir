// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @m {
  gpu.func @k(%x: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %i = arith.constant 3 : index
    %a = memref.alloc() {A;} : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() {B;} : memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %w = memref.load %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %u = memref.load %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %x[%t] : memref<64xf32>
    gpu.return
  }
}
