// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
memref.global "private" @g : memref<4xf32, 1> = uninitialized
func.func @f(%x: memref<4xf32>) {
  %g = memref.get_global @g : memref<4xf32, 1>
  memref.copy %x, %g : memref<4xf32> to memref<4xf32, 1>
  return
}
