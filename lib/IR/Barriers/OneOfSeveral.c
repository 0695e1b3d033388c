//===- OneOfSeveral.c - One offset for what names tell apart --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/OneOfSeveral.h"
#include "IR/Liveness/Alternatives.h"
#include "IR/Liveness/Groups.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

typedef struct Grouping {
  const BerthJob *job;
  const BerthJoins *apart;
  size_t *numberOf; ///< by buffer of the scope: its number in the problem
} Grouping;

static bool areApart(const Grouping *grouping, size_t a, size_t b) {
  size_t n = grouping->job->numPlaced;
  size_t pair = grouping->numberOf[a] * n + grouping->numberOf[b];
  return grouping->apart->areApart[pair] || grouping->apart->mayMiss[pair];
}

static bool mayMeet(size_t a, size_t b, const void *userData) {
  const Grouping *grouping = userData;
  return berthAreAlternatives(grouping->job->alternatives, a, b);
}

/// True if it is in no problem: it may lie anywhere, as it is.
static bool isBeside(const BerthScope *scope, BerthAlternative pair) {
  return scope->buffers[pair.a].isUntouched ||
         scope->buffers[pair.b].isUntouched;
}

/// True if a barrier is missing, or cannot be inserted, between some members of
/// both groups.
static bool areGroupsApart(const Grouping *grouping, size_t a, size_t b) {
  const BerthScope *scope = &grouping->job->scope;
  size_t x = a, y = b;
  do {
    do {
      if (areApart(grouping, x, y))
        return true;
      y = berthNextInGroup(scope, y);
    } while (y != b);
    x = berthNextInGroup(scope, x);
  } while (x != a);
  return false;
}

bool berthGroupOneOfSeveral(BerthJob *job, const BerthJoins *apart) {
  BerthScope *scope = &job->scope;
  const BerthAlternatives *alternatives = job->alternatives;
  Grouping grouping = {job, apart,
                       berthAllocateOrDie(scope->numBuffers, sizeof(size_t))};
  for (size_t i = 0; i < job->numPlaced; ++i)
    grouping.numberOf[job->bufferOf[i]] = i;
  size_t numLinks = scope->numLinks;
  for (size_t i = 0; i < alternatives->count; ++i) {
    BerthAlternative pair = alternatives->pairs[i];
    if (!isBeside(scope, pair) &&
        scope->buffers[pair.a].size == scope->buffers[pair.b].size &&
        berthMayJoinGroups(scope, pair.a, pair.b, mayMeet, &grouping) &&
        !areGroupsApart(&grouping, pair.a, pair.b))
      berthJoinGroups(scope, pair.a, pair.b, (MlirOperation){NULL});
  }
  free(grouping.numberOf);
  return scope->numLinks > numLinks;
}

static bool isNew(const BerthLink *link, const void *first) {
  return link >= (const BerthLink *)first;
}

void berthUngroup(BerthJob *job, size_t numLinks) {
  berthScopeCutLinks(&job->scope, isNew, job->scope.links + numLinks);
  job->scope.numLinks = numLinks;
}
