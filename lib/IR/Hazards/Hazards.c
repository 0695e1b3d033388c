//===- Hazards.c - Which buffers threads may touch at the same time -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/Hazards.h"
#include "IR/Hazards/Ends.h"
#include "IR/Hazards/NameFlow.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Threads/BlockLoops.h"
#include "IR/Threads/Uniformity.h"
#include "IR/Threads/Waits.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Stops: every op that touches a buffer or is a barrier that counts
//===----------------------------------------------------------------------===//

/// A barrier inside an op of unknown control flow is no stop of its own.
static bool countsAsBarrier(const BerthJob *job, MlirOperation op) {
  if (berthIsBroken(job->options->alias.breakRule, "any-barrier"))
    return berthOpIsWholeBarrier(op);
  const char *broken = job->options->alias.breakRule;
  bool isCounted = berthIsBroken(broken, "some-threads") &&
                   !mlirValueIsNull(berthBarrierGetCount(op));
  bool isWait = berthIsBroken(broken, "any-cluster-wait") &&
                berthOpIs(op, BERTH_OP_CLUSTER_WAIT);
  bool needsFences = berthScopeIsOfTensors(&job->scope) &&
                     !berthIsBroken(broken, "no-tensor-fences");
  return (berthOpIsWholeBarrier(op) || isCounted || isWait) &&
         (!needsFences || berthBarrierOrdersTensors(op)) &&
         job->scope.arrival != BERTH_ARRIVAL_DIVERGENT &&
         berthControlIsUniform(&job->scope, op, NULL);
}

static size_t countStops(const BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  size_t count = (size_t)job->points.count + job->numCalls + job->numPlaced;
  for (size_t i = 0; i < hazards->numTouched; ++i)
    count += hazards->touched[i].numAccesses;
  if (hazards->names)
    count += hazards->names->numHandOvers;
  return count;
}

/// Fences only where they mean something: a stop parts the gap around it.
static bool isStop(const BerthHazards *hazards, MlirOperation op) {
  const BerthJob *job = hazards->job;
  return countsAsBarrier(job, op) ||
         (hazards->hasAsync && berthOpIsProxyFence(op) &&
          mlirOperationEqual(berthPointsOutermostOpaque(&job->points, op), op));
}

static void addStop(BerthHazards *hazards, BerthAccess stop) {
  hazards->stops[hazards->numStops++] = stop;
}

static void addBarrierStops(BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  for (int64_t point = 0; point < job->points.count; ++point) {
    MlirOperation op = job->points.opAt[point];
    if (berthPointsLower(&job->points, op) != point || !isStop(hazards, op))
      continue;
    BerthAccess stop = {.op = op, .lower = point, .upper = point + 1};
    addStop(hazards, stop);
  }
}

/// What stands in the callee counts only where all threads call it, and where
/// barriers count without fences, which are not looked for in it.
static const BerthCallEnds *lookInto(const BerthHazards *hazards,
                                     const BerthCall *call) {
  const BerthScope *scope = &hazards->job->scope;
  bool isReached = scope->arrival != BERTH_ARRIVAL_DIVERGENT &&
                   berthControlIsUniform(scope, call->op, NULL);
  if (!isReached || hazards->hasAsync || berthScopeIsOfTensors(scope))
    return NULL;
  return hazards->areOnlyGiven ? &call->callee->given : call->callee->ends;
}

static void addCallStops(BerthHazards *hazards, BerthPointerMap *seen) {
  const BerthJob *job = hazards->job;
  for (size_t i = 0; i < job->numCalls; ++i) {
    const BerthCall *call = &job->calls[i];
    int64_t point = berthPointsLower(&job->points, call->op);
    BerthAccess stop = {.op = call->op,
                        .lower = point,
                        .upper = point + 1,
                        .ends = lookInto(hazards, call)};
    if (stop.ends && berthPointerMapInsert(seen, call->op.ptr, 1))
      addStop(hazards, stop);
  }
}

