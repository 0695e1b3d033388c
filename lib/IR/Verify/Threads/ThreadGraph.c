//===- ThreadGraph.c - A scope as threads run through it ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/ThreadGraph.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Verify/Runs/Control.h"
#include "IR/Verify/Threads/Loads.h"

#include <stdlib.h>

typedef struct Builder {
  BerthStretches *out;
  const BerthThreadScope *scope;
  BerthRootAccesses accesses;
} Builder;

//===----------------------------------------------------------------------===//
// Stretches and edges
//===----------------------------------------------------------------------===//

static uint32_t addStretch(BerthStretches *out) {
  out->stretches = berthGrow(out->stretches, out->numStretches,
                             &out->stretchCapacity, sizeof *out->stretches);
  out->stretches[out->numStretches] =
      (BerthStretch){out->numEvents, out->numEvents, BERTH_NO_STRETCH};
  return (uint32_t)out->numStretches++;
}

static void addEdge(BerthStretches *out, uint32_t from, uint32_t to) {
  out->edges = berthGrow(out->edges, out->numEdges, &out->edgeCapacity,
                         sizeof *out->edges);
  out->edges[out->numEdges] =
      (BerthStretchEdge){to, out->stretches[from].firstNext};
  out->stretches[from].firstNext = (uint32_t)out->numEdges++;
}

/// Events go to the last stretch that was begun.
static void begin(BerthStretches *out, uint32_t stretch) {
  out->stretches[stretch].begin = out->stretches[stretch].end = out->numEvents;
}

static void addEvent(BerthStretches *out, uint32_t stretch,
                     BerthThreadEvent event) {
  out->events = berthGrow(out->events, out->numEvents, &out->eventCapacity,
                          sizeof *out->events);
  out->events[out->numEvents++] = event;
  out->stretches[stretch].end = out->numEvents;
}

/// What is built may be found to hold no events; then it is forgotten.
typedef struct Mark {
  uint32_t stretch;
  uint32_t firstNext;
  size_t numEvents, numStretches, numEdges;
} Mark;

static Mark getMark(const BerthStretches *out, uint32_t stretch) {
  return (Mark){stretch, out->stretches[stretch].firstNext, out->numEvents,
                out->numStretches, out->numEdges};
}

static bool forgetIfEmpty(BerthStretches *out, Mark mark) {
  if (out->numEvents != mark.numEvents)
    return false;
  out->stretches[mark.stretch].firstNext = mark.firstNext;
  out->numStretches = mark.numStretches;
  out->numEdges = mark.numEdges;
  return true;
}

//===----------------------------------------------------------------------===//
// Events of one op
//===----------------------------------------------------------------------===//

static bool isLeftBehind(MlirOperation op) {
  return berthOpIsOtherProxy(op) || berthOpIsTransfer(op) ||
         berthOpLetsEscape(op) || berthOpStartsAnyAsync(op);
}

typedef struct LeftSearch {
  BerthCallees *callees;
  BerthPointerMap seen; ///< called functions; or their arguments
  bool found;
  bool isOutside; ///< some function uses memory that no argument leads to
} LeftSearch;

/// What a function and those that it calls do with whatever memory.
static MlirWalkResult visitLeft(MlirOperation op, void *userData) {
  LeftSearch *search = userData;
  search->found |= isLeftBehind(op);
  search->isOutside |= berthOpIs(op, BERTH_OP_GET_GLOBAL) ||
                       berthOpIs(op, BERTH_OP_DYNAMIC_SHARED);
  MlirOperation callee;
  bool isNew = berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
               !berthCalleeIsHidden(callee, search->callees->root) &&
               berthPointerMapInsert(&search->seen, callee.ptr, 1);
  if (isNew)
    mlirOperationWalk(callee, visitLeft, search, MlirWalkPreOrder);
  return MlirWalkResultAdvance;
}

/// What a function does with one argument.
typedef struct ArgumentWalk {
  LeftSearch *search;
  const BerthViews *views;
  uint32_t argument;
} ArgumentWalk;

