//===- Search.h - Branch and bound over plateaus ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Does this problem fit below this height? A complete search for problems whose
// conflicts are all of the plain kind: two items that meet must not overlap at
// all (holes in time, alignments, pins, reserved bytes and hard edges are fine;
// windows are not, see Gaps.h).
//
//     bytes ^                  Any plan can be pushed down until each item
//           |      +---+       rests on the floor or on a *supporter*. So it is
//           |  +---+ c |       enough to look for plans that are stable in this
//           |  | b |   |       sense, built from below. `minimum` is the lowest
//           | ++---+---+       offset an item may still get, `base` the highest
//           | |  a   |         top of what is placed already and meets it.
//           +-+------+--> time
//
// The search goes down to an item that no unplaced neighbour undercuts (it is
// locally lowest) and branches:
//
//   place  at its minimum. Every unplaced neighbour must then lie above: there
//          is no room between its own minimum and this one.
//   skip   it lies higher, so it rests on a neighbour not placed yet: raise its
//          minimum to the lowest top that any of them can have.
//
// An item whose minimum is above its base has been skipped before and may be
// placed only once something placed holds it up.
//
// Pruning, by whichever section overflows: its items stacked in the order of
// their minimums (one machine, release dates) must end below the capacity.
// Parts that no unplaced item joins are solved one by one. When a branch fails,
// the items whose minimums made it fail are collected (`nogood`); a decision
// that touched none of them is not tried the other way (Prosser 1993,
// conflict-directed backjumping). Sections that overflow gain weight, and
// weight draws the search (Boussemart et al. 2004, dom/wdeg; Lecoutre et al.
// 2009, last conflict).
//
// Pinned items are items whose minimum is their offset from the start and that
// may neither be skipped nor rise. They wait for their turn like all others: by
// then what can lie beneath them does. Minimums jump over them. Reserved bytes
// are jumped over too; what has jumped over them rests on them, as if on a
// placed item that meets everything.
//
// The idea of canonical placements and of splitting is Moffitt's (minimalloc,
// ASPLOS 2023); branching on the locally lowest item with place or skip, the
// support rule and the learning are not in it.
//
//   Search.c           memory, reset, undo
//   SearchObstacles.c  pins and reserved bytes
//   SearchPropagate.c  consequences of a decision, reasons of a failure
//   SearchBranch.c     what to decide next; the recursion
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_SEARCH_SEARCH_H
#define BERTH_LIB_PACK_SEARCH_SEARCH_H

#include "Support/Arena.h"
#include "Support/Bitset.h"
#include "berth-c/Packer.h"

/// Which of several items at the same minimum goes first: the largest.
typedef enum BerthRankRule {
  BERTH_RANK_SPAN,   ///< most sections, then most bytes
  BERTH_RANK_HEIGHT, ///< sum of stacked heights over its sections
  BERTH_RANK_FAILED, ///< heaviest section it covers, then their sum
  BERTH_RANK_SCARCE, ///< sum of 1 / (items left) over its sections
} BerthRankRule;

