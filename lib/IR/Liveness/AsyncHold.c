//===- AsyncHold.c - Buffers that copies still fill behind the op ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/AsyncHold.h"
#include "IR/Liveness/CalledBarriers.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Liveness/LoadRing.h"
#include "IR/Liveness/TmaHold.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "IR/Transfers/TransferHold.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Other ways to memory
//===----------------------------------------------------------------------===//

typedef struct ProxyWalk {
  MlirOperation access;
  BerthPointerMap seen; ///< called functions
  bool isShared;        ///< threads share the memory
  bool found;
} ProxyWalk;

/// A copy that is the access itself is followed to its wait; one inside of the
/// access (in a called function, or in a region of unknown order) is not,
/// unless a barrier of the target's ends it. Nor is what any one thread of many
/// transfers.
static MlirWalkResult visitProxy(MlirOperation op, void *userData) {
  ProxyWalk *walk = userData;
  bool isInside = !mlirOperationEqual(op, walk->access);
  walk->found |=
      berthOpIsOtherProxy(op) ||
      (isInside &&
       (walk->isShared ? berthOpStartsAnyAsync(op) || berthOpIsTransfer(op)
                       : berthOpStartsAnyAsync(op) &&
                             !berthOpStartsAsync(op, BERTH_ASYNC_WORK)));
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      berthPointerMapInsert(&walk->seen, callee.ptr, 1))
    mlirOperationWalk(callee, visitProxy, walk, MlirWalkPreOrder);
  return walk->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool hasOtherProxy(const BerthBufferInfo *buffer, bool isShared) {
  ProxyWalk walk = {.isShared = isShared};
  for (size_t i = 0; i < buffer->numAccesses && !walk.found; ++i) {
    walk.access = buffer->accesses[i].op;
    mlirOperationWalk(walk.access, visitProxy, &walk, MlirWalkPreOrder);
  }
  berthPointerMapFree(&walk.seen);
  return walk.found;
}

bool berthBufferHasOtherProxy(const BerthBufferInfo *buffer) {
  return hasOtherProxy(buffer, true);
}

static bool isCalled(const BerthScope *scope) {
  return scope->kind != BERTH_SCOPE_KERNEL && scope->kind != BERTH_SCOPE_LAUNCH;
}

/// Nothing that is known ends what goes by another way: the bytes are held all
/// the time, and a new instance would meet it.
static void holdForProxies(BerthScope *scope, const BerthPoints *points,
                           BerthBufferInfo *buffer, bool mayReturn) {
  if (!hasOtherProxy(buffer, berthScopeIsShared(scope)))
    return;
  if (mlirOperationIsNull(buffer->callee) &&
      berthPointsMayRunAgain(points, buffer->alloc))
    berthRejectBuffer(buffer,
                      "something that nothing known ends may still use its "
                      "previous instance when it is allocated again: hoist it "
                      "out of the loop",
                      buffer->alloc);
  else if (!berthScopeIsShared(scope) && isCalled(scope) && !mayReturn)
    berthRejectBuffer(buffer,
                      "something asynchronous may still use it when its "
                      "function returns, and the bytes are another's: wait for "
                      "it",
                      buffer->alloc);
  BerthSegment all = {0, points->count};
  berthBufferAddSegments(scope, buffer, &all, 1);
}

//===----------------------------------------------------------------------===//
// How far what was started has come
//===----------------------------------------------------------------------===//

/// A set of how far it may have come: bit 0, it is in no group yet; bit 1 + n,
/// it is in a group and n more have been made since; the last bit, that many or
/// more. Sets are joined where paths meet, so the newest group counts.
typedef uint32_t Stages;
enum { kStarted = 1, kInGroup = 2, kMostNewer = 8, kOldest = 2 << kMostNewer };

/// What a stop does to what is under way, in this order.
typedef struct Step {
  bool starts;
  bool makesGroup;
  int64_t mayPend; ///< it waits for all groups but so many; kWaitsForNone
} Step;

