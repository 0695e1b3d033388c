//===- Collect.c - Scopes and their allocations ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation is an op whose one memref result carries an Allocate effect,
// whatever its name. One that does more (bufferization.clone copies,
// memref.realloc copies and frees) is a buffer too, but not one to be replaced
// by a view.
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Collect.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/ForeignLayout.h"
#include "IR/Ops/ForeignType.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/Target.h"
#include "IR/Ops/Text.h"
#include "Support/Nearest.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static bool hasBody(MlirOperation op) {
  return mlirOperationGetNumRegions(op) > 0 &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

static bool isFunctionOrLaunch(MlirOperation op) {
  return berthOpIsFunction(op) || berthOpIs(op, BERTH_OP_LAUNCH);
}

MlirOperation berthEnclosingScope(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !isFunctionOrLaunch(op));
  return op;
}

/// A parallel op in code that runs. Where threads share the memory, whether
/// each of them makes an instance of a buffer is not what the op says.
static bool isIteration(MlirOperation op, const BerthCollectOptions *options) {
  if (!options->iterations || !berthOpIsParallelBody(op) ||
      mlirOperationIsNull(berthEnclosingScope(op)))
    return false;
  BerthScope scope = berthScopeOf(op, options);
  return !berthScopeIsShared(&scope);
}

static bool isScope(MlirOperation op, const BerthCollectOptions *options) {
  return hasBody(op) && (isFunctionOrLaunch(op) || isIteration(op, options));
}

typedef struct ScopeWalk {
  const BerthCollectOptions *options;
  BerthScopeCallback callback;
  void *userData;
} ScopeWalk;

static MlirWalkResult visitScope(MlirOperation op, void *userData) {
  ScopeWalk *walk = userData;
  MlirOperation only = walk->options->expanded;
  bool isMeant = mlirOperationIsNull(only) || mlirOperationEqual(op, only);
  if (isMeant && isScope(op, walk->options))
    walk->callback(op, walk->userData);
  return MlirWalkResultAdvance;
}

