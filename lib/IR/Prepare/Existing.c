//===- Existing.c - Shared memory that is declared, as buffers ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Existing.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Prepare/ExistingDynamic.h"
#include "IR/Prepare/ExistingGlobals.h"
#include "IR/Prepare/ExistingItem.h"
#include "IR/Rewrite/Callers.h"
#include "IR/Rewrite/CreateArena.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
//===----------------------------------------------------------------------===//
// Attributions
//===----------------------------------------------------------------------===//

static MlirAttribute attributesOfAttribution(MlirOperation function,
                                             intptr_t index) {
  MlirAttribute all = berthAttributeOf(function, "workgroup_attrib_attrs");
  return mlirAttributeIsNull(all) || index >= mlirArrayAttrGetNumElements(all)
             ? (MlirAttribute){NULL}
             : mlirArrayAttrGetElement(all, index);
}

static void takeAttributions(BerthTaking *taking) {
  MlirOperation function = taking->function;
  MlirAttribute type = berthAttributeOf(function, "function_type");
  intptr_t count = (intptr_t)berthIntegerOr(
      berthAttributeOf(function, "workgroup_attributions"), 0);
  if (count == 0 || !berthOpIs(function, BERTH_OP_GPU_FUNCTION))
    return;
  MlirBlock entry = mlirRegionGetFirstBlock(taking->scope.body);
  intptr_t first = mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
  intptr_t index = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, first + index);
    MlirAttribute attributes = attributesOfAttribution(function, index);
    if (!berthIsInScopeSpace(taking, mlirValueGetType(argument))) {
      ++index;
      continue;
    }
    int64_t alignment = 1;
    if (!mlirAttributeIsNull(attributes))
      alignment = berthIntegerOr(
          mlirDictionaryAttrGetElementByName(
              attributes, mlirStringRefCreateFromCString("llvm.align")),
          1);
    BerthExistingItem *item = berthAddExistingItem(
        taking, BERTH_EXISTING_ATTRIBUTION, taking->entry,
        mlirOperationGetLocation(function), mlirValueGetType(argument),
        alignment, mlirStringRefCreateFromCString("attribution"));
    item->attributes = attributes;
    mlirValueReplaceAllUsesOfWith(argument, item->value);
    berthRemoveAttribution(function, index);
  }
}

//===----------------------------------------------------------------------===//
// Other names of the memory space
//===----------------------------------------------------------------------===//

static MlirWalkResult listAllocations(MlirOperation op, void *userData) {
  if (berthOpIs(op, BERTH_OP_ALLOC) && mlirOperationGetNumOperands(op) == 0)
    berthOpListAdd(userData, op);
  return MlirWalkResultAdvance;
}

static void respaceAllocations(BerthTaking *taking) {
  BerthOpList list = {0};
  mlirOperationWalk(taking->function, listAllocations, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count; ++i) {
    MlirOperation old = list.ops[i];
    MlirType type = mlirValueGetType(mlirOperationGetResult(old, 0));
    if (!berthIsInScopeSpace(taking, type) ||
        mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type),
                           taking->scope.space))
      continue;
    BerthExistingItem *item = berthAddExistingItem(
        taking, BERTH_EXISTING_RESPACED, old, mlirOperationGetLocation(old),
        type, 1, (MlirStringRef){0});
    // Demands on its place, and its alignment.
    for (intptr_t k = 0; k < mlirOperationGetNumAttributes(old); ++k) {
      MlirNamedAttribute named = mlirOperationGetAttribute(old, k);
      mlirOperationSetAttributeByName(
          item->alloc, mlirIdentifierStr(named.name), named.attribute);
    }
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, 0), item->value);
    mlirOperationDestroy(old);
  }
  free(list.ops);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void listScope(MlirOperation op, void *userData) {
  berthOpListAdd(userData, op);
}

static void takeFunction(BerthTaking *taking, MlirOperation function) {
  berthEnterTaking(taking, function);
  BerthScopeKind kind = taking->scope.kind;
  if (kind == BERTH_SCOPE_FUNCTION || taking->scope.isIteration ||
      !berthScopeIsShared(&taking->scope))
    return;
  if (kind == BERTH_SCOPE_KERNEL && taking->packs) {
    takeAttributions(taking);
    berthTakeDynamic(taking);
  }
  respaceAllocations(taking);
}

typedef struct Any {
  bool packs;
  bool found;
} Any;

