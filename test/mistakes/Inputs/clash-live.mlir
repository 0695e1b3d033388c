// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {A;} : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32, "L1">)
  %b = memref.alloc() {B;} : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32, "L1">)
  memref.copy %a, %x : memref<16xf32, "L1"> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32, "L1"> to memref<16xf32>
  return
}
