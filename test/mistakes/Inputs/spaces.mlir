// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  %b = memref.alloc() : memref<64xf32, 2>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
  memref.copy %a, %b : memref<64xf32, 1> to memref<64xf32, 2>
  memref.copy %b, %x : memref<64xf32, 2> to memref<64xf32>
  return
}
