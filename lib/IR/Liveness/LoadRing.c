//===- LoadRing.c - Loops behind which no TMA load is under way -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/LoadRing.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "IR/Transfers/LoopTurns.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Ring {
  const BerthBufferInfo *buffer;
  BerthLoopTurns turns;
  /// By which the turns of the loop number slots, and mbarriers; 1: all turns
  /// have the same.
  int64_t numSlots, numBarriers;
  const char *breakRule;
} Ring;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// A value that shows one slot, or all of the buffer; or a part of that.
typedef struct Slot {
  BerthMixed number;
  bool isAll; ///< of no slot, but of all
  bool isWhole;
} Slot;

static bool isNumber(const BerthMixed *mixed, int64_t number) {
  int64_t constant = mixed->number;
  return (mlirValueIsNull(mixed->value) ||
          berthValueIsConstant(mixed->value, &constant)) &&
         constant == number;
}

/// One place of the first dimension, and all of the others.
static bool isSlot(MlirOperation view, MlirValue of, BerthMixed *number) {
  BerthSubView part;
  MlirType type = mlirValueGetType(of);
  if (!berthSubViewGet(view, &part) || part.rank < 2 ||
      !isNumber(&part.sizes[0], 1) || !isNumber(&part.strides[0], 1))
    return false;
  for (intptr_t d = 1; d < part.rank; ++d)
    if (!isNumber(&part.offsets[d], 0) || !isNumber(&part.strides[d], 1) ||
        !isNumber(&part.sizes[d], mlirShapedTypeGetDimSize(type, d)))
      return false;
  *number = part.offsets[0];
  return true;
}

/// False if the value does not surely lead to the buffer.
static bool findSlot(const BerthBufferInfo *buffer, MlirValue value,
                     Slot *slot) {
  *slot = (Slot){.isWhole = true};
  while (!mlirValueEqual(value, buffer->value)) {
    if (!mlirValueIsAOpResult(value))
      return false;
    MlirOperation view = mlirOpResultGetOwner(value);
    MlirValue source = berthViewGetSource(view);
    if (mlirValueIsNull(source))
      return false;
    if (mlirValueEqual(source, buffer->value) &&
        isSlot(view, source, &slot->number))
      return true;
    slot->isWhole &= berthViewIsWhole(view);
    value = source;
  }
  return slot->isAll = true;
}

