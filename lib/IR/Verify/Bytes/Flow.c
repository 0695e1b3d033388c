//===- Flow.c - Contents along the paths of a scope -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Flow.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/BlockEvents.h"
#include "IR/Verify/Runs/Control.h"

#include <stdlib.h>

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

/// A state that was changed, for going back.
typedef struct Change {
  uint32_t root;
  BerthContentState before;
} Change;

typedef struct Flow {
  const BerthViews *views;
  BerthSpans spans;
  BerthTransferSpace space;
  BerthEvents events;
  BerthPointerMap flowOf; ///< op -> index into `flows`
  OpFlow *flows;
  size_t numFlows, flowCapacity;
  // Bottom up:
  BerthCollector collector;
  // Top down: the state at the op at hand, and all that has changed it.
  BerthContentState *states; ///< by root
  BerthSpanSet valid;        ///< those of them that a write can clobber
  Change *changes;
  size_t numChanges, changeCapacity;
  bool *isSpoilt; ///< by root, or NULL: bad accesses read it
  BerthClobberCallback callback;
  void *userData;
  bool isUnfinished; ///< some merge was found to be spoilt that seemed good
} Flow;

static OpFlow *findFlow(const Flow *flow, MlirOperation op) {
  size_t index = berthPointerMapFind(&flow->flowOf, op.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &flow->flows[index];
}

//===----------------------------------------------------------------------===//
// Bottom up: one block
//===----------------------------------------------------------------------===//

/// The map of one block, whose structured ops have been summarised. Sets
/// `*hasEvents` if anything in it touches a buffer.
static BerthTransferMap summarizeBlock(Flow *flow, MlirBlock block,
                                       bool *hasEvents) {
  berthEventsOfBlock(&flow->events, flow->views, block);
  for (size_t i = 0; i < flow->events.count; ++i)
    berthCollectEvent(&flow->collector, &flow->events.items[i]);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const OpFlow *nested = findFlow(flow, op);
    berthEventsOf(&flow->events, flow->views, op, !nested);
    *hasEvents |= flow->events.count > 0 || (nested && nested->hasEvents);
    for (size_t i = 0; i < flow->events.count; ++i)
      berthCollectEvent(&flow->collector, &flow->events.items[i]);
    if (nested)
      berthCollectMap(&flow->collector, &nested->exit);
    berthEventsOfResults(&flow->events, flow->views, op);
    for (size_t i = 0; i < flow->events.count; ++i)
      berthCollectEvent(&flow->collector, &flow->events.items[i]);
  }
  return berthCollectorTake(&flow->collector, &flow->space.memory);
}

//===----------------------------------------------------------------------===//
// Bottom up: one region
//===----------------------------------------------------------------------===//

/// Joins `map` into `*into`; true if that changed it.
static bool joinInto(Flow *flow, BerthTransferMap *into, BerthTransferMap map) {
  BerthTransferMap joined = berthTransferMapJoin(&flow->space, *into, map);
  if (berthTransferMapEqual(joined, *into))
    return false;
  *into = joined;
  return true;
}

/// Passes what holds at the end of block `index` on to its successors, or to
/// the end of the region; true if something changed.
static bool leaveBlock(Flow *flow, const BerthBlockList *list, size_t index,
                       BerthTransferMap map, RegionFlow *result) {
  BerthMemoryMark mark = berthMemoryGetMark(&flow->space.memory);
  BerthTransferMap out =
      berthTransferMapCompose(&flow->space, result->blockIns[index], map);
  size_t numSuccessors = berthBlockListCountNext(list, index);
  if (numSuccessors == 0)
    return joinInto(flow, &result->exit, out);
  bool isChanged = false;
  for (size_t i = 0; i < numSuccessors; ++i)
    isChanged |= joinInto(
        flow, &result->blockIns[berthBlockListNext(list, index, i)], out);
  if (!isChanged)
    berthMemoryRelease(&flow->space.memory, mark);
  return isChanged;
}

static void summarizeOp(Flow *flow, MlirOperation op);

static void summarizeNestedOps(Flow *flow, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (berthRunsInSteps(op))
      summarizeOp(flow, op);
}

