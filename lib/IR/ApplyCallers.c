//===- ApplyCallers.c - Callers and launches of a rewritten function ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// arena=argument gives the function a trailing argument; every caller allocates
// an arena around its call. arena=dynamic needs every launch of the kernel to
// ask for enough dynamic shared memory. Both look at the whole module before
// anything is changed.
//
//===----------------------------------------------------------------------===//

#include "IR/Build.h"
#include "IR/Job.h"
#include "IR/OpTable.h"

#include <stdlib.h>

static MlirAttribute symbolOf(MlirOperation op) {
  return berthAttributeOf(op, "sym_name");
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

typedef struct CallerWalk {
  BerthJob *job;
  MlirType arenaType;
} CallerWalk;

static bool calls(MlirOperation op, const BerthJob *job) {
  MlirOperation callee;
  return berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
         mlirOperationEqual(callee, job->scope.op);
}

static bool namesFunction(MlirAttribute attribute, const BerthJob *job) {
  return mlirAttributeIsASymbolRef(attribute) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(attribute),
                            mlirStringAttrGetValue(symbolOf(job->scope.op)));
}

/// Any use of the function's name but a plain call is an obstacle.
static MlirWalkResult checkCaller(MlirOperation op, void *userData) {
  CallerWalk *walk = userData;
  BerthJob *job = walk->job;
  if (calls(op, job)) {
    bool isPlain = berthOpIsNamed(op, "func.call");
    if (isPlain && !berthScopeIsShared(&job->scope))
      return MlirWalkResultAdvance;
    job->status = berthErrorSet(
        &job->error, BERTH_INVALID,
        isPlain ? "arena=argument: a caller of this function would have to "
                  "allocate workgroup memory in code; use arena=global"
                : "arena=argument: this function has a caller that is no "
                  "func.call");
    return MlirWalkResultInterrupt;
  }
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; ++i)
    if (namesFunction(mlirOperationGetAttribute(op, i).attribute, job)) {
      job->status = berthErrorSet(&job->error, BERTH_INVALID,
                                  "arena=argument: this function's name is "
                                  "used by an op that is no call");
      return MlirWalkResultInterrupt;
    }
  return MlirWalkResultAdvance;
}

BerthStatus berthCheckCallers(BerthJob *job) {
  CallerWalk walk = {job, {NULL}};
  mlirOperationWalk(job->root, checkCaller, &walk, MlirWalkPreOrder);
  return job->status;
}

/// Allocates an arena before the call, hands it over, frees it behind.
static MlirWalkResult changeCaller(MlirOperation op, void *userData) {
  CallerWalk *walk = userData;
  BerthJob *job = walk->job;
  if (!calls(op, job))
    return MlirWalkResultAdvance;
  MlirContext context = mlirOperationGetContext(op);
  BerthInsertPoint before = berthInsertBefore(op), behind = before;
  behind.before = mlirOperationGetNextInBlock(op);
  int32_t segments[] = {0, 0};
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "alignment", berthI64(context, job->arenaAlignment)),
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 2, segments))};
  MlirValue arena = berthBuildValue(before, "memref.alloc", 0, NULL,
                                    walk->arenaType, 2, attributes);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = malloc(((size_t)count + 1) * sizeof *operands);
  if (!operands)
    abort();
  for (intptr_t i = 0; i < count; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  operands[count] = arena;
  mlirOperationSetOperands(op, count + 1, operands);
  free(operands);
  berthBuild(behind, "memref.dealloc", 1, &arena, 0, NULL, 0, NULL);
  return MlirWalkResultAdvance;
}

/// The function's type with one more input.
static MlirType extendedType(MlirType type, MlirType input) {
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      malloc(((size_t)(numInputs + numResults) + 1) * sizeof *types);
  if (!types)
    abort();
  for (intptr_t i = 0; i < numInputs; ++i)
    types[i] = mlirFunctionTypeGetInput(type, i);
  types[numInputs] = input;
  for (intptr_t i = 0; i < numResults; ++i)
    types[numInputs + 1 + i] = mlirFunctionTypeGetResult(type, i);
  MlirType result =
      mlirFunctionTypeGet(mlirTypeGetContext(type), numInputs + 1, types,
                          numResults, types + numInputs + 1);
  free(types);
  return result;
}

