// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  module @a {
    func.func @f(%x: memref<64xf32>) {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %x, %a : memref<64xf32> to memref<64xf32>
      memref.copy %a, %x : memref<64xf32> to memref<64xf32>
      return
    }
  }
  module @b {
    func.func @f(%x: memref<64xf32>) {
      %a = memref.alloc() : memref<64xf32, 1>
      memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
      memref.copy %a, %x : memref<64xf32, 1> to memref<64xf32>
      return
    }
  }
}
