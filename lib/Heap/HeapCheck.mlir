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

func.func @berth_heap_in_blocks(%heap: !heap, %block: i32, %top: i32) -> i1 {
  %least = arith.constant 4 : i32
  %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
  %low = arith.cmpi uge, %block, %first : i32
  %high = arith.cmpi ult, %block, %top : i32
  %room = arith.subi %top, %block : i32
  %enough = arith.cmpi uge, %room, %least : i32
  %within = arith.andi %low, %high : i1
  %result = arith.andi %within, %enough : i1
  return %result : i1
}

// `block` is one; what its links say may be anything.
func.func @berth_heap_check_links(%heap: !heap, %block: i32, %top: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %lists = arith.constant 13 : i32
  %false = arith.constant false
  %true = arith.constant true
  %next = func.call @berth_heap_get(%heap, %block, %c1) : (!heap, i32, i32) -> i32
  %back = func.call @berth_heap_get(%heap, %block, %c2) : (!heap, i32, i32) -> i32
  %low = arith.cmpi uge, %back, %lists : i32
  %high = arith.cmpi ult, %back, %top : i32
  %in_arena = arith.andi %low, %high : i1
  %back_good = scf.if %in_arena -> i1 {
    %held = func.call @berth_heap_get(%heap, %back, %c0) : (!heap, i32, i32) -> i32
    %own = arith.cmpi eq, %held, %block : i32
    scf.yield %own : i1
  } else {
    scf.yield %false : i1
  }
  %is_end = arith.cmpi eq, %next, %c0 : i32
  %next_in = func.call @berth_heap_in_blocks(%heap, %next, %top) : (!heap, i32, i32) -> i1
  %next_good = scf.if %next_in -> i1 {
    %next_back = func.call @berth_heap_get(%heap, %next, %c2) : (!heap, i32, i32) -> i32
    %holder = arith.addi %block, %c1 : i32
    %own = arith.cmpi eq, %next_back, %holder : i32
    scf.yield %own : i1
  } else {
    scf.yield %is_end : i1
  }
  %result = arith.andi %back_good, %next_good : i1
  return %result : i1
}

// `size` is known to lie in front of the top. Is the block good; is it the rest?
func.func @berth_heap_check_free_block(%heap: !heap, %block: i32, %size: i32, %top: i32) -> (i1, i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rest_word = arith.constant 8 : i32
  %true = arith.constant true
  %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %last = arith.subi %size, %c1 : i32
  %foot = func.call @berth_heap_get(%heap, %block, %last) : (!heap, i32, i32) -> i32
  %tag_good = arith.cmpi eq, %tag, %size : i32
  %foot_good = arith.cmpi eq, %foot, %size : i32
  %rest = func.call @berth_heap_get(%heap, %rest_word, %c0) : (!heap, i32, i32) -> i32
  %is_rest = arith.cmpi eq, %rest, %block : i32
  %links_good = scf.if %is_rest -> i1 {
    scf.yield %true : i1
  } else {
    %linked = func.call @berth_heap_check_links(%heap, %block, %top) : (!heap, i32, i32) -> i1
    scf.yield %linked : i1
  }
  %ends_good = arith.andi %tag_good, %foot_good : i1
  %result = arith.andi %ends_good, %links_good : i1
  return %result, %is_rest : i1, i1
}

// The walk: are all blocks good; how many words are used; was the rest met; of
// the linked blocks, how many, the sum, and the sum of squares.
func.func @berth_heap_check_blocks(%heap: !heap, %top: i32) -> (i1, i32, i1, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %least = arith.constant 4 : i32
  %front_flag = arith.constant 0x40000000 : i32
  %false = arith.constant false
  %true = arith.constant true
  %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
  %all:8 = scf.while (%block = %first, %expected = %c0, %used = %c0, %rest = %false, %count = %c0, %sum = %c0, %squares = %c0, %good = %true) : (i32, i32, i32, i1, i32, i32, i32, i1) -> (i32, i32, i32, i1, i32, i32, i32, i1) {
    %inside = arith.cmpi ult, %block, %top : i32
    %more = arith.andi %inside, %good : i1
    scf.condition(%more) %block, %expected, %used, %rest, %count, %sum, %squares, %good : i32, i32, i32, i1, i32, i32, i32, i1
  } do {
  ^bb0(%block: i32, %expected: i32, %used: i32, %rest: i1, %count: i32, %sum: i32, %squares: i32, %good: i1):
    %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
    %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
    %is_used = arith.cmpi slt, %tag, %c0 : i32
    %room = arith.subi %top, %block : i32
    %enough = arith.cmpi uge, %size, %least : i32
    %within = arith.cmpi ule, %size, %room : i32
    %flag = arith.andi %tag, %front_flag : i32
    %flag_good = arith.cmpi eq, %flag, %expected : i32
    %size_good = arith.andi %enough, %within : i1
    %tag_good = arith.andi %size_good, %flag_good : i1
    %not_used = arith.xori %is_used, %true : i1
    %look = arith.andi %tag_good, %not_used : i1
    %looked:2 = scf.if %look -> (i1, i1) {
      %free_good, %is_rest = func.call @berth_heap_check_free_block(%heap, %block, %size, %top) : (!heap, i32, i32, i32) -> (i1, i1)
      scf.yield %free_good, %is_rest : i1, i1
    } else {
      scf.yield %tag_good, %true : i1, i1
    }
    %next = arith.addi %block, %size : i32
    %next_expected = arith.select %is_used, %c0, %front_flag : i32
    %words_used = arith.select %is_used, %size, %c0 : i32
    %next_used = arith.addi %used, %words_used : i32
    %this_rest = arith.andi %not_used, %looked#1 : i1
    %next_rest = arith.ori %rest, %this_rest : i1
    %one = arith.select %looked#1, %false, %true : i1
    %one_more = arith.extui %one : i1 to i32
    %next_count = arith.addi %count, %one_more : i32
    %met = arith.muli %block, %one_more : i32
    %next_sum = arith.addi %sum, %met : i32
    %square = arith.muli %met, %met : i32
    %next_squares = arith.addi %squares, %square : i32
    scf.yield %next, %next_expected, %next_used, %next_rest, %next_count, %next_sum, %next_squares, %looked#0 : i32, i32, i32, i1, i32, i32, i32, i1
  }
  %end_good = arith.cmpi eq, %all#1, %c0 : i32
  %result = arith.andi %all#7, %end_good : i1
  return %result, %all#2, %all#3, %all#4, %all#5, %all#6 : i1, i32, i1, i32, i32, i32
}

