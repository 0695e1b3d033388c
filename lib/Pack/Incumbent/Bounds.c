//===- Bounds.c - What no plan can be below ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/Bounds.h"

#include "Pack/Incumbent/Cliques.h"
#include "Pack/Task/Distances.h"
#include "Pack/Task/Overlap.h"
#include "Pack/Task/Ranges.h"
#include "Pack/Task/Task.h"
#include "Support/Bitset.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

// Where the tables or the work would grow beyond these, there is no bound.
enum { kMaxMeetings = 1 << 22, kMaxSums = 1 << 16, kMaxAlignments = 8 };

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

//===---------------------------------------------------------------------===//
// The items of each section
//===---------------------------------------------------------------------===//

/// Of each section the items that are live with all their bytes, and that are
/// not spared there: they all keep apart.
typedef struct Members {
  uint32_t *begin;
  uint32_t *items;
} Members;

static bool fillMembers(const BerthTask *task, BerthMemory *arena,
                        Members *members) {
  uint64_t total = 0;
  for (uint32_t p = 0; p < task->pieceBegin[task->numItems]; ++p)
    total += task->pieces[p].upper - task->pieces[p].lower;
  if (total > kMaxMeetings || task->numPools > 1)
    return false;
  members->begin = BERTH_MEMORY_NEW(arena, uint32_t, task->numSections + 2);
  members->items = BERTH_MEMORY_NEW(arena, uint32_t, total);
  if (arena->failed)
    return false;
  // First one too far, as filling moves each begin on to the next.
  uint32_t *next = members->begin + 1;
  for (int store = 0; store < 2; ++store) {
    for (uint32_t i = 0; i < task->numItems; ++i)
      for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
        for (uint32_t s = task->pieces[p].lower;
             berthPieceIsWhole(task, i, p) && s < task->pieces[p].upper; ++s)
          if (berthItemIsSpared(task, i, s))
            continue;
          else if (store)
            members->items[next[s]++] = i;
          else
            ++next[s + 1];
    for (uint32_t s = 0; !store && s < task->numSections; ++s)
      next[s + 1] += next[s];
  }
  return true;
}

// What is live in one section is why.
static BerthBound ofSection(BerthBoundReason reason, uint32_t section) {
  return (BerthBound){.reason = reason, .lower = section, .upper = section + 1};
}

//===---------------------------------------------------------------------===//
// Alignments
//===---------------------------------------------------------------------===//

// What the items at multiples of `alignment` need.
static int64_t alignedHeight(const BerthTask *task, const uint32_t *items,
                             uint32_t count, int64_t alignment) {
  int64_t sum = 0, mostSpared = 0;
  for (uint32_t k = 0; k < count; ++k) {
    int64_t size = task->sizes[items[k]];
    if (task->alignments[items[k]] % alignment)
      continue;
    if (size > INT64_MAX - alignment)
      return 0;
    int64_t rounded = berthRoundUp(size, alignment);
    mostSpared = larger(mostSpared, rounded - size);
    sum = berthAddSaturating(sum, rounded);
  }
  return sum == INT64_MAX ? 0 : sum - mostSpared;
}

// The different alignments, but the trivial one; of many the first ones.
static uint32_t listAlignments(const BerthTask *task, int64_t *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < task->numItems && count < kMaxAlignments; ++i) {
    bool known = task->alignments[i] == 1;
    for (uint32_t k = 0; k < count; ++k)
      known |= list[k] == task->alignments[i];
    if (!known)
      list[count++] = task->alignments[i];
  }
  return count;
}

int64_t berthBoundAlignments(const BerthTask *task, BerthMemory *arena,
                             int64_t *alignment, BerthBound *why) {
  int64_t alignments[kMaxAlignments], bound = 0;
  uint32_t count = listAlignments(task, alignments);
  Members members;
  *alignment = 1;
  if (count && fillMembers(task, arena, &members))
    for (uint32_t s = 0; s < task->numSections; ++s)
      for (uint32_t k = 0; k < count; ++k) {
        int64_t height = alignedHeight(task, members.items + members.begin[s],
                                       members.begin[s + 1] - members.begin[s],
                                       alignments[k]);
        if (height <= bound)
          continue;
        bound = height;
        *alignment = alignments[k];
        *why = ofSection(BERTH_BOUND_ALIGNMENT, s);
      }
  return bound;
}

//===---------------------------------------------------------------------===//
// Fixed items and reserved bytes
//===---------------------------------------------------------------------===//