static void searchArgument(LeftSearch *search, MlirOperation callee,
                           intptr_t index);

static MlirWalkResult visitArgumentUse(MlirOperation op, void *userData) {
  ArgumentWalk *walk = userData;
  MlirOperation callee;
  bool isCall = berthOpGetCallee(op, &callee);
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && (isCall || isLeftBehind(op)); ++i) {
    bool isIt = berthRootSetHas(
        berthViewsFind(walk->views, mlirOperationGetOperand(op, i)),
        walk->argument);
    if (isIt && isCall)
      searchArgument(walk->search, callee, berthCallGetArgument(op, i));
    walk->search->found |= isIt && isLeftBehind(op);
  }
  return MlirWalkResultAdvance;
}

static void searchArgument(LeftSearch *search, MlirOperation callee,
                           intptr_t index) {
  if (index < 0 || berthFunctionIsUnseen(callee) ||
      berthCalleeIsHidden(callee, search->callees->root))
    return;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  if (index >= mlirBlockGetNumArguments(entry) ||
      !berthPointerMapInsert(&search->seen,
                             mlirBlockGetArgument(entry, index).ptr, 1))
    return;
  BerthMemory memory = {0};
  BerthViews views = berthViewsOfArguments(callee, search->callees, &memory);
  ArgumentWalk walk = {search, &views, (uint32_t)index};
  mlirOperationWalk(callee, visitArgumentUse, &walk, MlirWalkPreOrder);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
}

/// True if a call may leave something under way in the memory that it is given
/// in this operand. Nearly always nothing is left at all.
static bool leavesBehind(MlirOperation op, intptr_t operand,
                         BerthCallees *callees) {
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee))
    return false;
  LeftSearch search = {.callees = callees};
  visitLeft(op, &search);
  bool isOfAny = operand < 0 || search.isOutside;
  if (search.found && !isOfAny) {
    search.found = false;
    searchArgument(&search, callee, berthCallGetArgument(op, operand));
  }
  berthPointerMapFree(&search.seen);
  return search.found;
}

/// What is done to the root by the operand. Clusters.h has an eye on whom an
/// address for the cluster goes to.
static BerthHold holdOf(const Builder *builder, MlirOperation op,
                        intptr_t operand, uint32_t root) {
  if (berthOpIs(op, BERTH_OP_CLUSTER_MAP) &&
      builder->scope->views->roots[root].isOfCluster)
    return BERTH_HOLD_ORDINARY;
  if (berthOpIsOtherProxy(op) || berthOpIsTransfer(op) ||
      berthOpLetsEscape(op) ||
      leavesBehind(op, operand, builder->scope->views->callees))
    return BERTH_HOLD_END;
  for (int kind = 0; kind < BERTH_NUM_ASYNC_KINDS; ++kind)
    if (berthOpStartsAsync(op, (BerthAsyncKind)kind))
      return berthHoldOfStarted((BerthAsyncKind)kind);
  return BERTH_HOLD_ORDINARY;
}

static void addWaitForLoads(Builder *builder, uint32_t stretch,
                            const BerthRootAccess *access) {
  BerthThreadEvent event = {.kind = BERTH_THREADS_WAIT,
                            .root = access->root,
                            .async = BERTH_ASYNC_LOAD,
                            .op = access->op};
  const BerthRootLoads *loads = &builder->scope->loads[access->root];
  if (berthMeetsLoads(loads, builder->scope->views, access))
    addEvent(builder->out, stretch, event);
}

