//===- Problem.c - A scope as a packing problem ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Plan/Problem.h"
#include "IR/Liveness/Groups.h"
#include "IR/Liveness/InPlace.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Plan/Banks.h"

#include <stdlib.h>

/// "%alloc_3 (line 12)": SSA names repeat in sibling regions, lines need not.
static void appendBufferName(BerthText *text, const BerthBufferInfo *buffer,
                             size_t index, MlirAsmState state) {
  MlirAttribute existing = berthAttributeOf(buffer->alloc, BERTH_EXISTING);
  if (!mlirOperationIsNull(buffer->callee)) {
    berthTextAppendCallee(text, buffer->callee);
  } else if (!mlirAttributeIsNull(existing) &&
             mlirAttributeIsAString(existing)) {
    // Nobody wrote the allocation that stands for what is declared.
    MlirStringRef what = mlirStringAttrGetValue(existing);
    berthTextAppendBytes(text, what.data, what.length);
  } else {
    berthTextAppendValue(text, buffer->value, state);
  }
  int line, column;
  berthOpGetPosition(buffer->alloc, &line, &column);
  if (line)
    berthTextAppend(text, " (line %d, buffer %zu)", line, index);
  else
    berthTextAppend(text, " (buffer %zu)", index);
}

static void addBuffer(BerthJob *job, size_t index, const MlirAsmState *state) {
  const BerthBufferInfo *info = &job->scope.buffers[index];
  BerthText name = {0};
  if (state)
    appendBufferName(&name, info, index, *state);
  BerthBuffer buffer = berthBufferDefault();
  buffer.id = name.data;
  buffer.size = info->size;
  buffer.alignment = info->alignment;
  buffer.numSegments = info->numSegments;
  buffer.segments = info->segments;
  buffer.group = info->group;
  if (info->constraints) {
    buffer.fixedOffset = info->constraints->pin;
    buffer.hint = info->constraints->hint;
    if (info->constraints->weight != BERTH_NONE)
      buffer.weight = info->constraints->weight;
  }
  if (job->options->numBanks)
    berthBindToBanks(job->options, info, &buffer);
  berthProblemAddBuffer(job->problem, &buffer);
  berthTextFree(&name);
  job->bufferOf[job->numPlaced++] = index;
  if (info->alignment > job->arenaAlignment)
    job->arenaAlignment = info->alignment;
}

/// A buffer without bytes may lie anywhere in an arena that others need, or at
/// its pin; alone it is not worth one.
static void placeEmptyBuffers(BerthJob *job) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (buffer->reason || buffer->size > 0 || buffer->isDynamic)
      continue;
    buffer->offset = buffer->constraints && buffer->constraints->pin > 0
                         ? buffer->constraints->pin
                         : 0;
    if (job->numPlaced == 0)
      berthRejectBuffer(buffer, "it has no bytes", buffer->alloc);
  }
}

/// True if nobody accesses the buffer, and nobody says where it lies. Who is
/// shown why buffers interfere, or where they lie, is shown all of them. Where
/// cores may come to different numbers of barriers no two buffers share bytes.
static bool isUntouched(const BerthJob *job, const BerthBufferInfo *buffer) {
  const BerthArenaOptions *options = job->options;
  return !buffer->reason && !buffer->leaks && buffer->numAccesses == 0 &&
         buffer->size > 0 && !buffer->isDynamic && !buffer->constraints &&
         mlirOperationIsNull(buffer->callee) && buffer->group == BERTH_NONE &&
         !berthHasConcurrentUnits() && !options->explain && !options->planOut &&
         !job->kept && !options->numBanks && !options->numReserved &&
         !options->splitArenas;
}

/// True if what frees it frees nothing else: its pointer goes through views.
static bool isFreedAlone(const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numFrees; ++i)
    if (mlirOperationGetNumOperands(buffer->frees[i]) != 1)
      return false;
  return berthIsSeenThroughViews(buffer);
}

/// What nobody accesses may lie upon anything. It is in no problem: it lies at
/// the begin of an arena that is as large as it for others' sake, or has no
/// place where one can do without.
static void placeUntouched(BerthJob *job) {
  const BerthBufferInfo *largest = NULL;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    buffer->isUntouched = isUntouched(job, buffer);
    if (!buffer->reason && !buffer->isUntouched && buffer->size > 0 &&
        (!largest || buffer->size > largest->size))
      largest = buffer;
  }
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!buffer->isUntouched)
      continue;
    buffer->isUntouched = largest != NULL;
    buffer->offset = 0;
    if (!largest || (buffer->size <= largest->size &&
                     buffer->alignment <= largest->alignment))
      continue;
    buffer->isUntouched = false;
    // Where room is scarce, what is not placed needs a place all the same.
    if (isFreedAlone(buffer) && !job->options->capacity &&
        !job->options->memory)
      berthRejectBuffer(buffer, "nobody reads or writes it", buffer->alloc);
  }
}

static void addBuffers(BerthJob *job, const MlirAsmState *state) {
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    if (!buffer->reason && buffer->size > 0 && !buffer->isUntouched)
      addBuffer(job, i, state);
  }
  berthProblemOrDie(job->problem);
}

