//===- VerifyFlow.c - Contents along the paths of a scope ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/VerifyFlow.h"
#include "IR/Facts.h"
#include "IR/OpTable.h"
#include "IR/VerifyEvents.h"

#include <stdlib.h>
#include <string.h>

/// A way around the regions of an op, BERTH_PARENT being the op itself.
typedef struct Edge {
  int from;
  int to;
} Edge;

/// One region, summarised.
typedef struct RegionFlow {
  bool hasEvents;
  BerthTransferMap exit;      ///< from its start to its end
  BerthTransferMap *blockIns; ///< from its start to that of each block
} RegionFlow;

/// One op with structured control flow.
typedef struct OpFlow {
  bool hasEvents;
  BerthTransferMap exit;       ///< from before the op to after it
  BerthTransferMap *regionIns; ///< from before it to each region's start
  RegionFlow *regions;
} OpFlow;

/// The buffers that a write to one may clobber.
typedef struct Neighbours {
  bool isKnown;
  size_t count;
  uint32_t *roots; ///< ascending
} Neighbours;

typedef struct Flow {
  const BerthViews *views;
  Neighbours *neighbours; ///< by root
  BerthArena memory;
  BerthEvents events;
  BerthPointerMap flowOf; ///< op -> index into `flows`
  OpFlow *flows;
  size_t numFlows, flowCapacity;
  // Bottom up: the transfers of the block at hand.
  BerthTransfer *transfers; ///< by root
  bool *isTouched;          ///< by root
  uint32_t *touched;
  size_t numTouched;
  // Top down: the state at the op at hand.
  BerthContentState *states; ///< by root
  BerthClobberCallback callback;
  void *userData;
} Flow;

static void *allocateOrDie(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    abort();
  return memory;
}

static bool isStructured(MlirOperation op) {
  return berthOpIsRegionBranch(op) && !berthOpIsParallel(op) &&
         !berthOpIsAsync(op);
}

static OpFlow *findFlow(const Flow *flow, MlirOperation op) {
  size_t index = berthPointerMapFind(&flow->flowOf, op.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &flow->flows[index];
}

//===----------------------------------------------------------------------===//
// Bottom up: one block
//===----------------------------------------------------------------------===//

static void transferRoot(Flow *flow, uint32_t root, BerthTransfer then) {
  if (!flow->isTouched[root]) {
    flow->isTouched[root] = true;
    flow->touched[flow->numTouched++] = root;
    flow->transfers[root] = berthTransferNothing;
  }
  flow->transfers[root] = berthTransferCompose(flow->transfers[root], then);
}

static void transferMap(Flow *flow, BerthTransferMap map) {
  for (size_t i = 0; i < map.count; ++i)
    transferRoot(flow, map.roots[i], map.transfers[i]);
}

/// Found once, when the first write to the root is met.
static const Neighbours *neighboursOf(Flow *flow, uint32_t root) {
  Neighbours *neighbours = &flow->neighbours[root];
  if (neighbours->isKnown)
    return neighbours;
  neighbours->isKnown = true;
  size_t capacity = 0;
  for (uint32_t other = 0; other < flow->views->numRoots; ++other) {
    if (!berthViewsOverlap(flow->views, root, other))
      continue;
    if (neighbours->count == capacity) {
      capacity = capacity ? 2 * capacity : 8;
      neighbours->roots =
          realloc(neighbours->roots, capacity * sizeof *neighbours->roots);
      if (!neighbours->roots)
        abort();
    }
    neighbours->roots[neighbours->count++] = other;
  }
  return neighbours;
}

static void transferEvent(Flow *flow, const BerthEvent *event) {
  BerthTransfer transfer = berthEventTransfer(event);
  if (event->kind != BERTH_EVENT_CLOBBER) {
    transferRoot(flow, event->root, transfer);
    return;
  }
  const Neighbours *neighbours = neighboursOf(flow, event->root);
  for (size_t i = 0; i < neighbours->count; ++i)
    transferRoot(flow, neighbours->roots[i], transfer);
}

static int compareRoots(const void *a, const void *b) {
  uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return (first > second) - (first < second);
}

/// The transfers collected since the last call, as a map.
static BerthTransferMap takeTransfers(Flow *flow) {
  size_t count = flow->numTouched;
  qsort(flow->touched, count, sizeof *flow->touched, compareRoots);
  BerthTransfer *transfers =
      BERTH_ARENA_NEW(&flow->memory, BerthTransfer, count);
  uint32_t *roots = berthArenaCopy(&flow->memory, flow->touched, count,
                                   sizeof *flow->touched);
  for (size_t i = 0; i < count; ++i) {
    transfers[i] = flow->transfers[roots[i]];
    flow->isTouched[roots[i]] = false;
  }
  flow->numTouched = 0;
  return (BerthTransferMap){true, count, roots, transfers};
}

/// The map of one block, whose structured ops have been summarised. Sets
/// `*hasEvents` if anything in it touches a buffer.
static BerthTransferMap summarizeBlock(Flow *flow, MlirBlock block,
                                       bool *hasEvents) {
  berthEventsOfBlock(&flow->events, flow->views, block);
  for (size_t i = 0; i < flow->events.count; ++i)
    transferEvent(flow, &flow->events.items[i]);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const OpFlow *nested = findFlow(flow, op);
    berthEventsOf(&flow->events, flow->views, op, !nested);
    *hasEvents |= flow->events.count > 0 || (nested && nested->hasEvents);
    for (size_t i = 0; i < flow->events.count; ++i)
      transferEvent(flow, &flow->events.items[i]);
    if (nested)
      transferMap(flow, nested->exit);
  }
  return takeTransfers(flow);
}

