//===- BlockLoops.c - Loops that blocks form among themselves -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk in depth finds the edges that lead back to a block on the way to them:
// that block is the head of a loop, and the loop is what comes to such an edge
// without passing the head.
//
//     ^entry -> ^head <------+      the edge from ^body leads back:
//                |   \       |      the loop is ^head and ^body
//              ^exit  ^body -+
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/BlockLoops.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

typedef struct Edge {
  size_t from;
  size_t to;
  size_t nextIn; ///< the next edge to the same block, or kNone
  bool leadsBack;
} Edge;

typedef struct Graph {
  size_t count;
  BerthPointerMap indexOf;
  size_t *firstOut; ///< count + 1 positions in `edges`
  size_t *firstIn;
  Edge *edges;
  size_t *worklist; ///< blocks
  size_t *seenFor;  ///< by block: the last head whose loop it was found in
  size_t *numLoops;
} Graph;

static const size_t kNone = SIZE_MAX;

#define FOR_EACH_BLOCK(block, region)                                          \
  for (MlirBlock block = mlirRegionGetFirstBlock(region);                      \
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))

static intptr_t numSuccessors(MlirBlock block) {
  MlirOperation last = berthBlockGetLast(block);
  return mlirOperationIsNull(last) ? 0 : mlirOperationGetNumSuccessors(last);
}

static void addEdges(Graph *graph, MlirBlock block, size_t index) {
  size_t edge = graph->firstOut[index];
  for (intptr_t i = 0; i < numSuccessors(block); ++i, ++edge) {
    MlirBlock next = mlirOperationGetSuccessor(berthBlockGetLast(block), i);
    size_t to = berthPointerMapFind(&graph->indexOf, next.ptr);
    graph->edges[edge] = (Edge){index, to, graph->firstIn[to], false};
    graph->firstIn[to] = edge;
  }
  graph->firstOut[index + 1] = edge;
}

static Graph createGraph(MlirRegion region) {
  Graph graph = {0};
  size_t numEdges = 0, index = 0;
  FOR_EACH_BLOCK(block, region) {
    berthPointerMapInsert(&graph.indexOf, block.ptr, graph.count++);
    numEdges += (size_t)numSuccessors(block);
  }
  graph.firstOut = berthAllocateOrDie(graph.count, sizeof *graph.firstOut);
  graph.firstIn = berthAllocateOrDie(graph.count, sizeof *graph.firstIn);
  graph.edges = berthAllocateOrDie(numEdges, sizeof *graph.edges);
  graph.worklist = berthAllocateOrDie(graph.count, sizeof *graph.worklist);
  graph.seenFor = berthAllocateOrDie(graph.count, sizeof *graph.seenFor);
  graph.numLoops = berthAllocateOrDie(graph.count, sizeof *graph.numLoops);
  for (size_t i = 0; i < graph.count; ++i)
    graph.firstIn[i] = graph.seenFor[i] = kNone;
  FOR_EACH_BLOCK(block, region)
  addEdges(&graph, block, index++);
  return graph;
}

static void freeGraph(Graph *graph) {
  berthPointerMapFree(&graph->indexOf);
  free(graph->firstOut);
  free(graph->firstIn);
  free(graph->edges);
  free(graph->worklist);
  free(graph->seenFor);
  free(graph->numLoops);
}

/// In depth from the entry: marks the edges to blocks on the way at hand.
static void findEdgesBack(Graph *graph) {
  enum State { NEW, ON_WAY, DONE };
  unsigned char *state = berthAllocateOrDie(graph->count, sizeof *state);
  size_t *nextOut = berthAllocateOrDie(graph->count, sizeof *nextOut);
  size_t length = 0;
  state[0] = ON_WAY;
  nextOut[0] = graph->firstOut[0];
  graph->worklist[length++] = 0;
  while (length) {
    size_t block = graph->worklist[length - 1];
    if (nextOut[block] == graph->firstOut[block + 1]) {
      state[block] = DONE;
      --length;
      continue;
    }
    Edge *edge = &graph->edges[nextOut[block]++];
    edge->leadsBack = state[edge->to] == ON_WAY;
    if (state[edge->to] != NEW)
      continue;
    state[edge->to] = ON_WAY;
    nextOut[edge->to] = graph->firstOut[edge->to];
    graph->worklist[length++] = edge->to;
  }
  free(state);
  free(nextOut);
}

static void addToLoop(Graph *graph, size_t head, size_t block, size_t *length) {
  if (graph->seenFor[block] == head)
    return;
  graph->seenFor[block] = head;
  ++graph->numLoops[block];
  if (block != head)
    graph->worklist[(*length)++] = block;
}

/// Backwards from the edges that lead back to the head.
static void countLoop(Graph *graph, size_t head) {
  size_t length = 0;
  for (size_t e = graph->firstIn[head]; e != kNone; e = graph->edges[e].nextIn)
    if (graph->edges[e].leadsBack) {
      addToLoop(graph, head, head, &length);
      addToLoop(graph, head, graph->edges[e].from, &length);
    }
  while (length) {
    size_t block = graph->worklist[--length];
    for (size_t e = graph->firstIn[block]; e != kNone;
         e = graph->edges[e].nextIn)
      addToLoop(graph, head, graph->edges[e].from, &length);
  }
}

void berthFindBlockLoops(MlirRegion region, BerthPointerMap *numLoopsOf) {
  MlirBlock first = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(first) ||
      mlirBlockIsNull(mlirBlockGetNextInRegion(first)))
    return;
  Graph graph = createGraph(region);
  findEdgesBack(&graph);
  for (size_t head = 0; head < graph.count; ++head)
    countLoop(&graph, head);
  FOR_EACH_BLOCK(block, region) {
    size_t numLoops =
        graph.numLoops[berthPointerMapFind(&graph.indexOf, block.ptr)];
    if (numLoops)
      berthPointerMapInsert(numLoopsOf, block.ptr, numLoops);
  }
  freeGraph(&graph);
}