/// Adds the accesses in the builder's list. `isNested`: some are those of ops
/// in it.
static void addAccesses(Builder *builder, uint32_t stretch, bool isNested) {
  for (size_t i = 0; i < builder->accesses.count; ++i) {
    const BerthRootAccess *access = &builder->accesses.items[i];
    bool isAccess = access->reads || access->writes;
    if (!isAccess || !builder->scope->isShared[access->root])
      continue;
    BerthThreadEvent event = {
        .kind = BERTH_THREADS_ACCESS,
        .root = access->root,
        .reads = access->reads,
        .writes = access->writes,
        .hold = holdOf(builder, access->op, access->operand, access->root),
        .isAsync = berthOpIsAsyncProxy(access->op),
        .op = access->op};
    builder->out->hasAsync |= event.hold >= BERTH_NUM_PLAIN_HOLDS;
    builder->out->hasAsyncProxy |= event.isAsync;
    addEvent(builder->out, stretch, event);
    if (!isNested)
      addWaitForLoads(builder, stretch, access);
  }
}

/// Groups that the op makes, and groups that it waits for.
static void addGroups(Builder *builder, uint32_t stretch, MlirOperation op) {
  for (int kind = 0; kind < BERTH_NUM_ASYNC_KINDS; ++kind) {
    BerthThreadEvent event = {.op = op, .async = (BerthAsyncKind)kind};
    event.kind = BERTH_THREADS_GROUP;
    if (berthOpMakesGroup(op, event.async))
      addEvent(builder->out, stretch, event);
    event.kind = BERTH_THREADS_WAIT;
    if (berthOpWaitsForGroups(op, event.async, &event.mayPend))
      addEvent(builder->out, stretch, event);
  }
}

/// The roots whose loads' mbarrier the op waits for.
static void addMBarrierWaits(Builder *builder, uint32_t stretch,
                             MlirOperation op) {
  BerthMBarrier barrier;
  if (!berthOpAwaitsMBarrier(op, &barrier))
    return;
  for (uint32_t i = 0; i < builder->scope->views->numRoots; ++i) {
    BerthThreadEvent event = {.kind = BERTH_THREADS_GROUP,
                              .root = i,
                              .async = BERTH_ASYNC_LOAD,
                              .op = op};
    if (builder->scope->isShared[i] &&
        berthWaitsForLoads(&builder->scope->loads[i], op))
      addEvent(builder->out, stretch, event);
  }
}

/// True if threads that come to the op together meet behind it in its block.
static bool meetBehind(MlirOperation op) {
  while (!mlirOperationIsNull(op = mlirOperationGetNextInBlock(op)))
    if (berthOpIsWholeBarrier(op))
      return true;
  return false;
}

/// The roots whose loads have ended where the loop has. `isUniform`: all
/// threads come to its body together.
static void addDrains(Builder *builder, uint32_t stretch, MlirOperation loop,
                      bool isUniform) {
  for (uint32_t i = 0; i < builder->scope->views->numRoots; ++i) {
    const BerthLoadRing *ring = &builder->scope->loads[i].ring;
    if (mlirOperationIsNull(ring->loop) ||
        !mlirOperationEqual(ring->loop, loop) || !builder->scope->isShared[i])
      continue;
    BerthThreadEvent event = {.kind = BERTH_THREADS_DRAIN,
                              .root = i,
                              .isPassed = isUniform && meetBehind(ring->proof),
                              .op = loop};
    addEvent(builder->out, stretch, event);
  }
}

//===----------------------------------------------------------------------===//
// What merges become
//===----------------------------------------------------------------------===//

typedef struct HandWalk {
  Builder *builder;
  int from; ///< the region that the op at hand ends, or BERTH_PARENT
} HandWalk;

static void addHand(MlirValue from, MlirValue to, void *userData) {
  const HandWalk *walk = userData;
  BerthStretches *out = walk->builder->out;
  if (berthPointerMapFind(&walk->builder->scope->views->mergeOf, to.ptr) ==
      BERTH_NOT_FOUND)
    return;
  out->hands = berthGrow(out->hands, out->numHands, &out->handCapacity,
                         sizeof *out->hands);
  out->hands[out->numHands++] = (BerthThreadHand){to, from};
}

static void addHandsOfEdge(const BerthRegionEdge *edge, void *userData) {
  const HandWalk *walk = userData;
  for (intptr_t i = 0; edge->from == walk->from && i < edge->numValues; ++i)
    addHand(edge->forwarded[i], edge->received[i], userData);
}

