//===- TurnCopies.c - What fills slots, for other turns -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TurnCopies.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/MultiBuffer/Clones.h"
#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/MultiBuffer/TurnUses.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/MBarriers.h"

#include <stdlib.h>

BerthTurnCopies berthTurnCopiesStart(BerthFilled *filled, size_t count,
                                     const BerthSlotOptions *options) {
  BerthTurnCopies copies = {
      .filled = filled,
      .count = count,
      .loop = filled->loop,
      .body = filled->body,
      .numSlots = options->numSlots,
      .turns = berthSlotTurnsOf(filled->loop, options->breakRule),
      .slots = berthAllocateOrDie(count, sizeof(MlirValue)),
      .slot = berthAllocateOrDie(count, sizeof(MlirValue))};
  copies.start = berthInsertBefore(mlirBlockGetFirstOperation(copies.body));
  copies.turn = berthSlotTurnsBuildNumber(&copies.turns, copies.start);
  copies.number = berthSlotTurnsBuildSlot(&copies.turns, copies.start,
                                          copies.turn, 0, options->numSlots);
  for (size_t i = 0; i < count; ++i) {
    copies.slots[i] = berthBuildSlotBuffer(&filled[i], options->numSlots);
    copies.slot[i] = berthSubViewBuildElement(copies.start.before,
                                              copies.slots[i], copies.number);
  }
  return copies;
}

void berthTurnCopiesEnd(BerthTurnCopies *copies, bool movesAhead) {
  for (size_t i = 0; i < copies->count; ++i) {
    berthReplaceBySlot(&copies->filled[i], copies->slots[i], copies->slot[i]);
    if (movesAhead)
      copies->filled[i].fill = (MlirOperation){NULL};
  }
  free(copies->slot);
  free(copies->slots);
}

BerthFilled *berthTurnCopiesFilledBy(const BerthTurnCopies *copies,
                                     MlirOperation copy) {
  MlirValue target = berthValueBehindViews(berthTargetOfFill(copy));
  for (size_t i = 0; i < copies->count; ++i)
    if (mlirValueEqual(copies->filled[i].info->value, target))
      return &copies->filled[i];
  return NULL;
}

MlirValue berthTurnCopiesBuildIsThere(const BerthTurnCopies *copies,
                                      BerthInsertPoint at, int64_t turn) {
  const BerthSlotTurns *turns = &copies->turns;
  if (turns->isRangeKnown)
    return (MlirValue){NULL};
  MlirValue any = berthSlotTurnsBuildAny(turns, at);
  return turn ? berthBuildBinary(at, BERTH_NAME_AND, any,
                                 berthSlotTurnsBuildIsFollowed(
                                     turns, at, turns->lower, turn))
              : any;
}

static void moveToSlot(MlirOperation op, MlirValue number) {
  BerthMBarrierUse use;
  if (berthOpGetMBarrierUse(op, &use))
    mlirOperationSetOperand(op, use.number, number);
}

void berthTurnCopiesBuild(const BerthTurnCopies *copies, BerthInsertPoint at,
                          const BerthWorklist *needed, MlirValue variable,
                          MlirValue number) {
  BerthClones clones = {0};
  MlirValue *slots = berthAllocateOrDie(copies->count, sizeof *slots);
  berthClonesSet(&clones, copies->turns.variable, variable);
  for (size_t i = 0; i < copies->count; ++i) {
    slots[i] = berthSubViewBuildElement(at.before, copies->slots[i], number);
    berthClonesSet(&clones, copies->filled[i].info->value, slots[i]);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(copies->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (berthWorklistHasSeen(needed, op.ptr))
      moveToSlot(berthCloneOp(&clones, at, op), number);
  for (size_t i = 0; i < copies->count; ++i) {
    MlirOperation view = mlirOpResultGetOwner(slots[i]);
    berthInferViews(slots[i]);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(slots[i])))
      mlirOperationDestroy(view);
  }
  free(slots);
  berthClonesFree(&clones);
}

void berthTurnCopiesErase(const BerthTurnCopies *copies, BerthOpTest passes,
                          const void *data) {
  BerthOpList old = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(copies->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (passes(op, data))
      berthOpListAdd(&old, op);
  while (old.count)
    berthDestroyIfUnused(old.ops[--old.count]);
  free(old.ops);
}

void berthTurnCopiesBuildBarrier(const BerthTurnCopies *copies) {
  bool needsBarrier = false;
  for (size_t i = 0; i < copies->count; ++i)
    needsBarrier |= copies->filled[i].needsBarrier;
  if (needsBarrier)
    berthBuild(berthInsertBefore(copies->loop), BERTH_NAME_BARRIER, 0, NULL, 0,
               NULL, 0, NULL);
}
