// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f() {
  %a = memref.alloc() : memref<64xf32>
  "foo.bar"(%a) : (memref<64xf32>) -> ()
  return
}