static BerthTurnNumber numberOf(const Ring *ring, const BerthMixed *number) {
  if (mlirValueIsNull(number->value))
    return (BerthTurnNumber){true, false, number->number, 0};
  return berthTurnNumberOf(&ring->turns, number->value);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

typedef struct Load {
  MlirOperation op;
  MlirOperation top; ///< around it, or itself: in the body, or in front of
                     ///< the loop
  bool isInBody;
  bool isAll; ///< it fills all of the buffer, in no slots
  BerthTurnNumber slot;
  BerthTurnNumber barrier; ///< of the group
  MlirValue group;         ///< of mbarriers
  int64_t turns; ///< that there surely are where it is made: behind that at
                 ///< hand, or at all
} Load;

/// Finds the turns by the conditions around the load, up to the block, and its
/// predicate. False if it stands elsewhere.
static bool findGuards(const Ring *ring, Load *load, MlirBlock block) {
  int64_t *turns = &load->turns;
  const BerthLoopTurns *loop = &ring->turns;
  BerthMBarrierUse use;
  *turns = load->isInBody || loop->count < 0 ? 0 : loop->count;
  if (berthOpGetMBarrierUse(load->op, &use) && use.predicate >= 0) {
    MlirValue predicate = mlirOperationGetOperand(load->op, use.predicate);
    int64_t more = load->isInBody ? berthTurnsThatFollow(loop, predicate)
                                  : berthTurnsThatCome(loop, predicate);
    *turns = more > *turns ? more : *turns;
  }
  load->top = load->op;
  while (!mlirBlockEqual(mlirOperationGetBlock(load->top), block)) {
    MlirOperation around = mlirOperationGetParentOperation(load->top);
    if (mlirOperationIsNull(around) || !berthOpIs(around, BERTH_OP_IF) ||
        berthOpIsAffine(around))
      return false;
    bool isThen = mlirRegionEqual(
        mlirBlockGetParentRegion(mlirOperationGetBlock(load->top)),
        mlirOperationGetRegion(around, 0));
    MlirValue condition = mlirOperationGetOperand(around, 0);
    int64_t more = !isThen          ? 0
                   : load->isInBody ? berthTurnsThatFollow(loop, condition)
                                    : berthTurnsThatCome(loop, condition);
    *turns = more > *turns ? more : *turns;
    load->top = around;
  }
  return true;
}

/// True if the load is made for a turn that comes, into the slot and for the
/// mbarrier of that.
static bool readLoad(const Ring *ring, Load *load) {
  enum { kTarget = 0 };
  const BerthLoopTurns *loop = &ring->turns;
  MlirBlock block = mlirOperationGetBlock(loop->op);
  BerthMBarrier barrier = berthLoadGetMBarrier(load->op);
  Slot slot;
  load->isInBody = berthOpIsWithin(load->op, loop->op);
  load->group = barrier.group;
  if (!findSlot(ring->buffer, mlirOperationGetOperand(load->op, kTarget),
                &slot) ||
      !slot.isWhole ||
      !findGuards(ring, load, load->isInBody ? loop->body : block) ||
      (!load->isInBody && !mlirOperationIsBeforeInBlock(load->top, loop->op)))
    return false;
  load->isAll = slot.isAll;
  load->slot = numberOf(ring, &slot.number);
  load->barrier = berthTurnNumberOf(loop, barrier.number);
  return load->slot.isKnown && load->barrier.isKnown;
}

static bool isNumbered(BerthTurnNumber number, int64_t modulus) {
  return number.ahead < modulus &&
         (!number.hasTurn || number.modulus == modulus);
}

/// True if the load is made for a turn that comes, into the slot and for the
/// mbarrier of that. Where all turns have the same slot, it is for this turn or
/// the next one, as will be seen.
static bool isForTurn(const Ring *ring, const Load *load) {
  int64_t ahead = load->slot.ahead;
  bool isBroken = berthIsBroken(ring->breakRule, "loads-of-no-turn");
  if (ring->numSlots == 1)
    return !load->slot.hasTurn && !load->barrier.hasTurn &&
           (load->isInBody || load->turns > 0 || isBroken);
  bool isRight = berthIsSameTurn(load->slot, load->barrier) &&
                 load->slot.hasTurn == load->isInBody && ahead >= 0 &&
                 isNumbered(load->slot, ring->numSlots) &&
                 isNumbered(load->barrier, ring->numBarriers);
  return isRight &&
         (isBroken || ahead < load->turns + (load->isInBody ? 1 : 0));
}

//===----------------------------------------------------------------------===//
// The touch that shows their end
//===----------------------------------------------------------------------===//

/// The op around `op`, or itself, in the body, if each turn comes to it: by way
/// of loops that take a turn. Else null.
static MlirOperation surelyInBody(const Ring *ring, MlirOperation op) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  while (!mlirBlockEqual(mlirOperationGetBlock(op), ring->turns.body)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op))
      return op;
    intptr_t rank = berthLoopGetRanges(op, ranges);
    if (rank <= 0)
      return (MlirOperation){NULL};
    for (intptr_t i = 0; i < rank; ++i)
      if (ranges[i].count <= 0)
        return (MlirOperation){NULL};
  }
  return op;
}

/// True if the number is that of the turn, or that of the load which is the
/// same for all turns.
static bool isOfTurn(BerthTurnNumber number, BerthTurnNumber ofLoad,
                     int64_t modulus) {
  if (modulus == 1)
    return number.isKnown && !number.hasTurn && number.ahead == ofLoad.ahead;
  return number.isKnown && number.hasTurn && number.ahead == 0 &&
         number.modulus == modulus;
}

/// True if the value shows what the load of the turn fills, all of a slot if
/// `needsAll`.
static bool showsSlot(const Ring *ring, const Load *load, MlirValue value,
                      bool needsAll) {
  Slot slot;
  if (!findSlot(ring->buffer, value, &slot) || (needsAll && !slot.isWhole))
    return false;
  return load->isAll || (!slot.isAll && isOfTurn(numberOf(ring, &slot.number),
                                                 load->slot, ring->numSlots));
}