static void addHandsOfBranch(HandWalk *walk, MlirOperation op) {
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  for (intptr_t s = 0; s < numSuccessors; ++s) {
    if (berthBranchGetOperands(op, s, addHand, walk))
      continue;
    MlirBlock next = mlirOperationGetSuccessor(op, s);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(next); ++i)
      addHand((MlirValue){NULL}, mlirBlockGetArgument(next, i), walk);
  }
}

/// Where the op ends a region, the op around hands on what it is given.
static void addHandsOfEnd(HandWalk *walk, MlirOperation op) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  bool isEnd = mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
               mlirOperationGetNumSuccessors(op) == 0 &&
               berthRunsInSteps(around);
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  for (intptr_t r = 0; isEnd && r < mlirOperationGetNumRegions(around); ++r)
    if (mlirRegionEqual(mlirOperationGetRegion(around, r), region)) {
      walk->from = (int)r;
      berthOpGetRegionEdges(around, addHandsOfEdge, walk);
    }
}

static void addHands(Builder *builder, uint32_t stretch, MlirOperation op) {
  const BerthViews *views = builder->scope->views;
  if (views->firstMerge == views->firstInstance)
    return;
  BerthThreadEvent event = {.kind = BERTH_THREADS_HAND,
                            .firstHand = builder->out->numHands,
                            .op = op};
  HandWalk walk = {builder, BERTH_PARENT};
  if (berthRunsInSteps(op))
    berthOpGetRegionEdges(op, addHandsOfEdge, &walk);
  addHandsOfBranch(&walk, op);
  addHandsOfEnd(&walk, op);
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpGetRole(op, i) == BERTH_OPERAND_CHOSEN)
      addHand(mlirOperationGetOperand(op, i), mlirOperationGetResult(op, 0),
              &walk);
  event.numHands = builder->out->numHands - event.firstHand;
  if (event.numHands)
    addEvent(builder->out, stretch, event);
}

