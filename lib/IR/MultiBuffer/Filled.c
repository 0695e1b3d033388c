//===- Filled.c - Buffers that a copy fills in each turn ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/Filled.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/MultiBuffer/MostSlots.h"
#include "IR/MultiBuffer/Unwritten.h"
#include "IR/MultiBuffer/Waits.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

static bool refuse(BerthFilled *filled, const char *reason, MlirOperation at) {
  filled->reason = reason;
  filled->reasonAt = at;
  return false;
}

/// The op around `op`, or itself, that stands in the body; null: none does.
static MlirOperation topInBody(const BerthFilled *filled, MlirOperation op) {
  return berthAncestorInRegion(op, mlirBlockGetParentRegion(filled->body));
}

//===----------------------------------------------------------------------===//
// The fill
//===----------------------------------------------------------------------===//

static bool isFill(const BerthAccess *access) {
  BerthDma dma;
  return access->writes && !access->reads &&
         (berthOpCopiesElements(access->op) ||
          berthOpStartsAsync(access->op, BERTH_ASYNC_COPY) ||
          berthOpStartsAsync(access->op, BERTH_ASYNC_LOAD) ||
          (berthOpIsPlainDma(access->op, &dma) && dma.isStart));
}

/// The op in whose body the copy stands. A TMA load may stand under a condition
/// there, by which one thread starts it: LoadLoops.c says no to that.
static MlirOperation opAround(MlirOperation copy) {
  MlirOperation op = mlirOperationGetParentOperation(copy);
  while (berthOpStartsAsync(copy, BERTH_ASYNC_LOAD) &&
         berthOpIs(op, BERTH_OP_IF))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// The first copy to the buffer that stands in the body of a scf.for.
static bool findFill(BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  for (size_t i = 0; i < info->numAccesses; ++i) {
    const BerthAccess *access = &info->accesses[i];
    if (!isFill(access))
      continue;
    MlirOperation loop = opAround(access->op);
    if (!berthOpIs(loop, BERTH_OP_LOOP) || berthOpIsAffine(loop))
      continue;
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    filled->fill = access->op;
    filled->loop = loop;
    filled->body = block;
    filled->isMadeInBody =
        mlirBlockEqual(mlirOperationGetBlock(info->alloc), block);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Whether slots can stand in for the buffer
//===----------------------------------------------------------------------===//

/// The most that a copy or a matrix load of a thread takes at once, which its
/// address is a multiple of.
enum { kThreadBytes = 16 };

/// A slot begins where the last one ends.
static bool canBeStacked(BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  MlirOperation none = {NULL};
  if (info->reason)
    return refuse(filled, info->reason, info->reasonAt);
  if (info->leaks)
    return refuse(filled, info->leakReason, info->leaksAt);
  MlirType type = mlirValueGetType(info->value);
  if (info->isDynamic || info->isBounded || info->isForeign ||
      !berthOpIsPlainAllocation(info->alloc) ||
      !mlirAttributeIsAAffineMap(mlirMemRefTypeGetLayout(type)) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) ||
      mlirShapedTypeGetRank(type) >= BERTH_SLICE_MAX_RANK)
    return refuse(
        filled, "it is no plain allocation of static size without gaps", none);
  if (berthIsConstrained(info->alloc))
    return refuse(filled, "its place is bound", none);
  if (info->size == 0 ||
      info->size > berthIndexMax(info->alloc) / BERTH_MOST_SLOTS)
    return refuse(filled, "it has no bytes, or too many", none);
  if (info->alignment && info->size % info->alignment)
    return refuse(filled, "its size is no multiple of its alignment", none);
  if (berthFilledByThreads(filled) && info->size % kThreadBytes)
    return refuse(filled, "its size is no multiple of 16 bytes", none);
  return true;
}

/// True if the op can be given a slot, whose type tells an offset.
static bool takesSlot(const BerthFilled *filled, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1)
    return true; // looked at by itself
  BerthSubView view;
  return berthSubViewGet(op, &view) || berthOpIs(op, BERTH_OP_DIM) ||
         mlirOperationEqual(op, filled->fill) || berthOpTakesSlices(op) ||
         berthOpStartsAsync(op, BERTH_ASYNC_COPY) ||
         berthOpStartsAsync(op, BERTH_ASYNC_LOAD) ||
         (berthOpSurelyTouches(op) &&
          mlirAttributeIsNull(berthAttributeOf(op, "alignment")));
}

static bool canBeSliced(BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  for (size_t i = 0; i < info->numAliases; ++i) {
    MlirValue alias = info->aliases[i];
    if (i > 0 &&
        (!mlirValueIsAOpResult(alias) ||
         mlirOperationIsNull(topInBody(filled, mlirOpResultGetOwner(alias)))))
      return refuse(
          filled, "more than views in the loop leads to it",
          mlirValueIsAOpResult(alias)
              ? mlirOpResultGetOwner(alias)
              : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(alias)));
    for (MlirOpOperand use = mlirValueGetFirstUse(alias);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!takesSlot(filled, use))
        return refuse(filled, "an op needs it as it is",
                      mlirOpOperandGetOwner(use));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Whether nothing goes from turn to turn
//===----------------------------------------------------------------------===//

static bool isFillWhole(const BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  for (size_t i = 0; i < info->numAccesses; ++i)
    if (mlirOperationEqual(info->accesses[i].op, filled->fill))
      return info->accesses[i].kills;
  return false;
}

/// All that is done to the buffer is done behind the fill, in its turn.
static bool endsWithTurn(const BerthJob *job, BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  bool isBroken =
      berthIsBroken(job->options->alias.breakRule, "content-ends-with-block");
  for (size_t i = 0; i < info->numAccesses; ++i) {
    MlirOperation op = info->accesses[i].op;
    MlirOperation top = topInBody(filled, op);
    if (mlirOperationIsNull(top))
      return refuse(filled, "it is used outside of the loop", op);
    if (mlirOperationEqual(op, filled->fill) ||
        mlirOperationEqual(op, filled->wait))
      continue;
    if (!berthOpIsPlainAccess(op))
      return refuse(filled, "an op may use it beyond its turn", op);
    if (berthPointsLower(&job->points, top) <
            berthPointsLower(&job->points, filled->fill) &&
        !isBroken)
      return refuse(filled, "it is used in the turn before the copy", op);
    if (!mlirOperationIsNull(filled->wait) &&
        berthPointsLower(&job->points, top) <
            berthPointsLower(&job->points, filled->wait))
      return refuse(filled, "it is used before the transfer has ended", op);
  }
  if (!filled->isMadeInBody && !isFillWhole(filled) && !isBroken)
    return refuse(filled,
                  "the copy does not fill all of it, so that content may go "
                  "from one turn to another",
                  filled->fill);
  return true;
}

/// It is freed once in each turn if that makes it, else outside of the loop.
static bool isFreedWithLoop(BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  for (size_t i = 0; i < info->numFrees; ++i) {
    MlirOperation op = info->frees[i];
    bool isInBody = mlirBlockEqual(mlirOperationGetBlock(op), filled->body);
    bool isInLoop = !mlirOperationIsNull(topInBody(filled, op));
    if (!berthOpIsFree(op) || mlirOperationGetNumOperands(op) != 1 ||
        (filled->isMadeInBody ? !isInBody || info->numFrees > 1 : isInLoop))
      return refuse(filled, "it is freed elsewhere than it is allocated", op);
  }
  return true;
}

/// The number of a slot has to fit into the loop's variable.
static bool countsTurns(BerthFilled *filled) {
  enum { kLeastWidth = 8 };
  MlirType type = mlirValueGetType(mlirBlockGetArgument(filled->body, 0));
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < kLeastWidth)
    return refuse(filled, "the loop's variable is too narrow", filled->loop);
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  if (berthLoopGetRanges(filled->loop, range) == 1 && range[0].count < 2)
    return refuse(filled, "the loop takes one turn at most", filled->loop);
  return true;
}

//===----------------------------------------------------------------------===//
// Whether the copy may move ahead
//===----------------------------------------------------------------------===//

static bool addNeeded(BerthFilled *filled, BerthWorklist *needed,
                      MlirValue value) {
  if (mlirValueEqual(value, filled->info->value))
    return true; // the slot
  if (mlirValueIsABlockArgument(value)) {
    bool isCarried =
        mlirBlockEqual(mlirBlockArgumentGetOwner(value), filled->body) &&
        mlirBlockArgumentGetArgNumber(value) > 0;
    return !isCarried ||
           refuse(filled, "what is copied depends on the turn before",
                  filled->fill);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), filled->body))
    return true;
  if (!berthOpOnlyComputes(op))
    return refuse(filled, "the copy needs what an op makes in its turn", op);
  berthWorklistAdd(needed, op.ptr);
  return true;
}

