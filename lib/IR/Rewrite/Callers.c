//===- Callers.c - Callers and launches of a rewritten function -----------===//
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

#include "IR/Ops/Allocations.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Scope/Job.h"
#include "Support/Grow.h"

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

/// A reference to the function by its name, or a list of such.
static bool namesFunction(MlirAttribute attribute, const BerthJob *job) {
  intptr_t count = mlirAttributeIsAArray(attribute)
                       ? mlirArrayAttrGetNumElements(attribute)
                       : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (namesFunction(mlirArrayAttrGetElement(attribute, i), job))
      return true;
  return mlirAttributeIsASymbolRef(attribute) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(attribute),
                            mlirStringAttrGetValue(symbolOf(job->scope.op)));
}

/// Any use of the function's name but a plain call is an obstacle.
static MlirWalkResult checkCaller(MlirOperation op, void *userData) {
  CallerWalk *walk = userData;
  BerthJob *job = walk->job;
  if (calls(op, job)) {
    bool isPlain = berthOpIs(op, BERTH_OP_CALL);
    if (isPlain && !berthScopeIsShared(&job->scope))
      return MlirWalkResultAdvance;
    job->status = berthErrorSet(
        &job->error, BERTH_INVALID,
        isPlain ? "arena=argument: a caller of this function would have to "
                  "allocate workgroup memory in code; use arena=global"
                : "arena=argument: this function has a caller that "
                  "is no func.call");
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

/// One more dictionary behind those of the first `count` arguments.
static void appendArgumentAttributes(MlirOperation op, intptr_t count,
                                     MlirAttribute attributes) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute old = berthAttributeOf(op, "arg_attrs");
  MlirAttribute *all = berthAllocateOrDie((size_t)count + 1, sizeof *all);
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirAttributeIsNull(old) ? mlirDictionaryAttrGet(context, 0, NULL)
                                      : mlirArrayAttrGetElement(old, i);
  all[count] = attributes;
  berthSetAttribute(op, "arg_attrs", mlirArrayAttrGet(context, count + 1, all));
  free(all);
}

void berthAddOperand(MlirOperation op, MlirValue operand) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = berthAllocateOrDie((size_t)count + 1, sizeof *operands);
  for (intptr_t i = 0; i < count; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  operands[count] = operand;
  mlirOperationSetOperands(op, count + 1, operands);
  free(operands);
  // A call's arguments may have attributes too, one dictionary each.
  MlirAttribute none =
      mlirDictionaryAttrGet(mlirOperationGetContext(op), 0, NULL);
  if (!mlirAttributeIsNull(berthAttributeOf(op, "arg_attrs")))
    appendArgumentAttributes(op, count, none);
}

/// Allocates an arena before the call, hands it over, frees it behind.
static MlirWalkResult changeCaller(MlirOperation op, void *userData) {
  CallerWalk *walk = userData;
  BerthJob *job = walk->job;
  if (!calls(op, job))
    return MlirWalkResultAdvance;
  BerthInsertPoint before = berthInsertBefore(op), behind = before;
  behind.before = mlirOperationGetNextInBlock(op);
  MlirValue arena = berthBuildAllocation(before, /*isOnHeap=*/true,
                                         walk->arenaType, (MlirValue){NULL},
                                         job->arenaAlignment, /*isFreed=*/true);
  berthAddOperand(op, arena);
  berthBuildDealloc(behind, arena);
  return MlirWalkResultAdvance;
}

/// The function's type with one more input.
static MlirType extendedType(MlirType type, MlirType input) {
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  MlirType *types =
      berthAllocateOrDie((size_t)(numInputs + numResults) + 1, sizeof *types);
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

MlirValue berthAddArenaArgument(BerthJob *job) {
  MlirOperation function = job->scope.op;
  CallerWalk walk = {job, berthByteMemRef(mlirOperationGetContext(function),
                                          job->arenaSize, job->scope.space)};
  // An embedded function's callers hand over what they have (CalleeArenas.c).
  if (!job->isEmbedded)
    mlirOperationWalk(job->root, changeCaller, &walk, MlirWalkPreOrder);
  MlirType type =
      mlirTypeAttrGetValue(berthAttributeOf(function, "function_type"));
  berthSetAttribute(function, "function_type",
                    mlirTypeAttrGet(extendedType(type, walk.arenaType)));
  // Callers owe the arena its alignment.
  MlirContext context = mlirOperationGetContext(function);
  MlirNamedAttribute alignment =
      berthNamed(context, "llvm.align", berthI64(context, job->arenaAlignment));
  appendArgumentAttributes(function, mlirFunctionTypeGetNumInputs(type),
                           mlirDictionaryAttrGet(context, 1, &alignment));
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
  if (!berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION))
    return false;
  MlirAttribute kernel = berthAttributeOf(op, "kernel");
  MlirOperation module = mlirOperationGetParentOperation(job->scope.op);
  return namesFunction(kernel, job) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(kernel),
                            mlirStringAttrGetValue(symbolOf(module)));
}

