//===- Nothing.c - When there is nothing to do ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/Nothing.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Text.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { MOST_SPACES = 8 };

typedef struct Found {
  const BerthCollectOptions *const *options;
  size_t numOptions;
  MlirOperation op;   ///< that is looked at
  size_t tensors;     ///< ops that make one
  size_t allocations; ///< of any memory
  size_t matching;    ///< of these: where the options look
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

static void noteEffect(BerthEffect effect, void *userData) {
  Found *found = userData;
  if (effect.kind != BERTH_EFFECT_ALLOCATE || mlirValueIsNull(effect.value) ||
      !mlirTypeIsAMemRef(mlirValueGetType(effect.value)))
    return;
  MlirAttribute space =
      berthAllocationSpace(found->op, mlirValueGetType(effect.value));
  ++found->allocations;
  bool isMatch = found->numOptions == 0;
  for (size_t i = 0; i < found->numOptions && !isMatch; ++i)
    isMatch = isMeant(found, found->options[i], space);
  found->matching += isMatch;
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
                                 size_t numOptions, BerthSpaceCallback callback,
                                 void *userData) {
  Found found = {.options = options, .numOptions = numOptions};
  mlirOperationWalk(root, noteOp, &found, MlirWalkPreOrder);
  if (found.allocations == 0)
    return found.tensors > 0 ? BERTH_NOTHING_TENSORS : BERTH_NOTHING_AT_ALL;
  if (found.matching > 0)
    return BERTH_NOTHING_FIT;
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
