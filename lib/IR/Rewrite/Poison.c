//===- Poison.c - Make wrong reuse visible --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Rewrite/Poison.h"
#include "IR/Ops/Build.h"
#include "IR/Plan/ArenaParts.h"

/// Bytes of the buffer; of one whose size is known at run time only, all.
static MlirValue viewBytes(const BerthJob *job, BerthInsertPoint at,
                           const BerthBufferInfo *buffer, int64_t from,
                           int64_t to) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirAttribute space = job->scope.space;
  int64_t lower;
  MlirValue arena = berthArenaOf(job, buffer, &lower);
  if (!buffer->isDynamic)
    return berthBuildView(at, arena, buffer->offset - lower + from,
                          berthByteMemRef(context, to - from, space));
  MlirValue operands[] = {arena, buffer->shift, buffer->bytes};
  return berthBuildValue(at, BERTH_NAME_VIEW, 3, operands,
                         berthByteMemRef(context, -1, space), 0, NULL);
}

/// scf.for %i = 0 to bytes { memref.store -1, %view[%i] }
static void buildFill(const BerthJob *job, BerthInsertPoint at,
                      const BerthBufferInfo *buffer, int64_t from, int64_t to) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirValue view = viewBytes(job, at, buffer, from, to);
  MlirValue pattern = berthBuildInteger(at, mlirIntegerTypeGet(context, 8), -1);
  MlirValue end =
      buffer->isDynamic ? buffer->bytes : berthBuildIndex(at, to - from);
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

/// A stretch of points at which one window of the buffer is live.
typedef struct Stretch {
  BerthSegment span;
  int64_t lower; ///< bytes
  int64_t upper;
} Stretch;

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/// The other one of two buffers that one nest reads and writes (Overlap.h), if
/// this is one of them and the point is in the nest; or NULL. While the one
/// dies there, bytes of both are in use.
static const BerthBufferInfo *partnerAt(const BerthJob *job,
                                        const BerthOverlap *overlap,
                                        const BerthBufferInfo *buffer,
                                        int64_t point) {
  const BerthBufferInfo *read = &job->scope.buffers[overlap->read],
                        *written = &job->scope.buffers[overlap->written];
  if (point < berthPointsLower(&job->points, overlap->nest) ||
      point >= berthPointsUpper(&job->points, overlap->nest))
    return NULL;
  return buffer == read ? written : buffer == written ? read : NULL;
}

/// Bytes of the buffer, but for those of partners by the overlaps from `first`
/// on.
static void fillAround(const BerthJob *job, BerthInsertPoint at,
                       const BerthBufferInfo *buffer, int64_t point,
                       size_t first, int64_t from, int64_t to) {
  if (from >= to)
    return;
  for (size_t i = first; i < job->numOverlaps; ++i) {
    const BerthBufferInfo *partner =
        partnerAt(job, &job->overlaps[i], buffer, point);
    if (!partner)
      continue;
    int64_t lower = partner->offset - buffer->offset;
    fillAround(job, at, buffer, point, i + 1, from, smaller(to, lower));
    fillAround(job, at, buffer, point, i + 1,
               larger(from, lower + partner->size), to);
    return;
  }
  buildFill(job, at, buffer, from, to);
}

/// What the bytes `from .. to` of the buffer held is dead behind the stretch.
static void poisonBytes(const BerthJob *job, const BerthBufferInfo *buffer,
                        const Stretch *stretch, int64_t from, int64_t to) {
  if (from >= to || livesOn(job, buffer, stretch->span.upper - 1))
    return;
  MlirOperation op = lastOp(job, stretch->span);
  if (mlirOperationIsNull(op))
    return;
  BerthInsertPoint at = berthInsertBefore(mlirOperationGetNextInBlock(op));
  fillAround(job, at, buffer, stretch->span.upper - 1, 0, from, to);
}

/// What the stretch has and the next one, perhaps right behind it, has not.
static void leaveStretch(const BerthJob *job, const BerthBufferInfo *buffer,
                         Stretch stretch, Stretch next) {
  if (next.span.lower != stretch.span.upper || next.lower == next.upper)
    next.lower = next.upper = stretch.upper;
  poisonBytes(job, buffer, &stretch, stretch.lower,
              smaller(stretch.upper, next.lower));
  poisonBytes(job, buffer, &stretch, larger(stretch.lower, next.upper),
              stretch.upper);
}

static void poisonBuffer(const BerthJob *job, const BerthBufferInfo *buffer) {
  const BerthGap *gap = buffer->gaps, *end = gap + buffer->numGaps;
  int64_t size = buffer->isDynamic ? 1 : buffer->size;
  Stretch last = {{-1, -1}, 0, 0};
  for (size_t k = 0; k < buffer->numSegments && !buffer->leaks; ++k) {
    int64_t point = buffer->segments[k].lower;
    while (point < buffer->segments[k].upper) {
      bool isGap = gap != end && gap->lower == point;
      bool isBefore = gap != end && gap->lower < buffer->segments[k].upper;
      Stretch next = {
          {point, isBefore ? gap->lower : buffer->segments[k].upper}, 0, size};
      if (isGap) {
        next =
            (Stretch){{point, gap->upper}, gap->windowLower, gap->windowUpper};
        ++gap;
      }
      leaveStretch(job, buffer, last, next);
      last = next;
      point = next.span.upper;
    }
  }
  leaveStretch(job, buffer, last, (Stretch){{0, 0}, 0, 0});
}

void berthPoisonDeadBytes(BerthJob *job) {
  if (berthScopeIsShared(&job->scope))
    return;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    bool hasBytes =
        buffer->isDynamic || (buffer->size > 0 && !buffer->isUntouched);
    if (!buffer->reason && hasBytes)
      poisonBuffer(job, buffer);
  }
}
