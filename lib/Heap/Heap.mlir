//===- Heap.mlir - The heap inside an arena, as MLIR functions -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lib/Heap/{FreeTree,Heap}.c, function by function, in memref, scf and arith;
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

func.func @berth_heap_set_previous_free(%heap: !heap, %block: i32, %free: i1) {
  %c0 = arith.constant 0 : i32
  %flag = arith.constant 0x40000000 : i32
  %others = arith.constant 0xbfffffff : i32
  %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %cleared = arith.andi %tag, %others : i32
  %set = arith.ori %tag, %flag : i32
  %new = arith.select %free, %set, %cleared : i32
  func.call @berth_heap_put(%heap, %block, %c0, %new) : (!heap, i32, i32, i32) -> ()
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
// The tree of free blocks: parent, left and right are words 1, 2 and 3
//===----------------------------------------------------------------------===//

func.func @berth_heap_link(%heap: !heap, %parent: i32, %side: i32, %child: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %has_parent = arith.cmpi ne, %parent, %c0 : i32
  scf.if %has_parent {
    func.call @berth_heap_put(%heap, %parent, %side, %child) : (!heap, i32, i32, i32) -> ()
  }
  %has_child = arith.cmpi ne, %child, %c0 : i32
  scf.if %has_child {
    func.call @berth_heap_put(%heap, %child, %c1, %parent) : (!heap, i32, i32, i32) -> ()
  }
  return
}

func.func @berth_heap_side_of(%heap: !heap, %parent: i32, %node: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %left = func.call @berth_heap_get(%heap, %parent, %c2) : (!heap, i32, i32) -> i32
  %is_left = arith.cmpi eq, %left, %node : i32
  %side = arith.select %is_left, %c2, %c3 : i32
  return %side : i32
}

func.func @berth_heap_hang_in_place_of(%heap: !heap, %old: i32, %node: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %parent = func.call @berth_heap_get(%heap, %old, %c1) : (!heap, i32, i32) -> i32
  %has_parent = arith.cmpi ne, %parent, %c0 : i32
  scf.if %has_parent {
    %side = func.call @berth_heap_side_of(%heap, %parent, %old) : (!heap, i32, i32) -> i32
    func.call @berth_heap_link(%heap, %parent, %side, %node) : (!heap, i32, i32, i32) -> ()
  } else {
    func.call @berth_heap_put(%heap, %c4, %c0, %node) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_put(%heap, %node, %c1, %c0) : (!heap, i32, i32, i32) -> ()
  }
  return
}

func.func @berth_heap_swap_with_parent(%heap: !heap, %node: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %parent = func.call @berth_heap_get(%heap, %node, %c1) : (!heap, i32, i32) -> i32
  %side = func.call @berth_heap_side_of(%heap, %parent, %node) : (!heap, i32, i32) -> i32
  %other = arith.subi %c5, %side : i32
  %sibling = func.call @berth_heap_get(%heap, %parent, %other) : (!heap, i32, i32) -> i32
  %left = func.call @berth_heap_get(%heap, %node, %c2) : (!heap, i32, i32) -> i32
  %right = func.call @berth_heap_get(%heap, %node, %c3) : (!heap, i32, i32) -> i32
  func.call @berth_heap_hang_in_place_of(%heap, %parent, %node) : (!heap, i32, i32) -> ()
  func.call @berth_heap_link(%heap, %node, %side, %parent) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_link(%heap, %node, %other, %sibling) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_link(%heap, %parent, %c2, %left) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_link(%heap, %parent, %c3, %right) : (!heap, i32, i32, i32) -> ()
  return
}

func.func @berth_heap_node_at(%heap: !heap, %k: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %half = arith.shrui %k, %c1 : i32
  %highest = scf.while (%bit = %c1) : (i32) -> i32 {
    %more = arith.cmpi ule, %bit, %half : i32
    scf.condition(%more) %bit : i32
  } do {
  ^bb0(%bit: i32):
    %double = arith.shli %bit, %c1 : i32
    scf.yield %double : i32
  }
  %first = arith.shrui %highest, %c1 : i32
  %root = func.call @berth_heap_get(%heap, %c4, %c0) : (!heap, i32, i32) -> i32
  %found:2 = scf.while (%bit = %first, %node = %root) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %bit, %c0 : i32
    scf.condition(%more) %bit, %node : i32, i32
  } do {
  ^bb0(%bit: i32, %node: i32):
    %masked = arith.andi %k, %bit : i32
    %goes_right = arith.cmpi ne, %masked, %c0 : i32
    %side = arith.select %goes_right, %c3, %c2 : i32
    %child = func.call @berth_heap_get(%heap, %node, %side) : (!heap, i32, i32) -> i32
    %next = arith.shrui %bit, %c1 : i32
    scf.yield %next, %child : i32, i32
  }
  return %found#1 : i32
}

