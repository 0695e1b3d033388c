//===- LocalSearch.c - Searching the order of placement ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Squeaky wheel optimisation (Joslin and Clements 1999) over the order in which
// items are placed, each at the lowest free offset. What ends above the target
// squeaks and moves to the front, by a distance that varies:
//
//     order    a b c d e f g          f ended too high
//     next     a b f c d e g
//
// Orders that made things worse are not kept for long: after a number of
// rounds without success the search returns to the best order known and shakes
// it. Since placing honours every feature, so does this.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/LocalSearch.h"

#include "Pack/Place/Greedy.h"
#include "Pack/Place/Place.h"
#include "Support/Sort.h"

#include <string.h>

enum { kPatience = 12 };

struct BerthOrderSearch {
  BerthIncumbent *incumbent;
  const BerthHost *host; ///< of this run
  uint32_t numItems;
  uint32_t *order;
  uint32_t *bestOrder;
  uint32_t *scratch;
  uint64_t *keys;
  const BerthPairTable *pairs; ///< or NULL
  BerthAnswer candidate;
  uint32_t *placedOrder; ///< that of the candidate, with a table of pairs
  uint32_t numPlaced;    ///< that lie as placing in that order has put them
  BerthScore bestScore;
  uint64_t random;
  unsigned failures; ///< rounds since the best order was found
  bool onlyOne;      ///< every order gives the same plan
};
typedef struct BerthOrderSearch OrderSearch;

static uint64_t nextRandom(OrderSearch *search) {
  uint64_t z = search->random += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

// Large and long-lived first. A product of two 63-bit numbers is cut to its
// magnitude.
static uint64_t area(const BerthTask *task, uint32_t item) {
  double span = task->uppers[item] - task->lowers[item];
  double value = span * (double)task->sizes[item];
  return value >= 9e18 ? UINT64_MAX : (uint64_t)value;
}

static void firstOrder(OrderSearch *search) {
  const BerthTask *task = search->incumbent->task;
  for (uint32_t i = 0; i < search->numItems; ++i) {
    search->order[i] = i;
    search->keys[i] = ~area(task, i);
  }
  berthSortByKey(search->order, search->scratch, search->numItems,
                 search->keys);
}

// Does this item keep the plan from being better?
static bool squeaks(const OrderSearch *search, uint32_t item) {
  const BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = incumbent->task;
  int64_t top = search->candidate.offsets[item] + task->sizes[item];
  if (task->numPools > 1)
    return search->candidate.pools[item] ==
           63 - (uint32_t)__builtin_clzll(task->poolMasks[item]);
  int64_t target =
      incumbent->complete ? incumbent->peak - 1 : incumbent->lowerBound;
  return top > target;
}

// Moves the squeaking items forward, the rest keeps its order. Positions are
// spread so that a moved item falls between two others.
static void moveForward(OrderSearch *search) {
  uint32_t n = search->numItems;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t item = search->order[k];
    uint64_t position = 2 * (uint64_t)k + 1;
    if (squeaks(search, item)) {
      uint64_t jump = 2 * (1 + nextRandom(search) % (n / 2 + 1)) + 1;
      position = position > jump ? position - jump : 0;
    }
    search->keys[item] = position;
  }
  berthSortByKey(search->order, search->scratch, n, search->keys);
}

// Swaps some pairs that stand near each other.
static void shake(OrderSearch *search) {
  uint32_t n = search->numItems;
  memcpy(search->order, search->bestOrder, n * sizeof *search->order);
  if (n < 2)
    return;
  for (uint32_t swaps = 1 + n / 32; swaps-- > 0;) {
    uint32_t i = (uint32_t)(nextRandom(search) % n);
    uint32_t j = (i + 1 + (uint32_t)(nextRandom(search) % (n / 8 + 1))) % n;
    uint32_t swap = search->order[i];
    search->order[i] = search->order[j];
    search->order[j] = swap;
  }
}

// Takes away what does not stand where it stood in the order before: all else
// would go where it is.
static void keepBeginning(OrderSearch *search) {
  uint32_t kept = 0;
  while (kept < search->numPlaced &&
         search->order[kept] == search->placedOrder[kept])
    ++kept;
  for (uint32_t k = kept; k < search->numItems; ++k)
    search->candidate.offsets[search->order[k]] = BERTH_NONE;
  memcpy(search->placedOrder, search->order,
         search->numItems * sizeof *search->order);
}

