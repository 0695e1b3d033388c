//===- Heap.mlir - The heap inside an arena, as MLIR functions -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lib/Heap/{FreeLists.h,Heap.c}, function by function, in memref, scf and arith;
// the algorithm and the arena's layout are told in berth-c/Heap.h. A test runs
// both on the same calls and compares every word of the two arenas.
//
// Words, sizes and statuses are i32; the arena is
//     !heap = memref<?xi32>
// an alias that whoever parses this text puts in front of it, so that the
// memory space can be chosen. A block that is 0 is none: reading its fields
// reads the arena's header, which is harmless, so that conditions need no
// short circuit. @berth_heap_check is in HeapCheck.mlir.
//
//   berth_heap_init(heap, mode) -> status     the arena is the whole memref
//   berth_heap_init_words(heap, words, mode) -> status
//   berth_heap_alloc(heap, count, stride) -> address, handle
//   berth_heap_alloc_aligned(heap, words, alignment) -> address, handle
//   berth_heap_free(heap, handle) -> status
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Words and tags
//===----------------------------------------------------------------------===//

func.func @berth_heap_get(%heap: !heap, %block: i32, %field: i32) -> i32 {
  %word = arith.addi %block, %field : i32
  %index = arith.index_castui %word : i32 to index
  %value = memref.load %heap[%index] : !heap
  return %value : i32
}

func.func @berth_heap_put(%heap: !heap, %block: i32, %field: i32, %value: i32) {
  %word = arith.addi %block, %field : i32
  %index = arith.index_castui %word : i32 to index
  memref.store %value, %heap[%index] : !heap
  return
}

func.func @berth_heap_size(%heap: !heap, %block: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %mask = arith.constant 0x3fffffff : i32
  %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %size = arith.andi %tag, %mask : i32
  return %size : i32
}

func.func @berth_heap_write_free(%heap: !heap, %block: i32, %size: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = arith.subi %size, %c1 : i32
  func.call @berth_heap_put(%heap, %block, %c0, %size) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %last, %size) : (!heap, i32, i32, i32) -> ()
  return
}

// The first failure stays in the status word, 3. Kernels look there without
// the lock, so only atomics touch it.
func.func @berth_heap_fail(%heap: !heap, %status: i32) {
  %c0 = arith.constant 0 : i32
  %word = arith.constant 3 : index
  %failed = arith.cmpi ne, %status, %c0 : i32
  scf.if %failed {
    %old = memref.atomic_rmw ori %c0, %heap[%word] : (i32, !heap) -> i32
    %first = arith.cmpi eq, %old, %c0 : i32
    scf.if %first {
      %before = memref.atomic_rmw ori %status, %heap[%word] : (i32, !heap) -> i32
    }
  }
  return
}

//===----------------------------------------------------------------------===//
// Lists of free blocks: in a block, word 1 is the next one, and word 2 says
// which word holds the block's own index; in the arena, words 9 to 12 are the
// bits of the classes with a block, and the lists begin at word 13
//===----------------------------------------------------------------------===//

// Four classes for each power of two, counted from that of 4 words. The highest
// bits are found as a float's exponent and mantissa, since that is what all
// targets can convert. What is cleared first, a bit whose third next is set,
// cannot be seen in the highest three, and keeps them from being rounded up.
func.func @berth_heap_class_of(%size: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c21 = arith.constant 21 : i32
  %bias = arith.constant 516 : i32
  %all = arith.constant 0xffffffff : i32
  %high = arith.shrui %size, %c3 : i32
  %keep = arith.xori %high, %all : i32
  %cut = arith.andi %size, %keep : i32
  %float = arith.uitofp %cut : i32 to f32
  %bits = arith.bitcast %float : f32 to i32
  %scaled = arith.shrui %bits, %c21 : i32
  %class = arith.subi %scaled, %bias : i32
  return %class : i32
}

func.func @berth_heap_is_same_class(%size: i32, %grown: i32) -> i1 {
  %class = func.call @berth_heap_class_of(%size) : (i32) -> i32
  %class_grown = func.call @berth_heap_class_of(%grown) : (i32) -> i32
  %same = arith.cmpi eq, %class, %class_grown : i32
  return %same : i1
}

func.func @berth_heap_first_block(%heap: !heap) -> i32 {
  %c0 = arith.constant 0 : i32
  %behind_first = arith.constant 14 : i32
  %words = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
  %class = func.call @berth_heap_class_of(%words) : (i32) -> i32
  %first = arith.addi %class, %behind_first : i32
  return %first : i32
}

// Of a word that is not 0.
func.func @berth_heap_lowest_bit(%map: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c23 = arith.constant 23 : i32
  %bias = arith.constant 127 : i32
  %negative = arith.subi %c0, %map : i32
  %bit = arith.andi %map, %negative : i32
  %float = arith.uitofp %bit : i32 to f32
  %bits = arith.bitcast %float : f32 to i32
  %exponent = arith.shrui %bits, %c23 : i32
  %place = arith.subi %exponent, %bias : i32
  return %place : i32
}

