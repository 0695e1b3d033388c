// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @k {
  gpu.func @f(%x: memref<64xf32>) workgroup(%a : memref<64xf32, #gpu.address_space<workgroup>>, %b : memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = memref.load %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %r, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %q = memref.load %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %q, %x[%t] : memref<64xf32>
    gpu.return
  }
}
