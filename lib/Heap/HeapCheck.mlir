//===- HeapCheck.mlir - Does every word of bookkeeping still hold? ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lib/Heap/Check.c as MLIR functions, for the checked mode. Like it, this
// follows no index that it has not checked; where C returns early, a loop here
// carries "all good so far".
//
//===----------------------------------------------------------------------===//

func.func @berth_heap_in_blocks(%block: i32, %end: i32) -> i1 {
  %first = arith.constant 8 : i32
  %least = arith.constant 5 : i32
  %low = arith.cmpi uge, %block, %first : i32
  %high = arith.cmpi ult, %block, %end : i32
  %room = arith.subi %end, %block : i32
  %enough = arith.cmpi uge, %room, %least : i32
  %within = arith.andi %low, %high : i1
  %result = arith.andi %within, %enough : i1
  return %result : i1
}

// One step of the climb: is the link from `node` to `parent` good, and is the
// node the right child? `parent` may be anything.
func.func @berth_heap_check_link(%heap: !heap, %node: i32, %parent: i32, %end: i32) -> (i1, i1) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %false = arith.constant false
  %inside = func.call @berth_heap_in_blocks(%parent, %end) : (i32, i32) -> i1
  %result:2 = scf.if %inside -> (i1, i1) {
    %left = func.call @berth_heap_get(%heap, %parent, %c2) : (!heap, i32, i32) -> i32
    %right = func.call @berth_heap_get(%heap, %parent, %c3) : (!heap, i32, i32) -> i32
    %is_left = arith.cmpi eq, %left, %node : i32
    %is_right = arith.cmpi eq, %right, %node : i32
    %one = arith.xori %is_left, %is_right : i1
    %parent_size = func.call @berth_heap_size(%heap, %parent) : (!heap, i32) -> i32
    %size = func.call @berth_heap_size(%heap, %node) : (!heap, i32) -> i32
    %ordered = arith.cmpi uge, %parent_size, %size : i32
    %good = arith.andi %one, %ordered : i1
    scf.yield %good, %is_right : i1, i1
  } else {
    scf.yield %false, %false : i1, i1
  }
  return %result#0, %result#1 : i1, i1
}

// The block's position in the tree, or 0. `bit` is 1 << depth and runs out
// after 31 levels.
func.func @berth_heap_position_of(%heap: !heap, %block: i32, %end: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %bottom = arith.constant 0x80000000 : i32
  %false = arith.constant false
  %true = arith.constant true
  %top:4 = scf.while (%node = %block, %path = %c0, %bit = %c1, %good = %true) : (i32, i32, i32, i1) -> (i32, i32, i32, i1) {
    %parent = func.call @berth_heap_get(%heap, %node, %c1) : (!heap, i32, i32) -> i32
    %has_parent = arith.cmpi ne, %parent, %c0 : i32
    %climb = arith.andi %has_parent, %good : i1
    scf.condition(%climb) %node, %path, %bit, %good : i32, i32, i32, i1
  } do {
  ^bb0(%node: i32, %path: i32, %bit: i32, %good: i1):
    %parent = func.call @berth_heap_get(%heap, %node, %c1) : (!heap, i32, i32) -> i32
    %linked, %is_right = func.call @berth_heap_check_link(%heap, %node, %parent, %end) : (!heap, i32, i32, i32) -> (i1, i1)
    %longer = arith.ori %path, %bit : i32
    %next_path = arith.select %is_right, %longer, %path : i32
    %next_bit = arith.shli %bit, %c1 : i32
    %in_depth = arith.cmpi ne, %next_bit, %bottom : i32
    %still_good = arith.andi %linked, %in_depth : i1
    %next = arith.select %still_good, %parent, %node : i32
    scf.yield %next, %next_path, %next_bit, %still_good : i32, i32, i32, i1
  }
  %root = func.call @berth_heap_get(%heap, %c4, %c0) : (!heap, i32, i32) -> i32
  %at_root = arith.cmpi eq, %root, %top#0 : i32
  %reached = arith.andi %at_root, %top#3 : i1
  %position = arith.ori %top#1, %top#2 : i32
  %result = arith.select %reached, %position, %c0 : i32
  return %result : i32
}

func.func @berth_heap_check_node(%heap: !heap, %block: i32, %end: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %count = func.call @berth_heap_get(%heap, %c5, %c0) : (!heap, i32, i32) -> i32
  %position = func.call @berth_heap_position_of(%heap, %block, %end) : (!heap, i32, i32) -> i32
  %some = arith.cmpi ne, %position, %c0 : i32
  %in_count = arith.cmpi ule, %position, %count : i32
  // 2 * position <= count and 2 * position + 1 <= count, without overflow.
  %half = arith.shrui %count, %c1 : i32
  %expect_left = arith.cmpi ule, %position, %half : i32
  %fewer = arith.subi %count, %c1 : i32
  %half_fewer = arith.shrui %fewer, %c1 : i32
  %expect_right = arith.cmpi ule, %position, %half_fewer : i32
  %left = func.call @berth_heap_get(%heap, %block, %c2) : (!heap, i32, i32) -> i32
  %right = func.call @berth_heap_get(%heap, %block, %c3) : (!heap, i32, i32) -> i32
  %has_left = arith.cmpi ne, %left, %c0 : i32
  %has_right = arith.cmpi ne, %right, %c0 : i32
  %left_good = arith.cmpi eq, %has_left, %expect_left : i1
  %right_good = arith.cmpi eq, %has_right, %expect_right : i1
  %placed = arith.andi %some, %in_count : i1
  %children_good = arith.andi %left_good, %right_good : i1
  %result = arith.andi %placed, %children_good : i1
  return %result : i1
}

