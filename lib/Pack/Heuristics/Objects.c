//===- Objects.c - Shared objects: buffers that follow each other --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The older planners give each item a whole *object*: a slot that items use one
// after the other, as large as the largest of them. Objects are then stacked.
// Lee et al., "On-Device Neural Net Inference with Mobile GPUs" (2019); TFLite.
//
// greedy-in-order   Items in the order of their starts; each takes the free
//                   object that is closest in size, smallest of the large
//                   enough ones first, else the largest, which grows.
// min-cost-flow     Which item follows which is chosen at the least total size:
//                   a matching of items to predecessors, where following saves
//                   the smaller of the two sizes. Shortest augmenting paths.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"
#include "Support/Checked.h"

typedef struct Objects {
  const BerthTask *task;
  const BerthHost *host;
  uint32_t count;
  uint32_t *objectOf;  ///< item -> object, or UINT32_MAX
  int64_t *sizes;      ///< by object
  int64_t *alignments; ///< by object: the least common multiple
  uint32_t *freeFrom;  ///< by object: the section from which it is free
} Objects;

static bool initObjects(Objects *objects, BerthMemory *arena) {
  uint32_t n = objects->task->numItems;
  objects->objectOf = BERTH_MEMORY_NEW(arena, uint32_t, n);
  objects->sizes = BERTH_MEMORY_NEW(arena, int64_t, n);
  objects->alignments = BERTH_MEMORY_NEW(arena, int64_t, n);
  objects->freeFrom = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i)
    objects->objectOf[i] = UINT32_MAX;
  return true;
}

// Puts an item into an object; false if their alignments have no common
// multiple within reason.
static bool join(Objects *objects, uint32_t item, uint32_t object) {
  const BerthTask *task = objects->task;
  int64_t lcm = task->alignments[item];
  bool fresh = object == objects->count;
  if (!fresh && (!berthLcm(lcm, objects->alignments[object], &lcm) ||
                 lcm > task->alignments[item] + objects->alignments[object]))
    return false;
  objects->count += fresh;
  objects->alignments[object] = lcm;
  objects->objectOf[item] = object;
  if (task->sizes[item] > objects->sizes[object])
    objects->sizes[object] = task->sizes[item];
  objects->freeFrom[object] = task->uppers[item];
  return true;
}

// Joins the object, or a new one where it may not.
static void joinOrOpen(Objects *objects, uint32_t item, uint32_t object) {
  if (!join(objects, item, object))
    join(objects, item, objects->count);
}

// Stacks the objects by decreasing alignment's need: in the order they have.
static void stack(const Objects *objects, BerthAnswer *answer) {
  const BerthTask *task = objects->task;
  int64_t *offsets = objects->sizes; // each size turns into its offset
  int64_t top = 0;
  for (uint32_t object = 0; object < objects->count; ++object) {
    int64_t offset = berthRoundUp(top, objects->alignments[object]);
    top = offset + objects->sizes[object];
    offsets[object] = offset;
  }
  for (uint32_t i = 0; i < task->numItems; ++i)
    answer->offsets[i] = offsets[objects->objectOf[i]];
}

//===---------------------------------------------------------------------===//
// greedy-in-order
//===---------------------------------------------------------------------===//

static bool edgeForbids(const Objects *objects, uint32_t item,
                        uint32_t object) {
  const BerthTask *task = objects->task;
  for (uint32_t at = task->hardBegin[item]; at < task->hardBegin[item + 1];
       ++at)
    if (objects->objectOf[task->hardEdges[at]] == object)
      return true;
  return false;
}

// The free object that wastes least, or a new one.
static uint32_t closestObject(const Objects *objects, uint32_t item) {
  const BerthTask *task = objects->task;
  uint32_t best = objects->count;
  int64_t size = task->sizes[item];
  for (uint32_t object = 0; object < objects->count; ++object) {
    if (objects->freeFrom[object] > task->lowers[item] ||
        edgeForbids(objects, item, object))
      continue;
    int64_t have = objects->sizes[object];
    int64_t other = best < objects->count ? objects->sizes[best] : -1;
    bool better = have >= size ? other < size || have < other
                               : other < size && have > other;
    if (better)
      best = object;
  }
  return best;
}

