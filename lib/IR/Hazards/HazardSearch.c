//===- HazardSearch.c - Where threads come without barrier ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/HazardSearch.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"

#include <string.h>

static const uint32_t kAllSlices = UINT32_MAX;

BerthHazardSearch berthHazardSearchCreate(const BerthHazards *hazards,
                                          const bool *cuts) {
  size_t numStates = hazards->graph.numNodes * (hazards->hasAsync ? 2 : 1);
  BerthHazardSearch search = {
      .hazards = hazards,
      .cuts = cuts,
      .cameFrom = berthAllocateOrDie(numStates, sizeof *search.cameFrom),
      .queue = berthAllocateOrDie(numStates, sizeof *search.queue)};
  memset(search.cameFrom, 0xff, numStates * sizeof *search.cameFrom);
  return search;
}

void berthHazardSearchBegin(BerthHazardSearch *search, bool toAsync,
                            bool oneThread) {
  const char *broken = search->hazards->job->options->alias.breakRule;
  while (search->tail)
    search->cameFrom[search->queue[--search->tail]] = BERTH_NO_NODE;
  search->head = 0;
  search->toAsync = toAsync;
  search->oneThread = oneThread || berthIsBroken(broken, "no-divergence");
}

void berthHazardSearchFree(BerthHazardSearch *search) {
  free(search->cameFrom);
  free(search->queue);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Those with a fence passed stand behind all others.
static uint32_t firstFenced(const BerthHazardSearch *search) {
  return (uint32_t)search->hazards->graph.numNodes;
}

uint32_t berthHazardSearchState(const BerthHazardSearch *search, uint32_t node,
                                bool isFenced) {
  return isFenced ? firstFenced(search) + node : node;
}

uint32_t berthHazardSearchNode(const BerthHazardSearch *search,
                               uint32_t state) {
  uint32_t first = firstFenced(search);
  return state < first ? state : state - first;
}

static bool isFenced(const BerthHazardSearch *search, uint32_t state) {
  return state >= firstFenced(search);
}

bool berthHazardSearchEnds(const BerthHazardSearch *search, uint32_t state) {
  uint32_t node = berthHazardSearchNode(search, state);
  bool isCut = search->cuts && search->cuts[node];
  bool bringsFence = isCut && search->hazards->addsFences &&
                     !search->hazards->hasNoFence[node];
  return (isCut || search->hazards->isBarrier[node]) &&
         (!search->toAsync || isFenced(search, state) || bringsFence);
}

/// True if an access at the node goes the way that is asked for.
static bool goesBy(const BerthHazardSearch *search, uint32_t node,
                   bool isAsync) {
  return !search->toAsync || search->hazards->isAsync[node] == isAsync;
}

bool berthHazardSearchMeets(const BerthHazardSearch *search, uint32_t state,
                            uint32_t y, bool onlyWrites) {
  uint32_t node = berthHazardSearchNode(search, state);
  return goesBy(search, node, true) &&
         berthHazardsTouch(search->hazards, node, y, onlyWrites);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

void berthHazardSearchReach(BerthHazardSearch *search, uint32_t state,
                            uint32_t from) {
  if (search->cameFrom[state] != BERTH_NO_NODE)
    return;
  search->cameFrom[state] = from;
  search->queue[search->tail++] = state;
}

static void start(BerthHazardSearch *search, uint32_t x, uint32_t slice,
                  bool fromWrites) {
  const BerthHazards *hazards = search->hazards;
  for (uint32_t k = hazards->touchedAtBegin[x];
       k < hazards->touchedAtBegin[x + 1]; ++k) {
    BerthTouchedAt at = hazards->touchedAt[k];
    if (!at.isShownToEnd && goesBy(search, at.node, false) &&
        (at.writes || !fromWrites) &&
        (slice == kAllSlices || at.slice == slice))
      berthHazardSearchReach(search, at.node, at.node);
  }
}

void berthHazardSearchStart(BerthHazardSearch *search, uint32_t x,
                            bool fromWrites) {
  start(search, x, kAllSlices, fromWrites);
}

void berthHazardSearchStartSlice(BerthHazardSearch *search, uint32_t slice,
                                 bool fromWrites) {
  start(search, search->hazards->slices.items[slice].buffer, slice, fromWrites);
}

uint32_t berthHazardSearchTake(BerthHazardSearch *search) {
  return search->head == search->tail ? BERTH_NO_NODE
                                      : search->queue[search->head++];
}

uint32_t berthHazardSearchNext(BerthHazardSearch *search) {
  const BerthHazards *hazards = search->hazards;
  const BerthFlowGraph *graph = &hazards->graph;
  uint32_t state = berthHazardSearchTake(search);
  if (state == BERTH_NO_NODE || berthHazardSearchEnds(search, state))
    return state;
  uint32_t node = berthHazardSearchNode(search, state);
  bool isNowFenced =
      search->toAsync && (isFenced(search, state) || hazards->isFence[node]);
  for (uint32_t e = graph->nodes[node].firstNext; e != BERTH_NO_NODE;
       e = graph->edges[e].nextOut)
    if (!search->oneThread || !graph->edges[e].isBeside)
      berthHazardSearchReach(
          search,
          berthHazardSearchState(search, graph->edges[e].to, isNowFenced),
          state);
  return state;
}

/// True if a barrier at the state would help, and does not stand on the path
/// yet: a node may be passed without a fence first, and with one later.
static bool wantsBarrier(const BerthHazardSearch *search, uint32_t state,
                         const uint32_t *path, size_t length) {
  uint32_t node = berthHazardSearchNode(search, state);
  if (!search->toAsync || isFenced(search, state))
    return true;
  for (size_t i = 0; i < length; ++i)
    if (path[i] == node)
      return false;
  return search->hazards->addsFences;
}

size_t berthHazardSearchStorePath(const BerthHazardSearch *search,
                                  uint32_t last, uint32_t *path) {
  size_t length = 0;
  const uint32_t *cameFrom = search->cameFrom;
  for (uint32_t state = last;; state = cameFrom[state]) {
    if (wantsBarrier(search, state, path, length))
      path[length++] = berthHazardSearchNode(search, state);
    if (cameFrom[state] == state)
      break;
  }
  for (size_t i = 0; i < length / 2; ++i) {
    uint32_t node = path[i];
    path[i] = path[length - 1 - i];
    path[length - 1 - i] = node;
  }
  return length;
}
