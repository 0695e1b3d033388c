//===- Strip.c - Strip packing, turned to lifetimes ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Sekiyama, Imai, Negishi and Fukuda, "Profile-guided memory optimization for
// deep neural networks" (2018): best-fit strip packing (Burke, Kendall and
// Whitwell 2004) with time as the width, which is fixed.
//
//   bytes ^   ____      The outline of what is packed is a line of plateaus.
//         |  |    |__   Take the lowest one, and of the items whose lifetime
//         |__|       |  lies within it the longest. If there is none, raise the
//         +---------->  plateau to its lower neighbour.
//
// The order that results is placed anew by first fit, with true segments,
// alignments, pins and all; no item ends higher by that.
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/Greedy.h"

/// Plateaus [begin, begin of the next), linked, by their first section.
typedef struct Outline {
  uint32_t numSections;
  uint32_t *next;     ///< section -> first section of the next plateau
  uint32_t *previous; ///< likewise; UINT32_MAX: none
  int64_t *heights;
} Outline;

static bool initOutline(Outline *outline, uint32_t n, BerthMemory *arena) {
  outline->numSections = n;
  outline->next = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  outline->previous = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  outline->heights = BERTH_MEMORY_NEW(arena, int64_t, n + 1);
  if (arena->failed)
    return false;
  outline->next[0] = n;
  outline->previous[0] = UINT32_MAX;
  return true;
}

static uint32_t lowest(const Outline *outline) {
  uint32_t best = 0;
  for (uint32_t at = 0; at < outline->numSections; at = outline->next[at])
    if (outline->heights[at] < outline->heights[best])
      best = at;
  return best;
}

// Starts a new plateau at section `at` within the one that starts at `begin`.
static void split(Outline *outline, uint32_t begin, uint32_t at) {
  uint32_t end = outline->next[begin];
  if (at == begin || at == end)
    return;
  outline->next[begin] = at;
  outline->previous[at] = begin;
  outline->next[at] = end;
  outline->previous[end] = at;
  outline->heights[at] = outline->heights[begin];
}

// Makes the plateau after `begin` part of it.
static void joinNext(Outline *outline, uint32_t begin) {
  uint32_t end = outline->next[outline->next[begin]];
  outline->next[begin] = end;
  outline->previous[end] = begin;
}

// Raises a plateau to the lower of its neighbours and joins what is level.
static void raise(Outline *outline, uint32_t begin) {
  uint32_t left = outline->previous[begin], right = outline->next[begin];
  int64_t height = INT64_MAX;
  if (left != UINT32_MAX)
    height = outline->heights[left];
  if (right < outline->numSections && outline->heights[right] < height)
    height = outline->heights[right];
  outline->heights[begin] = height;
  if (right < outline->numSections && outline->heights[right] == height)
    joinNext(outline, begin);
  if (left != UINT32_MAX && outline->heights[left] == height)
    joinNext(outline, left);
}

// Turns the items by rank into the order in which the outline takes them. When
// the budget is spent the rest follows by rank.
static void orderByOutline(const BerthTask *task, const BerthHost *host,
                           Outline *outline, uint32_t *ranked,
                           uint32_t *order) {
  uint32_t left = task->numItems, taken = 0;
  bool running = true;
  while (left > 0) {
    uint32_t begin = lowest(outline), end = outline->next[begin], at = 0;
    while (
        running && at < left &&
        !(begin <= task->lowers[ranked[at]] && task->uppers[ranked[at]] <= end))
      ++at;
    running = running && host->step(host->context, at + 1);
    if (at == left) {
      raise(outline, begin);
      continue;
    }
    uint32_t item = ranked[at];
    order[taken++] = item;
    for (--left; at < left; ++at)
      ranked[at] = ranked[at + 1];
    if (!running)
      continue;
    split(outline, begin, task->lowers[item]);
    split(outline, task->lowers[item], task->uppers[item]);
    outline->heights[task->lowers[item]] += task->sizes[item];
  }
}

static BerthStatus packStrip(const BerthPacker *self, const BerthTask *task,
                             const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kByLifetime = {
      .keys = {BERTH_KEY_LIFETIME_DOWN, BERTH_KEY_SIZE_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  Outline outline;
  uint32_t *ranked = berthGreedyOrder(&kByLifetime, task, host, &arena);
  uint32_t *order = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  bool done =
      ranked && order && initOutline(&outline, task->numSections, &arena);
  if (done) {
    orderByOutline(task, host, &outline, ranked, order);
    done =
        berthPlaceInOrder(order, BERTH_FIT_FIRST, task, host, answer, &arena);
  }
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerStrip = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "strip",
    .summary = "lowest plateau first, filled with the longest lifetime that "
               "fits (strip packing; Sekiyama et al. 2018)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES,
    .pack = packStrip,
    .traits = BERTH_PACKER_ONE_SHOT};