void berthForEachScope(MlirOperation root, const BerthCollectOptions *options,
                       BerthScopeCallback callback, void *userData) {
  ScopeWalk walk = {options, callback, userData};
  mlirOperationWalk(root, visitScope, &walk, MlirWalkPreOrder);
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
  if (!isFunctionOrLaunch(op))
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

//===----------------------------------------------------------------------===//
// Memory spaces
//===----------------------------------------------------------------------===//

/// The word or memory that a text is most like, if it is but a slip away from
/// it; else NULL.
static const char *nearestSpace(const char *text) {
  static const char *const words[] = {"default", "workgroup", "private", "gpu"};
  enum { kNumWords = sizeof words / sizeof *words };
  if (strcasecmp(text, "shared") == 0) // as CUDA calls it
    return words[1];
  const BerthTarget *target = berthTargetCurrent();
  size_t length = strlen(text);
  size_t least = length / 3 + 1;
  const char *nearest = NULL;
  for (size_t i = 0; i < kNumWords + berthTargetNumMemories(target); ++i) {
    const char *name = i < kNumWords
                           ? words[i]
                           : berthTargetGetMemory(target, i - kNumWords)->space;
    size_t far = berthNameDistance(text, length, name);
    if (far >= least)
      continue;
    nearest = name;
    least = far;
  }
  return nearest;
}

/// Says what may have been meant: a word, an attribute or a string.
static BerthStatus refuseSpace(MlirContext context, const char *text,
                               BerthError *error) {
  BerthText hint = {0};
  const char *nearest = nearestSpace(text);
  MlirStringRef dialect = {text + 1, strcspn(text + 1, ".<")};
  if (nearest)
    berthTextAppend(&hint, "the nearest one is '%s'", nearest);
  else if (text[0] != '#')
    berthTextAppend(&hint,
                    "for the string \"%s\" write space={\"%s\"}, all of it in "
                    "single quotes of the shell",
                    text, text);
  else if (mlirDialectIsNull(mlirContextGetOrLoadDialect(context, dialect)))
    berthTextAppend(&hint,
                    "nothing here knows the dialect '%.*s': a target "
                    "description tells of it",
                    (int)dialect.length, dialect.data);
  else
    berthTextAppend(&hint, "it is no attribute of the dialect '%.*s'",
                    (int)dialect.length, dialect.data);
  berthErrorSet(error, BERTH_INVALID,
                "space '%s' is neither default, workgroup, private, gpu, a "
                "memory of the target description nor the text of an "
                "attribute; %s",
                text, hint.data);
  berthTextFree(&hint);
  return BERTH_INVALID;
}

BerthStatus berthParseSpace(MlirContext context, const char *text,
                            BerthCollectOptions *options, BerthError *error) {
  options->hasSpace = text && *text;
  options->space = mlirAttributeGetNull();
  if (!options->hasSpace || strcmp(text, "default") == 0)
    return BERTH_SUCCESS;
  const BerthTargetMemory *memory =
      berthTargetFindMemory(berthTargetCurrent(), context, text);
  options->isDevice = strcmp(text, "gpu") == 0 && !memory;
  if (options->isDevice)
    return BERTH_SUCCESS;
  bool isSpace = berthSpaceOfText(context, mlirStringRefCreateFromCString(text),
                                  &options->space);
  return isSpace || memory ? BERTH_SUCCESS : refuseSpace(context, text, error);
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

/// Types do not tell the memory of a device from the host's: what allocates
/// does.
static bool isInSpace(const BerthScope *scope, MlirOperation alloc,
                      MlirAttribute space) {
  if (scope->isDevice && !berthOpIs(alloc, BERTH_OP_DEVICE_ALLOC))
    return false;
  if (mlirAttributeIsNull(scope->space) || mlirAttributeIsNull(space))
    return mlirAttributeIsNull(scope->space) && mlirAttributeIsNull(space);
  return mlirAttributeEqual(space, scope->space);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

typedef struct AllocWalk {
  BerthScope *scope;
  const BerthCollectOptions *options;
  size_t capacity;
  // Of the op at hand:
  MlirValue found; ///< what it allocates
  bool doesMore;   ///< it has other effects as well
} AllocWalk;

static void noteAllocation(BerthEffect effect, void *userData) {
  AllocWalk *walk = userData;
  walk->doesMore |= effect.kind != BERTH_EFFECT_ALLOCATE;
  BerthToldAllocation told;
  // Some ops say that they allocate an argument of a block.
  if (effect.kind == BERTH_EFFECT_ALLOCATE && !mlirValueIsNull(effect.value) &&
      mlirValueIsAOpResult(effect.value) &&
      (mlirTypeIsAMemRef(mlirValueGetType(effect.value)) ||
       berthOpIsToldAllocation(mlirOpResultGetOwner(effect.value), &told)))
    walk->found = effect.value;
}

//===----------------------------------------------------------------------===//
// Sizes known only at run time
//===----------------------------------------------------------------------===//

BerthStatus berthParseDynamic(const char *text, BerthDynamic *dynamic,
                              BerthError *error) {
  static const char *const names[] = {"off", "bounded", "symbolic"};
  for (int i = 0; i <= BERTH_DYNAMIC_SYMBOLIC; ++i)
    if (strcmp(text, names[i]) == 0) {
      *dynamic = (BerthDynamic)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(
      error, BERTH_INVALID, "dynamic '%s' is none of off, bounded, symbolic%s",
      text, berthNearest(text, names, BERTH_DYNAMIC_SYMBOLIC + 1).text);
}

/// Allocated by memref.alloc or memref.alloca with the identity layout: the
/// size is the product of the operands and the static dimensions.
static bool isProduct(const BerthBufferInfo *buffer) {
  MlirType type = mlirValueGetType(buffer->value);
  bool isKnownOp = berthOpIsPlainAllocation(buffer->alloc);
  MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  return isKnownOp && mlirAttributeIsAAffineMap(layout) &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type));
}

/// Sets `unitBytes`: all that is static of the product. False if it overflows.
static bool findUnit(BerthBufferInfo *buffer, int64_t elementBytes) {
  MlirType type = mlirValueGetType(buffer->value);
  int64_t rank = mlirShapedTypeGetRank(type);
  buffer->unitBytes = elementBytes;
  for (int64_t i = 0; i < rank; ++i)
    if (!mlirShapedTypeIsDynamicDim(type, i) &&
        __builtin_mul_overflow(buffer->unitBytes,
                               mlirShapedTypeGetDimSize(type, i),
                               &buffer->unitBytes))
      return false;
  return true;
}

/// The product with each operand at its largest.
static bool boundByOperands(const BerthBufferInfo *buffer, int64_t *size) {
  *size = buffer->unitBytes;
  intptr_t numOperands = mlirOperationGetNumOperands(buffer->alloc);
  for (intptr_t i = 0; i < numOperands; ++i) {
    int64_t bound;
    MlirValue operand = mlirOperationGetOperand(buffer->alloc, i);
    if (!berthValueGetUpperBound(operand, &bound) ||
        __builtin_mul_overflow(*size, bound, size))
      return false;
  }
  return true;
}

/// The attribute `berth.upper_bound`: bytes of the whole buffer.
static bool boundByAttribute(const BerthBufferInfo *buffer, int64_t *size) {
  MlirAttribute bound = mlirOperationGetAttributeByName(
      buffer->alloc, mlirStringRefCreateFromCString(BERTH_UPPER_BOUND));
  if (mlirAttributeIsNull(bound) || !mlirAttributeIsAInteger(bound))
    return false;
  *size = mlirIntegerAttrGetValueInt(bound);
  return *size > 0;
}

/// Makes a static or a dynamic buffer of one whose type does not tell its size.
/// False: it stays out.
static bool describeDynamic(const BerthCollectOptions *options,
                            BerthBufferInfo *buffer, int64_t elementBytes) {
  if (options->dynamic == BERTH_DYNAMIC_OFF || !isProduct(buffer) ||
      !findUnit(buffer, elementBytes))
    return false;
  int64_t size;
  // Whether an attribute is right a kernel cannot check; and 2^32 threads at
  // most, say, are no bound for memory that each of them has.
  enum { kMostOfThread = 1 << 20 };
  bool believes = mlirOperationIsNull(options->expanded);
  if ((believes && boundByAttribute(buffer, &size)) ||
      (boundByOperands(buffer, &size) && (believes || size <= kMostOfThread))) {
    buffer->size = size;
    buffer->isBounded = true;
    return true;
  }
  buffer->isDynamic = options->dynamic == BERTH_DYNAMIC_SYMBOLIC;
  return buffer->isDynamic;
}

static const char *sizeReason(BerthSizeResult result) {
  switch (result) {
  case BERTH_SIZE_OK:
    return NULL;
  case BERTH_SIZE_DYNAMIC:
    return "its size is known only at run time";
  case BERTH_SIZE_LAYOUT:
    return "its layout is not a strided one with non-negative strides, and no "
           "target description or berth.size tells its bytes";
  case BERTH_SIZE_TYPE:
    return "no target description or berth.size tells its bytes";
  case BERTH_SIZE_ELEMENT:
    return "its element type has no fixed size";
  case BERTH_SIZE_OVERFLOW:
    return "its size in bytes exceeds 2^63 - 1";
  }
  return "its size is unknown";
}

/// The attribute `berth.size`: bytes of a buffer whose type does not tell them.
/// What an earlier plan left there may be less than the description tells now.
static bool sizeByAttribute(MlirOperation alloc, MlirType type,
                            int64_t *bytes) {
  MlirAttribute size = berthAttributeOf(alloc, BERTH_SIZE);
  if (mlirAttributeIsNull(size) || !mlirAttributeIsAInteger(size))
    return false;
  int64_t written = mlirIntegerAttrGetValueInt(size);
  if (!berthTypeTellsBytes(type, alloc, bytes) || *bytes < written)
    *bytes = written;
  return written >= 0;
}

/// The size where the layout is none that MLIR knows: by what a target
/// description says of it, or by the allocation's own attribute.
static BerthSizeResult foreignSize(const BerthBufferInfo *buffer,
                                   BerthTypeSize *size) {
  int64_t count;
  MlirAttribute layout =
      mlirMemRefTypeGetLayout(mlirValueGetType(buffer->value));
  if (mlirAttributeIsAAffineMap(layout) ||
      mlirAttributeIsAStridedLayout(layout))
    return BERTH_SIZE_LAYOUT;
  if (sizeByAttribute(buffer->alloc, mlirValueGetType(buffer->value),
                      &size->bytes))
    return BERTH_SIZE_OK;
  if (!berthForeignLayoutCount(mlirValueGetType(buffer->value), &count))
    return BERTH_SIZE_LAYOUT;
  return __builtin_mul_overflow(count, size->elementBytes, &size->bytes)
             ? BERTH_SIZE_OVERFLOW
             : BERTH_SIZE_OK;
}

static int64_t ownAlignment(MlirOperation alloc) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(
      alloc, mlirStringRefCreateFromCString("alignment"));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return 1;
  int64_t value = mlirIntegerAttrGetValueInt(attribute);
  return value > 0 ? value : 1;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/// Malloc's alignment, or for less bytes than that what the size allows. Other
/// memories, and the stack, promise nothing.
static int64_t promisedAlignment(const AllocWalk *walk,
                                 const BerthBufferInfo *buffer) {
  bool isHeap = berthOpIs(buffer->alloc, BERTH_OP_ALLOC) &&
                mlirAttributeIsNull(walk->scope->space);
  int64_t alignment = isHeap ? BERTH_MALLOC_ALIGNMENT : 1;
  while (buffer->size > 0 && alignment > buffer->size)
    alignment /= 2;
  return alignment;
}

MlirAttribute berthAllocationSpace(MlirOperation alloc, MlirType type) {
  BerthToldAllocation told;
  if (berthOpIsToldAllocation(alloc, &told) && told.hasSpace)
    return told.space;
  return mlirTypeIsAMemRef(type) ? mlirMemRefTypeGetMemorySpace(type)
                                 : (MlirAttribute){NULL};
}

/// The memory that an allocation is planned in: its own, or where types stay as
/// they are the one that `berth.space` names.
static MlirAttribute spaceOf(const AllocWalk *walk, MlirOperation alloc,
                             MlirType type) {
  MlirAttribute space = berthAttributeOf(alloc, BERTH_SPACE);
  if (mlirAttributeIsNull(space) || !walk->options->annotates)
    return berthAllocationSpace(alloc, type);
  return berthSpaceNamedBy(space);
}

/// True if `berth.space` asks for what only arena=annotate can do.
static bool asksForOtherSpace(const AllocWalk *walk, MlirOperation alloc,
                              MlirType type) {
  MlirAttribute space = berthAttributeOf(alloc, BERTH_SPACE);
  return !mlirAttributeIsNull(space) && !walk->options->annotates &&
         !mlirAttributeEqual(berthSpaceNamedBy(space),
                             berthAllocationSpace(alloc, type));
}

/// Why the arena would be other memory than the allocation's, or NULL.
static const char *memoryReason(const AllocWalk *walk, MlirOperation alloc) {
  if (walk->scope->isDevice)
    return mlirAttributeIsNull(berthAttributeOf(alloc, "hostShared"))
               ? NULL
               : "the host may use it, too (host_shared)";
  if (walk->options->anyMemory || berthOpIsPlainAllocation(alloc) ||
      berthOpIsDescribed(alloc))
    return NULL;
  if (berthOpIs(alloc, BERTH_OP_DEVICE_ALLOC))
    return "it is memory of a device, which an arena of the host is not: "
           "space=gpu places what is in no memory space";
  return walk->options->annotates
             ? NULL
             : "nothing tells that an arena would be the memory that its "
               "allocation takes";
}

/// The size of what is called an allocation: where that is told, else by its
/// type, if that is a memref's, else by `berth.size`, or what a target
/// description says of the type.
static BerthSizeResult toldSize(const BerthBufferInfo *buffer,
                                const BerthToldAllocation *told,
                                BerthTypeSize *size) {
  MlirType type = mlirValueGetType(buffer->value);
  if (told->hasSize && told->size >= 0) {
    size->bytes = told->size;
    return BERTH_SIZE_OK;
  }
  bool isMemRef = mlirTypeIsAMemRef(type);
  BerthSizeResult byType = told->hasSize ? BERTH_SIZE_DYNAMIC
                           : isMemRef
                               ? berthMemRefGetSize(type, buffer->alloc, size)
                               : BERTH_SIZE_TYPE;
  bool isKnown = byType == BERTH_SIZE_OK || byType == BERTH_SIZE_LAYOUT;
  if (!isKnown && sizeByAttribute(buffer->alloc, type, &size->bytes))
    return BERTH_SIZE_OK;
  return byType == BERTH_SIZE_TYPE ? berthForeignTypeSize(type, size) : byType;
}

/// Why the size is not known, with the text that a rule of the description
/// cannot read.
static const char *unknownSize(const AllocWalk *walk, MlirType type,
                               BerthSizeResult result) {
  BerthText why = {0};
  bool isBroken =
      (result == BERTH_SIZE_LAYOUT &&
       berthForeignLayoutBreaksRule(type, &why)) ||
      (result == BERTH_SIZE_TYPE && berthForeignTypeBreaksRule(type, &why));
  return isBroken ? berthTextKeep(walk->scope->memory, &why)
                  : sizeReason(result);
}

/// In code that threads run.
static bool mayBeAnyonesMemory(const AllocWalk *walk) {
  const BerthScope *scope = walk->scope;
  return scope->kind != BERTH_SCOPE_FUNCTION && !scope->isDevice &&
         !walk->options->oneThread &&
         berthSpaceGetUse(scope->space) == BERTH_SPACE_UNKNOWN;
}

/// What a thread has on its stack is nearer to it than global memory.
static bool isToStay(const AllocWalk *walk, const BerthBufferInfo *buffer) {
  return !mlirOperationIsNull(walk->options->expanded) &&
         berthOpIs(buffer->alloc, BERTH_OP_ALLOCA) && !buffer->isDynamic &&
         !buffer->isBounded && buffer->size < walk->options->leastExpanded;
}

static void describeBuffer(const AllocWalk *walk, BerthBufferInfo *buffer) {
  BerthTypeSize size = {0, 0, 1};
  BerthToldAllocation told = {.alignment = 0};
  MlirType type = mlirValueGetType(buffer->value);
  bool isTold = berthOpIsToldAllocation(buffer->alloc, &told);
  BerthSizeResult result = isTold
                               ? toldSize(buffer, &told, &size)
                               : berthMemRefGetSize(type, buffer->alloc, &size);
  // A view is what its type says, and no more.
  BerthTypeSize byType = {0, 0, 1};
  buffer->isForeign =
      isTold && result == BERTH_SIZE_OK &&
      (!mlirTypeIsAMemRef(type) ||
       berthMemRefGetSize(type, buffer->alloc, &byType) != BERTH_SIZE_OK ||
       byType.bytes != size.bytes);
  if (result == BERTH_SIZE_LAYOUT) {
    result = foreignSize(buffer, &size);
    buffer->isForeign = result == BERTH_SIZE_OK;
  }
  buffer->size = size.bytes;
  buffer->alignment =
      larger(larger(size.elementAlignment, 1),
             larger(larger(ownAlignment(buffer->alloc), told.alignment),
                    walk->options->alignment));
  if (walk->scope->isDevice)
    buffer->alignment = larger(buffer->alignment, BERTH_DEVICE_ALIGNMENT);
  buffer->promisedAlignment = promisedAlignment(walk, buffer);
  bool isPlaceable = result == BERTH_SIZE_DYNAMIC &&
                     describeDynamic(walk->options, buffer, size.elementBytes);
  buffer->reason = isPlaceable ? NULL : unknownSize(walk, type, result);
  buffer->reasonAt = buffer->alloc;
  if (!buffer->reason && buffer->isForeign && !walk->options->takesForeign)
    buffer->reason = "its type, or its layout, is none that a view can have: "
                     "use berth-arena";
  if (!buffer->reason && told.alignment < 0)
    buffer->reason = "its alignment is known only at run time";
  if (!buffer->reason && mlirOperationGetNumResults(buffer->alloc) != 1 &&
      !berthOpIs(buffer->alloc, BERTH_OP_DEVICE_ALLOC))
    buffer->reason = "its allocation returns more than the buffer";
  if (!buffer->reason &&
      asksForOtherSpace(walk, buffer->alloc, mlirValueGetType(buffer->value)))
    buffer->reason = "berth.space names another memory than its type: use "
                     "arena=annotate";
  if (!buffer->reason && mayBeAnyonesMemory(walk))
    buffer->reason = "nothing tells whether threads share memory of its space: "
                     "barriers=none if each has its own";
  if (!buffer->reason && walk->doesMore)
    buffer->reason = "its allocation fills it, too";
  if (!buffer->reason)
    buffer->reason = memoryReason(walk, buffer->alloc);
  if (!buffer->reason && isToStay(walk, buffer))
    buffer->reason = "it is small enough for the thread's stack (least=)";
}

static void addBuffer(AllocWalk *walk, MlirOperation alloc) {
  BerthScope *scope = walk->scope;
  scope->buffers = berthGrow(scope->buffers, scope->numBuffers, &walk->capacity,
                             sizeof *scope->buffers);
  BerthBufferInfo *buffer = &scope->buffers[scope->numBuffers++];
  memset(buffer, 0, sizeof *buffer);
  buffer->alloc = alloc;
  buffer->value = walk->found;
  buffer->offset = BERTH_NONE;
  buffer->group = BERTH_NONE;
  buffer->home = SIZE_MAX;
  buffer->isLaterLife =
      !mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_LIFE));
  describeBuffer(walk, buffer);
}

