// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @f(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
