//===- Skyline.c - Filling the lowest plateau ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Two trees. The *item tree* (ItemTree.h) has the unplaced items as leaves and
// answers "the best-ranked item within [l, u) that covers s". The *criticality
// tree* has the sections as leaves; a node knows the largest load plus waste
// below it, with additions to whole subtrees kept at their root.
//
// Plateaus are a linked list in arrays that are indexed by first section:
// `ends[s]` is where the plateau that starts at s ends and the next one starts,
// `starts[s]` is where the one before it starts.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Skyline.h"

#include "Pack/Place/ItemTree.h"
#include "Support/Random.h"
#include "Support/Sort.h"

#include <string.h>

enum { kNone = UINT32_MAX };

struct BerthSkyline {
  const BerthTask *task;
  uint32_t *order;    ///< position -> item, by first section
  uint32_t *position; ///< item -> position
  BerthItemTree tree;
  uint32_t *ranked; ///< rank -> item
  uint32_t *rank;   ///< item -> rank, 0 is best
  uint64_t *keys;
  uint32_t *scratch;

  uint32_t criticalLeaves;
  int64_t *critical; ///< largest below the node, without additions above it
  int64_t *added;    ///< to all below the node; included in `critical`

  uint32_t *ends;
  uint32_t *starts;
  int64_t *heights;
  uint64_t work;
};

//===---------------------------------------------------------------------===//
// The item tree
//===---------------------------------------------------------------------===//

static void buildItemTree(BerthSkyline *skyline) {
  for (uint32_t p = 0; p < skyline->task->numItems; ++p)
    berthItemTreeSet(&skyline->tree, p, skyline->rank[skyline->order[p]]);
  berthItemTreeBuild(&skyline->tree);
}

// The best-ranked item that starts in [lower, before) and ends in
// (above, upper], or kNone.
static uint32_t findItem(BerthSkyline *skyline, uint32_t lower, uint32_t before,
                         uint32_t above, uint32_t upper) {
  uint32_t best =
      berthItemTreeFind(&skyline->tree, lower, before, above, upper);
  return best == kNone ? kNone : skyline->ranked[best];
}

//===---------------------------------------------------------------------===//
// The criticality tree
//===---------------------------------------------------------------------===//

static void buildCriticality(BerthSkyline *skyline) {
  const BerthTask *task = skyline->task;
  uint32_t leaves = skyline->criticalLeaves;
  memset(skyline->added, 0, 2 * (size_t)leaves * sizeof *skyline->added);
  for (uint32_t s = 0; s < leaves; ++s)
    skyline->critical[leaves + s] =
        s < task->numSections ? task->sectionLoads[s] : -1;
  for (uint32_t node = leaves; node-- > 1;) {
    int64_t left = skyline->critical[2 * node];
    int64_t right = skyline->critical[2 * node + 1];
    skyline->critical[node] = left > right ? left : right;
  }
}

// What is largest below the node, from what is right below it. Did it change?
static inline bool joinCriticality(BerthSkyline *skyline, uint32_t node) {
  int64_t left = skyline->critical[2 * node];
  int64_t right = skyline->critical[2 * node + 1];
  int64_t joined = (left > right ? left : right) + skyline->added[node];
  bool changed = joined != skyline->critical[node];
  skyline->critical[node] = joined;
  return changed;
}

// What a range of leaves, or of nodes above it, has at its two ends that is not
// half of a pair within: at most two nodes. Going up level by level, these
// cover the range.
static inline uint32_t takeEnds(uint32_t *from, uint32_t *to,
                                uint32_t ends[2]) {
  uint32_t count = 0;
  if (*from % 2)
    ends[count++] = (*from)++;
  if (*to % 2)
    ends[count++] = --*to;
  return count;
}

static void addWaste(BerthSkyline *skyline, uint32_t lower, uint32_t upper,
                     int64_t waste) {
  uint32_t from = lower + skyline->criticalLeaves;
  uint32_t to = upper + skyline->criticalLeaves;
  uint32_t first = from, last = to - 1;
  for (; from < to; from /= 2, to /= 2) {
    uint32_t touched[2], count = takeEnds(&from, &to, touched);
    for (uint32_t i = 0; i < count; ++i) {
      skyline->critical[touched[i]] += waste;
      skyline->added[touched[i]] += waste;
    }
  }
  // What is above the ends only; from where they meet on, as far as it matters.
  while (first != last) {
    joinCriticality(skyline, first /= 2);
    if ((last /= 2) != first)
      joinCriticality(skyline, last);
  }
  while ((first /= 2) && joinCriticality(skyline, first))
    ;
}

/// The most critical of the nodes at one end of a range.
typedef struct Critical {
  uint32_t node; ///< 0: none
  uint32_t turn; ///< when it was looked at
  int64_t value; ///< with what is added below where the walk up is
} Critical;

static inline void consider(const BerthSkyline *skyline, Critical *most,
                            uint32_t node, uint32_t turn) {
  int64_t value = skyline->critical[node];
  if (!most->node || value > most->value)
    *most = (Critical){node, turn, value};
}

