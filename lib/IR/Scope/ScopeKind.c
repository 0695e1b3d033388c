//===- ScopeKind.c - Who runs a scope -------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host's function, a kernel, a function that kernels call, a launch: as its
// op says, or what calls it, or ops in it that only threads have.
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/ScopeKind.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Target/Target.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

bool berthIsFunctionOrLaunch(MlirOperation op) {
  return berthOpIsFunction(op) || berthOpIs(op, BERTH_OP_LAUNCH);
}

MlirOperation berthEnclosingScope(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthIsFunctionOrLaunch(op));
  return op;
}

bool berthScopeIsListed(MlirOperation op, const BerthCollectOptions *options) {
  MlirAttribute symbol = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("sym_name"));
  for (size_t i = 0; !mlirAttributeIsNull(symbol) && i < options->numKernels;
       ++i)
    if (mlirStringRefEqual(mlirStringAttrGetValue(symbol),
                           mlirStringRefCreateFromCString(options->kernels[i])))
      return true;
  return false;
}

static bool isInGpuModule(MlirOperation op) {
  while (!mlirOperationIsNull(op = mlirOperationGetParentOperation(op)))
    if (berthOpIs(op, BERTH_OP_GPU_MODULE))
      return true;
  return false;
}

/// What is known of a function that threads run, a bit each.
enum {
  kIsCalled = 1,      ///< else it may be a kernel
  kByMemory = 2,      ///< nothing but its memory says that threads run it
  kAsksForNumber = 4, ///< else each thread may be given its own
  kByCalls = 8,       ///< nothing but what it calls or who calls it says so
};

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

/// From the function that an op stands in to the one that it calls.
typedef struct CallEdge {
  MlirOperation caller, callee;
} CallEdge;

typedef struct ThreadSearch {
  BerthPointerMap found;
  bool takesAll; ///< all functions, for their memory
  size_t numCalls, capacity;
  CallEdge *calls;
} ThreadSearch;

static bool mayBeOfThreads(MlirOperation op) {
  return !mlirOperationIsNull(op) && berthOpIsFunction(op) &&
         !isInGpuModule(op);
}

static size_t visibilityOf(MlirOperation function) {
  return isPrivate(function) ? kIsCalled : 0;
}

static MlirWalkResult findThreads(MlirOperation op, void *userData) {
  ThreadSearch *search = userData;
  if (search->takesAll && mayBeOfThreads(op))
    berthPointerMapInsert(&search->found, op.ptr, visibilityOf(op) | kByMemory);
  if (!berthOpIsOfThreads(op))
    return MlirWalkResultAdvance;
  MlirOperation scope = berthEnclosingScope(op);
  if (!mayBeOfThreads(scope))
    return MlirWalkResultAdvance;
  size_t found = berthPointerMapFind(&search->found, scope.ptr);
  bool hasAsked = found != BERTH_NOT_FOUND && (found & kAsksForNumber);
  berthPointerMapSet(
      &search->found, scope.ptr,
      visibilityOf(scope) |
          (hasAsked || berthOpTellsThread(op) ? kAsksForNumber : 0));
  return MlirWalkResultAdvance;
}

static MlirWalkResult findCalls(MlirOperation op, void *userData) {
  ThreadSearch *search = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  search->calls = berthGrow(search->calls, search->numCalls, &search->capacity,
                            sizeof *search->calls);
  search->calls[search->numCalls++] =
      (CallEdge){berthEnclosingScope(op), callee};
  return MlirWalkResultAdvance;
}

/// As ops tell, in it or in those that it calls or that call it.
static bool isOfThreads(const ThreadSearch *search, MlirOperation scope) {
  if (berthOpIs(scope, BERTH_OP_LAUNCH))
    return true;
  size_t found = berthPointerMapFind(&search->found, scope.ptr);
  return found != BERTH_NOT_FOUND && !(found & kByMemory);
}

/// Adds `to` if threads run `from`.
static bool spread(ThreadSearch *search, MlirOperation from, MlirOperation to) {
  if (!isOfThreads(search, from) || isOfThreads(search, to) ||
      !mayBeOfThreads(to))
    return false;
  berthPointerMapSet(&search->found, to.ptr, visibilityOf(to) | kByCalls);
  return true;
}

