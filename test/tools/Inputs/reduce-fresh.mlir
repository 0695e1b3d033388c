// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func private @printI64(i64)
func.func @main() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi64>
  %z = memref.load %a[%c1] : memref<8xi64>
  func.call @printI64(%z) : (i64) -> ()
  return
}
