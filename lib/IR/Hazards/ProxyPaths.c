//===- ProxyPaths.c - Ordinary accesses in front of asynchronous ones -----===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/ProxyPaths.h"
#include "IR/Hazards/HazardSearch.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

/// Node n with a fence passed is state n + numNodes, without one state n.
static uint32_t numNodesOf(const BerthHazardSearch *search) {
  return (uint32_t)search->hazards->graph.numNodes;
}

static uint32_t nodeOf(const BerthHazardSearch *search, uint32_t state) {
  return state % numNodesOf(search);
}

static bool isFenced(const BerthHazardSearch *search, uint32_t state) {
  return state >= numNodesOf(search);
}

static BerthHazardSearch newSearch(const BerthHazards *hazards,
                                   const bool *cuts, bool oneThread) {
  return berthHazardSearchCreate(hazards, cuts, oneThread,
                                 2 * hazards->graph.numNodes);
}

/// Starts at the ordinary accesses of x.
static void startAt(BerthHazardSearch *search, uint32_t x, bool fromWrites) {
  for (uint32_t n = 0; n < numNodesOf(search); ++n)
    if (!search->hazards->isAsync[n] &&
        berthHazardsTouch(search->hazards, n, x, fromWrites))
      berthHazardSearchReach(search, n, n);
}

/// A barrier ends what a fence has gone before.
static bool ends(const BerthHazardSearch *search, uint32_t state) {
  uint32_t node = nodeOf(search, state);
  return isFenced(search, state) && berthHazardSearchStops(search, node);
}

/// The next state reached, or BERTH_NO_NODE at the end.
static uint32_t nextReached(BerthHazardSearch *search) {
  const BerthHazards *hazards = search->hazards;
  uint32_t state = berthHazardSearchNext(search);
  if (state == BERTH_NO_NODE)
    return state;
  uint32_t node = nodeOf(search, state);
  bool isNowFenced = isFenced(search, state) || hazards->isFence[node];
  uint32_t edge = ends(search, state) ? BERTH_NO_NODE
                                      : hazards->graph.nodes[node].firstNext;
  for (; edge != BERTH_NO_NODE; edge = hazards->graph.edges[edge].nextOut) {
    const BerthFlowEdge *way = &hazards->graph.edges[edge];
    if (!search->oneThread || !way->isBeside)
      berthHazardSearchReach(
          search, way->to + (isNowFenced ? numNodesOf(search) : 0), state);
  }
  return state;
}

/// True if the state is an asynchronous access that conflicts with the starts.
static bool isMet(const BerthHazardSearch *search, uint32_t state, uint32_t y,
                  bool fromWrites) {
  uint32_t node = nodeOf(search, state);
  return search->hazards->isAsync[node] &&
         berthHazardsTouch(search->hazards, node, y, !fromWrites);
}

/// The nodes on the way to `last` behind a fence, first to last.
static size_t storePath(const BerthHazardSearch *search, uint32_t last,
                        uint32_t *path) {
  size_t length = 0;
  const uint32_t *cameFrom = search->cameFrom;
  for (uint32_t state = last;; state = cameFrom[state]) {
    if (isFenced(search, state))
      path[length++] = nodeOf(search, state);
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

//===----------------------------------------------------------------------===//
// Two buffers
//===----------------------------------------------------------------------===//

static void reachFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool fromWrites, bool *conflicts) {
  BerthHazardSearch search = newSearch(hazards, cuts, false);
  startAt(&search, x, fromWrites);
  for (uint32_t state = nextReached(&search); state != BERTH_NO_NODE;
       state = nextReached(&search)) {
    uint32_t n = nodeOf(&search, state);
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      if (hazards->isAsync[n] && (fromWrites || hazards->touches[k].writes))
        conflicts[hazards->touches[k].buffer] = true;
  }
  berthHazardSearchFree(&search);
}

void berthProxiesFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool *conflicts) {
  if (!hazards->hasAsync)
    return;
  reachFrom(hazards, x, cuts, true, conflicts);
  reachFrom(hazards, x, cuts, false, conflicts);
}

static bool findPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                     const bool *cuts, bool fromWrites, uint32_t *path,
                     size_t *length) {
  BerthHazardSearch search = newSearch(hazards, cuts, false);
  startAt(&search, x, fromWrites);
  bool found = false;
  for (uint32_t state = nextReached(&search); state != BERTH_NO_NODE && !found;
       state = nextReached(&search)) {
    found = isMet(&search, state, y, fromWrites);
    if (found)
      *length = storePath(&search, state, path);
  }
  berthHazardSearchFree(&search);
  return found;
}

bool berthProxiesFindPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                          const bool *cuts, uint32_t *path, size_t *length) {
  return hazards->hasAsync &&
         (findPath(hazards, x, y, cuts, true, path, length) ||
          findPath(hazards, x, y, cuts, false, path, length));
}

//===----------------------------------------------------------------------===//
// Two instances of one buffer
//===----------------------------------------------------------------------===//

/// From the allocation on, in the state in which it was reached.
static bool findFrom(const BerthHazards *hazards, uint32_t x, uint32_t alloc,
                     bool fenced, const bool *cuts, uint32_t *path,
                     size_t *length) {
  BerthHazardSearch search = newSearch(hazards, cuts, true);
  uint32_t start = alloc + (fenced ? numNodesOf(&search) : 0);
  berthHazardSearchReach(&search, start, start);
  bool found = false;
  for (uint32_t state = nextReached(&search); state != BERTH_NO_NODE && !found;
       state = nextReached(&search)) {
    found = isMet(&search, state, x, true);
    if (found)
      *length += storePath(&search, state, path + *length);
  }
  berthHazardSearchFree(&search);
  return found;
}

bool berthProxiesFindSelfPath(const BerthHazards *hazards, uint32_t x,
                              uint32_t alloc, const bool *cuts, uint32_t *path,
                              size_t *length) {
  if (!hazards->hasAsync)
    return false;
  BerthHazardSearch search = newSearch(hazards, cuts, true);
  startAt(&search, x, false);
  while (nextReached(&search) != BERTH_NO_NODE)
    continue;
  bool found = false;
  for (int fenced = 0; fenced < 2 && !found; ++fenced) {
    uint32_t state = alloc + (fenced ? numNodesOf(&search) : 0);
    if (search.cameFrom[state] == BERTH_NO_NODE)
      continue;
    *length = storePath(&search, state, path);
    found = findFrom(hazards, x, alloc, fenced, cuts, path, length);
  }
  berthHazardSearchFree(&search);
  return found;
}
