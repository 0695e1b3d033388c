//===- LoadSlots.c - Slots that TMA loads fill ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/LoadSlots.h"
#include "IR/MultiBuffer/LoadLoops.h"
#include "IR/MultiBuffer/TurnCopies.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/Rules.h"

typedef struct Rewrite {
  BerthTurnCopies copies;
  BerthLoadLoop ops;
  BerthWorklist needed; ///< what moves, and what that is given
} Rewrite;

static void listNeeded(Rewrite *rewrite) {
  const BerthOpList *moved = &rewrite->ops.moved;
  for (size_t i = 0; i < moved->count; ++i) {
    MlirOperation op = moved->ops[i];
    bool isLoad = berthOpStartsAsync(op, BERTH_ASYNC_LOAD);
    berthFindNeeded(isLoad ? berthTurnCopiesFilledBy(&rewrite->copies, op)
                           : rewrite->copies.filled,
                    op, &rewrite->needed);
  }
}

/// An mbarrier for each slot, all of which begin as the first one does.
static void buildMBarriers(const Rewrite *rewrite) {
  int64_t numSlots = rewrite->copies.numSlots;
  for (size_t i = 0; i < rewrite->ops.numGroups; ++i) {
    const BerthLoadGroup *group = &rewrite->ops.groups[i];
    BerthInsertPoint at = berthInsertBefore(group->init);
    BerthMBarrierUse use;
    berthOpGetMBarrierUse(group->init, &use);
    mlirValueSetType(
        group->value,
        berthMBarriersWith(mlirValueGetType(group->value), numSlots));
    at.before = mlirOperationGetNextInBlock(group->init);
    for (int64_t slot = 1; slot < numSlots; ++slot) {
      MlirOperation init = mlirOperationClone(group->init);
      mlirOperationSetOperand(init, use.number, berthBuildIndex(at, slot));
      mlirBlockInsertOwnedOperationBefore(at.block, at.before, init);
    }
  }
}

/// In front of the loop: what its first turns use, as far as there are any.
static void buildFirstLoads(const Rewrite *rewrite) {
  const BerthTurnCopies *copies = &rewrite->copies;
  BerthInsertPoint at = berthInsertBefore(copies->loop);
  berthTurnCopiesBuildBarrier(copies);
  for (int64_t turn = 0; turn < copies->numSlots - 1; ++turn) {
    MlirValue isThere = berthTurnCopiesBuildIsThere(copies, at, turn);
    BerthInsertPoint inner =
        mlirValueIsNull(isThere) ? at : berthBuildIf(at, isThere);
    MlirValue variable = berthSlotTurnsBuildLater(&copies->turns, inner,
                                                  copies->turns.lower, turn);
    berthTurnCopiesBuild(copies, inner, &rewrite->needed, variable,
                         berthBuildIndex(inner, turn));
  }
}

/// In the place of the first of them: what a later turn uses, if there is one.
static void buildLoadsAhead(const Rewrite *rewrite) {
  const BerthTurnCopies *copies = &rewrite->copies;
  const BerthSlotTurns *turns = &copies->turns;
  int64_t ahead = copies->numSlots - 1;
  BerthInsertPoint at = berthInsertBefore(rewrite->ops.moved.ops[0]);
  if (!berthIsBroken(turns->breakRule, "turns-follow"))
    at = berthBuildIf(
        at, berthSlotTurnsBuildIsFollowed(turns, at, turns->variable, ahead));
  MlirValue variable =
      berthSlotTurnsBuildLater(turns, at, turns->variable, ahead);
  MlirValue number =
      berthSlotTurnsBuildSlot(turns, at, copies->turn, ahead, copies->numSlots);
  berthTurnCopiesBuild(copies, at, &rewrite->needed, variable, number);
}

/// Turn t has phase t / n of its slot's mbarrier, where each phase has the
/// other parity than the one before.
static void buildWaits(const Rewrite *rewrite) {
  enum { kParities = 2 };
  const BerthTurnCopies *copies = &rewrite->copies;
  const BerthSlotTurns *turns = &copies->turns;
  BerthInsertPoint at = copies->start;
  MlirValue phase =
      berthBuildBinary(at, BERTH_NAME_DIVIDE, copies->turn,
                       berthSlotTurnsBuildInteger(turns, at, copies->numSlots));
  MlirValue rest =
      berthBuildBinary(at, BERTH_NAME_REMAINDER, phase,
                       berthSlotTurnsBuildInteger(turns, at, kParities));
  MlirValue parity = berthBuildCompare(
      at, BERTH_NOT_EQUAL, rest, berthSlotTurnsBuildInteger(turns, at, 0));
  for (size_t i = 0; i < rewrite->ops.numGroups; ++i) {
    MlirOperation wait = rewrite->ops.groups[i].wait;
    BerthMBarrierUse use;
    berthOpGetMBarrierUse(wait, &use);
    mlirOperationSetOperand(wait, use.number, copies->number);
    if (!berthIsBroken(turns->breakRule, "one-phase"))
      mlirOperationSetOperand(wait, use.count, parity);
  }
}

static bool isNeeded(MlirOperation op, const void *data) {
  const Rewrite *rewrite = data;
  return berthWorklistHasSeen(&rewrite->needed, op.ptr);
}

void berthBuildLoadSlots(BerthFilled *filled, size_t count,
                         const BerthSlotOptions *options) {
  Rewrite rewrite = {.ops = berthLoadLoopOf(filled->loop)};
  rewrite.copies = berthTurnCopiesStart(filled, count, options);
  listNeeded(&rewrite);
  buildMBarriers(&rewrite);
  buildFirstLoads(&rewrite);
  buildWaits(&rewrite);
  buildLoadsAhead(&rewrite);
  berthTurnCopiesErase(&rewrite.copies, isNeeded, &rewrite);
  berthTurnCopiesEnd(&rewrite.copies, true);
  berthWorklistFree(&rewrite.needed);
  berthLoadLoopFree(&rewrite.ops);
}
