//===- HazardPaths.c - Paths between accesses without barrier -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/HazardPaths.h"
#include "IR/Hazards/NamePaths.h"

//===----------------------------------------------------------------------===//
// Two slices
//===----------------------------------------------------------------------===//

/// True if names tell what is touched from what the slice is of.
static bool isByName(const BerthHazards *hazards, uint32_t s,
                     BerthTouch touch) {
  return hazards->names &&
         berthNamesTellApart(hazards, hazards->slices.items[s].buffer,
                             touch.buffer);
}

/// From its writes any access conflicts, from its reads only writes do.
static void reachFrom(BerthHazardSearch *search, uint32_t s, bool toAsync,
                      bool fromWrites, bool *conflicts) {
  const BerthHazards *hazards = search->hazards;
  berthHazardSearchBegin(search, toAsync, false);
  berthHazardSearchStartSlice(search, s, fromWrites);
  for (uint32_t state = berthHazardSearchNext(search); state != BERTH_NO_NODE;
       state = berthHazardSearchNext(search)) {
    uint32_t n = berthHazardSearchNode(search, state);
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      if ((fromWrites || hazards->touches[k].writes) &&
          (!toAsync || hazards->isAsync[n]) &&
          !isByName(hazards, s, hazards->touches[k]))
        conflicts[hazards->touches[k].slice] = true;
  }
}

void berthHazardsFrom(BerthHazardSearch *search, uint32_t s, bool *conflicts) {
  for (int toAsync = 0; toAsync <= search->hazards->hasAsync; ++toAsync) {
    reachFrom(search, s, toAsync, true, conflicts);
    reachFrom(search, s, toAsync, false, conflicts);
  }
  berthNamesReach(search->hazards, search->cuts, s, conflicts);
}

/// The first state that meets a target, or BERTH_NO_NODE.
static uint32_t findTarget(BerthHazardSearch *search, uint32_t s, bool toAsync,
                           bool fromWrites, const bool *targets) {
  const BerthHazards *hazards = search->hazards;
  berthHazardSearchBegin(search, toAsync, false);
  berthHazardSearchStartSlice(search, s, fromWrites);
  for (uint32_t state = berthHazardSearchNext(search); state != BERTH_NO_NODE;
       state = berthHazardSearchNext(search)) {
    uint32_t n = berthHazardSearchNode(search, state);
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      if (targets[hazards->touches[k].slice] &&
          (fromWrites || hazards->touches[k].writes) &&
          (!toAsync || hazards->isAsync[n]) &&
          !isByName(hazards, s, hazards->touches[k]))
        return state;
  }
  return BERTH_NO_NODE;
}

bool berthHazardsFindPath(BerthHazardSearch *search, uint32_t s,
                          const bool *targets, uint32_t *path, size_t *length) {
  for (int toAsync = 0; toAsync <= search->hazards->hasAsync; ++toAsync)
    for (int fromReads = 0; fromReads < 2; ++fromReads) {
      uint32_t state = findTarget(search, s, toAsync, !fromReads, targets);
      if (state == BERTH_NO_NODE)
        continue;
      *length = berthHazardSearchStorePath(search, state, path);
      return true;
    }
  return berthNamesFindPath(search->hazards, search->cuts, s, targets, path,
                            length);
}

//===----------------------------------------------------------------------===//
// Two instances of one buffer
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

/// From an access of x, or from its allocation, by one thread's steps to the
/// allocation: the path's length, 0 if there is none.
static size_t pathToAllocation(BerthHazardSearch *search, uint32_t x,
                               uint32_t alloc, uint32_t *path) {
  const BerthFlowGraph *graph = &search->hazards->graph;
  berthHazardSearchBegin(search, false, true);
  berthHazardSearchStart(search, x, false);
  berthHazardSearchReach(search, alloc, alloc);
  size_t length = 0;
  for (uint32_t n = berthHazardSearchNext(search);
       n != BERTH_NO_NODE && !length; n = berthHazardSearchNext(search)) {
    if (berthHazardSearchEnds(search, n))
      continue;
    for (uint32_t e = graph->nodes[n].firstNext; e != BERTH_NO_NODE && !length;
         e = graph->edges[e].nextOut)
      if (!graph->edges[e].isBeside && graph->edges[e].to == alloc)
        length = berthHazardSearchStorePath(search, n, path);
  }
  return length;
}

