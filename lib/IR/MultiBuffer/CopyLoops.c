//===- CopyLoops.c - Loops whose threads copy and wait in each turn -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/CopyLoops.h"
#include "IR/Facts/Versions.h"
#include "IR/MultiBuffer/Unwritten.h"
#include "IR/Ops/Effects.h"
#include "IR/Threads/AccessBytes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

typedef struct LoopWalk {
  MlirOperation loop;
  MlirBlock body;
  BerthCopyLoop found;
} LoopWalk;

/// Who is given a copy's token tells nothing, but needs it where it stands.
static bool feedsGroupsOnly(MlirOperation copy) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); ++i)
    for (MlirOpOperand use =
             mlirValueGetFirstUse(mlirOperationGetResult(copy, i));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!berthOpMakesGroup(mlirOpOperandGetOwner(use), BERTH_ASYNC_COPY))
        return false;
  return true;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  LoopWalk *walk = userData;
  BerthCopyLoop *found = &walk->found;
  bool isCopy = berthOpStartsAsync(op, BERTH_ASYNC_COPY);
  bool isGroup = berthOpMakesGroup(op, BERTH_ASYNC_COPY);
  bool isInBody = mlirBlockEqual(mlirOperationGetBlock(op), walk->body);
  int64_t mayPend;
  if ((isCopy || isGroup) && !isInBody)
    found->reason = "not every turn does all that the loop copies";
  else if (isCopy && !feedsGroupsOnly(op))
    found->reason = "the token of a copy is used elsewhere than in its group";
  if (found->reason) {
    found->at = op;
    return MlirWalkResultInterrupt;
  }
  if (isCopy)
    berthOpListAdd(&found->copies, op);
  if (isGroup)
    berthOpListAdd(&found->groups, op);
  if (berthOpWaitsForGroups(op, BERTH_ASYNC_COPY, &mayPend))
    berthOpListAdd(&found->waits, op);
  return MlirWalkResultAdvance;
}

BerthCopyLoop berthCopyLoopOf(MlirOperation loop) {
  LoopWalk walk = {
      .loop = loop,
      .body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0))};
  mlirOperationWalk(loop, visit, &walk, MlirWalkPreOrder);
  return walk.found;
}

void berthCopyLoopFree(BerthCopyLoop *loop) {
  free(loop->copies.ops);
  free(loop->groups.ops);
  free(loop->waits.ops);
}

//===----------------------------------------------------------------------===//
// What a buffer needs
//===----------------------------------------------------------------------===//

typedef struct Search {
  BerthTurnUses uses;
  const BerthCopyLoop *loop;
} Search;

static bool refuse(const Search *search, const char *reason, MlirOperation at) {
  return berthTurnUsesRefuse(&search->uses, reason, at);
}

static MlirOperation lastCopy(const Search *search) {
  MlirOperation last = {NULL};
  for (size_t i = 0; i < search->loop->copies.count; ++i)
    if (berthTurnUsesIsFill(&search->uses, search->loop->copies.ops[i]))
      last = search->loop->copies.ops[i];
  return last;
}

/// The first wait in the body that covers the group of the last copy: behind
/// that no more groups are made than it lets pend.
static bool findWait(Search *search) {
  const BerthOpList *groups = &search->loop->groups;
  MlirOperation last = lastCopy(search);
  size_t own = 0;
  while (own < groups->count &&
         mlirOperationIsBeforeInBlock(groups->ops[own], last))
    ++own;
  for (size_t i = 0; own < groups->count && i < search->loop->waits.count;
       ++i) {
    MlirOperation wait = search->loop->waits.ops[i];
    int64_t mayPend = 0, newer = 0;
    if (!mlirBlockEqual(mlirOperationGetBlock(wait),
                        search->uses.filled->body) ||
        !mlirOperationIsBeforeInBlock(groups->ops[own], wait))
      continue;
    for (size_t k = own + 1; k < groups->count; ++k)
      newer += mlirOperationIsBeforeInBlock(groups->ops[k], wait);
    berthOpWaitsForGroups(wait, BERTH_ASYNC_COPY, &mayPend);
    if (mayPend > newer)
      continue;
    search->uses.wait = wait;
    return true;
  }
  return refuse(search, "no wait in the turn surely ends what is copied", last);
}

