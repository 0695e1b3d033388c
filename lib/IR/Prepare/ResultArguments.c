//===- ResultArguments.c - Results that callers provide -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a caller gets stays what it was: a buffer that nobody else has, made at
// each call anew. So the function has to make it exactly once in a run, which
// is what an allocation in the entry block does, and to return that one from
// wherever it returns.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/ResultArguments.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Prepare/KnownCalls.h"
#include "IR/Rewrite/Callers.h"

#include <stdlib.h>

typedef struct Function {
  MlirOperation op;
  BerthCallSites sites;
  const char *obstacle; ///< why no result of it becomes an argument, or NULL
} Function;

typedef struct Run {
  MlirOperation root;
  const BerthCollectOptions *options;
  const char *breakRule;
  BerthBackup *backup;
  BerthKnownCalls known;
  size_t numFunctions, functionCapacity;
  Function *functions;
} Run;

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

static const char *functionObstacle(const BerthCallSites *sites,
                                    MlirOperation function) {
  if (sites->isOpen)
    return "it may be called from outside of the module";
  if (sites->obstacle)
    return sites->obstacle;
  return mlirAttributeIsNull(berthAttributeOf(function, "res_attrs"))
             ? NULL
             : "its results have attributes";
}

static MlirWalkResult addFunction(MlirOperation op, void *userData) {
  Run *run = userData;
  if (!berthOpIs(op, BERTH_OP_FUNCTION))
    return MlirWalkResultAdvance;
  MlirType type = berthFunctionGetType(op);
  bool returnsMemory = false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    returnsMemory |= mlirTypeIsAMemRef(mlirFunctionTypeGetResult(type, i));
  if (!returnsMemory)
    return MlirWalkResultSkip;
  BerthCallSites sites = berthFindCallSites(&run->known, op);
  const char *obstacle = functionObstacle(&sites, op);
  run->functions = berthGrow(run->functions, run->numFunctions,
                             &run->functionCapacity, sizeof *run->functions);
  run->functions[run->numFunctions++] = (Function){op, sites, obstacle};
  return MlirWalkResultSkip;
}

//===----------------------------------------------------------------------===//
// Which results
//===----------------------------------------------------------------------===//

static bool isFreed(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthEffects effects;
    berthOpSumEffects(op, buffer, &effects);
    if (berthOpIsFree(op) || berthOpIs(op, BERTH_OP_FREE_LISTED) ||
        effects.onValue & BERTH_EFFECT_FREE)
      return true;
  }
  return false;
}

/// Why the result stays one, or NULL and the allocation that it is.
static const char *resultObstacle(const Run *run, MlirOperation function,
                                  intptr_t index, MlirOperation *alloc) {
  BerthReturned returned = berthFindReturned(function, index);
  bool breaks = berthIsBroken(run->breakRule, "any-result");
  if (mlirValueIsNull(returned.value))
    return "it never returns";
  if (!returned.isOne)
    return "it is not the same value at each return";
  if (returned.isTwice)
    return "it is returned twice";
  if (!mlirValueIsAOpResult(returned.value))
    return "it is no allocation of the function";
  *alloc = mlirOpResultGetOwner(returned.value);
  // It has no operands: its size is known, and so is its layout.
  if (!berthOpIs(*alloc, BERTH_OP_ALLOC) ||
      mlirOperationGetNumOperands(*alloc) ||
      mlirOperationGetNumResults(*alloc) != 1)
    return "it is no allocation of a static size";
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (!mlirBlockEqual(mlirOperationGetBlock(*alloc), entry) && !breaks)
    return "it may be allocated several times, or not at all";
  if (berthMemoryMayBeShared(*alloc, mlirValueGetType(returned.value),
                             run->options))
    return "threads may share it";
  if (berthIsTold(*alloc))
    return "its allocation has attributes of Berth's";
  return isFreed(returned.value) ? "it may be freed in the function" : NULL;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The same call with one result less, and a buffer of its own for it.
static MlirOperation changeCall(MlirOperation call, intptr_t index,
                                MlirOperation alloc) {
  MlirOperation buffer = mlirOperationClone(alloc);
  mlirOperationSetLocation(buffer, mlirOperationGetLocation(call));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(call), call,
                                      buffer);
  MlirValue instead = mlirOperationGetResult(buffer, 0);
  berthAddOperand(call, instead);
  return berthDropCallResult(call, index, instead);
}

static void makeArgument(Run *run, size_t number, intptr_t index,
                         MlirOperation alloc) {
  berthBackupTake(run->backup, run->root);
  MlirOperation function = run->functions[number].op;
  MlirValue result = mlirOperationGetResult(alloc, 0);
  BerthCallSites *sites = &run->functions[number].sites;
  for (size_t i = 0; i < sites->count; ++i)
    sites->calls[i] = changeCall(sites->calls[i], index, alloc);
  berthDropReturned(function, index);
  MlirContext context = mlirOperationGetContext(function);
  MlirValue argument =
      berthAddArgument(function, mlirValueGetType(result),
                       mlirDictionaryAttrGet(context, 0, NULL));
  mlirValueReplaceAllUsesOfWith(result, argument);
  mlirOperationDestroy(alloc);
}

/// From the last result on, for those behind it move up.
static bool changeFunction(Run *run, size_t number) {
  MlirOperation function = run->functions[number].op;
  bool changed = false;
  intptr_t count =
      mlirFunctionTypeGetNumResults(berthFunctionGetType(function));
  for (intptr_t i = count; i-- > 0;) {
    MlirOperation alloc;
    bool isMemory = mlirTypeIsAMemRef(
        mlirFunctionTypeGetResult(berthFunctionGetType(function), i));
    if (!isMemory || resultObstacle(run, function, i, &alloc))
      continue;
    makeArgument(run, number, i, alloc);
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void sayWhatStays(const Run *run, const Function *function) {
  MlirType type = berthFunctionGetType(function->op);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i) {
    if (!mlirTypeIsAMemRef(mlirFunctionTypeGetResult(type, i)))
      continue;
    MlirOperation alloc;
    const char *why = function->obstacle
                          ? function->obstacle
                          : resultObstacle(run, function->op, i, &alloc);
    BerthText text = {0};
    berthTextAppend(&text, "result %lld becomes no argument: %s", (long long)i,
                    why);
    berthEmitRemark(function->op, BERTH_REMARK_MISSED, "berth-arena",
                    text.data);
    berthTextFree(&text);
  }
}

/// What a function returns of a call may be a buffer of its own once the callee
/// has been changed, so it goes on until nothing changes.
void berthResultsToArguments(MlirOperation root,
                             const BerthCollectOptions *options,
                             const char *breakRule, BerthBackup *backup) {
  BerthCallees *callees = berthCalleesKeep();
  Run run = {.root = root,
             .options = options,
             .breakRule = breakRule,
             .backup = backup,
             .known = berthKnownCallsCreate(root, options)};
  mlirOperationWalk(root, addFunction, &run, MlirWalkPreOrder);
  berthCalleesForget(callees);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < run.numFunctions; ++i)
      changed |= !run.functions[i].obstacle && changeFunction(&run, i);
  }
  for (size_t i = 0; i < run.numFunctions; ++i)
    sayWhatStays(&run, &run.functions[i]);
  for (size_t i = 0; i < run.numFunctions; ++i)
    free(run.functions[i].sites.calls);
  free(run.functions);
  berthKnownCallsFree(&run.known);
}
