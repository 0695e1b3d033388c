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
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Rewrite/Callers.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Arrival.h"

#include <stdlib.h>
#include <string.h>

typedef struct Site {
  MlirOperation call;
  size_t callee; ///< number of a function
} Site;

typedef struct Function {
  MlirOperation op;
  const char *obstacle; ///< why no result of it becomes an argument, or NULL
} Function;

typedef struct Run {
  MlirOperation root;
  const BerthCollectOptions *options;
  const char *breakRule;
  BerthBackup *backup;
  BerthWorklist named; ///< functions, by other ops than plain calls
  size_t numFunctions, functionCapacity;
  Function *functions;
  size_t numSites, siteCapacity;
  Site *sites;
} Run;

static MlirType typeOf(MlirOperation function) {
  return mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
}

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

static bool isCall(MlirOperation op) { return berthOpIs(op, BERTH_OP_CALL); }

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

static bool isOfHost(MlirOperation function,
                     const BerthCollectOptions *options) {
  return !mlirOperationIsNull(function) &&
         berthOpIs(function, BERTH_OP_FUNCTION) &&
         berthScopeOf(function, options).kind == BERTH_SCOPE_FUNCTION;
}

typedef struct SiteWalk {
  Run *run;
  size_t count;
  const char *obstacle;
} SiteWalk;

static void addSite(MlirOperation call, void *userData) {
  SiteWalk *walk = userData;
  Run *run = walk->run;
  ++walk->count;
  // Upstream cannot lower a memref beside a call's argument attributes.
  if (!mlirAttributeIsNull(berthAttributeOf(call, "arg_attrs")) ||
      !mlirAttributeIsNull(berthAttributeOf(call, "res_attrs")))
    walk->obstacle = "a call of it has attributes on its arguments or results";
  else if (!isOfHost(berthEnclosingScope(call), run->options))
    walk->obstacle = "a call of it stands in code that threads run";
  run->sites = berthGrow(run->sites, run->numSites, &run->siteCapacity,
                         sizeof *run->sites);
  run->sites[run->numSites++] = (Site){call, run->numFunctions};
}

/// An op of which nobody knows whether it hands values to the caller.
static bool endsStrangely(MlirOperation function) {
  for (MlirBlock block =
           mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (mlirOperationIsNull(last) ||
        (!berthOpIsReturn(last) && mlirOperationGetNumOperands(last) &&
         !mlirOperationGetNumSuccessors(last)))
      return true;
  }
  return false;
}

/// Adds the function's calls to the list, too.
static const char *functionObstacle(Run *run, MlirOperation function) {
  SiteWalk walk = {.run = run};
  bool isKnown = berthForEachCallSite(function, run->root, addSite, &walk) &&
                 !berthWorklistHasSeen(&run->named, function.ptr);
  if (!isPrivate(function) ||
      !mlirAttributeIsNull(berthAttributeOf(function, BERTH_C_INTERFACE)))
    return "it may be called from outside of the module";
  if (berthFunctionIsUnseen(function))
    return "it has no body here";
  if (!isKnown)
    return "its name is used by an op that is no plain call";
  if (!walk.count)
    return "nobody calls it";
  if (walk.obstacle)
    return walk.obstacle;
  if (!isOfHost(function, run->options))
    return "threads run it";
  if (berthFunctionIsRecursive(function))
    return "it is part of a recursion";
  if (berthFunctionIsCoroutine(function))
    return "it is a coroutine";
  if (!mlirAttributeIsNull(berthAttributeOf(function, "res_attrs")))
    return "its results have attributes";
  return endsStrangely(function) ? "it ends in an op that nobody knows" : NULL;
}

static MlirWalkResult addFunction(MlirOperation op, void *userData) {
  Run *run = userData;
  if (!berthOpIs(op, BERTH_OP_FUNCTION))
    return MlirWalkResultAdvance;
  MlirType type = typeOf(op);
  bool returnsMemory = false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    returnsMemory |= mlirTypeIsAMemRef(mlirFunctionTypeGetResult(type, i));
  if (!returnsMemory)
    return MlirWalkResultSkip;
  const char *obstacle = functionObstacle(run, op);
  run->functions = berthGrow(run->functions, run->numFunctions,
                             &run->functionCapacity, sizeof *run->functions);
  run->functions[run->numFunctions++] = (Function){op, obstacle};
  return MlirWalkResultSkip;
}

//===----------------------------------------------------------------------===//
// Which results
//===----------------------------------------------------------------------===//

typedef void (*ReturnCallback)(MlirOperation end, void *userData);

static void forEachReturn(MlirOperation function, ReturnCallback callback,
                          void *userData) {
  for (MlirBlock block =
           mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation last = berthBlockGetLast(block);
    if (berthOpIsReturn(last))
      callback(last, userData);
  }
}

typedef struct Returned {
  intptr_t index;
  MlirValue value; ///< null: there is no return
  bool isOne;      ///< all returns have this one there
  bool isTwice;    ///< one of them elsewhere, too
} Returned;