static const int64_t kWaitsForNone = INT64_MAX;

static Stages makeGroup(Stages stages) {
  Stages inGroups = stages & ~(Stages)kStarted;
  return (inGroups & ~(Stages)kOldest) << 1 | (inGroups & kOldest) |
         (stages & kStarted ? kInGroup : 0);
}

/// A wait covers what is in a group, and only groups that enough others follow.
static Stages waitFor(Stages stages, int64_t mayPend) {
  if (mayPend > kMostNewer)
    return stages;
  return stages & (((Stages)kInGroup << mayPend) - 1);
}

static Stages stagesBefore(Stages stages, Step step) {
  stages |= step.starts ? kStarted : 0;
  return step.makesGroup ? makeGroup(stages) : stages;
}

static Stages stagesBehind(Stages stages, Step step) {
  return waitFor(stagesBefore(stages, step), step.mayPend);
}

static bool endsSomething(Stages stages, Step step) {
  return stagesBehind(stages, step) != stagesBefore(stages, step);
}

//===----------------------------------------------------------------------===//
// Stops: what starts something in a buffer, its allocation, groups and waits
//===----------------------------------------------------------------------===//

typedef struct Stop {
  BerthAccess access; ///< first, for berthCompareAccesses
  Step step;
} Stop;

/// The stops of one buffer, by point: `accesses` is what the graph is built of.
typedef struct Stops {
  Stop *stops;
  BerthAccess *accesses;
  size_t count;
  /// Of signals, in a scope of one block: by signal, the next one (or itself)
  /// that is always come to and that nothing outlives, or `count`.
  size_t *nextEnd;
} Stops;

static void addStop(Stops *stops, BerthAccess access, Step step) {
  stops->stops[stops->count++] = (Stop){access, step};
}

/// What the op does to groups of this kind. A load that was waited for is taken
/// for one in a group, and a touch that proves its end for the wait.
static Step stepOf(MlirOperation op, BerthAsyncKind kind,
                   BerthPointerMap *called, MlirRegion body) {
  BerthMBarrier barrier;
  Step step = {.makesGroup = berthOpMakesGroup(op, kind)};
  if (kind == BERTH_ASYNC_LOAD)
    step.makesGroup = berthOpAwaitsMBarrier(op, &barrier);
  if (!berthOpWaitsForGroups(op, kind, &step.mayPend))
    step.mayPend = kWaitsForNone;
  // Nothing has begun in the call behind its barrier.
  if (kind == BERTH_ASYNC_WORK && berthOpEndsInMeeting(called, op) &&
      (berthOpIsMeeting(op) || berthIsInLoopsOnly(op, body)))
    step = (Step){.makesGroup = true, .mayPend = 0};
  return step;
}

/// Without this each buffer would look at all signals of the scope.
static void findEnds(const BerthPoints *points, Stops *signals) {
  const Stages all = ((Stages)kOldest << 1) - 1;
  MlirBlock body = mlirRegionGetFirstBlock(points->body);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return;
  signals->nextEnd =
      berthAllocateOrDie(signals->count + 1, sizeof *signals->nextEnd);
  signals->nextEnd[signals->count] = signals->count;
  for (size_t i = signals->count; i-- > 0;) {
    const Stop *stop = &signals->stops[i];
    bool isEnd = mlirBlockEqual(mlirOperationGetBlock(stop->access.op), body) &&
                 !stagesBehind(all, stop->step);
    signals->nextEnd[i] = isEnd ? i : signals->nextEnd[i + 1];
  }
}

