//===- Windows.c - Packing a window of time anew -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Large neighbourhood search (Shaw 1998). A plan of thousands of items is
// mostly fine: few moments are so full that only a good packing of them fits
// below the target. So the item that ends highest is taken out together with
// the items nearest to it in time, and exact search puts them back below the
// target, round the rest of the plan, which stays where it is:
//
//     bytes ^        +----+           taken out: what lies within the window
//     target| - - - -| xx |- - - -    stays: what reaches out of it (pinned)
//           | +---+--+-+--+---+---+
//           | |   |    |      |   |
//           +-+---[----+------]---+-> time
//
// Where alignments leave holes, order search puts them back instead of exact
// search, and windows are smaller. While that succeeds, the next highest item
// is next; where it does not, the window grows, another configuration tries,
// and at last the target is lowered to what is less ambitious.
//
// What stays around a window makes it hard, so in large plain problems the
// fullest moments are first packed without it (Cores.c), and moments that
// cannot be repaired are set aside until all others are. Another plan of the
// skyline is too high at other moments, so several plans are tried.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Windows.h"

#include "Pack/Improve/Cores.h"
#include "Pack/Improve/Window.h"
#include "Pack/Place/Skyline.h"
#include "Pack/Task/Errands.h"
#include "Pack/Task/Task.h"

// Exact search either finds a plan after few failures or is lost for a long
// time, so many short runs are better than a long one (Gomes, Selman and Kautz
// 1998).
enum {
  kFirstWindow = 300,
  kFirstOrderWindow = 100,
  kWindowSizes = kBerthMostWays,
  kFailures = 100,
  kMaxMoves = 3 * kBerthMaxMembers ///< of a core and both sides
};

bool berthWindowsCanHandle(const BerthTask *task) {
  const uint32_t foreign = BERTH_CAN_GAPS | BERTH_CAN_RESERVED |
                           BERTH_CAN_POOLS | BERTH_CAN_PRICED_EDGES |
                           BERTH_CAN_HARD_EDGES | BERTH_CAN_DISTANCES;
  return !(task->features & foreign);
}

//===---------------------------------------------------------------------===//
// Choosing a window
//===---------------------------------------------------------------------===//

// Of millions of items few are high, so they are listed once a target.
static void listHigh(BerthWindows *windows, int64_t target) {
  windows->numHigh = 0;
  for (uint32_t i = 0; i < windows->task->numItems; ++i)
    if (berthWindowsIsHigh(windows, i, target))
      windows->high[windows->numHigh++] = i;
}

// Forgets what is no longer above the target; the highest of the rest, or
// UINT32_MAX.
static uint32_t highestItem(BerthWindows *windows, int64_t target) {
  const BerthTask *task = windows->task;
  uint32_t highest = UINT32_MAX, kept = 0;
  for (uint32_t k = 0; k < windows->numHigh; ++k) {
    uint32_t i = windows->high[k];
    if (!berthWindowsIsHigh(windows, i, target))
      continue;
    windows->high[kept++] = i;
    if (highest == UINT32_MAX ||
        windows->offsets[i] + task->sizes[i] >
            windows->offsets[highest] + task->sizes[highest])
      highest = i;
  }
  windows->numHigh = kept;
  return highest;
}

// Takes `wanted` items round the highest one out; returns how many are in their
// window, with those that stay.
static uint32_t takeOut(BerthWindows *windows, uint32_t center, uint32_t wanted,
                        int64_t target, BerthSpan *span) {
  const BerthTask *task = windows->task;
  BerthSpan around = {task->lowers[center], task->uppers[center]};
  BerthSpan all = {0, task->numSections};
  *span = around;
  berthWindowsTakeOutNear(windows, around, all, wanted, span);
  berthWindowsTakeOutHigh(windows, target, span);
  return berthWindowsCollect(windows, *span);
}

static void leaveThere(BerthWindows *windows, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k)
    windows->free[windows->members[k]] = false;
}

// Puts them back below the target. False if that failed; then nothing has
// changed.
static bool repack(BerthWindows *windows, uint32_t center, uint32_t wanted,
                   int64_t target) {
  BerthSpan span;
  uint32_t count = takeOut(windows, center, wanted, target, &span);
  windows->numMoves = 0;
  bool found =
      berthWindowsPutBack(windows, count, span, target,
                          (BerthEffort){kBerthMostSearches, windows->failures});
  leaveThere(windows, count);
  return found;
}

//===---------------------------------------------------------------------===//
// Targets
//===---------------------------------------------------------------------===//

// How many items to take out.
static uint32_t sizeOf(const BerthWindows *windows, unsigned round,
                       unsigned attempt) {
  uint32_t first = windows->byOrder ? kFirstOrderWindow : kFirstWindow;
  return first * (2 + attempt) * (2 + round) / 4;
}

// The ways to repair a moment, each for what those before could not do.
enum { kFewWays = 3, kCoreWays = 5 };

