//===- FlowGraph.c - The control flow that one buffer sees ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built by descent over the regions that hold stops. The stops are sorted by
// point, and points are nested like the code, so the stops inside an op are one
// run of the array: each level of the descent hands its run on.
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/FlowGraph.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>
#include <string.h>

/// A run of stops (accesses and the allocation), sorted by lower point.
typedef struct Stops {
  const BerthAccess *begin;
  const BerthAccess *end;
} Stops;

typedef struct Builder {
  BerthFlowGraph *graph;
  const BerthPoints *points;
  const BerthAccess *stops; ///< all of them
  MlirOperation alloc; ///< of the buffer, or of the value; null for several
  MlirBlock definedBy; ///< the block of which the value is an argument, or null
  const BerthScope *threads; ///< NULL: one thread
} Builder;

/// Where a region begins and which nodes end it by leaving towards the parent.
typedef struct RegionNodes {
  uint32_t entry;
  uint32_t exit; ///< joins all ends of the region
} RegionNodes;

static uint32_t addNode(BerthFlowGraph *graph, int64_t lower, int64_t upper) {
  graph->nodes = berthGrow(graph->nodes, graph->numNodes, &graph->nodeCapacity,
                           sizeof *graph->nodes);
  BerthFlowNode *node = &graph->nodes[graph->numNodes];
  memset(node, 0, sizeof *node);
  node->span = (BerthSegment){lower, upper};
  node->firstNext = node->firstPrevious = BERTH_NO_NODE;
  return (uint32_t)graph->numNodes++;
}

static BerthFlowEdge *addEdge(BerthFlowGraph *graph, uint32_t from,
                              uint32_t to) {
  graph->edges = berthGrow(graph->edges, graph->numEdges, &graph->edgeCapacity,
                           sizeof *graph->edges);
  BerthFlowEdge *edge = &graph->edges[graph->numEdges];
  edge->from = from;
  edge->to = to;
  edge->isBeside = false;
  edge->nextOut = graph->nodes[from].firstNext;
  edge->nextIn = graph->nodes[to].firstPrevious;
  graph->nodes[from].firstNext = (uint32_t)graph->numEdges;
  graph->nodes[to].firstPrevious = (uint32_t)graph->numEdges++;
  return edge;
}

static uint32_t appendNode(BerthFlowGraph *graph, uint32_t last, int64_t lower,
                           int64_t upper) {
  uint32_t node = addNode(graph, lower, upper);
  addEdge(graph, last, node);
  return node;
}

/// A stretch of a block that ends before the op `behind` (null: at its end).
static uint32_t appendGap(BerthFlowGraph *graph, uint32_t last, int64_t lower,
                          int64_t upper, MlirOperation behind) {
  uint32_t node = appendNode(graph, last, lower, upper);
  graph->nodes[node].gapEnd = behind;
  return node;
}

/// The terminator of the block, unless it is a stop itself.
static MlirOperation gapTerminator(const BerthPoints *points, MlirBlock block,
                                   int64_t point) {
  MlirOperation terminator = berthBlockGetLast(block);
  if (mlirOperationIsNull(terminator) ||
      berthPointsLower(points, terminator) < point)
    return (MlirOperation){NULL};
  return terminator;
}

/// The stops from `first` on whose point lies below `upper`.
static Stops stopsBelow(const BerthAccess *first, const BerthAccess *end,
                        int64_t upper) {
  Stops stops = {first, first};
  while (stops.end != end && stops.end->lower < upper)
    ++stops.end;
  return stops;
}

static bool isAlloc(const Builder *builder, MlirOperation op) {
  return mlirOperationEqual(op, builder->alloc);
}

/// A stop that is a single step: the access itself, or the allocation. Stops
/// inside it (of an op of unknown control flow) are part of it.
static uint32_t buildLeaf(Builder *builder, uint32_t last, Stops stops) {
  BerthFlowGraph *graph = builder->graph;
  const BerthAccess *access = stops.begin;
  uint32_t index = appendNode(graph, last, access->lower, access->upper);
  BerthFlowNode *node = &graph->nodes[index];
  bool isAllocation = isAlloc(builder, access->op);
  node->isFresh = isAllocation && !graph->keepsStale;
  node->isAccess = !isAllocation;
  node->firstStop = (uint32_t)(stops.begin - builder->stops);
  node->numStops = (uint32_t)(stops.end - stops.begin);
  bool startsCover = access->startsCover && !graph->ignoresCovers;
  node->kills = (access->kills || startsCover) && stops.end == stops.begin + 1;
  for (; access != stops.end; ++access) {
    // A called function that starts a cover reads what it has written.
    node->reads |= access->reads && !startsCover;
    node->writes |= access->writes;
  }
  return index;
}

