// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @one(%x: memref<8xi8>) {
  %a = memref.alloc() : memref<8xi8>
  memref.copy %x, %a : memref<8xi8> to memref<8xi8>
  memref.copy %a, %x : memref<8xi8> to memref<8xi8>
  return
}
