//===- TurnUses.c - Uses of what threads fill, within a turn --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TurnUses.h"
#include "IR/Facts/Versions.h"
#include "IR/MultiBuffer/Unwritten.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Threads/Uniformity.h"

bool berthTurnUsesRefuse(const BerthTurnUses *uses, const char *reason,
                         MlirOperation at) {
  uses->filled->reason = reason;
  uses->filled->reasonAt = at;
  return false;
}

bool berthTurnUsesIsBroken(const BerthTurnUses *uses, const char *rule) {
  return berthIsBroken(uses->job->options->alias.breakRule, rule);
}

static int64_t pointOf(const BerthTurnUses *uses, MlirOperation op) {
  return berthPointsLower(&uses->job->points, op);
}

MlirValue berthTargetOfFill(MlirOperation fill) {
  enum { kTargetOfLoad = 0 };
  return berthOpStartsAsync(fill, BERTH_ASYNC_COPY)
             ? berthAsyncCopyGet(fill).target
             : mlirOperationGetOperand(fill, kTargetOfLoad);
}

bool berthFillsSlots(const BerthFilled *list, size_t count, MlirOperation loop,
                     MlirOperation fill) {
  MlirValue target = berthValueBehindViews(berthTargetOfFill(fill));
  for (size_t i = 0; i < count; ++i)
    if (!list[i].reason && mlirOperationEqual(list[i].loop, loop) &&
        mlirValueEqual(list[i].info->value, target))
      return true;
  return false;
}

bool berthTurnUsesIsFill(const BerthTurnUses *uses, MlirOperation op) {
  const BerthBufferInfo *info = uses->filled->info;
  if (!berthOpStartsAsync(op, uses->kind))
    return false;
  MlirValue target = berthTargetOfFill(op);
  for (size_t i = 0; i < info->numAliases; ++i)
    if (mlirValueEqual(info->aliases[i], target))
      return true;
  return false;
}

bool berthTurnUsesIsSignal(const BerthTurnUses *uses, MlirOperation op) {
  int64_t mayPend;
  BerthMBarrier barrier;
  return berthOpMakesGroup(op, uses->kind) ||
         berthOpWaitsForGroups(op, uses->kind, &mayPend) ||
         (uses->kind == BERTH_ASYNC_LOAD &&
          berthOpAwaitsMBarrier(op, &barrier));
}

bool berthUsesEndWithTurn(const BerthTurnUses *uses) {
  const BerthBufferInfo *info = uses->filled->info;
  MlirRegion body = mlirBlockGetParentRegion(uses->filled->body);
  for (size_t i = 0; i < info->numAccesses; ++i) {
    MlirOperation op = info->accesses[i].op;
    MlirOperation top = berthAncestorInRegion(op, body);
    if (berthTurnUsesIsSignal(uses, op) ||
        (berthTurnUsesIsFill(uses, op) && mlirOperationEqual(op, top)))
      continue;
    if (mlirOperationIsNull(top))
      return berthTurnUsesRefuse(uses, "it is used outside of the loop", op);
    if (!berthOpIsPlainAccess(op))
      return berthTurnUsesRefuse(uses, "an op may use it beyond its turn", op);
    if (pointOf(uses, top) < pointOf(uses, uses->wait))
      return berthTurnUsesRefuse(
          uses, "it is used in the turn before the copy has ended", op);
  }
  return true;
}

/// A barrier of all threads in the body: `*isBehind` all uses, so that one
/// stands behind the last turn too, or in front of the first fill.
static bool findBarrier(const BerthTurnUses *uses, bool *isBehind) {
  const BerthBufferInfo *info = uses->filled->info;
  MlirRegion body = mlirBlockGetParentRegion(uses->filled->body);
  int64_t last = pointOf(uses, uses->wait);
  for (size_t i = 0; i < info->numAccesses; ++i) {
    MlirOperation top = berthAncestorInRegion(info->accesses[i].op, body);
    if (!mlirOperationIsNull(top) && pointOf(uses, top) > last)
      last = pointOf(uses, top);
  }
  bool isFound = *isBehind = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(uses->filled->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool isAfter = pointOf(uses, op) > last;
    if (!berthOpIsWholeBarrier(op) ||
        !berthControlIsUniform(&uses->job->scope, op, NULL) ||
        (!isAfter && pointOf(uses, op) >= pointOf(uses, uses->fills->ops[0])))
      continue;
    isFound = true;
    *isBehind |= isAfter;
  }
  return isFound;
}

bool berthUsersMeetBetweenTurns(const BerthTurnUses *uses) {
  bool isBehind;
  if (!findBarrier(uses, &isBehind) &&
      !berthTurnUsesIsBroken(uses, "slots-are-left"))
    return berthTurnUsesRefuse(
        uses,
        "no barrier of all threads stands between its last use in a "
        "turn and the next copy",
        uses->fills->ops[0]);
  uses->filled->needsBarrier =
      !isBehind && !berthStandsAtStart(uses->job, uses->filled->loop);
  return true;
}
