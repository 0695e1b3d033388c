//===- FreeTree.c - The max-heap of free blocks --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariants between calls, for n = arena[FREE_BLOCKS] nodes:
//   - node 1 is arena[ROOT], node k's parent is node k / 2;
//   - nodes 1 .. n exist and no others (the tree is complete);
//   - links agree both ways, absent ones are 0;
//   - size(parent) >= size(child).
//
// Blocks cannot be copied into each other's places as array entries can, so
// an exchange moves links. One primitive does it: `swapWithParent`.
//
//===----------------------------------------------------------------------===//

#include "FreeTree.h"

enum {
  Parent = BERTH_HEAP_PARENT,
  Left = BERTH_HEAP_LEFT,
  Right = BERTH_HEAP_RIGHT
};

/// Makes `child` the child of `parent` on one side; either may be 0.
static void link(uint32_t *arena, uint32_t parent, uint32_t side,
                 uint32_t child) {
  if (parent)
    arena[parent + side] = child;
  if (child)
    arena[child + Parent] = parent;
}

/// Which child of its parent a node is.
static uint32_t sideOf(const uint32_t *arena, uint32_t parent, uint32_t node) {
  return arena[parent + Left] == node ? Left : Right;
}

/// Hangs `node` where `old` hangs: below old's parent, or as the root.
static void hangInPlaceOf(uint32_t *arena, uint32_t old, uint32_t node) {
  uint32_t parent = arena[old + Parent];
  if (parent) {
    link(arena, parent, sideOf(arena, parent, old), node);
  } else {
    arena[BERTH_HEAP_ROOT] = node;
    arena[node + Parent] = 0;
  }
}

/// Exchanges a node with its parent. With P the parent, N the node, S its
/// sibling, a and b its children (here N is the left child):
///
///        P                N
///      .. ..            .. ..
///      N   S     ->     P   S
///    .. ..            .. ..
///    a   b            a   b
static void swapWithParent(uint32_t *arena, uint32_t node) {
  uint32_t parent = arena[node + Parent];
  uint32_t side = sideOf(arena, parent, node);
  uint32_t otherSide = Left + Right - side;
  uint32_t sibling = arena[parent + otherSide];
  uint32_t left = arena[node + Left];
  uint32_t right = arena[node + Right];
  hangInPlaceOf(arena, parent, node);
  link(arena, node, side, parent);
  link(arena, node, otherSide, sibling);
  link(arena, parent, Left, left);
  link(arena, parent, Right, right);
}

/// Node k: the bits of k below its highest spell the way from the root.
static uint32_t nodeAt(const uint32_t *arena, uint32_t k) {
  uint32_t bit = 1;
  while (bit <= k / 2)
    bit *= 2;
  uint32_t node = arena[BERTH_HEAP_ROOT];
  for (bit /= 2; bit; bit /= 2)
    node = arena[node + (k & bit ? Right : Left)];
  return node;
}

void berthFreeTreeRise(uint32_t *arena, uint32_t block) {
  uint32_t size = blockSize(arena, block);
  uint32_t parent = arena[block + Parent];
  while (parent && blockSize(arena, parent) < size) {
    swapWithParent(arena, block);
    parent = arena[block + Parent];
  }
}

/// The larger child, the left one of equals, 0 if there is none.
static uint32_t largerChild(const uint32_t *arena, uint32_t node) {
  uint32_t left = arena[node + Left];
  uint32_t right = arena[node + Right];
  if (right && blockSize(arena, right) > blockSize(arena, left))
    return right;
  return left;
}

void berthFreeTreeSink(uint32_t *arena, uint32_t block) {
  uint32_t size = blockSize(arena, block);
  uint32_t child = largerChild(arena, block);
  while (child && blockSize(arena, child) > size) {
    swapWithParent(arena, child);
    child = largerChild(arena, block);
  }
}

void berthFreeTreeInsert(uint32_t *arena, uint32_t block) {
  uint32_t last = ++arena[BERTH_HEAP_FREE_BLOCKS];
  arena[block + Parent] = 0;
  arena[block + Left] = 0;
  arena[block + Right] = 0;
  if (last == 1) {
    arena[BERTH_HEAP_ROOT] = block;
    return;
  }
  link(arena, nodeAt(arena, last / 2), last % 2 ? Right : Left, block);
  berthFreeTreeRise(arena, block);
}

void berthFreeTreeReplace(uint32_t *arena, uint32_t from, uint32_t to) {
  hangInPlaceOf(arena, from, to);
  link(arena, to, Left, arena[from + Left]);
  link(arena, to, Right, arena[from + Right]);
}

void berthFreeTreeRemove(uint32_t *arena, uint32_t block) {
  uint32_t last = nodeAt(arena, arena[BERTH_HEAP_FREE_BLOCKS]);
  uint32_t parent = arena[last + Parent];
  --arena[BERTH_HEAP_FREE_BLOCKS];
  if (parent)
    arena[parent + sideOf(arena, parent, last)] = 0;
  else
    arena[BERTH_HEAP_ROOT] = 0;
  if (last == block)
    return;
  // The last node fills the gap, then moves to where its size belongs.
  berthFreeTreeReplace(arena, block, last);
  berthFreeTreeRise(arena, last);
  berthFreeTreeSink(arena, last);
}
