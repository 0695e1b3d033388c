//===- Adopt.c - Plans from elsewhere ------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The given plan is replayed by a packer that computes nothing. So there is
// one way for plans into Berth, with one judge and one verifier at its end.
//
//===---------------------------------------------------------------------===//

#include "IO/Adopt.h"
#include "Support/Allocate.h"
#include "berth-c/Packer.h"

#include <stdlib.h>
#include <string.h>

/// The given plan by item.
typedef struct Replay {
  const BerthPlan *given;
  size_t numItems;
  size_t *bufferOfItem; ///< items counted by their first buffers
} Replay;

typedef struct Member {
  int64_t group;
  size_t buffer;
} Member;

static int compareMembers(const void *left, const void *right) {
  const Member *a = left;
  const Member *b = right;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/// Marks the buffers that a colocated one before them stands for. NULL if out
/// of memory.
static bool *findFollowers(const BerthProblemData *problem) {
  bool *follows = berthZeroed(problem->numBuffers, sizeof *follows);
  Member *members = berthZeroed(problem->numBuffers, sizeof *members);
  if (!follows || !members) {
    free(follows);
    free(members);
    return NULL;
  }
  size_t count = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    if (problem->buffers[i].group != BERTH_NONE)
      members[count++] = (Member){problem->buffers[i].group, i};
  }
  if (count > 1)
    qsort(members, count, sizeof *members, compareMembers);
  for (size_t i = 1; i < count; ++i)
    follows[members[i].buffer] = members[i].group == members[i - 1].group;
  free(members);
  return follows;
}

/// Numbers items in the order of their first buffers, as BerthTask::rowNumbers.
/// False if out of memory.
static bool numberItems(const BerthProblemData *problem, Replay *replay) {
  bool *follows = findFollowers(problem);
  replay->bufferOfItem =
      berthZeroed(problem->numBuffers, sizeof *replay->bufferOfItem);
  bool complete = follows && replay->bufferOfItem;
  for (size_t i = 0; complete && i < problem->numBuffers; ++i) {
    if (!follows[i])
      replay->bufferOfItem[replay->numItems++] = i;
  }
  free(follows);
  return complete;
}

static BerthStatus replayPlan(const BerthPacker *self, const BerthTask *task,
                              const BerthHost *host, BerthAnswer *answer) {
  (void)host;
  const Replay *replay = self->userData;
  if (task->numItems != replay->numItems)
    return BERTH_INTERNAL;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    size_t buffer = replay->bufferOfItem[task->rowNumbers[i]];
    answer->offsets[i] = replay->given->offsets[buffer];
    answer->pools[i] = replay->given->pools[buffer];
  }
  if (task->numCuts > 0 && replay->given->numCuts == task->numCuts)
    memcpy(answer->cutsBought, replay->given->cutsBought, task->numCuts);
  answer->stopped = replay->given->stopped;
  return BERTH_SUCCESS;
}

/// Colocated buffers share an offset; replaying by item would hide it if the
/// given ones do not.
static BerthStatus checkFollowers(const BerthPlan *given, const BerthPlan *plan,
                                  BerthError *error) {
  for (size_t i = 0; i < plan->numBuffers; ++i) {
    if (given->offsets[i] != plan->offsets[i])
      return berthErrorSet(error, BERTH_INTERNAL,
                           "colocated buffer %zu has an offset of its own", i);
  }
  return BERTH_SUCCESS;
}

BerthStatus berthPlanAdopt(const BerthProblemData *problem,
                           const BerthPlan *given, const char *name,
                           BerthPlan *plan, BerthError *error) {
  *plan = (BerthPlan){0};
  if (given->numBuffers != problem->numBuffers)
    return berthErrorSet(error, BERTH_INTERNAL,
                         "a plan for %zu buffers instead of %zu",
                         given->numBuffers, problem->numBuffers);
  Replay replay = {.given = given};
  if (!numberItems(problem, &replay)) {
    free(replay.bufferOfItem);
    return berthOutOfMemory(error);
  }
  const uint32_t proofs = BERTH_CAN_PROVE | BERTH_CAN_INFEASIBLE;
  BerthPacker packer = {.version = BERTH_PACKER_ABI,
                        .size = sizeof packer,
                        .name = name,
                        .summary = "replays a plan",
                        .capabilities = ~proofs,
                        .userData = &replay,
                        .pack = replayPlan};
  BerthStatus status = berthPackWith(&packer, problem, NULL, plan, error);
  free(replay.bufferOfItem);
  if (status == BERTH_SUCCESS)
    status = checkFollowers(given, plan, error);
  if (status == BERTH_SUCCESS)
    plan->steps = given->steps;
  else
    berthPlanFree(plan);
  return status;
}
