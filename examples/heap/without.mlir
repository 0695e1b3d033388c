// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appended to longest.mlir: without Berth, the buffers come from malloc and the
// arena is not used.
func.func @main() {
  %nothing = memref.alloc() : memref<0xi8>
  %arena = memref.cast %nothing : memref<0xi8> to memref<?xi8>
  call @run(%arena) : (memref<?xi8>) -> ()
  memref.dealloc %nothing : memref<0xi8>
  return
}
