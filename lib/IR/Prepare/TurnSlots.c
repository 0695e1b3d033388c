//===- TurnSlots.c - Slots that turns of a loop choose from ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/TurnSlots.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// The first operands of scf.for.
enum { kLower, kUpper, kStep };

bool berthCountsTurns(const BerthTurnTaker *taker, MlirOperation alloc) {
  return !taker->isWhile && !berthOpIsAffine(taker->loop) &&
         mlirBlockEqual(mlirOperationGetBlock(alloc), taker->first);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

MlirValue berthBuildTurnOfFor(const BerthTurnTaker *taker, BerthInsertPoint at,
                              int numSlots) {
  MlirOperation loop = taker->loop;
  MlirValue variable = mlirBlockGetArgument(taker->first, 0);
  MlirType type = mlirValueGetType(variable);
  MlirValue offset = berthBuildBinary(at, BERTH_NAME_SUBTRACT, variable,
                                      mlirOperationGetOperand(loop, kLower));
  MlirValue turn = berthBuildBinary(at, BERTH_NAME_DIVIDE, offset,
                                    mlirOperationGetOperand(loop, kStep));
  return berthBuildBinary(at, BERTH_NAME_REMAINDER, turn,
                          berthBuildInteger(at, type, numSlots));
}

MlirValue berthBuildSlotChoice(BerthInsertPoint at, MlirValue number,
                               const BerthSlots *slots) {
  MlirType type = mlirValueGetType(number);
  MlirValue choice = slots->values[slots->count - 1];
  for (int i = slots->count - 2; i >= 0; --i)
    choice = berthBuildSelect(at,
                              berthBuildCompare(at, BERTH_EQUAL, number,
                                                berthBuildInteger(at, type, i)),
                              slots->values[i], choice);
  berthSetAttribute(
      mlirOpResultGetOwner(choice), BERTH_TURNS,
      berthI64(mlirLocationGetContext(at.location), slots->count));
  return choice;
}

MlirValue berthBuildSlot(MlirOperation alloc, MlirOperation loop) {
  MlirOperation clone = mlirOperationClone(alloc);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, clone);
  return mlirOperationGetResult(clone, 0);
}

//===----------------------------------------------------------------------===//
// Showing
//===----------------------------------------------------------------------===//

void berthShowSlots(const BerthTurnTaker *taker, MlirOperation alloc,
                    const BerthSlots *slots, BerthShownSlots *shown) {
  BerthInsertPoint at = berthInsertBefore(alloc);
  MlirOperation before = berthOpGetPrevious(alloc);
  MlirValue number = berthBuildTurnOfFor(taker, at, slots->count);
  MlirValue choice = berthBuildSlotChoice(at, number, slots);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(alloc, 0), choice);
  mlirOperationRemoveFromParent(alloc);
  shown->items = berthGrow(shown->items, shown->count, &shown->capacity,
                           sizeof *shown->items);
  shown->items[shown->count++] =
      (BerthShown){alloc, before, mlirOpResultGetOwner(choice), *slots};
}

static MlirWalkResult addTold(MlirOperation op, void *userData) {
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_OFFSETS)))
    berthOpListAdd(userData, op);
  return MlirWalkResultAdvance;
}

/// What the loop begins with, if it is such a buffer at that place; else null.
static MlirValue findInitial(const BerthTurnTaker *taker, MlirOperation alloc,
                             int64_t offset) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  for (intptr_t i = 0; i < taker->numCarried; ++i) {
    MlirValue initial =
        mlirOperationGetOperand(taker->loop, taker->firstInitial + i);
    int64_t own;
    if (mlirValueIsAOpResult(initial) &&
        mlirTypeEqual(mlirValueGetType(initial), type) &&
        berthOpIs(mlirOpResultGetOwner(initial), BERTH_OP_ALLOC) &&
        mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(initial)),
                       mlirOperationGetBlock(taker->loop)) &&
        berthAttributeGetNumber(
            berthAttributeOf(mlirOpResultGetOwner(initial), BERTH_OFFSET),
            &own) &&
        own == offset)
      return initial;
  }
  return (MlirValue){NULL};
}

static MlirValue placedSlot(MlirOperation alloc, MlirOperation loop,
                            int64_t offset) {
  MlirValue slot = berthBuildSlot(alloc, loop);
  MlirOperation op = mlirOpResultGetOwner(slot);
  mlirOperationRemoveAttributeByName(
      op, mlirStringRefCreateFromCString(BERTH_OFFSETS));
  berthSetAttribute(op, BERTH_OFFSET,
                    berthI64(mlirOperationGetContext(op), offset));
  return slot;
}

