// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @moved(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%x : memref<8x8xf32, 77>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}

func.func @computed(%y: memref<8x8xf32, 77>) {
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%three : f32) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