static void lookAtReturn(MlirOperation end, void *userData) {
  Returned *returned = userData;
  MlirValue value = mlirOperationGetOperand(end, returned->index);
  if (mlirValueIsNull(returned->value))
    returned->value = value;
  returned->isOne &= mlirValueEqual(returned->value, value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    returned->isTwice |= i != returned->index &&
                         mlirValueEqual(mlirOperationGetOperand(end, i), value);
}

/// Places and contents that attributes tell of are the function's own.
static bool isTold(MlirOperation alloc) {
  static const char prefix[] = "berth.";
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(alloc); ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetAttribute(alloc, i).name);
    if (name.length >= strlen(prefix) &&
        memcmp(name.data, prefix, strlen(prefix)) == 0)
      return true;
  }
  return false;
}

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
  Returned returned = {.index = index, .isOne = true};
  forEachReturn(function, lookAtReturn, &returned);
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
  if (isTold(*alloc))
    return "its allocation has attributes of Berth's";
  return isFreed(returned.value) ? "it may be freed in the function" : NULL;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void dropOperand(MlirOperation end, void *userData) {
  const intptr_t *index = userData;
  intptr_t count = mlirOperationGetNumOperands(end);
  MlirValue *operands = berthAllocateOrDie((size_t)count, sizeof *operands);
  for (intptr_t i = 0; i + 1 < count; ++i)
    operands[i] = mlirOperationGetOperand(end, i + (i >= *index));
  mlirOperationSetOperands(end, count - 1, operands);
  free(operands);
}

static void dropResult(MlirOperation function, intptr_t index) {
  MlirType type = typeOf(function);
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      berthAllocateOrDie((size_t)(numInputs + numResults), sizeof *types);
  for (intptr_t i = 0; i < numInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; i + 1 < numResults; ++i)
    types[numInputs + i] = mlirFunctionTypeGetResult(type, i + (i >= index));
  MlirType less = mlirFunctionTypeGet(mlirTypeGetContext(type), numInputs,
                                      types, numResults - 1, types + numInputs);
  free(types);
  berthSetAttribute(function, "function_type", mlirTypeAttrGet(less));
}

/// The same call with one result less, and a buffer of its own for it.
static MlirOperation changeCall(MlirOperation call, intptr_t index,
                                MlirOperation alloc) {
  BerthInsertPoint at = berthInsertBefore(call);
  MlirOperation buffer = mlirOperationClone(alloc);
  mlirOperationSetLocation(buffer, at.location);
  mlirBlockInsertOwnedOperationBefore(at.block, call, buffer);
  berthAddOperand(call, mlirOperationGetResult(buffer, 0));
  intptr_t numOperands = mlirOperationGetNumOperands(call);
  intptr_t numResults = mlirOperationGetNumResults(call);
  intptr_t numAttributes = mlirOperationGetNumAttributes(call);
  MlirValue *operands =
      berthAllocateOrDie((size_t)numOperands, sizeof *operands);
  MlirType *types = berthAllocateOrDie((size_t)numResults, sizeof *types);
  MlirNamedAttribute *attributes =
      berthAllocateOrDie((size_t)numAttributes, sizeof *attributes);
  for (intptr_t i = 0; i < numOperands; ++i)
    operands[i] = mlirOperationGetOperand(call, i);
  for (intptr_t i = 0; i + 1 < numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(call, i + (i >= index)));
  for (intptr_t i = 0; i < numAttributes; ++i)
    attributes[i] = mlirOperationGetAttribute(call, i);
  MlirOperation changed =
      berthBuild(at, BERTH_NAME_CALL, numOperands, operands, numResults - 1,
                 types, numAttributes, attributes);
  for (intptr_t i = 0; i < numResults; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(call, i),
        i == index ? mlirOperationGetResult(buffer, 0)
                   : mlirOperationGetResult(changed, i - (i > index)));
  mlirOperationDestroy(call);
  free(operands);
  free(types);
  free(attributes);
  return changed;
}

static void makeArgument(Run *run, size_t number, intptr_t index,
                         MlirOperation alloc) {
  berthBackupTake(run->backup, run->root);
  MlirOperation function = run->functions[number].op;
  MlirValue result = mlirOperationGetResult(alloc, 0);
  for (size_t i = 0; i < run->numSites; ++i)
    if (run->sites[i].callee == number)
      run->sites[i].call = changeCall(run->sites[i].call, index, alloc);
  forEachReturn(function, dropOperand, &index);
  dropResult(function, index);
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
  intptr_t count = mlirFunctionTypeGetNumResults(typeOf(function));
  for (intptr_t i = count; i-- > 0;) {
    MlirOperation alloc;
    bool isMemory =
        mlirTypeIsAMemRef(mlirFunctionTypeGetResult(typeOf(function), i));
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
  MlirType type = typeOf(function->op);
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
  Run run = {.root = root,
             .options = options,
             .breakRule = breakRule,
             .backup = backup};
  berthAddNamedFunctions(root, isCall, &run.named);
  mlirOperationWalk(root, addFunction, &run, MlirWalkPreOrder);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < run.numFunctions; ++i)
      changed |= !run.functions[i].obstacle && changeFunction(&run, i);
  }
  for (size_t i = 0; i < run.numFunctions; ++i)
    sayWhatStays(&run, &run.functions[i]);
  berthWorklistFree(&run.named);
  free(run.functions);
  free(run.sites);
}
