//===- SlotThreads.c - Slots that many threads fill -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/SlotThreads.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Runs/Uniform.h"
#include "IR/Verify/Slots/SlotBarriers.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "IR/Verify/Threads/Asking.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static bool isGroup(MlirOperation op) {
  return berthOpMakesGroup(op, BERTH_ASYNC_COPY);
}

static MlirWalkResult findNestedGroup(MlirOperation op, void *userData) {
  bool *found = userData;
  *found |= isGroup(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// How many groups the ops from `begin` up to `end` (not that) of one block
/// make, or -1: that is not known.
static int64_t countGroups(MlirOperation begin, MlirOperation end) {
  int64_t count = 0;
  for (MlirOperation op = begin;
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op)) {
    bool isNested = false;
    if (isGroup(op))
      ++count;
    else
      mlirOperationWalk(op, findNestedGroup, &isNested, MlirWalkPreOrder);
    if (isNested)
      return -1;
  }
  return count;
}

static MlirOperation firstOfBody(const BerthSlotCheck *check) {
  return mlirBlockGetFirstOperation(check->uses.loop.body);
}

//===----------------------------------------------------------------------===//
// Groups and waits
//===----------------------------------------------------------------------===//

/// The groups that a turn makes, and those of it in front of each copy's own.
static bool checkFirstGroups(const BerthSlotCheck *check, int64_t ofTurn) {
  const BerthSlotUses *uses = &check->uses;
  for (int64_t turn = 0; turn < check->ahead; ++turn) {
    size_t next = 0;
    for (size_t i = 0; i < uses->numAccesses; ++i) {
      const BerthSlotAccess *access = &uses->accesses[i];
      if (access->place != BERTH_SLOT_BEFORE || access->slot != turn)
        continue;
      const BerthSlotAccess *copy = berthSlotCopy(check, next++);
      int64_t inFront = countGroups(firstOfBody(check), copy->top);
      int64_t behind = countGroups(access->top, uses->loop.op);
      if (behind < 0 || behind != (check->ahead - turn) * ofTurn - inFront)
        return berthSlotIsWrong(check, access->op,
                                "is in another group, counted back from the "
                                "loop, than the copies of later turns");
    }
  }
  return true;
}

/// The first wait in the body that surely ends the copy that was made for the
/// turn; null: none does.
static MlirOperation waitFor(const BerthSlotCheck *check,
                             const BerthSlotAccess *copy, int64_t ofTurn) {
  int64_t inFront = countGroups(firstOfBody(check), copy->top), mayPend;
  for (MlirOperation op = firstOfBody(check); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    int64_t newer = check->ahead * ofTurn +
                    countGroups(firstOfBody(check), op) - inFront - 1;
    if (berthOpWaitsForGroups(op, BERTH_ASYNC_COPY, &mayPend) &&
        mayPend <= newer)
      return op;
  }
  return (MlirOperation){NULL};
}

static MlirWalkResult findOther(MlirOperation op, void *userData) {
  MlirOperation *found = userData;
  if (!berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    return MlirWalkResultAdvance;
  MlirValue target = berthValueBehindViews(berthAsyncCopyGet(op).target);
  bool isSlot = mlirValueIsAOpResult(target) &&
                !mlirAttributeIsNull(berthAttributeOf(
                    mlirOpResultGetOwner(target), BERTH_SLOTS));
  if (isSlot)
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

/// What else the loop copied would be waited for too late.
static bool checkOthers(const BerthSlotCheck *check) {
  MlirOperation found = {NULL};
  mlirOperationWalk(check->uses.loop.op, findOther, &found, MlirWalkPreOrder);
  return check->ahead == 0 || mlirOperationIsNull(found) ||
         berthSlotIsWrong(check, found,
                          "copies to no slot, where waits let the groups of "
                          "later turns pend");
}

static bool checkWaits(const BerthSlotCheck *check, int64_t ofTurn) {
  for (size_t i = 0; i < check->numCopies; ++i) {
    MlirOperation wait = waitFor(check, berthSlotCopy(check, i), ofTurn);
    if (mlirOperationIsNull(wait))
      return berthSlotIsWrong(check, berthSlotCopy(check, i)->op,
                              "is ended by no wait of the turn that uses what "
                              "it copies");
    for (size_t a = 0; a < check->uses.numAccesses; ++a)
      if (berthSlotIsUse(check, a) &&
          !berthStandsBefore(wait, check->uses.accesses[a].top))
        return berthSlotIsWrong(check, check->uses.accesses[a].op,
                                "uses a slot before the turn has waited for "
                                "what is copied there");
  }
  return true;
}

/// Behind the loop a wait comes before anything else is copied, and covers all
/// groups of the loop.
static bool checkDrain(const BerthSlotCheck *check) {
  MlirOperation loop = check->uses.loop.op;
  int64_t groups = 0, mayPend;
  for (MlirOperation op = mlirOperationGetNextInBlock(loop);
       !mlirOperationIsNull(op) && check->ahead;
       op = mlirOperationGetNextInBlock(op)) {
    bool isNested = false;
    if (berthOpWaitsForGroups(op, BERTH_ASYNC_COPY, &mayPend) &&
        mayPend <= groups)
      return true;
    mlirOperationWalk(op, findNestedGroup, &isNested, MlirWalkPreOrder);
    groups += isGroup(op);
    if (berthOpStartsAsync(op, BERTH_ASYNC_COPY) || (isNested && !isGroup(op)))
      break;
  }
  return check->ahead == 0 ||
         berthSlotIsWrong(check, loop,
                          "ends with copies that nobody has waited for");
}

//===----------------------------------------------------------------------===//
// Which elements are copied
//===----------------------------------------------------------------------===//

/// Of a slot: which elements the threads surely write, or may read, in a turn.
typedef struct Elements {
  MlirOperation scope;
  int64_t count;
  bool *isMarked;
} Elements;

/// For one thread: `width` elements from the subscripts behind a memref on.
static bool markOne(Elements *elements, MlirOperation op, intptr_t firstIndex,
                    int64_t width, const int64_t place[3]) {
  int64_t at = 0;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, firstIndex - 1));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    int64_t index, size = mlirShapedTypeGetDimSize(type, d);
    if (!berthNumberOfThread(elements->scope,
                             mlirOperationGetOperand(op, firstIndex + d), place,
                             &index) ||
        index < 0 || index >= size)
      return false;
    at = at * size + index;
  }
  for (int64_t i = 0; i < width; ++i) {
    if (at + i >= elements->count)
      return false;
    elements->isMarked[at + i] = true;
  }
  return true;
}

