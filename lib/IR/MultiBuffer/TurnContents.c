//===- TurnContents.c - Content that each turn makes anew -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TurnContents.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

typedef struct Walk {
  BerthTurnContents *contents;
  MlirOperation loop;
} Walk;

static bool isIn(const BerthTurnContents *contents, MlirAttribute number) {
  for (size_t i = 0; i < contents->count; ++i)
    if (mlirAttributeEqual(contents->numbers[i], number))
      return true;
  return false;
}

static intptr_t countNumbers(MlirAttribute mark) {
  if (mlirAttributeIsNull(mark))
    return 0;
  return mlirAttributeIsAArray(mark) ? mlirArrayAttrGetNumElements(mark) : 1;
}

static MlirAttribute numberAt(MlirAttribute mark, intptr_t index) {
  return mlirAttributeIsAArray(mark) ? mlirArrayAttrGetElement(mark, index)
                                     : mark;
}

static MlirWalkResult addPlace(MlirOperation op, void *userData) {
  const Walk *walk = userData;
  BerthTurnContents *contents = walk->contents;
  MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT);
  for (intptr_t i = 0; i < countNumbers(mark); ++i) {
    MlirAttribute number = numberAt(mark, i);
    if (isIn(contents, number))
      continue;
    contents->numbers =
        berthGrow(contents->numbers, contents->count, &contents->capacity,
                  sizeof *contents->numbers);
    contents->numbers[contents->count++] = number;
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult lookForOthers(MlirOperation op, void *userData) {
  const Walk *walk = userData;
  BerthTurnContents *contents = walk->contents;
  if (mlirOperationEqual(op, walk->loop))
    return MlirWalkResultSkip;
  MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT);
  for (intptr_t i = 0; i < countNumbers(mark); ++i)
    contents->areShared |= isIn(contents, numberAt(mark, i));
  mark = berthAttributeOf(op, BERTH_CONTENT_SOURCE);
  bool isSource = false;
  for (intptr_t i = 0; i < countNumbers(mark); ++i)
    isSource |= isIn(contents, numberAt(mark, i));
  if (isSource) {
    contents->sources =
        berthGrow(contents->sources, contents->numSources,
                  &contents->sourceCapacity, sizeof *contents->sources);
    contents->sources[contents->numSources++] = op;
  }
  return MlirWalkResultAdvance;
}

BerthTurnContents berthTurnContentsOf(MlirOperation scope, MlirOperation loop,
                                      int64_t *last) {
  BerthTurnContents contents = {.scope = scope, .last = last};
  Walk walk = {&contents, loop};
  mlirOperationWalk(loop, addPlace, &walk, MlirWalkPreOrder);
  mlirOperationWalk(scope, lookForOthers, &walk, MlirWalkPreOrder);
  return contents;
}

void berthTurnContentsFree(BerthTurnContents *contents) {
  free(contents->numbers);
  free(contents->sources);
  *contents = (BerthTurnContents){0};
}

//===----------------------------------------------------------------------===//
// New numbers
//===----------------------------------------------------------------------===//

typedef struct Renaming {
  const BerthTurnContents *contents;
  MlirAttribute *numbers; ///< for those of the contents
} Renaming;

static MlirAttribute renamed(const Renaming *renaming, MlirAttribute number) {
  for (size_t i = 0; i < renaming->contents->count; ++i)
    if (mlirAttributeEqual(renaming->contents->numbers[i], number))
      return renaming->numbers[i];
  return number;
}

/// `stride`: of several, each so many-th is a content's.
static void renameIn(const Renaming *renaming, MlirOperation op,
                     const char *name, intptr_t stride) {
  MlirAttribute mark = berthAttributeOf(op, name);
  intptr_t count = countNumbers(mark);
  if (count == 0)
    return;
  if (!mlirAttributeIsAArray(mark)) {
    berthSetAttribute(op, name, renamed(renaming, mark));
    return;
  }
  MlirAttribute *numbers = berthAllocateOrDie((size_t)count, sizeof *numbers);
  for (intptr_t i = 0; i < count; ++i) {
    numbers[i] = numberAt(mark, i);
    if (i % stride == 0)
      numbers[i] = renamed(renaming, numbers[i]);
  }
  berthSetAttribute(
      op, name, mlirArrayAttrGet(mlirOperationGetContext(op), count, numbers));
  free(numbers);
}

static MlirWalkResult rename(MlirOperation op, void *userData) {
  static const char *const names[] = {BERTH_CONTENT,
                                      BERTH_CONTENT_BEGINS,
                                      BERTH_CONTENT_COPIED,
                                      BERTH_CONTENT_SOURCE,
                                      BERTH_MOVE,
                                      BERTH_RECOMPUTE,
                                      BERTH_TILE};
  const Renaming *renaming = userData;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    renameIn(renaming, op, names[i], 1);
  renameIn(renaming, op, BERTH_CONTENT_READ, 2);
  return MlirWalkResultAdvance;
}

/// What was copied from memory around the loop is copied from there by the new
/// number, too.
static void markSource(const Renaming *renaming, MlirOperation op) {
  MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT_SOURCE);
  for (intptr_t i = 0; i < countNumbers(mark); ++i) {
    MlirAttribute other = renamed(renaming, numberAt(mark, i));
    if (!berthFitHasNumber(mark, other))
      berthFitAddNumbers(op, BERTH_CONTENT_SOURCE, other);
  }
}

static void markArguments(const Renaming *renaming) {
  MlirOperation scope = renaming->contents->scope;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(scope, 0));
  MlirAttribute all = berthAttributeOf(scope, "arg_attrs");
  intptr_t count = mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all)
                       ? 0
                       : mlirArrayAttrGetNumElements(all);
  for (intptr_t k = 0; k < count; ++k) {
    MlirAttribute mark = mlirDictionaryAttrGetElementByName(
        mlirArrayAttrGetElement(all, k),
        mlirStringRefCreateFromCString(BERTH_CONTENT_SOURCE));
    for (intptr_t i = 0; i < countNumbers(mark); ++i) {
      MlirAttribute other = renamed(renaming, numberAt(mark, i));
      if (!berthFitHasNumber(mark, other))
        berthFitMarkSource(mlirBlockGetArgument(entry, k), other);
    }
  }
}

void berthTurnContentsRename(const BerthTurnContents *contents,
                             const MlirOperation *ops, size_t numOps) {
  if (contents->count == 0)
    return;
  MlirContext context = mlirOperationGetContext(contents->scope);
  MlirAttribute *numbers = berthAllocateOrDie(contents->count, sizeof *numbers);
  for (size_t i = 0; i < contents->count; ++i)
    numbers[i] = berthI64(context, ++*contents->last);
  Renaming renaming = {contents, numbers};
  for (size_t i = 0; i < numOps; ++i)
    mlirOperationWalk(ops[i], rename, &renaming, MlirWalkPreOrder);
  for (size_t i = 0; i < contents->numSources; ++i)
    markSource(&renaming, contents->sources[i]);
  markArguments(&renaming);
  free(numbers);
}