/// A call that is looked into, as in FlowGraph.h. Returns the node behind it.
static uint32_t buildCall(Builder *builder, uint32_t last, Stops stops) {
  BerthFlowGraph *graph = builder->graph;
  uint32_t call = buildLeaf(builder, last, stops);
  int64_t upper = stops.begin->upper;
  addNode(graph, upper, upper); // what comes first
  addNode(graph, upper, upper); // what comes last
  uint32_t leave = addNode(graph, upper, upper);
  addEdge(graph, call, call + BERTH_CALL_FIRST);
  addEdge(graph, call + BERTH_CALL_LAST, leave);
  if (stops.begin->ends->isOpen)
    addEdge(graph, call, leave);
  return leave;
}

static RegionNodes buildRegion(Builder *builder, MlirRegion region,
                               Stops stops);

static void addStep(BerthFlowGraph *graph, BerthRegionStep step, uint32_t enter,
                    uint32_t leave, const RegionNodes *regions) {
  if (graph->ignoresBackEdges && step.from >= 0 && step.to >= 0 &&
      step.to <= step.from)
    return;
  addEdge(graph, step.from < 0 ? enter : regions[step.from].exit,
          step.to < 0 ? leave : regions[step.to].entry);
}

/// Threads that disagree run the regions beside each other.
static void addConcurrentSteps(const Builder *builder, MlirOperation op,
                               const RegionNodes *regions) {
  bool isDivergent =
      builder->threads && !berthRegionsAreUniform(builder->threads, op);
  if (!isDivergent && !builder->graph->joinsAlternatives)
    return;
  intptr_t count = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t j = 0; j < count; ++j)
      addEdge(builder->graph, regions[i].exit, regions[j].entry)->isBeside =
          true;
}

/// Enters a region op: its regions side by side, joined by its steps.
static uint32_t buildRegionOp(Builder *builder, uint32_t last, MlirOperation op,
                              Stops stops) {
  BerthFlowGraph *graph = builder->graph;
  int64_t lower = berthPointsLower(builder->points, op);
  int64_t upper = berthPointsUpper(builder->points, op);
  uint32_t enter = appendNode(graph, last, lower, lower + 1);
  uint32_t leave = addNode(graph, upper - 1, upper);
  if (mlirOperationEqual(stops.begin->op, op)) {
    bool startsCover = stops.begin->startsCover;
    graph->nodes[enter].isAccess = graph->nodes[enter].reads = !startsCover;
    // New content begins here, though its first part is written inside.
    graph->nodes[enter].kills = graph->nodes[enter].writes = startsCover;
    ++stops.begin;
  }
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  RegionNodes *regions =
      berthAllocateOrDie((size_t)numRegions, sizeof *regions);
  for (intptr_t i = 0; i < numRegions; ++i) {
    MlirRegion region = mlirOperationGetRegion(op, i);
    BerthSegment span = berthPointsRegionSpan(builder->points, region);
    Stops inside = stopsBelow(stops.begin, stops.end, span.upper);
    regions[i] = buildRegion(builder, region, inside);
    stops.begin = inside.end;
  }
  size_t numSteps;
  const BerthRegionStep *steps =
      berthPointsSteps(builder->points, op, &numSteps);
  for (size_t i = 0; i < numSteps; ++i)
    addStep(graph, steps[i], enter, leave, regions);
  addConcurrentSteps(builder, op, regions);
  free(regions);
  return leave;
}

/// The next stops in a block, all of them of the op `top` or in it.
static uint32_t buildStops(Builder *builder, uint32_t last, MlirOperation top,
                           Stops stops) {
  if (!mlirOperationEqual(top, stops.begin->op) || stops.begin->isEntry)
    return buildRegionOp(builder, last, top, stops);
  return stops.begin->ends ? buildCall(builder, last, stops)
                           : buildLeaf(builder, last, stops);
}