static bool markAll(Elements *elements, MlirOperation op, intptr_t firstIndex,
                    int64_t width) {
  int64_t shape[3], place[3];
  if (!berthBlockShape(elements->scope, shape))
    return false;
  for (place[2] = 0; place[2] < shape[2]; ++place[2])
    for (place[1] = 0; place[1] < shape[1]; ++place[1])
      for (place[0] = 0; place[0] < shape[0]; ++place[0])
        if (!markOne(elements, op, firstIndex, width, place))
          return false;
  return true;
}

/// The slot itself, in all its dimensions.
static bool isWholeSlot(const BerthSlotCheck *check, MlirValue value) {
  size_t view = berthPointerMapFind(&check->uses.viewOf, value.ptr);
  return view != BERTH_NOT_FOUND && check->uses.views[view].isWhole;
}

static Elements elementsOf(const BerthSlotCheck *check) {
  Elements elements = {.scope = check->uses.scope, .count = 1};
  MlirType type =
      mlirValueGetType(mlirOperationGetResult(check->uses.alloc, 0));
  for (intptr_t d = 1; d < mlirShapedTypeGetRank(type); ++d)
    elements.count *= mlirShapedTypeGetDimSize(type, d);
  elements.isMarked = berthAllocateOrDie((size_t)elements.count, sizeof(bool));
  return elements;
}

/// True if an access of the turn surely reads none but elements in `filled`.
static bool readsFilled(const BerthSlotCheck *check, const Elements *filled,
                        const BerthSlotAccess *access) {
  BerthEffects effects;
  MlirValue slot = mlirOperationGetOperand(access->op, access->operand);
  if (berthOpSumEffects(access->op, slot, &effects) &&
      !(effects.onValue & BERTH_EFFECT_READ))
    return true;
  Elements read = elementsOf(check);
  bool isRight = isWholeSlot(check, slot) &&
                 berthOpIsElementAccess(access->op) &&
                 markAll(&read, access->op, access->operand + 1, 1);
  for (int64_t i = 0; i < read.count && isRight; ++i)
    isRight = !read.isMarked[i] || filled->isMarked[i];
  free(read.isMarked);
  return isRight;
}

static bool checkFilled(const BerthSlotCheck *check) {
  const BerthSlotUses *uses = &check->uses;
  if (!mlirAttributeIsNull(berthAttributeOf(uses->alloc, BERTH_SLOTS_ANEW)))
    return true;
  Elements filled = elementsOf(check);
  for (size_t i = 0; i < check->numCopies; ++i) {
    BerthAsyncCopy copy = berthAsyncCopyGet(berthSlotCopy(check, i)->op);
    if (isWholeSlot(check, copy.target))
      markAll(&filled, berthSlotCopy(check, i)->op, copy.firstIndex,
              copy.elements);
  }
  bool isAll = true, isRight = true;
  for (int64_t i = 0; i < filled.count; ++i)
    isAll &= filled.isMarked[i];
  for (size_t a = 0; a < uses->numAccesses && isRight && !isAll; ++a)
    if (berthSlotIsUse(check, a) &&
        !readsFilled(check, &filled, &uses->accesses[a]))
      isRight = berthSlotIsWrong(check, uses->accesses[a].op,
                                 "may read what an earlier turn left in its "
                                 "slot");
  free(filled.isMarked);
  return isRight;
}

bool berthCheckSlotThreads(const BerthSlotCheck *check) {
  int64_t ofTurn = countGroups(firstOfBody(check), (MlirOperation){NULL});
  if (ofTurn < 0 || check->numLast)
    return berthSlotIsWrong(check, check->uses.loop.op,
                            "may make another number of groups in each turn");
  return checkOthers(check) && checkFirstGroups(check, ofTurn) &&
         checkWaits(check, ofTurn) && checkDrain(check) &&
         berthCheckSlotBarriers(check) && checkFilled(check);
}
