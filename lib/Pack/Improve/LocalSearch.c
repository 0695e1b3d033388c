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
// Orders that made things worse are not kept for long: a walk that has not
// bettered the best order known after a number of rounds is over, and the next
// one begins at that order again, shaken. Since placing honours every feature,
// so does this.
//
// Walks that better nothing are all begun at the same order, so several are
// made at a time (Errands.h).
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/LocalSearch.h"

#include "Pack/Place/Greedy.h"
#include "Pack/Place/Place.h"
#include "Pack/Task/Errands.h"
#include "Support/Random.h"
#include "Support/Sort.h"

#include <string.h>

enum {
  kPatience = 12, ///< rounds of a walk
  kWalks = 8,     ///< that begin at one order
  kMostWalkers = 1 << 15
};

/// An order, and what placing makes of it.
typedef struct Ordered {
  uint32_t *order;
  BerthAnswer plan;
} Ordered;

/// What is found on the way from the best order.
typedef struct Walk {
  Ordered now;
  Ordered found; ///< at least as good as where it began
  BerthScore score;
  bool hasFound;
  bool failed;           ///< memory ran out
  unsigned rounds;       ///< that it was made of
  uint32_t *placedOrder; ///< that of the plan, with a table of pairs
  uint32_t numPlaced;    ///< that lie as placing in that order has put them
  uint32_t *scratch;
  uint64_t *keys;
  uint64_t random;
} Walk;

struct BerthOrderSearch {
  BerthIncumbent *incumbent;
  uint32_t numItems;
  const BerthPairTable *pairs; ///< or NULL
  Ordered best;
  BerthScore bestScore;
  bool begun;      ///< there is a best order
  bool shakes;     ///< a walk from it has bettered nothing
  uint64_t walked; ///< walks that are over
  unsigned rounds; ///< of each walk of this batch
  unsigned numWalks;
  Walk walks[kWalks];
  bool onlyOne; ///< every order gives the same plan
};
typedef struct BerthOrderSearch OrderSearch;

//===---------------------------------------------------------------------===//
// Orders
//===---------------------------------------------------------------------===//

// Large and long-lived first. A product of two 63-bit numbers is cut to its
// magnitude.
static uint64_t area(const BerthTask *task, uint32_t item) {
  double span = task->uppers[item] - task->lowers[item];
  double value = span * (double)task->sizes[item];
  return value >= 9e18 ? UINT64_MAX : (uint64_t)value;
}

static void firstOrder(const OrderSearch *search, Walk *walk) {
  const BerthTask *task = search->incumbent->task;
  for (uint32_t i = 0; i < search->numItems; ++i) {
    walk->now.order[i] = i;
    walk->keys[i] = ~area(task, i);
  }
  berthSortByKey(walk->now.order, walk->scratch, search->numItems, walk->keys);
}

// Does this item keep the plan from being better?
static bool squeaks(const OrderSearch *search, const BerthAnswer *plan,
                    uint32_t item) {
  const BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = incumbent->task;
  int64_t top = plan->offsets[item] + task->sizes[item];
  if (task->numPools > 1)
    return plan->pools[item] ==
           63 - (uint32_t)__builtin_clzll(task->poolMasks[item]);
  int64_t target =
      incumbent->complete ? incumbent->peak - 1 : incumbent->lowerBound;
  return top > target;
}

// Moves the squeaking items forward, the rest keeps its order. Positions are
// spread so that a moved item falls between two others.
static void moveForward(const OrderSearch *search, Walk *walk) {
  uint32_t n = search->numItems;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t item = walk->now.order[k];
    uint64_t position = 2 * (uint64_t)k + 1;
    if (squeaks(search, &walk->now.plan, item)) {
      uint64_t jump =
          2 * (1 + berthNextRandom(&walk->random) % (n / 2 + 1)) + 1;
      position = position > jump ? position - jump : 0;
    }
    walk->keys[item] = position;
  }
  berthSortByKey(walk->now.order, walk->scratch, n, walk->keys);
}

