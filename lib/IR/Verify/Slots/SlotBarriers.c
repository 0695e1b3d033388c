//===- SlotBarriers.c - Barriers between the turns that use a slot --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/SlotBarriers.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Runs/Uniform.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "mlir-c/BuiltinTypes.h"

/// Where all threads of the workgroup come.
typedef struct Meeting {
  BerthMemory memory;
  BerthDivergence divergence;
  bool isTogether; ///< they come into the scope together
} Meeting;

static Meeting meetingOf(const BerthSlotCheck *check) {
  MlirOperation scope = check->uses.scope;
  Meeting meeting = {0};
  bool agree = berthArgumentsAgree(scope, check->options);
  meeting.divergence = berthFindDivergence(scope, agree, NULL, &meeting.memory);
  meeting.isTogether =
      berthIsKernel(scope, check->options) ||
      (berthAllCallsAreSeen(scope, check->root) &&
       !berthSomeThreadsCall(scope, check->root, check->options));
  return meeting;
}

static bool isBarrier(const Meeting *meeting, MlirOperation op) {
  return berthOpIsWholeBarrier(op) &&
         !berthControlDiverges(&meeting->divergence, op);
}

static MlirOperation lastUse(const BerthSlotCheck *check) {
  MlirOperation last = berthSlotCopy(check, 0)->top;
  for (size_t i = 0; i < check->uses.numAccesses; ++i) {
    const BerthSlotAccess *access = &check->uses.accesses[i];
    if (berthSlotIsUse(check, i) && berthStandsBefore(last, access->top))
      last = access->top;
  }
  return last;
}

/// Between the last use of a slot and the copies for a later turn into it.
static bool isLeft(const BerthSlotCheck *check, const Meeting *meeting,
                   bool *isBehind) {
  MlirOperation copy = berthSlotCopy(check, 0)->top, last = lastUse(check);
  bool isFound = *isBehind = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(check->uses.loop.body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!isBarrier(meeting, op))
      continue;
    bool isAfter = berthStandsBefore(last, op);
    isFound |= isAfter || berthStandsBefore(op, copy);
    *isBehind |= isAfter;
  }
  return isFound;
}

bool berthSlotLoopRunsOnce(const BerthSlotCheck *check) {
  MlirOperation scope = check->uses.scope;
  return berthIsKernel(scope, check->options) &&
         mlirBlockEqual(
             mlirOperationGetBlock(check->uses.loop.op),
             mlirRegionGetFirstBlock(mlirOperationGetRegion(scope, 0)));
}

bool berthThreadsMeetBetween(const BerthSlotCheck *check, MlirOperation first,
                             MlirOperation last) {
  Meeting meeting = meetingOf(check);
  bool isFound = false;
  for (MlirOperation op = first; !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op))
    isFound |= isBarrier(&meeting, op);
  berthDivergenceFree(&meeting.divergence);
  berthMemoryFree(&meeting.memory);
  return isFound && meeting.isTogether;
}

typedef struct Source {
  MlirValue memory;
  bool isWritten;
} Source;

static void noteWrite(BerthEffect effect, void *userData) {
  Source *source = userData;
  source->isWritten |=
      (effect.kind & (BERTH_EFFECT_WRITE | BERTH_EFFECT_FREE)) &&
      (mlirValueIsNull(effect.value) ||
       berthMayBeSlotSource(effect.value, source->memory));
}

static MlirWalkResult findWrite(MlirOperation op, void *userData) {
  Source *source = userData;
  MlirOperation callee;
  if (berthOnlyOrdersSlots(op, source->memory))
    return MlirWalkResultAdvance;
  if (berthOpGetCallee(op, &callee) ||
      (!berthOpGetEffects(op, noteWrite, source) &&
       !berthOpStartsAnyAsync(op) && !mlirOperationGetNumRegions(op) &&
       !berthOpIsPlainAccess(op)))
    source->isWritten = true;
  return MlirWalkResultAdvance;
}

/// What stands in front of the first copies, up to the barrier before them.
static bool isSettled(const BerthSlotCheck *check, const Meeting *meeting,
                      MlirOperation first, bool needsBarrier) {
  for (size_t i = 0; i < check->numCopies; ++i) {
    Source source = {
        berthValueBehindViews(berthSlotSource(berthSlotCopy(check, i))), false};
    bool isConstant = berthSlotSourceIsConstant(source.memory);
    bool isMet = false, isWhole = false;
    for (MlirOperation op =
             mlirBlockGetFirstOperation(mlirOperationGetBlock(first));
         !mlirOperationEqual(op, first); op = mlirOperationGetNextInBlock(op)) {
      if (!isConstant)
        mlirOperationWalk(op, findWrite, &source, MlirWalkPreOrder);
      isMet |= isBarrier(meeting, op);
      if (!berthOpIsFullBarrier(op) || !isBarrier(meeting, op))
        continue;
      isWhole = true;
      source.isWritten = false;
    }
    bool isRight = (isMet || !needsBarrier) && !source.isWritten &&
                   (isConstant || isWhole || berthSlotLoopRunsOnce(check));
    if (!isRight)
      return false;
  }
  return true;
}

MlirOperation berthFirstSlotCopy(const BerthSlotCheck *check) {
  MlirOperation first = check->uses.loop.op;
  for (size_t i = 0; i < check->uses.numAccesses; ++i) {
    const BerthSlotAccess *access = &check->uses.accesses[i];
    if (access->place == BERTH_SLOT_BEFORE &&
        berthStandsBefore(access->top, first))
      first = access->top;
  }
  return first;
}

bool berthCheckSlotBarriers(const BerthSlotCheck *check) {
  Meeting meeting = meetingOf(check);
  bool isBehind = false;
  bool isRight = meeting.isTogether && isLeft(check, &meeting, &isBehind);
  if (!isRight)
    berthSlotIsWrong(check, berthSlotCopy(check, 0)->op,
                     "fills a slot that other threads may still use: no "
                     "barrier of all threads stands between");
  bool needsBarrier = !isBehind && !berthSlotLoopRunsOnce(check);
  if (isRight && check->ahead &&
      !isSettled(check, &meeting, berthFirstSlotCopy(check), needsBarrier))
    isRight = berthSlotIsWrong(
        check, berthFirstSlotCopy(check),
        "begins the copies of the first turns with no barrier of all threads "
        "behind what may write their source, or use their slots");
  berthDivergenceFree(&meeting.divergence);
  berthMemoryFree(&meeting.memory);
  return isRight;
}