/// True if the op surely touches what the load of the turn fills.
static bool touchesSlot(const Ring *ring, const Load *load, MlirOperation op) {
  bool isProduct = berthOpStartsAsync(op, BERTH_ASYNC_PRODUCT);
  if (!isProduct && !berthOpSurelyTouches(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (isProduct) {
      MlirOperation maker =
          mlirValueIsAOpResult(operand) ? mlirOpResultGetOwner(operand) : op;
      if (!berthOpMakesDescriptor(maker))
        continue;
      operand = mlirOperationGetOperand(maker, 0);
    }
    if (showsSlot(ring, load, operand, isProduct))
      return true;
  }
  return false;
}

/// True if the op waits in each turn for the load's mbarrier; `isSameTurn`: for
/// a load of the same turn, behind it.
static bool awaits(const Ring *ring, const Load *load, MlirOperation op,
                   bool isSameTurn) {
  BerthMBarrier barrier;
  return berthOpAwaitsMBarrier(op, &barrier) &&
         mlirBlockEqual(mlirOperationGetBlock(op), ring->turns.body) &&
         mlirValueEqual(barrier.group, load->group) &&
         isOfTurn(berthTurnNumberOf(&ring->turns, barrier.number),
                  load->barrier, ring->numBarriers) &&
         (!isSameTurn || mlirOperationIsBeforeInBlock(load->top, op));
}

static bool isAwaitedBefore(const Ring *ring, const Load *load,
                            MlirOperation touch, bool isSameTurn) {
  for (MlirOpOperand use = mlirValueGetFirstUse(load->group);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (awaits(ring, load, op, isSameTurn) &&
        mlirOperationIsBeforeInBlock(op, touch))
      return true;
  }
  return false;
}

/// The first touch, behind a wait, of the turn that the load is for.
static size_t findTouch(const Ring *ring, const Load *load, bool isSameTurn) {
  const BerthBufferInfo *buffer = ring->buffer;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *access = &buffer->accesses[i];
    if (!berthOpIsWithin(access->op, ring->turns.op) ||
        !touchesSlot(ring, load, access->op))
      continue;
    MlirOperation top = surelyInBody(ring, access->op);
    if (!mlirOperationIsNull(top) &&
        isAwaitedBefore(ring, load, top, isSameTurn))
      return i;
  }
  return BERTH_NOT_FOUND;
}

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

/// A loop around the load whose turns number the slot that it goes into.
static bool findLoop(Ring *ring, MlirOperation load) {
  enum { kTarget = 0 };
  Slot slot;
  if (!findSlot(ring->buffer, mlirOperationGetOperand(load, kTarget), &slot) ||
      slot.isAll || mlirValueIsNull(slot.number.value))
    return false;
  MlirOperation op = load;
  while (!mlirOperationIsNull(op = mlirOperationGetParentOperation(op))) {
    if (!berthLoopTurnsOf(op, &ring->turns))
      continue;
    BerthTurnNumber number = numberOf(ring, &slot.number);
    BerthTurnNumber barrier =
        berthTurnNumberOf(&ring->turns, berthLoadGetMBarrier(load).number);
    ring->numSlots = number.modulus;
    ring->numBarriers = barrier.modulus;
    if (number.isKnown && number.hasTurn && number.modulus && barrier.isKnown &&
        barrier.hasTurn && barrier.modulus)
      return true;
  }
  return false;
}

/// The innermost loop around the load.
static bool findLoopAround(Ring *ring, MlirOperation load) {
  ring->numSlots = ring->numBarriers = 1;
  while (!mlirOperationIsNull(load = mlirOperationGetParentOperation(load)))
    if (berthLoopTurnsOf(load, &ring->turns))
      return true;
  return false;
}

static bool findRing(Ring *ring) {
  const BerthBufferInfo *buffer = ring->buffer;
  for (int isFixed = 0; isFixed < 2; ++isFixed)
    for (size_t i = 0; i < buffer->numAccesses; ++i) {
      MlirOperation op = buffer->accesses[i].op;
      if (berthOpStartsAsync(op, BERTH_ASYNC_LOAD) &&
          (isFixed ? findLoopAround(ring, op) : findLoop(ring, op)))
        return true;
    }
  return false;
}

/// The touch that proves the end of the load; BERTH_NOT_FOUND if none does, or
/// it may be for a turn that does not come.
static size_t proveEnd(const Ring *ring, MlirOperation op) {
  Load load = {.op = op};
  if (!readLoad(ring, &load) || !isForTurn(ring, &load))
    return BERTH_NOT_FOUND;
  if (ring->numSlots > 1)
    return findTouch(ring, &load, load.isInBody && load.slot.ahead == 0);
  size_t touch = findTouch(ring, &load, load.isInBody);
  if (touch != BERTH_NOT_FOUND)
    return touch;
  bool isFollowed =
      load.turns > 0 || berthIsBroken(ring->breakRule, "loads-of-no-turn");
  return isFollowed ? findTouch(ring, &load, false) : BERTH_NOT_FOUND;
}

MlirOperation berthFindLoadRing(BerthBufferInfo *buffer,
                                const char *breakRule) {
  const MlirOperation none = {NULL};
  Ring ring = {.buffer = buffer, .breakRule = breakRule};
  if (!findRing(&ring) || berthOpIsWithin(buffer->alloc, ring.turns.op))
    return none;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpStartsAsync(buffer->accesses[i].op, BERTH_ASYNC_LOAD) &&
        proveEnd(&ring, buffer->accesses[i].op) == BERTH_NOT_FOUND)
      return none;
  // Behind a barrier that stands behind the touch others may have the bytes.
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpStartsAsync(buffer->accesses[i].op, BERTH_ASYNC_LOAD)) {
      buffer->accesses[i].isShownToEnd = true;
      buffer->accesses[proveEnd(&ring, buffer->accesses[i].op)].writes = true;
    }
  return ring.turns.op;
}