/// `isUniform`: all threads that run the scope come here together.
static void addEvents(Builder *builder, uint32_t stretch, MlirOperation op,
                      bool isUniform) {
  BerthThreadEvent event = {.op = op};
  if (berthViewsMakesAnew(builder->scope->views, op, &event.root)) {
    event.kind = BERTH_THREADS_MAKE;
    if (builder->scope->isShared[event.root])
      addEvent(builder->out, stretch, event);
    return;
  }
  bool isNested = berthRootAccessesOf(&builder->accesses, builder->scope->views,
                                      op, !berthRunsInSteps(op));
  addAccesses(builder, stretch, isNested);
  event.kind = BERTH_THREADS_BARRIER;
  if (isUniform && berthOpIsWholeBarrier(op)) {
    event.isFenced =
        builder->scope->hasTensors && berthBarrierOrdersTensors(op);
    addEvent(builder->out, stretch, event);
  }
  event.kind = BERTH_THREADS_FENCE;
  if (berthOpIsProxyFence(op))
    addEvent(builder->out, stretch, event);
  addGroups(builder, stretch, op);
  addMBarrierWaits(builder, stretch, op);
  addHands(builder, stretch, op);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The phases of the function that an op calls, with its number; NULL if it is
/// no call that all threads make, or nothing is known of the function.
static const BerthPhases *phasesOf(const Builder *builder, MlirOperation op,
                                   bool isUniform, size_t *number) {
  MlirOperation callee;
  if (!isUniform || !builder->scope->phases || !berthOpIs(op, BERTH_OP_CALL) ||
      !berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return NULL;
  *number = berthPhasesNumber(builder->scope->phases, callee);
  return berthPhasesOf(builder->scope->phases, callee);
}

/// What one phase does through the operands of the call, whose accesses are in
/// the builder's list.
static void addPhase(Builder *builder, uint32_t stretch, MlirOperation op,
                     const BerthPhase *phase) {
  for (size_t i = 0; i < builder->accesses.count; ++i) {
    const BerthRootAccess *access = &builder->accesses.items[i];
    intptr_t index = berthCallGetArgument(op, access->operand);
    if (index < 0 || !builder->scope->isShared[access->root])
      continue;
    const BerthCalleeArgument *use = &phase->arguments[index];
    BerthThreadEvent event = {
        .kind = BERTH_THREADS_ACCESS,
        .root = access->root,
        .reads = use->isRead,
        .writes = use->isWritten,
        .hold = holdOf(builder, op, access->operand, access->root),
        .op = op};
    if (use->isRead || use->isWritten)
      addEvent(builder->out, stretch, event);
  }
}

static uint32_t beginBehind(BerthStretches *out, uint32_t stretch) {
  uint32_t next = addStretch(out);
  addEdge(out, stretch, next);
  return next;
}

/// Returns the stretch behind the call.
static uint32_t buildCall(Builder *builder, uint32_t stretch, MlirOperation op,
                          const BerthPhases *phases, size_t number) {
  BerthStretches *out = builder->out;
  BerthThreadEvent barrier = {.kind = BERTH_THREADS_BARRIER, .op = op};
  BerthThreadEvent enter = {
      .kind = BERTH_THREADS_ENTER, .function = number, .op = op};
  BerthThreadEvent leave = {
      .kind = BERTH_THREADS_LEAVE, .function = number, .op = op};
  berthRootAccessesOf(&builder->accesses, builder->scope->views, op, false);
  uint32_t first = beginBehind(out, stretch);
  addEvent(out, first, enter);
  addPhase(builder, first, op, &phases->first);
  uint32_t all = beginBehind(out, stretch);
  addEvent(out, all, barrier);
  addAccesses(builder, all, true);
  uint32_t last = beginBehind(out, stretch);
  addEvent(out, last, barrier);
  addEvent(out, last, leave);
  addPhase(builder, last, op, &phases->last);
  uint32_t behind = beginBehind(out, last);
  if (phases->isOpen)
    addEdge(out, stretch, behind);
  return behind;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// One region or block: where it begins and ends, and its events.
typedef struct Part {
  uint32_t entry;
  uint32_t exit;
  size_t begin;
  size_t end;
} Part;

static void addBeside(BerthStretches *out, Part first, Part second) {
  if (first.begin == first.end || second.begin == second.end)
    return;
  out->besides = berthGrow(out->besides, out->numBesides, &out->besideCapacity,
                           sizeof *out->besides);
  out->besides[out->numBesides++] =
      (BerthBeside){first.begin, first.end, second.begin, second.end};
}

static uint32_t buildBlock(Builder *builder, uint32_t stretch, MlirBlock block,
                           bool isUniform);

/// Ways from the end of each block, and which blocks run side by side.
static void joinBlocks(Builder *builder, const BerthBlocks *blocks,
                       const Part *parts, uint32_t exit) {
  for (size_t i = 0; i < blocks->list.count; ++i) {
    size_t count = berthBlockListCountNext(&blocks->list, i);
    for (size_t k = 0; k < count; ++k)
      addEdge(builder->out, parts[i].exit,
              parts[berthBlockListNext(&blocks->list, i, k)].entry);
    if (!count)
      addEdge(builder->out, parts[i].exit, exit);
    for (size_t k = 0; k < i; ++k)
      if (berthBlocksAreBeside(blocks, k, i))
        addBeside(builder->out, parts[k], parts[i]);
  }
}

static uint32_t buildBlocks(Builder *builder, uint32_t entry,
                            const BerthBlocks *blocks, bool isUniform) {
  BerthStretches *out = builder->out;
  Part *parts = berthAllocateOrDie(blocks->list.count, sizeof *parts);
  for (size_t i = 0; i < blocks->list.count; ++i)
    parts[i].entry = addStretch(out);
  addEdge(out, entry, parts[0].entry);
  for (size_t i = 0; i < blocks->list.count; ++i) {
    parts[i].begin = out->numEvents;
    begin(out, parts[i].entry);
    parts[i].exit = buildBlock(builder, parts[i].entry, blocks->list.blocks[i],
                               isUniform && !blocks->isSpread[i]);
    parts[i].end = out->numEvents;
  }
  uint32_t exit = addStretch(out);
  joinBlocks(builder, blocks, parts, exit);
  free(parts);
  return exit;
}

static Part buildRegion(Builder *builder, MlirRegion region, bool isUniform) {
  BerthStretches *out = builder->out;
  Part part = {.begin = out->numEvents};
  part.entry = part.exit = addStretch(out);
  const BerthBlocks *blocks =
      berthDivergenceBlocks(builder->scope->divergence, region);
  MlirBlock first = mlirRegionGetFirstBlock(region);
  if (blocks)
    part.exit = buildBlocks(builder, part.entry, blocks, isUniform);
  else if (!mlirBlockIsNull(first))
    part.exit = buildBlock(builder, part.entry, first, isUniform);
  part.end = out->numEvents;
  return part;
}

//===----------------------------------------------------------------------===//
// Ops with regions
//===----------------------------------------------------------------------===//

typedef struct EdgeWalk {
  Builder *builder;
  const Part *regions;
  uint32_t enter;
  uint32_t leave;
} EdgeWalk;

static void followEdge(const BerthRegionEdge *edge, void *userData) {
  const EdgeWalk *walk = userData;
  uint32_t from =
      edge->from == BERTH_PARENT ? walk->enter : walk->regions[edge->from].exit;
  uint32_t to =
      edge->to == BERTH_PARENT ? walk->leave : walk->regions[edge->to].entry;
  addEdge(walk->builder->out, from, to);
}

/// Returns the stretch behind the op.
static uint32_t buildRegions(Builder *builder, uint32_t stretch,
                             MlirOperation op, bool isUniform) {
  BerthStretches *out = builder->out;
  Mark mark = getMark(out, stretch);
  bool diverges = berthOpDiverges(builder->scope->divergence, op);
  size_t count = (size_t)mlirOperationGetNumRegions(op);
  Part *regions = berthAllocateOrDie(count, sizeof *regions);
  for (size_t i = 0; i < count; ++i) {
    regions[i] = buildRegion(builder, mlirOperationGetRegion(op, (intptr_t)i),
                             isUniform && !diverges);
    for (size_t k = 0; diverges && k < i; ++k)
      addBeside(out, regions[k], regions[i]);
  }
  if (!forgetIfEmpty(out, mark)) {
    EdgeWalk walk = {builder, regions, stretch, addStretch(out)};
    berthOpGetRegionEdges(op, followEdge, &walk);
    stretch = walk.leave;
    if (berthOpIs(op, BERTH_OP_LOOP))
      addDrains(builder, stretch, op, isUniform && !diverges);
  }
  free(regions);
  return stretch;
}

/// Returns the stretch that the block ends in.
static uint32_t buildBlock(Builder *builder, uint32_t stretch, MlirBlock block,
                           bool isUniform) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    size_t number;
    const BerthPhases *phases = phasesOf(builder, op, isUniform, &number);
    if (phases)
      stretch = buildCall(builder, stretch, op, phases, number);
    else
      addEvents(builder, stretch, op, isUniform);
    if (berthRunsInSteps(op))
      stretch = buildRegions(builder, stretch, op, isUniform);
  }
  return stretch;
}

BerthStretches berthStretchesOf(const BerthThreadScope *scope) {
  BerthStretches out = {0};
  Builder builder = {.out = &out, .scope = scope};
  MlirRegion body = mlirOperationGetRegion(scope->divergence->scope, 0);
  Part part = buildRegion(&builder, body, !scope->isRunApart);
  out.exit = part.exit;
  if (scope->isRunAgain)
    addEdge(&out, part.exit, part.entry);
  berthRootAccessesFree(&builder.accesses);
  return out;
}

void berthStretchesFree(BerthStretches *stretches) {
  free(stretches->events);
  free(stretches->stretches);
  free(stretches->edges);
  free(stretches->besides);
  free(stretches->hands);
}
