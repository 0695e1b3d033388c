// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
async.func @f() -> !async.token { 
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return }
