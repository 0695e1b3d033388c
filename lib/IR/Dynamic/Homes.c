//===- Homes.c - Where run-time arenas are made ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best home of a buffer is the entry: one arena, made once. Where its size
// or the conditions around it are not known there, the home goes as far down
// and as far inside as it must, and is shared by whoever can use the same.
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Homes.h"
#include "IR/Dynamic/Sizes.h"
#include "IR/Ops/OrDie.h"
#include "IR/Pointers/Frees.h"

#include <stdlib.h>

static bool canSize(const BerthJob *job, const BerthHome *home,
                    const BerthBufferInfo *buffer) {
  BerthCondition conditions[BERTH_MAX_CONDITIONS];
  size_t numConditions;
  return berthFindConditions(job, home, buffer->alloc, conditions,
                             &numConditions) &&
         berthCanMakeSizes(job, home, buffer->alloc);
}

static bool isInEntryBlock(const BerthJob *job, const BerthHome *home) {
  return mlirBlockEqual(home->block, mlirRegionGetFirstBlock(job->scope.body));
}

/// True if the buffer is done with when control leaves the home's block: its
/// arena can be freed there.
static bool isConfined(const BerthJob *job, const BerthHome *home,
                       const BerthBufferInfo *buffer) {
  MlirOperation terminator = mlirBlockGetTerminator(home->block);
  if (mlirOperationIsNull(terminator) || buffer->leaks)
    return false;
  int64_t lower = berthPointsLower(&job->points, home->before);
  int64_t upper = berthPointsLower(&job->points, terminator);
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (buffer->accesses[i].lower < lower || buffer->accesses[i].upper > upper)
      return false;
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].lower < lower || buffer->segments[i].upper > upper)
      return false;
  return true;
}

/// The arena of a home in the entry block lives as long as the scope.
static bool outlives(const BerthJob *job, const BerthHome *home,
                     const BerthBufferInfo *buffer) {
  return isInEntryBlock(job, home) || isConfined(job, home, buffer);
}

static bool mayLiveIn(const BerthJob *job, const BerthHome *home,
                      const BerthBufferInfo *buffer) {
  return canSize(job, home, buffer) && outlives(job, home, buffer);
}

/// The op of the home's block that holds the buffer's allocation, at or behind
/// the home; null if there is none.
static bool isReached(const BerthJob *job, const BerthHome *home,
                      const BerthBufferInfo *buffer) {
  MlirOperation at = berthAncestorInRegion(
      buffer->alloc, mlirBlockGetParentRegion(home->block));
  return !mlirOperationIsNull(at) &&
         mlirBlockEqual(mlirOperationGetBlock(at), home->block) &&
         berthPointsLower(&job->points, home->before) <=
             berthPointsLower(&job->points, at);
}

static void moveIn(BerthJob *job, size_t home, size_t buffer) {
  job->homes[home].buffers[job->homes[home].numBuffers++] = buffer;
  job->scope.buffers[buffer].home = home;
}

static void openHome(BerthJob *job, BerthHome home, size_t buffer) {
  home.buffers = BERTH_NEW(&job->memory, size_t, job->scope.numBuffers);
  job->homes[job->numHomes++] = home;
  moveIn(job, job->numHomes - 1, buffer);
}

static BerthHome homeBefore(MlirOperation op) {
  return (BerthHome){.block = mlirOperationGetBlock(op), .before = op};
}

static BerthHome entryHome(const BerthJob *job) {
  MlirBlock block = mlirRegionGetFirstBlock(job->scope.body);
  return (BerthHome){.block = block,
                     .before = mlirBlockGetFirstOperation(block),
                     .isEntry = true};
}