//===----------------------------------------------------------------------===//
// Bottom up: one region
//===----------------------------------------------------------------------===//

/// Joins `map` into `*into`; true if that changed it.
static bool joinInto(Flow *flow, BerthTransferMap *into, BerthTransferMap map) {
  BerthTransferMap joined = berthTransferMapJoin(&flow->memory, *into, map);
  if (berthTransferMapEqual(joined, *into))
    return false;
  *into = joined;
  return true;
}

/// The blocks of a region and their own maps.
typedef struct Blocks {
  size_t count;
  BerthPointerMap indexOf; ///< block -> its number
  MlirBlock *blocks;
  BerthTransferMap *maps;
} Blocks;

static Blocks listBlocks(Flow *flow, MlirRegion region) {
  Blocks list = {0};
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    berthPointerMapInsert(&list.indexOf, block.ptr, list.count++);
  list.blocks = BERTH_ARENA_NEW(&flow->memory, MlirBlock, list.count);
  list.maps = BERTH_ARENA_NEW(&flow->memory, BerthTransferMap, list.count);
  size_t i = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    list.blocks[i++] = block;
  return list;
}

/// Passes what holds at the end of block `index` on to its successors, or to
/// the end of the region; true if something changed.
static bool leaveBlock(Flow *flow, const Blocks *list, size_t index,
                       RegionFlow *result) {
  BerthArenaMark mark = berthArenaGetMark(&flow->memory);
  BerthTransferMap out = berthTransferMapCompose(
      &flow->memory, result->blockIns[index], list->maps[index]);
  MlirOperation last = berthBlockGetLast(list->blocks[index]);
  intptr_t numSuccessors =
      mlirOperationIsNull(last) ? 0 : mlirOperationGetNumSuccessors(last);
  if (numSuccessors == 0)
    return joinInto(flow, &result->exit, out);
  bool isChanged = false;
  for (intptr_t i = 0; i < numSuccessors; ++i) {
    MlirBlock next = mlirOperationGetSuccessor(last, i);
    size_t to = berthPointerMapFind(&list->indexOf, next.ptr);
    isChanged |= joinInto(flow, &result->blockIns[to], out);
  }
  if (!isChanged)
    berthArenaRelease(&flow->memory, mark);
  return isChanged;
}

static void summarizeOp(Flow *flow, MlirOperation op);

static void summarizeNestedOps(Flow *flow, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (isStructured(op))
      summarizeOp(flow, op);
}

