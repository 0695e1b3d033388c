//===- OverlapWindows.c - How long moves go on ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/OverlapWindows.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/OverlapMoves.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// How far a window reaches
//===----------------------------------------------------------------------===//

/// True if one of them writes what the other one reads or writes.
static bool areAtOdds(const BerthJob *job, const BerthFitTransfer *a,
                      const BerthFitTransfer *b) {
  return berthFitMayBeOne(job, a->to, b->to) ||
         berthFitMayBeOne(job, a->to, b->from) ||
         berthFitMayBeOne(job, a->from, b->to);
}

/// True if the op's mark of that name has the transfer's content.
static bool names(MlirOperation op, const char *name,
                  const BerthFitTransfer *transfer) {
  MlirAttribute number = berthAttributeOf(transfer->copy, transfer->mark);
  return berthFitHasNumber(berthAttributeOf(op, name), number);
}

/// True if the transfer may go on beside the op, by what both touch. Windows
/// of others have to be kept to as well.
static bool mayPass(const BerthFitOverlapPlan *planner,
                    const BerthFitTransfer *transfer, MlirOperation op,
                    int64_t lower, int64_t upper) {
  const BerthJob *job = planner->loads[0].room->job;
  const char *broken = job->options->alias.breakRule;
  size_t does = berthPointerMapFind(&transfer->users, op.ptr);
  if (does != BERTH_NOT_FOUND && does &&
      !(does == BERTH_FIT_WRITES_SOURCE &&
        berthIsBroken(broken, "steady-sources")) &&
      !(does == BERTH_FIT_TOUCHES_TARGET &&
        berthIsBroken(broken, "awaited-targets")))
    return false;
  size_t own = berthPointerMapFind(&planner->transferOf, op.ptr);
  if (own == BERTH_NOT_FOUND &&
      !berthFitIsPlace(berthValueBehindViews(transfer->from)) &&
      berthFitMayWrite(job, op, transfer->from))
    return false;
  for (size_t i = 0; i < planner->overlap->count; ++i) {
    const BerthFitTransfer *other = &planner->overlap->transfers[i];
    if (other != transfer && other->lower < upper && lower < other->upper &&
        areAtOdds(job, transfer, other) &&
        !berthIsBroken(broken, "steady-sources"))
      return false;
  }
  return true;
}

/// The room of the memory in which a value lies; NULL: there is enough.
static BerthFitLoad *loadOf(const BerthFitOverlapPlan *planner,
                            MlirValue value) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(value));
  for (size_t i = 0; i < planner->numLoads; ++i)
    if (mlirAttributeEqual(planner->loads[i].room->level->fast.collect.space,
                           space))
      return &planner->loads[i];
  return NULL;
}

static int64_t bytesOf(MlirValue value) {
  BerthTypeSize size;
  return berthMemRefGetSize(mlirValueGetType(value),
                            mlirOpResultGetOwner(value), &size) == BERTH_SIZE_OK
             ? size.bytes
             : 0;
}

/// Lets `value` live, and the transfer be under way, at these points too, if
/// there is room for both.
static bool extend(const BerthFitOverlapPlan *planner,
                   const BerthFitTransfer *transfer, MlirValue value,
                   int64_t lower, int64_t upper) {
  BerthFitLoad *load = berthFitIsPlace(value) ? loadOf(planner, value) : NULL;
  BerthFitLoad *engine = planner->loads;
  while (engine->room->level != transfer->level)
    ++engine;
  int64_t bytes = load ? bytesOf(value) : 0;
  int64_t channels = transfer->level->channels;
  for (int64_t point = lower; point < upper; ++point)
    if ((load && load->bytes[point] + bytes > load->room->bytes) ||
        (channels && engine->underWay[point] >= channels))
      return false;
  for (int64_t point = lower; point < upper; ++point) {
    ++engine->underWay[point];
    if (load)
      load->bytes[point] += bytes;
  }
  return true;
}

