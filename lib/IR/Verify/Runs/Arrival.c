//===- Arrival.c - How threads come into a scope --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Runs/Arrival.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Runs/Uniform.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool isNamedKernel(MlirOperation scope,
                          const BerthVerifyOptions *options) {
  MlirAttribute symbol = berthAttributeOf(scope, "sym_name");
  for (size_t i = 0; !mlirAttributeIsNull(symbol) && i < options->numKernels;
       ++i)
    if (mlirStringRefEqual(mlirStringAttrGetValue(symbol),
                           mlirStringRefCreateFromCString(options->kernels[i])))
      return true;
  return false;
}

/// What `ofThreads` holds of a function, a bit each.
enum {
  kMayHaveCallers = 1,
  kOnlyByMemory = 2, ///< no op tells that threads run it
  kIsNotAsked = 4    ///< no op tells which thread runs it
};

static size_t ofThreads(MlirOperation scope,
                        const BerthVerifyOptions *options) {
  return options->ofThreads ? berthPointerMapFind(options->ofThreads, scope.ptr)
                            : BERTH_NOT_FOUND;
}

bool berthIsToldKernel(MlirOperation scope, const BerthVerifyOptions *options) {
  return berthOpIs(scope, BERTH_OP_LAUNCH) ||
         !mlirAttributeIsNull(berthAttributeOf(scope, "gpu.kernel")) ||
         isNamedKernel(scope, options);
}

bool berthIsKernel(MlirOperation scope, const BerthVerifyOptions *options) {
  size_t found = ofThreads(scope, options);
  return (found != BERTH_NOT_FOUND && !(found & kMayHaveCallers)) ||
         berthIsToldKernel(scope, options);
}

bool berthArgumentsAgree(MlirOperation scope,
                         const BerthVerifyOptions *options) {
  size_t found = ofThreads(scope, options);
  return berthIsToldKernel(scope, options) ||
         (found != BERTH_NOT_FOUND &&
          !(found & (kMayHaveCallers | kIsNotAsked)));
}

bool berthIsOfThreads(MlirOperation scope, const BerthVerifyOptions *options) {
  size_t found = ofThreads(scope, options);
  return found != BERTH_NOT_FOUND && !(found & kOnlyByMemory);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool mentions(MlirAttribute attribute, MlirStringRef name) {
  if (mlirAttributeIsASymbolRef(attribute))
    return mlirStringRefEqual(mlirSymbolRefAttrGetLeafReference(attribute),
                              name);
  bool isArray = mlirAttributeIsAArray(attribute);
  bool isDictionary = mlirAttributeIsADictionary(attribute);
  intptr_t count = isArray        ? mlirArrayAttrGetNumElements(attribute)
                   : isDictionary ? mlirDictionaryAttrGetNumElements(attribute)
                                  : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute element =
        isArray ? mlirArrayAttrGetElement(attribute, i)
                : mlirDictionaryAttrGetElement(attribute, i).attribute;
    if (mentions(element, name))
      return true;
  }
  return false;
}

/// Calls are looked up only where they mention a name: where there are many
/// functions, that takes long.
static bool opMentions(MlirOperation op, MlirStringRef name) {
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; ++i)
    if (mentions(mlirOperationGetAttribute(op, i).attribute, name))
      return true;
  return false;
}

static MlirStringRef nameOf(MlirOperation function) {
  MlirAttribute name = berthAttributeOf(function, "sym_name");
  return mlirAttributeIsNull(name) ? mlirStringRefCreateFromCString("")
                                   : mlirStringAttrGetValue(name);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

typedef struct CallSearch {
  MlirOperation root;
  const BerthVerifyOptions *options;
  MlirOperation function; ///< whose calls are looked for
  MlirStringRef name;     ///< its
  BerthPointerMap *seen;  ///< functions, so that recursion ends
  bool found;
} CallSearch;

/// The innermost function or launch around an op; null outside of such.
static MlirOperation scopeOf(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op) &&
         !berthOpIs(op, BERTH_OP_LAUNCH));
  return op;
}