static BerthStatus packInOrder(const BerthPacker *self, const BerthTask *task,
                               const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kByStart = {
      .keys = {BERTH_KEY_SECTION_UP, BERTH_KEY_START_UP}};
  (void)self;
  BerthMemory arena = {0};
  Objects objects = {.task = task, .host = host};
  const uint32_t *order = berthGreedyOrder(&kByStart, task, host, &arena);
  bool done = order && initObjects(&objects, &arena);
  for (uint32_t i = 0; done && i < task->numItems; ++i) {
    bool running = host->step(host->context, objects.count);
    uint32_t object =
        running ? closestObject(&objects, order[i]) : objects.count;
    joinOrOpen(&objects, order[i], object);
  }
  if (done)
    stack(&objects, answer);
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerGreedyInOrder = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "greedy-in-order",
    .summary = "in the order of their starts, each in the shared object "
               "closest in size (TFLite; Lee et al. 2019)",
    .capabilities = BERTH_CAN_ALIGNMENT | BERTH_CAN_HARD_EDGES,
    .pack = packInOrder,
    .traits = BERTH_PACKER_ONE_SHOT};

//===---------------------------------------------------------------------===//
// min-cost-flow
//===---------------------------------------------------------------------===//

/// Items as followers (rows) are matched to items as predecessors (columns) or
/// to nobody, at the least sum of costs; a row's cost is minus what it saves.
/// Row and column r + 1 stand for item r; 0 is the root of the path. Large rows
/// come first: they are the dearest to move later, and what is left when the
/// budget ends is small.
typedef struct Matching {
  const BerthTask *task;
  const BerthHost *host;
  int64_t *rowPrice;
  int64_t *columnPrice;
  uint32_t *rowOf; ///< column -> row matched, 0: none
  uint32_t *way;   ///< column -> column before it on the shortest path
  int64_t *slack;
  bool *used;
  uint32_t *open; ///< the columns not used yet, in no order
  uint32_t numOpen;
} Matching;

static const int64_t kNever = INT64_MAX / 4;

static int64_t cost(const BerthTask *task, uint32_t row, uint32_t column) {
  uint32_t item = row - 1, before = column - 1;
  if (task->uppers[before] > task->lowers[item])
    return kNever;
  return task->sizes[item] < task->sizes[before] ? -task->sizes[item]
                                                 : -task->sizes[before];
}

static bool initMatching(Matching *m, BerthMemory *arena) {
  size_t n = (size_t)m->task->numItems + 1;
  m->rowPrice = BERTH_MEMORY_NEW(arena, int64_t, n);
  m->columnPrice = BERTH_MEMORY_NEW(arena, int64_t, n);
  m->rowOf = BERTH_MEMORY_NEW(arena, uint32_t, n);
  m->way = BERTH_MEMORY_NEW(arena, uint32_t, n);
  m->slack = BERTH_MEMORY_NEW(arena, int64_t, n);
  m->used = BERTH_MEMORY_NEW(arena, bool, n);
  m->open = BERTH_MEMORY_NEW(arena, uint32_t, n);
  return !arena->failed;
}

// Relaxes the open columns from the row that `column` is matched to; closes and
// returns the one of least slack, 0 where all are out of reach.
static uint32_t relax(Matching *m, uint32_t column) {
  uint32_t row = m->rowOf[column], best = m->numOpen;
  int64_t least = kNever;
  for (uint32_t k = 0; k < m->numOpen; ++k) {
    uint32_t j = m->open[k];
    int64_t price = cost(m->task, row, j);
    if (price != kNever) {
      int64_t slack = price - m->rowPrice[row] - m->columnPrice[j];
      if (slack < m->slack[j]) {
        m->slack[j] = slack;
        m->way[j] = column;
      }
    }
    if (m->slack[j] < least) {
      least = m->slack[j];
      best = k;
    }
  }
  if (best == m->numOpen)
    return 0;
  uint32_t found = m->open[best];
  m->open[best] = m->open[--m->numOpen];
  return found;
}

