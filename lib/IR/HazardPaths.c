//===- HazardPaths.c - Ways between accesses without barrier --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Breadth.h"
#include "IR/Hazards.h"
#include "IR/Proxies.h"
#include "IR/Rules.h"

//===----------------------------------------------------------------------===//
// Paths without barrier
//===----------------------------------------------------------------------===//

/// The node of the stop at a point.
static uint32_t nodeAtPoint(const BerthHazards *hazards, int64_t point) {
  for (uint32_t n = 0; n < hazards->graph.numNodes; ++n) {
    const BerthFlowNode *node = &hazards->graph.nodes[n];
    for (uint32_t k = 0; k < node->numStops; ++k)
      if (hazards->stops[node->firstStop + k].lower == point)
        return n;
  }
  return BERTH_NO_NODE;
}

bool berthHazardsTouch(const BerthHazards *hazards, uint32_t node,
                       uint32_t buffer, bool onlyWrites) {
  for (uint32_t k = hazards->touchBegin[node];
       k < hazards->touchBegin[node + 1]; ++k)
    if (hazards->touches[k].buffer == buffer &&
        (!onlyWrites || hazards->touches[k].writes))
      return true;
  return false;
}

/// A search from the accesses of x.
typedef struct Search {
  const BerthHazards *hazards;
  const bool *cuts;
  bool oneThread; ///< follow one thread's own steps only
  BerthBreadth breadth;
} Search;

static Search newSearch(const BerthHazards *hazards, const bool *cuts,
                        bool oneThread) {
  const char *broken = hazards->job->options->alias.breakRule;
  return (Search){.hazards = hazards,
                  .cuts = cuts,
                  .oneThread =
                      oneThread || berthIsBroken(broken, "no-divergence"),
                  .breadth = berthBreadthCreate(hazards->graph.numNodes)};
}

static void startAt(Search *search, uint32_t x, bool fromWrites) {
  for (uint32_t n = 0; n < search->hazards->graph.numNodes; ++n)
    if (berthHazardsTouch(search->hazards, n, x, fromWrites))
      berthBreadthReach(&search->breadth, n, n);
}

/// Barriers and cuts are reached but not passed.
static bool stops(const Search *search, uint32_t node) {
  return search->hazards->isBarrier[node] ||
         (search->cuts && search->cuts[node]);
}

/// The next node reached, or BERTH_NO_NODE at the end.
static uint32_t nextReached(Search *search) {
  const BerthFlowGraph *graph = &search->hazards->graph;
  uint32_t node = berthBreadthNext(&search->breadth);
  if (node == BERTH_NO_NODE || stops(search, node))
    return node;
  for (uint32_t e = graph->nodes[node].firstNext; e != BERTH_NO_NODE;
       e = graph->edges[e].nextOut)
    if (!search->oneThread || !graph->edges[e].isBeside)
      berthBreadthReach(&search->breadth, graph->edges[e].to, node);
  return node;
}

/// From its writes any access conflicts, from its reads only writes do.
static void reachFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool fromWrites, bool *conflicts) {
  Search search = newSearch(hazards, cuts, false);
  startAt(&search, x, fromWrites);
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE;
       n = nextReached(&search))
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      if (fromWrites || hazards->touches[k].writes)
        conflicts[hazards->touches[k].buffer] = true;
  berthBreadthFree(&search.breadth);
}

void berthHazardsFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool *conflicts) {
  reachFrom(hazards, x, cuts, true, conflicts);
  reachFrom(hazards, x, cuts, false, conflicts);
  berthProxiesFrom(hazards, x, cuts, conflicts);
}

static uint32_t nextEdge(const BerthFlowEdge *edge, bool isBackward) {
  return isBackward ? edge->nextIn : edge->nextOut;
}