/// True if it has been shown.
static bool showTold(MlirOperation alloc, BerthShownSlots *shown) {
  MlirAttribute list = berthAttributeOf(alloc, BERTH_OFFSETS);
  MlirOperation loop = mlirOperationGetParentOperation(alloc);
  BerthTurnTaker taker;
  intptr_t count =
      mlirAttributeIsAArray(list) ? mlirArrayAttrGetNumElements(list) : 0;
  if (count < 2 || count > BERTH_MOST_SLOTS ||
      !berthOpIs(alloc, BERTH_OP_ALLOC) || mlirOperationGetNumOperands(alloc) ||
      !berthIsTurnTaker(loop, &taker) || !berthCountsTurns(&taker, alloc))
    return false;
  BerthSlots slots = {.count = (int)count};
  for (intptr_t i = 0; i < count; ++i) {
    int64_t offset;
    if (!berthAttributeGetNumber(mlirArrayAttrGetElement(list, i), &offset))
      return false;
    slots.values[i] = findInitial(&taker, alloc, offset);
    slots.areNew[i] = mlirValueIsNull(slots.values[i]);
    if (slots.areNew[i])
      slots.values[i] = placedSlot(alloc, loop, offset);
  }
  berthShowSlots(&taker, alloc, &slots, shown);
  return true;
}

MlirOperation berthShowAnnotated(MlirOperation root, BerthShownSlots *shown) {
  BerthOpList told = {0};
  MlirOperation wrong = {NULL};
  mlirOperationWalk(root, addTold, &told, MlirWalkPreOrder);
  for (size_t i = 0; i < told.count; ++i)
    if (mlirOperationIsNull(wrong) && !showTold(told.ops[i], shown))
      wrong = told.ops[i];
  free(told.ops);
  return wrong;
}

//===----------------------------------------------------------------------===//
// Hiding
//===----------------------------------------------------------------------===//

/// The numbers that the slots have by the attribute; null if one has none.
static MlirAttribute listOf(const BerthSlots *slots, const char *name,
                            MlirContext context) {
  MlirAttribute list[BERTH_MOST_SLOTS];
  for (int i = 0; i < slots->count; ++i) {
    list[i] = berthAttributeOf(mlirOpResultGetOwner(slots->values[i]), name);
    if (mlirAttributeIsNull(list[i]))
      return list[i];
  }
  return mlirArrayAttrGet(context, slots->count, list);
}

static void tellPlaces(const BerthShown *item) {
  MlirContext context = mlirOperationGetContext(item->alloc);
  MlirAttribute offsets = listOf(&item->slots, BERTH_OFFSET, context);
  MlirAttribute addresses = listOf(&item->slots, "berth.address", context);
  if (mlirAttributeIsNull(offsets))
    return;
  berthSetAttribute(item->alloc, BERTH_OFFSETS, offsets);
  berthSetAttribute(
      item->alloc, BERTH_SIZE,
      berthAttributeOf(mlirOpResultGetOwner(item->slots.values[0]),
                       BERTH_SIZE));
  if (!mlirAttributeIsNull(addresses))
    berthSetAttribute(item->alloc, BERTH_ADDRESSES, addresses);
}

static void putBack(const BerthShown *item) {
  MlirOperation op = item->choice;
  MlirBlock block = mlirOperationGetBlock(op);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                mlirOperationGetResult(item->alloc, 0));
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, item->before)) {
    MlirOperation previous = berthOpGetPrevious(op);
    mlirOperationDestroy(op);
    op = previous;
  }
  mlirBlockInsertOwnedOperationAfter(block, item->before, item->alloc);
  for (int i = 0; i < item->slots.count; ++i)
    if (item->slots.areNew[i])
      mlirOperationDestroy(mlirOpResultGetOwner(item->slots.values[i]));
}

void berthHideSlots(BerthShownSlots *shown, bool tells) {
  for (size_t i = shown->count; i-- > 0;) {
    if (tells)
      tellPlaces(&shown->items[i]);
    putBack(&shown->items[i]);
  }
  free(shown->items);
  *shown = (BerthShownSlots){0};
}

void berthForgetSlots(MlirOperation alloc) {
  const char *const names[] = {BERTH_OFFSETS, BERTH_OFFSET, BERTH_ADDRESSES,
                               "berth.address", BERTH_SIZE};
  // A size alone is the user's word.
  if (mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_OFFSETS)) &&
      mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_OFFSET)))
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirOperationRemoveAttributeByName(
        alloc, mlirStringRefCreateFromCString(names[i]));
}

void berthForgetShown(BerthShownSlots *shown) {
  for (size_t i = 0; i < shown->count; ++i)
    mlirOperationDestroy(shown->items[i].alloc);
  free(shown->items);
  *shown = (BerthShownSlots){0};
}
