//===- FreeTree.h - The max-heap of free blocks --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A complete binary tree over the free blocks, ordered by size: no child is
// larger than its parent. Its nodes are the blocks, its links word indices.
// "Tree" here always means this one, so that "heap" can mean the allocator.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_HEAP_FREETREE_H
#define BERTH_LIB_HEAP_FREETREE_H

#include "berth-c/Heap.h"

static inline uint32_t blockSize(const uint32_t *arena, uint32_t block) {
  return arena[block] & BERTH_HEAP_TAG_SIZE;
}

/// Adds a free block whose tag is written.
void berthFreeTreeInsert(uint32_t *arena, uint32_t block);

/// Takes a block out. Its tag must still say what it said in the tree.
void berthFreeTreeRemove(uint32_t *arena, uint32_t block);

/// Lets `to` stand where `from` stood. The words of `from` are dead then. The
/// order is the caller's to restore, with one of the next two.
void berthFreeTreeReplace(uint32_t *arena, uint32_t from, uint32_t to);

/// Restores the order after a block's size has grown or shrunk.
void berthFreeTreeRise(uint32_t *arena, uint32_t block);
void berthFreeTreeSink(uint32_t *arena, uint32_t block);

#endif // BERTH_LIB_HEAP_FREETREE_H
