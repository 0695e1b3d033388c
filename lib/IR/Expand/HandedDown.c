//===- HandedDown.c - What device functions allocate, from callers --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Expand/HandedDown.h"
#include "IR/Expand/StaysInCall.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Rewrite/Callers.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Ops that are made again at a call; callers of callers.
enum { kBudget = 64, kDepth = 16 };

typedef struct Ops {
  MlirOperation *items;
  size_t count, capacity;
} Ops;

typedef struct HandDown {
  MlirOperation module;
  const BerthLaunchedList *kernels;
  int64_t least;
  BerthHandedDownCallback callback;
  void *userData;
  BerthPointerMap stays; ///< allocations that were looked at
} HandDown;

static void append(Ops *ops, MlirOperation op) {
  ops->items =
      berthGrow(ops->items, ops->count, &ops->capacity, sizeof *ops->items);
  ops->items[ops->count++] = op;
}

static bool isFunction(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FUNCTION) ||
         berthOpIs(op, BERTH_OP_GPU_FUNCTION);
}

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

typedef struct Calls {
  MlirOperation function;
  Ops ops;
  bool isNamed; ///< by something else than a call
} Calls;

static void compareName(MlirAttribute name, void *userData) {
  Calls *calls = userData;
  calls->isNamed |=
      mlirAttributeEqual(name, berthAttributeOf(calls->function, "sym_name"));
}

static MlirWalkResult findCall(MlirOperation op, void *userData) {
  Calls *calls = userData;
  MlirOperation callee = {NULL};
  bool isCall = berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee);
  if (isCall && !mlirOperationEqual(callee, calls->function))
    return MlirWalkResultAdvance;
  if (isCall && berthOpIs(op, BERTH_OP_CALL))
    append(&calls->ops, op);
  else
    berthOpForEachName(op, compareName, calls);
  return MlirWalkResultAdvance;
}

static Calls findCalls(const HandDown *run, MlirOperation function) {
  Calls calls = {.function = function};
  mlirOperationWalk(run->module, findCall, &calls, MlirWalkPreOrder);
  return calls;
}

static const BerthLaunched *kernelOf(const HandDown *run, MlirOperation op) {
  for (size_t i = 0; i < run->kernels->count; ++i)
    if (mlirOperationEqual(run->kernels->items[i].kernel, op))
      return &run->kernels->items[i];
  return NULL;
}

/// The kernel or function that an op stands in.
static MlirOperation codeAround(const HandDown *run, MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !isFunction(op) && !kernelOf(run, op));
  return op;
}

/// Why a call's caller cannot bring memory, or NULL.
static const char *whyNotFrom(const HandDown *run, MlirOperation function,
                              int depth);

static const char *whyNotCalledBy(const HandDown *run, MlirOperation call,
                                  int depth) {
  MlirOperation caller = codeAround(run, call);
  if (mlirOperationIsNull(caller))
    return "it is called by what is no kernel";
  const BerthLaunched *kernel = kernelOf(run, caller);
  if (kernel && kernel->obstacle)
    return kernel->obstacle;
  return kernel ? NULL : whyNotFrom(run, caller, depth - 1);
}

/// True for a device function: some kernel calls it, or another one does.
static bool isOfThreads(const HandDown *run, MlirOperation function,
                        int depth) {
  if (kernelOf(run, function) || depth == 0)
    return false;
  bool isOne = false;
  Calls calls = findCalls(run, function);
  for (size_t i = 0; i < calls.ops.count && !isOne; ++i) {
    MlirOperation caller = codeAround(run, calls.ops.items[i]);
    isOne = !mlirOperationIsNull(caller) &&
            (kernelOf(run, caller) || isOfThreads(run, caller, depth - 1));
  }
  free(calls.ops.items);
  return isOne;
}

static bool isSeen(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  MlirStringRef isPrivate = mlirStringRefCreateFromCString("private");
  return berthOpIs(mlirOperationGetParentOperation(function),
                   BERTH_OP_GPU_MODULE) ||
         (!mlirAttributeIsNull(visibility) &&
          mlirStringRefEqual(mlirStringAttrGetValue(visibility), isPrivate));
}

static const char *whyNotFrom(const HandDown *run, MlirOperation function,
                              int depth) {
  if (!isSeen(function))
    return "code that is not seen may call the function";
  if (depth == 0 || berthFunctionIsRecursive(function))
    return "the function may call itself";
  Calls calls = findCalls(run, function);
  const char *reason = NULL;
  if (calls.isNamed)
    reason = "the function's name is used by an op that is no plain call";
  else if (calls.ops.count == 0)
    reason = "nobody calls the function";
  for (size_t i = 0; i < calls.ops.count && !reason; ++i)
    reason = whyNotCalledBy(run, calls.ops.items[i], depth);
  free(calls.ops.items);
  return reason;
}

//===----------------------------------------------------------------------===//
// What can be made at a call
//===----------------------------------------------------------------------===//

static bool isArgument(MlirOperation function, MlirValue value) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry) &&
         mlirBlockArgumentGetArgNumber(value) <
             mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(
                 berthAttributeOf(function, "function_type")));
}

