//===- Coloring.c - Triton's starts and colours --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Triton's shared-memory allocation, after Gergov, "Algorithms for Compile-Time
// Memory Optimization" (1999):
//
//   1. Starts. A set of free triples (offset, times) begins as (0, all). Take
//      the lowest; the largest item that meets its times, and no other
//      triple's, goes to that offset; what is left of the times goes back, and
//      above the item a new triple opens. This may let items overlap.
//   2. Interference: which items meet in time and now overlap in bytes.
//   3. Colour that graph greedily, large items first; items of another colour
//      than the first move above all that they interfere with. Repeat from 2
//      until nothing does.
//
// Items only ever move up, so step 3 comes to an end.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"
#include "Support/Checked.h"

/// Free from `offset` up during the sections [lower, upper).
typedef struct Triple {
  int64_t offset;
  uint32_t lower;
  uint32_t upper;
} Triple;

typedef struct Coloring {
  const BerthTask *task;
  const BerthHost *host;
  int64_t *offsets;
  const uint32_t *order; ///< by decreasing size
  uint32_t *left;        ///< those without a start, in that order
  Triple *triples;
  size_t numTriples;
  int64_t *before; ///< the offsets that the graph was built from
  uint32_t *colors;
  uint32_t *near; ///< room for neighbours
  bool *taken;    ///< by colour
  bool stopped;   ///< by the host
} Coloring;

static bool meets(uint32_t lower, uint32_t upper, const Triple *triple) {
  return lower < triple->upper && triple->lower < upper;
}

static Triple popLowest(Coloring *c) {
  size_t best = 0;
  for (size_t i = 1; i < c->numTriples; ++i)
    if (c->triples[i].offset < c->triples[best].offset)
      best = i;
  Triple lowest = c->triples[best];
  for (size_t i = best + 1; i < c->numTriples; ++i)
    c->triples[i - 1] = c->triples[i];
  --c->numTriples;
  return lowest;
}

static bool suits(const Coloring *c, uint32_t item, const Triple *triple) {
  uint32_t lower = c->task->lowers[item], upper = c->task->uppers[item];
  if (!meets(lower, upper, triple))
    return false;
  for (size_t i = 0; i < c->numTriples; ++i)
    if (meets(lower, upper, &c->triples[i]))
      return false;
  return true;
}

static void pushTriple(Coloring *c, int64_t offset, uint32_t lower,
                       uint32_t upper) {
  c->triples[c->numTriples++] = (Triple){offset, lower, upper};
}

// Places an item in a triple and opens what remains around and above it.
static void settle(Coloring *c, uint32_t item, const Triple *triple) {
  const BerthTask *task = c->task;
  uint32_t lower = task->lowers[item], upper = task->uppers[item];
  int64_t offset = berthRoundUp(triple->offset, task->alignments[item]);
  c->offsets[item] = offset;
  pushTriple(c, offset + task->sizes[item],
             triple->lower > lower ? triple->lower : lower,
             triple->upper < upper ? triple->upper : upper);
  if (triple->lower < lower)
    pushTriple(c, triple->offset, triple->lower, upper);
  if (upper < triple->upper)
    pushTriple(c, triple->offset, lower, triple->upper);
}

// Step 1. What is left when triples or budget run out starts at 0.
static void findStarts(Coloring *c) {
  uint32_t left = c->task->numItems;
  pushTriple(c, 0, 0, c->task->numSections);
  while (left > 0 && c->numTriples > 0) {
    Triple triple = popLowest(c);
    uint32_t at = 0;
    while (at < left && !suits(c, c->left[at], &triple))
      ++at;
    if (!c->host->step(c->host->context, at + c->numTriples + 1)) {
      c->stopped = true;
      break;
    }
    if (at == left)
      continue;
    uint32_t item = c->left[at];
    settle(c, item, &triple);
    for (--left; at < left; ++at)
      c->left[at] = c->left[at + 1];
  }
  for (uint32_t i = 0; i < left; ++i)
    c->offsets[c->left[i]] = 0;
}

// The items that meet item i and overlap its bytes in the graph.
static size_t interfering(Coloring *c, uint32_t i) {
  const BerthTask *task = c->task;
  const int64_t *at = c->before;
  size_t count =
             c->host->neighbours(c->host->context, i, c->near, task->numItems),
         kept = 0;
  c->stopped |= !c->host->step(c->host->context, count);
  for (size_t k = 0; k < count; ++k) {
    uint32_t j = c->near[k];
    if (at[i] < at[j] + task->sizes[j] && at[j] < at[i] + task->sizes[i])
      c->near[kept++] = j;
  }
  return kept;
}

// Steps 2 and 3, once; false when nothing interferes any more, or when the host
// says stop.
static bool separate(Coloring *c) {
  const BerthTask *task = c->task;
  bool any = false;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    c->colors[i] = UINT32_MAX;
    c->before[i] = c->offsets[i];
  }
  for (uint32_t at = 0; !c->stopped && at < task->numItems; ++at) {
    uint32_t i = c->order[at];
    size_t count = interfering(c, i);
    any |= count > 0;
    for (size_t k = 0; k <= count; ++k)
      c->taken[k] = false;
    for (size_t k = 0; k < count; ++k)
      if (c->colors[c->near[k]] <= count)
        c->taken[c->colors[c->near[k]]] = true;
    for (c->colors[i] = 0; c->taken[c->colors[i]];)
      ++c->colors[i];
  }
  for (uint32_t at = 0; any && !c->stopped && at < task->numItems; ++at) {
    uint32_t i = c->order[at];
    if (c->colors[i] == 0)
      continue;
    size_t count = interfering(c, i);
    int64_t above = c->offsets[i];
    for (size_t k = 0; k < count; ++k) {
      uint32_t j = c->near[k];
      int64_t top = c->offsets[j] + task->sizes[j];
      above = top > above ? top : above;
    }
    c->offsets[i] = berthRoundUp(above, task->alignments[i]);
  }
  return any && !c->stopped;
}

static BerthStatus packColoring(const BerthPacker *self, const BerthTask *task,
                                const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kBySize = {.keys = {BERTH_KEY_SIZE_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  size_t n = task->numItems;
  Coloring c = {.task = task, .host = host, .offsets = answer->offsets};
  c.order = berthGreedyOrder(&kBySize, task, host, &arena);
  c.left = berthGreedyOrder(&kBySize, task, host, &arena);
  c.triples = BERTH_MEMORY_NEW(&arena, Triple, 3 * n + 1);
  c.before = BERTH_MEMORY_NEW(&arena, int64_t, n);
  c.colors = BERTH_MEMORY_NEW(&arena, uint32_t, n);
  c.near = BERTH_MEMORY_NEW(&arena, uint32_t, n);
  c.taken = BERTH_MEMORY_NEW(&arena, bool, n + 1);
  bool done = c.order && c.left && !arena.failed;
  if (done)
    findStarts(&c);
  while (done && separate(&c))
    c.stopped = !host->step(host->context, n);
  if (done && c.stopped) { // no time left for colours
    for (uint32_t i = 0; i < n; ++i)
      answer->offsets[i] = BERTH_NONE;
    done =
        berthPlaceInOrder(c.order, BERTH_FIT_FIRST, task, host, answer, &arena);
  }
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerColoring = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "coloring",
    .summary = "free triples by decreasing size, then interference colours to "
               "a fixpoint (Triton; Gergov 1999)",
    .capabilities =
        BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT | BERTH_CAN_HARD_EDGES,
    .defaultSteps = UINT64_C(1) << 28,
    .pack = packColoring,
    .traits = BERTH_PACKER_ONE_SHOT};