static void push(BerthFitOverlap *overlap, MlirOperation **list, size_t *count,
                 size_t *capacity, MlirOperation op) {
  if (!berthMemoryReserve(&overlap->memory, list, capacity, *count + 1))
    berthOrDie(NULL);
  (*list)[(*count)++] = op;
}

/// What may itself go elsewhere, with another transfer, marks no place.
static bool mayGo(MlirOperation op) {
  return berthOpIsFree(op) || berthOpIsPlainAllocation(op);
}

/// Backwards, op by op, up to what made the source or still needs the target.
static void startEarly(BerthFitOverlapPlan *planner,
                       BerthFitTransfer *transfer) {
  const BerthPoints *points = &planner->loads[0].room->job->points;
  if (names(transfer->copy, BERTH_CONTENT_COPIED, transfer))
    return;
  size_t count = 0, capacity = 0;
  MlirOperation *before = NULL;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(transfer->copy));
       !mlirOperationEqual(op, transfer->copy);
       op = mlirOperationGetNextInBlock(op))
    push(planner->overlap, &before, &count, &capacity, op);
  while (count-- > 0) {
    MlirOperation op = before[count];
    int64_t lower = berthPointsLower(points, op);
    int64_t upper = berthPointsUpper(points, op);
    if (mlirOperationEqual(op, mlirOpResultGetOwner(transfer->to))) {
      if (!berthFitIsPlace(transfer->to))
        return; // a slice
      // What marks say of this place is not to be said of another one.
      if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_BEGINS)) ||
          !mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_COPIED)))
        return;
      transfer->made = op; // which then stands in front of the start
      continue;
    }
    // In front of it the content is in the source for the first time.
    bool isCopied = names(op, BERTH_CONTENT_COPIED, transfer);
    if ((mlirValueIsAOpResult(transfer->from) &&
         mlirOperationEqual(op, mlirOpResultGetOwner(transfer->from))) ||
        names(op, BERTH_CONTENT_BEGINS, transfer) ||
        (isCopied && (mayGo(op) || mlirOperationIsNull(transfer->made))) ||
        !mayPass(planner, transfer, op, lower, upper) ||
        !extend(planner, transfer, transfer->to, lower, upper))
      return;
    transfer->lower = lower;
    if (!mayGo(op))
      push(planner->overlap, &transfer->above, &transfer->numAbove,
           &transfer->capAbove, op);
    transfer->isCopiedThere = isCopied;
    if (isCopied)
      return;
  }
}

static bool frees(MlirOperation op, MlirValue value) {
  return berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), value);
}

/// Forwards, up to what needs the target or writes the source.
static void waitLate(BerthFitOverlapPlan *planner, BerthFitTransfer *transfer) {
  const BerthPoints *points = &planner->loads[0].room->job->points;
  MlirOperation last = berthBlockGetLast(mlirOperationGetBlock(transfer->copy));
  for (MlirOperation op = mlirOperationGetNextInBlock(transfer->copy);
       !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op)) {
    int64_t lower = berthPointsLower(points, op);
    int64_t upper = berthPointsUpper(points, op);
    if (frees(op, transfer->from)) {
      transfer->freed = op; // which then stands behind the wait
      continue;
    }
    if (!mayPass(planner, transfer, op, lower, upper) ||
        !extend(planner, transfer, transfer->from, lower, upper))
      return;
    transfer->upper = upper;
    if (!mayGo(op))
      push(planner->overlap, &transfer->below, &transfer->numBelow,
           &transfer->capBelow, op);
  }
}

//===----------------------------------------------------------------------===//
// What is live, and under way
//===----------------------------------------------------------------------===//

static BerthFitLoad loadOfRoom(const BerthFitRoom *room, BerthMemory *memory) {
  const BerthScope *scope = &room->job->scope;
  size_t count = (size_t)room->job->points.count;
  BerthFitLoad load = {.room = room,
                       .bytes = BERTH_NEW(memory, int64_t, count + 1),
                       .underWay = BERTH_NEW(memory, int64_t, count + 1)};
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *info = &scope->buffers[i];
    for (size_t k = 0; !info->reason && k < info->numSegments; ++k)
      for (int64_t p = info->segments[k].lower; p < info->segments[k].upper;
           ++p)
        load.bytes[p] += info->size;
  }
  return load;
}

