// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// README's example.
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp  ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return
}