static bool spreadAlongCalls(ThreadSearch *search) {
  bool isChanged = false;
  for (size_t i = 0; i < search->numCalls; ++i) {
    MlirOperation caller = search->calls[i].caller;
    MlirOperation callee = search->calls[i].callee;
    if (!mlirOperationIsNull(caller))
      isChanged |=
          spread(search, caller, callee) || spread(search, callee, caller);
  }
  return isChanged;
}

BerthPointerMap berthFindThreadFunctions(MlirOperation root,
                                         const BerthCollectOptions *options) {
  ThreadSearch search = {.takesAll = options->hasSpace && !options->oneThread &&
                                     !berthHasConcurrentUnits() &&
                                     berthSpaceMayBeShared(options->space)};
  mlirOperationWalk(root, findThreads, &search, MlirWalkPreOrder);
  if (search.found.count)
    mlirOperationWalk(root, findCalls, &search, MlirWalkPreOrder);
  while (spreadAlongCalls(&search))
    ;
  for (size_t i = 0; i < search.numCalls; ++i) {
    MlirOperation callee = search.calls[i].callee;
    size_t found = berthPointerMapFind(&search.found, callee.ptr);
    if (found != BERTH_NOT_FOUND)
      berthPointerMapSet(&search.found, callee.ptr, found | kIsCalled);
  }
  free(search.calls);
  return search.found;
}

/// What is known of the function that an op is or stands in.
static size_t findThreadFunction(MlirOperation op,
                                 const BerthCollectOptions *options) {
  return options->threadFunctions
             ? berthPointerMapFind(options->threadFunctions, op.ptr)
             : BERTH_NOT_FOUND;
}

static bool isToldKernel(MlirOperation function,
                         const BerthCollectOptions *options) {
  return berthScopeIsListed(function, options) ||
         !mlirAttributeIsNull(berthAttributeOf(function, "gpu.kernel"));
}

static BerthScopeKind scopeKind(MlirOperation op,
                                const BerthCollectOptions *options) {
  if (!berthIsFunctionOrLaunch(op))
    op = berthEnclosingScope(op);
  if (berthOpIs(op, BERTH_OP_LAUNCH))
    return BERTH_SCOPE_LAUNCH;
  if (isToldKernel(op, options))
    return BERTH_SCOPE_KERNEL;
  if (isInGpuModule(op))
    return BERTH_SCOPE_DEVICE_FUNCTION;
  // What only calls tell counts where it matters: not in a thread's own memory.
  size_t found = findThreadFunction(op, options);
  bool isOwn = berthSpaceGetUse(options->space) == BERTH_SPACE_THREAD;
  if (found != BERTH_NOT_FOUND && !((found & kByCalls) && isOwn))
    return found & kIsCalled ? BERTH_SCOPE_DEVICE_FUNCTION : BERTH_SCOPE_KERNEL;
  return BERTH_SCOPE_FUNCTION;
}

static MlirAttribute scopeSpace(const BerthScope *scope,
                                const BerthCollectOptions *options) {
  if (options->hasSpace)
    return options->space;
  if (scope->kind == BERTH_SCOPE_FUNCTION)
    return mlirAttributeGetNull();
  MlirAttribute space;
  berthSpaceOfText(mlirOperationGetContext(scope->op),
                   mlirStringRefCreateFromCString("workgroup"), &space);
  return space;
}

BerthScope berthScopeOf(MlirOperation op, const BerthCollectOptions *options) {
  BerthScope scope = {.op = op,
                      .body = mlirOperationGetRegion(op, 0),
                      .kind = scopeKind(op, options),
                      .isIteration = !berthIsFunctionOrLaunch(op),
                      .isAmongThreads = options->threadFunctions &&
                                        options->threadFunctions->count};
  MlirOperation function =
      berthIsFunctionOrLaunch(op) ? op : berthEnclosingScope(op);
  size_t found = findThreadFunction(function, options);
  if (found != BERTH_NOT_FOUND && !isToldKernel(function, options)) {
    scope.isThreadedByMemory = found & kByMemory;
    scope.mayGetNumber = !(found & kAsksForNumber);
  }
  scope.isDevice = options->isDevice;
  scope.space = scopeSpace(&scope, options);
  return scope;
}
