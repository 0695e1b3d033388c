//===- Async.c - Buffers that copies still fill behind the op -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Async.h"
#include "IR/FlowGraph.h"
#include "IR/Liveness.h"
#include "IR/OpTable.h"

#include <stdlib.h>
#include <string.h>

bool berthBufferHasOtherProxy(const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpIsOtherProxy(buffer->accesses[i].op))
      return true;
  return false;
}

static bool hasAsyncCopy(const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpIsAsyncCopy(buffer->accesses[i].op))
      return true;
  return false;
}

static int compareStops(const void *left, const void *right) {
  const BerthAccess *a = left, *b = right;
  return a->lower < b->lower ? -1 : a->lower > b->lower;
}

/// The buffer's async copies and all waits of the scope, by point.
static BerthAccess *collectStops(const BerthPoints *points,
                                 const BerthBufferInfo *buffer, size_t *count) {
  BerthAccess *stops =
      malloc((buffer->numAccesses + (size_t)points->count + 1) * sizeof *stops);
  if (!stops)
    abort();
  size_t n = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpIsAsyncCopy(buffer->accesses[i].op))
      stops[n++] = buffer->accesses[i];
  for (int64_t point = 0; point < points->count; ++point)
    if (berthOpIsWaitForAllCopies(points->opAt[point])) {
      BerthAccess wait = {.op = points->opAt[point],
                          .lower = point,
                          .upper = point + 1,
                          .reads = true,
                          .writes = true};
      stops[n++] = wait;
    }
  qsort(stops, n, sizeof *stops, compareStops);
  *count = n;
  return stops;
}

static bool isWait(const BerthFlowNode *node, const BerthAccess *stops) {
  return node->numStops == 1 &&
         berthOpIsWaitForAllCopies(stops[node->firstStop].op);
}

/// Marks what follows a copy up to the waits that end it.
static void markPending(BerthFlowGraph *graph, const BerthAccess *stops) {
  uint32_t *worklist = malloc((graph->numNodes + 1) * sizeof *worklist);
  if (!worklist)
    abort();
  size_t pending = 0;
  for (uint32_t i = 0; i < graph->numNodes; ++i)
    if (graph->nodes[i].numStops && !isWait(&graph->nodes[i], stops))
      worklist[pending++] = i;
  while (pending) {
    const BerthFlowNode *node = &graph->nodes[worklist[--pending]];
    for (uint32_t e = node->firstNext; e != BERTH_NO_NODE;
         e = graph->edges[e].nextOut) {
      BerthFlowNode *next = &graph->nodes[graph->edges[e].to];
      if (next->reachedIn)
        continue;
      next->reachedIn = true;
      if (!isWait(next, stops))
        worklist[pending++] = graph->edges[e].to;
    }
  }
  free(worklist);
}

static void addAccess(BerthBufferInfo *buffer, const BerthAccess *wait) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (mlirOperationEqual(buffer->accesses[i].op, wait->op))
      return;
  buffer->accesses[buffer->numAccesses++] = *wait;
}

/// Adds the pending stretch to the live range and the waits to the accesses.
static void extendBuffer(BerthScope *scope, BerthBufferInfo *buffer,
                         const BerthFlowGraph *graph, const BerthAccess *stops,
                         size_t numStops) {
  BerthArena *memory = scope->memory;
  BerthAccess *accesses =
      BERTH_ARENA_NEW(memory, BerthAccess, buffer->numAccesses + numStops);
  memcpy(accesses, buffer->accesses, buffer->numAccesses * sizeof *accesses);
  buffer->accesses = accesses;
  BerthSegment *segments = BERTH_ARENA_NEW(
      memory, BerthSegment, buffer->numSegments + graph->numNodes);
  size_t count = buffer->numSegments;
  memcpy(segments, buffer->segments, count * sizeof *segments);
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if (!node->reachedIn)
      continue;
    if (node->span.lower < node->span.upper)
      segments[count++] = node->span;
    if (isWait(node, stops))
      addAccess(buffer, &stops[node->firstStop]);
  }
  buffer->segments = segments;
  buffer->numSegments = berthJoinSegments(segments, count);
  qsort(buffer->accesses, buffer->numAccesses, sizeof *buffer->accesses,
        compareStops);
}

void berthScopeHoldAsync(BerthScope *scope, const BerthPoints *points) {
  BerthFlowGraph graph = {0};
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (buffer->reason || !hasAsyncCopy(buffer))
      continue;
    size_t count;
    BerthAccess *stops = collectStops(points, buffer, &count);
    berthFlowGraphBuildStops(&graph, points, stops, count, NULL);
    markPending(&graph, stops);
    extendBuffer(scope, buffer, &graph, stops, count);
    free(stops);
  }
  berthFlowGraphFree(&graph);
}