static bool startPlacing(OrderSearch *search, BerthPlacement *placement,
                         BerthMemory *arena) {
  const BerthTask *task = search->incumbent->task;
  if (search->pairs) {
    keepBeginning(search);
    berthPlacementGoOn(placement, task, search->host, search->pairs,
                       &search->candidate, arena);
    return true;
  }
  for (uint32_t i = 0; i < task->numItems; ++i)
    search->candidate.offsets[i] = BERTH_NONE;
  return berthPlacementInit(placement, task, search->host, &search->candidate,
                            arena);
}

// Places everything in the current order. False when memory ran out.
static bool placeAll(OrderSearch *search) {
  BerthMemory arena = {0};
  BerthPlacement placement;
  bool ready = startPlacing(search, &placement, &arena);
  if (ready)
    berthPlacementAddAll(&placement, search->order, BERTH_FIT_FIRST);
  bool failed = !ready || placement.failed;
  berthMemoryFree(&arena);
  search->numPlaced = 0; // until it is known that no budget has run out
  return !failed;
}

static void learn(OrderSearch *search) {
  const BerthTask *task = search->incumbent->task;
  BerthScore score = berthScoreAnswer(task, &search->candidate);
  search->numPlaced = search->numItems;
  berthIncumbentOffer(search->incumbent, &search->candidate);
  ++search->failures;
  if (!berthScoreIsBetter(task, &search->bestScore, &score)) {
    if (berthScoreIsBetter(task, &score, &search->bestScore))
      search->failures = 0;
    search->bestScore = score;
    memcpy(search->bestOrder, search->order,
           search->numItems * sizeof *search->order);
  }
}

static bool initSearch(OrderSearch *search, BerthMemory *arena) {
  uint32_t n = search->numItems;
  search->order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->bestOrder = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  search->placedOrder = BERTH_MEMORY_NEW(arena, uint32_t, n);
  search->pairs = berthPairTableCreate(search->incumbent->task, arena);
  return !arena->failed &&
         berthIncumbentCandidate(search->incumbent, arena, &search->candidate);
}

static bool allAreFixed(const BerthTask *task) {
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (task->fixedOffsets[i] == BERTH_NONE)
      return false;
  return true;
}

BerthOrderSearch *berthOrderSearchCreate(BerthIncumbent *incumbent,
                                         BerthMemory *arena) {
  const int64_t worst = INT64_MAX;
  OrderSearch *search = BERTH_MEMORY_NEW(arena, OrderSearch, 1);
  if (!search)
    return NULL;
  *search = (OrderSearch){.incumbent = incumbent,
                          .numItems = incumbent->task->numItems,
                          .bestScore = {worst, worst, worst, worst, worst},
                          .random = incumbent->task->seed,
                          .onlyOne = allAreFixed(incumbent->task)};
  if (!initSearch(search, arena))
    return NULL;
  firstOrder(search);
  return search;
}

void berthOrderSearchRun(BerthOrderSearch *search, const BerthHost *host,
                         unsigned rounds) {
  BerthIncumbent *incumbent = search->incumbent;
  search->host = host;
  if (search->onlyOne)
    rounds = 1;
  for (unsigned r = 0;
       (!rounds || r < rounds) && !berthIncumbentDone(incumbent); ++r) {
    if (!placeAll(search))
      incumbent->failed = true;
    else if (!host->step(host->context, 1)) // placing fixed items costs none
      break;
    else
      learn(search);
    if (search->failures % kPatience == kPatience - 1)
      shake(search);
    else
      moveForward(search);
  }
}

void berthImproveByOrder(BerthIncumbent *incumbent, const BerthHost *host,
                         unsigned rounds) {
  BerthMemory arena = {0};
  BerthOrderSearch *search = berthOrderSearchCreate(incumbent, &arena);
  if (search)
    berthOrderSearchRun(search, host, rounds);
  else
    incumbent->failed = true;
  berthMemoryFree(&arena);
}

//===---------------------------------------------------------------------===//
// The packer
//===---------------------------------------------------------------------===//

static BerthStatus packLocalSearch(const BerthPacker *self,
                                   const BerthTask *task, const BerthHost *host,
                                   BerthAnswer *answer) {
  (void)self;
  BerthStatus status =
      berthPackerFirstFit.pack(&berthPackerFirstFit, task, host, answer);
  if (status)
    return status;
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  berthIncumbentOffer(&incumbent, answer);
  berthImproveByOrder(&incumbent, host, 0);
  return berthIncumbentFinish(&incumbent);
}

const BerthPacker berthPackerLocalSearch = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "local-search",
    .summary = "order search by squeaky wheel over first fit (Joslin and "
               "Clements 1999)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES | BERTH_CAN_CAPACITY,
    .defaultSteps = UINT64_C(1) << 26,
    .pack = packLocalSearch};