bool berthFindNeeded(BerthFilled *filled, MlirOperation fill,
                     BerthWorklist *needed) {
  berthWorklistAdd(needed, fill.ptr);
  while (needed->numPending) {
    MlirOperation op = {(void *)berthWorklistTake(needed)};
    // The tag will be another one.
    BerthDma dma;
    bool isStart = berthOpIsPlainDma(op, &dma);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!(isStart && dma.tag <= i && i <= dma.tag + dma.numTagIndices) &&
          !addNeeded(filled, needed, mlirOperationGetOperand(op, i)))
        return false;
  }
  return true;
}

static bool mayMoveAhead(const BerthJob *job, BerthFilled *filled) {
  enum { kSource = 0 };
  BerthWorklist needed = {0};
  bool mayMove = berthFindNeeded(filled, filled->fill, &needed);
  berthWorklistFree(&needed);
  if (!mayMove)
    return false;
  BerthObstacle obstacle = berthFindObstacle(
      job, filled->body, mlirOperationGetOperand(filled->fill, kSource));
  return !obstacle.reason || refuse(filled, obstacle.reason, obstacle.at);
}

/// The wait in the turn is found. If the start moves ahead, the last turns
/// stand behind the loop (LastTurns.h), so their number has to be known.
static bool endsInTurn(BerthFilled *filled, bool movesAhead) {
  if (!berthFilledByTransfer(filled))
    return true;
  BerthWait wait = berthFindWait(filled->fill);
  if (wait.reason)
    return refuse(filled, wait.reason, wait.at);
  filled->wait = wait.op;
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  MlirValue variable = mlirBlockGetArgument(filled->body, 0);
  if (movesAhead && (!mlirTypeIsAIndex(mlirValueGetType(variable)) ||
                     berthLoopGetRanges(filled->loop, range) != 1))
    return refuse(filled,
                  "how many turns the loop takes is no constant, so no wait "
                  "would surely be for the last transfer",
                  filled->loop);
  return true;
}

