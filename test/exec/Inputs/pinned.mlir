// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A place that the user asks for makes the arena larger than what was allocated.
func.func @pinned(%x: memref<64xi8>) {
  %a = memref.alloc() {berth.pin = 1024 : i64} : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  memref.copy %x, %a : memref<64xi8> to memref<64xi8>
  memref.copy %x, %b : memref<64xi8> to memref<64xi8>
  memref.copy %a, %x : memref<64xi8> to memref<64xi8>
  memref.copy %b, %x : memref<64xi8> to memref<64xi8>
  return
}
