// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @one(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}
func.func @two(%x: memref<64xf32>, %c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  }
  return
}