/// One more (empty) dictionary where the arguments have attributes at all.
static void extendArgumentAttributes(MlirOperation function) {
  MlirAttribute old = berthAttributeOf(function, "arg_attrs");
  if (mlirAttributeIsNull(old))
    return;
  MlirContext context = mlirOperationGetContext(function);
  intptr_t count = mlirArrayAttrGetNumElements(old);
  MlirAttribute *all = malloc(((size_t)count + 1) * sizeof *all);
  if (!all)
    abort();
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirArrayAttrGetElement(old, i);
  all[count] = mlirDictionaryAttrGet(context, 0, NULL);
  berthSetAttribute(function, "arg_attrs",
                    mlirArrayAttrGet(context, count + 1, all));
  free(all);
}

MlirValue berthAddArenaArgument(BerthJob *job) {
  MlirOperation function = job->scope.op;
  CallerWalk walk = {job, berthByteMemRef(mlirOperationGetContext(function),
                                          job->arenaSize, job->scope.space)};
  mlirOperationWalk(job->root, changeCaller, &walk, MlirWalkPreOrder);
  MlirType type =
      mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
  berthSetAttribute(function, "function_type",
                    mlirTypeAttrGet(extendedType(type, walk.arenaType)));
  extendArgumentAttributes(function);
  return mlirBlockInsertArgument(mlirRegionGetFirstBlock(job->scope.body),
                                 mlirFunctionTypeGetNumInputs(type),
                                 walk.arenaType,
                                 mlirOperationGetLocation(function));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Positions in gpu.launch_func's operandSegmentSizes.
enum { kSegments = 13, kDynamicSize = 10 };

static bool launches(MlirOperation op, const BerthJob *job) {
  if (!berthOpIsNamed(op, "gpu.launch_func"))
    return false;
  MlirAttribute kernel = berthAttributeOf(op, "kernel");
  MlirOperation module = mlirOperationGetParentOperation(job->scope.op);
  return namesFunction(kernel, job) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(kernel),
                            mlirStringAttrGetValue(symbolOf(module)));
}

static MlirWalkResult findDynamicUser(MlirOperation op, void *userData) {
  bool *found = userData;
  *found |= berthOpIsNamed(op, "gpu.dynamic_shared_memory");
  return MlirWalkResultAdvance;
}

/// All users of dynamic shared memory get the same bytes, from 0 on; a called
/// function may be one of them.
BerthStatus berthCheckLaunches(BerthJob *job) {
  bool found = false;
  mlirOperationWalk(mlirOperationGetParentOperation(job->scope.op),
                    findDynamicUser, &found, MlirWalkPreOrder);
  if (found)
    return berthErrorSet(&job->error, BERTH_INVALID,
                         "arena=dynamic: the gpu.module uses dynamic shared "
                         "memory already, and all its users start at byte 0");
  return BERTH_SUCCESS;
}

static void setDynamicSize(MlirOperation op, int32_t *segments,
                           MlirValue size) {
  intptr_t position = 0;
  for (int i = 0; i < kDynamicSize; ++i)
    position += segments[i];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (segments[kDynamicSize]) {
    mlirOperationSetOperand(op, position, size);
    return;
  }
  MlirValue *operands = malloc(((size_t)count + 1) * sizeof *operands);
  if (!operands)
    abort();
  for (intptr_t i = 0; i <= count; ++i)
    operands[i] = i == position
                      ? size
                      : mlirOperationGetOperand(op, i < position ? i : i - 1);
  mlirOperationSetOperands(op, count + 1, operands);
  free(operands);
  segments[kDynamicSize] = 1;
  berthSetAttribute(
      op, "operandSegmentSizes",
      berthI32Array(mlirOperationGetContext(op), kSegments, segments));
}

static MlirWalkResult raiseLaunch(MlirOperation op, void *userData) {
  BerthJob *job = userData;
  if (!launches(op, job))
    return MlirWalkResultAdvance;
  int32_t segments[kSegments];
  MlirAttribute sizes = berthAttributeOf(op, "operandSegmentSizes");
  for (int i = 0; i < kSegments; ++i)
    segments[i] = mlirDenseI32ArrayGetElement(sizes, i);
  BerthInsertPoint at = berthInsertBefore(op);
  MlirType i32 = mlirIntegerTypeGet(mlirOperationGetContext(op), 32);
  MlirValue size = berthBuildInteger(at, i32, job->arenaSize);
  if (segments[kDynamicSize]) {
    intptr_t position = 0;
    for (int i = 0; i < kDynamicSize; ++i)
      position += segments[i];
    MlirValue both[] = {mlirOperationGetOperand(op, position), size};
    size = berthBuildValue(at, "arith.maxui", 2, both, i32, 0, NULL);
  }
  setDynamicSize(op, segments, size);
  return MlirWalkResultAdvance;
}

void berthRaiseLaunches(BerthJob *job) {
  mlirOperationWalk(job->root, raiseLaunch, job, MlirWalkPreOrder);
}
