//===- ClusterSpan.c - Barriers over which a content is wanted ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/ClusterSpan.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "Support/Bitset.h"

#include <stdlib.h>

typedef enum Role { kNone, kBarrier, kAccess, kAllocation } Role;

typedef struct Span {
  BerthAccess *stops; ///< of the barriers, the accesses and the allocation
  size_t numStops;
  BerthPointerMap numberOf; ///< barrier -> its number
  BerthFlowGraph graph;
  Role *roles; ///< by node
  uint32_t *pending;
} Span;

/// No two of them are of one op.
static void gatherStops(Span *span, const BerthBufferInfo *buffer,
                        const BerthAccess *barriers, size_t numBarriers) {
  BerthPointerMap isThere = {0};
  size_t most = numBarriers + buffer->numAccesses + 1;
  span->stops = berthAllocateOrDie(most, sizeof *span->stops);
  for (size_t i = 0; i < numBarriers; ++i) {
    berthPointerMapInsert(&span->numberOf, barriers[i].op.ptr, i);
    span->stops[span->numStops++] = barriers[i];
  }
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthPointerMapInsert(&isThere, buffer->accesses[i].op.ptr, 1))
      span->stops[span->numStops++] =
          (BerthAccess){.op = buffer->accesses[i].op,
                        .lower = buffer->accesses[i].lower,
                        .upper = buffer->accesses[i].upper};
  berthPointerMapFree(&isThere);
}

static Role roleOf(const Span *span, const BerthFlowNode *node,
                   const BerthBufferInfo *buffer) {
  if (node->numStops != 1)
    return node->numStops || node->isAccess ? kAccess : kNone;
  MlirOperation op = span->stops[node->firstStop].op;
  if (mlirOperationEqual(op, buffer->alloc))
    return kAllocation;
  bool isBarrier =
      berthPointerMapFind(&span->numberOf, op.ptr) != BERTH_NOT_FOUND;
  return isBarrier ? kBarrier : kAccess;
}

/// Marks the nodes that steps lead to, or come from, from the accesses on, and
/// goes no further at nodes of the role `end`, which are marked.
static void follow(Span *span, bool isForward, Role end, bool *isMet) {
  BerthFlowGraph *graph = &span->graph;
  size_t numPending = 0;
  for (uint32_t n = 0; n < graph->numNodes; ++n)
    if (span->roles[n] == kAccess)
      span->pending[numPending++] = n;
  while (numPending) {
    const BerthFlowNode *node = &graph->nodes[span->pending[--numPending]];
    uint32_t e = isForward ? node->firstNext : node->firstPrevious;
    while (e != BERTH_NO_NODE) {
      const BerthFlowEdge *edge = &graph->edges[e];
      uint32_t next = isForward ? edge->to : edge->from;
      e = isForward ? edge->nextOut : edge->nextIn;
      if (isMet[next])
        continue;
      isMet[next] = true;
      if (span->roles[next] != end && span->roles[next] != kAccess)
        span->pending[numPending++] = next;
    }
  }
}

bool berthClusterSpan(const BerthPoints *points, const BerthBufferInfo *buffer,
                      const BerthAccess *barriers, size_t numBarriers,
                      uint64_t *over) {
  Span span = {0};
  gatherStops(&span, buffer, barriers, numBarriers);
  span.stops[span.numStops++] =
      (BerthAccess){.op = buffer->alloc,
                    .lower = berthPointsLower(points, buffer->alloc),
                    .upper = berthPointsUpper(points, buffer->alloc)};
  qsort(span.stops, span.numStops, sizeof *span.stops, berthCompareAccesses);
  berthFlowGraphBuildStops(&span.graph, points, span.stops, span.numStops, NULL,
                           false);
  size_t numNodes = span.graph.numNodes;
  span.roles = berthAllocateOrDie(numNodes, sizeof *span.roles);
  span.pending = berthAllocateOrDie(numNodes, sizeof *span.pending);
  bool *isBehind = berthAllocateOrDie(numNodes, sizeof *isBehind);
  bool *isBefore = berthAllocateOrDie(numNodes, sizeof *isBefore);
  bool *isNear = berthAllocateOrDie(numNodes, sizeof *isNear);
  for (uint32_t n = 0; n < numNodes; ++n)
    span.roles[n] = roleOf(&span, &span.graph.nodes[n], buffer);
  follow(&span, true, kAllocation, isBehind);
  follow(&span, false, kAllocation, isBefore);
  follow(&span, true, kBarrier, isNear);
  bool isApart = true;
  for (uint32_t n = 0; n < numNodes; ++n) {
    MlirOperation op = {NULL};
    if (span.roles[n] == kBarrier)
      op = span.stops[span.graph.nodes[n].firstStop].op;
    if (span.roles[n] == kBarrier && isBehind[n] && isBefore[n])
      berthBitSet(over, berthPointerMapFind(&span.numberOf, op.ptr));
    isApart &= span.roles[n] != kAllocation || !isNear[n];
  }
  free(span.stops);
  berthPointerMapFree(&span.numberOf);
  berthFlowGraphFree(&span.graph);
  free(span.roles);
  free(span.pending);
  free(isBehind);
  free(isBefore);
  free(isNear);
  return isApart;
}
