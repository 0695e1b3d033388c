//===- Hazards.c - Which buffers threads may touch at the same time -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards.h"
#include "IR/OpTable.h"
#include "IR/Proxies.h"
#include "IR/Rules.h"
#include "IR/Spread.h"
#include "IR/Uniform.h"

#include <stdlib.h>
#include <string.h>

static void *allocateOrDie(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    abort();
  return memory;
}

//===----------------------------------------------------------------------===//
// Stops: every op that touches a buffer or is a barrier that counts
//===----------------------------------------------------------------------===//

static int compareStops(const void *left, const void *right) {
  const BerthAccess *a = left, *b = right;
  return a->lower < b->lower ? -1 : a->lower > b->lower;
}

/// A barrier inside an op of unknown control flow is no stop of its own.
static bool countsAsBarrier(const BerthJob *job, MlirOperation op) {
  if (berthIsBroken(job->options->alias.breakRule, "any-barrier"))
    return berthOpIsBarrier(op);
  return berthOpIsBarrier(op) &&
         job->scope.arrival != BERTH_ARRIVAL_DIVERGENT &&
         berthControlIsUniform(&job->scope, op, NULL);
}

static size_t countStops(const BerthJob *job) {
  size_t count = (size_t)job->points.count;
  for (size_t i = 0; i < job->numPlaced; ++i)
    count += 1 + job->scope.buffers[job->bufferOf[i]].numAccesses;
  return count;
}

/// Fences only where they mean something: a stop parts the gap around it.
static bool isStop(const BerthHazards *hazards, MlirOperation op) {
  const BerthJob *job = hazards->job;
  return countsAsBarrier(job, op) ||
         (hazards->hasAsync && berthOpIsProxyFence(op) &&
          mlirOperationEqual(berthPointsOutermostOpaque(&job->points, op), op));
}

static void addBarrierStops(BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  for (int64_t point = 0; point < job->points.count; ++point) {
    MlirOperation op = job->points.opAt[point];
    if (berthPointsLower(&job->points, op) != point || !isStop(hazards, op))
      continue;
    BerthAccess stop = {.op = op, .lower = point, .upper = point + 1};
    hazards->stops[hazards->numStops++] = stop;
  }
}

/// One stop per op: an op that touches several buffers is told by each. The
/// allocations are stops too: where they run again, instances meet.
static void addAccessStops(BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  BerthPointerMap seen = {0};
  for (size_t i = 0; i < job->numPlaced; ++i) {
    MlirOperation alloc = job->scope.buffers[job->bufferOf[i]].alloc;
    if (!mlirOperationIsNull(job->scope.buffers[job->bufferOf[i]].callee))
      continue; // a call, and an access already
    int64_t point = berthPointsLower(&job->points, alloc);
    BerthAccess stop = {.op = alloc, .lower = point, .upper = point + 1};
    hazards->stops[hazards->numStops++] = stop;
  }
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numAccesses; ++k)
      if (berthPointerMapInsert(&seen, buffer->accesses[k].op.ptr, 1))
        hazards->stops[hazards->numStops++] = buffer->accesses[k];
  }
  berthPointerMapFree(&seen);
}

//===----------------------------------------------------------------------===//
// Touches: which node touches which buffers
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

/// The node of the stop at each point, BERTH_NO_NODE elsewhere.
static uint32_t *nodeOfPoint(const BerthHazards *hazards) {
  size_t count = (size_t)hazards->job->points.count;
  uint32_t *nodeAt = allocateOrDie(count, sizeof *nodeAt);
  memset(nodeAt, 0xff, count * sizeof *nodeAt);
  for (uint32_t n = 0; n < hazards->graph.numNodes; ++n) {
    const BerthFlowNode *node = &hazards->graph.nodes[n];
    for (uint32_t k = 0; k < node->numStops; ++k)
      nodeAt[hazards->stops[node->firstStop + k].lower] = n;
  }
  return nodeAt;
}

typedef void (*TouchVisitor)(BerthHazards *hazards, uint32_t node,
                             BerthTouch touch);

static void forEachTouch(BerthHazards *hazards, const uint32_t *nodeAt,
                         TouchVisitor visit) {
  const BerthJob *job = hazards->job;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numAccesses; ++k) {
      const BerthAccess *access = &buffer->accesses[k];
      BerthTouch touch = {(uint32_t)i, access->writes};
      visit(hazards, nodeAt[access->lower], touch);
    }
  }
}

static void countTouch(BerthHazards *hazards, uint32_t node, BerthTouch touch) {
  (void)touch;
  ++hazards->touchBegin[node + 1];
}

/// Fills from the back of each node's range, which countTouch has summed up.
static void storeTouch(BerthHazards *hazards, uint32_t node, BerthTouch touch) {
  hazards->touches[--hazards->touchBegin[node + 1]] = touch;
}

