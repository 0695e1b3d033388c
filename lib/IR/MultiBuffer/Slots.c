//===- Slots.c - Slots that the turns of a loop use in turn ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/Slots.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/MultiBuffer/Clones.h"
#include "IR/MultiBuffer/LastTurns.h"
#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/MultiBuffer/SlotTurns.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Rewrite {
  BerthFilled *filled;
  int64_t numSlots;
  BerthSlotTurns turns;
  MlirValue slots; ///< all of them
  MlirValue tags;  ///< of transfers that move ahead: an element for each slot
  size_t numNeeded;
  MlirOperation *needed; ///< ops that the fill needs in a turn, itself the last
} Rewrite;

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

static MlirValue buildApply(const Rewrite *rewrite, BerthInsertPoint at,
                            MlirAffineExpr expr, MlirValue operand) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirNamedAttribute map = berthNamed(
      context, "map",
      mlirAffineMapAttrGet(mlirAffineMapGet(context, 1, 0, 1, &expr)));
  return berthBuildValue(at, BERTH_NAME_APPLY, 1, &operand, rewrite->turns.type,
                         1, &map);
}

/// For transfers, whose waits are told from the form of this number; the loop
/// counts between constants. The sum keeps maps apart that canonicalize would
/// make one of, which nobody could read.
static MlirValue buildSlotNumberAsMap(const Rewrite *rewrite,
                                      BerthInsertPoint at, int64_t ahead) {
  MlirContext context = mlirLocationGetContext(at.location);
  MlirAffineExpr value = mlirAffineDimExprGet(context, 0);
  MlirAffineExpr lower =
      mlirAffineConstantExprGet(context, -rewrite->turns.range.lower);
  MlirAffineExpr step =
      mlirAffineConstantExprGet(context, rewrite->turns.range.step);
  MlirAffineExpr slots = mlirAffineConstantExprGet(context, rewrite->numSlots);
  MlirValue turn = buildApply(
      rewrite, at,
      mlirAffineFloorDivExprGet(mlirAffineAddExprGet(value, lower), step),
      rewrite->turns.variable);
  if (ahead)
    turn = berthBuildBinary(
        at, BERTH_NAME_ADD, turn,
        berthSlotTurnsBuildInteger(&rewrite->turns, at, ahead));
  return buildApply(rewrite, at, mlirAffineModExprGet(value, slots), turn);
}

/// The number of the slot of the turn that comes `ahead` turns after `turn`.
static MlirValue buildSlotNumber(const Rewrite *rewrite, BerthInsertPoint at,
                                 MlirValue turn, int64_t ahead) {
  return mlirValueIsNull(rewrite->tags)
             ? berthSlotTurnsBuildSlot(&rewrite->turns, at, turn, ahead,
                                       rewrite->numSlots)
             : buildSlotNumberAsMap(rewrite, at, ahead);
}

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

/// The tag that its transfers have.
static MlirOperation tagOf(const BerthFilled *filled) {
  BerthDma dma;
  berthOpGetDma(filled->fill, &dma);
  return mlirOpResultGetOwner(mlirOperationGetOperand(filled->fill, dma.tag));
}

/// A tag with an element for each slot, made as the old one is.
static MlirValue buildTags(const Rewrite *rewrite) {
  MlirOperation loop = rewrite->filled->loop;
  MlirValue old = mlirOperationGetResult(tagOf(rewrite->filled), 0);
  MlirType type = mlirValueGetType(old);
  MlirOperation made = mlirOpResultGetOwner(old);
  MlirOperation alloc = mlirOperationClone(made);
  // A stack would grow where an outer loop allocated it anew in each turn.
  MlirOperation before = berthOpIs(made, BERTH_OP_ALLOCA) ? made : loop;
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      alloc);
  MlirValue tags = mlirOperationGetResult(alloc, 0);
  mlirValueSetType(
      tags, mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 1,
                                        &rewrite->numSlots,
                                        mlirMemRefTypeGetMemorySpace(type)));
  for (MlirOpOperand use = mlirValueGetFirstUse(old); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIs(op, BERTH_OP_FREE))
      continue;
    BerthInsertPoint at = berthInsertBefore(loop);
    at.before = mlirOperationGetNextInBlock(loop);
    berthBuild(at, BERTH_NAME_DEALLOC, 1, &tags, 0, NULL, 0, NULL);
    break;
  }
  return tags;
}

