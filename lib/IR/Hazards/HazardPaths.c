//===- HazardPaths.c - Ways between accesses without barrier --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/HazardPaths.h"
#include "IR/Hazards/HazardSearch.h"
#include "IR/Hazards/ProxyPaths.h"
#include "IR/Ops/Rules.h"

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

static BerthHazardSearch newSearch(const BerthHazards *hazards,
                                   const bool *cuts, bool oneThread) {
  const char *broken = hazards->job->options->alias.breakRule;
  oneThread |= berthIsBroken(broken, "no-divergence");
  return berthHazardSearchCreate(hazards, cuts, oneThread,
                                 hazards->graph.numNodes);
}

static void startAt(BerthHazardSearch *search, uint32_t x, bool fromWrites) {
  for (uint32_t n = 0; n < search->hazards->graph.numNodes; ++n)
    if (berthHazardsTouch(search->hazards, n, x, fromWrites))
      berthHazardSearchReach(search, n, n);
}

/// The next node reached, or BERTH_NO_NODE at the end. Barriers and cuts are
/// reached but not passed.
static uint32_t nextReached(BerthHazardSearch *search) {
  const BerthFlowGraph *graph = &search->hazards->graph;
  uint32_t node = berthHazardSearchNext(search);
  if (node == BERTH_NO_NODE || berthHazardSearchStops(search, node))
    return node;
  for (uint32_t e = graph->nodes[node].firstNext; e != BERTH_NO_NODE;
       e = graph->edges[e].nextOut)
    if (!search->oneThread || !graph->edges[e].isBeside)
      berthHazardSearchReach(search, graph->edges[e].to, node);
  return node;
}

/// From its writes any access conflicts, from its reads only writes do.
static void reachFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool fromWrites, bool *conflicts) {
  BerthHazardSearch search = newSearch(hazards, cuts, false);
  startAt(&search, x, fromWrites);
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE;
       n = nextReached(&search))
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      if (fromWrites || hazards->touches[k].writes)
        conflicts[hazards->touches[k].buffer] = true;
  berthHazardSearchFree(&search);
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
  BerthHazardSearch search = newSearch(hazards, cuts, false);
  for (uint32_t n = 0; n < graph->numNodes; ++n)
    if (reached[n])
      berthHazardSearchReach(&search, n, n);
  for (uint32_t n = berthHazardSearchNext(&search); n != BERTH_NO_NODE;
       n = berthHazardSearchNext(&search)) {
    const BerthFlowNode *node = &graph->nodes[n];
    reached[n] = true;
    uint32_t e = isBackward ? node->firstPrevious : node->firstNext;
    for (; e != BERTH_NO_NODE && !berthHazardSearchStops(&search, n);
         e = nextEdge(&graph->edges[e], isBackward)) {
      uint32_t to = isBackward ? graph->edges[e].from : graph->edges[e].to;
      berthHazardSearchReach(&search, to, n);
    }
  }
  berthHazardSearchFree(&search);
}

static void storePath(const BerthHazardSearch *search, uint32_t last,
                      uint32_t *path, size_t *length) {
  *length = 1;
  const uint32_t *cameFrom = search->cameFrom;
  for (uint32_t n = last; cameFrom[n] != n; n = cameFrom[n])
    ++*length;
  uint32_t n = last;
  for (size_t i = *length; i-- > 0; n = cameFrom[n])
    path[i] = n;
}

static bool findPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                     const bool *cuts, bool fromWrites, uint32_t *path,
                     size_t *length) {
  BerthHazardSearch search = newSearch(hazards, cuts, false);
  startAt(&search, x, fromWrites);
  bool found = false;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !found;
       n = nextReached(&search)) {
    found = berthHazardsTouch(hazards, n, y, !fromWrites);
    if (found)
      storePath(&search, n, path, length);
  }
  berthHazardSearchFree(&search);
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
  BerthHazardSearch search = newSearch(hazards, cuts, true);
  startAt(&search, x, false);
  berthHazardSearchReach(&search, alloc, alloc);
  size_t length = 0;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !length;
       n = nextReached(&search)) {
    if (berthHazardSearchStops(&search, n))
      continue;
    for (uint32_t e = graph->nodes[n].firstNext; e != BERTH_NO_NODE && !length;
         e = graph->edges[e].nextOut)
      if (!graph->edges[e].isBeside && graph->edges[e].to == alloc)
        storePath(&search, n, path, &length);
  }
  berthHazardSearchFree(&search);
  return length;
}

/// From the allocation of x on to an access of the new instance.
static size_t pathFromAllocation(const BerthHazards *hazards, uint32_t x,
                                 const bool *cuts, uint32_t alloc,
                                 uint32_t *path) {
  BerthHazardSearch search = newSearch(hazards, cuts, true);
  berthHazardSearchReach(&search, alloc, alloc);
  size_t length = 0;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !length;
       n = nextReached(&search))
    if (berthHazardsTouch(hazards, n, x, false))
      storePath(&search, n, path, &length);
  berthHazardSearchFree(&search);
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
