//===- SlotUses.c - Who touches which slot of a buffer --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/SlotUses.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Search {
  BerthSlotUses *uses;
  BerthSlotReport report;
  void *userData;
  bool isRight;
} Search;

static void refuse(Search *search, MlirOperation op, const char *why) {
  search->isRight = false;
  search->report(op, why, search->uses->alloc, "of these slots",
                 search->userData);
}

MlirOperation berthTopInBlock(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool berthStandsBefore(MlirOperation op, MlirOperation other) {
  return mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(other)) &&
         mlirOperationIsBeforeInBlock(op, other);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static void addView(BerthSlotUses *uses, BerthSlotView view) {
  if (!berthPointerMapInsert(&uses->viewOf, view.value.ptr, uses->numViews))
    return;
  uses->views = berthGrow(uses->views, uses->numViews, &uses->viewCapacity,
                          sizeof *uses->views);
  uses->views[uses->numViews++] = view;
}

static bool isNumber(const BerthMixed *mixed, int64_t number) {
  int64_t constant = mixed->number;
  return (mlirValueIsNull(mixed->value) ||
          berthValueIsConstant(mixed->value, &constant)) &&
         constant == number;
}

/// True if the subview has all of the dimensions from `first` on.
static bool isWholeFrom(const BerthSubView *part, MlirType type,
                        intptr_t first) {
  for (intptr_t d = first; d < part->rank; ++d)
    if (!isNumber(&part->offsets[d], 0) || !isNumber(&part->strides[d], 1) ||
        !isNumber(&part->sizes[d], mlirShapedTypeGetDimSize(type, d)))
      return false;
  return true;
}

/// A view of all slots: casts, and one slot in full.
static bool addSlot(Search *search, MlirOperation op, MlirValue slots) {
  BerthSubView part;
  if (!berthSubViewGet(op, &part) || !isNumber(&part.sizes[0], 1) ||
      !isWholeFrom(&part, mlirValueGetType(slots), 1))
    return false;
  BerthSlotView view = {.value = mlirOperationGetResult(op, 0),
                        .number = part.offsets[0].value,
                        .constant = part.offsets[0].number,
                        .isWhole = true};
  addView(search->uses, view);
  return true;
}

static bool isViewOf(MlirOperation op, MlirValue value) {
  return mlirOperationGetNumResults(op) == 1 &&
         mlirValueEqual(berthValueViewed(mlirOperationGetResult(op, 0)), value);
}

/// A part of a slot, or all of it in another type.
static void addPart(BerthSlotUses *uses, MlirOperation op,
                    const BerthSlotView *of) {
  BerthSlotView view = *of;
  BerthSubView part;
  view.value = mlirOperationGetResult(op, 0);
  bool isAll = berthSubViewGet(op, &part)
                   ? isWholeFrom(&part, mlirValueGetType(of->value), 0)
                   : berthOpIs(op, BERTH_OP_CAST);
  view.isWhole = of->isWhole && isAll;
  addView(uses, view);
}

static void findSlots(Search *search) {
  MlirValue slots = mlirOperationGetResult(search->uses->alloc, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(slots);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!berthOpIsFree(op) && !addSlot(search, op, slots))
      refuse(search, op, "uses slots otherwise than one by one");
  }
}

static void findParts(BerthSlotUses *uses) {
  for (size_t i = 0; i < uses->numViews; ++i) {
    MlirValue value = uses->views[i].value;
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      BerthSlotView view = uses->views[i];
      if (isViewOf(op, value))
        addPart(uses, op, &view);
    }
  }
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// True if the op copies to memory that the operand shows.
static bool isCopyTo(MlirOperation op, intptr_t operand) {
  enum { kTargetOfLoad = 0 };
  BerthDma dma;
  BerthEffects effects;
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    return mlirValueEqual(berthAsyncCopyGet(op).target, value);
  if (berthOpStartsAsync(op, BERTH_ASYNC_LOAD))
    return operand == kTargetOfLoad;
  if (berthOpGetDma(op, &dma))
    return dma.isStart && operand == dma.target;
  return berthOpCopiesElements(op) && berthOpSumEffects(op, value, &effects) &&
         effects.onValue == BERTH_EFFECT_WRITE;
}

/// The scf.for around the op of whose turn the value is the slot.
static MlirOperation loopOf(const BerthSlotUses *uses, MlirOperation op,
                            MlirValue number) {
  int64_t ahead;
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, uses->scope);
       op = mlirOperationGetParentOperation(op)) {
    if (!berthOpIs(op, BERTH_OP_LOOP) || berthOpIsAffine(op))
      continue;
    BerthTurnLoop loop = berthTurnLoopOf(op);
    BerthTurnForm form = berthTurnFormOf(&loop, number, NULL);
    if (berthTurnFormIsSlot(&form, uses->numSlots, &ahead))
      return op;
  }
  return op;
}

/// True if nothing is copied to the slots in a loop that does not allocate them
/// too: canonicalize has done away with a loop of one turn.
static bool isWithoutLoop(const BerthSlotUses *uses) {
  MlirBlock block = mlirOperationGetBlock(uses->alloc);
  for (size_t i = 0; i < uses->numViews; ++i) {
    MlirValue value = uses->views[i].value;
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (!isCopyTo(op, mlirOpOperandGetOperandNumber(use)))
        continue;
      for (; !mlirBlockEqual(mlirOperationGetBlock(op), block);
           op = mlirOperationGetParentOperation(op))
        if (!berthOpIs(mlirOperationGetParentOperation(op), BERTH_OP_IF))
          return false;
    }
  }
  return true;
}

