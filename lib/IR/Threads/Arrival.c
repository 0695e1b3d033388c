//===- Arrival.c - How the threads come into a function -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/Arrival.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/PointerMap.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Threads/Uniformity.h"
#include "mlir-c/BuiltinAttributes.h"

//===----------------------------------------------------------------------===//
// Finding the calls
//===----------------------------------------------------------------------===//

typedef struct CallSiteWalk {
  MlirOperation function;
  MlirStringRef name;
  BerthCallSiteCallback callback;
  void *userData;
  bool isComplete; ///< no use of the name but by calls
} CallSiteWalk;

static bool calls(MlirOperation op, MlirOperation function) {
  MlirOperation callee;
  return berthOpIs(op, BERTH_OP_CALL) && berthOpGetCallee(op, &callee) &&
         mlirOperationEqual(callee, function);
}

/// A reference to the function by its name, or a list or dictionary of such.
static bool namesFunction(MlirAttribute attribute, MlirStringRef name) {
  intptr_t count = mlirAttributeIsAArray(attribute)
                       ? mlirArrayAttrGetNumElements(attribute)
                       : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (namesFunction(mlirArrayAttrGetElement(attribute, i), name))
      return true;
  count = mlirAttributeIsADictionary(attribute)
              ? mlirDictionaryAttrGetNumElements(attribute)
              : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (namesFunction(mlirDictionaryAttrGetElement(attribute, i).attribute,
                      name))
      return true;
  return mlirAttributeIsASymbolRef(attribute) &&
         mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(attribute), name);
}

/// Each look at an attribute makes a list of all; most ops have no name.
static bool opNamesFunction(MlirOperation op, MlirStringRef name) {
  if (!berthOpNamesSymbol(op))
    return false;
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; ++i)
    if (namesFunction(mlirOperationGetAttribute(op, i).attribute, name))
      return true;
  return false;
}

/// Another function of the same name in another module only costs precision.
/// Looking up a symbol takes long where there are many.
static MlirWalkResult visitUse(MlirOperation op, void *userData) {
  CallSiteWalk *walk = userData;
  if (!opNamesFunction(op, walk->name))
    return MlirWalkResultAdvance;
  MlirOperation callee;
  bool callsAnother = berthOpIs(op, BERTH_OP_CALL) &&
                      berthOpGetCallee(op, &callee) &&
                      !mlirOperationIsNull(callee);
  if (calls(op, walk->function))
    walk->callback(op, walk->userData);
  else if (!callsAnother)
    walk->isComplete = false;
  return MlirWalkResultAdvance;
}

/// A gpu.module becomes one device program, which nothing is linked to later:
/// all its functions' callers are in it.
static bool hasNoCallersOutside(MlirOperation function) {
  if (berthOpIs(mlirOperationGetParentOperation(function), BERTH_OP_GPU_MODULE))
    return true;
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

bool berthForEachCallSite(MlirOperation function, MlirOperation root,
                          BerthCallSiteCallback callback, void *userData) {
  MlirAttribute name = berthAttributeOf(function, "sym_name");
  if (mlirAttributeIsNull(name) ||
      !berthOpIsWithin(mlirOperationGetParentOperation(function), root))
    return false;
  CallSiteWalk walk = {.function = function,
                       .name = mlirStringAttrGetValue(name),
                       .callback = callback,
                       .userData = userData,
                       .isComplete = hasNoCallersOutside(function)};
  mlirOperationWalk(root, visitUse, &walk, MlirWalkPreOrder);
  return walk.isComplete;
}

//===----------------------------------------------------------------------===//
// Do all threads come?
//===----------------------------------------------------------------------===//

/// A chain of callers that is longer, or that closes, tells nothing.
enum { kMaxCallDepth = 32 };

/// How far a function's callers have been looked at.
enum { kOpen, kDone };

typedef struct ArrivalQuery {
  const BerthCollectOptions *options;
  MlirOperation root;
  BerthPointerMap *seen; ///< functions, each looked at once
  int depth;
  size_t numCalls;
  BerthArrival worst;
  BerthScope caller; ///< of the last call looked at, with its uniformity
} ArrivalQuery;

static BerthArrival arrivalAt(MlirOperation op, ArrivalQuery query);

static void worsen(ArrivalQuery *query, BerthArrival arrival) {
  if (query->worst == BERTH_ARRIVAL_TOGETHER ||
      arrival == BERTH_ARRIVAL_DIVERGENT)
    query->worst = arrival;
}

/// Calls come in the order of the program, so those of a caller together.
static const BerthScope *enterCaller(ArrivalQuery *query,
                                     MlirOperation caller) {
  if (mlirOperationIsNull(query->caller.op) ||
      !mlirOperationEqual(query->caller.op, caller)) {
    berthScopeFreeUniformity(&query->caller);
    query->caller = berthScopeOf(caller, query->options);
    berthScopeFindUniformity(&query->caller, NULL);
  }
  return &query->caller;
}

static void addCallSite(MlirOperation call, void *userData) {
  ArrivalQuery *query = userData;
  MlirOperation caller = berthEnclosingScope(call);
  const BerthScope *scope = enterCaller(query, caller);
  ++query->numCalls;
  worsen(query, berthControlIsUniform(scope, call, NULL)
                    ? arrivalAt(caller, *query)
                    : BERTH_ARRIVAL_DIVERGENT);
}

/// What the callers of `op` add to the worst that was seen so far.
static BerthArrival arrivalAt(MlirOperation op, ArrivalQuery query) {
  BerthScope scope = berthScopeOf(op, query.options);
  if (scope.kind == BERTH_SCOPE_KERNEL || scope.kind == BERTH_SCOPE_LAUNCH)
    return BERTH_ARRIVAL_TOGETHER;
  size_t seen = berthPointerMapFind(query.seen, op.ptr);
  if (seen == kDone)
    return BERTH_ARRIVAL_TOGETHER;
  if (seen == kOpen || ++query.depth > kMaxCallDepth)
    return BERTH_ARRIVAL_UNKNOWN;
  berthPointerMapSet(query.seen, op.ptr, kOpen);
  query.worst = BERTH_ARRIVAL_TOGETHER;
  query.numCalls = 0;
  query.caller = (BerthScope){.op = {NULL}};
  bool isComplete = berthForEachCallSite(op, query.root, addCallSite, &query);
  if (!isComplete || !query.numCalls)
    worsen(&query, BERTH_ARRIVAL_UNKNOWN);
  berthScopeFreeUniformity(&query.caller);
  berthPointerMapSet(query.seen, op.ptr, kDone);
  return query.worst;
}

BerthArrival berthScopeArrival(MlirOperation scope,
                               const BerthCollectOptions *options,
                               MlirOperation root) {
  BerthPointerMap seen = {0};
  ArrivalQuery query = {.options = options, .root = root, .seen = &seen};
  BerthArrival arrival = arrivalAt(scope, query);
  berthPointerMapFree(&seen);
  return arrival;
}
