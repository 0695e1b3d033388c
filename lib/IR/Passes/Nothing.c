//===- Nothing.c - When there is nothing to do ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/Nothing.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { MOST_SPACES = 8 };

typedef struct Found {
  const BerthCollectOptions *const *options;
  size_t numOptions;
  const BerthCollectOptions *const *others;
  size_t numOthers;
  MlirOperation op;   ///< that is looked at
  size_t tensors;     ///< ops that make one
  size_t allocations; ///< of any memory
  size_t matching;    ///< of these, and of views of arenas: where options look
  size_t declared;    ///< where options look, but not allocated
  size_t packable;    ///< of these: shared memory, which existing=pack takes
  MlirAttribute spaces[MOST_SPACES];
  size_t counts[MOST_SPACES];
  size_t numSpaces; ///< further ones are not told apart
} Found;

static void noteSpace(Found *found, MlirAttribute space) {
  size_t i = 0;
  while (i < found->numSpaces && !mlirAttributeEqual(found->spaces[i], space))
    ++i;
  if (i == MOST_SPACES)
    return;
  found->spaces[i] = space;
  ++found->counts[i];
  if (i == found->numSpaces)
    ++found->numSpaces;
}

/// Where no option names a memory, each scope has one of two.
static bool isMeant(const Found *found, const BerthCollectOptions *options,
                    MlirAttribute space) {
  if (!options->hasSpace)
    return mlirAttributeIsNull(space) ||
           berthSpaceGetUse(space) == BERTH_SPACE_WORKGROUP;
  if (options->isDevice && !berthOpIs(found->op, BERTH_OP_DEVICE_ALLOC))
    return false;
  return mlirAttributeEqual(space, options->space);
}

static bool isAnyMeant(const Found *found, MlirAttribute space) {
  for (size_t i = 0; i < found->numOptions; ++i)
    if (isMeant(found, found->options[i], space))
      return true;
  return found->numOptions == 0;
}

static bool runsOnDevice(const Found *found) {
  MlirOperation op = found->op;
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_GPU_MODULE))
    op = mlirOperationGetParentOperation(op);
  for (size_t i = 0; i < found->numOptions; ++i)
    if (found->options[i]->numKernels > 0)
      return true;
  return !mlirOperationIsNull(op);
}

static void noteDeclared(Found *found, MlirType type) {
  if (!mlirTypeIsAMemRef(type))
    return;
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  if (!isAnyMeant(found, space))
    return;
  ++found->declared;
  found->packable += berthSpaceMayBeShared(space) && runsOnDevice(found);
}

/// What an earlier run has placed, and what the program declares.
static void noteOthers(Found *found, MlirOperation op) {
  bool isPlaced =
      !mlirAttributeIsNull(berthAttributeOf(op, BERTH_BUFFER_NUMBER));
  bool isDeclared = berthOpIs(op, BERTH_OP_GET_GLOBAL) ||
                    berthOpIs(op, BERTH_OP_DYNAMIC_SHARED);
  if ((isPlaced || isDeclared) && mlirOperationGetNumResults(op) > 0) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    found->matching += isPlaced && mlirTypeIsAMemRef(type) &&
                       isAnyMeant(found, mlirMemRefTypeGetMemorySpace(type));
    if (isDeclared)
      noteDeclared(found, type);
  }
  if (!berthOpIs(op, BERTH_OP_GPU_FUNCTION))
    return;
  // Its attributions stand behind its arguments.
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirType type = mlirTypeAttrGetValue(berthAttributeOf(op, "function_type"));
  intptr_t count = mlirBlockIsNull(entry) ? 0 : mlirBlockGetNumArguments(entry);
  for (intptr_t i = mlirFunctionTypeGetNumInputs(type); i < count; ++i)
    noteDeclared(found, mlirValueGetType(mlirBlockGetArgument(entry, i)));
}

/// An arena that an earlier run has made: views with a buffer's mark are of it.
static bool isArena(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!mlirAttributeIsNull(
            berthAttributeOf(mlirOpOperandGetOwner(use), BERTH_BUFFER_NUMBER)))
      return true;
  return false;
}