// `size` is known to lie within the arena.
func.func @berth_heap_check_free_block(%heap: !heap, %block: i32, %size: i32, %end: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %last = arith.subi %size, %c1 : i32
  %foot = func.call @berth_heap_get(%heap, %block, %last) : (!heap, i32, i32) -> i32
  %tag_good = arith.cmpi eq, %tag, %size : i32
  %foot_good = arith.cmpi eq, %foot, %size : i32
  %node_good = func.call @berth_heap_check_node(%heap, %block, %end) : (!heap, i32, i32) -> i1
  %ends_good = arith.andi %tag_good, %foot_good : i1
  %result = arith.andi %ends_good, %node_good : i1
  return %result : i1
}

// The walk: are all blocks good; how many are free; how many words are used.
func.func @berth_heap_check_blocks(%heap: !heap, %end: i32) -> (i1, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 8 : i32
  %least = arith.constant 5 : i32
  %front_flag = arith.constant 0x40000000 : i32
  %used_flag = arith.constant 0x80000000 : i32
  %false = arith.constant false
  %true = arith.constant true
  %all:5 = scf.while (%block = %first, %expected = %c0, %free = %c0, %used = %c0, %good = %true) : (i32, i32, i32, i32, i1) -> (i32, i32, i32, i32, i1) {
    %inside = arith.cmpi ult, %block, %end : i32
    %more = arith.andi %inside, %good : i1
    scf.condition(%more) %block, %expected, %free, %used, %good : i32, i32, i32, i32, i1
  } do {
  ^bb0(%block: i32, %expected: i32, %free: i32, %used: i32, %good: i1):
    %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
    %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
    %is_used = arith.cmpi slt, %tag, %c0 : i32
    %room = arith.subi %end, %block : i32
    %enough = arith.cmpi uge, %size, %least : i32
    %within = arith.cmpi ule, %size, %room : i32
    %flag = arith.andi %tag, %front_flag : i32
    %flag_good = arith.cmpi eq, %flag, %expected : i32
    %size_good = arith.andi %enough, %within : i1
    %tag_good = arith.andi %size_good, %flag_good : i1
    %not_used = arith.xori %is_used, %true : i1
    %look = arith.andi %tag_good, %not_used : i1
    %block_good = scf.if %look -> i1 {
      %result = func.call @berth_heap_check_free_block(%heap, %block, %size, %end) : (!heap, i32, i32, i32) -> i1
      scf.yield %result : i1
    } else {
      scf.yield %tag_good : i1
    }
    %next = arith.addi %block, %size : i32
    %next_expected = arith.select %is_used, %c0, %front_flag : i32
    %one_free = arith.select %is_used, %c0, %c1 : i32
    %words_used = arith.select %is_used, %size, %c0 : i32
    %next_free = arith.addi %free, %one_free : i32
    %next_used = arith.addi %used, %words_used : i32
    scf.yield %next, %next_expected, %next_free, %next_used, %block_good : i32, i32, i32, i32, i1
  }
  %end_tag = func.call @berth_heap_get(%heap, %end, %c0) : (!heap, i32, i32) -> i32
  %end_expected = arith.ori %used_flag, %all#1 : i32
  %end_good = arith.cmpi eq, %end_tag, %end_expected : i32
  %result = arith.andi %all#4, %end_good : i1
  return %result, %all#2, %all#3 : i1, i32, i32
}

func.func @berth_heap_check_header(%heap: !heap, %end: i32, %free_seen: i32, %used_seen: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %first = arith.constant 8 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %c7 = arith.constant 7 : i32
  %root = func.call @berth_heap_get(%heap, %c4, %c0) : (!heap, i32, i32) -> i32
  %free = func.call @berth_heap_get(%heap, %c5, %c0) : (!heap, i32, i32) -> i32
  %used = func.call @berth_heap_get(%heap, %c6, %c0) : (!heap, i32, i32) -> i32
  %high_water = func.call @berth_heap_get(%heap, %c7, %c0) : (!heap, i32, i32) -> i32
  %free_good = arith.cmpi eq, %free, %free_seen : i32
  %used_good = arith.cmpi eq, %used, %used_seen : i32
  %has_root = arith.cmpi ne, %root, %c0 : i32
  %has_free = arith.cmpi ne, %free_seen, %c0 : i32
  %root_good = arith.cmpi eq, %has_root, %has_free : i1
  %low = arith.cmpi uge, %high_water, %first : i32
  %high = arith.cmpi ule, %high_water, %end : i32
  %mark_good = arith.andi %low, %high : i1
  %counts_good = arith.andi %free_good, %used_good : i1
  %others_good = arith.andi %root_good, %mark_good : i1
  %result = arith.andi %counts_good, %others_good : i1
  return %result : i1
}

func.func @berth_heap_check(%heap: !heap) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %fewest = arith.constant 14 : i32
  %most = arith.constant 0x3fffffff : i32
  %false = arith.constant false
  %words = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
  %enough = arith.cmpi uge, %words, %fewest : i32
  %not_too_many = arith.cmpi ule, %words, %most : i32
  %sane = arith.andi %enough, %not_too_many : i1
  %result = scf.if %sane -> i1 {
    %end = arith.subi %words, %c1 : i32
    %blocks_good, %free, %used = func.call @berth_heap_check_blocks(%heap, %end) : (!heap, i32) -> (i1, i32, i32)
    %header_good = func.call @berth_heap_check_header(%heap, %end, %free, %used) : (!heap, i32, i32, i32) -> i1
    %good = arith.andi %blocks_good, %header_good : i1
    scf.yield %good : i1
  } else {
    scf.yield %false : i1
  }
  return %result : i1
}