// Of what a list holds, at `back`: may it be a block of the class?
func.func @berth_heap_is_listed(%heap: !heap, %block: i32, %class: i32, %back: i32, %top: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %least = arith.constant 4 : i32
  %false = arith.constant false
  %inside = func.call @berth_heap_in_blocks(%heap, %block, %top) : (!heap, i32, i32) -> i1
  %result = scf.if %inside -> i1 {
    %size = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
    %room = arith.subi %top, %block : i32
    %enough = arith.cmpi uge, %size, %least : i32
    %within = arith.cmpi ule, %size, %room : i32
    %size_good = arith.andi %enough, %within : i1
    %own_class = func.call @berth_heap_class_of(%size) : (i32) -> i32
    %class_good = arith.cmpi eq, %own_class, %class : i32
    %own_back = func.call @berth_heap_get(%heap, %block, %c2) : (!heap, i32, i32) -> i32
    %back_good = arith.cmpi eq, %own_back, %back : i32
    %placed = arith.andi %class_good, %back_good : i1
    %good = arith.andi %size_good, %placed : i1
    scf.yield %good : i1
  } else {
    scf.yield %false : i1
  }
  return %result : i1
}

// Is the list good; the tally with its blocks.
func.func @berth_heap_check_list(%heap: !heap, %class: i32, %top: i32, %count: i32, %sum: i32, %squares: i32) -> (i1, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %maps = arith.constant 9 : i32
  %lists = arith.constant 13 : i32
  %true = arith.constant true
  %head = arith.addi %class, %lists : i32
  %word = arith.shrui %class, %c5 : i32
  %place = arith.andi %class, %c31 : i32
  %map = func.call @berth_heap_get(%heap, %word, %maps) : (!heap, i32, i32) -> i32
  %shifted = arith.shrui %map, %place : i32
  %bit = arith.andi %shifted, %c1 : i32
  %is_marked = arith.cmpi ne, %bit, %c0 : i32
  %newest = func.call @berth_heap_get(%heap, %head, %c0) : (!heap, i32, i32) -> i32
  %has_block = arith.cmpi ne, %newest, %c0 : i32
  %mark_good = arith.cmpi eq, %is_marked, %has_block : i1
  %all:6 = scf.while (%block = %newest, %back = %head, %n = %count, %s = %sum, %q = %squares, %good = %mark_good) : (i32, i32, i32, i32, i32, i1) -> (i32, i32, i32, i32, i32, i1) {
    %some = arith.cmpi ne, %block, %c0 : i32
    %more = arith.andi %some, %good : i1
    scf.condition(%more) %block, %back, %n, %s, %q, %good : i32, i32, i32, i32, i32, i1
  } do {
  ^bb0(%block: i32, %back: i32, %n: i32, %s: i32, %q: i32, %good: i1):
    %listed = func.call @berth_heap_is_listed(%heap, %block, %class, %back, %top) : (!heap, i32, i32, i32, i32) -> i1
    %holder = arith.addi %block, %c1 : i32
    %behind = scf.if %listed -> i32 {
      %next = func.call @berth_heap_get(%heap, %block, %c1) : (!heap, i32, i32) -> i32
      scf.yield %next : i32
    } else {
      scf.yield %c0 : i32
    }
    %next_n = arith.addi %n, %c1 : i32
    %next_s = arith.addi %s, %block : i32
    %square = arith.muli %block, %block : i32
    %next_q = arith.addi %q, %square : i32
    scf.yield %behind, %holder, %next_n, %next_s, %next_q, %listed : i32, i32, i32, i32, i32, i1
  }
  return %all#5, %all#2, %all#3, %all#4 : i1, i32, i32, i32
}

