//===- ItemTree.h - The best item within some sections ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Answers "the best-ranked item left that starts within these sections, ends
// after that one and not after another". Items are points, their first section
// one coordinate, their last the other, and what is asked for is a rectangle:
//
//     end   ^      .    .
//           |  . +-------+          a node knows a box around all of its items
//           |    | . .   |   .      and the best rank of those that are left
//           |    +-------+
//           +-----------------> start
//
// Where all live short, start and end say the same and the order of starts
// would do. Where short and long lives are mixed, a range of starts holds many
// items that end too late; so nodes are split by whichever coordinate differs
// more (a k-d tree, Bentley 1975), and a query looks at about the root of their
// number at worst. Where only starts have split so far, nodes are ranges of
// them and a query begins at the lowest one that will do. Below a leaf are some
// items side by side, which are quicker to look at than more nodes would be.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_ITEMTREE_H
#define BERTH_LIB_PACK_PLACE_ITEMTREE_H

#include "Support/BumpMemory.h"

#include <stdint.h>

/// Around all items below a node, there or not: the least lower and upper, and
/// the largest ones, negated, so that all four are compared in one direction
/// and at once.
typedef struct BerthItemBox {
  _Alignas(16) int32_t borders[4];
} BerthItemBox;

/// Each leaf has so many slots, next to those of the leaf before it.
enum { kBerthLeafSlots = 8 };

/// Where the sections of its items begin and end.
typedef struct BerthItemLeaf {
  _Alignas(16) int32_t lowers[kBerthLeafSlots];
  _Alignas(16) int32_t uppers[kBerthLeafSlots];
} BerthItemLeaf;

typedef struct BerthItemTree {
  uint32_t numItems;
  uint32_t leaves;            ///< a power of two; node 1 is the root
  const BerthItemBox *boxes;  ///< by node
  const BerthItemLeaf *spans; ///< by leaf
  const uint32_t *slotOf;     ///< item -> slot
  const uint32_t *firstAt;    ///< section -> first item that starts there or
                              ///< later
  const uint64_t *inOrder;    ///< set of nodes: split by starts down to there
  uint32_t *best;             ///< node -> best rank below; UINT32_MAX: none
  uint32_t *ranks;            ///< by slot; UINT32_MAX: nothing is there
  uint64_t work;              ///< nodes and leaves looked at
} BerthItemTree;

/// A tree over items that are sorted by `lowers`; none is there yet. Keeps
/// `firstAt`. False when memory ran out.
bool berthItemTreeInit(BerthItemTree *tree, const uint32_t *lowers,
                       const uint32_t *uppers, uint32_t numItems,
                       const uint32_t *firstAt, BerthMemory *arena);

/// Another tree over the same items.
bool berthItemTreeInitLike(BerthItemTree *tree, const BerthItemTree *other,
                           BerthMemory *arena);

/// Sets an item's rank; UINT32_MAX: it is not there. Then the tree is to be
/// built.
static inline void berthItemTreeSet(BerthItemTree *tree, uint32_t item,
                                    uint32_t rank) {
  tree->ranks[tree->slotOf[item]] = rank;
}

void berthItemTreeBuild(BerthItemTree *tree);

/// Takes the item out of the built tree.
void berthItemTreeRemove(BerthItemTree *tree, uint32_t item);

/// The best rank of the items that start in [lower, before) and end in
/// (above, upper], or UINT32_MAX.
uint32_t berthItemTreeFind(BerthItemTree *tree, uint32_t lower, uint32_t before,
                           uint32_t above, uint32_t upper);

#endif // BERTH_LIB_PACK_PLACE_ITEMTREE_H