/// Bytes that nothing else can have, sorted by lower bound.
typedef struct Blocks {
  BerthRange *ranges;
  uint32_t count;
} Blocks;

static bool isPinned(const BerthTask *task, uint32_t item) {
  return task->fixedOffsets[item] != BERTH_NONE;
}

static void addPin(Blocks *blocks, const BerthTask *task, uint32_t item) {
  int64_t low = task->fixedOffsets[item];
  berthRangesInsert(blocks->ranges, blocks->count++,
                    (BerthRange){low, low + task->sizes[item]});
}

static void addReserved(Blocks *blocks, const BerthTask *task) {
  for (size_t i = 0; i < task->pools[0].numReserved; ++i)
    berthRangesInsert(blocks->ranges, blocks->count++,
                      task->pools[0].reserved[i]);
}

static uint32_t countPins(const BerthTask *task) {
  uint32_t pins = 0;
  for (uint32_t i = 0; i < task->numItems; ++i)
    pins += isPinned(task, i);
  return pins;
}

static bool initBlocks(Blocks *blocks, const BerthTask *task,
                       BerthMemory *arena) {
  size_t most = countPins(task) + task->pools[0].numReserved;
  blocks->ranges = BERTH_MEMORY_NEW(arena, BerthRange, most);
  blocks->count = 0;
  return most > 0 && blocks->ranges;
}

// Where the holes from the lowest up have taken in `demand` bytes of items none
// of which is smaller than `smallest`.
static int64_t heightToHold(const Blocks *blocks, int64_t demand,
                            int64_t smallest) {
  int64_t at = 0;
  for (uint32_t k = 0; k < blocks->count; ++k) {
    int64_t hole = blocks->ranges[k].lower - at;
    if (hole >= demand)
      break;
    if (hole >= smallest)
      demand -= hole;
    at = larger(at, blocks->ranges[k].upper);
  }
  return berthAddSaturating(at, larger(demand, smallest));
}

static int64_t fixedHeight(const BerthTask *task, const uint32_t *items,
                           uint32_t count, Blocks *blocks) {
  int64_t demand = 0, smallest = INT64_MAX;
  blocks->count = 0;
  addReserved(blocks, task);
  for (uint32_t k = 0; k < count; ++k) {
    int64_t size = task->sizes[items[k]];
    if (isPinned(task, items[k])) {
      addPin(blocks, task, items[k]);
      continue;
    }
    demand = berthAddSaturating(demand, size);
    smallest = size < smallest ? size : smallest;
  }
  return demand ? heightToHold(blocks, demand, smallest) : 0;
}

int64_t berthBoundFixed(const BerthTask *task, BerthMemory *arena,
                        BerthBound *why) {
  int64_t bound = 0;
  Members members;
  Blocks blocks;
  if (initBlocks(&blocks, task, arena) && fillMembers(task, arena, &members))
    for (uint32_t s = 0; s < task->numSections; ++s) {
      int64_t height =
          fixedHeight(task, members.items + members.begin[s],
                      members.begin[s + 1] - members.begin[s], &blocks);
      if (height <= bound)
        continue;
      bound = height;
      *why = ofSection(BERTH_BOUND_FIXED, s);
    }
  return bound == INT64_MAX ? 0 : bound;
}

//===---------------------------------------------------------------------===//
// Releases
//===---------------------------------------------------------------------===//

// The lowest offset that pins and reserved bytes allow.
static int64_t releaseOf(const BerthTask *task, uint32_t item, Blocks *blocks,
                         const uint32_t *pins, uint32_t numPins) {
  int64_t offset = 0;
  if (isPinned(task, item))
    return task->fixedOffsets[item];
  blocks->count = 0;
  addReserved(blocks, task);
  for (uint32_t k = 0; k < numPins; ++k)
    if (berthItemsMeetWhole(task, item, pins[k]))
      addPin(blocks, task, pins[k]);
  for (uint32_t k = 0; k < blocks->count; ++k)
    if (blocks->ranges[k].lower - task->sizes[item] < offset &&
        offset < blocks->ranges[k].upper &&
        blocks->ranges[k].upper <= INT64_MAX - task->alignments[item])
      offset = berthRoundUp(blocks->ranges[k].upper, task->alignments[item]);
  return offset;
}

// The items, sorted by release, stacked.
static int64_t stackHeight(const BerthTask *task, const uint32_t *items,
                           uint32_t count, const uint64_t *releases) {
  int64_t height = 0;
  for (uint32_t k = 0; k < count; ++k)
    height = berthAddSaturating(larger(height, (int64_t)releases[items[k]]),
                                task->sizes[items[k]]);
  return height;
}

