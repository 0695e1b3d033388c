// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @h(%x: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
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