/// The first signal at this point or behind it.
static size_t signalFrom(const Stops *signals, int64_t point) {
  size_t low = 0, high = signals->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (signals->stops[middle].access.lower < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Everything in the scope that makes groups or waits for them. In code of
/// unknown order they do not count: a group less, or a wait less, only holds
/// buffers longer.
static Stops findSignals(const BerthPoints *points, BerthAsyncKind kind,
                         BerthPointerMap *called, const char *breakRule) {
  Stops signals = {.stops = berthAllocateOrDie((size_t)points->count,
                                               sizeof *signals.stops)};
  for (int64_t point = 0; point < points->count; ++point) {
    MlirOperation op = points->opAt[point];
    Step step = stepOf(op, kind, called, points->body);
    bool isSignal = step.makesGroup || step.mayPend != kWaitsForNone;
    if (!isSignal ||
        !mlirOperationEqual(berthPointsOutermostOpaque(points, op), op))
      continue;
    if (berthIsBroken(breakRule, "no-pending-groups") &&
        step.mayPend != kWaitsForNone)
      step.mayPend = 0;
    if (berthIsBroken(breakRule, "untouched-loads") && kind == BERTH_ASYNC_LOAD)
      step.mayPend = 0;
    BerthAccess access = {.op = op,
                          .lower = point,
                          .upper = point + 1,
                          .reads = true,
                          .writes = true};
    addStop(&signals, access, step);
  }
  if (kind != BERTH_ASYNC_LOAD) // of these, each buffer has its own
    findEnds(points, &signals);
  return signals;
}

/// What was found of called functions.
typedef struct Calls {
  BerthPointerMap leaves; ///< functions -> whether work goes on behind them
  BerthPointerMap meets;  ///< CalledBarriers.h
} Calls;

typedef struct WorkSearch {
  Calls *calls;
  bool found;
} WorkSearch;

static bool leavesWork(Calls *calls, MlirOperation op);

static MlirWalkResult findWork(MlirOperation op, void *userData) {
  WorkSearch *search = userData;
  search->found |= leavesWork(search->calls, op);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool startsWork(Calls *calls, MlirOperation op) {
  WorkSearch search = {.calls = calls};
  if (berthHasConcurrentUnits())
    mlirOperationWalk(op, findWork, &search, MlirWalkPreOrder);
  return search.found;
}

/// True if pending work may go on behind the op: it starts some, or a function
/// does that it calls, with no barrier behind that in the function's one block.
static bool leavesWork(Calls *calls, MlirOperation op) {
  MlirOperation callee;
  if (berthOpStartsAsync(op, BERTH_ASYNC_WORK))
    return true;
  if (berthOpIsDescribed(op) || !berthOpGetCallee(op, &callee) ||
      mlirOperationIsNull(callee))
    return false;
  size_t known = berthPointerMapFind(&calls->leaves, callee.ptr);
  if (known != BERTH_NOT_FOUND)
    return known;
  berthPointerMapSet(&calls->leaves, callee.ptr, true); // in a call of itself
  MlirBlock first = mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0));
  bool found = false;
  for (MlirBlock block = first; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation inner = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(inner);
         inner = mlirOperationGetNextInBlock(inner)) {
      bool isOnly = mlirBlockIsNull(mlirBlockGetNextInRegion(first));
      if (isOnly && berthOpEndsInMeeting(&calls->meets, inner))
        found = false;
      else if (!found)
        found = startsWork(calls, inner);
    }
  berthPointerMapSet(&calls->leaves, callee.ptr, found);
  return found;
}

/// What the buffer's own access does to what is under way in the buffer.
static Step ownStep(const BerthAccess *access, BerthAsyncKind kind,
                    const BerthTensorLoads *loads, Calls *calls) {
  bool isWork = kind == BERTH_ASYNC_WORK && startsWork(calls, access->op);
  Step step = {.starts = isWork || berthOpStartsAsync(access->op, kind),
               .mayPend = kWaitsForNone};
  if (kind == BERTH_ASYNC_LOAD && berthTensorLoadsProved(loads, access))
    step.mayPend = 0;
  return step;
}

/// An op that starts something may make the group and wait for it too.
static void joinStops(Stops *stops) {
  size_t count = 0;
  for (size_t i = 0; i < stops->count; ++i) {
    Stop *stop = &stops->stops[i], *last = &stops->stops[count - !!count];
    if (!count || last->access.lower != stop->access.lower) {
      stops->stops[count++] = *stop;
      continue;
    }
    last->step.starts |= stop->step.starts;
    last->step.makesGroup |= stop->step.makesGroup;
    if (stop->step.mayPend < last->step.mayPend)
      last->step.mayPend = stop->step.mayPend;
  }
  stops->count = count;
}

/// The signals that what the buffer's accesses start can come to: behind the
/// start of the first, up to the one that ends all.
static void addSignals(Stops *stops, const BerthPoints *points,
                       const Stops *signals, BerthAsyncKind kind,
                       const BerthTensorLoads *loads) {
  size_t begin = 0, end = signals->count;
  if (signals->nextEnd && stops->count) {
    int64_t lower = INT64_MAX, upper = 0;
    for (size_t i = 0; i < stops->count; ++i) {
      MlirOperation top =
          berthAncestorInRegion(stops->stops[i].access.op, points->body);
      int64_t from = berthPointsLower(points, top);
      int64_t to = berthPointsUpper(points, top);
      lower = from < lower ? from : lower;
      upper = to > upper ? to : upper;
    }
    begin = signalFrom(signals, lower);
    end = signals->nextEnd[signalFrom(signals, upper)];
    end += end < signals->count;
  }
  size_t capacity = stops->count + (end - begin) + 1; // and the allocation
  Stop *own = stops->stops;
  stops->stops = berthAllocateOrDie(capacity, sizeof *stops->stops);
  memcpy(stops->stops, own, stops->count * sizeof *own);
  free(own);
  for (size_t i = begin; i < end; ++i)
    if (kind != BERTH_ASYNC_LOAD ||
        berthTensorLoadsAwaited(loads, signals->stops[i].access.op))
      stops->stops[stops->count++] = signals->stops[i];
}

static Stops collectStops(const BerthPoints *points,
                          const BerthBufferInfo *buffer, BerthAsyncKind kind,
                          const Stops *signals, Calls *calls) {
  BerthTensorLoads loads = berthTensorLoadsOf(buffer);
  Stops stops = {0};
  stops.stops =
      berthAllocateOrDie(buffer->numAccesses + 1, sizeof *stops.stops);
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    Step step = ownStep(&buffer->accesses[i], kind, &loads, calls);
    if (step.starts || step.mayPend != kWaitsForNone)
      addStop(&stops, buffer->accesses[i], step);
  }
  addSignals(&stops, points, signals, kind, &loads);
  int64_t point = berthPointsLower(points, buffer->alloc);
  addStop(
      &stops,
      (BerthAccess){.op = buffer->alloc, .lower = point, .upper = point + 1},
      (Step){.mayPend = kWaitsForNone});
  qsort(stops.stops, stops.count, sizeof *stops.stops, berthCompareAccesses);
  joinStops(&stops);
  stops.accesses = berthAllocateOrDie(stops.count, sizeof *stops.accesses);
  for (size_t i = 0; i < stops.count; ++i)
    stops.accesses[i] = stops.stops[i].access;
  return stops;
}

