//===- Figures.c - What a plan comes to ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Figures.h"
#include "IR/Scope/Job.h"

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
