//===- Overlap.h - Which items meet, and how ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The conflict queries behind BerthHost and behind the placement engine. Pairs
// are never stored: an index answers "which of these hulls meet [l, u)" in
// log n plus the size of the answer, and pieces decide the rest.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_OVERLAP_H
#define BERTH_LIB_PACK_TASK_OVERLAP_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// A set of items that is asked for those whose hull meets a range of sections.
/// The items stand sorted by first section under a tree of largest last
/// sections; an item that is not in the set counts as 0 there.
typedef struct BerthOverlapIndex {
  uint32_t numItems;
  uint32_t *order;    ///< position -> item, by first section, then item
  uint32_t *lowers;   ///< position -> first section
  uint32_t *position; ///< item -> position
  uint32_t leaves;    ///< a power of two
  uint32_t *tree;     ///< node -> largest last section below it; root is 1
} BerthOverlapIndex;

/// An index over the task's items, with all of them in the set or none.
bool berthOverlapInit(BerthOverlapIndex *index, const BerthTask *task,
                      bool full, BerthMemory *arena);
void berthOverlapInsert(BerthOverlapIndex *index, const BerthTask *task,
                        uint32_t item);
void berthOverlapErase(BerthOverlapIndex *index, uint32_t item);

/// Writes the items of the set whose hull meets [lower, upper), by first
/// section, then item, and returns their number. `out` has room for all.
size_t berthOverlapQuery(const BerthOverlapIndex *index, uint32_t lower,
                         uint32_t upper, uint32_t *out);

/// Do pieces of the two items share a section?
bool berthItemsMeet(const BerthTask *task, uint32_t i, uint32_t j);

/// Does the piece occupy all bytes of its item?
static inline bool berthPieceIsWhole(const BerthTask *task, uint32_t item,
                                     uint32_t piece) {
  return task->pieces[piece].low == 0 &&
         task->pieces[piece].high == task->sizes[item];
}

/// Are both live with all their bytes in some section, and do they keep apart
/// there at all distances?
bool berthItemsMeetWhole(const BerthTask *task, uint32_t i, uint32_t j);

/// Is there a hard edge between the two?
bool berthItemsApart(const BerthTask *task, uint32_t i, uint32_t j);

/// The forbidden values of offset(j) - offset(i) as in BerthHost::conflicts.
/// `*room` is the capacity of `*out`, which grows in `arena` where needed.
/// Returns their number, or SIZE_MAX when memory ran out.
size_t berthItemConflicts(const BerthTask *task, uint32_t i, uint32_t j,
                          BerthRange **out, size_t *room, BerthMemory *arena);

/// Is the item one piece, whole? Most are.
static inline bool berthItemIsPlain(const BerthTask *task, uint32_t i) {
  uint32_t at = task->pieceBegin[i];
  return task->pieceBegin[i + 1] - at == 1 && berthPieceIsWhole(task, i, at);
}

#endif // BERTH_LIB_PACK_TASK_OVERLAP_H
