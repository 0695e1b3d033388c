//===- CopiedTiles.c - Places in turns that are brought as a whole --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/CopiedTiles.h"
#include "IR/Facts/Facts.h"
#include "IR/Fit/FitMarks.h"
#include "IR/Fit/Kept.h"
#include "IR/Fit/Transfer.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// All that has to do with one content.
typedef struct Content {
  MlirAttribute number;
  MlirBlock block;
  MlirValue slice; ///< from which it is brought
  size_t numCopies, copyCapacity;
  MlirOperation *copies;
  size_t numPlaces;
  int64_t numTold; ///< places
  bool isOther;    ///< it is something else
} Content;

static bool has(MlirOperation op, const char *name, MlirAttribute number) {
  return berthFitHasNumber(berthAttributeOf(op, name), number);
}

static bool isInBlock(const Content *content, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), content->block);
}

//===----------------------------------------------------------------------===//
// What it is
//===----------------------------------------------------------------------===//

/// A copy to a place of its own, from what all of them are from.
static void addCopy(Content *content, MlirOperation op) {
  bool isCopy = berthOpIsCopy(op) && mlirOperationGetNumOperands(op) == 2 &&
                mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_READ)) &&
                isInBlock(content, op);
  MlirValue from = isCopy ? mlirOperationGetOperand(op, 0) : content->slice;
  MlirValue to = isCopy ? mlirOperationGetOperand(op, 1) : content->slice;
  isCopy =
      isCopy && berthFitIsAllocation(to) &&
      has(mlirOpResultGetOwner(to), BERTH_CONTENT, content->number) &&
      (mlirValueIsNull(content->slice) || mlirValueEqual(content->slice, from));
  content->isOther |= !isCopy;
  content->slice = from;
  content->copies = berthGrow(content->copies, content->numCopies,
                              &content->copyCapacity, sizeof *content->copies);
  content->copies[content->numCopies++] = op;
}

static void addPlace(Content *content, MlirOperation op) {
  MlirAttribute told = berthAttributeOf(op, BERTH_CONTENT_PLACES);
  bool isPlace = mlirAttributeEqual(berthAttributeOf(op, BERTH_CONTENT),
                                    content->number) &&
                 !mlirAttributeIsNull(told) && mlirAttributeIsAInteger(told) &&
                 isInBlock(content, op);
  content->isOther |= !isPlace;
  content->numTold = isPlace ? mlirIntegerAttrGetValueInt(told) : 0;
  ++content->numPlaces;
}

/// What is computed again from places is known by them.
static bool readsPlace(MlirOperation op, MlirAttribute number) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue memory = berthValueBehindViews(mlirOperationGetOperand(op, i));
    if (mlirValueIsAOpResult(memory) &&
        has(mlirOpResultGetOwner(memory), BERTH_CONTENT, number))
      return true;
  }
  return false;
}

static MlirWalkResult collect(MlirOperation op, void *userData) {
  static const char *const others[] = {BERTH_CONTENT_BEGINS, BERTH_CONTENT_READ,
                                       BERTH_RECOMPUTE, BERTH_TILE};
  Content *content = userData;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    content->isOther |= has(op, others[i], content->number);
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_RECOMPUTE)))
    content->isOther |= readsPlace(op, content->number);
  if (has(op, BERTH_MOVE, content->number))
    addCopy(content, op);
  if (has(op, BERTH_CONTENT, content->number))
    addPlace(content, op);
  return content->isOther ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// The level whose transfers bring it; NULL: they may not.
static const BerthFitLevel *
levelOf(const Content *content, const BerthFitLevel *levels, size_t numLevels) {
  MlirOperation copy = content->copies[0];
  MlirValue to = mlirOperationGetOperand(copy, 1);
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(to));
  for (size_t i = 0; i < numLevels; ++i) {
    const BerthFitLevel *level = &levels[i];
    if (!mlirAttributeEqual(level->fast.collect.space, space))
      continue;
    bool may =
        level->hasTransfers && berthFitIsAwaited(level) &&
        berthFitMayTransfer(level, berthInsertBefore(copy), content->slice, to);
    return may ? level : NULL;
  }
  return NULL;
}