func.func @berth_heap_rise(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
  scf.while : () -> () {
    %parent = func.call @berth_heap_get(%heap, %block, %c1) : (!heap, i32, i32) -> i32
    %has_parent = arith.cmpi ne, %parent, %c0 : i32
    %parent_size = func.call @berth_heap_size(%heap, %parent) : (!heap, i32) -> i32
    %smaller = arith.cmpi ult, %parent_size, %size : i32
    %more = arith.andi %has_parent, %smaller : i1
    scf.condition(%more)
  } do {
    func.call @berth_heap_swap_with_parent(%heap, %block) : (!heap, i32) -> ()
    scf.yield
  }
  return
}

func.func @berth_heap_larger_child(%heap: !heap, %node: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %left = func.call @berth_heap_get(%heap, %node, %c2) : (!heap, i32, i32) -> i32
  %right = func.call @berth_heap_get(%heap, %node, %c3) : (!heap, i32, i32) -> i32
  %has_right = arith.cmpi ne, %right, %c0 : i32
  %left_size = func.call @berth_heap_size(%heap, %left) : (!heap, i32) -> i32
  %right_size = func.call @berth_heap_size(%heap, %right) : (!heap, i32) -> i32
  %larger = arith.cmpi ugt, %right_size, %left_size : i32
  %take_right = arith.andi %has_right, %larger : i1
  %child = arith.select %take_right, %right, %left : i32
  return %child : i32
}

func.func @berth_heap_sink(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
  %end = scf.while : () -> i32 {
    %child = func.call @berth_heap_larger_child(%heap, %block) : (!heap, i32) -> i32
    %has_child = arith.cmpi ne, %child, %c0 : i32
    %child_size = func.call @berth_heap_size(%heap, %child) : (!heap, i32) -> i32
    %larger = arith.cmpi ugt, %child_size, %size : i32
    %more = arith.andi %has_child, %larger : i1
    scf.condition(%more) %child : i32
  } do {
  ^bb0(%child: i32):
    func.call @berth_heap_swap_with_parent(%heap, %child) : (!heap, i32) -> ()
    scf.yield
  }
  return
}

func.func @berth_heap_insert(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %count = func.call @berth_heap_get(%heap, %c5, %c0) : (!heap, i32, i32) -> i32
  %last = arith.addi %count, %c1 : i32
  func.call @berth_heap_put(%heap, %c5, %c0, %last) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %c1, %c0) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %c2, %c0) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %c3, %c0) : (!heap, i32, i32, i32) -> ()
  %is_only = arith.cmpi eq, %last, %c1 : i32
  scf.if %is_only {
    func.call @berth_heap_put(%heap, %c4, %c0, %block) : (!heap, i32, i32, i32) -> ()
  } else {
    %half = arith.shrui %last, %c1 : i32
    %parent = func.call @berth_heap_node_at(%heap, %half) : (!heap, i32) -> i32
    %odd = arith.andi %last, %c1 : i32
    %side = arith.addi %c2, %odd : i32
    func.call @berth_heap_link(%heap, %parent, %side, %block) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_rise(%heap, %block) : (!heap, i32) -> ()
  }
  return
}