/// One stop per op: an op that touches several buffers is told by each. The
/// allocations are stops too: where they run again, instances meet.
static void addAccessStops(BerthHazards *hazards, BerthPointerMap *seen) {
  const BerthJob *job = hazards->job;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    MlirOperation alloc = job->scope.buffers[job->bufferOf[i]].alloc;
    if (!mlirOperationIsNull(job->scope.buffers[job->bufferOf[i]].callee))
      continue; // a call, and an access already
    int64_t point = berthPointsLower(&job->points, alloc);
    BerthAccess stop = {.op = alloc, .lower = point, .upper = point + 1};
    addStop(hazards, stop);
  }
  for (size_t i = 0; i < hazards->numTouched; ++i) {
    const BerthTouched *touched = &hazards->touched[i];
    for (size_t k = 0; k < touched->numAccesses; ++k)
      if (berthPointerMapInsert(seen, touched->accesses[k].op.ptr, 1))
        addStop(hazards, touched->accesses[k]);
  }
}

/// What hands names on parts the gap around it.
static void addHandOverStops(BerthHazards *hazards, BerthPointerMap *seen) {
  const BerthNameFlow *names = hazards->names;
  for (size_t i = 0; names && i < names->numHandOvers; ++i) {
    MlirOperation op = names->handOvers[i].op;
    int64_t point = berthPointsLower(&hazards->job->points, op);
    BerthAccess stop = {.op = op,
                        .lower = point,
                        .upper = point + 1,
                        .isEntry = mlirOperationGetNumRegions(op) > 0};
    if (berthPointerMapInsert(seen, op.ptr, 1))
      addStop(hazards, stop);
  }
}

//===----------------------------------------------------------------------===//
// Waits: where a new barrier might never open
//===----------------------------------------------------------------------===//

/// What ops wait for, and what ends such waits, by the outermost op of unknown
/// order around them.
typedef struct WaitList {
  BerthWait *waits;
  MlirOperation *ops;
  size_t count, capacity, opCapacity;
  BerthPointerMap indexOf; ///< op -> index
  bool mayWait;
} WaitList;

static void addWait(WaitList *list, MlirOperation op, BerthWait wait) {
  size_t index = berthPointerMapFind(&list->indexOf, op.ptr);
  if (index == BERTH_NOT_FOUND) {
    index = list->count;
    list->waits = berthGrow(list->waits, list->count, &list->capacity,
                            sizeof *list->waits);
    list->ops =
        berthGrow(list->ops, list->count, &list->opCapacity, sizeof *list->ops);
    list->waits[index] = (BerthWait){0, 0};
    list->ops[index] = op;
    ++list->count;
    berthPointerMapInsert(&list->indexOf, op.ptr, index);
  }
  list->waits[index].waits |= wait.waits;
  list->waits[index].signals |= wait.signals;
  list->mayWait |= wait.waits != 0;
}

static bool mayInsert(const BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  return !hazards->areOnlyGiven && job->barriersMode == BERTH_BARRIERS_INSERT &&
         job->scope.arrival == BERTH_ARRIVAL_TOGETHER &&
         !berthIsBroken(job->options->alias.breakRule, "no-waits");
}

static WaitList findWaits(BerthHazards *hazards) {
  const BerthJob *job = hazards->job;
  WaitList list = {0};
  if (!mayInsert(hazards))
    return list;
  for (int64_t point = 0; point < job->points.count; ++point) {
    MlirOperation op = job->points.opAt[point];
    if (berthPointsLower(&job->points, op) != point)
      continue;
    BerthWait wait = berthOpGetWait(&job->scope, op, job->root);
    if (wait.waits || wait.signals)
      addWait(&list, berthPointsOutermostOpaque(&job->points, op), wait);
  }
  hazards->callersWait = job->scope.kind != BERTH_SCOPE_KERNEL &&
                         job->scope.kind != BERTH_SCOPE_LAUNCH &&
                         berthCallersMayWait(job->scope.op);
  list.mayWait |= hazards->callersWait;
  return list;
}