func.func @berth_heap_check_lists(%heap: !heap, %top: i32) -> (i1, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lists = arith.constant 13 : i32
  %none = arith.constant 112 : i32
  %true = arith.constant true
  %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
  %classes = arith.subi %first, %lists : i32
  %all:5 = scf.while (%class = %c0, %n = %c0, %s = %c0, %q = %c0, %good = %true) : (i32, i32, i32, i32, i1) -> (i32, i32, i32, i32, i1) {
    %inside = arith.cmpi ult, %class, %classes : i32
    %more = arith.andi %inside, %good : i1
    scf.condition(%more) %class, %n, %s, %q, %good : i32, i32, i32, i32, i1
  } do {
  ^bb0(%class: i32, %n: i32, %s: i32, %q: i32, %good: i1):
    %list_good, %next_n, %next_s, %next_q = func.call @berth_heap_check_list(%heap, %class, %top, %n, %s, %q) : (!heap, i32, i32, i32, i32, i32) -> (i1, i32, i32, i32)
    %next = arith.addi %class, %c1 : i32
    scf.yield %next, %next_n, %next_s, %next_q, %list_good : i32, i32, i32, i32, i1
  }
  %beyond = func.call @berth_heap_next_class(%heap, %classes) : (!heap, i32) -> i32
  %no_more = arith.cmpi eq, %beyond, %none : i32
  %result = arith.andi %all#4, %no_more : i1
  return %result, %all#1, %all#2, %all#3 : i1, i32, i32, i32
}

func.func @berth_heap_check_header(%heap: !heap, %top: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
  %words = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
  %high_water = func.call @berth_heap_get(%heap, %c7, %c0) : (!heap, i32, i32) -> i32
  %low = arith.cmpi uge, %top, %first : i32
  %high = arith.cmpi ule, %top, %words : i32
  %top_good = arith.andi %low, %high : i1
  %above = arith.cmpi uge, %high_water, %top : i32
  %below = arith.cmpi ule, %high_water, %words : i32
  %mark_good = arith.andi %above, %below : i1
  %result = arith.andi %top_good, %mark_good : i1
  return %result : i1
}

func.func @berth_heap_check_counts(%heap: !heap, %used_seen: i32, %rest_seen: i1) -> i1 {
  %c0 = arith.constant 0 : i32
  %c6 = arith.constant 6 : i32
  %rest_word = arith.constant 8 : i32
  %used = func.call @berth_heap_get(%heap, %c6, %c0) : (!heap, i32, i32) -> i32
  %rest = func.call @berth_heap_get(%heap, %rest_word, %c0) : (!heap, i32, i32) -> i32
  %used_good = arith.cmpi eq, %used, %used_seen : i32
  %has_rest = arith.cmpi ne, %rest, %c0 : i32
  %rest_good = arith.cmpi eq, %has_rest, %rest_seen : i1
  %result = arith.andi %used_good, %rest_good : i1
  return %result : i1
}

func.func @berth_heap_check(%heap: !heap) -> i1 {
  %c0 = arith.constant 0 : i32
  %top_word = arith.constant 5 : i32
  %fewest = arith.constant 29 : i32
  %most = arith.constant 0x3fffffff : i32
  %false = arith.constant false
  %words = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
  %enough = arith.cmpi uge, %words, %fewest : i32
  %not_too_many = arith.cmpi ule, %words, %most : i32
  %sane = arith.andi %enough, %not_too_many : i1
  %header_good = scf.if %sane -> i1 {
    %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
    %good = func.call @berth_heap_check_header(%heap, %top) : (!heap, i32) -> i1
    scf.yield %good : i1
  } else {
    scf.yield %false : i1
  }
  %result = scf.if %header_good -> i1 {
    %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
    %blocks_good, %used, %rest, %count, %sum, %squares = func.call @berth_heap_check_blocks(%heap, %top) : (!heap, i32) -> (i1, i32, i1, i32, i32, i32)
    %lists_good, %listed_count, %listed_sum, %listed_squares = func.call @berth_heap_check_lists(%heap, %top) : (!heap, i32) -> (i1, i32, i32, i32)
    %counts_good = func.call @berth_heap_check_counts(%heap, %used, %rest) : (!heap, i32, i1) -> i1
    %same_count = arith.cmpi eq, %count, %listed_count : i32
    %same_sum = arith.cmpi eq, %sum, %listed_sum : i32
    %same_squares = arith.cmpi eq, %squares, %listed_squares : i32
    %walks_good = arith.andi %blocks_good, %lists_good : i1
    %sums_good = arith.andi %same_sum, %same_squares : i1
    %same = arith.andi %same_count, %sums_good : i1
    %words_good = arith.andi %walks_good, %counts_good : i1
    %good = arith.andi %words_good, %same : i1
    scf.yield %good : i1
  } else {
    scf.yield %false : i1
  }
  return %result : i1
}