// The first class from `from` on that has a block, or 112.
func.func @berth_heap_next_class(%heap: !heap, %from: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %maps = arith.constant 9 : i32
  %classes = arith.constant 112 : i32
  %all = arith.constant 0xffffffff : i32
  %first = arith.shrui %from, %c5 : i32
  %place = arith.andi %from, %c31 : i32
  %mask = arith.shli %all, %place : i32
  %whole = func.call @berth_heap_get(%heap, %first, %maps) : (!heap, i32, i32) -> i32
  %part = arith.andi %whole, %mask : i32
  %found:2 = scf.while (%word = %first, %map = %part) : (i32, i32) -> (i32, i32) {
    %empty = arith.cmpi eq, %map, %c0 : i32
    %more_words = arith.cmpi ult, %word, %c3 : i32
    %more = arith.andi %empty, %more_words : i1
    scf.condition(%more) %word, %map : i32, i32
  } do {
  ^bb0(%word: i32, %map: i32):
    %next = arith.addi %word, %c1 : i32
    %next_map = func.call @berth_heap_get(%heap, %next, %maps) : (!heap, i32, i32) -> i32
    scf.yield %next, %next_map : i32, i32
  }
  %bit = func.call @berth_heap_lowest_bit(%found#1) : (i32) -> i32
  %before = arith.shli %found#0, %c5 : i32
  %class = arith.addi %before, %bit : i32
  %none = arith.cmpi eq, %found#1, %c0 : i32
  %result = arith.select %none, %classes, %class : i32
  return %result : i32
}

func.func @berth_heap_link(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %maps = arith.constant 9 : i32
  %lists = arith.constant 13 : i32
  %size = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %class = func.call @berth_heap_class_of(%size) : (i32) -> i32
  %list = arith.addi %class, %lists : i32
  %next = func.call @berth_heap_get(%heap, %list, %c0) : (!heap, i32, i32) -> i32
  func.call @berth_heap_put(%heap, %block, %c1, %next) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %c2, %list) : (!heap, i32, i32, i32) -> ()
  %holder = arith.addi %block, %c1 : i32
  func.call @berth_heap_put(%heap, %next, %c2, %holder) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %list, %c0, %block) : (!heap, i32, i32, i32) -> ()
  %word = arith.shrui %class, %c5 : i32
  %place = arith.andi %class, %c31 : i32
  %bit = arith.shli %c1, %place : i32
  %map = func.call @berth_heap_get(%heap, %word, %maps) : (!heap, i32, i32) -> i32
  %with = arith.ori %map, %bit : i32
  func.call @berth_heap_put(%heap, %word, %maps, %with) : (!heap, i32, i32, i32) -> ()
  return
}

func.func @berth_heap_unlink(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c5 = arith.constant 5 : i32
  %c31 = arith.constant 31 : i32
  %maps = arith.constant 9 : i32
  %lists = arith.constant 13 : i32
  %all = arith.constant 0xffffffff : i32
  %size = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %class = func.call @berth_heap_class_of(%size) : (i32) -> i32
  %next = func.call @berth_heap_get(%heap, %block, %c1) : (!heap, i32, i32) -> i32
  %back = func.call @berth_heap_get(%heap, %block, %c2) : (!heap, i32, i32) -> i32
  func.call @berth_heap_put(%heap, %back, %c0, %next) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %next, %c2, %back) : (!heap, i32, i32, i32) -> ()
  %head = func.call @berth_heap_get(%heap, %class, %lists) : (!heap, i32, i32) -> i32
  %empty = arith.cmpi eq, %head, %c0 : i32
  %word = arith.shrui %class, %c5 : i32
  %place = arith.andi %class, %c31 : i32
  %bit = arith.shli %c1, %place : i32
  %gone = arith.select %empty, %bit, %c0 : i32
  %keep = arith.xori %gone, %all : i32
  %map = func.call @berth_heap_get(%heap, %word, %maps) : (!heap, i32, i32) -> i32
  %without = arith.andi %map, %keep : i32
  func.call @berth_heap_put(%heap, %word, %maps, %without) : (!heap, i32, i32, i32) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Allocation: `words` are those of a whole block from here to @berth_heap_carve
//===----------------------------------------------------------------------===//

func.func @berth_heap_align_up(%value: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %rest = arith.remui %value, %alignment : i32
  %missing = arith.subi %alignment, %rest : i32
  %up = arith.addi %value, %missing : i32
  %aligned = arith.cmpi eq, %rest, %c0 : i32
  %result = arith.select %aligned, %value, %up : i32
  return %result : i32
}

func.func @berth_heap_start_in(%block: i32, %alignment: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %least = arith.constant 4 : i32
  %payload = arith.addi %block, %c1 : i32
  %aligned = func.call @berth_heap_align_up(%payload, %alignment) : (i32, i32) -> i32
  %start = arith.subi %aligned, %c1 : i32
  %front = arith.subi %start, %block : i32
  %has_front = arith.cmpi ne, %start, %block : i32
  %small = arith.cmpi ult, %front, %least : i32
  %move = arith.andi %has_front, %small : i1
  %further = arith.addi %payload, %least : i32
  %aligned_further = func.call @berth_heap_align_up(%further, %alignment) : (i32, i32) -> i32
  %start_further = arith.subi %aligned_further, %c1 : i32
  %result = arith.select %move, %start_further, %start : i32
  return %result : i32
}

func.func @berth_heap_fits_below(%block: i32, %end: i32, %words: i32, %alignment: i32) -> i1 {
  %start = func.call @berth_heap_start_in(%block, %alignment) : (i32, i32) -> i32
  %own_end = arith.addi %start, %words : i32
  %result = arith.cmpi ule, %own_end, %end : i32
  return %result : i1
}

