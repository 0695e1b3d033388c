//===- Sections.h - Pieces in time, pieces in sections ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The two halves of the reduction that deal with time; see Normalize.h.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_SECTIONS_H
#define BERTH_LIB_PACK_TASK_SECTIONS_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// During [begin, end) the bytes [low, high) of `item` are occupied.
typedef struct BerthTimePiece {
  int64_t begin;
  int64_t end;
  int64_t low;
  int64_t high;
  uint32_t item;
} BerthTimePiece;

/// All pieces of a problem, as fine as `capabilities` allow, grouped by buffer
/// (not by item) and sorted by time within one. `sizes` are those of the
/// items. NULL when memory ran out.
BerthTimePiece *berthCollectPieces(const BerthProblemData *problem,
                                   const uint32_t *itemOfBuffer,
                                   const int64_t *sizes, uint32_t numItems,
                                   uint32_t capabilities, BerthMemory *arena,
                                   size_t *count);

/// Pieces by item, with sections for times.
typedef struct BerthSections {
  uint32_t numSections;
  uint32_t numShared; ///< the others have one item each, which occupies nothing
  uint32_t *pieceBegin;
  BerthPiece *pieces;
  int64_t *sectionTimes; ///< of those that are shared
  int64_t *sectionLoads;
} BerthSections;

/// Turns times into sections. An item without any piece (nothing of it is ever
/// occupied) gets a section to itself, so that all items have a place in time.
bool berthBuildSections(const BerthTimePiece *pieces, size_t count,
                        const int64_t *sizes, uint32_t numItems,
                        BerthMemory *arena, BerthSections *sections);

#endif // BERTH_LIB_PACK_TASK_SECTIONS_H