func.func @berth_heap_replace(%heap: !heap, %from: i32, %to: i32) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  func.call @berth_heap_hang_in_place_of(%heap, %from, %to) : (!heap, i32, i32) -> ()
  %left = func.call @berth_heap_get(%heap, %from, %c2) : (!heap, i32, i32) -> i32
  func.call @berth_heap_link(%heap, %to, %c2, %left) : (!heap, i32, i32, i32) -> ()
  %right = func.call @berth_heap_get(%heap, %from, %c3) : (!heap, i32, i32) -> i32
  func.call @berth_heap_link(%heap, %to, %c3, %right) : (!heap, i32, i32, i32) -> ()
  return
}

func.func @berth_heap_remove(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %count = func.call @berth_heap_get(%heap, %c5, %c0) : (!heap, i32, i32) -> i32
  %last = func.call @berth_heap_node_at(%heap, %count) : (!heap, i32) -> i32
  %parent = func.call @berth_heap_get(%heap, %last, %c1) : (!heap, i32, i32) -> i32
  %fewer = arith.subi %count, %c1 : i32
  func.call @berth_heap_put(%heap, %c5, %c0, %fewer) : (!heap, i32, i32, i32) -> ()
  %has_parent = arith.cmpi ne, %parent, %c0 : i32
  scf.if %has_parent {
    %side = func.call @berth_heap_side_of(%heap, %parent, %last) : (!heap, i32, i32) -> i32
    func.call @berth_heap_put(%heap, %parent, %side, %c0) : (!heap, i32, i32, i32) -> ()
  } else {
    func.call @berth_heap_put(%heap, %c4, %c0, %c0) : (!heap, i32, i32, i32) -> ()
  }
  %leaves_gap = arith.cmpi ne, %last, %block : i32
  scf.if %leaves_gap {
    func.call @berth_heap_replace(%heap, %block, %last) : (!heap, i32, i32) -> ()
    func.call @berth_heap_rise(%heap, %last) : (!heap, i32) -> ()
    func.call @berth_heap_sink(%heap, %last) : (!heap, i32) -> ()
  }
  return
}

//===----------------------------------------------------------------------===//
// Allocation
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
  %least = arith.constant 5 : i32
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

func.func @berth_heap_block_words(%words: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %least = arith.constant 5 : i32
  %block = arith.addi %words, %c1 : i32
  %result = arith.maxui %block, %least : i32
  return %result : i32
}

func.func @berth_heap_fits(%heap: !heap, %block: i32, %words: i32, %alignment: i32) -> i1 {
  %start = func.call @berth_heap_start_in(%block, %alignment) : (i32, i32) -> i32
  %need = func.call @berth_heap_block_words(%words) : (i32) -> i32
  %end = arith.addi %start, %need : i32
  %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
  %block_end = arith.addi %block, %size : i32
  %result = arith.cmpi ule, %end, %block_end : i32
  return %result : i1
}

func.func @berth_heap_smaller_fit(%heap: !heap, %node: i32, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %left = func.call @berth_heap_get(%heap, %node, %c2) : (!heap, i32, i32) -> i32
  %right = func.call @berth_heap_get(%heap, %node, %c3) : (!heap, i32, i32) -> i32
  %has_left = arith.cmpi ne, %left, %c0 : i32
  %has_right = arith.cmpi ne, %right, %c0 : i32
  %left_would = func.call @berth_heap_fits(%heap, %left, %words, %alignment) : (!heap, i32, i32, i32) -> i1
  %right_would = func.call @berth_heap_fits(%heap, %right, %words, %alignment) : (!heap, i32, i32, i32) -> i1
  %left_fits = arith.andi %has_left, %left_would : i1
  %right_fits = arith.andi %has_right, %right_would : i1
  %left_size = func.call @berth_heap_size(%heap, %left) : (!heap, i32) -> i32
  %right_size = func.call @berth_heap_size(%heap, %right) : (!heap, i32) -> i32
  %right_smaller = arith.cmpi ult, %right_size, %left_size : i32
  %smaller = arith.select %right_smaller, %right, %left : i32
  %both = arith.andi %left_fits, %right_fits : i1
  %right_or_none = arith.select %right_fits, %right, %c0 : i32
  %one = arith.select %left_fits, %left, %right_or_none : i32
  %result = arith.select %both, %smaller, %one : i32
  return %result : i32
}

