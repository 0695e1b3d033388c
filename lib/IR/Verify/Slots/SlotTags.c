//===- SlotTags.c - Slots that transfers fill ahead -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/SlotTags.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Apart.h"

/// The element of a tag that the op has.
static BerthTurnForm elementOf(const BerthSlotCheck *check, MlirOperation op) {
  BerthDma dma;
  berthOpGetDma(op, &dma);
  return berthTurnFormOf(&check->uses.loop,
                         mlirOperationGetOperand(op, dma.tag + 1), NULL);
}

static MlirValue tagOf(const BerthSlotCheck *check) {
  BerthDma dma;
  MlirOperation start = berthSlotCopy(check, 0)->op;
  berthOpGetDma(start, &dma);
  return mlirOperationGetOperand(start, dma.tag);
}

/// True if the op's tag is the element of that slot.
static bool hasElement(const BerthSlotCheck *check, MlirOperation op,
                       bool isInTurn, int64_t slot) {
  int64_t number;
  BerthTurnForm form = elementOf(check, op);
  bool isKnown = isInTurn
                     ? berthTurnFormIsSlot(&form, check->uses.numSlots, &number)
                     : berthTurnFormIsNumber(&form, &number);
  return isKnown && number == slot;
}

static bool isStartOfSlots(const BerthSlotCheck *check, MlirOperation op) {
  for (size_t i = 0; i < check->uses.numAccesses; ++i) {
    const BerthSlotAccess *access = &check->uses.accesses[i];
    if (mlirOperationEqual(access->op, op))
      return access->isCopy &&
             hasElement(check, op, access->place == BERTH_SLOT_IN,
                        access->slot);
  }
  return false;
}

/// The waits of the tag: that of the loop, and how many there are behind it.
typedef struct Waits {
  MlirOperation inLoop;
  int64_t numBehind;
} Waits;

static bool addWait(const BerthSlotCheck *check, MlirOperation op,
                    Waits *waits) {
  const BerthTurnLoop *loop = &check->uses.loop;
  MlirBlock block = mlirOperationGetBlock(op);
  if (mlirBlockEqual(block, loop->body)) {
    bool isFirst = mlirOperationIsNull(waits->inLoop);
    waits->inLoop = op;
    return isFirst && hasElement(check, op, true, 0);
  }
  waits->numBehind += 1;
  return berthStandsBefore(loop->op, op);
}

static bool findWaits(const BerthSlotCheck *check, Waits *waits) {
  MlirValue tag = tagOf(check);
  if (!berthIsFreshMemory(tag))
    return berthSlotIsWrong(check, berthSlotCopy(check, 0)->op,
                            "has a tag that others may use");
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthDma dma;
    if (berthOpIsFree(op))
      continue;
    bool isTag = !berthOpIsAffine(op) && berthOpGetDma(op, &dma) &&
                 mlirOpOperandGetOperandNumber(use) == dma.tag &&
                 dma.numTagIndices == 1;
    if (!isTag ||
        !(dma.isStart ? isStartOfSlots(check, op) : addWait(check, op, waits)))
      return berthSlotIsWrong(check, op,
                              "has not the element of its turn in the tag of "
                              "these slots");
  }
  return !mlirOperationIsNull(waits->inLoop) ||
         berthSlotIsWrong(check, berthSlotCopy(check, 0)->op,
                          "is ended by no wait of the turn that uses what it "
                          "copies");
}

/// The wait behind the loop for that slot, or null.
static MlirOperation waitBehind(const BerthSlotCheck *check, int64_t slot) {
  MlirValue tag = tagOf(check);
  for (MlirOperation op = mlirOperationGetNextInBlock(check->uses.loop.op);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    BerthDma dma;
    if (berthOpGetDma(op, &dma) && !dma.isStart &&
        mlirValueEqual(mlirOperationGetOperand(op, dma.tag), tag) &&
        hasElement(check, op, false, slot))
      return op;
  }
  return (MlirOperation){NULL};
}

/// Behind the loop come the turns whose transfers are under way then.
static bool checkLastTurns(const BerthSlotCheck *check, const Waits *waits) {
  const BerthTurnLoop *loop = &check->uses.loop;
  MlirOperation last = loop->op;
  bool isRight = loop->count >= 0 && waits->numBehind == check->ahead;
  for (int64_t i = 0; i < check->ahead && isRight; ++i) {
    MlirOperation wait =
        waitBehind(check, (loop->count + i) % check->uses.numSlots);
    isRight = !mlirOperationIsNull(wait) && berthStandsBefore(last, wait);
    last = wait;
  }
  return isRight || berthSlotIsWrong(check, loop->op,
                                     "ends with transfers that nobody waits "
                                     "for in the order of their turns");
}

static bool checkUses(const BerthSlotCheck *check, const Waits *waits) {
  for (size_t i = 0; i < check->uses.numAccesses; ++i) {
    const BerthSlotAccess *access = &check->uses.accesses[i];
    MlirOperation wait = {NULL};
    if (berthSlotIsUse(check, i))
      wait = waits->inLoop;
    else if (access->place == BERTH_SLOT_BEHIND)
      wait = waitBehind(check, access->slot);
    else
      continue;
    if (mlirOperationIsNull(wait) || !berthStandsBefore(wait, access->top))
      return berthSlotIsWrong(check, access->op,
                              "uses a slot before the turn has waited for what "
                              "is copied there");
  }
  return true;
}

bool berthCheckSlotTags(const BerthSlotCheck *check) {
  Waits waits = {0};
  return findWaits(check, &waits) && checkLastTurns(check, &waits) &&
         checkUses(check, &waits);
}
