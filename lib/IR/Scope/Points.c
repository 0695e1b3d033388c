//===- Points.c - Program points and control flow of a scope --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two walks: the first counts, so that every array is allocated once; the
// second numbers. Region steps are cached because liveness asks for them once
// per buffer and the interface query is slow.
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Points.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Worklist.h"

#include <stdlib.h>

#define FOR_EACH_OP(op, region)                                                \
  for (MlirBlock block_ = mlirRegionGetFirstBlock(region);                     \
       !mlirBlockIsNull(block_); block_ = mlirBlockGetNextInRegion(block_))    \
    for (MlirOperation op = mlirBlockGetFirstOperation(block_);                \
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))

static int64_t countPoints(MlirRegion region) {
  int64_t count = 0;
  FOR_EACH_OP(op, region) {
    intptr_t numRegions = mlirOperationGetNumRegions(op);
    count += numRegions ? 2 : 1;
    for (intptr_t i = 0; i < numRegions; ++i)
      count += countPoints(mlirOperationGetRegion(op, i));
  }
  return count;
}

/// The growing list of steps while the points are numbered.
typedef struct StepList {
  BerthRegionStep *steps;
  size_t count;
  size_t capacity;
  size_t first; ///< where the current op's steps begin
} StepList;

static void addStep(StepList *list, int from, int to) {
  for (size_t i = list->first; i < list->count; ++i)
    if (list->steps[i].from == from && list->steps[i].to == to)
      return;
  list->steps =
      berthGrow(list->steps, list->count, &list->capacity, sizeof *list->steps);
  list->steps[list->count++] = (BerthRegionStep){from, to};
}

static void addEdge(const BerthRegionEdge *edge, void *userData) {
  addStep(userData, edge->from, edge->to);
}

/// Ops whose regions run concurrently or in an unknown order get no steps.
static void numberSteps(BerthPoints *points, StepList *list, int64_t point,
                        MlirOperation op) {
  list->first = list->count;
  if (!berthOpIsParallel(op) && !berthOpIsAsync(op))
    berthOpGetRegionEdges(op, addEdge, list);
  points->firstStep[point] = list->first;
  points->numSteps[point] = list->count - list->first;
}

static void numberRegion(BerthPoints *points, StepList *list,
                         MlirRegion region) {
  FOR_EACH_OP(op, region) {
    int64_t lower = points->count++;
    points->opAt[lower] = op;
    berthPointerMapInsert(&points->lowerOf, op.ptr, (size_t)lower);
    intptr_t numRegions = mlirOperationGetNumRegions(op);
    if (numRegions) {
      numberSteps(points, list, lower, op);
      for (intptr_t i = 0; i < numRegions; ++i)
        numberRegion(points, list, mlirOperationGetRegion(op, i));
      points->opAt[points->count++] = op;
    }
    points->upperAt[lower] = points->count;
  }
}

BerthPoints berthPointsCreate(MlirRegion body, BerthMemory *memory) {
  BerthPoints points = {.body = body};
  size_t count = (size_t)countPoints(body);
  points.opAt = BERTH_NEW(memory, MlirOperation, count);
  points.upperAt = BERTH_NEW(memory, int64_t, count);
  points.firstStep = BERTH_NEW(memory, size_t, count);
  points.numSteps = BERTH_NEW(memory, size_t, count);
  StepList list = {0};
  numberRegion(&points, &list, body);
  points.steps =
      berthNewCopy(memory, list.steps, list.count, sizeof *list.steps);
  free(list.steps);
  return points;
}

void berthPointsFree(BerthPoints *points) {
  berthPointerMapFree(&points->lowerOf);
}

int64_t berthPointsLower(const BerthPoints *points, MlirOperation op) {
  size_t point = berthPointerMapFind(&points->lowerOf, op.ptr);
  return point == BERTH_NOT_FOUND ? BERTH_NONE : (int64_t)point;
}

int64_t berthPointsUpper(const BerthPoints *points, MlirOperation op) {
  int64_t lower = berthPointsLower(points, op);
  return lower == BERTH_NONE ? BERTH_NONE : points->upperAt[lower];
}