static void freeStops(Stops *stops) {
  free(stops->stops);
  free(stops->accesses);
  free(stops->nextEnd);
}

//===----------------------------------------------------------------------===//
// What is under way, along the thread's own paths
//===----------------------------------------------------------------------===//

typedef struct Pending {
  BerthFlowGraph *graph;
  const Stops *stops;
  int64_t end;    ///< at this point, and behind it, nothing is
  Stages *stages; ///< per node: at its start
  bool *isQueued;
  uint32_t *worklist;
  size_t count;
} Pending;

static Step stepOfNode(const Pending *pending, const BerthFlowNode *node) {
  if (!node->numStops)
    return (Step){.mayPend = kWaitsForNone};
  return pending->stops->stops[node->firstStop].step;
}

static void enqueue(Pending *pending, uint32_t node) {
  if (!pending->isQueued[node])
    pending->worklist[pending->count++] = node;
  pending->isQueued[node] = true;
}

/// A node's stages only grow, so this ends.
static void spread(Pending *pending, uint32_t index) {
  const BerthFlowGraph *graph = pending->graph;
  BerthFlowNode *node = &graph->nodes[index];
  Stages stages =
      stagesBehind(pending->stages[index], stepOfNode(pending, node));
  pending->isQueued[index] = false;
  for (uint32_t e = node->firstNext; stages && e != BERTH_NO_NODE;
       e = graph->edges[e].nextOut) {
    uint32_t to = graph->edges[e].to;
    if ((pending->stages[to] | stages) == pending->stages[to] ||
        graph->nodes[to].span.lower >= pending->end)
      continue;
    pending->stages[to] |= stages;
    graph->nodes[to].reachedIn = true;
    enqueue(pending, to);
  }
}

