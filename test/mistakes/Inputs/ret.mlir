// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f(%x: memref<64xf32>) -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  return %a : memref<64xf32>
}