/// From the allocation of x on to an access of the new instance; with `toAsync`
/// in the state in which it was reached.
static bool findFromAllocation(BerthHazardSearch *search, uint32_t x,
                               bool toAsync, uint32_t start, uint32_t *path,
                               size_t *length) {
  berthHazardSearchBegin(search, toAsync, true);
  berthHazardSearchReach(search, start, start);
  bool found = false;
  for (uint32_t state = berthHazardSearchNext(search);
       state != BERTH_NO_NODE && !found;
       state = berthHazardSearchNext(search)) {
    found = berthHazardSearchMeets(search, state, x, false);
    if (found)
      *length += berthHazardSearchStorePath(search, state, path + *length);
  }
  return found;
}

/// From an ordinary access of x to its allocation, with a fence passed or
/// without, and on to an asynchronous access.
static bool findSelfPathToAsync(BerthHazardSearch *search, uint32_t x,
                                uint32_t alloc, bool isFenced, uint32_t *path,
                                size_t *length) {
  uint32_t state = berthHazardSearchState(search, alloc, isFenced);
  berthHazardSearchBegin(search, true, true);
  berthHazardSearchStart(search, x, false);
  while (berthHazardSearchNext(search) != BERTH_NO_NODE)
    continue;
  if (search->cameFrom[state] == BERTH_NO_NODE)
    return false;
  *length = berthHazardSearchStorePath(search, state, path);
  return findFromAllocation(search, x, true, state, path, length);
}

/// Only the steps of the fast thread make a new instance. It may come to the
/// allocation from an access, or from the allocation itself while slow threads
/// took another way.
bool berthHazardsFindSelfPath(BerthHazardSearch *search, uint32_t x,
                              uint32_t *path, size_t *length) {
  const BerthHazards *hazards = search->hazards;
  const BerthJob *job = hazards->job;
  const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[x]];
  if (!mlirOperationIsNull(buffer->callee))
    return false; // that is its own matter
  MlirOperation op = buffer->alloc;
  bool isKernel = job->scope.kind == BERTH_SCOPE_KERNEL ||
                  job->scope.kind == BERTH_SCOPE_LAUNCH;
  if (isKernel && !berthPointsMayRunAgain(&job->points, op))
    return false; // no way leads back there
  uint32_t alloc = nodeAtPoint(hazards, berthPointsLower(&job->points, op));
  *length = pathToAllocation(search, x, alloc, path);
  return (*length &&
          findFromAllocation(search, x, false, alloc, path, length)) ||
         (hazards->hasAsync &&
          (findSelfPathToAsync(search, x, alloc, false, path, length) ||
           findSelfPathToAsync(search, x, alloc, true, path, length)));
}

//===----------------------------------------------------------------------===//
// Whatever may be reached
//===----------------------------------------------------------------------===//

static uint32_t nextEdge(const BerthFlowEdge *edge, bool isBackward) {
  return isBackward ? edge->nextIn : edge->nextOut;
}

void berthHazardsReach(const BerthHazards *hazards, const bool *cuts,
                       bool isBackward, bool *reached) {
  const BerthFlowGraph *graph = &hazards->graph;
  BerthHazardSearch search = berthHazardSearchCreate(hazards, cuts);
  berthHazardSearchBegin(&search, false, false);
  for (uint32_t n = 0; n < graph->numNodes; ++n)
    if (reached[n])
      berthHazardSearchReach(&search, n, n);
  for (uint32_t n = berthHazardSearchTake(&search); n != BERTH_NO_NODE;
       n = berthHazardSearchTake(&search)) {
    const BerthFlowNode *node = &graph->nodes[n];
    reached[n] = true;
    uint32_t e = isBackward ? node->firstPrevious : node->firstNext;
    for (; e != BERTH_NO_NODE && !berthHazardSearchEnds(&search, n);
         e = nextEdge(&graph->edges[e], isBackward)) {
      uint32_t to = isBackward ? graph->edges[e].from : graph->edges[e].to;
      berthHazardSearchReach(&search, to, n);
    }
  }
  berthHazardSearchFree(&search);
}
