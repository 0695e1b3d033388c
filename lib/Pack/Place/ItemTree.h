//===- ItemTree.h - The best item within some sections ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A tree over items in the order of their first sections. A node knows the best
// rank and the range of last sections below it, which answers "the best-ranked
// item that starts within these positions, ends after one section and not after
// another". Items are known by their position in that order.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_ITEMTREE_H
#define BERTH_LIB_PACK_PLACE_ITEMTREE_H

#include "Support/BumpMemory.h"

#include <stdint.h>

/// A node; nothing below it: best and minUpper UINT32_MAX, maxUpper 0.
typedef struct BerthItemNode {
  uint32_t best;
  uint32_t minUpper;
  uint32_t maxUpper;
} BerthItemNode;

typedef struct BerthItemTree {
  uint32_t leaves;      ///< a power of two; node 1 is the root
  BerthItemNode *nodes; ///< zeroed at first: to be built
  uint64_t work;        ///< nodes looked at
} BerthItemTree;

/// False when memory ran out.
bool berthItemTreeInit(BerthItemTree *tree, uint32_t numItems,
                       BerthMemory *arena);

/// Builds the tree from its leaves, all of which were set or cleared.
void berthItemTreeBuild(BerthItemTree *tree);

static inline void berthItemTreeSet(BerthItemTree *tree, uint32_t position,
                                    uint32_t rank, uint32_t upper) {
  tree->nodes[tree->leaves + position] = (BerthItemNode){rank, upper, upper};
}

static inline void berthItemTreeClear(BerthItemTree *tree, uint32_t position) {
  tree->nodes[tree->leaves + position] =
      (BerthItemNode){UINT32_MAX, UINT32_MAX, 0};
}

/// Takes the item out of the built tree.
void berthItemTreeRemove(BerthItemTree *tree, uint32_t position);

/// The best rank of the items at positions [from, to) that end in
/// (above, upper], or UINT32_MAX.
uint32_t berthItemTreeFind(BerthItemTree *tree, uint32_t from, uint32_t to,
                           uint32_t above, uint32_t upper);

#endif // BERTH_LIB_PACK_PLACE_ITEMTREE_H
