//===- Capacity.c - Does the plan fit? ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Capacity.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Plan/Banks.h"
#include "IR/Plan/Clashes.h"
#include "IR/Plan/Constraints.h"
#include "IR/Plan/Problem.h"
#include "IR/Scope/Segments.h"

static bool isLiveAt(const BerthBuffer *buffer, int64_t time) {
  for (size_t i = 0; i < buffer->numSegments; ++i)
    if (buffer->segments[i].lower <= time && time < buffer->segments[i].upper)
      return true;
  return false;
}

/// The largest buffer live at `time` that is smaller than the last one told, or
/// equal to it and later; SIZE_MAX if there is none.
static size_t nextLargest(const BerthProblemData *problem, int64_t time,
                          size_t last) {
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    bool comesAfter = last == SIZE_MAX ||
                      buffer->size < problem->buffers[last].size ||
                      (buffer->size == problem->buffers[last].size && i > last);
    if (comesAfter && isLiveAt(buffer, time) &&
        (best == SIZE_MAX || buffer->size > problem->buffers[best].size))
      best = i;
  }
  return best;
}

/// Pairs of which never both are live, and that may not share all the same.
static size_t pairsKeptApart(const BerthJob *job) {
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  const BerthBufferInfo *buffers = job->scope.buffers;
  size_t count = 0;
  for (size_t i = 0; i < problem->numEdges; ++i) {
    const BerthEdge *edge = &problem->edges[i];
    count += !berthBuffersMeet(&buffers[job->bufferOf[edge->first]],
                               &buffers[job->bufferOf[edge->second]]);
  }
  return count;
}

/// What there is to put buffers in.
static void appendRoom(BerthText *text, const BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  if (options->capacity)
    berthTextAppend(text, " within the capacity of %lld bytes of ",
                    (long long)options->capacity);
  else
    berthTextAppend(text, " in ");
  berthTextAppendMemory(text, job);
  if (options->numBanks)
    berthTextAppend(text, ", in %lld banks", (long long)options->numBanks);
  for (size_t i = 0; i < options->numReserved; ++i)
    berthTextAppend(text, "%s[%lld, %lld)%s", i ? ", " : ", without ",
                    (long long)options->reserved[i].lower,
                    (long long)options->reserved[i].upper,
                    job->numBelow && i + 1 == options->numReserved
                        ? ", which callers use"
                        : "");
}

/// More than allocations have anyhow, or padding behind the size.
static bool isBoundByAlignment(const BerthBuffer *buffer) {
  return buffer->alignment > BERTH_MALLOC_ALIGNMENT ||
         buffer->size % buffer->alignment;
}

/// Nothing fits, and not for the capacity's sake alone: the buffers that cannot
/// be together, and what is demanded of them.
static void reportClash(BerthJob *job) {
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  BerthText text = {0};
  berthTextAppend(&text, "no plan meets these constraints");
  appendRoom(&text, job);
  berthTextAppend(&text, ": ");
  MlirAsmState state = berthAsmStateOf(job->scope.op);
  const BerthBufferInfo *first = NULL;
  for (size_t i = 0; i < job->plan.numConflict; ++i) {
    size_t index = job->plan.conflict[i];
    const BerthBufferInfo *buffer = &job->scope.buffers[job->bufferOf[index]];
    if (!first)
      first = buffer;
    berthTextAppend(&text, "%s", i ? ", " : "");
    berthTextAppendBufferOf(&text, job, index, state);
    berthTextAppend(&text, " with %lld bytes",
                    (long long)problem->buffers[index].size);
    if (isBoundByAlignment(&problem->buffers[index]))
      berthTextAppend(&text, " aligned to %lld",
                      (long long)problem->buffers[index].alignment);
    berthTextAppendConstraints(&text, buffer);
  }
  mlirAsmStateDestroy(state);
  berthEmitError(first->alloc, text.data, (MlirOperation){NULL}, NULL);
  job->isReported = true;
  berthTextFree(&text);
}