static void shiftPrices(Matching *m, int64_t delta) {
  for (uint32_t j = 0; j <= m->task->numItems; ++j) {
    if (m->used[j]) {
      m->rowPrice[m->rowOf[j]] += delta;
      m->columnPrice[j] -= delta;
    } else if (m->slack[j] < kNever) {
      m->slack[j] -= delta;
    }
  }
}

static void startPath(Matching *m, uint32_t row) {
  m->rowOf[0] = row;
  m->slack[0] = kNever;
  m->used[0] = false;
  m->numOpen = m->task->numItems;
  for (uint32_t j = 1; j <= m->task->numItems; ++j) {
    m->slack[j] = kNever;
    m->used[j] = false;
    m->open[j - 1] = j;
  }
}

// Finds a place for one more row. The path ends at a free column or at a row
// that had better follow nobody, which costs 0; without steps left, at the best
// of those found.
static void addRow(Matching *m, uint32_t row) {
  uint32_t column = 0, end = 0;
  int64_t nobody = kNever;
  startPath(m, row);
  while (m->host->step(m->host->context, m->numOpen + 1)) {
    m->used[column] = true;
    int64_t alone = -m->rowPrice[m->rowOf[column]];
    if (alone < nobody) {
      nobody = alone;
      end = column;
    }
    uint32_t next = relax(m, column);
    int64_t delta = next ? m->slack[next] : kNever;
    if (nobody <= delta) {
      shiftPrices(m, nobody);
      break;
    }
    shiftPrices(m, delta);
    nobody -= delta;
    column = next;
    if (m->rowOf[column] == 0) {
      end = column;
      break;
    }
  }
  for (uint32_t j = end; j; j = m->way[j])
    m->rowOf[j] = m->rowOf[m->way[j]];
}

static BerthStatus packMinCostFlow(const BerthPacker *self,
                                   const BerthTask *task, const BerthHost *host,
                                   BerthAnswer *answer) {
  static const BerthGreedyRow kByStart = {
      .keys = {BERTH_KEY_SECTION_UP, BERTH_KEY_START_UP}};
  static const BerthGreedyRow kBySize = {.keys = {BERTH_KEY_SIZE_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  Objects objects = {.task = task, .host = host};
  Matching matching = {.task = task, .host = host};
  const uint32_t *order = berthGreedyOrder(&kByStart, task, host, &arena);
  uint32_t *leader = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems + 1);
  const uint32_t *rows = berthGreedyOrder(&kBySize, task, host, &arena);
  bool done = order && rows && leader && initObjects(&objects, &arena) &&
              initMatching(&matching, &arena);
  for (uint32_t k = 0; done && k < task->numItems; ++k)
    if (host->step(host->context, 0))
      addRow(&matching, rows[k] + 1);
  for (uint32_t j = 1; done && j <= task->numItems; ++j)
    if (matching.rowOf[j])
      leader[matching.rowOf[j]] = j;
  for (uint32_t i = 0; done && i < task->numItems; ++i) {
    uint32_t before = leader[order[i] + 1];
    uint32_t object = before ? objects.objectOf[before - 1] : objects.count;
    joinOrOpen(&objects, order[i], object);
  }
  if (done)
    stack(&objects, answer);
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerMinCostFlow = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "min-cost-flow",
    .summary = "shared objects of the least total size, by matching items to "
               "predecessors (TFLite; Lee et al. 2019)",
    .capabilities = BERTH_CAN_ALIGNMENT,
    .defaultSteps = UINT64_C(1) << 28,
    .pack = packMinCostFlow,
    .traits = BERTH_PACKER_ONE_SHOT};
