//===- CopySlots.c - Slots that the threads of a kernel fill --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/CopySlots.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/MultiBuffer/Clones.h"
#include "IR/MultiBuffer/CopyLoops.h"
#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/MultiBuffer/SlotTurns.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>

typedef struct Rewrite {
  BerthFilled *filled; ///< the buffers
  size_t count;
  MlirOperation loop;
  MlirBlock body;
  int64_t numSlots;
  BerthSlotTurns turns;
  BerthCopyLoop ops;
  MlirValue *slots;      ///< by buffer: all of them
  BerthWorklist *needed; ///< by group: its copies, and what they are given
} Rewrite;

//===----------------------------------------------------------------------===//
// The copies of a group
//===----------------------------------------------------------------------===//

/// The buffer that the copy goes to, or that its view is made of.
static BerthFilled *filledBy(const Rewrite *rewrite, MlirOperation copy) {
  MlirValue target = berthValueBehindViews(berthAsyncCopyGet(copy).target);
  for (size_t i = 0; i < rewrite->count; ++i)
    if (mlirValueEqual(rewrite->filled[i].info->value, target))
      return &rewrite->filled[i];
  return NULL;
}

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
    berthFindNeeded(filledBy(rewrite, copies->ops[i]), copies->ops[i],
                    &rewrite->needed[group]);
  }
}

/// The copies of a group for another turn: with what they need, for that
/// variable, into that slot.
static void buildCopies(const Rewrite *rewrite, BerthInsertPoint at,
                        size_t group, MlirValue variable, MlirValue number) {
  BerthClones clones = {0};
  MlirValue *slots = berthAllocateOrDie(rewrite->count, sizeof *slots);
  berthClonesSet(&clones, rewrite->turns.variable, variable);
  for (size_t i = 0; i < rewrite->count; ++i) {
    slots[i] = berthSubViewBuildElement(at.before, rewrite->slots[i], number);
    berthClonesSet(&clones, rewrite->filled[i].info->value, slots[i]);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(rewrite->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (berthWorklistHasSeen(&rewrite->needed[group], op.ptr))
      berthCloneOp(&clones, at, op);
  for (size_t i = 0; i < rewrite->count; ++i) {
    MlirOperation view = mlirOpResultGetOwner(slots[i]);
    berthInferViews(slots[i]);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(slots[i])))
      mlirOperationDestroy(view);
  }
  free(slots);
  berthClonesFree(&clones);
}

static bool hasCopies(const Rewrite *rewrite, size_t group) {
  return rewrite->needed[group].seen.count > 0;
}

//===----------------------------------------------------------------------===//
// In front of the loop, in it, and behind it
//===----------------------------------------------------------------------===//

/// The copies of the first turns, and a group for each that the turn makes.
static void buildFirstCopies(const Rewrite *rewrite) {
  const BerthSlotTurns *turns = &rewrite->turns;
  BerthInsertPoint at = berthInsertBefore(rewrite->loop);
  bool needsBarrier = false;
  for (size_t i = 0; i < rewrite->count; ++i)
    needsBarrier |= rewrite->filled[i].needsBarrier;
  if (needsBarrier)
    berthBuild(at, BERTH_NAME_BARRIER, 0, NULL, 0, NULL, 0, NULL);
  MlirValue isThere = {NULL};
  for (int64_t turn = 0; turn < rewrite->numSlots - 1; ++turn) {
    if (!turns->isRangeKnown) {
      MlirValue any = berthSlotTurnsBuildAny(turns, at);
      isThere = any;
      if (turn)
        isThere = berthBuildBinary(
            at, BERTH_NAME_AND, any,
            berthSlotTurnsBuildIsFollowed(turns, at, turns->lower, turn));
    }
    MlirValue variable =
        berthSlotTurnsBuildLater(turns, at, turns->lower, turn);
    MlirValue number = berthBuildIndex(at, turn);
    for (size_t g = 0; g < rewrite->ops.groups.count; ++g) {
      BerthInsertPoint inner = at;
      if (hasCopies(rewrite, g) && !mlirValueIsNull(isThere))
        inner = berthBuildIf(at, isThere);
      if (hasCopies(rewrite, g))
        buildCopies(rewrite, inner, g, variable, number);
      mlirBlockInsertOwnedOperationBefore(
          at.block, at.before, mlirOperationClone(rewrite->ops.groups.ops[g]));
    }
  }
}