/// Scopes within this scope are another's business.
static MlirWalkResult visitOp(MlirOperation op, void *userData) {
  AllocWalk *walk = userData;
  if (mlirOperationEqual(op, walk->scope->op))
    return MlirWalkResultAdvance;
  if (isScope(op, walk->options))
    return MlirWalkResultSkip;
  walk->found = (MlirValue){NULL};
  walk->doesMore = false;
  // What effects an op has is dear to ask: linalg ops on memrefs have no
  // result.
  if (mlirOperationGetNumResults(op) > 0)
    berthOpGetEffects(op, noteAllocation, walk);
  if (mlirValueIsNull(walk->found))
    return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(walk->found);
  if (isInSpace(walk->scope, op, spaceOf(walk, op, type)))
    addBuffer(walk, op);
  else if (!walk->options->hasSpace &&
           berthSpaceMayBeShared(berthAllocationSpace(op, type)))
    ++walk->scope->numSkipped;
  return MlirWalkResultAdvance;
}

BerthScope berthScopeOf(MlirOperation op, const BerthCollectOptions *options) {
  BerthScope scope = {.op = op,
                      .body = mlirOperationGetRegion(op, 0),
                      .kind = scopeKind(op, options),
                      .isIteration = !isFunctionOrLaunch(op),
                      .isAmongThreads = options->threadFunctions &&
                                        options->threadFunctions->count};
  MlirOperation function =
      isFunctionOrLaunch(op) ? op : berthEnclosingScope(op);
  size_t found = findThreadFunction(function, options);
  if (found != BERTH_NOT_FOUND && !isToldKernel(function, options)) {
    scope.isThreadedByMemory = found & kByMemory;
    scope.mayGetNumber = !(found & kAsksForNumber);
  }
  scope.isDevice = options->isDevice;
  scope.space = scopeSpace(&scope, options);
  return scope;
}

bool berthMemoryMayBeShared(MlirOperation alloc, MlirType type,
                            const BerthCollectOptions *options) {
  BerthCollectOptions own = *options;
  own.hasSpace = true;
  own.space = mlirMemRefTypeGetMemorySpace(type);
  BerthSpaceUse use = berthSpaceGetUse(own.space);
  MlirOperation scope = berthEnclosingScope(alloc);
  if (use != BERTH_SPACE_UNKNOWN || mlirOperationIsNull(scope))
    return use != BERTH_SPACE_THREAD;
  return berthScopeOf(scope, &own).kind != BERTH_SCOPE_FUNCTION;
}

BerthScope berthScopeCollect(MlirOperation op,
                             const BerthCollectOptions *options,
                             BerthMemory *memory) {
  BerthScope scope = berthScopeOf(op, options);
  scope.memory = memory;
  AllocWalk walk = {.scope = &scope, .options = options};
  mlirOperationWalk(op, visitOp, &walk, MlirWalkPreOrder);
  BerthBufferInfo *buffers = scope.buffers;
  scope.buffers =
      berthNewCopy(memory, buffers, scope.numBuffers, sizeof *scope.buffers);
  free(buffers);
  return scope;
}