// Swaps some pairs that stand near each other.
static void shake(const OrderSearch *search, Walk *walk) {
  uint32_t n = search->numItems, *order = walk->now.order;
  if (n < 2)
    return;
  for (uint32_t swaps = 1 + n / 32; swaps-- > 0;) {
    uint32_t i = (uint32_t)(berthNextRandom(&walk->random) % n);
    uint32_t j =
        (i + 1 + (uint32_t)(berthNextRandom(&walk->random) % (n / 8 + 1))) % n;
    uint32_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}

//===---------------------------------------------------------------------===//
// Placing
//===---------------------------------------------------------------------===//

// Takes away what does not stand where it stood in the order before: all else
// would go where it is.
static void keepBeginning(const OrderSearch *search, Walk *walk) {
  const uint32_t *order = walk->now.order;
  uint32_t kept = 0;
  while (kept < walk->numPlaced && order[kept] == walk->placedOrder[kept])
    ++kept;
  for (uint32_t k = kept; k < search->numItems; ++k)
    walk->now.plan.offsets[order[k]] = BERTH_NONE;
  memcpy(walk->placedOrder, order, search->numItems * sizeof *order);
}

static bool startPlacing(const OrderSearch *search, Walk *walk,
                         const BerthHost *host, BerthPlacement *placement,
                         BerthMemory *arena) {
  const BerthTask *task = search->incumbent->task;
  if (search->pairs) {
    keepBeginning(search, walk);
    berthPlacementGoOn(placement, task, host, search->pairs, &walk->now.plan,
                       arena);
    return true;
  }
  for (uint32_t i = 0; i < task->numItems; ++i)
    walk->now.plan.offsets[i] = BERTH_NONE;
  return berthPlacementInit(placement, task, host, &walk->now.plan, arena);
}

// Places everything in the current order. False when memory or the budget ran
// out.
static bool placeAll(const OrderSearch *search, Walk *walk,
                     const BerthHost *host) {
  BerthMemory arena = {0};
  BerthPlacement placement;
  bool ready = startPlacing(search, walk, host, &placement, &arena);
  if (ready)
    berthPlacementAddAll(&placement, walk->now.order, BERTH_FIT_FIRST);
  walk->failed = !ready || placement.failed;
  walk->numPlaced = search->numItems;
  berthMemoryFree(&arena);
  return !walk->failed &&
         host->step(host->context, 1); // placing fixed items costs none
}

static void copyOrdered(const OrderSearch *search, Ordered *to,
                        const Ordered *from) {
  uint32_t n = search->numItems;
  memcpy(to->order, from->order, n * sizeof *to->order);
  memcpy(to->plan.offsets, from->plan.offsets, n * sizeof *to->plan.offsets);
  memcpy(to->plan.pools, from->plan.pools, n * sizeof *to->plan.pools);
}

//===---------------------------------------------------------------------===//
// Walks
//===---------------------------------------------------------------------===//

// Takes over what is at least as good. True: it is better.
static bool learn(const OrderSearch *search, Walk *walk) {
  const BerthTask *task = search->incumbent->task;
  BerthScore score = berthScoreAnswer(task, &walk->now.plan);
  if (search->begun && berthScoreIsBetter(task, &search->bestScore, &score))
    return false;
  copyOrdered(search, &walk->found, &walk->now);
  walk->hasFound = true;
  walk->score = score;
  return !search->begun || berthScoreIsBetter(task, &score, &search->bestScore);
}

// After a success it goes on as if nothing had happened.
static void beginWalk(const OrderSearch *search, Walk *walk, uint32_t index) {
  walk->hasFound = walk->failed = false;
  walk->numPlaced = 0;
  walk->random = search->incumbent->task->seed +
                 (search->walked + index) * UINT64_C(0xD1342543DE82EF95);
  if (!search->begun) {
    firstOrder(search, walk);
    return;
  }
  copyOrdered(search, &walk->now, &search->best);
  memcpy(walk->placedOrder, search->best.order,
         search->numItems * sizeof *walk->placedOrder);
  walk->numPlaced = search->numItems;
  if (search->shakes || index > 0)
    shake(search, walk);
  else
    moveForward(search, walk);
}

// The work of an errand.
static bool runWalk(void *context, unsigned hand, uint32_t index,
                    BerthHostState *host) {
  OrderSearch *search = context;
  Walk *walk = &search->walks[index];
  (void)hand;
  beginWalk(search, walk, index);
  for (walk->rounds = 1; walk->rounds <= search->rounds; ++walk->rounds) {
    if (walk->rounds > 1)
      moveForward(search, walk);
    if (!placeAll(search, walk, &host->host))
      return walk->failed;
    if (learn(search, walk))
      return true;
  }
  walk->rounds = search->rounds;
  return false;
}

// What is as good, of whichever walk comes last, is where the next walks begin.
static void takeWalk(OrderSearch *search, const Walk *walk) {
  ++search->walked;
  search->shakes = true;
  search->incumbent->failed |= walk->failed;
  if (!walk->hasFound || walk->failed)
    return;
  bool better =
      !search->begun || berthScoreIsBetter(search->incumbent->task,
                                           &walk->score, &search->bestScore);
  copyOrdered(search, &search->best, &walk->found);
  search->bestScore = walk->score;
  search->begun = true;
  if (!better)
    return;
  search->shakes = false;
  berthIncumbentOffer(search->incumbent, &search->best.plan);
}

// Returns how many rounds these were. Few are made by one walk.
static unsigned runWalks(OrderSearch *search, const BerthHost *host,
                         unsigned rounds) {
  bool settled, one = rounds || !search->begun;
  unsigned made = 0;
  search->rounds = rounds && rounds < kPatience ? rounds : kPatience;
  uint32_t done =
      berthErrandsRun(berthHostState(host), one ? 1 : search->numWalks, 0,
                      runWalk, search, &settled);
  for (uint32_t k = 0; k < done; ++k) {
    made += search->walks[k].rounds;
    takeWalk(search, &search->walks[k]);
  }
  return made;
}

//===---------------------------------------------------------------------===//
// The search
//===---------------------------------------------------------------------===//

static bool initOrdered(const OrderSearch *search, Ordered *ordered,
                        BerthMemory *arena) {
  ordered->order = BERTH_MEMORY_NEW(arena, uint32_t, search->numItems);
  return ordered->order &&
         berthIncumbentCandidate(search->incumbent, arena, &ordered->plan);
}

static bool initWalk(const OrderSearch *search, Walk *walk,
                     BerthMemory *arena) {
  uint32_t n = search->numItems;
  walk->scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  walk->keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  walk->placedOrder = BERTH_MEMORY_NEW(arena, uint32_t, n);
  return !arena->failed && initOrdered(search, &walk->now, arena) &&
         initOrdered(search, &walk->found, arena);
}

static bool initSearch(OrderSearch *search, BerthMemory *arena) {
  search->numWalks = search->numItems <= kMostWalkers ? kWalks : 1;
  for (unsigned w = 0; w < search->numWalks; ++w)
    if (!initWalk(search, &search->walks[w], arena))
      return false;
  return initOrdered(search, &search->best, arena) && !arena->failed;
}

static bool allAreFixed(const BerthTask *task) {
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (task->fixedOffsets[i] == BERTH_NONE)
      return false;
  return true;
}

BerthOrderSearch *berthOrderSearchCreate(BerthIncumbent *incumbent,
                                         const BerthPairTable *pairs,
                                         BerthMemory *arena) {
  OrderSearch *search = BERTH_MEMORY_NEW(arena, OrderSearch, 1);
  if (!search)
    return NULL;
  *search = (OrderSearch){.incumbent = incumbent,
                          .numItems = incumbent->task->numItems,
                          .pairs = pairs,
                          .onlyOne = allAreFixed(incumbent->task)};
  return initSearch(search, arena) ? search : NULL;
}

void berthOrderSearchRun(BerthOrderSearch *search, const BerthHost *host,
                         unsigned rounds) {
  const BerthHostState *state = berthHostState(host);
  unsigned made = 0, most = search->onlyOne ? 1 : rounds;
  while (!berthIncumbentDone(search->incumbent) && !state->stopped &&
         (!most || made < most))
    made += runWalks(search, host, most ? most - made : 0);
}

void berthImproveByOrder(BerthIncumbent *incumbent, const BerthHost *host,
                         unsigned rounds) {
  BerthMemory arena = {0};
  BerthOrderSearch *search = berthOrderSearchCreate(
      incumbent, berthPairTableCreate(incumbent->task, &arena), &arena);
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