/// Finds what is under way at each node, up to the waits that end it, and to a
/// point where it has ended.
static Pending findPending(BerthFlowGraph *graph, const Stops *stops,
                           int64_t end) {
  size_t numNodes = graph->numNodes;
  Pending pending = {.graph = graph, .stops = stops, .end = end};
  for (size_t i = 0; i < numNodes; ++i)
    graph->nodes[i].reachedIn = false;
  pending.stages = berthAllocateOrDie(numNodes, sizeof *pending.stages);
  pending.isQueued = berthAllocateOrDie(numNodes, sizeof *pending.isQueued);
  pending.worklist = berthAllocateOrDie(numNodes, sizeof *pending.worklist);
  for (uint32_t i = 0; i < numNodes; ++i)
    if (stepOfNode(&pending, &graph->nodes[i]).starts)
      enqueue(&pending, i);
  while (pending.count)
    spread(&pending, pending.worklist[--pending.count]);
  return pending;
}

static void freePending(Pending *pending) {
  free(pending->stages);
  free(pending->isQueued);
  free(pending->worklist);
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

/// The kinds of what is started in the buffer, a bit each.
static unsigned kindsIn(const BerthBufferInfo *buffer, Calls *calls) {
  unsigned kinds = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    MlirOperation op = buffer->accesses[i].op;
    for (int kind = 0;
         berthOpStartsAnyAsync(op) && kind < BERTH_NUM_ASYNC_KINDS; ++kind)
      if (berthOpStartsAsync(op, (BerthAsyncKind)kind))
        kinds |= 1u << kind;
    if (startsWork(calls, op))
      kinds |= 1u << BERTH_ASYNC_WORK;
  }
  return kinds;
}

static void addAccess(BerthBufferInfo *buffer, const BerthAccess *wait) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (mlirOperationEqual(buffer->accesses[i].op, wait->op))
      return;
  buffer->accesses[buffer->numAccesses++] = *wait;
}

/// Adds the pending stretch to the live range, and to the accesses the waits
/// that end something.
static void extendBuffer(BerthScope *scope, BerthBufferInfo *buffer,
                         const Pending *pending) {
  const BerthFlowGraph *graph = pending->graph;
  BerthMemory *memory = scope->memory;
  BerthAccess *accesses = BERTH_NEW(
      memory, BerthAccess, buffer->numAccesses + pending->stops->count);
  memcpy(accesses, buffer->accesses, buffer->numAccesses * sizeof *accesses);
  buffer->accesses = accesses;
  BerthSegments more = {0};
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if (!node->reachedIn)
      continue;
    berthSegmentsAdd(&more, node->span.lower, node->span.upper);
    if (endsSomething(pending->stages[i], stepOfNode(pending, node)))
      addAccess(buffer, &pending->stops->accesses[node->firstStop]);
  }
  berthBufferAddSegments(scope, buffer, more.segments, more.count);
  free(more.segments);
  qsort(buffer->accesses, buffer->numAccesses, sizeof *buffer->accesses,
        berthCompareAccesses);
}

