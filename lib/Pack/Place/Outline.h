//===- Outline.h - A plan built from below, layer by layer --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A part of a plan as the beam search sees it. What is placed has an outline of
// plateaus, as with the skyline (Skyline.h), and everything below it is
// decided:
//
//     bytes ^        ____
//           |  __   |    |__
//           |-|  |__|- - - -|-  filled up to here: no plateau is lower
//           | |     |       |_
//           | |  waste        |
//           +-+---------------+--> time
//
// Bytes below the outline that nothing uses are lost, so no plan that continues
// this one has a peak below the largest load plus waste of any section. That
// bound says which states to give up; its smooth relative, a high norm of load
// plus waste over all sections, says which of them are promising.
//
// Items are seen as hulls and known by their *position* in the order of their
// first sections. A state is one block of memory, so that copying it is cheap.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PLACE_OUTLINE_H
#define BERTH_LIB_PACK_PLACE_OUTLINE_H

#include "Pack/Place/ItemTree.h"
#include "berth-c/Packer.h"

/// What all states of a task share.
typedef struct BerthOutlineItems {
  uint32_t numItems;
  uint32_t numSections;
  uint32_t *items;  ///< position -> item
  uint32_t *lowers; ///< position -> first section
  uint32_t *uppers; ///< position -> one past the last
  int64_t *sizes;   ///< position -> bytes
  int64_t *alignments;
  uint64_t *hashes;  ///< position -> random bits
  int64_t *loads;    ///< section -> bytes of all items that cover it
  int64_t load;      ///< the largest of them
  uint32_t *firstAt; ///< section -> first position that starts there or later
  uint32_t *byUpper; ///< positions by their last sections
  uint32_t *endsAt;  ///< section -> first in `byUpper` that ends there or later
  BerthItemTree tree; ///< room for one fill
} BerthOutlineItems;

/// Which of the items that lie within a plateau goes there: the one with the
/// largest sum of
///   flush     for each end that meets the plateau's end, and once more where
///             the item also ends as high as the neighbour there,
///   critical  if it covers the section with the largest load plus waste;
/// among several the best-ranked one.
typedef struct BerthOutlineRule {
  uint32_t flush;
  uint32_t critical;
  const uint32_t *ranks;  ///< position -> rank, 0 is best
  const uint32_t *ranked; ///< rank -> position
} BerthOutlineRule;

typedef struct BerthOutline {
  void *block;       ///< all arrays below
  int64_t *heights;  ///< first section of a plateau -> its height
  int64_t *critical; ///< section -> load plus waste
  int64_t *offsets;  ///< position -> offset, or BERTH_NONE
  uint32_t *ends;    ///< first section of a plateau -> first of the next one
  uint32_t *starts;  ///< first section of a plateau -> first of the one before
  uint32_t left;     ///< items not placed
  int64_t peak;
  uint64_t placed; ///< hash of the set of placed items
} BerthOutline;

/// False when memory ran out. Everything lives in `arena`.
bool berthOutlineItemsInit(BerthOutlineItems *items, const BerthTask *task,
                           BerthMemory *arena);
bool berthOutlineInit(BerthOutline *outline, const BerthOutlineItems *items,
                      BerthMemory *arena);

/// How much memory a state takes.
size_t berthOutlineBytes(const BerthOutlineItems *items);

/// Nothing is placed.
void berthOutlineReset(BerthOutline *outline, const BerthOutlineItems *items);
void berthOutlineCopy(BerthOutline *to, const BerthOutline *from,
                      const BerthOutlineItems *items);

/// Places items until no plateau is lower than `height`, or all are placed.
/// False: the peak cannot be below `limit` any more. `*work` grows by what was
/// looked at.
bool berthOutlineFill(BerthOutline *outline, BerthOutlineItems *items,
                      const BerthOutlineRule *rule, int64_t height,
                      int64_t limit, uint64_t *work);

/// Two states with the same hash can be continued in the same ways.
uint64_t berthOutlineHash(const BerthOutline *outline,
                          const BerthOutlineItems *items);

/// The smaller the more promising, among states filled up to the same height.
double berthOutlineGuide(const BerthOutline *outline,
                         const BerthOutlineItems *items);

#endif // BERTH_LIB_PACK_PLACE_OUTLINE_H