/// The outermost home in front of the allocation or of an op around it; false
/// if none will do.
static bool findHome(const BerthJob *job, const BerthBufferInfo *buffer,
                     BerthHome *home) {
  bool found = false;
  for (MlirOperation op = buffer->alloc; !mlirOperationEqual(op, job->scope.op);
       op = mlirOperationGetParentOperation(op)) {
    BerthHome candidate = homeBefore(op);
    if (berthAllocatesOnStack(job) && !isInEntryBlock(job, &candidate))
      continue;
    if (!mayLiveIn(job, &candidate, buffer))
      continue;
    *home = candidate;
    found = true;
  }
  return found;
}

/// Homes are opened in the order of the code, so an earlier one stands higher.
static bool joinHome(BerthJob *job, const BerthHome *wanted, size_t buffer) {
  const BerthBufferInfo *info = &job->scope.buffers[buffer];
  for (size_t i = 1; i < job->numHomes; ++i)
    if (mlirBlockEqual(job->homes[i].block, wanted->block) &&
        isReached(job, &job->homes[i], info) &&
        mayLiveIn(job, &job->homes[i], info)) {
      moveIn(job, i, buffer);
      return true;
    }
  return false;
}

static bool canHold(const BerthJob *job) {
  bool isAllocated = berthAllocatesOnHeap(job) || berthAllocatesOnStack(job);
  return isAllocated &&
         (job->scope.kind == BERTH_SCOPE_FUNCTION || berthSizesAreForHost(job));
}

static void settle(BerthJob *job, size_t index) {
  BerthBufferInfo *buffer = &job->scope.buffers[index];
  BerthHome home;
  if (!canHold(job))
    berthRejectBuffer(buffer,
                      "its size is known only at run time, and the arena's "
                      "form has a fixed size",
                      buffer->alloc);
  else if (mayLiveIn(job, &job->homes[0], buffer))
    moveIn(job, 0, index);
  else if (berthSizesAreForHost(job))
    berthRejectBuffer(buffer,
                      "the host cannot tell its size: it depends on the "
                      "thread, on memory, or on a condition that does",
                      buffer->alloc);
  else if (!findHome(job, buffer, &home))
    berthRejectBuffer(buffer,
                      "its size is known only at run time, and only where an "
                      "arena would not live long enough",
                      buffer->alloc);
  else if (!joinHome(job, &home, index))
    openHome(job, home, index);
}

/// An arena for one buffer, and nothing else in it, is the allocation that was
/// there before.
static void rejectLonely(BerthJob *job) {
  for (size_t i = 1; i < job->numHomes; ++i) {
    if (job->homes[i].numBuffers != 1)
      continue;
    BerthBufferInfo *only = &job->scope.buffers[job->homes[i].buffers[0]];
    berthRejectBuffer(only,
                      "its size is known only at run time, where no other "
                      "buffer could share its arena",
                      only->alloc);
  }
  berthCheckFrees(&job->scope);
}

/// Takes out who was rejected after moving in.
static void tidy(BerthJob *job) {
  job->numDynamic = 0;
  for (size_t i = 0; i < job->numHomes; ++i) {
    BerthHome *home = &job->homes[i];
    size_t count = 0;
    for (size_t k = 0; k < home->numBuffers; ++k)
      if (!job->scope.buffers[home->buffers[k]].reason)
        home->buffers[count++] = home->buffers[k];
    home->numBuffers = count;
    job->numDynamic += count;
  }
}

static size_t countDynamic(const BerthScope *scope) {
  size_t count = 0;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    count += scope->buffers[i].isDynamic && !scope->buffers[i].reason;
  return count;
}

void berthFindHomes(BerthJob *job) {
  size_t count = countDynamic(&job->scope);
  if (count == 0)
    return;
  job->homes = BERTH_NEW(&job->memory, BerthHome, count + 1);
  job->homes[0] = entryHome(job);
  job->homes[0].buffers =
      BERTH_NEW(&job->memory, size_t, job->scope.numBuffers);
  job->numHomes = 1;
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (job->scope.buffers[i].isDynamic && !job->scope.buffers[i].reason)
      settle(job, i);
  rejectLonely(job);
  tidy(job);
}