static void indexTouches(BerthHazards *hazards) {
  uint32_t *nodeAt = nodeOfPoint(hazards);
  size_t numNodes = hazards->graph.numNodes;
  // Counted at n + 1 and summed, entry n + 1 is the end of node n; storing
  // moves it down to the node's begin, so the index shifts by one below.
  uint32_t *begin = allocateOrDie(numNodes + 1, sizeof *begin);
  hazards->touchBegin = begin;
  forEachTouch(hazards, nodeAt, countTouch);
  for (size_t n = 1; n <= numNodes; ++n)
    begin[n] += begin[n - 1];
  uint32_t total = begin[numNodes];
  hazards->touches = allocateOrDie(total, sizeof *hazards->touches);
  forEachTouch(hazards, nodeAt, storeTouch);
  memmove(begin, begin + 1, numNodes * sizeof *begin);
  begin[numNodes] = total;
  free(nodeAt);
}

//===----------------------------------------------------------------------===//
// Barriers and places for more
//===----------------------------------------------------------------------===//

/// The op before which a barrier in this gap would go; null where the gap is
/// no stretch of one block.
static bool isCuttableGap(const BerthHazards *hazards,
                          const BerthFlowNode *node) {
  return node->numStops == 0 && !mlirOperationIsNull(node->gapEnd) &&
         hazards->job->scope.arrival == BERTH_ARRIVAL_TOGETHER &&
         berthControlIsUniform(&hazards->job->scope, node->gapEnd, NULL);
}

static void classifyNodes(BerthHazards *hazards) {
  size_t count = hazards->graph.numNodes;
  hazards->isBarrier = allocateOrDie(count, sizeof(bool));
  hazards->isCuttable = allocateOrDie(count, sizeof(bool));
  hazards->isAsync = allocateOrDie(count, sizeof(bool));
  hazards->isFence = allocateOrDie(count, sizeof(bool));
  for (size_t n = 0; n < count; ++n) {
    const BerthFlowNode *node = &hazards->graph.nodes[n];
    hazards->isCuttable[n] = isCuttableGap(hazards, node);
    if (node->numStops != 1)
      continue;
    MlirOperation op = hazards->stops[node->firstStop].op;
    hazards->isBarrier[n] = countsAsBarrier(hazards->job, op);
    hazards->isAsync[n] = berthOpIsAsyncProxy(op);
    hazards->isFence[n] = berthOpIsProxyFence(op);
  }
}

BerthHazards berthHazardsCreate(BerthJob *job) {
  BerthHazards hazards = {.job = job};
  if (!job->scope.spreads)
    berthScopeFindSpreads(&job->scope);
  hazards.hasAsync = berthJobNeedsFences(job);
  hazards.stops = allocateOrDie(countStops(job), sizeof *hazards.stops);
  addBarrierStops(&hazards);
  addAccessStops(&hazards);
  qsort(hazards.stops, hazards.numStops, sizeof *hazards.stops, compareStops);
  berthFlowGraphBuildStops(&hazards.graph, &job->points, hazards.stops,
                           hazards.numStops, &job->scope);
  indexTouches(&hazards);
  classifyNodes(&hazards);
  return hazards;
}

void berthHazardsFree(BerthHazards *hazards) {
  berthFlowGraphFree(&hazards->graph);
  free(hazards->stops);
  free(hazards->isBarrier);
  free(hazards->isCuttable);
  free(hazards->isAsync);
  free(hazards->isFence);
  free(hazards->touchBegin);
  free(hazards->touches);
}

//===----------------------------------------------------------------------===//
// Paths without barrier
//===----------------------------------------------------------------------===//

static bool touches(const BerthHazards *hazards, uint32_t node, uint32_t buffer,
                    bool onlyWrites) {
  for (uint32_t k = hazards->touchBegin[node];
       k < hazards->touchBegin[node + 1]; ++k)
    if (hazards->touches[k].buffer == buffer &&
        (!onlyWrites || hazards->touches[k].writes))
      return true;
  return false;
}

/// A breadth-first search from the accesses of x; `cameFrom` is the node before
/// on a shortest path, the node itself for a start, BERTH_NO_NODE if unreached.
typedef struct Search {
  const BerthHazards *hazards;
  const bool *cuts;
  bool oneThread; ///< follow one thread's own steps only
  uint32_t *cameFrom;
  uint32_t *queue;
  size_t head;
  size_t tail;
} Search;

static void startSearch(Search *search, uint32_t x, bool fromWrites) {
  size_t count = search->hazards->graph.numNodes;
  search->cameFrom = allocateOrDie(count, sizeof *search->cameFrom);
  search->queue = allocateOrDie(count, sizeof *search->queue);
  memset(search->cameFrom, 0xff, count * sizeof *search->cameFrom);
  for (uint32_t n = 0; n < count; ++n)
    if (touches(search->hazards, n, x, fromWrites)) {
      search->cameFrom[n] = n;
      search->queue[search->tail++] = n;
    }
}