/// Where an empty block lies: after the last op that stands before it.
static int64_t pointOfEmptyBlock(const BerthPoints *points, MlirBlock block) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  int64_t point = berthPointsLower(points, parent);
  point = point == BERTH_NONE ? 0 : point + 1;
  for (MlirBlock other = mlirRegionGetFirstBlock(region);
       !mlirBlockEqual(other, block); other = mlirBlockGetNextInRegion(other)) {
    MlirOperation last = berthBlockGetLast(other);
    if (!mlirOperationIsNull(last))
      point = berthPointsUpper(points, last);
  }
  return point;
}

BerthSegment berthPointsBlockSpan(const BerthPoints *points, MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  if (mlirOperationIsNull(first)) {
    int64_t point = pointOfEmptyBlock(points, block);
    return (BerthSegment){point, point};
  }
  return (BerthSegment){berthPointsLower(points, first),
                        berthPointsUpper(points, berthBlockGetLast(block))};
}

BerthSegment berthPointsRegionSpan(const BerthPoints *points,
                                   MlirRegion region) {
  BerthSegment span = {0, 0};
  bool isFirst = true;
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    BerthSegment blockSpan = berthPointsBlockSpan(points, block);
    if (isFirst)
      span = blockSpan;
    span.upper = blockSpan.upper;
    isFirst = false;
  }
  return span;
}

const BerthRegionStep *berthPointsSteps(const BerthPoints *points,
                                        MlirOperation op, size_t *count) {
  int64_t lower = berthPointsLower(points, op);
  *count = lower == BERTH_NONE ? 0 : points->numSteps[lower];
  return *count ? points->steps + points->firstStep[lower] : NULL;
}

MlirOperation berthPointsOutermostOpaque(const BerthPoints *points,
                                         MlirOperation op) {
  MlirOperation result = op;
  while (!mlirRegionEqual(mlirBlockGetParentRegion(mlirOperationGetBlock(op)),
                          points->body)) {
    op = mlirOperationGetParentOperation(op);
    size_t count;
    if (!berthPointsSteps(points, op, &count))
      result = op;
  }
  return result;
}

static void addSuccessors(BerthWorklist *list, MlirBlock block) {
  MlirOperation last = berthBlockGetLast(block);
  intptr_t count =
      mlirOperationIsNull(last) ? 0 : mlirOperationGetNumSuccessors(last);
  for (intptr_t i = 0; i < count; ++i)
    berthWorklistAdd(list, mlirOperationGetSuccessor(last, i).ptr);
}

bool berthBlockLeadsToItself(MlirBlock block, MlirBlock past) {
  BerthWorklist list = {0};
  addSuccessors(&list, block);
  while (list.numPending && !berthWorklistHasSeen(&list, block.ptr)) {
    MlirBlock next = {(void *)berthWorklistTake(&list)};
    if (!mlirBlockEqual(next, past))
      addSuccessors(&list, next);
  }
  bool result = berthWorklistHasSeen(&list, block.ptr);
  berthWorklistFree(&list);
  return result;
}

/// True if the end of some region of the op leads to the start of one.
static bool isLoop(const BerthPoints *points, MlirOperation op) {
  size_t count;
  const BerthRegionStep *steps = berthPointsSteps(points, op, &count);
  bool result = !steps && mlirOperationGetNumRegions(op) > 0;
  for (size_t i = 0; i < count; ++i)
    result |= steps[i].from >= 0 && steps[i].to >= 0;
  return result;
}

bool berthPointsMayRunAgain(const BerthPoints *points, MlirOperation op) {
  while (true) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (berthBlockLeadsToItself(block, (MlirBlock){NULL}))
      return true;
    if (mlirRegionEqual(mlirBlockGetParentRegion(block), points->body))
      return false;
    op = mlirOperationGetParentOperation(op);
    if (isLoop(points, op))
      return true;
  }
}

MlirOperation berthAncestorInRegion(MlirOperation op, MlirRegion region) {
  while (!mlirOperationIsNull(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (mlirBlockIsNull(block))
      return (MlirOperation){NULL};
    if (mlirRegionEqual(mlirBlockGetParentRegion(block), region))
      return op;
    op = mlirOperationGetParentOperation(op);
  }
  return op;
}