/// The start in front of a wait in its block; null: there is none.
static MlirOperation startBefore(MlirOperation wait) {
  BerthDma own, dma;
  bool isDma = berthOpGetDma(wait, &own);
  intptr_t end = isDma ? own.tag : 0;
  if ((isDma && own.isStart) || end >= mlirOperationGetNumOperands(wait))
    return (MlirOperation){NULL};
  MlirValue told = mlirOperationGetOperand(wait, end);
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(wait));
       !mlirOperationEqual(op, wait); op = mlirOperationGetNextInBlock(op)) {
    bool isStart =
        berthOpGetDma(op, &dma)
            ? dma.isStart &&
                  mlirValueEqual(mlirOperationGetOperand(op, dma.tag), told)
            : mlirValueIsAOpResult(told) &&
                  mlirOperationEqual(mlirOpResultGetOwner(told), op);
    if (isStart)
      return op;
  }
  return (MlirOperation){NULL};
}

/// What goes on beside another turn already (MultiBuffer/TileTurns.h).
static MlirWalkResult countUnderWay(MlirOperation op, void *userData) {
  const BerthFitOverlapPlan *planner = userData;
  const BerthPoints *points = &planner->loads[0].room->job->points;
  bool isMarked = !mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE)) &&
                  mlirOperationGetNumResults(op) == 0;
  MlirOperation start =
      isMarked && !berthOpIsCopy(op) ? startBefore(op) : (MlirOperation){NULL};
  intptr_t source, target;
  BerthDma dma;
  if (mlirOperationIsNull(start))
    return MlirWalkResultAdvance;
  if (berthOpGetDma(start, &dma)) {
    source = dma.source;
    target = dma.target;
  } else if (!berthOpIsToldCopy(start, &source, &target)) {
    return MlirWalkResultAdvance;
  }
  const BerthFitLevel *level = berthFitLevelOfMove(
      planner, mlirValueGetType(mlirOperationGetOperand(start, source)),
      mlirValueGetType(mlirOperationGetOperand(start, target)));
  int64_t lower = berthPointsLower(points, start);
  int64_t upper = berthPointsUpper(points, op);
  for (size_t i = 0; i < planner->numLoads && lower >= 0; ++i)
    for (int64_t p = lower; p < upper && planner->loads[i].room->level == level;
         ++p)
      ++planner->loads[i].underWay[p];
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void berthFitFindLoads(BerthFitOverlapPlan *planner, const BerthFitRoom *rooms,
                       size_t numRooms) {
  BerthMemory *memory = &planner->overlap->memory;
  planner->numLoads = numRooms;
  planner->loads = BERTH_NEW(memory, BerthFitLoad, numRooms);
  for (size_t i = 0; i < numRooms; ++i)
    planner->loads[i] = loadOfRoom(&rooms[i], memory);
}

void berthFitPlanWindows(BerthFitOverlapPlan *planner) {
  const BerthFitOverlap *overlap = planner->overlap;
  for (size_t i = 0; i < overlap->count; ++i) {
    const BerthFitTransfer *transfer = &overlap->transfers[i];
    for (size_t k = 0; k < planner->numLoads; ++k)
      if (planner->loads[k].room->level == transfer->level)
        ++planner->loads[k].underWay[transfer->lower];
  }
  mlirOperationWalk(planner->loads[0].room->job->scope.op, countUnderWay,
                    planner, MlirWalkPreOrder);
  // What is wanted first is brought first; what goes out may take what is left
  // of the room.
  for (size_t i = 0; i < overlap->count; ++i)
    if (berthFitIsAwaited(overlap->transfers[i].level))
      startEarly(planner, &overlap->transfers[i]);
  for (size_t i = 0; i < overlap->count; ++i)
    if (berthFitIsAwaited(overlap->transfers[i].level))
      waitLate(planner, &overlap->transfers[i]);
}