func.func @berth_heap_fits(%heap: !heap, %block: i32, %words: i32, %alignment: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %size = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %end = arith.addi %block, %size : i32
  %result = func.call @berth_heap_fits_below(%block, %end, %words, %alignment) : (i32, i32, i32, i32) -> i1
  return %result : i1
}

func.func @berth_heap_find_in_own_class(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lists = arith.constant 13 : i32
  %most = arith.constant 4 : i32
  %class = func.call @berth_heap_class_of(%words) : (i32) -> i32
  %newest = func.call @berth_heap_get(%heap, %class, %lists) : (!heap, i32, i32) -> i32
  %found:3 = scf.while (%block = %newest, %best = %c0, %looks = %c0) : (i32, i32, i32) -> (i32, i32, i32) {
    %some = arith.cmpi ne, %block, %c0 : i32
    %few = arith.cmpi ult, %looks, %most : i32
    %more = arith.andi %some, %few : i1
    scf.condition(%more) %block, %best, %looks : i32, i32, i32
  } do {
  ^bb0(%block: i32, %best: i32, %looks: i32):
    %size = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
    %best_size = func.call @berth_heap_get(%heap, %best, %c0) : (!heap, i32, i32) -> i32
    %is_first = arith.cmpi eq, %best, %c0 : i32
    %smaller = arith.cmpi ult, %size, %best_size : i32
    %better = arith.ori %is_first, %smaller : i1
    %fit = func.call @berth_heap_fits(%heap, %block, %words, %alignment) : (!heap, i32, i32, i32) -> i1
    %take = arith.andi %better, %fit : i1
    %next_best = arith.select %take, %block, %best : i32
    %next = func.call @berth_heap_get(%heap, %block, %c1) : (!heap, i32, i32) -> i32
    %next_looks = arith.addi %looks, %c1 : i32
    scf.yield %next, %next_best, %next_looks : i32, i32, i32
  }
  return %found#1 : i32
}

func.func @berth_heap_find_in_larger_class(%heap: !heap, %class: i32, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lists = arith.constant 13 : i32
  %classes = arith.constant 112 : i32
  %found:2 = scf.while (%at = %class, %fit = %c0) : (i32, i32) -> (i32, i32) {
    %in_classes = arith.cmpi ult, %at, %classes : i32
    %none = arith.cmpi eq, %fit, %c0 : i32
    %more = arith.andi %in_classes, %none : i1
    scf.condition(%more) %at, %fit : i32, i32
  } do {
  ^bb0(%at: i32, %fit: i32):
    %block = func.call @berth_heap_get(%heap, %at, %lists) : (!heap, i32, i32) -> i32
    %good = func.call @berth_heap_fits(%heap, %block, %words, %alignment) : (!heap, i32, i32, i32) -> i1
    %next_fit = arith.select %good, %block, %c0 : i32
    %above = arith.addi %at, %c1 : i32
    %next = scf.if %good -> i32 {
      scf.yield %at : i32
    } else {
      %other = func.call @berth_heap_next_class(%heap, %above) : (!heap, i32) -> i32
      scf.yield %other : i32
    }
    scf.yield %next, %next_fit : i32, i32
  }
  return %found#1 : i32
}

func.func @berth_heap_find_anywhere(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lists = arith.constant 13 : i32
  %classes = arith.constant 112 : i32
  %true = arith.constant true
  %own = func.call @berth_heap_class_of(%words) : (i32) -> i32
  %first = func.call @berth_heap_next_class(%heap, %own) : (!heap, i32) -> i32
  %found:2 = scf.while (%at = %first, %fit = %c0) : (i32, i32) -> (i32, i32) {
    %in_classes = arith.cmpi ult, %at, %classes : i32
    %none = arith.cmpi eq, %fit, %c0 : i32
    %more = arith.andi %in_classes, %none : i1
    scf.condition(%more) %at, %fit : i32, i32
  } do {
  ^bb0(%at: i32, %fit: i32):
    // Up here, MLIR 19 does not take this block for the one of the inner loop, which
    // would have it go on with the class behind a block's number.
    %above = arith.addi %at, %c1 : i32
    %newest = func.call @berth_heap_get(%heap, %at, %lists) : (!heap, i32, i32) -> i32
    %next_fit = scf.while (%block = %newest) : (i32) -> i32 {
      %some = arith.cmpi ne, %block, %c0 : i32
      %good = func.call @berth_heap_fits(%heap, %block, %words, %alignment) : (!heap, i32, i32, i32) -> i1
      %bad = arith.xori %good, %true : i1
      %more = arith.andi %some, %bad : i1
      scf.condition(%more) %block : i32
    } do {
    ^bb0(%block: i32):
      %behind = func.call @berth_heap_get(%heap, %block, %c1) : (!heap, i32, i32) -> i32
      scf.yield %behind : i32
    }
    %next = func.call @berth_heap_next_class(%heap, %above) : (!heap, i32) -> i32
    scf.yield %next, %next_fit : i32, i32
  }
  return %found#1 : i32
}

func.func @berth_heap_is_near_class(%class: i32, %words: i32) -> i1 {
  %c3 = arith.constant 3 : i32
  %own = func.call @berth_heap_class_of(%words) : (i32) -> i32
  %last = arith.addi %own, %c3 : i32
  %result = arith.cmpi ule, %class, %last : i32
  return %result : i1
}

