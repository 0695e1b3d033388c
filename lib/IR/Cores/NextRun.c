//===- NextRun.c - Buffers that are not over when they are made anew ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Cores/NextRun.h"
#include "IR/Liveness/CalledBarriers.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>
#include <string.h>

/// One graph for all buffers of the scope: of the barriers, and of those
/// allocations that may run again with what touches these.
typedef struct Ways {
  BerthFlowGraph graph;
  BerthAccess *stops;
  BerthPointerMap *called; ///< CalledBarriers.h
  bool isInStep;           ///< of turns a barrier orders all cores
  uint32_t *nodeAt;        ///< by point
  bool *isOpen;            ///< by node: leads to the end, past no barrier
  bool *isReached;         ///< by node: of one search
  uint32_t *list;          ///< by node: what the search has found
} Ways;

//===----------------------------------------------------------------------===//
// Ways without barriers
//===----------------------------------------------------------------------===//

static bool mayBeMadeAnew(const BerthPoints *points,
                          const BerthBufferInfo *buffer,
                          const BerthTouchers *touchers) {
  return !buffer->reason && touchers->areSeveral &&
         berthPointsMayRunAgain(points, buffer->alloc);
}

static void markStop(BerthAccess *stopAt, MlirOperation op, int64_t lower,
                     int64_t upper) {
  stopAt[lower] = (BerthAccess){.op = op, .lower = lower, .upper = upper};
}

/// At most one a point.
static size_t findStops(const BerthScope *scope, const BerthPoints *points,
                        const BerthTouchers *touchers, BerthPointerMap *called,
                        BerthAccess *stopAt) {
  for (int64_t point = 0; point < points->count; ++point) {
    MlirOperation op = points->opAt[point];
    if (berthPointsLower(points, op) == point && berthOpSurelyMeets(called, op))
      markStop(stopAt, op, point, point + 1);
  }
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &scope->buffers[i];
    if (!mayBeMadeAnew(points, buffer, &touchers[i]))
      continue;
    int64_t made = berthPointsLower(points, buffer->alloc);
    markStop(stopAt, buffer->alloc, made, made + 1);
    for (size_t k = 0; k < buffer->numAccesses; ++k)
      markStop(stopAt, buffer->accesses[k].op, buffer->accesses[k].lower,
               buffer->accesses[k].upper);
  }
  size_t count = 0;
  for (int64_t point = 0; point < points->count; ++point)
    if (!mlirOperationIsNull(stopAt[point].op))
      stopAt[count++] = stopAt[point];
  return count;
}

static bool isBarrier(const Ways *ways, uint32_t node) {
  const BerthFlowNode *at = &ways->graph.nodes[node];
  return at->numStops &&
         berthOpSurelyMeets(ways->called, ways->stops[at->firstStop].op);
}

/// Backwards from the end.
static void findOpen(Ways *ways) {
  const BerthFlowGraph *graph = &ways->graph;
  size_t count = 0;
  ways->list[count++] = BERTH_SCOPE_EXIT;
  ways->isOpen[BERTH_SCOPE_EXIT] = true;
  while (count) {
    uint32_t node = ways->list[--count];
    for (uint32_t e = graph->nodes[node].firstPrevious; e != BERTH_NO_NODE;
         e = graph->edges[e].nextIn) {
      uint32_t from = graph->edges[e].from;
      if (ways->isOpen[from])
        continue;
      ways->isOpen[from] = true; // a call may do more behind its barrier
      if (!isBarrier(ways, from))
        ways->list[count++] = from;
    }
  }
}

static Ways createWays(const BerthScope *scope, const BerthPoints *points,
                       const BerthTouchers *touchers, BerthPointerMap *called) {
  Ways ways = {
      .stops = berthAllocateOrDie((size_t)points->count, sizeof *ways.stops),
      .called = called};
  size_t numStops = findStops(scope, points, touchers, called, ways.stops);
  berthFlowGraphBuildStops(&ways.graph, points, ways.stops, numStops, NULL,
                           false);
  size_t numNodes = ways.graph.numNodes;
  ways.nodeAt = berthAllocateOrDie((size_t)points->count, sizeof(uint32_t));
  ways.isOpen = berthAllocateOrDie(numNodes, sizeof(bool));
  ways.isReached = berthAllocateOrDie(numNodes, sizeof(bool));
  ways.list = berthAllocateOrDie(numNodes, sizeof(uint32_t));
  for (uint32_t i = 0; i < numNodes; ++i)
    for (int64_t point = ways.graph.nodes[i].span.lower;
         point < ways.graph.nodes[i].span.upper; ++point)
      ways.nodeAt[point] = i;
  findOpen(&ways);
  return ways;
}