/// Upstream lowers dynamic shared memory to a symbol of alignment 16 (NVVM) or
/// none (ROCDL), at byte 0 if the kernel has no other shared memory.
enum { kDynamicAlignment = 16 };

static bool isAddressSpace3(MlirOperation op) {
  MlirAttribute space = berthAttributeOf(op, "addr_space");
  return !mlirAttributeIsNull(space) && mlirAttributeIsAInteger(space) &&
         mlirIntegerAttrGetValueInt(space) == 3;
}

/// A symbol of shared memory, before or after lowering.
static bool isSharedSymbol(MlirOperation op, const BerthScope *scope) {
  if (berthOpIs(op, BERTH_OP_LOWERED_GLOBAL))
    return isAddressSpace3(op);
  if (!berthOpIs(op, BERTH_OP_GLOBAL))
    return false;
  MlirType type = mlirTypeAttrGetValue(berthAttributeOf(op, "type"));
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  if (mlirAttributeIsNull(space))
    return false;
  bool is3 =
      mlirAttributeIsAInteger(space) && mlirIntegerAttrGetValueInt(space) == 3;
  return is3 || mlirAttributeEqual(space, scope->space);
}

typedef struct SharedWalk {
  const BerthScope *scope;
  const char *obstacle;
} SharedWalk;

/// All users of dynamic shared memory get the same bytes, from 0 on; and where
/// static shared memory lies is up to the assembler, which may put it behind
/// the dynamic symbol (upstream makes that an ordinary one).
static MlirWalkResult findSharedUser(MlirOperation op, void *userData) {
  SharedWalk *walk = userData;
  if (berthOpIs(op, BERTH_OP_DYNAMIC_SHARED))
    walk->obstacle = "arena=dynamic: the gpu.module uses dynamic shared memory "
                     "already, and all its users start at byte 0";
  else if (isSharedSymbol(op, walk->scope))
    walk->obstacle = "arena=dynamic: the gpu.module has a global in workgroup "
                     "memory, which may get the same bytes";
  return walk->obstacle ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static const char *dynamicObstacle(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  MlirAttribute attributions =
      berthAttributeOf(scope->op, "workgroup_attributions");
  if (!mlirAttributeIsNull(attributions) &&
      mlirIntegerAttrGetValueInt(attributions) > 0)
    return "arena=dynamic: the kernel has workgroup attributions, which may "
           "get the same bytes";
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (!scope->buffers[i].reason &&
        scope->buffers[i].alignment > kDynamicAlignment)
      return "arena=dynamic: dynamic shared memory is aligned to 16 bytes, and "
             "a buffer needs more";
  SharedWalk walk = {scope, NULL};
  mlirOperationWalk(mlirOperationGetParentOperation(scope->op), findSharedUser,
                    &walk, MlirWalkPreOrder);
  return walk.obstacle;
}

BerthStatus berthCheckLaunches(BerthJob *job) {
  const char *obstacle = dynamicObstacle(job);
  return obstacle ? berthErrorSet(&job->error, BERTH_INVALID, "%s", obstacle)
                  : BERTH_SUCCESS;
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
  MlirValue *operands = berthAllocateOrDie((size_t)count + 1, sizeof *operands);
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
    size = berthBuildBinary(at, BERTH_NAME_MAX,
                            mlirOperationGetOperand(op, position), size);
  }
  setDynamicSize(op, segments, size);
  return MlirWalkResultAdvance;
}

void berthRaiseLaunches(BerthJob *job) {
  mlirOperationWalk(job->root, raiseLaunch, job, MlirWalkPreOrder);
}