/// Marks what the copies of a turn surely write, then looks at who may read
/// something else.
static bool fillsWhatIsRead(const Search *search) {
  const BerthBufferInfo *info = search->uses.filled->info;
  if (search->uses.filled->isMadeInBody ||
      berthTurnUsesIsBroken(&search->uses, "content-ends-with-block"))
    return true;
  BerthAccessBytes bytes;
  MlirOperation reader = {NULL};
  berthAccessBytesStart(&bytes, &search->uses.job->scope, NULL);
  berthAccessBytesEnter(&bytes, info);
  for (size_t i = 0; i < search->loop->copies.count; ++i)
    if (berthTurnUsesIsFill(&search->uses, search->loop->copies.ops[i]))
      berthAccessBytesMarkWritten(&bytes, search->loop->copies.ops[i],
                                  search->loop->copies.ops[i]);
  bool *isFilled = berthAllocateOrDie((size_t)info->size, sizeof *isFilled);
  for (int64_t b = 0; b < info->size; ++b)
    isFilled[b] = bytes.owners[b] != BERTH_NOBODY;
  for (size_t i = 0; i < info->numAccesses; ++i) {
    const BerthAccess *access = &info->accesses[i];
    if (berthTurnUsesIsSignal(&search->uses, access->op) ||
        berthTurnUsesIsFill(&search->uses, access->op))
      continue;
    berthAccessBytesClear(&bytes);
    bool isKnown = berthAccessBytesMark(&bytes, access->op);
    for (int64_t b = 0; b < info->size && mlirOperationIsNull(reader); ++b)
      if (!isFilled[b] && (!isKnown || bytes.owners[b] != BERTH_NOBODY))
        reader = access->op;
  }
  free(isFilled);
  berthAccessBytesLeave(&bytes);
  berthAccessBytesFree(&bytes);
  return mlirOperationIsNull(reader) ||
         refuse(search,
                "it is not seen that the copies of a turn fill all that is "
                "used there, so that content may go from one turn to another",
                reader);
}

/// What the copies need is there ahead, and nobody writes what they read.
static bool mayMoveAhead(const Search *search) {
  for (size_t i = 0; i < search->loop->copies.count; ++i) {
    MlirOperation copy = search->loop->copies.ops[i];
    if (!berthTurnUsesIsFill(&search->uses, copy))
      continue;
    BerthWorklist needed = {0};
    bool mayMove = berthFindNeeded(search->uses.filled, copy, &needed);
    berthWorklistFree(&needed);
    if (!mayMove)
      return false;
    MlirValue source = berthAsyncCopyGet(copy).source;
    BerthObstacle obstacle =
        berthFindObstacle(search->uses.job, search->uses.filled->body, source);
    if (obstacle.reason)
      return refuse(search, obstacle.reason, obstacle.at);
    search->uses.filled->needsBarrier |=
        berthSourceStateOf(search->uses.job, search->uses.filled->loop,
                           source) == BERTH_SOURCE_OPEN;
  }
  if (berthTurnUsesIsBroken(&search->uses, "settled-sources"))
    search->uses.filled->needsBarrier = false;
  return true;
}

bool berthMayHaveCopySlots(const BerthJob *job, bool movesAhead,
                           BerthFilled *filled) {
  BerthCopyLoop loop = berthCopyLoopOf(filled->loop);
  Search search = {.uses = {.job = job,
                            .filled = filled,
                            .kind = BERTH_ASYNC_COPY,
                            .fills = &loop.copies},
                   .loop = &loop};
  bool mayHave = loop.reason ? refuse(&search, loop.reason, loop.at)
                             : findWait(&search) &&
                                   berthUsesEndWithTurn(&search.uses) &&
                                   fillsWhatIsRead(&search) &&
                                   berthUsersMeetBetweenTurns(&search.uses) &&
                                   (!movesAhead || mayMoveAhead(&search));
  berthCopyLoopFree(&loop);
  return mayHave;
}

//===----------------------------------------------------------------------===//
// All copies of a loop, or none
//===----------------------------------------------------------------------===//

/// Leaves one. False if there is none to leave.
static bool leaveMixed(BerthFilled *list, size_t count) {
  bool isFound = false;
  for (size_t i = 0; i < count && !isFound; ++i) {
    BerthFilled *filled = &list[i];
    if (filled->reason || !berthFilledByThreads(filled))
      continue;
    BerthCopyLoop loop = berthCopyLoopOf(filled->loop);
    for (size_t c = 0; c < loop.copies.count && !isFound; ++c) {
      isFound = !berthFillsSlots(list, count, filled->loop, loop.copies.ops[c]);
      filled->reasonAt = loop.copies.ops[c];
    }
    if (isFound)
      filled->reason = "the loop copies into another buffer that gets none";
    berthCopyLoopFree(&loop);
  }
  return isFound;
}

void berthLeaveMixedLoops(BerthFilled *list, size_t count) {
  while (leaveMixed(list, count))
    ;
}
