//===- CallerChecks.c - May callers and launches be changed? -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at the whole module before anything is changed. What calls and launches
// become is in Callers.c.
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/CallerChecks.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"

static MlirAttribute symbolOf(MlirOperation op) {
  return berthAttributeOf(op, "sym_name");
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

bool berthIsCallOf(MlirOperation op, const BerthJob *job) {
  MlirOperation callee;
  return berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
         mlirOperationEqual(callee, job->scope.op);
}

/// A reference to the function by its name, or a list of such.
static bool namesFunction(MlirAttribute attribute, MlirOperation function) {
  intptr_t count = mlirAttributeIsAArray(attribute)
                       ? mlirArrayAttrGetNumElements(attribute)
                       : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (namesFunction(mlirArrayAttrGetElement(attribute, i), function))
      return true;
  return mlirAttributeIsASymbolRef(attribute) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(attribute),
                            mlirStringAttrGetValue(symbolOf(function)));
}

/// Any use of the function's name but a plain call is an obstacle.
static MlirWalkResult checkCaller(MlirOperation op, void *userData) {
  BerthJob *job = userData;
  if (berthIsCallOf(op, job)) {
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
    if (namesFunction(mlirOperationGetAttribute(op, i).attribute,
                      job->scope.op)) {
      job->status = berthErrorSet(&job->error, BERTH_INVALID,
                                  "arena=argument: this function's name is "
                                  "used by an op that is no call");
      return MlirWalkResultInterrupt;
    }
  return MlirWalkResultAdvance;
}

BerthStatus berthCheckCallers(BerthJob *job) {
  mlirOperationWalk(job->root, checkCaller, job, MlirWalkPreOrder);
  return job->status;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

bool berthIsLaunchOf(MlirOperation op, MlirOperation function) {
  if (!berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION))
    return false;
  MlirAttribute kernel = berthAttributeOf(op, "kernel");
  MlirOperation module = mlirOperationGetParentOperation(function);
  return namesFunction(kernel, function) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(kernel),
                            mlirStringAttrGetValue(symbolOf(module)));
}

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
                     "already, perhaps of an earlier run of Berth, and all its "
                     "users start at byte 0";
  else if (isSharedSymbol(op, walk->scope))
    walk->obstacle = "arena=dynamic: the gpu.module has a global in workgroup "
                     "memory, which may get the same bytes";
  else if (berthOpIs(op, BERTH_OP_STATIC_SHARED))
    walk->obstacle = "arena=dynamic: the gpu.module has an op that is lowered "
                     "to a global in workgroup memory, which may get the same "
                     "bytes (nvgpu.mbarrier.create, gpu.all_reduce)";
  return walk->obstacle ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool berthStandsForDynamic(const BerthJob *job) {
  MlirAttribute dynamic =
      mlirStringAttrGet(mlirOperationGetContext(job->scope.op),
                        mlirStringRefCreateFromCString("dynamic"));
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    MlirAttribute existing =
        berthAttributeOf(job->scope.buffers[i].alloc, BERTH_EXISTING);
    if (!mlirAttributeIsNull(existing) && mlirAttributeEqual(existing, dynamic))
      return true;
  }
  return false;
}

const char *berthLaunchObstacle(const BerthJob *job) {
  const BerthScope *scope = &job->scope;
  MlirAttribute attributions =
      berthAttributeOf(scope->op, "workgroup_attributions");
  if (!mlirAttributeIsNull(attributions) &&
      mlirIntegerAttrGetValueInt(attributions) > 0)
    return "arena=dynamic: the kernel has workgroup attributions, which may "
           "get the same bytes";
  SharedWalk walk = {scope, NULL};
  mlirOperationWalk(mlirOperationGetParentOperation(scope->op), findSharedUser,
                    &walk, MlirWalkPreOrder);
  return walk.obstacle;
}

BerthStatus berthCheckLaunches(BerthJob *job) {
  const char *obstacle = berthLaunchObstacle(job);
  return obstacle ? berthErrorSet(&job->error, BERTH_INVALID, "%s", obstacle)
                  : BERTH_SUCCESS;
}
