//===- Steady.c - Loads between barriers, for the verifier ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Steady.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Runs/Control.h"
#include "IR/Verify/Threads/OwnBytes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// The ops of a scope as a graph
//===----------------------------------------------------------------------===//

/// Op i is come to at node 2 * i, and left at 2 * i + 1. Ops in one that does
/// not run in steps belong to it.
typedef struct Edge {
  uint32_t from, to;
} Edge;

typedef struct Graph {
  const BerthViews *views;
  const bool *isShared;
  MlirOperation scope;
  MlirOperation *ops;
  size_t numOps, opCapacity;
  BerthPointerMap indexOf;
  Edge *edges;
  size_t numEdges, edgeCapacity;
  uint32_t *begin[2]; ///< per node + 1: positions in `next`, ahead and back
  uint32_t *next[2];
  MlirOperation parent; ///< whose edges are being added
  BerthRootAccesses accesses;
} Graph;

static uint32_t nodeOf(const Graph *graph, MlirOperation op, bool isLeft) {
  return (uint32_t)(2 * berthPointerMapFind(&graph->indexOf, op.ptr) + isLeft);
}

static void addEdge(Graph *graph, uint32_t from, uint32_t to) {
  graph->edges = berthGrow(graph->edges, graph->numEdges, &graph->edgeCapacity,
                           sizeof *graph->edges);
  graph->edges[graph->numEdges++] = (Edge){from, to};
}

static MlirWalkResult addOp(MlirOperation op, void *userData) {
  Graph *graph = userData;
  if (mlirOperationEqual(op, graph->scope))
    return MlirWalkResultAdvance;
  graph->ops = berthGrow(graph->ops, graph->numOps, &graph->opCapacity,
                         sizeof *graph->ops);
  berthPointerMapInsert(&graph->indexOf, op.ptr, graph->numOps);
  graph->ops[graph->numOps++] = op;
  return berthRunsInSteps(op) ? MlirWalkResultAdvance : MlirWalkResultSkip;
}

static void linkToBlock(Graph *graph, uint32_t from, MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  if (!mlirOperationIsNull(first))
    addEdge(graph, from, nodeOf(graph, first, false));
}

/// All ways out of a region lead where any of them leads.
static void linkRegions(const BerthRegionEdge *edge, void *userData) {
  Graph *graph = userData;
  MlirOperation parent = graph->parent;
  MlirBlock block = {NULL};
  if (edge->from != BERTH_PARENT)
    block = mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, edge->from));
  do {
    uint32_t from = nodeOf(graph, parent, false);
    if (!mlirBlockIsNull(block)) {
      MlirOperation last = berthBlockGetLast(block);
      block = mlirBlockGetNextInRegion(block);
      if (mlirOperationGetNumSuccessors(last) > 0)
        continue;
      from = nodeOf(graph, last, true);
    }
    if (edge->to == BERTH_PARENT)
      addEdge(graph, from, nodeOf(graph, parent, true));
    else
      linkToBlock(
          graph, from,
          mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, edge->to)));
  } while (!mlirBlockIsNull(block));
}

static void linkOp(Graph *graph, MlirOperation op) {
  uint32_t left = nodeOf(graph, op, true);
  MlirOperation next = mlirOperationGetNextInBlock(op);
  if (mlirOperationGetNumRegions(op) > 0 && berthRunsInSteps(op)) {
    graph->parent = op;
    berthOpGetRegionEdges(op, linkRegions, graph);
  } else {
    addEdge(graph, nodeOf(graph, op, false), left);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(op); ++i)
    linkToBlock(graph, left, mlirOperationGetSuccessor(op, i));
  if (!mlirOperationIsNull(next))
    addEdge(graph, left, nodeOf(graph, next, false));
}

/// The edges of each node, one way.
static void indexEdges(Graph *graph, bool isBackward) {
  size_t numNodes = 2 * graph->numOps;
  uint32_t *begin = berthAllocateOrDie(numNodes + 2, sizeof *begin);
  uint32_t *next = berthAllocateOrDie(graph->numEdges, sizeof *next);
  for (size_t e = 0; e < graph->numEdges; ++e)
    ++begin[(isBackward ? graph->edges[e].to : graph->edges[e].from) + 2];
  for (size_t n = 2; n < numNodes + 2; ++n)
    begin[n] += begin[n - 1];
  for (size_t e = 0; e < graph->numEdges; ++e) {
    const Edge *edge = &graph->edges[e];
    uint32_t at = begin[(isBackward ? edge->to : edge->from) + 1]++;
    next[at] = isBackward ? edge->from : edge->to;
  }
  graph->begin[isBackward] = begin;
  graph->next[isBackward] = next;
}

//===----------------------------------------------------------------------===//
// Loads, and who writes their bytes
//===----------------------------------------------------------------------===//

static bool decides(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
}