/// Chains the stops of one block after `last`, gaps between them, and returns
/// the node of the block's end.
static uint32_t buildBlock(Builder *builder, uint32_t last, MlirBlock block,
                           BerthSegment span, Stops stops) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  int64_t point = span.lower;
  while (stops.begin != stops.end) {
    MlirOperation top = berthAncestorInRegion(stops.begin->op, region);
    int64_t lower = berthPointsLower(builder->points, top);
    int64_t upper = berthPointsUpper(builder->points, top);
    last = appendGap(builder->graph, last, point, lower, top);
    Stops inside = stopsBelow(stops.begin, stops.end, upper);
    last = buildStops(builder, last, top, inside);
    stops.begin = inside.end;
    point = upper;
  }
  return appendGap(builder->graph, last, point, span.upper,
                   gapTerminator(builder->points, block, point));
}

static uint32_t entryOf(const BerthFlowGraph *graph, MlirBlock block) {
  return (uint32_t)berthPointerMapFind(&graph->entryOf, block.ptr);
}

/// Where control may go from a block's end: to its successors, or to the
/// region's exit.
static void addBlockEdges(BerthFlowGraph *graph, MlirBlock block, uint32_t end,
                          uint32_t exit) {
  MlirOperation terminator = berthBlockGetLast(block);
  intptr_t numSuccessors = mlirOperationIsNull(terminator)
                               ? 0
                               : mlirOperationGetNumSuccessors(terminator);
  if (graph->ignoresBranches)
    numSuccessors = 0;
  for (intptr_t i = 0; i < numSuccessors; ++i)
    addEdge(graph, end,
            entryOf(graph, mlirOperationGetSuccessor(terminator, i)));
  if (!numSuccessors)
    addEdge(graph, end, exit);
}

/// Threads that part at a branch are in any two blocks of its spread at once:
/// a node between the ends of all and the entries of all says so.
static void addBesideEdges(const Builder *builder, MlirRegion region) {
  BerthFlowGraph *graph = builder->graph;
  const BerthUniformity *uniformity =
      builder->threads ? builder->threads->uniformity : NULL;
  for (size_t s = 0; uniformity && s < uniformity->numSpreads; ++s) {
    const BerthSpread *spread = &uniformity->spreads[s];
    if (!mlirRegionEqual(spread->region, region))
      continue;
    uint32_t hub = addNode(graph, 0, 0);
    for (size_t i = 0; i < spread->numBlocks; ++i) {
      MlirBlock block = spread->blocks[i];
      size_t end = berthPointerMapFind(&graph->endOf, block.ptr);
      addEdge(graph, (uint32_t)end, hub)->isBeside = true;
      addEdge(graph, hub, entryOf(graph, block))->isBeside = true;
    }
  }
}

static bool isDefiningBlock(const Builder *builder, MlirBlock block) {
  return !mlirBlockIsNull(block) && mlirBlockEqual(block, builder->definedBy);
}

/// A region of several blocks: each gets its entry node first, so that branches
/// can go backwards.
static void buildBlocks(Builder *builder, MlirRegion region, Stops stops,
                        RegionNodes nodes) {
  BerthFlowGraph *graph = builder->graph;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    uint32_t entry = addNode(graph, 0, 0);
    graph->nodes[entry].isFresh = isDefiningBlock(builder, block);
    berthPointerMapSet(&graph->entryOf, block.ptr, entry);
  }
  MlirBlock first = mlirRegionGetFirstBlock(region);
  addEdge(graph, nodes.entry, entryOf(graph, first));
  for (MlirBlock block = first; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    BerthSegment span = berthPointsBlockSpan(builder->points, block);
    Stops inside = stopsBelow(stops.begin, stops.end, span.upper);
    stops.begin = inside.end;
    uint32_t end =
        buildBlock(builder, entryOf(graph, block), block, span, inside);
    addBlockEdges(graph, block, end, nodes.exit);
    if (builder->threads)
      berthPointerMapSet(&graph->endOf, block.ptr, end);
  }
  addBesideEdges(builder, region);
}

