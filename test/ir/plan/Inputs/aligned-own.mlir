// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @own(%v: i8) {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() {berth.pin = 0} : memref<4xi8>
  %a = memref.alloc() : memref<16xf32>
  memref.store %v, %s[%c0] : memref<4xi8>
  "x.mma"(%a) : (memref<16xf32>) -> ()
  %w = memref.load %s[%c0] : memref<4xi8>
  "x.use"(%w) : (i8) -> ()
  return
}
