//===- Join.h - Undoing the cuts of a plan without waste ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A plan without waste is a rectangle cut into items, and a cut can be undone:
//
//   stack    +---+    row    +---+---+    pinwheel    +---+-------+
//            | b |           |   |   |                |   |   c   |
//            +---+           | a | b |                | d +---+---+
//            | a |           |   |   |                |   | e |   |
//            +---+           +---+---+                +---+---+ b |
//                                                     |   a   |   |
//                                                     +-------+---+
//
//   stack: the same lifetime. Row: b begins where a ends, of the same size.
//   Pinwheel: c and e begin where d ends, and d is as high as both; b begins
//   where a and e end, and is as high as both; a begins with d, c ends with b.
//
// What is joined is a block, and blocks join in turn, as stacks only as far as
// a row asks for it: where {a, b} ends {c, d, e} may begin, if a = c and
// b = d + e. A row is right if no other has its sizes, which is the likelier
// the larger they are; so it goes from large sizes to small ones.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_JOIN_H
#define BERTH_LIB_PACK_IMPROVE_JOIN_H

#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"

/// An item, or what was joined of others.
typedef struct BerthBlock {
  uint32_t lower; ///< sections
  uint32_t upper;
  int64_t size;
  uint32_t parent; ///< the block it was joined to, made later; or UINT32_MAX
  int64_t offset;  ///< in its parent
} BerthBlock;

/// The first are the task's items, in its order; a parent comes behind its
/// parts.
typedef struct BerthBlocks {
  BerthBlock *blocks; ///< in the arena
  uint32_t count;
  uint32_t numLeft; ///< without parent
} BerthBlocks;

/// Joins the hulls of the items as long as `host` has steps. False: memory ran
/// out.
bool berthJoinItems(const BerthTask *task, const BerthHost *host,
                    BerthMemory *arena, BerthBlocks *blocks);

#endif // BERTH_LIB_PACK_IMPROVE_JOIN_H
