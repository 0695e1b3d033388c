//===- CopySlots.c - Slots that the threads of a kernel fill --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/CopySlots.h"
#include "IR/Facts/Versions.h"
#include "IR/MultiBuffer/CopyLoops.h"
#include "IR/MultiBuffer/TurnCopies.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>

typedef struct Rewrite {
  BerthTurnCopies copies;
  BerthCopyLoop ops;
  BerthWorklist *needed; ///< by group: its copies, and what they are given
} Rewrite;

//===----------------------------------------------------------------------===//
// The copies of a group
//===----------------------------------------------------------------------===//

/// Of the copies in front of a group, behind the one before.
static void listNeeded(Rewrite *rewrite) {
  const BerthOpList *copies = &rewrite->ops.copies;
  const BerthOpList *groups = &rewrite->ops.groups;
  rewrite->needed =
      berthAllocateOrDie(groups->count + 1, sizeof *rewrite->needed);
  size_t group = 0;
  for (size_t i = 0; i < copies->count; ++i) {
    while (group < groups->count &&
           mlirOperationIsBeforeInBlock(groups->ops[group], copies->ops[i]))
      ++group;
    berthFindNeeded(berthTurnCopiesFilledBy(&rewrite->copies, copies->ops[i]),
                    copies->ops[i], &rewrite->needed[group]);
  }
}

static bool hasCopies(const Rewrite *rewrite, size_t group) {
  return rewrite->needed[group].seen.count > 0;
}

//===----------------------------------------------------------------------===//
// In front of the loop, in it, and behind it
//===----------------------------------------------------------------------===//

/// The copies of the first turns, and a group for each that the turn makes.
static void buildFirstCopies(const Rewrite *rewrite) {
  const BerthTurnCopies *copies = &rewrite->copies;
  BerthInsertPoint at = berthInsertBefore(copies->loop);
  berthTurnCopiesBuildBarrier(copies);
  for (int64_t turn = 0; turn < copies->numSlots - 1; ++turn) {
    MlirValue isThere = berthTurnCopiesBuildIsThere(copies, at, turn);
    MlirValue variable =
        berthSlotTurnsBuildLater(&copies->turns, at, copies->turns.lower, turn);
    MlirValue number = berthBuildIndex(at, turn);
    for (size_t g = 0; g < rewrite->ops.groups.count; ++g) {
      BerthInsertPoint inner = at;
      if (hasCopies(rewrite, g) && !mlirValueIsNull(isThere))
        inner = berthBuildIf(at, isThere);
      if (hasCopies(rewrite, g))
        berthTurnCopiesBuild(copies, inner, &rewrite->needed[g], variable,
                             number);
      mlirBlockInsertOwnedOperationBefore(
          at.block, at.before, mlirOperationClone(rewrite->ops.groups.ops[g]));
    }
  }
}

/// The copies of a later turn in the place of each group's, if there is one.
static void buildCopiesAhead(const Rewrite *rewrite) {
  const BerthTurnCopies *copies = &rewrite->copies;
  const BerthSlotTurns *turns = &copies->turns;
  BerthInsertPoint start = copies->start;
  int64_t ahead = copies->numSlots - 1;
  bool isGuarded = !berthIsBroken(turns->breakRule, "turns-follow");
  MlirValue isThere = {NULL};
  if (isGuarded)
    isThere =
        berthSlotTurnsBuildIsFollowed(turns, start, turns->variable, ahead);
  MlirValue variable =
      berthSlotTurnsBuildLater(turns, start, turns->variable, ahead);
  MlirValue number = berthSlotTurnsBuildSlot(turns, start, copies->turn, ahead,
                                             copies->numSlots);
  for (size_t g = 0; g < rewrite->ops.groups.count; ++g) {
    if (!hasCopies(rewrite, g))
      continue;
    BerthInsertPoint at = berthInsertBefore(rewrite->ops.groups.ops[g]);
    berthTurnCopiesBuild(copies, isGuarded ? berthBuildIf(at, isThere) : at,
                         &rewrite->needed[g], variable, number);
  }
}

static bool isNeeded(MlirOperation op, const void *data) {
  const Rewrite *rewrite = data;
  for (size_t g = 0; g < rewrite->ops.groups.count; ++g)
    if (berthWorklistHasSeen(&rewrite->needed[g], op.ptr))
      return true;
  return false;
}

/// So many more groups may pend as there are in the turns that are ahead.
static void letGroupsPend(const Rewrite *rewrite) {
  int64_t ahead =
      (rewrite->copies.numSlots - 1) * (int64_t)rewrite->ops.groups.count;
  MlirType i32 =
      mlirIntegerTypeGet(mlirOperationGetContext(rewrite->copies.loop), 32);
  if (berthIsBroken(rewrite->copies.turns.breakRule, "groups-stay"))
    ++ahead;
  for (size_t i = 0; i < rewrite->ops.waits.count; ++i) {
    MlirOperation wait = rewrite->ops.waits.ops[i];
    int64_t mayPend = 0;
    berthOpWaitsForGroups(wait, BERTH_ASYNC_COPY, &mayPend);
    berthSetAttribute(wait, "numGroups",
                      mlirIntegerAttrGet(i32, mayPend + ahead));
  }
}

/// Behind the loop nothing is under way but groups without copies; a wait says
/// so to those who do not count turns.
static void buildDrain(const Rewrite *rewrite) {
  BerthInsertPoint at = berthInsertBefore(rewrite->copies.loop);
  MlirOperation group, wait;
  at.before = mlirOperationGetNextInBlock(rewrite->copies.loop);
  berthBuildDrain(at, BERTH_ASYNC_COPY, &group, &wait);
}

static void moveCopies(Rewrite *rewrite) {
  // Copies go into regions, from where no token comes out. A group without
  // operands and attributes would be printed so that it cannot be read again.
  for (size_t g = 0; g < rewrite->ops.groups.count; ++g) {
    MlirOperation group = rewrite->ops.groups.ops[g];
    mlirOperationSetOperands(group, 0, NULL);
    berthSetAttribute(
        group, BERTH_SLOTS,
        berthI64(mlirOperationGetContext(group), rewrite->copies.numSlots));
  }
  listNeeded(rewrite);
  buildFirstCopies(rewrite);
  buildCopiesAhead(rewrite);
  berthTurnCopiesErase(&rewrite->copies, isNeeded, rewrite);
  letGroupsPend(rewrite);
  buildDrain(rewrite);
  for (size_t g = 0; g <= rewrite->ops.groups.count; ++g)
    berthWorklistFree(&rewrite->needed[g]);
  free(rewrite->needed);
}

void berthBuildCopySlots(BerthFilled *filled, size_t count,
                         const BerthSlotOptions *options) {
  Rewrite rewrite = {.copies = berthTurnCopiesStart(filled, count, options),
                     .ops = berthCopyLoopOf(filled->loop)};
  if (options->movesAhead)
    moveCopies(&rewrite);
  berthTurnCopiesEnd(&rewrite.copies, options->movesAhead);
  berthCopyLoopFree(&rewrite.ops);
}