static bool findLoop(Search *search) {
  BerthSlotUses *uses = search->uses;
  for (size_t i = 0; i < uses->numViews; ++i) {
    const BerthSlotView *view = &uses->views[i];
    if (mlirValueIsNull(view->number))
      continue;
    MlirOperation op = mlirOpResultGetOwner(view->value);
    MlirOperation loop = loopOf(uses, op, view->number);
    if (mlirOperationIsNull(loop) || mlirOperationEqual(loop, uses->scope))
      continue;
    if (!mlirOperationIsNull(uses->loop.op) &&
        !mlirOperationEqual(loop, uses->loop.op)) {
      refuse(search, op, "takes slots of a second loop");
      return false;
    }
    if (mlirOperationIsNull(uses->loop.op))
      uses->loop = berthTurnLoopOf(loop);
  }
  if (mlirOperationIsNull(uses->loop.op) && !isWithoutLoop(uses))
    refuse(search, uses->alloc,
           "has slots, but none is seen to be that of a loop's turn");
  return search->isRight && !mlirOperationIsNull(uses->loop.op);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool fillsSlot(MlirOperation op, intptr_t operand) {
  BerthDma dma;
  if (berthOpStartsAsync(op, BERTH_ASYNC_LOAD))
    return true; // a box has the shape of what it is given
  return berthOpGetDma(op, &dma) ? berthDmaOverwrites(op, operand)
                                 : berthOpFullyOverwrites(op, operand);
}

static bool findSlotNumber(const BerthSlotUses *uses, const BerthSlotView *view,
                           BerthSlotAccess *access) {
  if (mlirValueIsNull(view->number)) {
    access->slot = view->constant;
    return access->place != BERTH_SLOT_IN;
  }
  BerthTurnForm form = berthTurnFormOf(&uses->loop, view->number, NULL);
  return access->place == BERTH_SLOT_IN
             ? berthTurnFormIsSlot(&form, uses->numSlots, &access->slot)
             : berthTurnFormIsNumber(&form, &access->slot) &&
                   access->slot >= 0 && access->slot < uses->numSlots;
}

static bool findPlace(const BerthSlotUses *uses, BerthSlotAccess *access) {
  MlirOperation loop = uses->loop.op;
  access->place = BERTH_SLOT_IN;
  access->top = berthTopInBlock(access->op, uses->loop.body);
  if (!mlirOperationIsNull(access->top))
    return true;
  access->top = berthTopInBlock(access->op, mlirOperationGetBlock(loop));
  if (mlirOperationIsNull(access->top))
    return false;
  access->place = mlirOperationIsBeforeInBlock(access->top, loop)
                      ? BERTH_SLOT_BEFORE
                      : BERTH_SLOT_BEHIND;
  return true;
}

static void addAccess(Search *search, MlirOperation op, intptr_t operand) {
  BerthSlotUses *uses = search->uses;
  MlirOperation callee;
  const BerthSlotView *view = &uses->views[berthPointerMapFind(
      &uses->viewOf, mlirOperationGetOperand(op, operand).ptr)];
  BerthSlotAccess access = {.op = op, .operand = operand};
  access.isCopy = isCopyTo(op, operand);
  access.fills = access.isCopy && view->isWhole && fillsSlot(op, operand);
  bool isPlain = access.isCopy ||
                 (berthOpIsPlainAccess(op) && !berthOpGetCallee(op, &callee) &&
                  !berthOpMayReturnPointer(op));
  if (!isPlain)
    refuse(search, op, "may use a slot beyond its turn");
  else if (!findPlace(uses, &access))
    refuse(search, op, "uses a slot outside of its loop's block");
  else if (!findSlotNumber(uses, view, &access))
    refuse(search, op,
           "uses a slot whose number does not follow from that of the turn");
  uses->accesses = berthGrow(uses->accesses, uses->numAccesses,
                             &uses->accessCapacity, sizeof *uses->accesses);
  uses->accesses[uses->numAccesses++] = access;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Search *search = userData;
  BerthSlotUses *uses = search->uses;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (berthPointerMapFind(&uses->viewOf, value.ptr) != BERTH_NOT_FOUND &&
        !isViewOf(op, value) && !berthOpIs(op, BERTH_OP_DIM))
      addAccess(search, op, i);
  }
  return MlirWalkResultAdvance;
}

bool berthFindSlotUses(BerthSlotUses *uses, MlirOperation alloc,
                       MlirOperation scope, BerthSlotReport report,
                       void *userData) {
  *uses = (BerthSlotUses){.alloc = alloc, .scope = scope};
  Search search = {uses, report, userData, true};
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  MlirAttribute mark = berthAttributeOf(alloc, BERTH_SLOTS);
  uses->numSlots =
      mlirAttributeIsAInteger(mark) ? mlirIntegerAttrGetValueInt(mark) : 0;
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) < 1 ||
      uses->numSlots < 2 ||
      mlirShapedTypeGetDimSize(type, 0) != uses->numSlots) {
    refuse(&search, alloc, "has not as many slots as its mark says");
    return false;
  }
  findSlots(&search);
  findParts(uses);
  if (!search.isRight || !findLoop(&search))
    return false;
  mlirOperationWalk(scope, visit, &search, MlirWalkPreOrder);
  return search.isRight;
}

void berthSlotUsesFree(BerthSlotUses *uses) {
  free(uses->views);
  free(uses->accesses);
  berthPointerMapFree(&uses->viewOf);
}