static RegionFlow summarizeRegion(Flow *flow, MlirRegion region, bool isBody) {
  RegionFlow result = {0};
  BerthBlockList list = berthBlockListOf(region);
  BerthTransferMap *maps =
      BERTH_NEW(&flow->space.memory, BerthTransferMap, list.count);
  result.blockIns =
      BERTH_NEW(&flow->space.memory, BerthTransferMap, list.count);
  for (size_t i = 0; i < list.count; ++i)
    summarizeNestedOps(flow, list.blocks[i]);
  // Nobody asks what the only block of the scope's own body comes to.
  bool isNeeded = list.count > 1 || !isBody;
  result.hasEvents = !isNeeded;
  for (size_t i = 0; isNeeded && i < list.count; ++i)
    maps[i] = summarizeBlock(flow, list.blocks[i], &result.hasEvents);
  if (list.count)
    result.blockIns[0] = berthTransferMapIdentity();
  else
    result.exit = berthTransferMapIdentity();
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < list.count; ++i)
      isChanged |= leaveBlock(flow, &list, i, maps[i], &result);
  }
  berthBlockListFree(&list);
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
  edges->items = berthGrow(edges->items, edges->count, &edges->capacity,
                           sizeof *edges->items);
  edges->items[edges->count++] = (Edge){edge->from, edge->to};
}

/// Follows one edge; true if that changed what is known.
static bool followEdge(Flow *flow, OpFlow *result, Edge edge) {
  BerthMemoryMark mark = berthMemoryGetMark(&flow->space.memory);
  BerthTransferMap out = berthTransferMapIdentity();
  if (edge.from != BERTH_PARENT)
    out = berthTransferMapCompose(&flow->space, result->regionIns[edge.from],
                                  result->regions[edge.from].exit);
  bool isChanged = joinInto(
      flow,
      edge.to == BERTH_PARENT ? &result->exit : &result->regionIns[edge.to],
      out);
  if (!isChanged)
    berthMemoryRelease(&flow->space.memory, mark);
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
  flow->flows = berthGrow(flow->flows, flow->numFlows, &flow->flowCapacity,
                          sizeof *flow->flows);
  berthPointerMapInsert(&flow->flowOf, op.ptr, flow->numFlows);
  flow->flows[flow->numFlows++] = result;
}

static void summarizeOp(Flow *flow, MlirOperation op) {
  size_t numRegions = (size_t)mlirOperationGetNumRegions(op);
  OpFlow result = {0};
  result.regions = BERTH_NEW(&flow->space.memory, RegionFlow, numRegions);
  result.regionIns =
      BERTH_NEW(&flow->space.memory, BerthTransferMap, numRegions);
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

static void setState(Flow *flow, uint32_t root, BerthContentState state) {
  if (flow->states[root] == state)
    return;
  flow->changes = berthGrow(flow->changes, flow->numChanges,
                            &flow->changeCapacity, sizeof *flow->changes);
  flow->changes[flow->numChanges++] = (Change){root, flow->states[root]};
  flow->states[root] = state;
  berthSpanSetPut(&flow->valid, root, state == BERTH_CONTENT_VALID);
}

/// Takes the changes back that were made since there were so many.
static void goBack(Flow *flow, size_t numChanges) {
  while (flow->numChanges > numChanges) {
    Change change = flow->changes[--flow->numChanges];
    flow->states[change.root] = change.before;
    berthSpanSetPut(&flow->valid, change.root,
                    change.before == BERTH_CONTENT_VALID);
  }
}

static void applyMap(Flow *flow, const BerthTransferMap *map) {
  for (size_t i = 0; i < map->count; ++i) {
    uint32_t root = map->roots[i];
    setState(flow, root,
             berthTransferApply(map->transfers[i], flow->states[root]));
  }
  for (size_t i = 0; i < map->numClobbers; ++i) {
    uint32_t rank = 0, root;
    while ((root = berthSpanSetNext(&flow->valid, map->clobbers[i].cells,
                                    &rank)) != BERTH_NO_ROOT)
      if (!berthTransferMapHolds(map, root))
        setState(flow, root,
                 berthTransferOfClobbers(map, flow->spans.spans[root]).ofValid);
  }
}

static void checkRegion(Flow *flow, MlirRegion region,
                        const RegionFlow *regionFlow);

static void checkStructured(Flow *flow, MlirOperation op,
                            const OpFlow *opFlow) {
  size_t before = flow->numChanges;
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < numRegions; ++i) {
    if (!opFlow->regionIns[i].isReached)
      continue;
    applyMap(flow, &opFlow->regionIns[i]);
    checkRegion(flow, mlirOperationGetRegion(op, i), &opFlow->regions[i]);
    goBack(flow, before);
  }
  applyMap(flow, &opFlow->exit);
}