// The walk up has come to a node above it.
static inline void carry(const BerthSkyline *skyline, Critical *most,
                         uint32_t node) {
  if (most->node)
    most->value += skyline->added[node];
}

// The node that is most critical of those that cover [lower, upper), the first
// one looked at of several. What is added above both ends does not matter.
static uint32_t mostCriticalNode(const BerthSkyline *skyline, uint32_t lower,
                                 uint32_t upper) {
  uint32_t from = lower + skyline->criticalLeaves;
  uint32_t to = upper + skyline->criticalLeaves, turn = 0;
  Critical left = {0}, right = {0};
  while (from < to) {
    if (from % 2)
      consider(skyline, &left, from++, turn++);
    if (to % 2)
      consider(skyline, &right, --to, turn++);
    from /= 2;
    to /= 2;
    carry(skyline, &left, from - 1);
    carry(skyline, &right, to);
  }
  if (!left.node || !right.node)
    return left.node + right.node;
  for (--from; from / 2 != to / 2;) {
    carry(skyline, &left, from /= 2);
    carry(skyline, &right, to /= 2);
  }
  bool isRight = right.value != left.value ? right.value > left.value
                                           : right.turn < left.turn;
  return isRight ? right.node : left.node;
}

// The most critical section in [lower, upper).
static uint32_t mostCritical(BerthSkyline *skyline, uint32_t lower,
                             uint32_t upper) {
  uint32_t best = mostCriticalNode(skyline, lower, upper);
  while (best < skyline->criticalLeaves) {
    best *= 2;
    best += skyline->critical[best + 1] > skyline->critical[best];
    ++skyline->work;
  }
  return best - skyline->criticalLeaves;
}

//===---------------------------------------------------------------------===//
// Plateaus
//===---------------------------------------------------------------------===//

// Half of the plateaus that are looked at hold nothing, so what is best of all
// is asked for before what is best where it matters most.
static uint32_t pickItem(BerthSkyline *skyline, bool dynamic, uint32_t lower,
                         uint32_t upper) {
  const BerthTask *task = skyline->task;
  uint32_t item = findItem(skyline, lower, upper, lower, upper);
  if (!dynamic || item == kNone)
    return item;
  uint32_t section = mostCritical(skyline, lower, upper);
  if (task->lowers[item] <= section && section < task->uppers[item])
    return item;
  uint32_t over = findItem(skyline, lower, section + 1, section, upper);
  return over == kNone ? item : over;
}

static void setPlateau(BerthSkyline *skyline, uint32_t start, uint32_t end,
                       int64_t height) {
  skyline->ends[start] = end;
  skyline->heights[start] = height;
  skyline->starts[end] = start;
}

// Lays the item on the plateau at `start`; returns where to go on.
static uint32_t layItem(BerthSkyline *skyline, uint32_t start, uint32_t item) {
  const BerthTask *task = skyline->task;
  uint32_t end = skyline->ends[start];
  uint32_t lower = task->lowers[item], upper = task->uppers[item];
  int64_t height = skyline->heights[start];
  if (lower > start)
    setPlateau(skyline, start, lower, height);
  setPlateau(skyline, lower, upper, height + task->sizes[item]);
  if (upper < end)
    setPlateau(skyline, upper, end, height);
  berthItemTreeRemove(&skyline->tree, skyline->position[item]);
  return lower > start ? start : upper < end ? upper : lower;
}

// Fills until nothing is left.
static int64_t fill(BerthSkyline *skyline, bool dynamic, int64_t *offsets) {
  const BerthTask *task = skyline->task;
  uint32_t numSections = task->numSections, start = 0;
  int64_t peak = 0;
  setPlateau(skyline, 0, numSections, 0);
  for (uint32_t left = task->numItems; left > 0;) {
    uint32_t end = skyline->ends[start];
    int64_t height = skyline->heights[start];
    int64_t before =
        start ? skyline->heights[skyline->starts[start]] : INT64_MAX;
    int64_t after = end < numSections ? skyline->heights[end] : INT64_MAX;
    if (before <= height) {
      start = skyline->starts[start];
      if (before == height)
        setPlateau(skyline, start, end, height);
      continue;
    }
    if (after < height) {
      start = end;
      continue;
    }
    if (after == height) {
      setPlateau(skyline, start, skyline->ends[end], height);
      continue;
    }
    uint32_t item = pickItem(skyline, dynamic, start, end);
    if (item == kNone) {
      int64_t raised = before < after ? before : after;
      if (dynamic)
        addWaste(skyline, start, end, raised - height);
      skyline->heights[start] = raised;
      continue;
    }
    int64_t top = height + task->sizes[item];
    offsets[item] = height;
    peak = top > peak ? top : peak;
    start = layItem(skyline, start, item);
    --left;
  }
  return peak;
}

//===---------------------------------------------------------------------===//
// Ranks
//===---------------------------------------------------------------------===//