static RegionNodes buildRegion(Builder *builder, MlirRegion region,
                               Stops stops) {
  BerthFlowGraph *graph = builder->graph;
  BerthSegment span = berthPointsRegionSpan(builder->points, region);
  RegionNodes nodes = {addNode(graph, 0, 0), addNode(graph, 0, 0)};
  MlirBlock first = mlirRegionGetFirstBlock(region);
  graph->nodes[nodes.entry].isFresh = isDefiningBlock(builder, first);
  bool isEmpty = stops.begin == stops.end;
  if (isEmpty || mlirBlockIsNull(first)) {
    addEdge(graph, appendNode(graph, nodes.entry, span.lower, span.upper),
            nodes.exit);
  } else if (mlirBlockIsNull(mlirBlockGetNextInRegion(first))) {
    uint32_t end = buildBlock(builder, nodes.entry, first, span, stops);
    addEdge(graph, end, nodes.exit);
  } else {
    buildBlocks(builder, region, stops, nodes);
  }
  return nodes;
}

/// The accesses with the allocation among them, in order of points.
static BerthAccess *collectStops(const BerthPoints *points, MlirOperation op,
                                 const BerthAccess *accesses,
                                 size_t numAccesses, size_t *count) {
  BerthAccess *stops = berthAllocateOrDie(numAccesses, sizeof *stops);
  BerthAccess alloc = {.op = op};
  alloc.lower = berthPointsLower(points, op);
  alloc.upper = berthPointsUpper(points, op);
  size_t n = 0;
  bool isPlaced = false;
  for (size_t i = 0; i < numAccesses; ++i) {
    if (!isPlaced && alloc.lower < accesses[i].lower) {
      stops[n++] = alloc;
      isPlaced = true;
    }
    stops[n++] = accesses[i];
  }
  if (!isPlaced)
    stops[n++] = alloc;
  *count = n;
  return stops;
}

static RegionNodes buildAll(Builder *builder, size_t numStops) {
  BerthFlowGraph *graph = builder->graph;
  graph->numNodes = graph->numEdges = 0;
  berthPointerMapClear(&graph->entryOf);
  berthPointerMapClear(&graph->endOf);
  Stops stops = {builder->stops, builder->stops + numStops};
  return buildRegion(builder, builder->points->body, stops);
}

void berthFlowGraphBuildStops(BerthFlowGraph *graph, const BerthPoints *points,
                              const BerthAccess *stops, size_t numStops,
                              const BerthScope *threads, bool mayFollowItself) {
  Builder builder = {graph, points, stops, {NULL}, {NULL}, threads};
  RegionNodes body = buildAll(&builder, numStops);
  if (mayFollowItself)
    addEdge(graph, body.exit, body.entry);
}

void berthFlowGraphBuild(BerthFlowGraph *graph, const BerthPoints *points,
                         const BerthBufferInfo *buffer) {
  size_t numCovers = graph->ignoresCovers ? 0 : buffer->numCovers;
  size_t count, numUses = buffer->numAccesses + numCovers;
  BerthAccess *uses = berthAllocateOrDie(numUses, sizeof *uses);
  for (size_t i = 0; i < numUses; ++i)
    uses[i] = i < buffer->numAccesses ? buffer->accesses[i]
                                      : buffer->covers[i - buffer->numAccesses];
  if (numCovers)
    qsort(uses, numUses, sizeof *uses, berthCompareAccesses);
  BerthAccess *stops =
      collectStops(points, buffer->alloc, uses, numUses, &count);
  Builder builder = {graph, points, stops, buffer->alloc, {NULL}, NULL};
  buildAll(&builder, count);
  free(uses);
  free(stops);
}

void berthFlowGraphBuildValue(BerthFlowGraph *graph, const BerthPoints *points,
                              MlirValue value, const BerthAccess *stops,
                              size_t numStops) {
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    Builder builder = {graph, points, stops, {NULL}, block, NULL};
    buildAll(&builder, numStops);
    return;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  size_t count;
  BerthAccess *all = collectStops(points, op, stops, numStops, &count);
  Builder builder = {graph, points, all, op, {NULL}, NULL};
  buildAll(&builder, count);
  free(all);
}

void berthFlowGraphFree(BerthFlowGraph *graph) {
  berthPointerMapFree(&graph->entryOf);
  berthPointerMapFree(&graph->endOf);
  free(graph->nodes);
  free(graph->edges);
  free(graph->worklist);
}
