//===- Async.c - Buffers that copies still fill behind the op -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Async.h"
#include "IR/FlowGraph.h"
#include "IR/Job.h"
#include "IR/Liveness.h"
#include "IR/OpTable.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Other ways to memory
//===----------------------------------------------------------------------===//

typedef struct ProxyWalk {
  MlirOperation access;
  BerthPointerMap seen; ///< called functions
  bool found;
} ProxyWalk;

/// A copy that is the access itself is followed to its wait; one inside of the
/// access (in a called function, or in a region of unknown order) is not.
static MlirWalkResult visitProxy(MlirOperation op, void *userData) {
  ProxyWalk *walk = userData;
  bool isInside = !mlirOperationEqual(op, walk->access);
  walk->found |=
      berthOpIsOtherProxy(op) || (isInside && berthOpIsAsyncCopy(op));
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      berthPointerMapInsert(&walk->seen, callee.ptr, 1))
    mlirOperationWalk(callee, visitProxy, walk, MlirWalkPreOrder);
  return walk->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool berthBufferHasOtherProxy(const BerthBufferInfo *buffer) {
  ProxyWalk walk = {0};
  for (size_t i = 0; i < buffer->numAccesses && !walk.found; ++i) {
    walk.access = buffer->accesses[i].op;
    mlirOperationWalk(walk.access, visitProxy, &walk, MlirWalkPreOrder);
  }
  berthPointerMapFree(&walk.seen);
  return walk.found;
}

//===----------------------------------------------------------------------===//
// Copies and their waits
//===----------------------------------------------------------------------===//

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

/// The buffer's async copies and its allocation, and all ops of the scope that
/// put copies into groups or wait for them, by point.
static BerthAccess *collectStops(const BerthPoints *points,
                                 const BerthBufferInfo *buffer, size_t *count) {
  BerthAccess *stops =
      malloc((buffer->numAccesses + (size_t)points->count + 2) * sizeof *stops);
  if (!stops)
    abort();
  size_t n = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpIsAsyncCopy(buffer->accesses[i].op))
      stops[n++] = buffer->accesses[i];
  for (int64_t point = 0; point < points->count; ++point) {
    MlirOperation op = points->opAt[point];
    if (!berthOpIsWaitForAllCopies(op) && !berthOpCommitsCopies(op))
      continue;
    BerthAccess stop = {.op = op,
                        .lower = point,
                        .upper = point + 1,
                        .reads = true,
                        .writes = true};
    stops[n++] = stop;
  }
  int64_t point = berthPointsLower(points, buffer->alloc);
  stops[n++] =
      (BerthAccess){.op = buffer->alloc, .lower = point, .upper = point + 1};
  qsort(stops, n, sizeof *stops, compareStops);
  *count = n;
  return stops;
}

static bool isWait(const BerthFlowNode *node, const BerthAccess *stops) {
  return node->numStops == 1 &&
         berthOpIsWaitForAllCopies(stops[node->firstStop].op);
}

/// How far a copy has come where a node begins.
enum { kStarted = 1, kInGroup = 2 };

typedef struct Pending {
  BerthFlowGraph *graph;
  const BerthAccess *stops;
  unsigned char *stages; ///< per node: kStarted, kInGroup or both
  uint32_t *worklist;
  size_t count;
} Pending;

static void *allocateOrDie(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    abort();
  return memory;
}

/// What is pending behind a node. A wait ends only what is in a group.
static unsigned stagesBehind(const Pending *pending, uint32_t index) {
  const BerthFlowNode *node = &pending->graph->nodes[index];
  unsigned stages = pending->stages[index];
  if (node->numStops != 1)
    return node->numStops ? stages | kStarted : stages;
  MlirOperation op = pending->stops[node->firstStop].op;
  if (berthOpIsWaitForAllCopies(op))
    return stages & kStarted;
  if (berthOpCommitsCopies(op))
    return stages ? kInGroup : 0;
  return berthOpIsAsyncCopy(op) ? stages | kStarted : stages;
}

/// A node's stages only grow, each at most twice.
static void spread(Pending *pending, uint32_t index) {
  const BerthFlowGraph *graph = pending->graph;
  unsigned stages = stagesBehind(pending, index);
  for (uint32_t e = graph->nodes[index].firstNext; stages && e != BERTH_NO_NODE;
       e = graph->edges[e].nextOut) {
    uint32_t to = graph->edges[e].to;
    if ((pending->stages[to] | stages) == pending->stages[to])
      continue;
    pending->stages[to] |= (unsigned char)stages;
    graph->nodes[to].reachedIn = true;
    pending->worklist[pending->count++] = to;
  }
}

/// Marks what follows a copy up to the waits that end it.
static void markPending(BerthFlowGraph *graph, const BerthAccess *stops) {
  size_t numNodes = graph->numNodes;
  Pending pending = {.graph = graph, .stops = stops};
  pending.stages = allocateOrDie(numNodes, 1);
  pending.worklist = allocateOrDie(3 * numNodes, sizeof *pending.worklist);
  for (uint32_t i = 0; i < numNodes; ++i)
    if (graph->nodes[i].numStops)
      pending.worklist[pending.count++] = i;
  while (pending.count)
    spread(&pending, pending.worklist[--pending.count]);
  free(pending.stages);
  free(pending.worklist);
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

/// The nodes of the scope's body come first: its entry, its exit.
enum { kExitOfScope = 1 };

/// A copy that is still under way when the buffer is made again, by a loop or
/// by the next call of the function, would write into the new instance.
static bool meetsItself(const BerthScope *scope, const BerthBufferInfo *buffer,
                        const BerthFlowGraph *graph, const BerthAccess *stops) {
  bool isCalled =
      scope->kind != BERTH_SCOPE_KERNEL && scope->kind != BERTH_SCOPE_LAUNCH;
  if (isCalled && berthScopeIsShared(scope) &&
      graph->nodes[kExitOfScope].reachedIn)
    return true;
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if (node->reachedIn && node->numStops &&
        mlirOperationEqual(stops[node->firstStop].op, buffer->alloc))
      return true;
  }
  return false;
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
    if (meetsItself(scope, buffer, &graph, stops))
      berthRejectBuffer(buffer,
                        "an asynchronous copy may still write its previous "
                        "instance when it is allocated again: wait for it",
                        buffer->alloc);
    extendBuffer(scope, buffer, &graph, stops, count);
    free(stops);
  }
  berthFlowGraphFree(&graph);
}