static bool tryWay(BerthWindows *windows, uint32_t center, int64_t target,
                   unsigned round, unsigned way) {
  if (way == 0 || way == 2)
    return berthRepackCore(windows, center, target, way / 2);
  return repack(windows, center, sizeOf(windows, round, way / 2), target);
}

static bool repairInTurn(BerthWindows *windows, uint32_t center, int64_t target,
                         unsigned round) {
  for (unsigned way = 0; way < windows->ways; ++way) {
    if (berthWindowsAreBroken(windows))
      return false;
    if (tryWay(windows, center, target, round, way))
      return true;
  }
  return false;
}

// A window that is larger from way to way.
static void buildTry(BerthWindows *windows, unsigned way) {
  BerthWindow *window = &windows->tries[way];
  BerthSpan span;
  uint32_t count =
      takeOut(windows, windows->center, sizeOf(windows, windows->round, way),
              windows->target, &span);
  *window = (BerthWindow){.effort = {kBerthMostSearches, windows->failures}};
  berthWindowBuild(windows, count, span, window);
  leaveThere(windows, count);
}

// The work of an errand. With one thread, what is not needed is not built.
static bool tryWindow(void *context, unsigned hand, uint32_t way,
                      BerthHostState *host) {
  BerthWindows *windows = context;
  BerthWindow *window = &windows->tries[way];
  (void)hand;
  if (!window->built && !window->failed)
    buildTry(windows, way);
  window->seed = windows->runs + (uint64_t)way * kBerthMostSearches;
  return window->failed ||
         berthWindowSolve(windows, window, windows->target, &host->host);
}

// Windows without cores do not depend on each other.
static bool repairAtOnce(BerthWindows *windows, uint32_t center, int64_t target,
                         unsigned round) {
  BerthHostState *host = berthHostState(windows->host);
  bool found;
  windows->center = center;
  windows->target = target;
  windows->round = round;
  for (unsigned way = 0; way < windows->ways; ++way) {
    windows->tries[way] = (BerthWindow){0};
    if (berthHostHands(host) > 1)
      buildTry(windows, way);
  }
  uint32_t made =
      berthErrandsRun(host, windows->ways, 0, tryWindow, windows, &found);
  windows->runs += (uint64_t)windows->ways * kBerthMostSearches;
  windows->numMoves = 0;
  if (found && windows->tries[made - 1].failed)
    windows->incumbent->failed = true;
  else if (found)
    berthWindowUse(windows, &windows->tries[made - 1]);
  windows->stopped |= host->stopped;
  for (unsigned way = 0; way < windows->ways; ++way)
    berthMemoryFree(&windows->tries[way].arena);
  return found && !windows->incumbent->failed;
}

static bool repair(BerthWindows *windows, uint32_t center, int64_t target,
                   unsigned round) {
  return windows->cores ? repairInTurn(windows, center, target, round)
                        : repairAtOnce(windows, center, target, round);
}

// Forgets what is above the target near this item.
static void setAside(BerthWindows *windows, uint32_t center) {
  const BerthTask *task = windows->task;
  BerthSpan around = {task->lowers[center], task->uppers[center]};
  uint32_t kept = 0;
  for (uint32_t k = 0; k < windows->numHigh; ++k) {
    uint32_t i = windows->high[k];
    if (task->lowers[i] >= around.upper || task->uppers[i] <= around.lower)
      windows->high[kept++] = i;
  }
  windows->numHigh = kept;
}

// Repairs what is above the target, the highest first. False: something stays
// above.
static bool reach(BerthWindows *windows, int64_t target, unsigned round) {
  bool reached = true;
  listHigh(windows, target);
  while (!berthWindowsAreBroken(windows)) {
    uint32_t highest = highestItem(windows, target);
    if (highest == UINT32_MAX)
      return reached;
    if (repair(windows, highest, target, round))
      continue;
    if (!windows->cores)
      return false;
    setAside(windows, highest);
    reached = false;
  }
  return false;
}

// From the goal to what is only a little better, in parts of the way.
static const int64_t kTargets[] = {0, 4, 8, 12, 14, 15};
enum { kNumTargets = sizeof kTargets / sizeof *kTargets, kParts = 16 };

static int64_t targetOf(const BerthIncumbent *incumbent, unsigned index) {
  int64_t room = incumbent->peak - 1 - incumbent->goal;
  return incumbent->goal + room / kParts * kTargets[index] +
         room % kParts * kTargets[index] / kParts;
}

// The goal gets half of the steps that are left, the others share the rest:
// where one moment cannot be repaired, that alone would take them all.
static bool reachInPart(BerthWindows *windows, unsigned index, unsigned round) {
  const BerthHost *whole = windows->host;
  BerthHostState *parent = berthHostState(whole), slice;
  BerthMemory arena = {0};
  uint64_t share = index == 0 ? 2 : kNumTargets - index;
  berthHostSlice(&slice, parent, windows->task, &arena,
                 berthHostRemaining(parent) / share + 1);
  windows->host = &slice.host;
  bool reached = reach(windows, targetOf(windows->incumbent, index), round);
  windows->host = whole;
  windows->stopped = parent->stopped;
  berthMemoryFree(&arena);
  return reached;
}

