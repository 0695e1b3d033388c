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
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Scope/BufferSize.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Scope/TensorMemory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

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
  return !berthFunctionIsUnseen(op) &&
         (berthIsFunctionOrLaunch(op) || isIteration(op, options));
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

MlirAttribute berthAllocationSpace(MlirOperation alloc, MlirType type) {
  BerthToldAllocation told;
  if (berthOpIsToldAllocation(alloc, &told) && told.hasSpace)
    return told.space;
  return mlirTypeIsAMemRef(type) ? mlirMemRefTypeGetMemorySpace(type)
                                 : (MlirAttribute){NULL};
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
  berthDescribeSize(walk->scope, walk->options, buffer);
  if (!buffer->reason && mlirOperationGetNumResults(buffer->alloc) != 1 &&
      !berthOpIs(buffer->alloc, BERTH_OP_DEVICE_ALLOC))
    buffer->reason = "its allocation returns more than the buffer";
  if (!buffer->reason &&
      asksForOtherSpace(walk, buffer->alloc, mlirValueGetType(buffer->value)))
    buffer->reason = "berth.space names another memory than its type: use "
                     "arena=annotate";
  if (!buffer->reason && berthScopeIsOfTensors(walk->scope))
    buffer->reason = walk->options->annotates
                         ? berthDescribeTensor(walk->scope, buffer)
                         : "tensor memory is allocated by tcgen05.alloc: use "
                           "berth-arena with arena=annotate";
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

/// What is asked for is what threads share, by this name or another one.
static bool looksForShared(const AllocWalk *walk) {
  BerthSpaceUse use = berthSpaceGetUse(walk->scope->space);
  return !walk->options->hasSpace || use == BERTH_SPACE_WORKGROUP ||
         use == BERTH_SPACE_PERHAPS_WORKGROUP;
}

/// Scopes within this scope are another's business.
static MlirWalkResult visitOp(MlirOperation op, void *userData) {
  AllocWalk *walk = userData;
  if (mlirOperationEqual(op, walk->scope->op))
    return MlirWalkResultAdvance;
  if (isScope(op, walk->options))
    return MlirWalkResultSkip;
  // What stands for a called function's arena is told of by the call.
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_FRAME)))
    return MlirWalkResultAdvance;
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
  else if (looksForShared(walk) &&
           berthSpaceMayBeShared(berthAllocationSpace(op, type)))
    ++walk->scope->numSkipped;
  return MlirWalkResultAdvance;
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
