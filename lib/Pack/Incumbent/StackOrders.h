//===- StackOrders.h - The order of a stack with the fewest holes --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_INCUMBENT_STACKORDERS_H
#define BERTH_LIB_PACK_INCUMBENT_STACKORDERS_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

enum {
  kBerthFewItems = 16, ///< all orders of so many are looked at
  kBerthMaxStack = 64  ///< a set of items is a word
};

/// Items that stand one above the other, in an order that is to be found.
typedef struct BerthStack {
  uint32_t count; ///< at most kBerthMaxStack
  int64_t sizes[kBerthMaxStack];
  int64_t alignments[kBerthMaxStack];
  const BerthRange *blocks; ///< where none of them lies; sorted
  uint32_t numBlocks;
  int64_t limit;      ///< heights from here on are all one to the caller
  uint32_t maxStates; ///< sets of items to go on from
  bool equalOnly; ///< take for one another only what is equal, as who checks a
                  ///< proof does; not what leaves the same holes
} BerthStack;

/// The least height of all orders; of more than few items, `limit` if that is
/// less, and after `maxStates` sets a height that no order is below. Adds the
/// transitions it looked at to `*work`. 0 when memory ran out.
int64_t berthStackLeastHeight(const BerthStack *stack, BerthMemory *memory,
                              uint64_t *work);

#endif // BERTH_LIB_PACK_INCUMBENT_STACKORDERS_H
