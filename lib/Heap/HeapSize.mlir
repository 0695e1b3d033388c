//===- HeapSize.mlir - Sizes that may be no size ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass berth-heap calls to turn the extents of an allocation into
// words. All of these are i64 and saturate at `cap`, 2^32 - 1, one more than
// any arena can serve; a negative extent makes them 2^32, for good. Both end
// as more words than any arena has, which the heap refuses as a bad size. An
// extent of 0 makes any size but a negative one 0.
//
//===----------------------------------------------------------------------===//

// `size` bytes or elements, `extent` times.
func.func @berth_heap_scale(%size: i64, %extent: index) -> i64 {
  %c0 = arith.constant 0 : i64
  %cap = arith.constant 0xffffffff : i64
  %negative = arith.constant 0x100000000 : i64
  %wide = arith.index_cast %extent : index to i64
  %is_negative = arith.cmpi slt, %wide, %c0 : i64
  %was_negative = arith.cmpi eq, %size, %negative : i64
  %bad = arith.ori %is_negative, %was_negative : i1
  %times = arith.minui %wide, %cap : i64
  %product = arith.muli %size, %times : i64
  %capped = arith.minui %product, %cap : i64
  %result = arith.select %bad, %negative, %capped : i64
  return %result : i64
}

// `elements` and the distance from the first to the last of `extent` more.
func.func @berth_heap_span(%elements: i64, %extent: index, %stride: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %cap = arith.constant 0xffffffff : i64
  %negative = arith.constant 0x100000000 : i64
  %wide = arith.index_cast %extent : index to i64
  %is_negative = arith.cmpi slt, %wide, %c0 : i64
  %was_negative = arith.cmpi eq, %elements, %negative : i64
  %bad = arith.ori %is_negative, %was_negative : i1
  %some = arith.maxsi %wide, %c1 : i64
  %steps = arith.subi %some, %c1 : i64
  %few_steps = arith.minui %steps, %cap : i64
  %short_stride = arith.minui %stride, %cap : i64
  %way = arith.muli %few_steps, %short_stride : i64
  %short_way = arith.minui %way, %cap : i64
  %sum = arith.addi %elements, %short_way : i64
  %capped = arith.minui %sum, %cap : i64
  %result = arith.select %bad, %negative, %capped : i64
  return %result : i64
}

func.func @berth_heap_words(%bytes: i64) -> i32 {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %up = arith.addi %bytes, %c3 : i64
  %words = arith.shrui %up, %c2 : i64
  %result = arith.trunci %words : i64 to i32
  return %result : i32
}

// Words, `extent` times, for kernels without 64-bit integers: what is negative
// or does not fit counts as 2^32 - 1.
func.func @berth_heap_scale_words(%words: i32, %extent: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %none = arith.constant 0xffffffff : i32
  %times = arith.index_cast %extent : index to i32
  %back = arith.index_cast %times : i32 to index
  %is_cut = arith.cmpi ne, %back, %extent : index
  %is_negative = arith.cmpi slt, %times, %c0 : i32
  %low, %high = arith.mului_extended %words, %times : i32
  %overflows = arith.cmpi ne, %high, %c0 : i32
  %is_no_factor = arith.ori %is_cut, %is_negative : i1
  %bad = arith.ori %is_no_factor, %overflows : i1
  %result = arith.select %bad, %none, %low : i32
  return %result : i32
}

// The handle of the block whose payload is at an address.
func.func @berth_heap_handle_at(%heap: !heap, %address: index) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %base = memref.extract_aligned_pointer_as_index %heap : !heap -> index
  %bytes = arith.subi %address, %base : index
  %words = arith.shrui %bytes, %c2 : index
  %word = arith.index_castui %words : index to i32
  %handle = arith.subi %word, %c1 : i32
  return %handle : i32
}

// Where a block's payload begins, in bytes from the arena's start.
func.func @berth_heap_shift(%handle: i32) -> index {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %word = arith.addi %handle, %c1 : i32
  %words = arith.index_castui %word : i32 to index
  %bytes = arith.shli %words, %c2 : index
  return %bytes : index
}
