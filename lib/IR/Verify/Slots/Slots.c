//===- Slots.c - Slots that turns of a loop use in turn -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/Slots.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Slots/SlotCheck.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "IR/Verify/Slots/SlotLoads.h"
#include "IR/Verify/Slots/SlotTags.h"
#include "IR/Verify/Slots/SlotThreads.h"

#include <stdlib.h>

/// Of a buffer that is not made anew in each turn the copy fills all.
static bool checkContent(const BerthSlotCheck *check) {
  bool fills = !mlirAttributeIsNull(
      berthAttributeOf(check->uses.alloc, BERTH_SLOTS_ANEW));
  for (size_t i = 0; i < check->numCopies; ++i)
    fills |= berthSlotCopy(check, i)->fills;
  return fills ||
         berthSlotIsWrong(check, berthSlotCopy(check, 0)->op,
                          "fills only some of a slot, which may have more from "
                          "an earlier turn");
}

static void checkSlots(BerthSlotCheck *check) {
  if (!berthCheckSlotTurns(check) || !berthCheckSlotCopies(check) ||
      !berthCheckSlotSources(check))
    return;
  if (check->form == BERTH_SLOTS_OF_THREADS)
    berthCheckSlotThreads(check);
  else if (!checkContent(check))
    return;
  else if (check->form == BERTH_SLOTS_LOADED)
    berthCheckSlotLoads(check);
  else if (check->form == BERTH_SLOTS_TRANSFERRED && check->ahead)
    berthCheckSlotTags(check);
  else
    berthCheckSlotLastTurns(check);
}

static MlirOperation scopeOf(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op) &&
         !berthOpIs(op, BERTH_OP_LAUNCH));
  return op;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  const BerthSlotCheck *all = userData;
  BerthSlotCheck check = *all;
  if (!berthOpIsPlainAllocation(op) ||
      mlirAttributeIsNull(berthAttributeOf(op, BERTH_SLOTS)))
    return MlirWalkResultAdvance;
  MlirOperation scope = scopeOf(op);
  if (!mlirOperationIsNull(scope) &&
      berthFindSlotUses(&check.uses, op, scope, check.report, check.userData))
    checkSlots(&check);
  berthSlotUsesFree(&check.uses);
  free(check.copies);
  return MlirWalkResultAdvance;
}

void berthVerifySlots(MlirOperation root, const BerthVerifyOptions *options,
                      BerthSlotReport report, void *userData) {
  BerthSlotCheck check = {
      .options = options, .root = root, .report = report, .userData = userData};
  mlirOperationWalk(root, visit, &check, MlirWalkPreOrder);
}