static RegionFlow summarizeRegion(Flow *flow, MlirRegion region, bool isBody) {
  RegionFlow result = {0};
  Blocks list = listBlocks(flow, region);
  result.blockIns =
      BERTH_ARENA_NEW(&flow->memory, BerthTransferMap, list.count);
  for (size_t i = 0; i < list.count; ++i)
    summarizeNestedOps(flow, list.blocks[i]);
  // Nobody asks what the only block of the scope's own body comes to.
  bool isNeeded = list.count > 1 || !isBody;
  result.hasEvents = !isNeeded;
  for (size_t i = 0; isNeeded && i < list.count; ++i)
    list.maps[i] = summarizeBlock(flow, list.blocks[i], &result.hasEvents);
  if (list.count)
    result.blockIns[0] = berthTransferMapIdentity();
  else
    result.exit = berthTransferMapIdentity();
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < list.count; ++i)
      isChanged |= leaveBlock(flow, &list, i, &result);
  }
  berthPointerMapFree(&list.indexOf);
  return result;
}

//===----------------------------------------------------------------------===//
// Bottom up: one op
//===----------------------------------------------------------------------===//

typedef struct Edges {
  Edge *items;
  size_t count;
  size_t capacity;
} Edges;

static void addEdge(const BerthRegionEdge *edge, void *userData) {
  Edges *edges = userData;
  for (size_t i = 0; i < edges->count; ++i)
    if (edges->items[i].from == edge->from && edges->items[i].to == edge->to)
      return;
  if (edges->count == edges->capacity) {
    edges->capacity = edges->capacity ? 2 * edges->capacity : 8;
    edges->items =
        realloc(edges->items, edges->capacity * sizeof *edges->items);
    if (!edges->items)
      abort();
  }
  edges->items[edges->count++] = (Edge){edge->from, edge->to};
}

/// Follows one edge; true if that changed what is known.
static bool followEdge(Flow *flow, OpFlow *result, Edge edge) {
  BerthArenaMark mark = berthArenaGetMark(&flow->memory);
  BerthTransferMap out = berthTransferMapIdentity();
  if (edge.from != BERTH_PARENT)
    out = berthTransferMapCompose(&flow->memory, result->regionIns[edge.from],
                                  result->regions[edge.from].exit);
  bool isChanged = joinInto(
      flow,
      edge.to == BERTH_PARENT ? &result->exit : &result->regionIns[edge.to],
      out);
  if (!isChanged)
    berthArenaRelease(&flow->memory, mark);
  return isChanged;
}

static void followEdges(Flow *flow, MlirOperation op, OpFlow *result) {
  Edges edges = {0};
  berthOpGetRegionEdges(op, addEdge, &edges);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < edges.count; ++i)
      isChanged |= followEdge(flow, result, edges.items[i]);
  }
  free(edges.items);
}

static void addFlow(Flow *flow, MlirOperation op, OpFlow result) {
  if (flow->numFlows == flow->flowCapacity) {
    flow->flowCapacity = flow->flowCapacity ? 2 * flow->flowCapacity : 64;
    flow->flows =
        realloc(flow->flows, flow->flowCapacity * sizeof *flow->flows);
    if (!flow->flows)
      abort();
  }
  berthPointerMapInsert(&flow->flowOf, op.ptr, flow->numFlows);
  flow->flows[flow->numFlows++] = result;
}

static void summarizeOp(Flow *flow, MlirOperation op) {
  size_t numRegions = (size_t)mlirOperationGetNumRegions(op);
  OpFlow result = {0};
  result.regions = BERTH_ARENA_NEW(&flow->memory, RegionFlow, numRegions);
  result.regionIns =
      BERTH_ARENA_NEW(&flow->memory, BerthTransferMap, numRegions);
  for (size_t i = 0; i < numRegions; ++i) {
    result.regions[i] =
        summarizeRegion(flow, mlirOperationGetRegion(op, (intptr_t)i), false);
    result.hasEvents |= result.regions[i].hasEvents;
  }
  followEdges(flow, op, &result);
  addFlow(flow, op, result);
}

//===----------------------------------------------------------------------===//
// Top down
//===----------------------------------------------------------------------===//

static void applyMap(Flow *flow, BerthTransferMap map) {
  for (size_t i = 0; i < map.count; ++i) {
    BerthContentState *state = &flow->states[map.roots[i]];
    *state = berthTransferApply(map.transfers[i], *state);
  }
}

/// Sets the states to what `map` makes of the saved ones.
static void enter(Flow *flow, const BerthContentState *saved,
                  BerthTransferMap map) {
  memcpy(flow->states, saved, flow->views->numRoots * sizeof *saved);
  applyMap(flow, map);
}