static bool divergesAt(MlirOperation op, MlirOperation scope, bool agree) {
  BerthMemory memory = {0};
  BerthDivergence divergence = berthFindDivergence(scope, agree, NULL, &memory);
  bool diverges = berthControlDiverges(&divergence, op);
  berthDivergenceFree(&divergence);
  berthMemoryFree(&memory);
  return diverges;
}

static bool isCalledApart(CallSearch search, MlirOperation function);

static MlirWalkResult visitCall(MlirOperation op, void *userData) {
  CallSearch *search = userData;
  MlirOperation callee;
  bool isCall = opMentions(op, search->name) && berthOpGetCallee(op, &callee) &&
                !mlirOperationIsNull(callee) &&
                mlirOperationEqual(callee, search->function);
  MlirOperation caller = isCall ? scopeOf(op) : op;
  if (!isCall || mlirOperationIsNull(caller))
    return MlirWalkResultAdvance;
  bool isKernel = berthIsKernel(caller, search->options);
  bool agree = berthArgumentsAgree(caller, search->options);
  search->found = divergesAt(op, caller, agree) ||
                  (!isKernel && isCalledApart(*search, caller));
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isCalledApart(CallSearch search, MlirOperation function) {
  if (!berthPointerMapInsert(search.seen, function.ptr, 1))
    return false;
  search.function = function;
  search.name = nameOf(function);
  search.found = false;
  mlirOperationWalk(search.root, visitCall, &search, MlirWalkPreOrder);
  return search.found;
}

bool berthSomeThreadsCall(MlirOperation scope, MlirOperation root,
                          const BerthVerifyOptions *options) {
  if (berthIsKernel(scope, options))
    return false;
  BerthPointerMap seen = {0};
  CallSearch search = {.root = root, .options = options, .seen = &seen};
  bool isApart = isCalledApart(search, scope);
  berthPointerMapFree(&seen);
  return isApart;
}

//===----------------------------------------------------------------------===//
// Other uses of the name
//===----------------------------------------------------------------------===//

typedef struct NameSearch {
  MlirOperation function;
  MlirStringRef name;
  bool isCalled;
  bool found;
} NameSearch;

static MlirWalkResult visitName(MlirOperation op, void *userData) {
  NameSearch *search = userData;
  if (!opMentions(op, search->name))
    return MlirWalkResultAdvance;
  MlirOperation callee;
  bool isCall = berthOpIs(op, BERTH_OP_CALL) && berthOpGetCallee(op, &callee) &&
                !mlirOperationIsNull(callee);
  search->isCalled |= isCall && mlirOperationEqual(callee, search->function);
  search->found |= !isCall;
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isPrivate(MlirOperation function) {
  MlirAttribute visibility = berthAttributeOf(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("private"));
}

bool berthAllCallsAreSeen(MlirOperation function, MlirOperation root) {
  MlirOperation module = mlirOperationGetParentOperation(function);
  MlirOperation parent = module;
  while (!mlirOperationIsNull(parent) && !mlirOperationEqual(parent, root))
    parent = mlirOperationGetParentOperation(parent);
  if (mlirOperationIsNull(parent) ||
      (!berthOpIs(module, BERTH_OP_GPU_MODULE) && !isPrivate(function)))
    return false;
  NameSearch search = {.function = function, .name = nameOf(function)};
  mlirOperationWalk(root, visitName, &search, MlirWalkPreOrder);
  return search.isCalled && !search.found;
}

//===----------------------------------------------------------------------===//
// Functions of threads
//===----------------------------------------------------------------------===//

/// Outside of a gpu.module; null else.
static MlirOperation functionAround(MlirOperation op) {
  MlirOperation function = scopeOf(op), none = {NULL};
  bool isFunction =
      !mlirOperationIsNull(function) && berthOpIsFunction(function);
  return isFunction ? function : none;
}

static bool makesSharedMemory(MlirOperation op) {
  bool makes = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    BerthSpaceUse use =
        mlirTypeIsAMemRef(type)
            ? berthSpaceGetUse(mlirMemRefTypeGetMemorySpace(type))
            : BERTH_SPACE_THREAD;
    makes |=
        use == BERTH_SPACE_WORKGROUP ||
        (use == BERTH_SPACE_PERHAPS_WORKGROUP && !berthHasConcurrentUnits());
  }
  return makes;
}

/// What ops say counts more than what memory says.
static void addFunction(BerthPointerMap *found, MlirOperation function,
                        bool isTold, bool isAsked) {
  size_t bits = berthPointerMapFind(found, function.ptr);
  if (bits == BERTH_NOT_FOUND)
    bits = (isPrivate(function) ? kMayHaveCallers : 0u) | kOnlyByMemory |
           kIsNotAsked;
  if (isTold)
    bits &= ~(size_t)kOnlyByMemory;
  if (isAsked)
    bits &= ~(size_t)kIsNotAsked;
  berthPointerMapSet(found, function.ptr, bits);
}

typedef struct ThreadWalk {
  BerthPointerMap found;
  bool forThreads;
  bool hasGrown;
} ThreadWalk;

static MlirWalkResult addOfThreads(MlirOperation op, void *userData) {
  ThreadWalk *walk = userData;
  if (berthOpIs(op, BERTH_OP_GPU_MODULE))
    return MlirWalkResultSkip;
  bool isTold = berthOpIsOfThreads(op);
  MlirOperation function = {NULL};
  if (isTold || (walk->forThreads && makesSharedMemory(op)))
    function = functionAround(op);
  if (!mlirOperationIsNull(function))
    addFunction(&walk->found, function, isTold, berthOpTellsThread(op));
  return MlirWalkResultAdvance;
}

static bool isAdded(const ThreadWalk *walk, MlirOperation scope) {
  if (berthOpIs(scope, BERTH_OP_LAUNCH))
    return true;
  size_t found = berthPointerMapFind(&walk->found, scope.ptr);
  return found != BERTH_NOT_FOUND && !(found & kOnlyByMemory);
}

/// Between a function of threads and its callers and callees.
static MlirWalkResult addAlongCall(MlirOperation op, void *userData) {
  ThreadWalk *walk = userData;
  MlirOperation callee;
  if (berthOpIs(op, BERTH_OP_GPU_MODULE))
    return MlirWalkResultSkip;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  MlirOperation caller = scopeOf(op);
  if (mlirOperationIsNull(caller) ||
      isAdded(walk, caller) == isAdded(walk, callee))
    return MlirWalkResultAdvance;
  addFunction(&walk->found, isAdded(walk, caller) ? callee : caller, true,
              false);
  walk->hasGrown = true;
  return MlirWalkResultAdvance;
}

static MlirWalkResult noteCall(MlirOperation op, void *userData) {
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  size_t found = berthPointerMapFind(userData, callee.ptr);
  if (found != BERTH_NOT_FOUND)
    berthPointerMapSet(userData, callee.ptr, found | kMayHaveCallers);
  return MlirWalkResultAdvance;
}

BerthPointerMap berthFunctionsOfThreads(MlirOperation root, bool forThreads) {
  ThreadWalk walk = {.forThreads = forThreads};
  mlirOperationWalk(root, addOfThreads, &walk, MlirWalkPreOrder);
  do {
    walk.hasGrown = false;
    if (walk.found.count)
      mlirOperationWalk(root, addAlongCall, &walk, MlirWalkPreOrder);
  } while (walk.hasGrown);
  if (walk.found.count)
    mlirOperationWalk(root, noteCall, &walk.found, MlirWalkPreOrder);
  return walk.found;
}