void berthHazardsReach(const BerthHazards *hazards, const bool *cuts,
                       bool isBackward, bool *reached) {
  const BerthFlowGraph *graph = &hazards->graph;
  Search search = newSearch(hazards, cuts, false);
  for (uint32_t n = 0; n < graph->numNodes; ++n)
    if (reached[n])
      berthBreadthReach(&search.breadth, n, n);
  for (uint32_t n = berthBreadthNext(&search.breadth); n != BERTH_NO_NODE;
       n = berthBreadthNext(&search.breadth)) {
    const BerthFlowNode *node = &graph->nodes[n];
    reached[n] = true;
    uint32_t e = isBackward ? node->firstPrevious : node->firstNext;
    for (; e != BERTH_NO_NODE && !stops(&search, n);
         e = nextEdge(&graph->edges[e], isBackward)) {
      uint32_t to = isBackward ? graph->edges[e].from : graph->edges[e].to;
      berthBreadthReach(&search.breadth, to, n);
    }
  }
  berthBreadthFree(&search.breadth);
}

static void storePath(const Search *search, uint32_t last, uint32_t *path,
                      size_t *length) {
  *length = 1;
  const uint32_t *cameFrom = search->breadth.cameFrom;
  for (uint32_t n = last; cameFrom[n] != n; n = cameFrom[n])
    ++*length;
  uint32_t n = last;
  for (size_t i = *length; i-- > 0; n = cameFrom[n])
    path[i] = n;
}

static bool findPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                     const bool *cuts, bool fromWrites, uint32_t *path,
                     size_t *length) {
  Search search = newSearch(hazards, cuts, false);
  startAt(&search, x, fromWrites);
  bool found = false;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !found;
       n = nextReached(&search)) {
    found = berthHazardsTouch(hazards, n, y, !fromWrites);
    if (found)
      storePath(&search, n, path, length);
  }
  berthBreadthFree(&search.breadth);
  return found;
}

bool berthHazardsFindPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                          const bool *cuts, uint32_t *path, size_t *length) {
  return findPath(hazards, x, y, cuts, true, path, length) ||
         findPath(hazards, x, y, cuts, false, path, length) ||
         berthProxiesFindPath(hazards, x, y, cuts, path, length);
}

/// From an access of x, or from its allocation, by one thread's steps to the
/// allocation: the path's length, 0 if there is none.
static size_t pathToAllocation(const BerthHazards *hazards, uint32_t x,
                               const bool *cuts, uint32_t alloc,
                               uint32_t *path) {
  const BerthFlowGraph *graph = &hazards->graph;
  Search search = newSearch(hazards, cuts, true);
  startAt(&search, x, false);
  berthBreadthReach(&search.breadth, alloc, alloc);
  size_t length = 0;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !length;
       n = nextReached(&search)) {
    if (stops(&search, n))
      continue;
    for (uint32_t e = graph->nodes[n].firstNext; e != BERTH_NO_NODE && !length;
         e = graph->edges[e].nextOut)
      if (!graph->edges[e].isBeside && graph->edges[e].to == alloc)
        storePath(&search, n, path, &length);
  }
  berthBreadthFree(&search.breadth);
  return length;
}

/// From the allocation of x on to an access of the new instance.
static size_t pathFromAllocation(const BerthHazards *hazards, uint32_t x,
                                 const bool *cuts, uint32_t alloc,
                                 uint32_t *path) {
  Search search = newSearch(hazards, cuts, true);
  berthBreadthReach(&search.breadth, alloc, alloc);
  size_t length = 0;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !length;
       n = nextReached(&search))
    if (berthHazardsTouch(hazards, n, x, false))
      storePath(&search, n, path, &length);
  berthBreadthFree(&search.breadth);
  return length;
}

/// Only the steps of the fast thread make a new instance. It may come to the
/// allocation from an access, or from the allocation itself while slow threads
/// took another way.
bool berthHazardsFindSelfPath(const BerthHazards *hazards, uint32_t x,
                              const bool *cuts, uint32_t *path,
                              size_t *length) {
  const BerthJob *job = hazards->job;
  const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[x]];
  if (!mlirOperationIsNull(buffer->callee))
    return false; // that is its own matter
  MlirOperation op = buffer->alloc;
  uint32_t alloc = nodeAtPoint(hazards, berthPointsLower(&job->points, op));
  size_t before = pathToAllocation(hazards, x, cuts, alloc, path);
  size_t behind =
      before ? pathFromAllocation(hazards, x, cuts, alloc, path + before) : 0;
  *length = before + behind;
  return behind > 0 ||
         berthProxiesFindSelfPath(hazards, x, alloc, cuts, path, length);
}