/// Gives a start or a wait the element of that slot.
static void setTag(const Rewrite *rewrite, MlirOperation op, MlirValue number) {
  BerthDma dma;
  berthOpGetDma(op, &dma);
  mlirOperationSetOperand(op, dma.tag, rewrite->tags);
  mlirOperationSetOperand(op, dma.tag + 1, number);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The ops in their order.
static void listNeeded(Rewrite *rewrite) {
  BerthWorklist found = {0};
  size_t capacity = 0;
  berthFindNeeded(rewrite->filled, rewrite->filled->fill, &found);
  MlirOperation end = mlirOperationGetNextInBlock(rewrite->filled->fill);
  for (MlirOperation op = mlirBlockGetFirstOperation(rewrite->filled->body);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    if (!berthWorklistHasSeen(&found, op.ptr))
      continue;
    rewrite->needed = berthGrow(rewrite->needed, rewrite->numNeeded, &capacity,
                                sizeof *rewrite->needed);
    rewrite->needed[rewrite->numNeeded++] = op;
  }
  berthWorklistFree(&found);
}

/// The copy of another turn: with what it needs, for that variable, into that
/// slot. Returns it.
static MlirOperation buildCopy(const Rewrite *rewrite, BerthInsertPoint at,
                               MlirValue variable, MlirValue number) {
  BerthClones clones = {0};
  MlirOperation copy = {NULL};
  MlirValue slot = berthSubViewBuildElement(at.before, rewrite->slots, number);
  berthClonesSet(&clones, rewrite->turns.variable, variable);
  berthClonesSet(&clones, rewrite->filled->info->value, slot);
  for (size_t n = 0; n < rewrite->numNeeded; ++n)
    copy = berthCloneOp(&clones, at, rewrite->needed[n]);
  berthInferViews(slot);
  if (!mlirValueIsNull(rewrite->tags))
    setTag(rewrite, copy, number);
  berthClonesFree(&clones);
  return copy;
}

/// In front of the loop: the copies of its first turns, as far as there are
/// any.
static void buildFirstCopies(const Rewrite *rewrite) {
  MlirOperation loop = rewrite->filled->loop;
  BerthInsertPoint at = berthInsertBefore(loop);
  bool isKnown = rewrite->turns.isRangeKnown;
  for (int64_t turn = 0; turn < rewrite->numSlots - 1; ++turn) {
    if (isKnown && turn >= rewrite->turns.range.count)
      return;
    if (!isKnown && turn == 0)
      at = berthBuildIf(at, berthSlotTurnsBuildAny(&rewrite->turns, at));
    else if (!isKnown)
      at = berthBuildIf(at, berthSlotTurnsBuildIsFollowed(&rewrite->turns, at,
                                                          rewrite->turns.lower,
                                                          turn));
    MlirValue variable = berthSlotTurnsBuildLater(&rewrite->turns, at,
                                                  rewrite->turns.lower, turn);
    buildCopy(rewrite, at, variable, berthBuildIndex(at, turn));
  }
}

/// In the place of the copy: that of a later turn, if there is one. Returns it.
static MlirOperation buildCopyAhead(const Rewrite *rewrite, MlirValue turn) {
  int64_t ahead = rewrite->numSlots - 1;
  BerthInsertPoint at = berthInsertBefore(rewrite->filled->fill);
  // Of the turns that no other one follows none is left in the loop.
  bool isFollowed = !mlirValueIsNull(rewrite->tags);
  if (!isFollowed && !berthIsBroken(rewrite->turns.breakRule, "turns-follow"))
    at = berthBuildIf(at, berthSlotTurnsBuildIsFollowed(&rewrite->turns, at,
                                                        rewrite->turns.variable,
                                                        ahead));
  MlirValue number = buildSlotNumber(rewrite, at, turn, ahead);
  MlirValue variable = berthSlotTurnsBuildLater(&rewrite->turns, at,
                                                rewrite->turns.variable, ahead);
  return buildCopy(rewrite, at, variable, number);
}

/// The copy itself, and what nobody needs any more.
static void eraseCopy(const Rewrite *rewrite) {
  for (size_t n = rewrite->numNeeded; n-- > 0;)
    berthDestroyIfUnused(rewrite->needed[n]);
}

//===----------------------------------------------------------------------===//
// The buffer
//===----------------------------------------------------------------------===//

/// Adds the ops of a block but for those of another list.
static void listOps(MlirBlock block, const BerthWorklist *apart,
                    BerthWorklist *list) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (!apart || !berthWorklistHasSeen(apart, op.ptr))
      berthWorklistAdd(list, op.ptr);
}

/// Of one buffer: all but the last turns behind the loop. Adds to `left` what
/// has no place in those.
static void buildOne(BerthFilled *filled, const BerthSlotOptions *options,
                     BerthWorklist *left) {
  Rewrite rewrite = {.filled = filled,
                     .numSlots = options->numSlots,
                     .turns =
                         berthSlotTurnsOf(filled->loop, options->breakRule),
                     .slots = berthBuildSlotBuffer(filled, options->numSlots)};
  if (options->movesAhead && berthFilledByTransfer(filled))
    rewrite.tags = buildTags(&rewrite);
  BerthInsertPoint at =
      berthInsertBefore(mlirBlockGetFirstOperation(filled->body));
  MlirValue turn = berthSlotTurnsBuildNumber(&rewrite.turns, at);
  MlirValue number = buildSlotNumber(&rewrite, at, turn, 0);
  MlirValue slot = berthSubViewBuildElement(at.before, rewrite.slots, number);
  if (options->movesAhead) {
    bool isTagged = !mlirValueIsNull(rewrite.tags);
    MlirOperation tag = isTagged ? tagOf(filled) : (MlirOperation){NULL};
    listNeeded(&rewrite);
    buildFirstCopies(&rewrite);
    BerthWorklist before = {0};
    listOps(filled->body, NULL, &before);
    MlirOperation ahead = buildCopyAhead(&rewrite, turn);
    listOps(filled->body, &before, left);
    berthWorklistFree(&before);
    if (isTagged)
      setTag(&rewrite, filled->wait, number);
    eraseCopy(&rewrite);
    if (isTagged)
      berthDestroyIfUnused(tag);
    free(rewrite.needed);
    filled->fill = ahead;
  }
  berthReplaceBySlot(filled, rewrite.slots, slot);
}

void berthBuildSlots(BerthFilled *filled, size_t count,
                     const BerthSlotOptions *options) {
  MlirOperation loop = filled->loop;
  bool isTransfer = berthFilledByTransfer(filled);
  BerthWorklist left = {0};
  for (size_t i = 0; i < count; ++i)
    buildOne(&filled[i], options, &left);
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  if (isTransfer && options->movesAhead &&
      berthLoopGetRanges(loop, range) == 1 &&
      !berthIsBroken(options->breakRule, "turns-follow"))
    berthPeelLastTurns(loop, &range[0], options->numSlots - 1, &left);
  berthWorklistFree(&left);
}