static void addWaitStops(BerthHazards *hazards, const WaitList *list,
                         BerthPointerMap *seen) {
  const BerthPoints *points = &hazards->job->points;
  for (size_t i = 0; list->mayWait && i < list->count; ++i) {
    if (isStop(hazards, list->ops[i]))
      continue;
    BerthAccess stop = {.op = list->ops[i],
                        .lower = berthPointsLower(points, list->ops[i]),
                        .upper = berthPointsUpper(points, list->ops[i])};
    if (berthPointerMapInsert(seen, stop.op.ptr, 1))
      addStop(hazards, stop);
  }
}

static void tellWaits(BerthHazards *hazards, const WaitList *list) {
  if (!list->mayWait)
    return;
  hazards->waits =
      berthAllocateOrDie(hazards->numStops, sizeof *hazards->waits);
  for (size_t i = 0; i < hazards->numStops; ++i) {
    size_t index =
        berthPointerMapFind(&list->indexOf, hazards->stops[i].op.ptr);
    if (index != BERTH_NOT_FOUND)
      hazards->waits[i] = list->waits[index];
  }
}

static void freeWaits(WaitList *list) {
  free(list->waits);
  free(list->ops);
  berthPointerMapFree(&list->indexOf);
}

static void collectStops(BerthHazards *hazards) {
  BerthPointerMap seen = {0};
  WaitList waits = findWaits(hazards);
  hazards->stops = berthAllocateOrDie(countStops(hazards) + waits.count,
                                      sizeof *hazards->stops);
  addBarrierStops(hazards);
  addCallStops(hazards, &seen);
  addAccessStops(hazards, &seen);
  addHandOverStops(hazards, &seen);
  addWaitStops(hazards, &waits, &seen);
  qsort(hazards->stops, hazards->numStops, sizeof *hazards->stops,
        berthCompareAccesses);
  tellWaits(hazards, &waits);
  freeWaits(&waits);
  berthPointerMapFree(&seen);
}

//===----------------------------------------------------------------------===//
// Touches: which node touches which buffers
//===----------------------------------------------------------------------===//

/// The buffers of the problem, and what else is to be told apart.
static void listTouched(BerthHazards *hazards, const BerthTouched *others,
                        size_t numOthers) {
  const BerthJob *job = hazards->job;
  hazards->numTouched = job->numPlaced + numOthers;
  hazards->touched =
      berthAllocateOrDie(hazards->numTouched, sizeof *hazards->touched);
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    hazards->touched[i] = (BerthTouched){!mlirOperationIsNull(buffer->callee),
                                         buffer->numAccesses, buffer->accesses,
                                         buffer->numAliases, buffer->aliases};
  }
  for (size_t i = 0; i < numOthers; ++i)
    hazards->touched[job->numPlaced + i] = others[i];
}

