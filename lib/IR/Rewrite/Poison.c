//===- Poison.c - Make wrong reuse visible --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/Poison.h"
#include "IR/Ops/Build.h"
#include "IR/Plan/ArenaParts.h"

/// The buffer's bytes as memref<?xi8>, or of their number if it is static.
static MlirValue viewBytes(const BerthJob *job, BerthInsertPoint at,
                           const BerthBufferInfo *buffer) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirAttribute space = job->scope.space;
  int64_t lower;
  MlirValue arena = berthArenaOf(job, buffer, &lower);
  if (!buffer->isDynamic)
    return berthBuildView(at, arena, buffer->offset - lower,
                          berthByteMemRef(context, buffer->size, space));
  MlirValue operands[] = {arena, buffer->shift, buffer->bytes};
  return berthBuildValue(at, BERTH_NAME_VIEW, 3, operands,
                         berthByteMemRef(context, -1, space), 0, NULL);
}

/// scf.for %i = 0 to bytes { memref.store -1, %view[%i] }
static void buildFill(const BerthJob *job, BerthInsertPoint at,
                      const BerthBufferInfo *buffer) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirValue view = viewBytes(job, at, buffer);
  MlirValue pattern = berthBuildInteger(at, mlirIntegerTypeGet(context, 8), -1);
  MlirValue end =
      buffer->isDynamic ? buffer->bytes : berthBuildIndex(at, buffer->size);
  BerthInsertPoint inside = berthBuildFor(at, end);
  MlirValue store[] = {pattern, view, mlirBlockGetArgument(inside.block, 0)};
  berthBuild(inside, BERTH_NAME_STORE, 3, store, 0, NULL, 0, NULL);
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
  for (size_t i = 0; buffer->group != BERTH_NONE && i < job->scope.numBuffers;
       ++i) {
    const BerthBufferInfo *other = &job->scope.buffers[i];
    bool isMember =
        other != buffer && !other->reason && other->group == buffer->group;
    for (size_t k = 0; isMember && k < other->numSegments; ++k)
      if (other->segments[k].lower <= point && point < other->segments[k].upper)
        return true;
  }
  return false;
}

static void poisonBuffer(const BerthJob *job, const BerthBufferInfo *buffer) {
  for (size_t k = 0; k < buffer->numSegments && !buffer->leaks; ++k) {
    MlirOperation op = lastOp(job, buffer->segments[k]);
    if (mlirOperationIsNull(op) ||
        livesOn(job, buffer, buffer->segments[k].upper - 1))
      continue;
    BerthInsertPoint at = berthInsertBefore(mlirOperationGetNextInBlock(op));
    buildFill(job, at, buffer);
  }
}

void berthPoisonDeadBytes(BerthJob *job) {
  if (berthScopeIsShared(&job->scope))
    return;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!buffer->reason && (buffer->isDynamic || buffer->size > 0))
      poisonBuffer(job, buffer);
  }
}
