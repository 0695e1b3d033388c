// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f(%x: memref<16xi8>) {
  %a = "npu.make"() : () -> memref<16xi8>
  memref.copy %x, %a : memref<16xi8> to memref<16xi8>
  return
}
