//===- Clusters.c - Bytes that workgroups of a cluster touch --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Clusters.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/WholeBarrier.h"
#include "Support/Bitset.h"

#include <stdlib.h>
#include <string.h>

typedef struct Clusters {
  const BerthViews *views;
  const BerthStretches *code;
  size_t count, words; ///< of barriers, and one for the start, which is 0
  uint64_t *lastAt;    ///< by stretch: barriers that may be the last one there
  uint64_t *lastOf;    ///< by event
  uint64_t *leadsTo;   ///< by barrier: those that may follow at all, and itself
  bool isChanged;
} Clusters;

static bool endsPhase(const BerthThreadEvent *event) {
  return event->kind == BERTH_THREADS_BARRIER &&
         berthOpEndsClusterBarrier(event->op);
}

static uint64_t *rowOf(const Clusters *clusters, uint64_t *rows, size_t row) {
  return rows + row * clusters->words;
}

/// Adds `from` to `to`.
static void join(Clusters *clusters, uint64_t *to, const uint64_t *from) {
  for (size_t w = 0; w < clusters->words; ++w) {
    clusters->isChanged |= (from[w] & ~to[w]) != 0;
    to[w] |= from[w];
  }
}

/// `number`: of the last barrier in front of the stretch, in the order of the
/// text, so that they are counted in each round alike. Returns the next one.
static size_t passStretch(Clusters *clusters, size_t index, size_t number,
                          uint64_t *now) {
  const BerthStretch *stretch = &clusters->code->stretches[index];
  memcpy(now, rowOf(clusters, clusters->lastAt, index),
         clusters->words * sizeof *now);
  for (size_t i = stretch->begin; i < stretch->end; ++i) {
    if (endsPhase(&clusters->code->events[i])) {
      ++number;
      for (size_t last = 0; last < clusters->count; ++last)
        if (berthBitTest(now, last))
          berthBitSet(rowOf(clusters, clusters->leadsTo, last), number);
      memset(now, 0, clusters->words * sizeof *now);
      berthBitSet(now, number);
    }
    join(clusters, rowOf(clusters, clusters->lastOf, i), now);
  }
  for (uint32_t edge = stretch->firstNext; edge != BERTH_NO_STRETCH;
       edge = clusters->code->edges[edge].next)
    join(clusters,
         rowOf(clusters, clusters->lastAt, clusters->code->edges[edge].to),
         now);
  return number;
}

static void findLast(Clusters *clusters) {
  uint64_t *now = berthAllocateOrDie(clusters->words, sizeof *now);
  berthBitSet(clusters->lastAt, 0);
  do {
    clusters->isChanged = false;
    size_t number = 0;
    for (size_t s = 0; s < clusters->code->numStretches; ++s)
      number = passStretch(clusters, s, number, now);
  } while (clusters->isChanged);
  free(now);
}

static void findLeads(Clusters *clusters) {
  for (size_t i = 0; i < clusters->count; ++i)
    berthBitSet(rowOf(clusters, clusters->leadsTo, i), i);
  do {
    clusters->isChanged = false;
    for (size_t i = 0; i < clusters->count; ++i)
      for (size_t k = 0; k < clusters->count; ++k)
        if (berthBitTest(rowOf(clusters, clusters->leadsTo, i), k))
          join(clusters, rowOf(clusters, clusters->leadsTo, i),
               rowOf(clusters, clusters->leadsTo, k));
  } while (clusters->isChanged);
}

static bool isAccessOf(const BerthThreadEvent *event, uint32_t root) {
  return event->kind == BERTH_THREADS_ACCESS && event->root == root;
}

/// Behind which barriers the root is in use: they follow an access, and lead to
/// one.
static void findUse(Clusters *clusters, uint32_t root, uint64_t *inUse) {
  uint64_t *touched = berthAllocateOrDie(clusters->words, sizeof *touched);
  for (size_t i = 0; i < clusters->code->numEvents; ++i)
    if (isAccessOf(&clusters->code->events[i], root))
      join(clusters, touched, rowOf(clusters, clusters->lastOf, i));
  memset(inUse, 0, clusters->words * sizeof *inUse);
  for (size_t from = 0; from < clusters->count; ++from) {
    for (size_t c = 0; berthBitTest(touched, from) && c < clusters->count; ++c)
      for (size_t w = 0;
           berthBitTest(rowOf(clusters, clusters->leadsTo, from), c) &&
           w < clusters->words;
           ++w)
        if (rowOf(clusters, clusters->leadsTo, c)[w] & touched[w])
          berthBitSet(inUse, c);
  }
  free(touched);
}

static bool haveCommon(const Clusters *clusters, const uint64_t *a,
                       const uint64_t *b) {
  for (size_t w = 0; w < clusters->words; ++w)
    if (a[w] & b[w])
      return true;
  return false;
}

static void checkRoot(Clusters *clusters, uint32_t root, uint64_t *inUse,
                      BerthClusterCallback callback, void *userData) {
  const BerthThreadEvent *events = clusters->code->events;
  size_t first = 0, count = clusters->code->numEvents;
  while (first < count && !isAccessOf(&events[first], root))
    ++first;
  if (first == count)
    return;
  findUse(clusters, root, inUse);
  for (size_t i = 0; i < count; ++i) {
    if (events[i].kind != BERTH_THREADS_ACCESS ||
        !berthViewsOverlap(clusters->views, root, events[i].root))
      continue;
    // Of what goes on behind its op nobody knows in which phase it ends.
    bool endsLater = events[i].hold != BERTH_HOLD_ORDINARY || events[i].isAsync;
    if (endsLater ||
        haveCommon(clusters, inUse, rowOf(clusters, clusters->lastOf, i)))
      callback(i, first, userData);
  }
}

void berthVerifyClusters(const BerthViews *views, const BerthStretches *code,
                         BerthClusterCallback callback, void *userData) {
  bool isAny = false;
  for (size_t i = 0; i < views->numRoots; ++i)
    isAny |= views->roots[i].isOfCluster;
  if (!isAny)
    return;
  Clusters clusters = {.views = views, .code = code, .count = 1};
  for (size_t i = 0; i < code->numEvents; ++i)
    clusters.count += endsPhase(&code->events[i]);
  size_t words = clusters.words = berthBitWords(clusters.count);
  clusters.lastAt = berthAllocateOrDie(code->numStretches * words, 8);
  clusters.lastOf = berthAllocateOrDie(code->numEvents * words, 8);
  clusters.leadsTo = berthAllocateOrDie(clusters.count * words, 8);
  uint64_t *inUse = berthAllocateOrDie(words, sizeof *inUse);
  findLast(&clusters);
  findLeads(&clusters);
  for (uint32_t i = 0; i < views->numRoots; ++i)
    if (views->roots[i].isOfCluster)
      checkRoot(&clusters, i, inUse, callback, userData);
  free(clusters.lastAt);
  free(clusters.lastOf);
  free(clusters.leadsTo);
  free(inUse);
}
