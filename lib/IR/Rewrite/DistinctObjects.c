//===- DistinctObjects.c - What one arena makes untrue --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/DistinctObjects.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/Rules.h"

/// Also ops that nobody explains call what they name.
static void addCallees(BerthDistinct *search, MlirOperation op) {
  MlirOperation callee;
  BerthEffects effects;
  bool isCall = berthOpGetCallee(op, &callee);
  if (isCall && !berthFunctionIsUnseen(callee))
    berthWorklistAdd(&search->functions, callee.ptr);
  else
    search->mayBeAny |=
        isCall || (!berthOpIsRegionBranch(op) &&
                   !berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
                   berthOpNamesSymbol(op));
}

static MlirWalkResult addDistinct(MlirOperation op, void *userData) {
  BerthDistinct *search = userData;
  if (berthOpIs(op, BERTH_OP_DISTINCT))
    berthWorklistAdd(&search->ops, op.ptr);
  addCallees(search, op);
  return MlirWalkResultAdvance;
}

static void addUsers(BerthDistinct *search, const BerthBufferInfo *buffer) {
  search->mayBeAny |= buffer->leaks;
  for (size_t i = 0; i < buffer->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (berthOpIs(op, BERTH_OP_DISTINCT))
        berthWorklistAdd(&search->ops, op.ptr);
      addCallees(search, op);
    }
}

void berthListDistinct(const BerthJob *job, BerthDistinct *found) {
  const char *breakRule = job->options->alias.breakRule;
  if (berthIsBroken(breakRule, "distinct-views"))
    return;
  bool isAll = found->mayBeAny;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (!job->scope.buffers[i].reason)
      addUsers(found, &job->scope.buffers[i]);
  while (found->functions.numPending) {
    MlirOperation function = {(void *)berthWorklistTake(&found->functions)};
    mlirOperationWalk(function, addDistinct, found, MlirWalkPreOrder);
  }
  if (found->mayBeAny && !isAll && !berthIsBroken(breakRule, "no-callbacks"))
    mlirOperationWalk(job->root, addDistinct, found, MlirWalkPreOrder);
}

void berthDropDistinct(BerthDistinct *found, const char *pass) {
  BerthWorklist *ops = &found->ops;
  while (ops->numPending) {
    MlirOperation op = {(void *)berthWorklistTake(ops)};
    berthEmitRemark(op, BERTH_REMARK_ANALYSIS, pass,
                    "taken away: what it is given may lie in one arena, which "
                    "LLVM would take not to alias itself");
    intptr_t count = mlirOperationGetNumResults(op);
    for (intptr_t i = 0; i < count; ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                    mlirOperationGetOperand(op, i));
    mlirOperationDestroy(op);
  }
  berthWorklistFree(ops);
  berthWorklistFree(&found->functions);
}