/// Finds what may be there to take: a copy of the root is dear.
static MlirWalkResult findAny(MlirOperation op, void *userData) {
  Any *any = userData;
  bool isAllocation = berthOpIs(op, BERTH_OP_ALLOC);
  any->found =
      any->packs &&
      (!mlirAttributeIsNull(berthAttributeOf(op, "workgroup_attributions")) ||
       berthOpIs(op, BERTH_OP_DYNAMIC_SHARED) ||
       berthOpIs(op, BERTH_OP_GET_GLOBAL));
  if (isAllocation) {
    MlirAttribute space = mlirMemRefTypeGetMemorySpace(
        mlirValueGetType(mlirOperationGetResult(op, 0)));
    any->found = !mlirAttributeIsNull(space) && berthSpaceMayBeShared(space) &&
                 mlirAttributeIsAInteger(space);
  }
  return any->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

void berthTakeExisting(MlirOperation root, const BerthArenaOptions *options,
                       BerthBackup *backup, BerthExisting *existing) {
  Any any = {options->packsExisting, false};
  mlirOperationWalk(root, findAny, &any, MlirWalkPreOrder);
  if (!any.found)
    return;
  berthBackupTake(backup, root);
  BerthTaking taking = {.root = root,
                        .options = options,
                        .existing = existing,
                        .packs = options->packsExisting};
  BerthOpList scopes = {0};
  berthForEachScope(root, &options->collect, listScope, &scopes);
  if (taking.packs)
    berthTakeGlobals(&taking);
  for (size_t i = 0; i < scopes.count; ++i)
    takeFunction(&taking, scopes.ops[i]);
  free(scopes.ops);
}

//===----------------------------------------------------------------------===//
// What was placed, and what goes back
//===----------------------------------------------------------------------===//

static const BerthBufferInfo *bufferOf(const BerthJob *job,
                                       const BerthExistingItem *item) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (mlirOperationEqual(job->scope.buffers[i].alloc, item->alloc))
      return &job->scope.buffers[i];
  return NULL;
}

BerthStatus berthNotePlaced(BerthExisting *existing, const BerthJob *jobs,
                            size_t numJobs) {
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 0; i < existing->numItems; ++i)
    for (size_t k = 0; k < numJobs; ++k) {
      BerthExistingItem *item = &existing->items[i];
      const BerthBufferInfo *buffer = bufferOf(&jobs[k], item);
      if (!buffer)
        continue;
      item->isPlaced = !buffer->reason;
      item->isStatic =
          item->isPlaced && (jobs[k].form == BERTH_ARENA_ATTRIBUTION ||
                             jobs[k].form == BERTH_ARENA_GLOBAL);
      if (item->isPlaced || item->kind != BERTH_EXISTING_DYNAMIC ||
          jobs[k].form != BERTH_ARENA_DYNAMIC)
        continue;
      berthEmitError(item->function,
                     "existing=pack: a part of the dynamic shared memory "
                     "cannot be placed, and has the bytes that the arena "
                     "would get; use existing=keep, or another form",
                     item->alloc, buffer->reason);
      status = BERTH_INVALID;
    }
  return status;
}

/// Attributes of the allocation that are its own.
static void putAllocationBack(const BerthExistingItem *item,
                              BerthInsertPoint at) {
  int64_t alignment =
      berthIntegerOr(berthAttributeOf(item->alloc, "alignment"), 1);
  MlirValue value = berthBuildAllocation(at, true, item->type,
                                         (MlirValue){NULL}, alignment, false);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(item->alloc); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(item->alloc, i);
    mlirOperationSetAttributeByName(mlirOpResultGetOwner(value),
                                    mlirIdentifierStr(named.name),
                                    named.attribute);
  }
  mlirValueReplaceAllUsesOfWith(item->value, value);
}

static void putBack(BerthExisting *existing, BerthExistingItem *item) {
  MlirOperation cast = mlirOpResultGetOwner(item->value);
  BerthInsertPoint at = berthInsertBefore(item->alloc);
  switch (item->kind) {
  case BERTH_EXISTING_ATTRIBUTION:
    mlirValueReplaceAllUsesOfWith(
        item->value,
        berthAddAttribution(item->function, item->type, item->attributes));
    break;
  case BERTH_EXISTING_GLOBAL:
    berthPutGlobalBack(existing, item, at);
    break;
  case BERTH_EXISTING_DYNAMIC:
    berthPutDynamicBack(item, at);
    break;
  case BERTH_EXISTING_RESPACED:
    putAllocationBack(item, at);
    break;
  }
  if (!mlirOperationEqual(cast, item->alloc))
    mlirOperationDestroy(cast);
  mlirOperationDestroy(item->alloc);
}

void berthPutExistingBack(BerthExisting *existing, MlirOperation root) {
  for (size_t i = 0; i < existing->numItems; ++i)
    if (!existing->items[i].isPlaced)
      putBack(existing, &existing->items[i]);
  for (size_t i = 0; i < existing->numItems; ++i)
    if (existing->items[i].kind == BERTH_EXISTING_DYNAMIC &&
        existing->items[i].isStatic)
      berthClearLaunches(root, existing->items[i].function);
}

void berthExistingFree(BerthExisting *existing) {
  for (size_t i = 0; i < existing->numGlobals; ++i)
    if (!mlirBlockIsNull(existing->globals[i].block))
      mlirOperationDestroy(existing->globals[i].op);
  free(existing->items);
  free(existing->globals);
}
