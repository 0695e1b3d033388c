// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beside an offset the size is an earlier plan's: planned anew with all bytes.
func.func @again() {
  // CHECK: memref.alloc() {berth.offset = 0 : i64, berth.size = 64 : i64}
  %a = memref.alloc() {berth.offset = 0, berth.size = 32} : memref<8x8xi8, #npu.tiled<[8] -> (8), [8] -> (1)>, "L1">
  return
}