/// Alignments alone may be what asks for more than is live at once.
static bool isClash(const BerthJob *job) {
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  bool isBound = job->options->numReserved > 0;
  bool isLoadFine =
      problem->capacity && berthProblemLoad(problem, NULL) <= problem->capacity;
  for (size_t i = 0; i < job->plan.numConflict; ++i) {
    size_t index = job->plan.conflict[i];
    isBound |= job->scope.buffers[job->bufferOf[index]].constraints ||
               (isLoadFine && isBoundByAlignment(&problem->buffers[index]));
  }
  return job->plan.numConflict && isBound;
}

static void reportOverflow(BerthJob *job) {
  enum { kBuffersToName = 5 };
  const BerthProblemData *problem = berthProblemGetData(job->problem);
  int64_t time = 0;
  int64_t load = berthProblemLoad(problem, &time);
  BerthText text = {0}, note = {0}, memory = {0};
  berthTextAppendMemory(&memory, job);
  bool isNamed = !mlirAttributeIsNull(job->scope.space);
  bool isProved = job->plan.status == BERTH_PLAN_INFEASIBLE;
  if (job->options->numBanks)
    berthTextAppend(&text,
                    "the buffers do not fit: %s puts them into the %lld banks "
                    "of %s, of %lld bytes each",
                    isProved ? "no plan" : "none of the plans tried",
                    (long long)job->options->numBanks, memory.data,
                    (long long)berthBankBytes(job->options));
  else
    berthTextAppend(&text,
                    "the buffers do not fit: they need %lld bytes%s, the "
                    "capacity%s%s is %lld bytes",
                    (long long)job->plan.peak,
                    isProved ? " (no plan fits)" : " in the best plan found",
                    isNamed ? " of " : "", isNamed ? memory.data : "",
                    (long long)problem->capacity);
  berthTextAppend(&note, "%lld bytes are live here; the largest of them: ",
                  (long long)load);
  MlirAsmState state = berthAsmStateOf(job->scope.op);
  size_t last = SIZE_MAX;
  for (int i = 0; i < kBuffersToName; ++i) {
    last = nextLargest(problem, time, last);
    if (last == SIZE_MAX)
      break;
    berthTextAppend(&note, "%s", i ? ", " : "");
    berthTextAppendBufferOf(&note, job, last, state);
    berthTextAppend(&note, " with %lld bytes",
                    (long long)problem->buffers[last].size);
  }
  mlirAsmStateDestroy(state);
  size_t apart = pairsKeptApart(job);
  if (apart && load < job->plan.peak)
    berthTextAppend(&note,
                    "; and %zu pairs that no barrier separates are kept apart",
                    apart);
  berthEmitError(job->scope.op, text.data, job->points.opAt[time], note.data);
  job->isReported = true;
  berthTextFree(&text);
  berthTextFree(&note);
  berthTextFree(&memory);
}

/// Offsets and sizes are numbers of the program's: they would wrap around.
static void reportWidth(BerthJob *job, int64_t most) {
  berthErrorSet(&job->error, BERTH_INVALID,
                "the arena would take %lld bytes, and an index of this data "
                "layout holds no more than %lld: run on parts of the program, "
                "or use berth-merge, which makes no arena",
                (long long)job->plan.peak, (long long)most);
  job->status = BERTH_INVALID;
}

bool berthPlanFits(const BerthJob *job) {
  return job->numPlaced == 0 || job->plan.status == BERTH_PLAN_OPTIMAL ||
         job->plan.status == BERTH_PLAN_FEASIBLE;
}

void berthCheckCapacity(BerthJob *job) {
  bool fits = berthPlanFits(job);
  if (job->status != BERTH_SUCCESS || job->numPlaced == 0)
    return;
  int64_t most = berthIndexMax(job->scope.op);
  if (fits && job->plan.peak > most &&
      !berthIsBroken(job->options->alias.breakRule, "wide-index"))
    reportWidth(job, most);
  if (fits)
    return;
  job->status = BERTH_INVALID;
  job->isReported = true;
  if (job->numTooLarge)
    ++*job->numTooLarge;
  else if (isClash(job))
    reportClash(job);
  else
    reportOverflow(job);
}
