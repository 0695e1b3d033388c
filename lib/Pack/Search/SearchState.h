//===- SearchState.h - The state of an exact search ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCHSTATE_H
#define BERTH_LIB_PACK_SEARCH_SEARCHSTATE_H

#include "Support/Bitset.h"
#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// Which of several items at the same minimum goes first: the largest.
typedef enum BerthRankRule {
  BERTH_RANK_SPAN,   ///< most sections, then most bytes
  BERTH_RANK_HEIGHT, ///< sum of stacked heights over its sections
  BERTH_RANK_FAILED, ///< heaviest section it covers, then their sum
  BERTH_RANK_SCARCE, ///< sum of 1 / (items left) over its sections
  BERTH_RANK_LOAD,   ///< largest load of its sections, then most sections
} BerthRankRule;

typedef struct BerthSearchConfig {
  BerthRankRule rank;
  bool lastConflict; ///< return to the section that failed last, while it has
                     ///< items left
  bool lowest;       ///< the lowest item of all is next, whatever its sections
} BerthSearchConfig;

typedef enum BerthSearchResult {
  BERTH_SEARCH_FOUND,   ///< `minimums` are the offsets, in units
  BERTH_SEARCH_REFUTED, ///< proven: nothing fits
  BERTH_SEARCH_LIMIT,   ///< too many failures
  BERTH_SEARCH_STOPPED, ///< the host said stop
  BERTH_SEARCH_MEMORY,
} BerthSearchResult;

/// Why a minimum rose; what to blame if that leads to failure.
typedef enum BerthReason {
  BERTH_REASON_PLACED,  ///< the placed item alone
  BERTH_REASON_SUPPORT, ///< no neighbour of this one can end lower
  BERTH_REASON_SKIPPED, ///< the same, because it was skipped
} BerthReason;

typedef struct BerthTrailEntry {
  uint32_t item;
  BerthReason reason;
  int64_t minimum; ///< before the change
  int64_t base;
} BerthTrailEntry;

/// What a section's stack was.
typedef struct BerthStackEntry {
  uint32_t section;
  int64_t stack;
} BerthStackEntry;

/// Where to undo to.
typedef struct BerthSearchMark {
  size_t trail;
  size_t stacks;
  uint32_t placed;
} BerthSearchMark;

/// What a complete refutation consists of; see ProofLog.h.
typedef struct BerthProofLog BerthProofLog;

typedef struct BerthRefuted BerthRefuted;

/// The number of an item has so many bits.
enum { kBerthItemBits = 14 };

typedef struct BerthSearch {
  // The problem. Sizes and offsets are in units.
  const BerthHost *host;
  BerthMemory *arena;
  int64_t unit;
  int64_t capacity;
  uint32_t numItems;
  uint32_t numSections; ///< with one more for each hard edge and clique
  uint32_t numTimes;    ///< without those
  bool splits;          ///< may be split where nothing crosses
  int64_t *sizes;
  int64_t *alignments;
  bool obstacles; ///< are there any pins or reserved bytes?
  int64_t *pins;  ///< item -> where it must be, or -1; NULL: no pins at all
  uint32_t *pinnedBegin; ///< with pins: item -> the pinned items that meet it,
  uint32_t *pinned;      ///< from the lowest up
  BerthRange *reserved;  ///< disjoint, from the lowest up
  size_t numReserved;
  const uint32_t *lowers; ///< hulls
  const uint32_t *uppers;
  uint32_t *sectionBegin; ///< item -> its sections
  uint32_t *sections;
  uint32_t *neighbourBegin; ///< item -> the items that meet it
  uint32_t *neighbours;
  uint32_t *memberBegin; ///< section -> its items
  uint32_t *members;     ///< first what is placed, in that order

  // The state of the search.
  int64_t *minimums; ///< of placed items: the offset
  int64_t *bases;
  bool *placed;
  int64_t *stacks;         ///< section -> where its stacked items end
  uint32_t *remaining;     ///< section -> unplaced items
  uint32_t *crossing;      ///< section -> unplaced items also in the one before
  BerthOrderedSet live;    ///< sections with items left
  BerthOrderedSet borders; ///< sections that nothing unplaced crosses into
  uint32_t scoreLeaves;    ///< a power of two
  double *scores; ///< tree of the sections' scores; inner nodes: the largest
  BerthTrailEntry *trail;
  size_t trailCount;
  size_t trailRoom;
  BerthStackEntry *stackTrail;
  size_t stackCount;
  size_t stackRoom;
  uint32_t *placedItems; ///< in order of placement
  uint32_t numPlaced;

  // Work lists of the propagation.
  bool *sectionDirty;
  uint32_t *dirtySections;
  uint32_t numDirty;
  uint64_t *skipped; ///< set of the unplaced items that nothing holds up yet
  uint32_t numSkipped;
  uint64_t *queued; ///< set of those that may have lost what they wait for
  uint32_t *queue;  ///< the same
  uint32_t numQueued;
  uint32_t *supporters; ///< item -> a neighbour that may be what it waits for

  // Learning. A nogood is a set of unplaced items whose minimums cannot be.
  size_t words;            ///< of a set of items
  uint64_t *neighbourSets; ///< item -> its neighbours as a set
  uint64_t *nogood;        ///< of the last failure
  uint64_t *savedNogoods;  ///< one a level of the recursion
  uint32_t depth;
  uint32_t maxDepth;
  double *weights;       ///< section -> 1 + failures
  BerthRefuted *refuted; ///< states, once there are any; see SearchRefuted.h
  uint64_t rememberFrom; ///< failures of a run; 0: never. Where it is set, the
                         ///< same thread makes all runs of the search
  uint32_t *twins;       ///< item -> the first of those that differ in nothing
  uint32_t lastConflict; ///< section, or UINT32_MAX

  BerthSearchConfig config;
  double *noise; ///< item -> factor of its rank
  double *spans; ///< item -> number of its sections, times the noise
  double *loads; ///< item -> largest sum of sizes of its sections
  uint64_t nodes;
  uint64_t failures;
  uint64_t failureLimit;
  uint64_t work; ///< items looked at since the host was told
  BerthSearchResult result;
  int64_t leastExcess;  ///< by which any branch failed at the capacity; what
                        ///< is refuted there is refuted for less than this more
  BerthProofLog *proof; ///< or NULL
} BerthSearch;

static inline bool berthSearchIsPinned(const BerthSearch *search,
                                       uint32_t item) {
  return search->pins && search->pins[item] >= 0;
}

/// Brings `skipped` up to date with the item's minimum and base.
static inline void berthSearchNoteSkipped(BerthSearch *search, uint32_t item) {
  bool is = !search->placed[item] &&
            search->minimums[item] > search->bases[item] &&
            !berthSearchIsPinned(search, item);
  if (is == berthBitTest(search->skipped, item))
    return;
  search->skipped[item / 64] ^= UINT64_C(1) << item % 64;
  search->numSkipped += is ? 1 : UINT32_MAX;
}

/// Adds an item to the counts of what is left (change 1), or takes it away
/// (-1).
void berthSearchCount(BerthSearch *search, uint32_t item, uint32_t change);

/// Brings a section's score up to date with its stack and what is left of it.
void berthSearchScore(BerthSearch *search, uint32_t section);

static inline BerthSearchMark berthSearchGetMark(const BerthSearch *search) {
  return (BerthSearchMark){search->trailCount, search->stackCount,
                           search->numPlaced};
}

void berthSearchUndo(BerthSearch *search, BerthSearchMark mark);

#endif // BERTH_LIB_PACK_SEARCH_SEARCHSTATE_H