/// The copies of a later turn in the place of each group's, if there is one.
static void buildCopiesAhead(const Rewrite *rewrite, BerthInsertPoint start,
                             MlirValue turn) {
  const BerthSlotTurns *turns = &rewrite->turns;
  int64_t ahead = rewrite->numSlots - 1;
  bool isGuarded = !berthIsBroken(turns->breakRule, "turns-follow");
  MlirValue isThere = {NULL};
  if (isGuarded)
    isThere =
        berthSlotTurnsBuildIsFollowed(turns, start, turns->variable, ahead);
  MlirValue variable =
      berthSlotTurnsBuildLater(turns, start, turns->variable, ahead);
  MlirValue number =
      berthSlotTurnsBuildSlot(turns, start, turn, ahead, rewrite->numSlots);
  for (size_t g = 0; g < rewrite->ops.groups.count; ++g) {
    if (!hasCopies(rewrite, g))
      continue;
    BerthInsertPoint at = berthInsertBefore(rewrite->ops.groups.ops[g]);
    buildCopies(rewrite, isGuarded ? berthBuildIf(at, isThere) : at, g,
                variable, number);
  }
}

static bool isNeeded(const Rewrite *rewrite, MlirOperation op) {
  for (size_t g = 0; g < rewrite->ops.groups.count; ++g)
    if (berthWorklistHasSeen(&rewrite->needed[g], op.ptr))
      return true;
  return false;
}

/// The copies of the turn itself, and what nobody needs any more.
static void eraseCopies(const Rewrite *rewrite) {
  BerthOpList old = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(rewrite->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (isNeeded(rewrite, op))
      berthOpListAdd(&old, op);
  while (old.count)
    berthDestroyIfUnused(old.ops[--old.count]);
  free(old.ops);
}

/// So many more groups may pend as there are in the turns that are ahead.
static void letGroupsPend(const Rewrite *rewrite) {
  int64_t ahead = (rewrite->numSlots - 1) * (int64_t)rewrite->ops.groups.count;
  MlirType i32 = mlirIntegerTypeGet(mlirOperationGetContext(rewrite->loop), 32);
  if (berthIsBroken(rewrite->turns.breakRule, "groups-stay"))
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
  BerthInsertPoint at = berthInsertBefore(rewrite->loop);
  MlirOperation group, wait;
  at.before = mlirOperationGetNextInBlock(rewrite->loop);
  berthBuildDrain(at, BERTH_ASYNC_COPY, &group, &wait);
}

static void moveCopies(Rewrite *rewrite, BerthInsertPoint start,
                       MlirValue turn) {
  // Copies go into regions, from where no token comes out. A group without
  // operands and attributes would be printed so that it cannot be read again.
  for (size_t g = 0; g < rewrite->ops.groups.count; ++g) {
    MlirOperation group = rewrite->ops.groups.ops[g];
    mlirOperationSetOperands(group, 0, NULL);
    berthSetAttribute(
        group, BERTH_SLOTS,
        berthI64(mlirOperationGetContext(group), rewrite->numSlots));
  }
  listNeeded(rewrite);
  buildFirstCopies(rewrite);
  buildCopiesAhead(rewrite, start, turn);
  eraseCopies(rewrite);
  letGroupsPend(rewrite);
  buildDrain(rewrite);
  for (size_t g = 0; g <= rewrite->ops.groups.count; ++g)
    berthWorklistFree(&rewrite->needed[g]);
  free(rewrite->needed);
}

void berthBuildCopySlots(BerthFilled *filled, size_t count,
                         const BerthSlotOptions *options) {
  Rewrite rewrite = {.filled = filled,
                     .count = count,
                     .loop = filled->loop,
                     .body = filled->body,
                     .numSlots = options->numSlots,
                     .turns =
                         berthSlotTurnsOf(filled->loop, options->breakRule),
                     .ops = berthCopyLoopOf(filled->loop),
                     .slots = berthAllocateOrDie(count, sizeof(MlirValue))};
  BerthInsertPoint start =
      berthInsertBefore(mlirBlockGetFirstOperation(rewrite.body));
  MlirValue turn = berthSlotTurnsBuildNumber(&rewrite.turns, start);
  MlirValue number = berthSlotTurnsBuildSlot(&rewrite.turns, start, turn, 0,
                                             options->numSlots);
  MlirValue *slot = berthAllocateOrDie(count, sizeof *slot);
  for (size_t i = 0; i < count; ++i) {
    rewrite.slots[i] = berthBuildSlotBuffer(&filled[i], options->numSlots);
    slot[i] = berthSubViewBuildElement(start.before, rewrite.slots[i], number);
  }
  if (options->movesAhead)
    moveCopies(&rewrite, start, turn);
  for (size_t i = 0; i < count; ++i) {
    berthReplaceBySlot(&filled[i], rewrite.slots[i], slot[i]);
    if (options->movesAhead)
      filled[i].fill = (MlirOperation){NULL};
  }
  berthCopyLoopFree(&rewrite.ops);
  free(slot);
  free(rewrite.slots);
}
