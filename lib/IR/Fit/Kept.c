//===- Kept.c - How long content stays as it is ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fit/Kept.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"

bool berthFitIsAllocation(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         berthOpIsPlainAllocation(mlirOpResultGetOwner(value));
}

bool berthFitIsPlace(MlirValue value) {
  if (!berthFitIsAllocation(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  return !mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT)) ||
         !mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE));
}

typedef struct Search {
  const BerthJob *job;
  MlirValue origin; ///< of what must not be written
  int64_t end;
  bool isWritten;
  int64_t at; ///< the point of the op in question
} Search;

static bool isGiven(const Search *search, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value),
                        mlirRegionGetFirstBlock(search->job->scope.body));
}

/// Two allocations are different memory, and so are one of the function's own
/// and what its caller gives it. What control flow hands on may be any of them.
static bool mayBe(const Search *search, MlirValue value) {
  MlirValue a = berthValueBehindViews(value), b = search->origin;
  if (mlirValueEqual(a, b))
    return true;
  bool isOwnA = berthFitIsAllocation(a), isOwnB = berthFitIsAllocation(b);
  return !(isOwnA && isOwnB) && !(isOwnA && isGiven(search, b)) &&
         !(isOwnB && isGiven(search, a));
}

static void noteEffect(BerthEffect effect, void *userData) {
  Search *search = userData;
  if (effect.kind == BERTH_EFFECT_READ || effect.kind == BERTH_EFFECT_ALLOCATE)
    return;
  if (mlirValueIsNull(effect.value) || mayBe(search, effect.value))
    search->isWritten = true;
}

static MlirWalkResult lookForWrite(MlirOperation op, void *userData) {
  Search *search = userData;
  search->at = berthPointsLower(&search->job->points, op);
  if (search->at >= search->end)
    return MlirWalkResultInterrupt;
  MlirOperation callee;
  if (berthOpGetCallee(op, &callee))
    search->isWritten = true;
  else if (!berthOpGetEffects(op, noteEffect, search) &&
           (mlirOperationGetNumRegions(op) == 0 ||
            !berthOpTellsOfRegions(op)) &&
           !mlirOperationEqual(op,
                               berthBlockGetLast(mlirOperationGetBlock(op))))
    search->isWritten = true;
  return search->isWritten ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool berthFitMayBeOne(const BerthJob *job, MlirValue a, MlirValue b) {
  Search search = {.job = job, .origin = berthValueBehindViews(b)};
  return mayBe(&search, a);
}

bool berthFitMayWrite(const BerthJob *job, MlirOperation op, MlirValue value) {
  Search search = {
      .job = job, .origin = berthValueBehindViews(value), .end = INT64_MAX};
  if (!berthMemoryIsConstant(search.origin))
    mlirOperationWalk(op, lookForWrite, &search, MlirWalkPreOrder);
  return search.isWritten;
}

int64_t berthFitKeptUntil(const BerthJob *job, MlirValue value,
                          MlirOperation from, int64_t end) {
  Search search = {
      .job = job, .origin = berthValueBehindViews(value), .end = end};
  if (berthMemoryIsConstant(search.origin))
    return end;
  for (MlirOperation op = mlirOperationGetNextInBlock(from);
       !mlirOperationIsNull(op) && !search.isWritten && search.at < end;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, lookForWrite, &search, MlirWalkPreOrder);
  return search.isWritten && search.at < end ? search.at : end;
}