/// What goes by ways that nothing is known of, in a loop, may well fill it.
static bool isUsedUnknown(BerthFilled *filled) {
  const BerthBufferInfo *info = filled->info;
  for (size_t i = 0; i < info->numAccesses; ++i) {
    MlirOperation op = info->accesses[i].op, loop = op;
    while (!mlirOperationIsNull(loop) &&
           (!berthOpIs(loop, BERTH_OP_LOOP) || berthOpIsAffine(loop)))
      loop = mlirOperationGetParentOperation(loop);
    if (!berthOpIsOtherProxy(op) || mlirOperationIsNull(loop) ||
        berthOpStartsAsync(op, BERTH_ASYNC_LOAD))
      continue;
    filled->fill = op;
    filled->loop = loop;
    filled->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    refuse(filled,
           "what fills or uses it goes on behind the op, and nothing known "
           "ends it",
           op);
    return true;
  }
  return false;
}

bool berthFindFilled(const BerthJob *job, const BerthBufferInfo *info,
                     bool movesAhead, BerthFilled *filled) {
  *filled = (BerthFilled){.info = info};
  if (mlirOperationIsNull(info->alloc) || mlirValueIsNull(info->value) ||
      !mlirAttributeIsNull(berthAttributeOf(info->alloc, BERTH_SLOTS)))
    return false;
  if (!findFill(filled))
    return isUsedUnknown(filled);
  if (berthFilledByThreads(filled) || berthFilledByLoads(filled)) {
    if (canBeStacked(filled) && isFreedWithLoop(filled) && canBeSliced(filled))
      countsTurns(filled);
    return true;
  }
  if (canBeStacked(filled) && endsInTurn(filled, movesAhead) &&
      endsWithTurn(job, filled) && isFreedWithLoop(filled) &&
      canBeSliced(filled) && countsTurns(filled) && movesAhead)
    mayMoveAhead(job, filled);
  return true;
}
