//===- SharedBytes.h - Which buffers have bytes in common ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all buffers of all arenas begin and end cuts the bytes into *cells*,
// numbered through. A buffer at a constant offset covers a range of cells, and
// two of these have bytes in common if their ranges do. So what a write spoils
// is a range, however many buffers lie there.
//
// Buffers at computed offsets have no range (`berthViewsOverlap` compares them
// by their arithmetic), nor have instances, which nothing spoils.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_SHAREDBYTES_H
#define BERTH_LIB_IR_VERIFY_BYTES_SHAREDBYTES_H

#include "IR/Verify/Roots/Views.h"

/// Cells [lower, upper); empty: no range.
typedef struct BerthSpan {
  uint32_t lower;
  uint32_t upper;
} BerthSpan;

/// Roots in ascending order.
typedef struct BerthRootList {
  bool isKnown;
  size_t count;
  uint32_t *roots;
} BerthRootList;

typedef struct BerthSpans {
  const BerthViews *views;
  size_t numRoots;
  size_t numCells;
  BerthSpan *spans;  ///< by root
  size_t numRanked;  ///< roots with a range
  uint32_t *rootAt;  ///< by rank: in the order of their first cells
  uint32_t *rankOf;  ///< by root
  size_t numShifted; ///< roots at computed offsets
  uint32_t *shifted;
  BerthRootList *others; ///< by root, as they are asked for
} BerthSpans;

BerthSpans berthSpansOf(const BerthViews *views);
void berthSpansFree(BerthSpans *spans);

/// The roots that have bytes in common with `root`, without those for which the
/// ranges of both tell it.
const BerthRootList *berthSpansOthers(BerthSpans *spans, uint32_t root);

static inline bool berthSpanIsEmpty(BerthSpan span) {
  return span.lower >= span.upper;
}

/// Some of the roots with ranges, to be asked for those that meet a range.
typedef struct BerthSpanSet {
  const BerthSpans *spans;
  size_t numLeaves;
  uint32_t *most; ///< a tree over the ranks: the last cell of those below
} BerthSpanSet;

BerthSpanSet berthSpanSetCreate(const BerthSpans *spans);
void berthSpanSetFree(BerthSpanSet *set);
/// Adds or removes a root; one without range is never in.
void berthSpanSetPut(BerthSpanSet *set, uint32_t root, bool isIn);
/// The first root of the set, from rank `*rank` on, that meets the span; sets
/// `*rank` behind it. BERTH_NO_ROOT: there is none. The set may change between
/// two calls.
uint32_t berthSpanSetNext(const BerthSpanSet *set, BerthSpan span,
                          uint32_t *rank);

#endif // BERTH_LIB_IR_VERIFY_BYTES_SHAREDBYTES_H
