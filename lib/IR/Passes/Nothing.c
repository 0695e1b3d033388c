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
  const BerthCollectOptions *options;
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

static bool isMeant(const Found *found, MlirAttribute space) {
  const BerthCollectOptions *options = found->options;
  if (!options ||
      (options->isDevice && !berthOpIs(found->op, BERTH_OP_DEVICE_ALLOC)))
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
  found->matching += isMeant(found, space);
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

static void listSpaces(const Found *found, BerthText *text) {
  for (size_t i = 0; i < found->numSpaces; ++i) {
    berthTextAppend(text, "%s", i ? ", " : "");
    if (mlirAttributeIsNull(found->spaces[i]))
      berthTextAppend(text, "default");
    else
      mlirAttributePrint(found->spaces[i], berthTextCallback, text);
    berthTextAppend(text, " (%zu)", found->counts[i]);
  }
}

void berthWarnOfNothing(MlirOperation root, const BerthCollectOptions *options,
                        const char *pass, bool *toldTensors) {
  Found found = {.options = options};
  mlirOperationWalk(root, noteOp, &found, MlirWalkPreOrder);
  BerthText text = {0}, note = {0};
  if (found.allocations == 0 && found.tensors > 0 && !*toldTensors) {
    berthTextAppend(&text,
                    "%s: nothing to do: the module works on tensors, and "
                    "allocates no memref yet",
                    pass);
    berthTextAppend(&note, "run one-shot-bufferize before");
    *toldTensors = true;
  } else if (found.allocations > 0 && !found.matching && options &&
             options->hasSpace) {
    berthTextAppend(&text, "%s: no allocation is in space ", pass);
    if (options->isDevice)
      berthTextAppend(&text, "gpu");
    else if (mlirAttributeIsNull(options->space))
      berthTextAppend(&text, "default");
    else
      mlirAttributePrint(options->space, berthTextCallback, &text);
    berthTextAppend(&note, "there are allocations in: ");
    listSpaces(&found, &note);
  }
  if (text.length)
    berthEmitWarning(root, text.data, note.data);
  berthTextFree(&text);
  berthTextFree(&note);
}