static void freeWays(Ways *ways) {
  berthFlowGraphFree(&ways->graph);
  free(ways->stops);
  free(ways->nodeAt);
  free(ways->isOpen);
  free(ways->isReached);
  free(ways->list);
}

/// True if some access leads to the allocation, past no barrier that orders
/// turns.
static bool isMadeInUse(Ways *ways, const BerthPoints *points,
                        const BerthBufferInfo *buffer) {
  const BerthFlowGraph *graph = &ways->graph;
  uint32_t made = ways->nodeAt[berthPointsLower(points, buffer->alloc)];
  size_t count = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    uint32_t node = ways->nodeAt[buffer->accesses[i].lower];
    if (ways->isInStep &&
        berthOpEndsInMeeting(ways->called, buffer->accesses[i].op))
      continue;
    if (!ways->isReached[node])
      ways->list[count++] = node;
    ways->isReached[node] = true;
  }
  bool found = false;
  for (size_t i = 0; i < count; ++i)
    for (uint32_t e = graph->nodes[ways->list[i]].firstNext; e != BERTH_NO_NODE;
         e = graph->edges[e].nextOut) {
      uint32_t to = graph->edges[e].to;
      found |= to == made;
      if (found || ways->isReached[to] ||
          (ways->isInStep && isBarrier(ways, to)))
        continue;
      ways->isReached[to] = true;
      ways->list[count++] = to;
    }
  for (size_t i = 0; i < count; ++i)
    ways->isReached[ways->list[i]] = false;
  return found;
}

static bool isLeftInUse(const Ways *ways, const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (ways->isOpen[ways->nodeAt[buffer->accesses[i].lower]] &&
        !berthOpEndsInMeeting(ways->called, buffer->accesses[i].op))
      return true;
  return false;
}

/// True if the user may have taken waiting for a token for enough.
static bool hasUnitToken(const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    MlirOperation op = buffer->accesses[i].op;
    intptr_t count = berthNumCores() > 1 && berthOpGetUnit(op)
                         ? mlirOperationGetNumResults(op)
                         : 0;
    for (intptr_t k = 0; k < count; ++k)
      if (berthOpIsTokenResult(op, k))
        return true;
  }
  return false;
}

void berthRejectUnfinished(BerthScope *scope, const BerthPoints *points,
                           const BerthTouchers *touchers, bool isInStep,
                           const char *breakRule) {
  BerthPointerMap called = {0};
  Ways ways = createWays(scope, points, touchers, &called);
  ways.isInStep = isInStep || berthIsBroken(breakRule, "in-step");
  bool isCalled =
      scope->kind != BERTH_SCOPE_KERNEL && scope->kind != BERTH_SCOPE_LAUNCH;
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (mayBeMadeAnew(points, buffer, &touchers[i]) &&
        !berthIsBroken(breakRule, "one-turn") &&
        isMadeInUse(&ways, points, buffer))
      berthRejectBuffer(
          buffer,
          !isInStep
              ? "another core or unit may still use its previous instance when "
                "it is allocated again: cores may be turns apart, since it is "
                "not known that they come to equally many barriers"
          : hasUnitToken(buffer)
              ? "another core or unit may still use its previous "
                "instance when it is allocated again: put a "
                "barrier before that; where cores are described, a "
                "token of an op with a unit orders nothing"
              : "another core or unit may still use its previous "
                "instance when it is allocated again: put a "
                "barrier before that",
          buffer->alloc);
    else if (!buffer->reason && touchers[i].goOn && isCalled &&
             !berthIsBroken(breakRule, "work-returns") &&
             isLeftInUse(&ways, buffer))
      berthRejectBuffer(buffer,
                        hasUnitToken(buffer)
                            ? "a core or unit may still use it when its "
                              "function returns, and the bytes are another's: "
                              "put a barrier before that; where cores are "
                              "described, a token of an op with a unit orders "
                              "nothing"
                            : "a core or unit may still use it when its "
                              "function returns, and the bytes are another's: "
                              "put a barrier before that",
                        buffer->alloc);
  }
  freeWays(&ways);
  berthPointerMapFree(&called);
}