static void addNamedBuffers(BerthJob *job) {
  MlirAsmState state = berthAsmStateOf(job->scope.op);
  addBuffers(job, &state);
  mlirAsmStateDestroy(state);
}

/// Finding names takes as long as printing the scope, so they are found ahead
/// for those only who are given the problem itself.
static bool areNamesShown(const BerthArenaOptions *options) {
  return options->report || options->alsoReports || options->plugin ||
         options->pluginPacker;
}

static void extract(BerthJob *job, bool isNamed) {
  job->problem = berthOrDie(berthProblemCreate());
  job->numPlaced = 0;
  job->bufferOf = BERTH_NEW(&job->memory, size_t, job->scope.numBuffers);
  job->arenaAlignment = berthScopeIsShared(&job->scope) ? 16 : 1;
  if (job->options->numBanks) {
    berthAddBanks(job->options, job->problem);
  } else {
    berthProblemSetCapacity(job->problem, job->options->capacity);
    for (size_t i = 0; i < job->options->numReserved; ++i)
      berthProblemAddReserved(job->problem, job->options->reserved[i]);
  }
  if (isNamed)
    addNamedBuffers(job);
  else
    addBuffers(job, NULL);
}

void berthExtractProblem(BerthJob *job) {
  placeUntouched(job);
  extract(job, areNamesShown(job->options));
  placeEmptyBuffers(job);
}

BerthStatus berthCheckProblem(BerthJob *job, size_t *bad, BerthError *error) {
  BerthStatus status =
      berthProblemCheck(berthProblemGetData(job->problem), bad, error);
  if (status == BERTH_SUCCESS)
    return status;
  BerthProblem *unnamed = job->problem;
  extract(job, true);
  BerthProblem *named = job->problem;
  job->problem = unnamed;
  status = berthProblemCheck(berthProblemGetData(named), bad, error);
  berthProblemDestroy(named);
  return status;
}

void berthTextAppendBufferOf(BerthText *text, const BerthJob *job,
                             size_t number, MlirAsmState state) {
  size_t index = job->bufferOf[number];
  appendBufferName(text, &job->scope.buffers[index], index, state);
}

/// True if a copy within the buffer's group goes: to berth-verify both are one
/// buffer then, which has no pieces.
static bool dropsCopies(const BerthScope *scope, size_t buffer) {
  if (scope->buffers[buffer].group == BERTH_NONE)
    return false;
  size_t i = buffer;
  do
    if (berthIsDroppableCopy(&scope->buffers[i]))
      return true;
  while ((i = scope->buffers[i].nextInGroup) != buffer);
  return false;
}

BerthProblem *berthRepeatProblem(const BerthJob *job, bool byRanges,
                                 int64_t capacity) {
  // The names of its buffers stay: finding them takes longer than packing.
  const BerthProblemData *data = berthProblemGetData(job->problem);
  BerthProblem *again = berthOrDie(berthProblemCreate());
  for (size_t i = 0; i < data->numBuffers; ++i) {
    const BerthBufferInfo *info = &job->scope.buffers[job->bufferOf[i]];
    BerthBuffer buffer = data->buffers[i];
    buffer.group = info->group;
    if (byRanges && !dropsCopies(&job->scope, job->bufferOf[i])) {
      buffer.numGaps = info->numGaps;
      buffer.gaps = info->gaps;
    }
    berthProblemAddBuffer(again, &buffer);
  }
  for (size_t i = 0; i < data->numReserved; ++i)
    berthProblemAddReserved(again, data->reserved[i]);
  for (size_t i = 0; i < data->numPools; ++i)
    berthProblemAddPool(again, &data->pools[i]);
  berthProblemSetCapacity(again, data->numPools ? 0 : capacity);
  berthProblemOrDie(again);
  return again;
}

static bool isMeeting(size_t a, size_t b, const void *userData) {
  const BerthOverlap *overlap = userData;
  return a == overlap->read && b == overlap->written;
}

bool berthIsOverlapAdded(const BerthJob *job, const BerthOverlap *overlap) {
  return berthMayJoinGroups(&job->scope, overlap->read, overlap->written,
                            isMeeting, overlap);
}

void berthAddOverlaps(const BerthJob *job, BerthProblem *problem) {
  const BerthScope *scope = &job->scope;
  uint32_t *numberOf = berthAllocateOrDie(scope->numBuffers, sizeof *numberOf);
  for (size_t i = 0; i < job->numPlaced; ++i)
    numberOf[job->bufferOf[i]] = (uint32_t)i;
  for (size_t i = 0; i < job->numOverlaps; ++i) {
    const BerthOverlap *overlap = &job->overlaps[i];
    BerthDistance distance = {numberOf[overlap->read],
                              numberOf[overlap->written], overlap->lower,
                              overlap->upper};
    if (berthIsOverlapAdded(job, overlap))
      berthProblemAddDistance(problem, &distance);
  }
  free(numberOf);
  berthProblemOrDie(problem);
}