/// Barriers and cuts are reached but not passed.
static bool stops(const Search *search, uint32_t node) {
  return search->hazards->isBarrier[node] ||
         (search->cuts && search->cuts[node]);
}

/// The next node reached, or BERTH_NO_NODE at the end.
static uint32_t nextReached(Search *search) {
  if (search->head == search->tail)
    return BERTH_NO_NODE;
  const BerthHazards *hazards = search->hazards;
  bool oneThread =
      search->oneThread ||
      berthIsBroken(hazards->job->options->alias.breakRule, "no-divergence");
  uint32_t index = search->queue[search->head++];
  uint32_t edge = stops(search, index) ? BERTH_NO_NODE
                                       : hazards->graph.nodes[index].firstNext;
  for (; edge != BERTH_NO_NODE; edge = hazards->graph.edges[edge].nextOut) {
    uint32_t to = hazards->graph.edges[edge].to;
    bool isSkipped = oneThread && hazards->graph.edges[edge].isBeside;
    if (isSkipped || search->cameFrom[to] != BERTH_NO_NODE)
      continue;
    search->cameFrom[to] = index;
    search->queue[search->tail++] = to;
  }
  return index;
}

static void endSearch(Search *search) {
  free(search->cameFrom);
  free(search->queue);
}

/// From its writes any access conflicts, from its reads only writes do.
static void reachFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool fromWrites, bool *conflicts) {
  Search search = {.hazards = hazards, .cuts = cuts};
  startSearch(&search, x, fromWrites);
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE;
       n = nextReached(&search))
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      if (fromWrites || hazards->touches[k].writes)
        conflicts[hazards->touches[k].buffer] = true;
  endSearch(&search);
}

void berthHazardsFrom(const BerthHazards *hazards, uint32_t x, const bool *cuts,
                      bool *conflicts) {
  reachFrom(hazards, x, cuts, true, conflicts);
  reachFrom(hazards, x, cuts, false, conflicts);
  berthProxiesFrom(hazards, x, cuts, conflicts);
}

static void storePath(const Search *search, uint32_t last, uint32_t *path,
                      size_t *length) {
  *length = 1;
  for (uint32_t n = last; search->cameFrom[n] != n; n = search->cameFrom[n])
    ++*length;
  uint32_t n = last;
  for (size_t i = *length; i-- > 0; n = search->cameFrom[n])
    path[i] = n;
}

static bool findPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                     const bool *cuts, bool fromWrites, uint32_t *path,
                     size_t *length) {
  Search search = {.hazards = hazards, .cuts = cuts};
  startSearch(&search, x, fromWrites);
  bool found = false;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !found;
       n = nextReached(&search)) {
    found = touches(hazards, n, y, !fromWrites);
    if (found)
      storePath(&search, n, path, length);
  }
  endSearch(&search);
  return found;
}

bool berthHazardsFindPath(const BerthHazards *hazards, uint32_t x, uint32_t y,
                          const bool *cuts, uint32_t *path, size_t *length) {
  return findPath(hazards, x, y, cuts, true, path, length) ||
         findPath(hazards, x, y, cuts, false, path, length) ||
         berthProxiesFindPath(hazards, x, y, cuts, path, length);
}

/// Adds a node from which the search starts too.
static void alsoStartAt(Search *search, uint32_t node) {
  if (search->cameFrom[node] != BERTH_NO_NODE)
    return;
  search->cameFrom[node] = node;
  search->queue[search->tail++] = node;
}

/// From an access of x, or from its allocation, by one thread's steps to the
/// allocation: the path's length, 0 if there is none.
static size_t pathToAllocation(const BerthHazards *hazards, uint32_t x,
                               const bool *cuts, uint32_t alloc,
                               uint32_t *path) {
  const BerthFlowGraph *graph = &hazards->graph;
  Search search = {.hazards = hazards, .cuts = cuts, .oneThread = true};
  startSearch(&search, x, false);
  alsoStartAt(&search, alloc);
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
  endSearch(&search);
  return length;
}

/// From the allocation of x on to an access of the new instance.
static size_t pathFromAllocation(const BerthHazards *hazards, uint32_t x,
                                 const bool *cuts, uint32_t alloc,
                                 uint32_t *path) {
  size_t count = hazards->graph.numNodes;
  Search search = {.hazards = hazards, .cuts = cuts, .oneThread = true};
  search.cameFrom = allocateOrDie(count, sizeof *search.cameFrom);
  search.queue = allocateOrDie(count, sizeof *search.queue);
  memset(search.cameFrom, 0xff, count * sizeof *search.cameFrom);
  alsoStartAt(&search, alloc);
  size_t length = 0;
  for (uint32_t n = nextReached(&search); n != BERTH_NO_NODE && !length;
       n = nextReached(&search))
    if (touches(hazards, n, x, false))
      storePath(&search, n, path, &length);
  endSearch(&search);
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