// With alignments nobody knows how far down it goes: half of the way to the
// goal, as often as that succeeds, then a quarter of it, and so on.
enum { kLeastPart = 64 };

static void descend(BerthWindows *windows, unsigned round) {
  BerthIncumbent *incumbent = windows->incumbent;
  for (int64_t part = 2; part <= kLeastPart;) {
    int64_t room = incumbent->peak - incumbent->goal;
    if (berthIncumbentDone(incumbent) || berthWindowsAreBroken(windows))
      return;
    if (!reach(windows, incumbent->peak - 1 - room / part, round))
      part *= 2;
    berthIncumbentOfferOffsets(incumbent, windows->offsets);
  }
}

// Straight to the goal, or to what is less ambitious.
static void aim(BerthWindows *windows, unsigned round) {
  BerthIncumbent *incumbent = windows->incumbent;
  bool reached = false;
  for (unsigned t = 0; t < kNumTargets && !reached; ++t) {
    if (berthIncumbentDone(incumbent) || berthWindowsAreBroken(windows))
      return;
    reached = reachInPart(windows, t, round);
    berthIncumbentOfferOffsets(incumbent, windows->offsets);
  }
}

static bool initWindows(BerthWindows *windows, BerthMemory *arena) {
  uint32_t n = windows->task->numItems;
  windows->offsets = berthMemoryCopy(arena, windows->incumbent->answer->offsets,
                                     n, sizeof *windows->offsets);
  windows->free = BERTH_MEMORY_NEW(arena, bool, n);
  windows->order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  windows->scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  windows->keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  windows->members = BERTH_MEMORY_NEW(arena, uint32_t, n);
  windows->high = BERTH_MEMORY_NEW(arena, uint32_t, n);
  windows->moves = BERTH_MEMORY_NEW(arena, BerthMove, kMaxMoves);
  return berthOverlapInit(&windows->index, windows->task, true, arena) &&
         !arena->failed;
}

void berthImproveByWindows(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned rounds, uint64_t seed, bool cores) {
  BerthMemory arena = {0};
  BerthWindows windows = {.incumbent = incumbent,
                          .host = host,
                          .task = incumbent->task,
                          .failures = kFailures,
                          .ways = cores ? kCoreWays : kWindowSizes,
                          .cores = cores,
                          .byOrder = berthTaskHasHoles(incumbent->task),
                          .runs = seed};
  if (berthIncumbentDone(incumbent))
    return;
  if (!initWindows(&windows, &arena))
    incumbent->failed = true;
  for (unsigned r = 0; r < rounds; ++r) {
    if (windows.byOrder)
      descend(&windows, r);
    else
      aim(&windows, r);
    windows.failures += windows.failures / 2;
  }
  berthMemoryFree(&arena);
}

//===---------------------------------------------------------------------===//
// Other plans
//===---------------------------------------------------------------------===//

// Where very much is live at a time, no part of it is small enough.
static bool isFit(BerthWindows *windows) {
  int64_t goal = windows->incumbent->goal;
  listHigh(windows, goal);
  uint32_t highest = highestItem(windows, goal);
  return highest != UINT32_MAX && berthCoreIsSmall(windows, highest, goal);
}

// The plan there is, then others of the skyline in the best of its variations,
// by and large.
static bool startAnew(BerthWindows *windows, BerthSkyline *skyline,
                      unsigned start) {
  BerthSkylineConfig config = {BERTH_SKYLINE_SPAN, true,
                               windows->task->seed + start};
  uint64_t work = 0;
  if (start == 0)
    return true;
  berthSkylineRun(skyline, config, windows->offsets, &work);
  return windows->host->step(windows->host->context, work);
}

void berthImproveByRepairs(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned from, unsigned to) {
  BerthMemory arena = {0};
  BerthWindows windows = {.incumbent = incumbent,
                          .host = host,
                          .task = incumbent->task,
                          .failures = kFailures,
                          .ways = kFewWays,
                          .cores = true,
                          .runs = from};
  BerthSkyline *skyline = NULL;
  if (!initWindows(&windows, &arena))
    incumbent->failed = true;
  else if (isFit(&windows))
    skyline = berthSkylineCreate(incumbent->task, &arena);
  for (unsigned s = from; skyline && s < to; ++s) {
    if (berthIncumbentDone(incumbent) || berthWindowsAreBroken(&windows) ||
        !startAnew(&windows, skyline, s))
      break;
    reach(&windows, incumbent->goal, 0);
    berthIncumbentOfferOffsets(incumbent, windows.offsets);
  }
  berthMemoryFree(&arena);
}
