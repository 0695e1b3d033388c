//===- Liveness.c - Live ranges of buffer contents ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two searches over a buffer's flow graph:
//
//   1. backward from the reads, stopping at kills: where a read may follow;
//   2. forward from the writes, within what 1 found: where a write arrives.
//
// The second may stay within the first: on a path from a write to a live point
// the last kill is a write itself, and behind it everything is live.
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/Liveness.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// The two searches
//===----------------------------------------------------------------------===//

static void reserveWorklist(BerthFlowGraph *graph) {
  if (graph->worklistCapacity >= graph->numNodes)
    return;
  graph->worklistCapacity = graph->nodeCapacity;
  free(graph->worklist);
  graph->worklist =
      berthAllocateOrDie(graph->worklistCapacity, sizeof *graph->worklist);
}

/// Marks every node from whose start a read may follow before a kill.
static void searchBackward(BerthFlowGraph *graph) {
  size_t pending = 0;
  for (uint32_t i = 0; i < graph->numNodes; ++i)
    if (graph->nodes[i].reads) {
      graph->nodes[i].liveIn = true;
      graph->worklist[pending++] = i;
    }
  while (pending) {
    BerthFlowNode *node = &graph->nodes[graph->worklist[--pending]];
    for (uint32_t e = node->firstPrevious; e != BERTH_NO_NODE;
         e = graph->edges[e].nextIn) {
      uint32_t index = graph->edges[e].from;
      BerthFlowNode *previous = &graph->nodes[index];
      if (previous->liveIn || previous->kills || previous->isFresh)
        continue;
      previous->liveIn = true;
      graph->worklist[pending++] = index;
    }
  }
}

/// Marks, among the nodes found live, those that a write reaches.
static void searchForward(BerthFlowGraph *graph) {
  size_t pending = 0;
  for (uint32_t i = 0; i < graph->numNodes; ++i)
    if (graph->nodes[i].writes)
      graph->worklist[pending++] = i;
  while (pending) {
    BerthFlowNode *node = &graph->nodes[graph->worklist[--pending]];
    for (uint32_t e = node->firstNext; e != BERTH_NO_NODE;
         e = graph->edges[e].nextOut) {
      uint32_t index = graph->edges[e].to;
      BerthFlowNode *next = &graph->nodes[index];
      if (!next->liveIn || next->reachedIn)
        continue;
      next->reachedIn = true;
      // A write's own successors are on the worklist already.
      if (!next->writes)
        graph->worklist[pending++] = index;
    }
  }
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

static void collectLive(const BerthFlowGraph *graph, BerthSegments *list,
                        bool writesAreFree) {
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if ((node->isAccess && !(writesAreFree && !node->reads)) ||
        (node->liveIn && node->reachedIn))
      berthSegmentsAdd(list, node->span.lower, node->span.upper);
  }
}

/// A leaked pointer may be used at any time from its allocation to the scope's
/// end; where the allocation is inside a region, from that region's start.
static int64_t leakStart(const BerthPoints *points,
                         const BerthBufferInfo *buffer) {
  MlirOperation top = berthAncestorInRegion(buffer->alloc, points->body);
  MlirBlock first = mlirRegionGetFirstBlock(points->body);
  bool isStraight = mlirBlockIsNull(mlirBlockGetNextInRegion(first));
  return isStraight ? berthPointsLower(points, top) : 0;
}

void berthBufferSearch(BerthFlowGraph *graph, const BerthPoints *points,
                       const BerthBufferInfo *buffer) {
  berthFlowGraphBuild(graph, points, buffer);
  reserveWorklist(graph);
  searchBackward(graph);
  searchForward(graph);
}

void berthBufferCollectLive(BerthFlowGraph *graph, const BerthPoints *points,
                            const BerthBufferInfo *buffer,
                            BerthSegments *list) {
  berthBufferSearch(graph, points, buffer);
  collectLive(graph, list, false);
}

void berthValueSearch(BerthFlowGraph *graph, const BerthPoints *points,
                      MlirValue value, const BerthAccess *stops,
                      size_t numStops, BerthSegments *wanted) {
  berthFlowGraphBuildValue(graph, points, value, stops, numStops);
  reserveWorklist(graph);
  searchBackward(graph);
  wanted->count = 0;
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if (node->isAccess || node->liveIn)
      berthSegmentsAdd(wanted, node->span.lower, node->span.upper);
  }
  wanted->count = berthJoinSegments(wanted->segments, wanted->count);
}

static void computeOne(BerthScope *scope, const BerthPoints *points,
                       BerthFlowGraph *graph, BerthBufferInfo *buffer,
                       BerthSegments *list, bool writesAreFree) {
  list->count = 0;
  if (buffer->leaks) {
    berthSegmentsAdd(list, leakStart(points, buffer), points->count);
  } else {
    berthBufferSearch(graph, points, buffer);
    collectLive(graph, list, writesAreFree);
  }
  // A buffer that nobody touches still is a buffer: it occupies its own point.
  if (!list->count) {
    int64_t lower = berthPointsLower(points, buffer->alloc);
    berthSegmentsAdd(list, lower, lower + 1);
  }
  list->count = berthJoinSegments(list->segments, list->count);
  buffer->numSegments = list->count;
  buffer->segments = berthNewCopy(scope->memory, list->segments, list->count,
                                  sizeof *list->segments);
}

void berthScopeComputeLiveness(BerthScope *scope, const BerthPoints *points,
                               const char *breakRule) {
  BerthFlowGraph graph = {
      .ignoresBackEdges = berthIsBroken(breakRule, "no-loop-back-edge"),
      .ignoresBranches = berthIsBroken(breakRule, "no-branches"),
      .keepsStale = berthIsBroken(breakRule, "stale-allocations"),
      .joinsAlternatives = berthIsBroken(breakRule, "no-alternatives")};
  bool writesAreFree = berthIsBroken(breakRule, "free-writes");
  BerthSegments list = {0};
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (buffer->reason || !mlirOperationIsNull(buffer->callee))
      continue;
    computeOne(scope, points, &graph, buffer, &list, writesAreFree);
  }
  free(list.segments);
  berthFlowGraphFree(&graph);
}