func.func @berth_heap_find_fit(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %root = func.call @berth_heap_get(%heap, %c4, %c0) : (!heap, i32, i32) -> i32
  %has_root = arith.cmpi ne, %root, %c0 : i32
  %root_would = func.call @berth_heap_fits(%heap, %root, %words, %alignment) : (!heap, i32, i32, i32) -> i1
  %root_fits = arith.andi %has_root, %root_would : i1
  %result = scf.if %root_fits -> i32 {
    %found:2 = scf.while (%node = %root) : (i32) -> (i32, i32) {
      %next = func.call @berth_heap_smaller_fit(%heap, %node, %words, %alignment) : (!heap, i32, i32, i32) -> i32
      %more = arith.cmpi ne, %next, %c0 : i32
      scf.condition(%more) %node, %next : i32, i32
    } do {
    ^bb0(%node: i32, %next: i32):
      scf.yield %next : i32
    }
    scf.yield %found#0 : i32
  } else {
    scf.yield %c0 : i32
  }
  return %result : i32
}

func.func @berth_heap_keep_rests(%heap: !heap, %block: i32, %front: i32, %tail_block: i32, %tail: i32) {
  %c0 = arith.constant 0 : i32
  %has_front = arith.cmpi ne, %front, %c0 : i32
  %has_tail = arith.cmpi ne, %tail, %c0 : i32
  scf.if %has_tail {
    func.call @berth_heap_write_free(%heap, %tail_block, %tail) : (!heap, i32, i32) -> ()
  }
  scf.if %has_front {
    func.call @berth_heap_write_free(%heap, %block, %front) : (!heap, i32, i32) -> ()
    func.call @berth_heap_sink(%heap, %block) : (!heap, i32) -> ()
    scf.if %has_tail {
      func.call @berth_heap_insert(%heap, %tail_block) : (!heap, i32) -> ()
    }
  } else {
    scf.if %has_tail {
      func.call @berth_heap_replace(%heap, %block, %tail_block) : (!heap, i32, i32) -> ()
      func.call @berth_heap_sink(%heap, %tail_block) : (!heap, i32) -> ()
    } else {
      func.call @berth_heap_remove(%heap, %block) : (!heap, i32) -> ()
    }
  }
  return
}

func.func @berth_heap_carve(%heap: !heap, %block: i32, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %least = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %c7 = arith.constant 7 : i32
  %used = arith.constant 0x80000000 : i32
  %size = func.call @berth_heap_size(%heap, %block) : (!heap, i32) -> i32
  %block_end = arith.addi %block, %size : i32
  %start = func.call @berth_heap_start_in(%block, %alignment) : (i32, i32) -> i32
  %need = func.call @berth_heap_block_words(%words) : (i32) -> i32
  %exact_end = arith.addi %start, %need : i32
  %rest = arith.subi %block_end, %exact_end : i32
  %keep = arith.cmpi ult, %rest, %least : i32
  %end = arith.select %keep, %block_end, %exact_end : i32
  %front = arith.subi %start, %block : i32
  %tail = arith.subi %block_end, %end : i32
  func.call @berth_heap_keep_rests(%heap, %block, %front, %end, %tail) : (!heap, i32, i32, i32, i32) -> ()
  %taken = arith.subi %end, %start : i32
  %tag = arith.ori %taken, %used : i32
  func.call @berth_heap_put(%heap, %start, %c0, %tag) : (!heap, i32, i32, i32) -> ()
  %has_front = arith.cmpi ne, %start, %block : i32
  func.call @berth_heap_set_previous_free(%heap, %start, %has_front) : (!heap, i32, i1) -> ()
  %has_tail = arith.cmpi ne, %end, %block_end : i32
  func.call @berth_heap_set_previous_free(%heap, %block_end, %has_tail) : (!heap, i32, i1) -> ()
  %before = func.call @berth_heap_get(%heap, %c6, %c0) : (!heap, i32, i32) -> i32
  %after = arith.addi %before, %taken : i32
  func.call @berth_heap_put(%heap, %c6, %c0, %after) : (!heap, i32, i32, i32) -> ()
  %high = func.call @berth_heap_get(%heap, %c7, %c0) : (!heap, i32, i32) -> i32
  %higher = arith.maxui %high, %end : i32
  func.call @berth_heap_put(%heap, %c7, %c0, %higher) : (!heap, i32, i32, i32) -> ()
  return %start : i32
}