// The newest block of `class` if that is near and the block fits, or 0.
func.func @berth_heap_near(%heap: !heap, %class: i32, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %lists = arith.constant 13 : i32
  %classes = arith.constant 112 : i32
  %exists = arith.cmpi ult, %class, %classes : i32
  %close = func.call @berth_heap_is_near_class(%class, %words) : (i32, i32) -> i1
  %look = arith.andi %exists, %close : i1
  %result = scf.if %look -> i32 {
    %block = func.call @berth_heap_get(%heap, %class, %lists) : (!heap, i32, i32) -> i32
    %good = func.call @berth_heap_fits(%heap, %block, %words, %alignment) : (!heap, i32, i32, i32) -> i1
    %found = arith.select %good, %block, %c0 : i32
    scf.yield %found : i32
  } else {
    scf.yield %c0 : i32
  }
  return %result : i32
}

// A free block, or the words from the top on; 0 if nothing fits.
func.func @berth_heap_find_fit(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %top_word = arith.constant 5 : i32
  %rest_word = arith.constant 8 : i32
  %class = func.call @berth_heap_class_of(%words) : (i32) -> i32
  %filled = func.call @berth_heap_next_class(%heap, %class) : (!heap, i32) -> i32
  %has_own = arith.cmpi eq, %filled, %class : i32
  %own = scf.if %has_own -> i32 {
    %best = func.call @berth_heap_find_in_own_class(%heap, %words, %alignment) : (!heap, i32, i32) -> i32
    scf.yield %best : i32
  } else {
    scf.yield %c0 : i32
  }
  %own_fits = arith.cmpi ne, %own, %c0 : i32
  %result = scf.if %own_fits -> i32 {
    scf.yield %own : i32
  } else {
    %above = arith.addi %class, %c1 : i32
    %from = func.call @berth_heap_next_class(%heap, %above) : (!heap, i32) -> i32
    %near = func.call @berth_heap_near(%heap, %from, %words, %alignment) : (!heap, i32, i32, i32) -> i32
    %near_fits = arith.cmpi ne, %near, %c0 : i32
    %rest = func.call @berth_heap_get(%heap, %rest_word, %c0) : (!heap, i32, i32) -> i32
    %has_rest = arith.cmpi ne, %rest, %c0 : i32
    %room = func.call @berth_heap_fits(%heap, %rest, %words, %alignment) : (!heap, i32, i32, i32) -> i1
    %take_rest = arith.andi %has_rest, %room : i1
    %take = arith.ori %near_fits, %take_rest : i1
    %first = arith.select %near_fits, %near, %rest : i32
    %other = scf.if %take -> i32 {
      scf.yield %first : i32
    } else {
      %larger = func.call @berth_heap_find_in_larger_class(%heap, %from, %words, %alignment) : (!heap, i32, i32, i32) -> i32
      %larger_fits = arith.cmpi ne, %larger, %c0 : i32
      %last = scf.if %larger_fits -> i32 {
        scf.yield %larger : i32
      } else {
        %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
        %end = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
        %top_fits = func.call @berth_heap_fits_below(%top, %end, %words, %alignment) : (i32, i32, i32, i32) -> i1
        %any = scf.if %top_fits -> i32 {
          scf.yield %top : i32
        } else {
          %walked = func.call @berth_heap_find_anywhere(%heap, %words, %alignment) : (!heap, i32, i32) -> i32
          scf.yield %walked : i32
        }
        scf.yield %any : i32
      }
      scf.yield %last : i32
    }
    scf.yield %other : i32
  }
  return %result : i32
}

func.func @berth_heap_keep_front(%heap: !heap, %block: i32, %start: i32) {
  %front = arith.subi %start, %block : i32
  %has_front = arith.cmpi ne, %start, %block : i32
  scf.if %has_front {
    func.call @berth_heap_write_free(%heap, %block, %front) : (!heap, i32, i32) -> ()
    func.call @berth_heap_link(%heap, %block) : (!heap, i32) -> ()
  }
  return
}

func.func @berth_heap_write_live(%heap: !heap, %start: i32, %end: i32, %behind_free: i1) {
  %c0 = arith.constant 0 : i32
  %c6 = arith.constant 6 : i32
  %used = arith.constant 0x80000000 : i32
  %front_flag = arith.constant 0x40000000 : i32
  %taken = arith.subi %end, %start : i32
  %flag = arith.select %behind_free, %front_flag, %c0 : i32
  %flags = arith.ori %used, %flag : i32
  %tag = arith.ori %taken, %flags : i32
  func.call @berth_heap_put(%heap, %start, %c0, %tag) : (!heap, i32, i32, i32) -> ()
  %before = func.call @berth_heap_get(%heap, %c6, %c0) : (!heap, i32, i32) -> i32
  %after = arith.addi %before, %taken : i32
  func.call @berth_heap_put(%heap, %c6, %c0, %after) : (!heap, i32, i32, i32) -> ()
  return
}

func.func @berth_heap_carve_top(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %top_word = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
  %start = func.call @berth_heap_start_in(%top, %alignment) : (i32, i32) -> i32
  %end = arith.addi %start, %words : i32
  func.call @berth_heap_keep_front(%heap, %top, %start) : (!heap, i32, i32) -> ()
  %has_front = arith.cmpi ne, %start, %top : i32
  func.call @berth_heap_write_live(%heap, %start, %end, %has_front) : (!heap, i32, i32, i1) -> ()
  func.call @berth_heap_put(%heap, %top_word, %c0, %end) : (!heap, i32, i32, i32) -> ()
  %high = func.call @berth_heap_get(%heap, %c7, %c0) : (!heap, i32, i32) -> i32
  %higher = arith.maxui %high, %end : i32
  func.call @berth_heap_put(%heap, %c7, %c0, %higher) : (!heap, i32, i32, i32) -> ()
  return %start : i32
}

