//===- Unwritten.c - What a loop leaves as it is --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy that moves ahead passes all ops of the loop. One that writes the
// source would be missed, so would be one that waits for somebody else to write
// it, and behind one that ends the program there may be nothing to read. So
// only ops of which all is known may stand there.
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/Unwritten.h"
#include "IR/MultiBuffer/Waits.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"

typedef struct Search {
  const BerthJob *job;
  MlirValue source; ///< behind all views
  bool isConstant;  ///< nobody may write it
  bool isTensor;    ///< TMA reads it, by a descriptor
  BerthObstacle found;
  bool isWritten; ///< by the op in question
} Search;

//===----------------------------------------------------------------------===//
// Different memory
//===----------------------------------------------------------------------===//

/// The buffer that the value surely is, of which all aliases are known; or
/// NULL.
static const BerthBufferInfo *knownBuffer(const BerthJob *job,
                                          MlirValue value) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (mlirOperationIsNull(buffer->callee) &&
        mlirValueEqual(buffer->value, value))
      return buffer->reason || buffer->leaks ? NULL : buffer;
  }
  return NULL;
}

static bool isAliasOf(const BerthBufferInfo *buffer, MlirValue value) {
  for (size_t i = 0; i < buffer->numAliases; ++i)
    if (mlirValueEqual(buffer->aliases[i], value))
      return true;
  return false;
}

static bool isPlainAllocation(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         berthOpIsPlainAllocation(mlirOpResultGetOwner(value));
}

static bool isGiven(const BerthJob *job, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value),
                        mlirRegionGetFirstBlock(job->scope.body));
}

/// True if both surely lead to different memory. Two arguments may be one.
static bool areApart(const BerthJob *job, MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b))
    return false;
  const BerthBufferInfo *ofA = knownBuffer(job, a), *ofB = knownBuffer(job, b);
  if ((ofA && !isAliasOf(ofA, b)) || (ofB && !isAliasOf(ofB, a)))
    return true;
  bool isOwnA = isPlainAllocation(a), isOwnB = isPlainAllocation(b);
  return (isOwnA && isOwnB) || (isOwnA && isGiven(job, b)) ||
         (isOwnB && isGiven(job, a));
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

static void noteEffect(BerthEffect effect, void *userData) {
  Search *search = userData;
  if (effect.kind == BERTH_EFFECT_READ ||
      effect.kind == BERTH_EFFECT_ALLOCATE || search->isConstant)
    return;
  if (mlirValueIsNull(effect.value) ||
      !areApart(search->job, berthValueBehindViews(effect.value),
                search->source))
    search->isWritten = true;
}

static bool writesElsewhere(MlirOperation start, const BerthDma *dma,
                            const void *data) {
  const Search *search = data;
  MlirValue target = mlirOperationGetOperand(start, dma->target);
  return search->isConstant ||
         areApart(search->job, berthValueBehindViews(target), search->source);
}

/// True for a transfer that does not write the source, and a wait that only
/// such ones need.
static bool isOtherTransfer(const Search *search, MlirOperation op) {
  BerthDma dma;
  return berthOpIsPlainDma(op, &dma) &&
         (dma.isStart ? writesElsewhere(op, &dma, search)
                      : berthWaitIsFor(op, writesElsewhere, search));
}

/// True for a barrier of all threads of a kernel, and for groups and waits of
/// their copies, or of their loads and mbarriers. Who waits at a barrier waits
/// for what others do in the loop, which is looked at too, or in front of it
/// (berthSourceIsSettled).
static bool orders(const Search *search, MlirOperation op) {
  int64_t mayPend;
  BerthMBarrierUse use;
  if (search->isTensor &&
      (berthOpIsProxyFence(op) || berthOpMakesMBarriers(op) ||
       (berthOpGetMBarrierUse(op, &use) && use.role != BERTH_MBARRIER_LOAD)))
    return true;
  return berthOpIsWholeBarrier(op) || berthOpMakesGroup(op, BERTH_ASYNC_COPY) ||
         berthOpWaitsForGroups(op, BERTH_ASYNC_COPY, &mayPend);
}

/// True for ops that are done when they are over, and wait for nobody.
static bool isKnown(MlirOperation op) {
  MlirOperation callee;
  BerthEffects effects;
  if (berthOpGetCallee(op, &callee) || berthOpIsAsync(op) ||
      berthOpMayRunLater(op) || berthOpIsTransfer(op))
    return false;
  if (berthOpIsPlainAccess(op) || berthOpIsPlainAllocation(op) ||
      berthOpIs(op, BERTH_OP_FREE) ||
      (mlirOperationGetNumRegions(op) && berthOpTellsOfRegions(op)) ||
      mlirOperationEqual(op, berthBlockGetLast(mlirOperationGetBlock(op))))
    return true;
  return berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
         effects.anywhere == 0;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Search *search = userData;
  search->isWritten = false;
  if (isOtherTransfer(search, op) || orders(search, op))
    return MlirWalkResultAdvance;
  if (!isKnown(op) && !berthOpStartsAsync(op, BERTH_ASYNC_COPY) &&
      !(search->isTensor && berthOpStartsAsync(op, BERTH_ASYNC_LOAD))) {
    search->found = (BerthObstacle){
        "the copy would pass an op that may do anything, or wait for it", op};
    return MlirWalkResultInterrupt;
  }
  berthOpGetEffects(op, noteEffect, search);
  if (search->isWritten &&
      !berthIsBroken(search->job->options->alias.breakRule, "sources-stay")) {
    search->found =
        (BerthObstacle){"an op of the loop may write what is copied", op};
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

/// What a descriptor says of itself it does not say of the tensor.
static Search searchOf(const BerthJob *job, MlirValue source) {
  Search search = {.job = job, .source = berthValueBehindViews(source)};
  search.isTensor = !mlirTypeIsAMemRef(mlirValueGetType(source));
  search.isConstant = !search.isTensor && berthMemoryIsConstant(search.source);
  return search;
}

BerthObstacle berthFindObstacle(const BerthJob *job, MlirBlock body,
                                MlirValue source) {
  Search search = searchOf(job, source);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op) && !search.found.reason;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, visit, &search, MlirWalkPreOrder);
  return search.found;
}

bool berthStandsAtStart(const BerthJob *job, MlirOperation op) {
  const BerthScope *scope = &job->scope;
  return (scope->kind == BERTH_SCOPE_KERNEL ||
          scope->kind == BERTH_SCOPE_LAUNCH) &&
         mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirRegionGetFirstBlock(scope->body));
}

BerthSourceState berthSourceStateOf(const BerthJob *job, MlirOperation loop,
                                    MlirValue source) {
  Search search = searchOf(job, source);
  bool isWhole = berthStandsAtStart(job, loop), isTouched = !isWhole;
  BerthObstacle obstacle = {NULL, {NULL}};
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
       !mlirOperationEqual(op, loop); op = mlirOperationGetNextInBlock(op)) {
    search.found = (BerthObstacle){NULL, {NULL}};
    mlirOperationWalk(op, visit, &search, MlirWalkPreOrder);
    if (search.found.reason)
      obstacle = search.found;
    isTouched |= search.found.reason != NULL;
    if (berthOpIsFullBarrier(op)) {
      obstacle.reason = NULL;
      isWhole = true;
    }
  }
  if (!isWhole || obstacle.reason)
    return BERTH_SOURCE_OPEN;
  return isTouched ? BERTH_SOURCE_SETTLED : BERTH_SOURCE_UNTOUCHED;
}
