// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {gpu.container_module} {
  func.func @h(%x: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @k::@f blocks in (%c1,%c1,%c1) threads in (%c64,%c1,%c1) args(%x : memref<64xf32>)
    return
  }
  gpu.module @k {
    gpu.func @f(%x: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = memref.load %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %r, %x[%t] : memref<64xf32>
      gpu.return
    }
  }
}
