// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func private @g(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() {A;} : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32, "L1">)
  memref.copy %a, %x : memref<16xf32, "L1"> to memref<16xf32>
  return
}
func.func @f(%x: memref<16xf32>) {
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() {B;} : memref<16xf32, "L1">
  %c = memref.alloc() {berth.bank = 1} : memref<16xf32, "L1">
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32, "L1">)
  linalg.fill ins(%f : f32) outs(%c : memref<16xf32, "L1">)
  func.call @g(%x) : (memref<16xf32>) -> ()
  memref.copy %b, %x : memref<16xf32, "L1"> to memref<16xf32>
  memref.copy %c, %x : memref<16xf32, "L1"> to memref<16xf32>
  return
}