func.func @berth_heap_keep_tail(%heap: !heap, %block: i32, %size: i32, %is_rest: i1) {
  %c0 = arith.constant 0 : i32
  %rest_word = arith.constant 8 : i32
  func.call @berth_heap_write_free(%heap, %block, %size) : (!heap, i32, i32) -> ()
  %rest = func.call @berth_heap_get(%heap, %rest_word, %c0) : (!heap, i32, i32) -> i32
  %listed = arith.select %is_rest, %rest, %block : i32
  %some = arith.cmpi ne, %listed, %c0 : i32
  scf.if %some {
    func.call @berth_heap_link(%heap, %listed) : (!heap, i32) -> ()
  }
  %next_rest = arith.select %is_rest, %block, %rest : i32
  func.call @berth_heap_put(%heap, %rest_word, %c0, %next_rest) : (!heap, i32, i32, i32) -> ()
  return
}

func.func @berth_heap_carve(%heap: !heap, %block: i32, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %least = arith.constant 4 : i32
  %rest_word = arith.constant 8 : i32
  %others = arith.constant 0xbfffffff : i32
  %true = arith.constant true
  %size = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %block_end = arith.addi %block, %size : i32
  %start = func.call @berth_heap_start_in(%block, %alignment) : (i32, i32) -> i32
  %exact_end = arith.addi %start, %words : i32
  %left = arith.subi %block_end, %exact_end : i32
  %keep = arith.cmpi ult, %left, %least : i32
  %end = arith.select %keep, %block_end, %exact_end : i32
  %rest = func.call @berth_heap_get(%heap, %rest_word, %c0) : (!heap, i32, i32) -> i32
  %was_rest = arith.cmpi eq, %block, %rest : i32
  %tail_is_rest = scf.if %was_rest -> i1 {
    func.call @berth_heap_put(%heap, %rest_word, %c0, %c0) : (!heap, i32, i32, i32) -> ()
    scf.yield %true : i1
  } else {
    func.call @berth_heap_unlink(%heap, %block) : (!heap, i32) -> ()
    %class = func.call @berth_heap_class_of(%size) : (i32) -> i32
    %near = func.call @berth_heap_is_near_class(%class, %words) : (i32, i32) -> i1
    %far = arith.xori %near, %true : i1
    scf.yield %far : i1
  }
  func.call @berth_heap_keep_front(%heap, %block, %start) : (!heap, i32, i32) -> ()
  %tail = arith.subi %block_end, %end : i32
  %has_tail = arith.cmpi ne, %end, %block_end : i32
  scf.if %has_tail {
    func.call @berth_heap_keep_tail(%heap, %end, %tail, %tail_is_rest) : (!heap, i32, i32, i1) -> ()
  } else {
    %behind = func.call @berth_heap_get(%heap, %end, %c0) : (!heap, i32, i32) -> i32
    %cleared = arith.andi %behind, %others : i32
    func.call @berth_heap_put(%heap, %end, %c0, %cleared) : (!heap, i32, i32, i32) -> ()
  }
  %has_front = arith.cmpi ne, %start, %block : i32
  func.call @berth_heap_write_live(%heap, %start, %end, %has_front) : (!heap, i32, i32, i1) -> ()
  return %start : i32
}

// `words` of payload. Returns the handle or 0.
func.func @berth_heap_place(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %top_word = arith.constant 5 : i32
  %least = arith.constant 4 : i32
  %size = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
  %words_fit = arith.cmpi ult, %words, %size : i32
  %alignment_fits = arith.cmpi ult, %alignment, %size : i32
  %may_fit = arith.andi %words_fit, %alignment_fits : i1
  %handle = scf.if %may_fit -> i32 {
    %with_tag = arith.addi %words, %c1 : i32
    %block_words = arith.maxui %with_tag, %least : i32
    %found = func.call @berth_heap_find_fit(%heap, %block_words, %alignment) : (!heap, i32, i32) -> i32
    %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
    %is_top = arith.cmpi eq, %found, %top : i32
    %fits = arith.cmpi ne, %found, %c0 : i32
    %start = scf.if %is_top -> i32 {
      %new = func.call @berth_heap_carve_top(%heap, %block_words, %alignment) : (!heap, i32, i32) -> i32
      scf.yield %new : i32
    } else {
      %cut = scf.if %fits -> i32 {
        %new = func.call @berth_heap_carve(%heap, %found, %block_words, %alignment) : (!heap, i32, i32, i32) -> i32
        scf.yield %new : i32
      } else {
        scf.yield %c0 : i32
      }
      scf.yield %cut : i32
    }
    scf.yield %start : i32
  } else {
    scf.yield %c0 : i32
  }
  return %handle : i32
}

