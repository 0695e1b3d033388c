//===- HeapHost.mlir - Calls from ordinary functions -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass berth-heap calls outside of kernels; HeapKernel.mlir has the
// same functions for kernels. The callers assert on the status.
//
//===----------------------------------------------------------------------===//

func.func @berth_heap_open(%heap: !heap, %mode: i32) -> i32 {
  %status = func.call @berth_heap_init(%heap, %mode) : (!heap, i32) -> i32
  return %status : i32
}

// Status, the payload's first byte, handle.
func.func @berth_heap_take(%heap: !heap, %words: i32, %alignment: i32) -> (i32, index, i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %address, %handle = func.call @berth_heap_alloc_aligned(%heap, %words, %alignment) : (!heap, i32, i32) -> (i32, i32)
  %failed = arith.cmpi eq, %handle, %c0 : i32
  %reason = func.call @berth_heap_get(%heap, %c3, %c0) : (!heap, i32, i32) -> i32
  %status = arith.select %failed, %reason, %c0 : i32
  %shift = func.call @berth_heap_shift(%handle) : (i32) -> index
  return %status, %shift, %handle : i32, index, i32
}

func.func @berth_heap_give(%heap: !heap, %handle: i32) -> i32 {
  %status = func.call @berth_heap_free(%heap, %handle) : (!heap, i32) -> i32
  return %status : i32
}