// The items of a section, and all pins, which have held them up.
static bool nameReleased(const BerthTask *task, const Members *members,
                         uint32_t section, BerthMemory *arena,
                         BerthBound *why) {
  bool *named = BERTH_MEMORY_NEW(arena, bool, task->numItems);
  uint32_t *items = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  *why = (BerthBound){.reason = BERTH_BOUND_FIXED, .items = items};
  if (!named || !items)
    return false;
  for (uint32_t k = members->begin[section]; k < members->begin[section + 1];
       ++k)
    named[members->items[k]] = true;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (named[i] || isPinned(task, i))
      items[why->numItems++] = i;
  return true;
}

int64_t berthBoundReleases(const BerthTask *task, BerthMemory *arena,
                           BerthBound *why) {
  uint32_t highest = 0, n = task->numItems, numPins = 0;
  int64_t bound = 0;
  Members members;
  Blocks blocks;
  uint64_t *releases = BERTH_MEMORY_NEW(arena, uint64_t, n);
  uint32_t *pins = BERTH_MEMORY_NEW(arena, uint32_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (initBlocks(&blocks, task, arena) &&
      (uint64_t)n * countPins(task) <= kMaxMeetings &&
      fillMembers(task, arena, &members) && !arena->failed) {
    for (uint32_t i = 0; i < n; ++i)
      if (isPinned(task, i))
        pins[numPins++] = i;
    for (uint32_t i = 0; i < n; ++i)
      releases[i] = (uint64_t)releaseOf(task, i, &blocks, pins, numPins);
    for (uint32_t s = 0; s < task->numSections; ++s) {
      uint32_t *items = members.items + members.begin[s];
      uint32_t count = members.begin[s + 1] - members.begin[s];
      berthSortByKey(items, scratch, count, releases);
      int64_t height = stackHeight(task, items, count, releases);
      if (height <= bound)
        continue;
      bound = height;
      highest = s;
    }
    if (bound && !nameReleased(task, &members, highest, arena, why))
      return 0;
  }
  return bound == INT64_MAX ? 0 : bound;
}

//===---------------------------------------------------------------------===//
// Sums
//===---------------------------------------------------------------------===//

// sums |= sums << by, from the top down so that no item counts twice.
static void addToSums(uint64_t *sums, size_t words, uint64_t by) {
  size_t skip = by / 64, shift = by % 64;
  for (size_t w = words; w-- > skip;) {
    uint64_t bits = sums[w - skip] << shift;
    if (shift && w > skip)
      bits |= sums[w - skip - 1] >> (64 - shift);
    sums[w] |= bits;
  }
}

// Windows, distances, pins and reserved bytes hold items up at other heights,
// alignments round them up.
static bool haveSums(const BerthTask *task) {
  const uint32_t foreign = BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
                           BERTH_CAN_FIXED | BERTH_CAN_RESERVED |
                           BERTH_CAN_POOLS | BERTH_CAN_PRICED_EDGES |
                           BERTH_CAN_DISTANCES;
  return !(task->features & foreign);
}

int64_t berthBoundSums(const BerthTask *task, BerthMemory *arena,
                       int64_t known) {
  // Twice what is known always suffices to find a sum: an item fits in between.
  uint64_t from = (uint64_t)((known - 1) / task->unit) + 1, most = 2 * from;
  size_t words = most / 64 + 1;
  if (!haveSums(task) || most > kMaxSums ||
      (uint64_t)task->numItems * words > kMaxMeetings)
    return 0;
  uint64_t *sums = BERTH_MEMORY_NEW(arena, uint64_t, words);
  int64_t bound = 0;
  if (sums) {
    sums[0] = 1;
    for (uint32_t i = 0; i < task->numItems; ++i)
      if ((uint64_t)(task->sizes[i] / task->unit) <= most)
        addToSums(sums, words, (uint64_t)(task->sizes[i] / task->unit));
    while (from <= most && !berthBitTest(sums, from))
      ++from;
    bound = from <= most ? (int64_t)from * task->unit : 0;
  }
  return bound;
}

//===---------------------------------------------------------------------===//
// All of them
//===---------------------------------------------------------------------===//

// Each leaves its reason in `tree`.
static void raiseByAlignments(BerthIncumbent *incumbent, BerthMemory *arena,
                              BerthProofLog *tree) {
  BerthBound why;
  int64_t alignment,
      bound = berthBoundAlignments(incumbent->task, arena, &alignment, &why);
  tree->count = 0;
  berthProofFailAligned(tree, alignment);
  berthIncumbentProve(incumbent, bound, &why, tree);
}

// By what a single section shows to anyone who looks at it.
static void raiseBySection(BerthIncumbent *incumbent, int64_t bound,
                           const BerthBound *why, BerthProofLog *tree) {
  tree->count = 0;
  berthProofFail(tree);
  berthIncumbentProve(incumbent, bound, why, tree);
}

static void raiseByPins(BerthIncumbent *incumbent, BerthMemory *arena,
                        BerthProofLog *tree) {
  const BerthTask *task = incumbent->task;
  BerthBound why;
  int64_t bound = berthBoundFixed(task, arena, &why);
  raiseBySection(incumbent, bound, &why, tree);
  bound = berthBoundReleases(task, arena, &why);
  raiseBySection(incumbent, bound, &why, tree);
}

// As the checker wants it: items, or parts of some.
static void writeClique(const BerthClique *clique, BerthProofLog *tree) {
  tree->count = 0;
  if (!clique->parts) {
    berthProofFailClique(tree, clique->items, clique->count);
    return;
  }
  for (uint32_t k = 0; k < clique->count; ++k)
    berthProofPart(tree, clique->items[k], clique->parts[k]);
  berthProofFail(tree);
}

// Each item once; they stand in their order. And the sum of the bytes.
static int64_t nameClique(const BerthTask *task, BerthClique *clique) {
  uint32_t kept = 0;
  int64_t sum = 0;
  for (uint32_t k = 0; k < clique->count; ++k) {
    uint32_t item = clique->items[k];
    sum += clique->parts ? clique->parts[k].upper - clique->parts[k].lower
                         : task->sizes[item];
    if (kept == 0 || clique->items[kept - 1] != item)
      clique->items[kept++] = item;
  }
  clique->count = kept;
  return sum;
}

static void raiseByCliques(BerthIncumbent *incumbent, BerthMemory *arena,
                           uint32_t maxStates, BerthProofLog *tree) {
  const BerthTask *task = incumbent->task;
  BerthClique clique;
  bool complete = incumbent->complete;
  BerthCliqueQuestion question = {
      .known = incumbent->lowerBound,
      .limit = complete ? incumbent->peak : INT64_MAX,
      .maxStates = maxStates,
      .offsets = complete ? incumbent->answer->offsets : NULL};
  int64_t bound = berthBoundCliques(task, arena, &question, &clique);
  writeClique(&clique, tree);
  bool stacked = nameClique(task, &clique) == bound;
  BerthBound why = {.reason = stacked ? BERTH_BOUND_CLIQUE : BERTH_BOUND_ORDER,
                    .numItems = clique.count,
                    .items = clique.items};
  berthIncumbentProve(incumbent, bound, &why, tree);
}

void berthRaiseByOrders(BerthIncumbent *incumbent, uint32_t maxStates) {
  const BerthTask *task = incumbent->task;
  BerthProofLog tree = {.numbers = task->rowNumbers};
  BerthMemory arena = {0};
  bool holes = berthTaskHasHoles(task) ||
               task->features & (BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS);
  if (task->numPools == 1 && holes && !berthIncumbentDone(incumbent))
    raiseByCliques(incumbent, &arena, maxStates, &tree);
  berthProofFree(&tree);
  incumbent->failed |= arena.failed;
  berthMemoryFree(&arena);
}

void berthRaiseBounds(BerthIncumbent *incumbent) {
  const BerthTask *task = incumbent->task;
  const uint32_t known = BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED |
                         BERTH_CAN_RESERVED | BERTH_CAN_HARD_EDGES |
                         BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS;
  BerthProofLog tree = {.numbers = task->rowNumbers};
  BerthMemory arena = {0};
  if (task->numPools > 1 || berthIncumbentDone(incumbent))
    return;
  if (task->features & known) {
    raiseByAlignments(incumbent, &arena, &tree);
    raiseByPins(incumbent, &arena, &tree);
    if (!berthIncumbentDone(incumbent))
      raiseByCliques(incumbent, &arena, 0, &tree);
    berthProofFree(&tree);
  }
  if (!task->proofFile)
    berthIncumbentRaise(incumbent,
                        berthBoundSums(task, &arena, incumbent->lowerBound),
                        &(BerthBound){.reason = BERTH_BOUND_SUMS});
  // Without a bound the search takes another way, and a run is not reproduced.
  incumbent->failed |= arena.failed;
  berthMemoryFree(&arena);
}