// Returns the handle or 0.
func.func @berth_heap_allocate(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %most = arith.constant 0x3fffffff : i32
  %exhausted = arith.constant 1 : i32
  %bad_size = arith.constant 2 : i32
  %bad_tag = arith.constant 5 : i32
  %no_alignment = arith.cmpi eq, %alignment, %c0 : i32
  %too_large = arith.cmpi ugt, %words, %most : i32
  %no_size = arith.ori %no_alignment, %too_large : i1
  %reason, %handle = scf.if %no_size -> (i32, i32) {
    scf.yield %bad_size, %c0 : i32, i32
  } else {
    %sound = func.call @berth_heap_sound_if_checked(%heap) : (!heap) -> i1
    %inner:2 = scf.if %sound -> (i32, i32) {
      %new = func.call @berth_heap_place(%heap, %words, %alignment) : (!heap, i32, i32) -> i32
      scf.yield %exhausted, %new : i32, i32
    } else {
      scf.yield %bad_tag, %c0 : i32, i32
    }
    scf.yield %inner#0, %inner#1 : i32, i32
  }
  %failed = arith.cmpi eq, %handle, %c0 : i32
  %failure = arith.select %failed, %reason, %c0 : i32
  func.call @berth_heap_fail(%heap, %failure) : (!heap, i32) -> ()
  return %handle : i32
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

func.func @berth_heap_is_checked(%heap: !heap) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %mode = func.call @berth_heap_get(%heap, %c1, %c0) : (!heap, i32, i32) -> i32
  %flag = arith.andi %mode, %c1 : i32
  %checked = arith.cmpi ne, %flag, %c0 : i32
  return %checked : i1
}

// In checked mode: are all tags good? Otherwise nobody asks.
func.func @berth_heap_sound_if_checked(%heap: !heap) -> i1 {
  %true = arith.constant true
  %checked = func.call @berth_heap_is_checked(%heap) : (!heap) -> i1
  %sound = scf.if %checked -> i1 {
    %good = func.call @berth_heap_check(%heap) : (!heap) -> i1
    scf.yield %good : i1
  } else {
    scf.yield %true : i1
  }
  return %sound : i1
}

// The block that contains the handle: the handle itself unless checked, when
// all tags, known to be good, are walked.
func.func @berth_heap_block_around(%heap: !heap, %handle: i32) -> i32 {
  %checked = func.call @berth_heap_is_checked(%heap) : (!heap) -> i1
  %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
  %from = arith.select %checked, %first, %handle : i32
  %found:2 = scf.while (%block = %from) : (i32) -> (i32, i32) {
    %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
    %end = arith.addi %block, %size : i32
    %before = arith.cmpi ule, %end, %handle : i32
    %more = arith.andi %before, %checked : i1
    scf.condition(%more) %block, %end : i32, i32
  } do {
  ^bb0(%block: i32, %end: i32):
    scf.yield %end : i32
  }
  return %found#0 : i32
}

func.func @berth_heap_why_not_live(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %top_word = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %double_free = arith.constant 3 : i32
  %foreign = arith.constant 4 : i32
  %true = arith.constant true
  %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
  %high = func.call @berth_heap_get(%heap, %c7, %c0) : (!heap, i32, i32) -> i32
  %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
  %low = arith.cmpi ult, %handle, %first : i32
  %beyond = arith.cmpi uge, %handle, %high : i32
  %never = arith.ori %low, %beyond : i1
  %below_top = arith.cmpi ult, %handle, %top : i32
  %was = arith.xori %never, %true : i1
  %among = arith.andi %was, %below_top : i1
  %inside = scf.if %among -> i32 {
    %block = func.call @berth_heap_block_around(%heap, %handle) : (!heap, i32) -> i32
    %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
    %live = arith.cmpi slt, %tag, %c0 : i32
    %status = arith.select %live, %foreign, %double_free : i32
    scf.yield %status : i32
  } else {
    scf.yield %double_free : i32
  }
  %result = arith.select %never, %foreign, %inside : i32
  return %result : i32
}

func.func @berth_heap_looks_live(%heap: !heap, %handle: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size_mask = arith.constant 0x3fffffff : i32
  %top_word = arith.constant 5 : i32
  %lists = arith.constant 13 : i32
  %false = arith.constant false
  %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
  %low = arith.cmpi uge, %handle, %lists : i32
  %high = arith.cmpi ult, %handle, %top : i32
  %inside = arith.andi %low, %high : i1
  %result = scf.if %inside -> i1 {
    %tag = func.call @berth_heap_get(%heap, %handle, %c0) : (!heap, i32, i32) -> i32
    %used = arith.cmpi slt, %tag, %c0 : i32
    %size = arith.andi %tag, %size_mask : i32
    %behind_tag = arith.subi %size, %c1 : i32
    %room = arith.subi %top, %handle : i32
    %fits = arith.cmpi ult, %behind_tag, %room : i32
    %live = arith.andi %used, %fits : i1
    scf.yield %live : i1
  } else {
    scf.yield %false : i1
  }
  return %result : i1
}

func.func @berth_heap_judge(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %bad_tag = arith.constant 5 : i32
  %false = arith.constant false
  %sound = func.call @berth_heap_sound_if_checked(%heap) : (!heap) -> i1
  %result = scf.if %sound -> i32 {
    %seems = func.call @berth_heap_looks_live(%heap, %handle) : (!heap, i32) -> i1
    %live = scf.if %seems -> i1 {
      %block = func.call @berth_heap_block_around(%heap, %handle) : (!heap, i32) -> i32
      %starts = arith.cmpi eq, %block, %handle : i32
      scf.yield %starts : i1
    } else {
      scf.yield %false : i1
    }
    %status = scf.if %live -> i32 {
      scf.yield %c0 : i32
    } else {
      %reason = func.call @berth_heap_why_not_live(%heap, %handle) : (!heap, i32) -> i32
      scf.yield %reason : i32
    }
    scf.yield %status : i32
  } else {
    scf.yield %bad_tag : i32
  }
  return %result : i32
}

