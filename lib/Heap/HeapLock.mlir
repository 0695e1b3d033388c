//===- HeapLock.mlir - When the lock is taken, outside of global memory ----===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena's mode says whether calls may come from many threads. No fence: the
// atomics of CPUs acquire and release, and in workgroup memory only one thread
// works on the heap. Heaps in a device's global memory, where both is otherwise,
// have these two functions in HeapDevice.mlir and a file for each target.
//
//===----------------------------------------------------------------------===//

func.func @berth_heap_is_shared(%heap: !heap) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %locked_mode = arith.constant 2 : i32
  %mode = func.call @berth_heap_get(%heap, %c1, %c0) : (!heap, i32, i32) -> i32
  %flag = arith.andi %mode, %locked_mode : i32
  %shared = arith.cmpi ne, %flag, %c0 : i32
  return %shared : i1
}

func.func @berth_heap_fence() {
  return
}