/// Only valid content can be clobbered.
static void applyClobber(Flow *flow, const BerthEvent *event) {
  uint32_t root = event->root, rank = 0, other;
  BerthContentState state = berthEventTransfer(event).ofValid;
  while ((other = berthSpanSetNext(&flow->valid, flow->spans.spans[root],
                                   &rank)) != BERTH_NO_ROOT)
    if (!berthViewsAreTogether(flow->views, other, root) &&
        !berthTurnsSpare(flow->events.turns, event->op, other))
      setState(flow, other, state);
  const BerthRootList *others = berthSpansOthers(&flow->spans, root);
  for (size_t i = 0; i < others->count; ++i)
    if (flow->states[others->roots[i]] == BERTH_CONTENT_VALID &&
        !berthTurnsSpare(flow->events.turns, event->op, others->roots[i]))
      setState(flow, others->roots[i], state);
}

static void applyEvent(Flow *flow, const BerthEvent *event) {
  if (event->kind == BERTH_EVENT_CLOBBER)
    applyClobber(flow, event);
  else
    setState(flow, event->root,
             berthTransferApply(berthEventTransfer(event),
                                flow->states[event->root]));
}

/// What is spoilt when it is handed to a merge is spoilt there, and what nobody
/// has written is not written there.
static void handOn(Flow *flow, const BerthEvent *event,
                   BerthContentState state) {
  BerthRoot *merge = &flow->views->roots[event->handedTo];
  merge->isHandedOn = true;
  if (state == BERTH_CONTENT_VALID && !merge->isWritten) {
    merge->isWritten = true;
    flow->isUnfinished = true;
  }
  if (state < BERTH_CONTENT_CLOBBERED || !mlirOperationIsNull(merge->spoiltBy))
    return;
  merge->spoiltBy =
      berthEventsWriter(&flow->events, state - BERTH_CONTENT_CLOBBERED);
  flow->isUnfinished = true;
}

/// The op's access is bad: of all that it reads a closer look is wanted.
static void report(Flow *flow, MlirOperation read, MlirOperation write) {
  const BerthRootAccesses *list = &flow->events.accesses;
  flow->callback(read, write, flow->userData);
  for (size_t i = 0; flow->isSpoilt && i < list->count; ++i)
    flow->isSpoilt[list->items[i].root] |= list->items[i].reads;
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
      report(flow, event->op,
             berthEventsWriter(&flow->events, state - BERTH_CONTENT_CLOBBERED));
    isReported |= isBad;
    if (event->kind == BERTH_EVENT_HAND_ON)
      handOn(flow, event, state);
    applyEvent(flow, event);
  }
  if (!isReported && berthReadsWhatItWrites(&flow->events, flow->views))
    report(flow, op, op);
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
    berthEventsOfResults(&flow->events, flow->views, op);
    for (size_t i = 0; i < flow->events.count; ++i)
      applyEvent(flow, &flow->events.items[i]);
  }
}

static void checkRegion(Flow *flow, MlirRegion region,
                        const RegionFlow *regionFlow) {
  if (!regionFlow->hasEvents)
    return;
  size_t before = flow->numChanges;
  const BerthTransferMap *in = regionFlow->blockIns;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block), ++in) {
    if (!in->isReached)
      continue;
    applyMap(flow, in);
    checkBlock(flow, block);
    goBack(flow, before);
  }
}

/// What comes to a merge by ways that are not seen may have been written.
static void writeUnseen(Flow *flow) {
  const BerthViews *views = flow->views;
  for (size_t i = views->firstMerge; i < views->firstInstance; ++i) {
    BerthRoot *merge = &views->roots[i];
    if (merge->isHandedOn || merge->isWritten)
      continue;
    merge->isWritten = true;
    flow->isUnfinished = true;
  }
}

bool berthVerifyFlow(const BerthViews *views, MlirRegion body,
                     const BerthCovers *covers, const BerthTurns *turns,
                     bool isOrdered, bool *isSpoilt,
                     BerthClobberCallback callback, void *userData) {
  Flow flow = {
      .views = views,
      .spans = berthSpansOf(views),
      .events = {.covers = covers, .turns = turns, .isUnordered = !isOrdered},
      .states = berthAllocateOrDie(views->numRoots, sizeof *flow.states),
      .isSpoilt = isSpoilt,
      .callback = callback,
      .userData = userData};
  flow.space.spans = &flow.spans;
  flow.collector = berthCollectorCreate(&flow.spans, turns);
  flow.valid = berthSpanSetCreate(&flow.spans);
  RegionFlow bodyFlow = summarizeRegion(&flow, body, true);
  checkRegion(&flow, body, &bodyFlow);
  writeUnseen(&flow);
  free(flow.states);
  free(flow.changes);
  free(flow.flows);
  berthPointerMapFree(&flow.flowOf);
  berthSpanSetFree(&flow.valid);
  berthCollectorFree(&flow.collector);
  berthEventsFree(&flow.events);
  berthMemoryFree(&flow.space.memory);
  berthSpansFree(&flow.spans);
  return !flow.isUnfinished;
}