static BerthContentState *saveStates(const Flow *flow) {
  size_t count = flow->views->numRoots;
  BerthContentState *saved = allocateOrDie(count, sizeof *saved);
  memcpy(saved, flow->states, count * sizeof *saved);
  return saved;
}

static void checkRegion(Flow *flow, MlirRegion region,
                        const RegionFlow *regionFlow);

static void checkStructured(Flow *flow, MlirOperation op,
                            const OpFlow *opFlow) {
  BerthContentState *saved = saveStates(flow);
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < numRegions; ++i) {
    if (!opFlow->regionIns[i].isReached)
      continue;
    enter(flow, saved, opFlow->regionIns[i]);
    checkRegion(flow, mlirOperationGetRegion(op, i), &opFlow->regions[i]);
  }
  enter(flow, saved, opFlow->exit);
  free(saved);
}

static void applyEvent(Flow *flow, const BerthEvent *event) {
  BerthTransfer transfer = berthEventTransfer(event);
  BerthContentState *states = flow->states;
  if (event->kind != BERTH_EVENT_CLOBBER) {
    states[event->root] = berthTransferApply(transfer, states[event->root]);
    return;
  }
  // Only valid content can be clobbered.
  const Neighbours *neighbours = neighboursOf(flow, event->root);
  for (size_t i = 0; i < neighbours->count; ++i)
    if (states[neighbours->roots[i]] == BERTH_CONTENT_VALID)
      states[neighbours->roots[i]] = transfer.ofValid;
}

/// Checks the reads of one op against the states before and among its events;
/// at most one error per op.
static void checkEvents(Flow *flow, MlirOperation op) {
  bool isReported = false;
  for (size_t i = 0; i < flow->events.count; ++i) {
    const BerthEvent *event = &flow->events.items[i];
    BerthContentState state = flow->states[event->root];
    bool isBad =
        event->kind == BERTH_EVENT_READ && state >= BERTH_CONTENT_CLOBBERED;
    if (isBad && !isReported)
      flow->callback(
          event->op,
          berthEventsWriter(&flow->events, state - BERTH_CONTENT_CLOBBERED),
          flow->userData);
    isReported |= isBad;
    applyEvent(flow, event);
  }
  if (!isReported && berthReadsWhatItWrites(&flow->events, flow->views))
    flow->callback(op, op, flow->userData);
}

static void checkBlock(Flow *flow, MlirBlock block) {
  berthEventsOfBlock(&flow->events, flow->views, block);
  for (size_t i = 0; i < flow->events.count; ++i)
    applyEvent(flow, &flow->events.items[i]);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const OpFlow *nested = findFlow(flow, op);
    berthEventsOf(&flow->events, flow->views, op, !nested);
    checkEvents(flow, op);
    if (nested && nested->hasEvents)
      checkStructured(flow, op, nested);
  }
}

static void checkRegion(Flow *flow, MlirRegion region,
                        const RegionFlow *regionFlow) {
  if (!regionFlow->hasEvents)
    return;
  BerthContentState *saved = saveStates(flow);
  size_t i = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    BerthTransferMap in = regionFlow->blockIns[i++];
    if (!in.isReached)
      continue;
    enter(flow, saved, in);
    checkBlock(flow, block);
  }
  free(saved);
}

void berthVerifyFlow(const BerthViews *views, MlirRegion body,
                     BerthClobberCallback callback, void *userData) {
  size_t numRoots = views->numRoots;
  Flow flow = {.views = views,
               .neighbours = allocateOrDie(numRoots, sizeof *flow.neighbours),
               .transfers = allocateOrDie(numRoots, sizeof *flow.transfers),
               .isTouched = allocateOrDie(numRoots, sizeof *flow.isTouched),
               .touched = allocateOrDie(numRoots, sizeof *flow.touched),
               .states = allocateOrDie(numRoots, sizeof *flow.states),
               .callback = callback,
               .userData = userData};
  RegionFlow bodyFlow = summarizeRegion(&flow, body, true);
  checkRegion(&flow, body, &bodyFlow);
  for (size_t i = 0; i < numRoots; ++i)
    free(flow.neighbours[i].roots);
  free(flow.neighbours);
  free(flow.transfers);
  free(flow.isTouched);
  free(flow.touched);
  free(flow.states);
  free(flow.flows);
  berthPointerMapFree(&flow.flowOf);
  berthEventsFree(&flow.events);
  berthArenaFree(&flow.memory);
}