func.func @berth_heap_release(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %top_word = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %rest_word = arith.constant 8 : i32
  %false = arith.constant false
  %true = arith.constant true
  %size_mask = arith.constant 0x3fffffff : i32
  %front_flag = arith.constant 0x40000000 : i32
  %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %own_size = arith.andi %tag, %size_mask : i32
  %own_end = arith.addi %block, %own_size : i32
  %rest = func.call @berth_heap_get(%heap, %rest_word, %c0) : (!heap, i32, i32) -> i32
  %top = func.call @berth_heap_get(%heap, %top_word, %c0) : (!heap, i32, i32) -> i32
  %is_last = arith.cmpi eq, %own_end, %top : i32
  %is_inner = arith.xori %is_last, %true : i1
  %used = func.call @berth_heap_get(%heap, %c6, %c0) : (!heap, i32, i32) -> i32
  %less = arith.subi %used, %own_size : i32
  func.call @berth_heap_put(%heap, %c6, %c0, %less) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %c0, %own_size) : (!heap, i32, i32, i32) -> ()
  %next_words, %next_is_rest = scf.if %is_inner -> (i32, i1) {
    %next_tag = func.call @berth_heap_get(%heap, %own_end, %c0) : (!heap, i32, i32) -> i32
    %next_live = arith.cmpi slt, %next_tag, %c0 : i32
    %merged:2 = scf.if %next_live -> (i32, i1) {
      scf.yield %c0, %false : i32, i1
    } else {
      %next_rest = arith.cmpi eq, %own_end, %rest : i32
      %next_listed = arith.xori %next_rest, %true : i1
      scf.if %next_listed {
        func.call @berth_heap_unlink(%heap, %own_end) : (!heap, i32) -> ()
      }
      scf.yield %next_tag, %next_rest : i32, i1
    }
    scf.yield %merged#0, %merged#1 : i32, i1
  } else {
    scf.yield %c0, %false : i32, i1
  }
  %end = arith.addi %own_end, %next_words : i32
  %flag = arith.andi %tag, %front_flag : i32
  %merge_front = arith.cmpi ne, %flag, %c0 : i32
  %start, %front_is_rest, %is_listed = scf.if %merge_front -> (i32, i1, i1) {
    %foot = arith.subi %block, %c1 : i32
    %front = func.call @berth_heap_get(%heap, %foot, %c0) : (!heap, i32, i32) -> i32
    %front_block = arith.subi %block, %front : i32
    %front_rest = arith.cmpi eq, %front_block, %rest : i32
    %front_listed = arith.xori %front_rest, %true : i1
    %grown = arith.subi %end, %front_block : i32
    %same = func.call @berth_heap_is_same_class(%front, %grown) : (i32, i32) -> i1
    %next_not_rest = arith.xori %next_is_rest, %true : i1
    %may_stay = arith.andi %is_inner, %next_not_rest : i1
    %in_class = arith.andi %may_stay, %same : i1
    %stays = arith.andi %in_class, %front_listed : i1
    %goes = arith.xori %in_class, %true : i1
    %leaves = arith.andi %goes, %front_listed : i1
    scf.if %leaves {
      func.call @berth_heap_unlink(%heap, %front_block) : (!heap, i32) -> ()
    }
    scf.yield %front_block, %front_rest, %stays : i32, i1, i1
  } else {
    scf.yield %block, %false, %false : i32, i1, i1
  }
  %is_rest = arith.ori %next_is_rest, %front_is_rest : i1
  scf.if %is_rest {
    %new_rest = arith.select %is_last, %c0, %start : i32
    func.call @berth_heap_put(%heap, %rest_word, %c0, %new_rest) : (!heap, i32, i32, i32) -> ()
  }
  scf.if %is_last {
    func.call @berth_heap_put(%heap, %top_word, %c0, %start) : (!heap, i32, i32, i32) -> ()
  } else {
    %size = arith.subi %end, %start : i32
    func.call @berth_heap_write_free(%heap, %start, %size) : (!heap, i32, i32) -> ()
    %behind = func.call @berth_heap_get(%heap, %end, %c0) : (!heap, i32, i32) -> i32
    %marked = arith.ori %behind, %front_flag : i32
    func.call @berth_heap_put(%heap, %end, %c0, %marked) : (!heap, i32, i32, i32) -> ()
    %placed = arith.ori %is_rest, %is_listed : i1
    %unplaced = arith.xori %placed, %true : i1
    scf.if %unplaced {
      func.call @berth_heap_link(%heap, %start) : (!heap, i32) -> ()
    }
  }
  return
}

func.func @berth_heap_deallocate(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %asked = arith.cmpi ne, %handle, %c0 : i32
  %result = scf.if %asked -> i32 {
    %status = func.call @berth_heap_judge(%heap, %handle) : (!heap, i32) -> i32
    %good = arith.cmpi eq, %status, %c0 : i32
    scf.if %good {
      func.call @berth_heap_release(%heap, %handle) : (!heap, i32) -> ()
    } else {
      func.call @berth_heap_fail(%heap, %status) : (!heap, i32) -> ()
    }
    scf.yield %status : i32
  } else {
    scf.yield %c0 : i32
  }
  return %result : i32
}