/// What is still under way when the buffer is made again, by a loop or by the
/// next call of the function, would meet the new instance.
static bool meetsItself(const BerthScope *scope, const BerthBufferInfo *buffer,
                        const Pending *pending) {
  const BerthFlowGraph *graph = pending->graph;
  if (isCalled(scope) && berthScopeIsShared(scope) &&
      graph->nodes[BERTH_SCOPE_EXIT].reachedIn)
    return true;
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if (node->reachedIn && node->numStops &&
        mlirOperationEqual(pending->stops->accesses[node->firstStop].op,
                           buffer->alloc))
      return true;
  }
  return false;
}

static void holdBuffer(BerthScope *scope, const BerthPoints *points,
                       BerthBufferInfo *buffer, BerthAsyncKind kind,
                       const Stops *signals, Calls *calls,
                       const char *breakRule) {
  bool mayReturn = berthIsBroken(breakRule, "work-returns");
  BerthFlowGraph graph = {0};
  Stops stops = collectStops(points, buffer, kind, signals, calls);
  berthFlowGraphBuildStops(&graph, points, stops.accesses, stops.count, NULL,
                           false);
  Pending pending = findPending(&graph, &stops, INT64_MAX);
  if (kind == BERTH_ASYNC_LOAD && graph.nodes[BERTH_SCOPE_EXIT].reachedIn) {
    MlirOperation loop = berthFindLoadRing(buffer, breakRule);
    if (!mlirOperationIsNull(loop)) {
      freePending(&pending);
      pending = findPending(&graph, &stops, berthPointsUpper(points, loop));
    }
  }
  if (meetsItself(scope, buffer, &pending))
    berthRejectBuffer(buffer,
                      "something asynchronous may still use its previous "
                      "instance when it is allocated again: wait for it",
                      buffer->alloc);
  else if (!mayReturn && graph.nodes[BERTH_SCOPE_EXIT].reachedIn &&
           (kind == BERTH_ASYNC_WORK || isCalled(scope)))
    berthRejectBuffer(
        buffer,
        kind == BERTH_ASYNC_WORK
            ? "pending work may still use it when its function returns, "
              "and the bytes are another's: put a barrier before that"
            : "something asynchronous may still use it when its function "
              "returns, and the bytes are another's: wait for it",
        buffer->alloc);
  extendBuffer(scope, buffer, &pending);
  freePending(&pending);
  freeStops(&stops);
  berthFlowGraphFree(&graph);
}

void berthScopeHoldAsync(BerthScope *scope, const BerthPoints *points,
                         const char *breakRule) {
  berthScopeHoldTransfers(scope, points, breakRule);
  if (berthIsBroken(breakRule, "no-async"))
    return;
  Stops signals[BERTH_NUM_ASYNC_KINDS] = {0};
  Calls calls = {0};
  bool mayReturn = berthIsBroken(breakRule, "work-returns");
  bool areOwn = berthIsBroken(breakRule, "own-proxies");
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (!buffer->reason && !areOwn)
      holdForProxies(scope, points, buffer, mayReturn);
    unsigned kinds = buffer->reason ? 0 : kindsIn(buffer, &calls);
    for (int k = 0; kinds >> k; ++k) {
      BerthAsyncKind kind = (BerthAsyncKind)k;
      if (!(kinds >> k & 1))
        continue;
      if (!signals[k].stops)
        signals[k] = findSignals(points, kind, &calls.meets, breakRule);
      holdBuffer(scope, points, buffer, kind, &signals[k], &calls, breakRule);
    }
  }
  for (int k = 0; k < BERTH_NUM_ASYNC_KINDS; ++k)
    freeStops(&signals[k]);
  berthPointerMapFree(&calls.leaves);
  berthPointerMapFree(&calls.meets);
}