static bool canMake(MlirOperation function, MlirValue value, int *budget) {
  if (mlirValueIsABlockArgument(value))
    return isArgument(function, value);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (--*budget < 0 || !berthOpIsSpeculatable(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!canMake(function, mlirOperationGetOperand(op, i), budget))
      return false;
  return true;
}

static MlirValue make(MlirOperation call, BerthInsertPoint at,
                      MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirOperationGetOperand(call, mlirBlockArgumentGetArgNumber(value));
  MlirOperation clone = mlirOperationClone(mlirOpResultGetOwner(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(clone); ++i)
    mlirOperationSetOperand(clone, i,
                            make(call, at, mlirOperationGetOperand(clone, i)));
  mlirBlockInsertOwnedOperationBefore(at.block, at.before, clone);
  return mlirOperationGetResult(clone, mlirOpResultGetResultNumber(value));
}

/// When the region that the op stands in runs: a branch, or an scf.for, which
/// has turns then.
typedef struct Condition {
  BerthRegionRuns runs;
  MlirValue values[2];
  intptr_t numValues; ///< 0: that is not known
} Condition;

static Condition conditionOf(MlirOperation op, MlirOperation parent) {
  Condition condition = {.numValues = 0};
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  intptr_t index = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, index), region))
    ++index;
  condition.runs = berthRegionGetCondition(parent, index, condition.values);
  if (condition.runs == BERTH_RUNS_WHEN_TRUE ||
      condition.runs == BERTH_RUNS_WHEN_FALSE)
    condition.numValues = 1;
  else if (condition.runs == BERTH_RUNS_WHEN_LESS ||
           condition.runs == BERTH_RUNS_WHEN_LESS_UNSIGNED)
    condition.numValues = 2;
  return condition;
}

static const char *whyNotReached(MlirOperation function, MlirOperation op,
                                 MlirOperation parent, bool isSized,
                                 int *budget) {
  Condition condition = conditionOf(op, parent);
  if (!berthOpIs(parent, BERTH_OP_IF) && condition.numValues != 2)
    return "the function may come to it more than once";
  bool isKnown = condition.numValues > 0;
  for (intptr_t i = 0; i < condition.numValues && isSized; ++i)
    isKnown &= canMake(function, condition.values[i], budget);
  return isKnown || !isSized
             ? NULL
             : "whether it is made is not known where the function is called";
}

/// What each turn of a loop makes may be the same memory in all of them: its
/// address does not outlive the turn (StaysInCall.h), nor does the content.
static const char *whyNotMade(MlirOperation function, MlirOperation alloc) {
  int budget = kBudget;
  intptr_t count = mlirOperationGetNumOperands(alloc);
  const char *reason = NULL;
  for (intptr_t i = 0; i < count; ++i)
    if (!canMake(function, mlirOperationGetOperand(alloc, i), &budget))
      return "its size is not known where the function is called";
  MlirOperation op = alloc;
  while (!reason) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    MlirBlock block = mlirOperationGetBlock(op);
    if (!mlirBlockEqual(
            block, mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block))))
      return "the function may come to it more than once";
    if (mlirOperationEqual(parent, function))
      return NULL;
    reason = whyNotReached(function, op, parent, count > 0, &budget);
    op = parent;
  }
  return reason;
}

/// A size, or 0 where the function does not come to the allocation.
static MlirValue makeSize(MlirOperation function, MlirOperation call,
                          BerthInsertPoint at, MlirOperation alloc,
                          intptr_t operand) {
  MlirValue size = make(call, at, mlirOperationGetOperand(alloc, operand));
  MlirOperation op = alloc, parent = mlirOperationGetParentOperation(op);
  for (; !mlirOperationEqual(parent, function);
       op = parent, parent = mlirOperationGetParentOperation(op)) {
    Condition condition = conditionOf(op, parent);
    bool isUnsigned = condition.runs == BERTH_RUNS_WHEN_LESS_UNSIGNED;
    bool isInverse = condition.runs == BERTH_RUNS_WHEN_FALSE;
    MlirValue holds = make(call, at, condition.values[0]);
    if (condition.numValues == 2)
      holds = berthBuildCompare(
          at, isUnsigned ? BERTH_UNSIGNED_LESS : BERTH_SIGNED_LESS, holds,
          make(call, at, condition.values[1]));
    MlirValue none = berthBuildIndex(at, 0);
    MlirValue operands[] = {holds, isInverse ? none : size,
                            isInverse ? size : none};
    size = berthBuildValue(at, BERTH_NAME_SELECT, 3, operands,
                           mlirValueGetType(size), 0, NULL);
  }
  return size;
}

//===----------------------------------------------------------------------===//
// Moving one
//===----------------------------------------------------------------------===//

