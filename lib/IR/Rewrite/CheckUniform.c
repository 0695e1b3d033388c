//===- CheckUniform.c - Traps for what is said to be uniform --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/CheckUniform.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Claims {
  const BerthJob *job;
  BerthOpList list;
} Claims;

static MlirWalkResult listClaim(MlirOperation op, void *userData) {
  Claims *claims = userData;
  if (!berthHasFlag(op, BERTH_UNIFORM) ||
      !mlirOperationEqual(berthEnclosingScope(op), claims->job->scope.op))
    return MlirWalkResultAdvance;
  berthOpListAdd(&claims->list, op);
  return MlirWalkResultAdvance;
}

/// The value's bits as an integer that threads can hand to one another, or
/// null.
static MlirValue bitsOf(BerthInsertPoint at, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirContext context = mlirTypeGetContext(type);
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  if (mlirTypeIsAIndex(type))
    return berthBuildValue(at, BERTH_NAME_INDEX_CAST, 1, &value, i64, 0, NULL);
  if (mlirTypeIsAFloat(type)) {
    unsigned width = mlirFloatTypeGetWidth(type);
    value = berthBuildValue(at, BERTH_NAME_BITCAST, 1, &value,
                            mlirIntegerTypeGet(context, width), 0, NULL);
    type = mlirValueGetType(value);
  }
  if (!mlirTypeIsAInteger(type) || !mlirIntegerTypeIsSignless(type) ||
      mlirIntegerTypeGetWidth(type) > 64)
    return (MlirValue){NULL};
  unsigned width = mlirIntegerTypeGetWidth(type);
  if (width == 32 || width == 64)
    return value;
  return berthBuildValue(at, BERTH_NAME_EXTEND, 1, &value,
                         width < 32 ? i32 : i64, 0, NULL);
}

static MlirValue reduce(BerthInsertPoint at, const char *how, MlirValue value) {
  MlirContext context = mlirTypeGetContext(mlirValueGetType(value));
  MlirNamedAttribute attributes[] = {
      berthNamed(
          context, "op",
          mlirAttributeParseGet(context, mlirStringRefCreateFromCString(how))),
      berthNamed(context, "uniform", mlirUnitAttrGet(context))};
  MlirType type = mlirValueGetType(value);
  return mlirOperationGetResult(
      berthBuildReduction(at, value, type, 2, attributes), 0);
}

/// Behind an op: all its results.
static void insertTraps(const BerthJob *job, MlirOperation op) {
  const char *why = NULL;
  if (job->form == BERTH_ARENA_DYNAMIC)
    why = "the check takes static shared memory, and the arena is dynamic";
  else if (job->scope.arrival == BERTH_ARRIVAL_DIVERGENT ||
           !berthControlIsUniform(&job->scope, op, NULL))
    why = "not all threads of the workgroup provably come here together";
  BerthInsertPoint at = berthInsertBefore(op);
  at.before = mlirOperationGetNextInBlock(op);
  for (intptr_t i = 0; !why && i < mlirOperationGetNumResults(op); ++i) {
    MlirValue bits = bitsOf(at, mlirOperationGetResult(op, i));
    if (mlirValueIsNull(bits)) {
      why = "its type is neither an integer nor a float";
      break;
    }
    MlirValue least = reduce(at, "#gpu<all_reduce_op minui>", bits);
    MlirValue most = reduce(at, "#gpu<all_reduce_op maxui>", bits);
    berthBuildAssert(at, berthBuildCompare(at, BERTH_EQUAL, least, most),
                     "berth.uniform: the threads of a workgroup got different "
                     "values");
  }
  if (!why)
    return;
  BerthText text = {0};
  berthTextAppend(&text, "check-uniform does not check this: %s", why);
  berthEmitRemark(op, BERTH_REMARK_MISSED, "berth-arena", text.data);
  berthTextFree(&text);
}

void berthCheckUniform(BerthJob *job) {
  if (!berthScopeIsShared(&job->scope) || job->scope.isIteration)
    return;
  Claims claims = {.job = job};
  mlirOperationWalk(job->scope.op, listClaim, &claims, MlirWalkPreOrder);
  if (claims.list.count)
    berthScopeFindUniformity(&job->scope, job->options->alias.breakRule);
  for (size_t i = 0; i < claims.list.count; ++i)
    insertTraps(job, claims.list.ops[i]);
  free(claims.list.ops);
}
