//===- ArenaParts.c - One arena, or several that never share bytes --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of one arena may alias as far as LLVM can see, even where the plan
// keeps them apart. Different globals, attributions and allocations may not.
// With split-arenas the plan falls into as many parts as it can:
//
//     offset 0        512              1536            2048
//            |  A      |  B             |  D            |
//            |  C                 |     |               |
//            '----- one part -----------'-- another ----'
//
// A part ends where no buffer covers both the byte before and the byte behind.
// Parts are as aligned as the arena was at their first byte, so laid out one
// behind the other they take no more room than the arena.
//
// memref.distinct_objects on views of one arena would say too much: it makes
// the whole arena no-alias with itself, and LLVM drops stores that later views
// read.
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/ArenaParts.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Where a plan can be cut
//===----------------------------------------------------------------------===//

/// The bytes of one buffer.
typedef struct Extent {
  int64_t lower;
  int64_t upper;
  int64_t alignment;
} Extent;

static int compareExtents(const void *left, const void *right) {
  const Extent *a = left, *b = right;
  if (a->lower != b->lower)
    return a->lower < b->lower ? -1 : 1;
  return a->upper < b->upper ? -1 : a->upper > b->upper;
}

/// The extents of all placed buffers, from the arena's begin to its end.
static Extent *sortedExtents(const BerthJob *job, const BerthPlan *plan) {
  Extent *extents = berthAllocateOrDie(job->numPlaced, sizeof *extents);
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[i]];
    int64_t lower = plan->offsets[i];
    extents[i] = (Extent){lower, lower + buffer->size, buffer->alignment};
  }
  qsort(extents, job->numPlaced, sizeof *extents, compareExtents);
  return extents;
}

/// Joins an extent to the part, which then begins where all in it are aligned.
static void join(Extent *part, Extent extent) {
  if (extent.upper > part->upper)
    part->upper = extent.upper;
  if (extent.alignment > part->alignment)
    part->alignment = extent.alignment;
  part->lower -= part->lower % part->alignment;
}

/// Turns sorted extents into parts, in place; returns how many there are.
static size_t joinExtents(Extent *extents, size_t count) {
  size_t numParts = 0;
  for (size_t i = 0; i < count; ++i) {
    Extent *last = numParts ? &extents[numParts - 1] : NULL;
    if (last && extents[i].lower < last->upper)
      join(last, extents[i]);
    else
      extents[numParts++] = extents[i];
    // Its begin may have moved down into the part before.
    while (numParts > 1 &&
           extents[numParts - 1].lower < extents[numParts - 2].upper) {
      join(&extents[numParts - 2], extents[numParts - 1]);
      --numParts;
    }
  }
  return numParts;
}

static size_t countParts(const BerthJob *job, const BerthPlan *plan) {
  Extent *extents = sortedExtents(job, plan);
  size_t count = joinExtents(extents, job->numPlaced);
  free(extents);
  return count;
}

//===----------------------------------------------------------------------===//
// The parts of a job
//===----------------------------------------------------------------------===//

/// The alignment that byte `lower` of the arena has.
static int64_t alignmentAt(const BerthJob *job, int64_t lower) {
  int64_t lowestBit = lower & -lower;
  return lower == 0 || lowestBit > job->arenaAlignment ? job->arenaAlignment
                                                       : lowestBit;
}

void berthFindParts(BerthJob *job) {
  job->parts = BERTH_NEW(&job->memory, BerthPart, job->numPlaced + 1);
  job->numParts = 1;
  job->parts[0] =
      (BerthPart){.bytes = job->arenaSize, .alignment = job->arenaAlignment};
  // The callers of an embedded function hand it one part (CalleeArenas.c); and
  // what is computed at run time may lie above any static buffer.
  if (!job->options->splitArenas || job->isEmbedded || berthHasEntryHome(job))
    return;
  Extent *extents = sortedExtents(job, &job->plan);
  job->numParts = joinExtents(extents, job->numPlaced);
  for (size_t i = 0; i < job->numParts; ++i)
    job->parts[i] =
        (BerthPart){.lower = extents[i].lower,
                    .bytes = extents[i].upper - extents[i].lower,
                    .alignment = alignmentAt(job, extents[i].lower)};
  free(extents);
}

const BerthPart *berthPartAt(const BerthJob *job, int64_t offset) {
  size_t i = 0;
  while (i + 1 < job->numParts && job->parts[i + 1].lower <= offset)
    ++i;
  return &job->parts[i];
}

MlirValue berthArenaOf(const BerthJob *job, const BerthBufferInfo *buffer,
                       int64_t *lower) {
  *lower = 0;
  if (buffer->isDynamic && buffer->home > 0)
    return job->homes[buffer->home].arena;
  if (buffer->isDynamic)
    return job->parts[0].value;
  const BerthPart *part = berthPartAt(job, buffer->offset);
  *lower = part->lower;
  return part->value;
}

//===----------------------------------------------------------------------===//
// Plans with more parts
//===----------------------------------------------------------------------===//

BerthPlan berthPreferParts(const BerthJob *job, const BerthProblemData *problem,
                           BerthPlan plan) {
  if (!job->options->splitArenas || berthNamesPacker(job->options))
    return plan;
  // It never lets buffers overlap in part: each object is a part of its own.
  BerthPackOptions options = {.packer = "greedy-in-order"};
  BerthPlan other = {0};
  BerthError error;
  bool isBetter =
      berthPack(problem, &options, &other, &error) == BERTH_SUCCESS &&
      berthPlanVerify(problem, &other, &error) == BERTH_SUCCESS &&
      other.peak <= plan.peak &&
      countParts(job, &other) > countParts(job, &plan);
  if (!isBetter) {
    berthPlanFree(&other);
    return plan;
  }
  if (other.peak == plan.peak) {
    // What was proved of the size holds of this plan too.
    other.status = plan.status;
    other.lowerBound = plan.lowerBound;
    other.boundReason = plan.boundReason;
    other.boundFrom = plan.boundFrom;
    other.boundTo = plan.boundTo;
    uint32_t *buffers = other.boundBuffers;
    other.boundBuffers = plan.boundBuffers;
    other.numBoundBuffers = plan.numBoundBuffers;
    plan.boundBuffers = buffers; // to be freed with it
  }
  other.steps += plan.steps;
  berthPlanFree(&plan);
  return other;
}