/// On the heap, since the caller may stand in a loop.
static MlirValue allocate(MlirOperation function, MlirOperation call,
                          MlirOperation alloc) {
  enum { kMost = 32 };
  MlirContext context = mlirOperationGetContext(alloc);
  BerthInsertPoint at = berthInsertBefore(call);
  at.location = mlirOperationGetLocation(alloc);
  MlirValue sizes[kMost];
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  intptr_t count = mlirOperationGetNumOperands(alloc);
  for (intptr_t i = 0; i < count; ++i)
    sizes[i] = makeSize(function, call, at, alloc, i);
  int32_t segments[] = {(int32_t)count, 0};
  MlirAttribute alignment = berthAttributeOf(alloc, "alignment");
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 2, segments)),
      berthManualDeallocation(context),
      {{NULL}, {NULL}}};
  bool isAligned = !mlirAttributeIsNull(alignment);
  if (isAligned)
    attributes[2] = berthNamed(context, "alignment", alignment);
  return berthBuildValue(at, BERTH_NAME_ALLOC, count, sizes, type,
                         2 + isAligned, attributes);
}

static void eraseFrees(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (berthOpIsFree(op))
      mlirOperationDestroy(op);
  }
}

static void handDown(const HandDown *run, MlirOperation function,
                     MlirOperation alloc) {
  Calls calls = findCalls(run, function);
  MlirContext context = mlirOperationGetContext(alloc);
  MlirValue own = mlirOperationGetResult(alloc, 0);
  for (size_t i = 0; i < calls.ops.count; ++i) {
    MlirOperation call = calls.ops.items[i];
    MlirValue brought = allocate(function, call, alloc);
    BerthInsertPoint behind = berthInsertBefore(call);
    behind.before = mlirOperationGetNextInBlock(call);
    berthAddOperand(call, brought);
    berthBuildDealloc(behind, brought);
  }
  free(calls.ops.items);
  eraseFrees(own);
  MlirValue argument = berthAddArgument(
      function, mlirValueGetType(own), mlirDictionaryAttrGet(context, 0, NULL));
  mlirValueReplaceAllUsesOfWith(own, argument);
  mlirOperationDestroy(alloc);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

typedef struct AllocSearch {
  HandDown *run;
  MlirOperation function;
  Ops found;
} AllocSearch;

static bool isCandidate(const HandDown *run, MlirOperation op) {
  if (!berthOpIsPlainAllocation(op) || mlirOperationGetNumResults(op) != 1)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  BerthTypeSize size = {0};
  intptr_t dynamic = 0;
  if (!mlirTypeIsAMemRef(type) ||
      !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)))
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    dynamic += mlirShapedTypeIsDynamicDim(type, d);
  bool isSized = berthMemRefGetSize(type, op, &size) == BERTH_SIZE_OK;
  bool isSmall = isSized && size.bytes < run->least;
  return dynamic == mlirOperationGetNumOperands(op) &&
         !(berthOpIs(op, BERTH_OP_ALLOCA) && isSmall);
}

static MlirWalkResult findAlloc(MlirOperation op, void *userData) {
  AllocSearch *search = userData;
  HandDown *run = search->run;
  if (!isCandidate(run, op) ||
      !mlirOperationEqual(codeAround(run, op), search->function) ||
      berthPointerMapFind(&run->stays, op.ptr) != BERTH_NOT_FOUND)
    return MlirWalkResultAdvance;
  append(&search->found, op);
  return MlirWalkResultAdvance;
}

static bool handDownFrom(HandDown *run, MlirOperation function) {
  AllocSearch search = {run, function, {0}};
  mlirOperationWalk(function, findAlloc, &search, MlirWalkPreOrder);
  const char *callers =
      search.found.count ? whyNotFrom(run, function, kDepth) : NULL;
  bool isAny = false;
  for (size_t i = 0; i < search.found.count; ++i) {
    MlirOperation alloc = search.found.items[i];
    const char *reason = callers;
    if (!reason)
      reason = whyNotMade(function, alloc);
    if (!reason)
      reason = berthWhyNotInCall(mlirOperationGetResult(alloc, 0));
    run->callback(alloc, reason, run->userData);
    if (reason)
      berthPointerMapInsert(&run->stays, alloc.ptr, 0);
    else
      handDown(run, function, alloc);
    isAny |= !reason;
  }
  free(search.found.items);
  return isAny;
}

static MlirWalkResult addFunction(MlirOperation op, void *userData) {
  Ops *functions = userData;
  if (isFunction(op))
    append(functions, op);
  return MlirWalkResultAdvance;
}

void berthHandDownAllocations(MlirOperation module,
                              const BerthLaunchedList *kernels, int64_t least,
                              BerthHandedDownCallback callback,
                              void *userData) {
  HandDown run = {module, kernels, least, callback, userData, {0}};
  Ops functions = {0};
  mlirOperationWalk(module, addFunction, &functions, MlirWalkPreOrder);
  for (bool isAny = true; isAny;) {
    isAny = false;
    for (size_t i = 0; i < functions.count; ++i) {
      MlirOperation function = functions.items[i];
      isAny |=
          isOfThreads(&run, function, kDepth) && handDownFrom(&run, function);
    }
  }
  berthPointerMapFree(&run.stays);
  free(functions.items);
}
