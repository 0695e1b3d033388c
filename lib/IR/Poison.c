//===- Poison.c - Make wrong reuse visible --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Poison.h"
#include "IR/Build.h"

/// scf.for %i = 0 to bytes { memref.store -1, %view[%i] }
static void buildFill(BerthInsertPoint at, MlirValue arena, int64_t offset,
                      int64_t bytes, MlirAttribute space) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirType index = mlirIndexTypeGet(context);
  MlirValue view =
      berthBuildView(at, arena, offset, berthByteMemRef(context, bytes, space));
  MlirValue pattern = berthBuildInteger(at, mlirIntegerTypeGet(context, 8), -1);
  MlirValue bounds[] = {berthBuildIndex(at, 0), berthBuildIndex(at, bytes),
                        berthBuildIndex(at, 1)};
  MlirBlock body = mlirBlockCreate(1, &index, &at.location);
  BerthInsertPoint inside = {body, {NULL}, at.location};
  MlirValue store[] = {pattern, view, mlirBlockGetArgument(body, 0)};
  berthBuild(inside, "memref.store", 3, store, 0, NULL, 0, NULL);
  berthBuild(inside, "scf.yield", 0, NULL, 0, NULL, 0, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("scf.for"), at.location);
  mlirOperationStateAddOperands(&state, 3, bounds);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockInsertOwnedOperationBefore(at.block, at.before,
                                      mlirOperationCreate(&state));
}

/// The op behind which the segment ends, if its end lies in straight-line code;
/// null where control enters a region there or leaves a block.
static MlirOperation lastOp(const BerthJob *job, BerthSegment segment) {
  MlirOperation op = job->points.opAt[segment.upper - 1];
  bool endsHere = berthPointsUpper(&job->points, op) == segment.upper;
  bool isLast = mlirOperationIsNull(mlirOperationGetNextInBlock(op));
  return endsHere && !isLast ? op : (MlirOperation){NULL};
}

/// True if the bytes live on in another buffer that was written in place.
static bool livesOn(const BerthJob *job, const BerthBufferInfo *buffer,
                    int64_t point) {
  for (size_t i = 0; buffer->group != BERTH_NONE && i < job->numPlaced; ++i) {
    const BerthBufferInfo *other = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; other != buffer && other->group == buffer->group &&
                       k < other->numSegments;
         ++k)
      if (other->segments[k].lower <= point && point < other->segments[k].upper)
        return true;
  }
  return false;
}

void berthPoisonDeadBytes(BerthJob *job) {
  if (berthScopeIsShared(&job->scope))
    return;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numSegments && !buffer->leaks; ++k) {
      MlirOperation op = lastOp(job, buffer->segments[k]);
      if (mlirOperationIsNull(op) ||
          livesOn(job, buffer, buffer->segments[k].upper - 1))
        continue;
      BerthInsertPoint at = berthInsertBefore(mlirOperationGetNextInBlock(op));
      const BerthPart *part = berthPartAt(job, buffer->offset);
      buildFill(at, part->value, buffer->offset - part->lower, buffer->size,
                job->scope.space);
    }
  }
}