typedef struct BerthSearchConfig {
  BerthRankRule rank;
  bool lastConflict; ///< return to the section that failed last, while it has
                     ///< items left
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

typedef struct BerthSearch {
  // The problem. Sizes and offsets are in units.
  const BerthHost *host;
  BerthArena *arena;
  int64_t unit;
  int64_t capacity;
  uint32_t numItems;
  uint32_t numSections; ///< with one more for each hard edge
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
  uint32_t lastConflict; ///< section, or UINT32_MAX

  BerthSearchConfig config;
  double *noise; ///< item -> factor of its rank
  double *spans; ///< item -> number of its sections, times the noise
  uint64_t nodes;
  uint64_t failures;
  uint64_t failureLimit;
  uint64_t work; ///< items looked at since the host was told
  BerthSearchResult result;
  int64_t leastExcess;  ///< by which any branch failed at the capacity; what
                        ///< is refuted there is refuted for less than this more
  BerthProofLog *proof; ///< or NULL
} BerthSearch;

/// Items beyond this number are not searched: tables grow with their square.
enum { kBerthSearchMaxItems = 12000 };

/// Is this a problem for this search?
bool berthSearchCanHandle(const BerthTask *task);

/// Builds the tables. NULL when memory ran out.
BerthSearch *berthSearchCreate(const BerthTask *task, const BerthHost *host,
                               BerthArena *arena);

/// Looks for a plan whose peak is at most `capacity` bytes. Weights live on
/// from run to run, and nothing else does; `seed` varies the ranks a little, 0
/// not at all.
BerthSearchResult berthSearchRun(BerthSearch *search, int64_t capacity,
                                 BerthSearchConfig config, uint64_t seed,
                                 uint64_t failureLimit);

/// After a refutation: no plan has a smaller peak than this, in bytes.
int64_t berthSearchBound(const BerthSearch *search);

/// Writes the offsets of the plan found, in bytes; returns its peak.
int64_t berthSearchOffsets(const BerthSearch *search, int64_t *offsets);

/// Forgets the weights.
void berthSearchForget(BerthSearch *search);

//===---------------------------------------------------------------------===//
// Between the files of the search
//===---------------------------------------------------------------------===//

/// Puts every item back to the floor.
void berthSearchReset(BerthSearch *search);

static inline BerthSearchMark berthSearchGetMark(const BerthSearch *search) {
  return (BerthSearchMark){search->trailCount, search->stackCount,
                           search->numPlaced};
}

void berthSearchUndo(BerthSearch *search, BerthSearchMark mark);

/// Brings all stacks up to date after a reset.
void berthSearchSettle(BerthSearch *search);

/// Each makes a decision and draws its consequences. On failure `nogood` says
/// why, in terms of the state before berthSearchBlame was called.
bool berthSearchPlace(BerthSearch *search, uint32_t item);
bool berthSearchSkip(BerthSearch *search, uint32_t item);

/// Traces `nogood` back through the changes since `mark`, all due to a decision
/// about `item`. Afterwards it contains `item` if that decision took part.
void berthSearchBlame(BerthSearch *search, BerthSearchMark mark, uint32_t item);

/// Adds an item to the counts of what is left (change 1), or takes it away
/// (-1).
void berthSearchCount(BerthSearch *search, uint32_t item, uint32_t change);

/// Brings a section's score up to date with its stack and what is left of it.
void berthSearchScore(BerthSearch *search, uint32_t section);

static inline bool berthSearchIsPinned(const BerthSearch *search,
                                       uint32_t item) {
  return search->pins && search->pins[item] >= 0;
}

/// Takes over pins and reserved bytes. False when memory ran out.
bool berthSearchFillObstacles(BerthSearch *search, const BerthTask *task);

/// Sets the item's minimum and base before anything is decided.
void berthSearchStart(BerthSearch *search, uint32_t item);

/// The lowest offset at or above this one that neither a pinned item nor
/// reserved bytes are in the way of. Where it rests on reserved bytes, `*base`
/// rises to it.
int64_t berthSearchAvoid(const BerthSearch *search, uint32_t item,
                         int64_t offset, int64_t *base);

/// The lowest end of reserved bytes that can hold the item up above its
/// minimum, or INT64_MAX.
int64_t berthSearchReservedSupport(const BerthSearch *search, uint32_t item);

/// Where the first `size` free bytes from `height` on end. `*next` is the first
/// range of reserved bytes that does not end at or below `height`, or one
/// before it, and moves on with what is skipped.
int64_t berthSearchSkipReserved(const BerthSearch *search, int64_t height,
                                int64_t size, size_t *next);

/// Where a stack of this height ends once `size` more bytes, which may be cut
/// in pieces, are put on top. `*next` is 0 for the first of a stack.
static inline int64_t berthSearchStack(const BerthSearch *search,
                                       int64_t height, int64_t size,
                                       size_t *next) {
  return search->numReserved
             ? berthSearchSkipReserved(search, height, size, next)
             : height + size;
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

/// Looks for a plan of all unplaced items; on failure the state is undone.
BerthSearchResult berthSearchSolve(BerthSearch *search, uint32_t lower,
                                   uint32_t upper);

#endif // BERTH_LIB_PACK_SEARCH_SEARCH_H
