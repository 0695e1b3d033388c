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
  uint8_t *before;     ///< by stretch, of the root at hand: what has been done
                       ///< where it begins (Done)
  bool *wanted;        ///< by event, of that root: it may be accessed behind it
  bool *wantedAt;      ///< by stretch: the same where it begins
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
      memset(now, 0, clusters->words * sizeof *now);
      berthBitSet(now, ++number);
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

static bool isAccessOf(const BerthThreadEvent *event, uint32_t root) {
  return event->kind == BERTH_THREADS_ACCESS && event->root == root;
}

static bool isMakeOf(const BerthThreadEvent *event, uint32_t root) {
  return event->kind == BERTH_THREADS_MAKE && event->root == root;
}

//===----------------------------------------------------------------------===//
// One root
//===----------------------------------------------------------------------===//

/// Backwards: an access may follow, to the instance that is there.
static void findWanted(Clusters *clusters, uint32_t root) {
  const BerthStretches *code = clusters->code;
  memset(clusters->wantedAt, 0, code->numStretches * sizeof(bool));
  do {
    clusters->isChanged = false;
    for (size_t s = code->numStretches; s-- > 0;) {
      const BerthStretch *stretch = &code->stretches[s];
      bool isWanted = false;
      for (uint32_t edge = stretch->firstNext; edge != BERTH_NO_STRETCH;
           edge = code->edges[edge].next)
        isWanted |= clusters->wantedAt[code->edges[edge].to];
      for (size_t i = stretch->end; i-- > stretch->begin;) {
        clusters->wanted[i] = isWanted;
        isWanted = (isWanted && !isMakeOf(&code->events[i], root)) ||
                   isAccessOf(&code->events[i], root);
      }
      clusters->isChanged |= isWanted && !clusters->wantedAt[s];
      clusters->wantedAt[s] |= isWanted;
    }
  } while (clusters->isChanged);
}

/// The root may have been accessed, since it was made, and since the last
/// barrier of the cluster.
enum Done { kSinceMade = 1, kSinceBarrier = 2 };

typedef struct RootWalk {
  Clusters *clusters;
  uint32_t root;
  uint64_t *inUse; ///< behind which barriers its content is wanted, or touched
  size_t remade;   ///< where it is made while others may be at its last
                   ///< instance; SIZE_MAX: nowhere
} RootWalk;

static uint8_t passUses(RootWalk *walk, const BerthStretch *stretch,
                        uint8_t done) {
  Clusters *clusters = walk->clusters;
  for (size_t i = stretch->begin; i < stretch->end; ++i) {
    const BerthThreadEvent *event = &clusters->code->events[i];
    bool isEnd = endsPhase(event), isAccess = isAccessOf(event, walk->root);
    if (isAccess || (isEnd && (done & kSinceMade) && clusters->wanted[i]))
      join(clusters, walk->inUse, rowOf(clusters, clusters->lastOf, i));
    if (isAccess)
      done = kSinceMade | kSinceBarrier;
    if (isEnd)
      done &= (uint8_t)~kSinceBarrier;
    if (!isMakeOf(event, walk->root))
      continue;
    if ((done & kSinceBarrier) && walk->remade == SIZE_MAX)
      walk->remade = i;
    done &= (uint8_t)~kSinceMade;
  }
  return done;
}

/// Behind which barriers the root is in use.
static void findUse(RootWalk *walk) {
  Clusters *clusters = walk->clusters;
  const BerthStretches *code = clusters->code;
  findWanted(clusters, walk->root);
  memset(walk->inUse, 0, clusters->words * sizeof *walk->inUse);
  memset(clusters->before, 0, code->numStretches);
  do {
    clusters->isChanged = false;
    for (size_t s = 0; s < code->numStretches; ++s) {
      uint8_t done = passUses(walk, &code->stretches[s], clusters->before[s]);
      for (uint32_t edge = code->stretches[s].firstNext;
           edge != BERTH_NO_STRETCH; edge = code->edges[edge].next) {
        uint8_t *to = &clusters->before[code->edges[edge].to];
        clusters->isChanged |= (done & ~*to) != 0;
        *to |= done;
      }
    }
  } while (clusters->isChanged);
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
  RootWalk walk = {clusters, root, inUse, SIZE_MAX};
  findUse(&walk);
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
  // The next access is the first one to the new instance.
  for (size_t i = walk.remade; i < count; ++i)
    if (isAccessOf(&events[i], root)) {
      callback(i, first, userData);
      break;
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
  clusters.before = berthAllocateOrDie(code->numStretches, 1);
  clusters.wanted = berthAllocateOrDie(code->numEvents, sizeof(bool));
  clusters.wantedAt = berthAllocateOrDie(code->numStretches, sizeof(bool));
  uint64_t *inUse = berthAllocateOrDie(words, sizeof *inUse);
  findLast(&clusters);
  for (uint32_t i = 0; i < views->numRoots; ++i)
    if (views->roots[i].isOfCluster)
      checkRoot(&clusters, i, inUse, callback, userData);
  free(clusters.lastAt);
  free(clusters.lastOf);
  free(clusters.before);
  free(clusters.wanted);
  free(clusters.wantedAt);
  free(inUse);
}