/// True for memory that a mark may tell of. That nobody writes it before the
/// last use is over, is known already (Movable.h).
static bool mayBeMarked(const BerthJob *job, MlirValue memory) {
  if (mlirValueIsAOpResult(memory))
    return mlirOperationGetNumResults(mlirOpResultGetOwner(memory)) == 1 &&
           !berthFitIsPlace(memory);
  return mlirBlockEqual(mlirBlockArgumentGetOwner(memory),
                        mlirRegionGetFirstBlock(job->scope.body)) &&
         berthOpIsFunction(job->scope.op);
}

//===----------------------------------------------------------------------===//
// What becomes of it
//===----------------------------------------------------------------------===//

/// The content is all of the memory from now on.
static void makeTiles(Content *content, MlirValue memory) {
  MlirContext context = mlirOperationGetContext(content->copies[0]);
  MlirAttribute operand[] = {content->number, berthI64(context, 0)};
  if (mlirValueIsAOpResult(content->slice) &&
      !mlirValueEqual(content->slice, memory)) {
    berthFitRemoveNumber(mlirOpResultGetOwner(content->slice),
                         BERTH_CONTENT_SOURCE, content->number);
    berthFitMarkSource(memory, content->number);
  }
  for (size_t i = 0; i < content->numCopies; ++i) {
    MlirOperation copy = content->copies[i];
    MlirOperation place =
        mlirOpResultGetOwner(mlirOperationGetOperand(copy, 1));
    berthFitRemoveNumber(copy, BERTH_MOVE, content->number);
    berthSetAttribute(copy, BERTH_TILE, content->number);
    berthSetAttribute(copy, BERTH_CONTENT_READ,
                      mlirArrayAttrGet(context, 2, operand));
    berthFitRemoveNumber(place, BERTH_CONTENT, content->number);
    mlirOperationRemoveAttributeByName(
        place, mlirStringRefCreateFromCString(BERTH_CONTENT_PLACES));
    berthSetAttribute(place, BERTH_TILE, content->number);
  }
}

typedef struct Walk {
  size_t count, capacity;
  MlirOperation *copies;
} Walk;

/// One copy of each content.
static MlirWalkResult addFirst(MlirOperation op, void *userData) {
  Walk *walk = userData;
  MlirAttribute number = berthAttributeOf(op, BERTH_MOVE);
  bool isFirst = !mlirAttributeIsNull(number) &&
                 mlirAttributeIsAInteger(number) && berthOpIsCopy(op);
  for (size_t i = 0; i < walk->count && isFirst; ++i)
    isFirst = !has(walk->copies[i], BERTH_MOVE, number);
  if (!isFirst)
    return MlirWalkResultAdvance;
  walk->copies = berthGrow(walk->copies, walk->count, &walk->capacity,
                           sizeof *walk->copies);
  walk->copies[walk->count++] = op;
  return MlirWalkResultAdvance;
}

size_t berthFitMakeCopiedTiles(const BerthJob *job, const BerthFitLevel *levels,
                               size_t numLevels) {
  Walk walk = {0};
  size_t numMade = 0;
  mlirOperationWalk(job->scope.op, addFirst, &walk, MlirWalkPreOrder);
  for (size_t i = 0; i < walk.count; ++i) {
    Content content = {.number = berthAttributeOf(walk.copies[i], BERTH_MOVE),
                       .block = mlirOperationGetBlock(walk.copies[i])};
    mlirOperationWalk(job->scope.op, collect, &content, MlirWalkPreOrder);
    bool isKnown = !content.isOther && content.numCopies > 0 &&
                   content.numCopies == content.numPlaces &&
                   (int64_t)content.numPlaces == content.numTold;
    MlirValue memory =
        isKnown ? berthValueBehindViews(content.slice) : (MlirValue){NULL};
    if (isKnown && !mlirValueEqual(memory, content.slice) &&
        levelOf(&content, levels, numLevels) && mayBeMarked(job, memory)) {
      makeTiles(&content, memory);
      ++numMade;
    }
    free(content.copies);
  }
  free(walk.copies);
  return numMade;
}