/// The node of the stop at each point, BERTH_NO_NODE elsewhere.
static uint32_t *nodeOfPoint(const BerthHazards *hazards) {
  size_t count = (size_t)hazards->job->points.count;
  uint32_t *nodeAt = berthAllocateOrDie(count, sizeof *nodeAt);
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

/// What a called function touches is not looked at more closely.
static void visitEnd(BerthHazards *hazards, uint32_t node, uint32_t buffer,
                     BerthDoing doing, TouchVisitor visit) {
  const uint32_t *firstOf = hazards->slices.firstOf;
  BerthTouch touch = {buffer, firstOf ? firstOf[buffer] : 0,
                      doing == BERTH_WRITES, false};
  if (doing != BERTH_NOTHING)
    visit(hazards, node, touch);
}

static BerthEnds endsOf(const BerthAccess *stop, const BerthTouched *touched) {
  return touched->isArena
             ? stop->ends->arena
             : berthEndsOfOperands(stop->ends, stop->op, touched->values,
                                   touched->numValues);
}

/// A call that is looked into touches at its ends what the callee does there.
static void visitAccess(BerthHazards *hazards, uint32_t node, uint32_t buffer,
                        size_t index, TouchVisitor visit) {
  const BerthAccess *stop =
      &hazards->stops[hazards->graph.nodes[node].firstStop];
  uint32_t **slices = hazards->slices.ofAccesses;
  const BerthAccess *access = &hazards->touched[buffer].accesses[index];
  BerthTouch touch = {buffer, slices ? slices[buffer][index] : 0,
                      access->writes, access->isShownToEnd};
  if (!stop->ends) {
    visit(hazards, node, touch);
    return;
  }
  BerthEnds ends = endsOf(stop, &hazards->touched[buffer]);
  visitEnd(hazards, node + BERTH_CALL_FIRST, buffer, ends.first, visit);
  visitEnd(hazards, node + BERTH_CALL_LAST, buffer, ends.last, visit);
}

static void forEachTouch(BerthHazards *hazards, const uint32_t *nodeAt,
                         TouchVisitor visit) {
  for (size_t i = 0; i < hazards->numTouched; ++i) {
    const BerthTouched *touched = &hazards->touched[i];
    for (size_t k = 0; k < touched->numAccesses; ++k)
      visitAccess(hazards, nodeAt[touched->accesses[k].lower], (uint32_t)i, k,
                  visit);
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
  uint32_t *begin = berthAllocateOrDie(numNodes + 1, sizeof *begin);
  hazards->touchBegin = begin;
  forEachTouch(hazards, nodeAt, countTouch);
  for (size_t n = 1; n <= numNodes; ++n)
    begin[n] += begin[n - 1];
  uint32_t total = begin[numNodes];
  hazards->touches = berthAllocateOrDie(total, sizeof *hazards->touches);
  forEachTouch(hazards, nodeAt, storeTouch);
  memmove(begin, begin + 1, numNodes * sizeof *begin);
  begin[numNodes] = total;
  if (hazards->names)
    berthNameFlowPlace(hazards->names, hazards->job, &hazards->graph,
                       hazards->stops, nodeAt);
  free(nodeAt);
}

/// The nodes of each buffer: what the nodes have, sorted by buffer.
static void indexNodes(BerthHazards *hazards) {
  size_t numNodes = hazards->graph.numNodes;
  uint32_t numTouches = hazards->touchBegin[numNodes];
  uint32_t *begin = berthAllocateOrDie(hazards->numTouched + 1, sizeof *begin);
  BerthTouchedAt *at = berthAllocateOrDie(numTouches, sizeof *at);
  for (uint32_t k = 0; k < numTouches; ++k)
    ++begin[hazards->touches[k].buffer];
  for (size_t i = 1; i <= hazards->numTouched; ++i)
    begin[i] += begin[i - 1];
  for (size_t n = numNodes; n-- > 0;)
    for (uint32_t k = hazards->touchBegin[n]; k < hazards->touchBegin[n + 1];
         ++k)
      at[--begin[hazards->touches[k].buffer]] = (BerthTouchedAt){
          (uint32_t)n, hazards->touches[k].slice, hazards->touches[k].writes,
          hazards->touches[k].isShownToEnd};
  hazards->touchedAtBegin = begin;
  hazards->touchedAt = at;
}

//===----------------------------------------------------------------------===//
// Barriers and places for more
//===----------------------------------------------------------------------===//

/// The op before which a barrier in this gap would go; null where the gap is
/// no stretch of one block. Nothing comes between the halves of a cluster's
/// barrier.
static bool isCuttableGap(const BerthHazards *hazards,
                          const BerthFlowNode *node) {
  return node->numStops == 0 && !mlirOperationIsNull(node->gapEnd) &&
         !berthOpIs(node->gapEnd, BERTH_OP_CLUSTER_WAIT) &&
         hazards->job->scope.arrival == BERTH_ARRIVAL_TOGETHER &&
         berthControlIsUniform(&hazards->job->scope, node->gapEnd, NULL);
}

static void classifyNodes(BerthHazards *hazards) {
  size_t count = hazards->graph.numNodes;
  hazards->isBarrier = berthAllocateOrDie(count, sizeof(bool));
  hazards->isCuttable = berthAllocateOrDie(count, sizeof(bool));
  hazards->isAsync = berthAllocateOrDie(count, sizeof(bool));
  hazards->isFence = berthAllocateOrDie(count, sizeof(bool));
  hazards->hasNoFence = berthAllocateOrDie(count, sizeof(bool));
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

bool berthJobNeedsFences(const BerthJob *job) {
  if (berthIsBroken(job->options->alias.breakRule, "no-proxy-fences"))
    return false;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numAccesses; ++k)
      if (berthOpIsAsyncProxy(buffer->accesses[k].op))
        return true;
  }
  return false;
}

static MlirWalkResult findLoops(MlirOperation op, void *userData) {
  BerthHazards *hazards = userData;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    berthFindBlockLoops(mlirOperationGetRegion(op, i), &hazards->numLoopsOf);
  return MlirWalkResultAdvance;
}

/// Fences between two runs are not looked for.
static bool mayFollowItself(const BerthHazards *hazards) {
  const BerthScope *scope = &hazards->job->scope;
  return scope->kind != BERTH_SCOPE_KERNEL &&
         scope->kind != BERTH_SCOPE_LAUNCH &&
         (!scope->runsAreApart || hazards->hasAsync);
}

static BerthHazards build(BerthHazards hazards, const BerthTouched *others,
                          size_t numOthers) {
  BerthJob *job = hazards.job;
  hazards.hasAsync = berthJobNeedsFences(job);
  hazards.addsFences = job->options->addsFences;
  listTouched(&hazards, others, numOthers);
  collectStops(&hazards);
  berthFlowGraphBuildStops(&hazards.graph, &job->points, hazards.stops,
                           hazards.numStops, &job->scope,
                           mayFollowItself(&hazards));
  indexTouches(&hazards);
  indexNodes(&hazards);
  classifyNodes(&hazards);
  mlirOperationWalk(job->scope.op, findLoops, &hazards, MlirWalkPreOrder);
  return hazards;
}

BerthHazards berthHazardsCreate(BerthJob *job) {
  return build((BerthHazards){.job = job,
                              .slices = berthSlicesOf(job),
                              .names = berthNameFlowOf(job)},
               NULL, 0);
}

BerthHazards berthHazardsCreateWith(BerthJob *job, const BerthTouched *others,
                                    size_t numOthers) {
  return build((BerthHazards){.job = job}, others, numOthers);
}

BerthHazards berthHazardsCreateGiven(BerthJob *job) {
  return build((BerthHazards){.job = job, .areOnlyGiven = true}, NULL, 0);
}

void berthHazardsFree(BerthHazards *hazards) {
  berthFlowGraphFree(&hazards->graph);
  free(hazards->stops);
  free(hazards->touched);
  free(hazards->isBarrier);
  free(hazards->waits);
  free(hazards->isCuttable);
  free(hazards->isAsync);
  free(hazards->isFence);
  free(hazards->hasNoFence);
  free(hazards->touchBegin);
  free(hazards->touches);
  free(hazards->touchedAtBegin);
  free(hazards->touchedAt);
  berthSlicesFree(&hazards->slices);
  berthPointerMapFree(&hazards->numLoopsOf);
  berthNameFlowFree(hazards->names);
}

bool berthHazardsTouch(const BerthHazards *hazards, uint32_t node,
                       uint32_t buffer, bool onlyWrites) {
  for (uint32_t k = hazards->touchBegin[node];
       k < hazards->touchBegin[node + 1]; ++k)
    if (hazards->touches[k].buffer == buffer &&
        (!onlyWrites || hazards->touches[k].writes))
      return true;
  return false;
}