//===----------------------------------------------------------------------===//
// Calls. The critical section lies inside the try-lock's loop: lanes in lock
// step that fail to get the lock wait at the loop's end, not in front of it.
//
// The lock is taken and given back by bits, since that is what all targets can
// convert (SPIR-V has no conversion for an exchange). On GPUs these atomics are
// relaxed: what orders the bookkeeping is @berth_heap_fence. That and
// @berth_heap_is_shared are in HeapLock.mlir.
//===----------------------------------------------------------------------===//

func.func @berth_heap_try_lock(%heap: !heap) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lock = arith.constant 4 : index
  %true = arith.constant true
  %shared = func.call @berth_heap_is_shared(%heap) : (!heap) -> i1
  %got = scf.if %shared -> i1 {
    %old = memref.atomic_rmw ori %c1, %heap[%lock] : (i32, !heap) -> i32
    func.call @berth_heap_fence() : () -> ()
    %was_open = arith.cmpi eq, %old, %c0 : i32
    scf.yield %was_open : i1
  } else {
    scf.yield %true : i1
  }
  return %got : i1
}

func.func @berth_heap_unlock(%heap: !heap) {
  %c0 = arith.constant 0 : i32
  %lock = arith.constant 4 : index
  %shared = func.call @berth_heap_is_shared(%heap) : (!heap) -> i1
  scf.if %shared {
    func.call @berth_heap_fence() : () -> ()
    %old = memref.atomic_rmw andi %c0, %heap[%lock] : (i32, !heap) -> i32
  }
  return
}

// The arena is the whole memref.
func.func @berth_heap_init(%heap: !heap, %mode: i32) -> i32 {
  %dimension = arith.constant 0 : index
  %most = arith.constant 0x40000000 : index
  %words = memref.dim %heap, %dimension : !heap
  %bounded = arith.minui %words, %most : index
  %size = arith.index_castui %bounded : index to i32
  %status = func.call @berth_heap_init_words(%heap, %size, %mode) : (!heap, i32, i32) -> i32
  return %status : i32
}

// The arena is the first words of it.
func.func @berth_heap_init_words(%heap: !heap, %size: i32, %mode: i32) -> i32 {
  %fewest = arith.constant 29 : i32
  %most = arith.constant 0x3fffffff : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %second = arith.constant 2 : i32
  %top_word = arith.constant 5 : i32
  %high_water = arith.constant 7 : i32
  %bad_arena = arith.constant 6 : i32
  %enough = arith.cmpi uge, %size, %fewest : i32
  %not_too_many = arith.cmpi ule, %size, %most : i32
  %good = arith.andi %enough, %not_too_many : i1
  %result = scf.if %good -> i32 {
    func.call @berth_heap_put(%heap, %c0, %c0, %size) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_put(%heap, %c1, %c0, %mode) : (!heap, i32, i32, i32) -> ()
    %first = func.call @berth_heap_first_block(%heap) : (!heap) -> i32
    scf.for %word = %second to %first step %c1 : i32 {
      func.call @berth_heap_put(%heap, %word, %c0, %c0) : (!heap, i32, i32, i32) -> ()
    }
    func.call @berth_heap_put(%heap, %top_word, %c0, %first) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_put(%heap, %high_water, %c0, %first) : (!heap, i32, i32, i32) -> ()
    scf.yield %c0 : i32
  } else {
    scf.yield %bad_arena : i32
  }
  return %result : i32
}

func.func @berth_heap_alloc_aligned(%heap: !heap, %words: i32, %alignment: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %handle = scf.while : () -> i32 {
    %locked = func.call @berth_heap_try_lock(%heap) : (!heap) -> i1
    %new = scf.if %locked -> i32 {
      %got = func.call @berth_heap_allocate(%heap, %words, %alignment) : (!heap, i32, i32) -> i32
      func.call @berth_heap_unlock(%heap) : (!heap) -> ()
      scf.yield %got : i32
    } else {
      scf.yield %c0 : i32
    }
    %again = arith.xori %locked, %true : i1
    scf.condition(%again) %new : i32
  } do {
  ^bb0(%ignored: i32):
    scf.yield
  }
  %payload = arith.addi %handle, %c1 : i32
  %failed = arith.cmpi eq, %handle, %c0 : i32
  %address = arith.select %failed, %c0, %payload : i32
  return %address, %handle : i32, i32
}

func.func @berth_heap_alloc(%heap: !heap, %count: i32, %stride: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant 0xffffffff : i32
  %low, %high = arith.mului_extended %count, %stride : i32
  %overflows = arith.cmpi ne, %high, %c0 : i32
  %words = arith.select %overflows, %none, %low : i32
  %payload, %handle = func.call @berth_heap_alloc_aligned(%heap, %words, %stride) : (!heap, i32, i32) -> (i32, i32)
  %divisor = arith.maxui %stride, %c1 : i32
  %address = arith.divui %payload, %divisor : i32
  return %address, %handle : i32, i32
}

func.func @berth_heap_free(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %true = arith.constant true
  %status = scf.while : () -> i32 {
    %locked = func.call @berth_heap_try_lock(%heap) : (!heap) -> i1
    %new = scf.if %locked -> i32 {
      %result = func.call @berth_heap_deallocate(%heap, %handle) : (!heap, i32) -> i32
      func.call @berth_heap_unlock(%heap) : (!heap) -> ()
      scf.yield %result : i32
    } else {
      scf.yield %c0 : i32
    }
    %again = arith.xori %locked, %true : i1
    scf.condition(%again) %new : i32
  } do {
  ^bb0(%ignored: i32):
    scf.yield
  }
  return %status : i32
}