static bool isSeenByOthers(const Found *found, MlirAttribute space) {
  for (size_t i = 0; i < found->numOthers; ++i)
    if (isMeant(found, found->others[i], space))
      return true;
  return false;
}

static void noteEffect(BerthEffect effect, void *userData) {
  Found *found = userData;
  if (effect.kind != BERTH_EFFECT_ALLOCATE || mlirValueIsNull(effect.value) ||
      !mlirTypeIsAMemRef(mlirValueGetType(effect.value)) ||
      isArena(effect.value))
    return;
  MlirAttribute space =
      berthAllocationSpace(found->op, mlirValueGetType(effect.value));
  ++found->allocations;
  found->matching += isAnyMeant(found, space);
  if (!isSeenByOthers(found, space))
    noteSpace(found, space);
}

static MlirWalkResult noteOp(MlirOperation op, void *userData) {
  Found *found = userData;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, i)))) {
      ++found->tensors;
      break;
    }
  found->op = op;
  noteOthers(found, op);
  berthOpGetEffects(op, noteEffect, found);
  return MlirWalkResultAdvance;
}

static void tellSpace(MlirAttribute space, size_t count,
                      BerthSpaceCallback callback, void *userData) {
  BerthText text = {0};
  if (mlirAttributeIsNull(space))
    berthTextAppend(&text, "default");
  else
    mlirAttributePrint(space, berthTextCallback, &text);
  callback(text.length ? text.data : "", count, userData);
  berthTextFree(&text);
}

BerthNothing berthLookForNothing(MlirOperation root,
                                 const BerthCollectOptions *const *options,
                                 size_t numOptions,
                                 const BerthCollectOptions *const *others,
                                 size_t numOthers, BerthSpaceCallback callback,
                                 void *userData) {
  Found found = {.options = options,
                 .numOptions = numOptions,
                 .others = others,
                 .numOthers = numOthers};
  mlirOperationWalk(root, noteOp, &found, MlirWalkPreOrder);
  if (found.matching > 0)
    return BERTH_NOTHING_FIT;
  if (found.allocations == 0 && found.tensors > 0)
    return BERTH_NOTHING_TENSORS;
  if (found.packable > 0)
    return BERTH_NOTHING_PACKED;
  if (found.declared > 0)
    return BERTH_NOTHING_DECLARED;
  if (found.numSpaces == 0)
    return BERTH_NOTHING_AT_ALL;
  for (size_t i = 0; i < found.numSpaces; ++i)
    tellSpace(found.spaces[i], found.counts[i], callback, userData);
  return BERTH_NOTHING_ELSEWHERE;
}

void berthNameSpaces(const BerthCollectOptions *const *options,
                     size_t numOptions, BerthSpaceCallback callback,
                     void *userData) {
  for (size_t i = 0; i < numOptions; ++i)
    if (!options[i]->hasSpace)
      callback("default, nor in workgroup memory of a kernel, where it looks "
               "without space=",
               0, userData);
    else if (options[i]->isDevice)
      callback("gpu", 0, userData);
    else
      tellSpace(options[i]->space, 0, callback, userData);
}

//===----------------------------------------------------------------------===//
// Scopes that a run on the module would plan
//===----------------------------------------------------------------------===//

typedef struct ScopeSearch {
  const BerthCollectOptions *options;
  BerthScopeCallback callback;
  void *userData;
} ScopeSearch;

static void tellScope(MlirOperation op, void *userData) {
  ScopeSearch *search = userData;
  BerthMemory memory = {0};
  BerthScope scope = berthScopeCollect(op, search->options, &memory);
  if (scope.numBuffers > 0)
    search->callback(op, search->userData);
  berthMemoryFree(&memory);
}

void berthForEachScopeWithBuffers(MlirOperation root,
                                  const BerthCollectOptions *options,
                                  BerthScopeCallback callback, void *userData) {
  ScopeSearch search = {options, callback, userData};
  berthForEachScope(root, options, tellScope, &search);
}
