// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, "L1">
  %b = memref.alloc() : memref<64xf32, "L2">
  %c = memref.alloc() : memref<64xf32, "L2">
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, "L1">)
  linalg.exp ins(%a : memref<64xf32, "L1">) outs(%b : memref<64xf32, "L2">)
  linalg.exp ins(%b : memref<64xf32, "L2">) outs(%c : memref<64xf32, "L2">)
  linalg.add ins(%b, %c : memref<64xf32, "L2">, memref<64xf32, "L2">) outs(%y : memref<64xf32>)
  return
}
