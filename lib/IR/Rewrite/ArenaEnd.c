//===- ArenaEnd.c - Freeing an arena after its last use -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/ArenaEnd.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Worklist.h"
#include "mlir-c/BuiltinTypes.h"

/// True if nothing but memrefs made in the body leads to the buffer: no
/// pointer, no token, and no argument in which its address is kept.
static bool hasOwnMemRefsOnly(const BerthBufferInfo *buffer, MlirBlock entry) {
  for (size_t i = 0; i < buffer->numAliases; ++i) {
    MlirValue alias = buffer->aliases[i];
    if (!mlirTypeIsAMemRef(mlirValueGetType(alias)) ||
        (mlirValueIsABlockArgument(alias) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(alias), entry)))
      return false;
  }
  return true;
}

bool berthMayEndArenaEarly(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  if (job->form != BERTH_ARENA_ALLOC || scope->isDevice || scope->hasCores ||
      berthHasConcurrentUnits())
    return false;
  MlirBlock first = mlirRegionGetFirstBlock(scope->body);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(first)))
    return false;
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &scope->buffers[i];
    if (buffer->reason)
      continue;
    if (buffer->leaks || !hasOwnMemRefsOnly(buffer, first))
      return false;
    for (size_t k = 0; k < buffer->numAccesses; ++k)
      if (!berthOpIsPlainAccess(buffer->accesses[k].op))
        return false;
  }
  return true;
}

/// True if the value may lead to the arena. Addresses are integers at most.
static bool mayLead(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return !mlirTypeIsAFloat(type);
}

/// The last op of the block that has to do with the arena: each op that takes
/// what may lead there, or in which another one does, may return it.
static MlirOperation lastUse(const BerthJob *job, MlirValue arena) {
  BerthWorklist list = {0};
  MlirOperation last = {NULL};
  berthWorklistPush(&list, arena);
  while (list.numPending) {
    MlirValue value = berthWorklistPop(&list);
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (mlirValueEqual(value, arena) && berthOpIs(user, BERTH_OP_FREE))
        continue;
      MlirOperation top = berthAncestorInRegion(user, job->scope.body);
      if (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, top))
        last = top;
      while (true) {
        for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i)
          if (mayLead(mlirOperationGetResult(user, i)))
            berthWorklistPush(&list, mlirOperationGetResult(user, i));
        if (mlirOperationEqual(user, top))
          break;
        user = mlirOperationGetParentOperation(user);
      }
    }
  }
  berthWorklistFree(&list);
  return last;
}

/// The only deallocation of the arena, or null.
static MlirOperation onlyFree(MlirValue arena) {
  MlirOperation found = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!berthOpIs(user, BERTH_OP_FREE))
      continue;
    if (!mlirOperationIsNull(found))
      return (MlirOperation){NULL};
    found = user;
  }
  return found;
}

static MlirWalkResult findAllocation(MlirOperation op, void *userData) {
  BerthEffects effects;
  bool *isFound = userData;
  *isFound = berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
             effects.anywhere & BERTH_EFFECT_ALLOCATE;
  return *isFound ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if something is allocated between the two: else nobody needs the bytes.
static bool isWorthwhile(MlirOperation last, MlirOperation free) {
  bool isFound = false;
  for (MlirOperation op = mlirOperationGetNextInBlock(last);
       !isFound && !mlirOperationEqual(op, free);
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, findAllocation, &isFound, MlirWalkPreOrder);
  return isFound;
}

void berthEndArenaEarly(BerthJob *job) {
  for (size_t i = 0; i < job->numParts; ++i) {
    MlirOperation free = onlyFree(job->parts[i].value);
    MlirOperation last = lastUse(job, job->parts[i].value);
    if (mlirOperationIsNull(free) || mlirOperationIsNull(last) ||
        !mlirBlockEqual(mlirOperationGetBlock(free),
                        mlirOperationGetBlock(last)) ||
        !mlirOperationIsBeforeInBlock(last, free) || !isWorthwhile(last, free))
      continue;
    if (berthIsBroken(job->options->alias.breakRule, "early-end"))
      mlirOperationMoveBefore(free, last);
    else
      mlirOperationMoveAfter(free, last);
  }
}