// A factor of 1024 +- 10 % from the seed and the item.
static double noise(uint64_t seed, uint32_t item) {
  if (!seed)
    return 1024;
  uint64_t z = berthMix(seed * BERTH_RANDOM_STEP + item);
  return 922 + (double)(z % 205);
}

static double keyOf(const BerthTask *task, BerthSkylineKey key, uint32_t item) {
  double span = task->uppers[item] - task->lowers[item];
  double bytes = (double)task->sizes[item];
  switch (key) {
  case BERTH_SKYLINE_SPAN:
    return span + bytes / 9.3e18; // bytes break ties
  case BERTH_SKYLINE_SIZE:
    return bytes;
  case BERTH_SKYLINE_AREA:
    break;
  }
  return span * bytes;
}

// Positive doubles sort like their bits.
static uint64_t sortKey(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return ~bits;
}

static void rankItems(BerthSkyline *skyline, BerthSkylineConfig config) {
  const BerthTask *task = skyline->task;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    skyline->ranked[i] = i;
    skyline->keys[i] =
        sortKey(keyOf(task, config.key, i) * noise(config.seed, i));
  }
  berthSortByKey(skyline->ranked, skyline->scratch, task->numItems,
                 skyline->keys);
  for (uint32_t r = 0; r < task->numItems; ++r)
    skyline->rank[skyline->ranked[r]] = r;
}

int64_t berthSkylineRun(BerthSkyline *skyline, BerthSkylineConfig config,
                        int64_t *offsets, uint64_t *work) {
  rankItems(skyline, config);
  buildItemTree(skyline);
  if (config.dynamic)
    buildCriticality(skyline);
  skyline->work = 8 * (uint64_t)skyline->task->numItems;
  skyline->tree.work = 0;
  int64_t peak = fill(skyline, config.dynamic, offsets);
  *work += skyline->work + skyline->tree.work;
  return peak;
}

//===---------------------------------------------------------------------===//
// Building
//===---------------------------------------------------------------------===//

static uint32_t powerOfTwo(uint32_t least) {
  uint32_t power = 1;
  while (power < least)
    power *= 2;
  return power;
}

// Counting sort; then the tree over what is sorted.
static bool sortByStart(BerthSkyline *skyline, BerthMemory *arena) {
  const BerthTask *task = skyline->task;
  uint32_t n = task->numItems, sections = task->numSections;
  BerthMemory scratch = {0};
  uint32_t *firstAt = BERTH_MEMORY_NEW(arena, uint32_t, sections + 2);
  uint32_t *next = BERTH_MEMORY_NEW(&scratch, uint32_t, sections + 1);
  uint32_t *lowers = BERTH_MEMORY_NEW(&scratch, uint32_t, n);
  uint32_t *uppers = BERTH_MEMORY_NEW(&scratch, uint32_t, n);
  bool ready = firstAt && next && lowers && uppers;
  for (uint32_t i = 0; ready && i < n; ++i)
    ++firstAt[task->lowers[i] + 1];
  for (uint32_t s = 0; ready && s < sections; ++s)
    next[s + 1] = firstAt[s + 1] += firstAt[s];
  for (uint32_t i = 0; ready && i < n; ++i) {
    uint32_t at = next[task->lowers[i]]++;
    skyline->order[at] = i;
    skyline->position[i] = at;
    lowers[at] = task->lowers[i];
    uppers[at] = task->uppers[i];
  }
  ready = ready &&
          berthItemTreeInit(&skyline->tree, lowers, uppers, n, firstAt, arena);
  berthMemoryFree(&scratch);
  return ready;
}

BerthSkyline *berthSkylineCreate(const BerthTask *task, BerthMemory *arena) {
  uint32_t n = task->numItems, s = task->numSections;
  BerthSkyline *skyline = BERTH_MEMORY_NEW(arena, BerthSkyline, 1);
  if (!skyline)
    return NULL;
  *skyline = (BerthSkyline){.task = task, .criticalLeaves = powerOfTwo(s)};
  skyline->order = BERTH_MEMORY_NEW(arena, uint32_t, n);
  skyline->position = BERTH_MEMORY_NEW(arena, uint32_t, n);
  skyline->ranked = BERTH_MEMORY_NEW(arena, uint32_t, n);
  skyline->rank = BERTH_MEMORY_NEW(arena, uint32_t, n);
  skyline->keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  skyline->scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  skyline->critical =
      BERTH_MEMORY_NEW(arena, int64_t, 2 * skyline->criticalLeaves);
  skyline->added =
      BERTH_MEMORY_NEW(arena, int64_t, 2 * skyline->criticalLeaves);
  skyline->ends = BERTH_MEMORY_NEW(arena, uint32_t, s + 1);
  skyline->starts = BERTH_MEMORY_NEW(arena, uint32_t, s + 1);
  skyline->heights = BERTH_MEMORY_NEW(arena, int64_t, s + 1);
  return arena->failed || !sortByStart(skyline, arena) ? NULL : skyline;
}