// Returns the handle or 0.
func.func @berth_heap_allocate(%heap: !heap, %words: i32, %alignment: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %most = arith.constant 0x3fffffff : i32
  %exhausted = arith.constant 1 : i32
  %bad_size = arith.constant 2 : i32
  %bad_tag = arith.constant 5 : i32
  %no_alignment = arith.cmpi eq, %alignment, %c0 : i32
  %too_large = arith.cmpi ugt, %words, %most : i32
  %no_size = arith.ori %no_alignment, %too_large : i1
  %failure, %handle = scf.if %no_size -> (i32, i32) {
    scf.yield %bad_size, %c0 : i32, i32
  } else {
    %sound = func.call @berth_heap_sound_if_checked(%heap) : (!heap) -> i1
    %inner:2 = scf.if %sound -> (i32, i32) {
      %size = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
      %words_fit = arith.cmpi ult, %words, %size : i32
      %alignment_fits = arith.cmpi ult, %alignment, %size : i32
      %may_fit = arith.andi %words_fit, %alignment_fits : i1
      %found = scf.if %may_fit -> i32 {
        %fit = func.call @berth_heap_find_fit(%heap, %words, %alignment) : (!heap, i32, i32) -> i32
        scf.yield %fit : i32
      } else {
        scf.yield %c0 : i32
      }
      %fits = arith.cmpi ne, %found, %c0 : i32
      %placed:2 = scf.if %fits -> (i32, i32) {
        %start = func.call @berth_heap_carve(%heap, %found, %words, %alignment) : (!heap, i32, i32, i32) -> i32
        scf.yield %c0, %start : i32, i32
      } else {
        scf.yield %exhausted, %c0 : i32, i32
      }
      scf.yield %placed#0, %placed#1 : i32, i32
    } else {
      scf.yield %bad_tag, %c0 : i32, i32
    }
    scf.yield %inner#0, %inner#1 : i32, i32
  }
  func.call @berth_heap_fail(%heap, %failure) : (!heap, i32) -> ()
  return %handle : i32
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

// In checked mode: are all tags good? Otherwise nobody asks.
func.func @berth_heap_sound_if_checked(%heap: !heap) -> i1 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %mode = func.call @berth_heap_get(%heap, %c1, %c0) : (!heap, i32, i32) -> i32
  %flag = arith.andi %mode, %c1 : i32
  %checked = arith.cmpi ne, %flag, %c0 : i32
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
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 8 : i32
  %mode = func.call @berth_heap_get(%heap, %c1, %c0) : (!heap, i32, i32) -> i32
  %flag = arith.andi %mode, %c1 : i32
  %checked = arith.cmpi ne, %flag, %c0 : i32
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

func.func @berth_heap_judge(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 8 : i32
  %double_free = arith.constant 3 : i32
  %foreign = arith.constant 4 : i32
  %bad_tag = arith.constant 5 : i32
  %sound = func.call @berth_heap_sound_if_checked(%heap) : (!heap) -> i1
  %words = func.call @berth_heap_get(%heap, %c0, %c0) : (!heap, i32, i32) -> i32
  %end = arith.subi %words, %c1 : i32
  %low = arith.cmpi uge, %handle, %first : i32
  %high = arith.cmpi ult, %handle, %end : i32
  %inside = arith.andi %low, %high : i1
  %look = arith.andi %sound, %inside : i1
  %seen = scf.if %look -> i32 {
    %block = func.call @berth_heap_block_around(%heap, %handle) : (!heap, i32) -> i32
    %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
    %live = arith.cmpi slt, %tag, %c0 : i32
    %starts = arith.cmpi eq, %block, %handle : i32
    %ours = arith.select %starts, %c0, %foreign : i32
    %status = arith.select %live, %ours, %double_free : i32
    scf.yield %status : i32
  } else {
    scf.yield %foreign : i32
  }
  %result = arith.select %sound, %seen, %bad_tag : i32
  return %result : i32
}

func.func @berth_heap_release(%heap: !heap, %block: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  %true = arith.constant true
  %size_mask = arith.constant 0x3fffffff : i32
  %front_flag = arith.constant 0x40000000 : i32
  %tag = func.call @berth_heap_get(%heap, %block, %c0) : (!heap, i32, i32) -> i32
  %own_size = arith.andi %tag, %size_mask : i32
  %next = arith.addi %block, %own_size : i32
  %next_tag = func.call @berth_heap_get(%heap, %next, %c0) : (!heap, i32, i32) -> i32
  %merge_next = arith.cmpi sge, %next_tag, %c0 : i32
  %flag = arith.andi %tag, %front_flag : i32
  %merge_front = arith.cmpi ne, %flag, %c0 : i32
  %used = func.call @berth_heap_get(%heap, %c6, %c0) : (!heap, i32, i32) -> i32
  %less = arith.subi %used, %own_size : i32
  func.call @berth_heap_put(%heap, %c6, %c0, %less) : (!heap, i32, i32, i32) -> ()
  func.call @berth_heap_put(%heap, %block, %c0, %own_size) : (!heap, i32, i32, i32) -> ()
  %next_size = arith.andi %next_tag, %size_mask : i32
  %next_words = arith.select %merge_next, %next_size, %c0 : i32
  %with_next = arith.addi %own_size, %next_words : i32
  %start, %size = scf.if %merge_front -> (i32, i32) {
    scf.if %merge_next {
      func.call @berth_heap_remove(%heap, %next) : (!heap, i32) -> ()
    }
    %before = arith.subi %block, %c1 : i32
    %front = func.call @berth_heap_get(%heap, %before, %c0) : (!heap, i32, i32) -> i32
    %front_block = arith.subi %block, %front : i32
    %all = arith.addi %with_next, %front : i32
    scf.yield %front_block, %all : i32, i32
  } else {
    scf.if %merge_next {
      func.call @berth_heap_replace(%heap, %next, %block) : (!heap, i32, i32) -> ()
    }
    scf.yield %block, %with_next : i32, i32
  }
  func.call @berth_heap_write_free(%heap, %start, %size) : (!heap, i32, i32) -> ()
  %behind = arith.addi %start, %size : i32
  func.call @berth_heap_set_previous_free(%heap, %behind, %true) : (!heap, i32, i1) -> ()
  %merged = arith.ori %merge_next, %merge_front : i1
  scf.if %merged {
    func.call @berth_heap_rise(%heap, %start) : (!heap, i32) -> ()
  } else {
    func.call @berth_heap_insert(%heap, %start) : (!heap, i32) -> ()
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
  %lock = arith.constant 2 : index
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
  %lock = arith.constant 2 : index
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
  %fewest = arith.constant 14 : i32
  %most = arith.constant 0x3fffffff : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 8 : i32
  %bad_arena = arith.constant 6 : i32
  %end_tag = arith.constant 0xc0000000 : i32
  %enough = arith.cmpi uge, %size, %fewest : i32
  %not_too_many = arith.cmpi ule, %size, %most : i32
  %good = arith.andi %enough, %not_too_many : i1
  %result = scf.if %good -> i32 {
    %end = arith.subi %size, %c1 : i32
    %free = arith.subi %end, %first : i32
    func.call @berth_heap_put(%heap, %c0, %c0, %size) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_put(%heap, %c1, %c0, %mode) : (!heap, i32, i32, i32) -> ()
    scf.for %word = %c1 to %first step %c1 : i32 {
      func.call @berth_heap_put(%heap, %word, %c1, %c0) : (!heap, i32, i32, i32) -> ()
    }
    %high_water = arith.constant 7 : i32
    func.call @berth_heap_put(%heap, %high_water, %c0, %first) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_write_free(%heap, %first, %free) : (!heap, i32, i32) -> ()
    func.call @berth_heap_put(%heap, %end, %c0, %end_tag) : (!heap, i32, i32, i32) -> ()
    func.call @berth_heap_insert(%heap, %first) : (!heap, i32) -> ()
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
