//===- Figures.c - What a plan comes to ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Figures.h"
#include "IR/Ops/Constants.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/Job.h"
#include "IR/Scope/Segments.h"

size_t berthCountPlaced(const BerthJob *job) {
  size_t count = 0;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    count +=
        !job->scope.buffers[i].reason && !job->scope.buffers[i].isLaterLife;
  return count;
}

size_t berthCountBuffers(const BerthJob *job) {
  size_t count = 0;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    count += !job->scope.buffers[i].isLaterLife;
  return count;
}

int64_t berthSumOfSizes(const BerthJob *job) {
  int64_t sum = 0;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    sum += buffer->isLaterLife ? 0 : buffer->size;
  }
  return sum;
}

/// The arena of a called function counts in itself and in its callers' arenas.
void berthAddFigures(const BerthJob *job, BerthArenaFigures *figures) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    figures->buffers += mlirOperationIsNull(job->scope.buffers[i].callee) &&
                        !job->scope.buffers[i].isLaterLife;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    if (!mlirOperationIsNull(buffer->callee) || buffer->isLaterLife)
      continue;
    ++figures->placed;
    figures->bytesBefore += (uint64_t)buffer->size;
  }
  figures->placed += job->numDynamic;
  figures->dynamic += job->numDynamic;
  if (!job->isEmbedded)
    figures->bytesAfter += (uint64_t)job->arenaSize;
}

/// The point where most bytes are live.
static int64_t findPeak(const BerthJob *job) {
  size_t count = (size_t)job->points.count + 1;
  int64_t *change = berthAllocateOrDie(count, sizeof *change);
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    for (size_t k = 0; k < buffer->numSegments; ++k) {
      change[buffer->segments[k].lower] += buffer->size;
      change[buffer->segments[k].upper] -= buffer->size;
    }
  }
  int64_t load = 0, most = -1, peak = 0;
  for (int64_t point = 0; point < job->points.count; ++point) {
    load += change[point];
    if (load > most) {
      most = load;
      peak = point;
    }
  }
  free(change);
  return peak;
}

/// True if one op overwrites the buffer with what constants alone tell.
static bool isOfConstants(const BerthBufferInfo *buffer) {
  const BerthAccess *writer = NULL;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    if (!buffer->accesses[i].writes)
      continue;
    if (writer || !buffer->accesses[i].kills)
      return false;
    writer = &buffer->accesses[i];
  }
  intptr_t count = writer ? mlirOperationGetNumOperands(writer->op) : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (mlirValueEqual(mlirOperationGetOperand(writer->op, i), writer->through))
      return berthOpReadsConstantsOnly(writer->op, i);
  return false;
}

BerthConstantFigures berthFindConstants(const BerthJob *job) {
  BerthConstantFigures figures = {0};
  int64_t peak = job->numPlaced ? findPeak(job) : 0, largest = 0;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    if (!berthSegmentAt(buffer, peak) || !isOfConstants(buffer))
      continue;
    ++figures.count;
    figures.bytes += buffer->size;
    if (buffer->size > largest) {
      largest = buffer->size;
      figures.largest = buffer->alloc;
    }
  }
  return figures;
}