/// The only buffer that the load reads, or BERTH_NO_ROOT. Control follows from
/// integers.
static uint32_t rootOfLoad(Graph *graph, MlirOperation op) {
  if (!berthOpIsElementAccess(op) || mlirOperationGetNumResults(op) != 1 ||
      !decides(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return BERTH_NO_ROOT;
  berthRootAccessesOf(&graph->accesses, graph->views, op, false);
  if (graph->accesses.count != 1 || graph->accesses.items[0].writes ||
      !graph->isShared[graph->accesses.items[0].root])
    return BERTH_NO_ROOT;
  return graph->accesses.items[0].root;
}

/// Bytes [lower, upper) of the root's arena are all that an op touches of it.
typedef struct Touched {
  uint32_t root;
  int64_t lower, upper;
} Touched;

static Touched bytesOf(const Graph *graph, MlirOperation op, uint32_t root) {
  const BerthRoot *of = &graph->views->roots[root];
  BerthOwnBytes bytes = berthOwnBytesOf(graph->views, graph->scope, op, root);
  Touched touched = {root, of->lower, of->upper};
  if (bytes.isKnown) {
    while (touched.lower < touched.upper &&
           !bytes.threads[touched.lower - of->lower])
      ++touched.lower;
    while (touched.lower < touched.upper &&
           !bytes.threads[touched.upper - 1 - of->lower])
      --touched.upper;
  }
  free(bytes.threads);
  return touched;
}

static bool meet(const Touched *a, const Touched *b) {
  return a->lower < b->upper && b->lower < a->upper;
}

static bool mayWrite(const Graph *graph, MlirOperation op, uint32_t written,
                     const Touched *read) {
  const BerthRoot *other = &graph->views->roots[written];
  if (written == read->root)
    return true;
  if (!berthViewsOverlap(graph->views, written, read->root))
    return false;
  Touched touched = {written, other->lower, other->upper};
  if (other->isShifted || !meet(&touched, read))
    return other->isShifted;
  if (mlirOperationGetNumRegions(op) > 0)
    return true;
  touched = bytesOf(graph, op, written); // less than all of the buffer
  return meet(&touched, read);
}

static bool writesBytes(Graph *graph, MlirOperation op, const Touched *read) {
  berthRootAccessesOf(&graph->accesses, graph->views, op,
                      !berthRunsInSteps(op));
  for (size_t i = 0; i < graph->accesses.count; ++i)
    if (graph->accesses.items[i].writes &&
        mayWrite(graph, op, graph->accesses.items[i].root, read))
      return true;
  return false;
}

/// Goes from the load to the barriers around it, all one way. False if a write
/// lies between.
static bool searchFrom(Graph *graph, MlirOperation load, const Touched *read,
                       bool isBackward, BerthSteadyLoads *steady,
                       size_t entry) {
  bool *isSeen = berthAllocateOrDie(2 * graph->numOps, sizeof *isSeen);
  uint32_t *queue = berthAllocateOrDie(2 * graph->numOps, sizeof *queue);
  size_t head = 0, tail = 0;
  bool isClear = true;
  queue[tail++] = nodeOf(graph, load, !isBackward);
  isSeen[queue[0]] = true;
  while (head < tail && isClear) {
    uint32_t node = queue[head++];
    const uint32_t *begin = graph->begin[isBackward];
    for (uint32_t e = begin[node]; e < begin[node + 1] && isClear; ++e) {
      uint32_t to = graph->next[isBackward][e];
      if (isSeen[to])
        continue;
      isSeen[to] = true;
      MlirOperation op = graph->ops[to / 2];
      if (berthOpIsWholeBarrier(op)) {
        berthSteadyLoadsAdd(steady, op, entry);
        continue;
      }
      isClear = !writesBytes(graph, op, read);
      queue[tail++] = to;
    }
  }
  free(isSeen);
  free(queue);
  return isClear;
}

BerthSteadyLoads berthFindSteadyLoads(const BerthViews *views,
                                      const bool *isShared,
                                      MlirOperation scope) {
  BerthSteadyLoads steady = {0};
  Graph graph = {.views = views, .isShared = isShared, .scope = scope};
  mlirOperationWalk(scope, addOp, &graph, MlirWalkPreOrder);
  for (size_t i = 0; i < graph.numOps; ++i)
    linkOp(&graph, graph.ops[i]);
  indexEdges(&graph, false);
  indexEdges(&graph, true);
  for (size_t i = 0; i < graph.numOps; ++i) {
    uint32_t root = rootOfLoad(&graph, graph.ops[i]);
    if (root == BERTH_NO_ROOT)
      continue;
    size_t entry = steady.count;
    Touched read = bytesOf(&graph, graph.ops[i], root);
    berthSteadyLoadsAdd(&steady, graph.ops[i], entry);
    if (!searchFrom(&graph, graph.ops[i], &read, false, &steady, entry) ||
        !searchFrom(&graph, graph.ops[i], &read, true, &steady, entry))
      steady.count = entry;
  }
  for (int i = 0; i < 2; ++i) {
    free(graph.begin[i]);
    free(graph.next[i]);
  }
  free(graph.ops);
  free(graph.edges);
  berthPointerMapFree(&graph.indexOf);
  berthRootAccessesFree(&graph.accesses);
  return steady;
}
