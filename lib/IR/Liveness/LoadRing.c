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
  BerthBufferInfo *buffer;
  BerthLoopTurns turns;
  const char *breakRule;
} Ring;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// A value that shows one slot, or a part of it.
typedef struct Slot {
  BerthMixed number;
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

/// False if the value leads to no slot of the buffer.
static bool findSlot(const BerthBufferInfo *buffer, MlirValue value,
                     Slot *slot) {
  *slot = (Slot){.isWhole = true};
  while (mlirValueIsAOpResult(value)) {
    MlirOperation view = mlirOpResultGetOwner(value);
    MlirValue source = berthViewGetSource(view);
    if (mlirValueIsNull(source))
      return false;
    if (mlirValueEqual(source, buffer->value))
      return isSlot(view, source, &slot->number);
    slot->isWhole &= berthViewIsWhole(view);
    value = source;
  }
  return false;
}

static BerthTurnNumber numberOf(const Ring *ring, const BerthMixed *number) {
  if (mlirValueIsNull(number->value))
    return (BerthTurnNumber){true, false, number->number, 0};
  return berthTurnNumberOf(&ring->turns, number->value);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// A load of the turn `number` of its slot.
typedef struct Load {
  MlirOperation op;
  MlirOperation top; ///< around it, or itself: in the body, or in front of
                     ///< the loop
  bool isInBody;
  BerthTurnNumber slot;
  BerthTurnNumber barrier; ///< of the group
  MlirValue group;         ///< of mbarriers
} Load;

/// Turns that there surely are, behind the one at hand or at all, where an op
/// stands: by the conditions around it, up to the block, and its predicate.
/// False if it stands elsewhere.
static bool findGuards(const Ring *ring, Load *load, MlirBlock block,
                       int64_t *turns) {
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
  int64_t turns;
  load->isInBody = berthOpIsWithin(load->op, loop->op);
  load->group = barrier.group;
  if (!findSlot(ring->buffer, mlirOperationGetOperand(load->op, kTarget),
                &slot) ||
      !slot.isWhole ||
      !findGuards(ring, load, load->isInBody ? loop->body : block, &turns))
    return false;
  load->slot = numberOf(ring, &slot.number);
  load->barrier = berthTurnNumberOf(loop, barrier.number);
  int64_t ahead = load->slot.ahead;
  if (!berthIsSameTurn(load->slot, load->barrier) ||
      load->slot.hasTurn != load->isInBody || ahead < 0)
    return false;
  if (berthIsBroken(ring->breakRule, "loads-of-no-turn"))
    return true;
  return load->isInBody ? ahead <= turns
                        : ahead < turns &&
                              mlirOperationIsBeforeInBlock(load->top, loop->op);
}

/// By which the turns of the loop number slots, and mbarriers.
typedef struct Moduli {
  int64_t slots, barriers;
} Moduli;

static bool isNumbered(BerthTurnNumber number, int64_t modulus) {
  return number.ahead < modulus &&
         (!number.hasTurn || number.modulus == modulus);
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

static bool isOfTurn(BerthTurnNumber number, int64_t modulus) {
  return number.isKnown && number.hasTurn && number.ahead == 0 &&
         number.modulus == modulus;
}

/// True if the value shows the slot of the turn, all of it if `isAll`.
static bool showsSlot(const Ring *ring, MlirValue value, bool isAll,
                      int64_t numSlots) {
  Slot slot;
  return findSlot(ring->buffer, value, &slot) && (slot.isWhole || !isAll) &&
         isOfTurn(numberOf(ring, &slot.number), numSlots);
}

/// True if the access surely touches the slot of its turn.
static bool touchesSlot(const Ring *ring, MlirOperation op, int64_t numSlots) {
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
    if (showsSlot(ring, operand, isProduct, numSlots))
      return true;
  }
  return false;
}

/// The wait of each turn for the mbarrier of its slot; or null.
static MlirOperation findWait(const Ring *ring, const Load *load,
                              int64_t numBarriers) {
  MlirOperation found = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(load->group);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthMBarrier barrier;
    if (berthOpAwaitsMBarrier(op, &barrier) &&
        mlirBlockEqual(mlirOperationGetBlock(op), ring->turns.body) &&
        mlirValueEqual(barrier.group, load->group) &&
        isOfTurn(berthTurnNumberOf(&ring->turns, barrier.number),
                 numBarriers) &&
        (load->slot.ahead > 0 || !load->isInBody ||
         mlirOperationIsBeforeInBlock(load->top, op)) &&
        (mlirOperationIsNull(found) || mlirOperationIsBeforeInBlock(op, found)))
      found = op;
  }
  return found;
}

/// The first touch of its turn that proves the end of the load; or NULL.
static BerthAccess *findTouch(const Ring *ring, const Load *load,
                              Moduli moduli) {
  MlirOperation wait = findWait(ring, load, moduli.barriers);
  BerthBufferInfo *buffer = ring->buffer;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    BerthAccess *access = &buffer->accesses[i];
    if (mlirOperationIsNull(wait) ||
        !berthOpIsWithin(access->op, ring->turns.op) ||
        !touchesSlot(ring, access->op, moduli.slots))
      continue;
    MlirOperation top = surelyInBody(ring, access->op);
    if (!mlirOperationIsNull(top) && mlirOperationIsBeforeInBlock(wait, top))
      return access;
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

/// The loop whose turns number the slot that the load goes into; with the
/// moduli.
static bool findLoop(Ring *ring, MlirOperation load, Moduli *moduli) {
  enum { kTarget = 0 };
  Slot slot;
  if (!findSlot(ring->buffer, mlirOperationGetOperand(load, kTarget), &slot) ||
      mlirValueIsNull(slot.number.value))
    return false;
  MlirOperation op = load;
  while (!mlirOperationIsNull(op = mlirOperationGetParentOperation(op))) {
    if (!berthLoopTurnsOf(op, &ring->turns))
      continue;
    BerthTurnNumber number = numberOf(ring, &slot.number);
    BerthTurnNumber barrier =
        berthTurnNumberOf(&ring->turns, berthLoadGetMBarrier(load).number);
    *moduli = (Moduli){number.modulus, barrier.modulus};
    if (number.isKnown && number.hasTurn && barrier.isKnown && barrier.hasTurn)
      return true;
  }
  return false;
}

static bool findRing(Ring *ring, Moduli *moduli) {
  BerthBufferInfo *buffer = ring->buffer;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpStartsAsync(buffer->accesses[i].op, BERTH_ASYNC_LOAD) &&
        findLoop(ring, buffer->accesses[i].op, moduli))
      return true;
  return false;
}

/// The touch that proves the end of the load; NULL if none does, or it may be
/// for a turn that does not come.
static BerthAccess *proveEnd(const Ring *ring, MlirOperation op,
                             Moduli moduli) {
  Load load = {.op = op};
  bool isRight = readLoad(ring, &load) && isNumbered(load.slot, moduli.slots) &&
                 isNumbered(load.barrier, moduli.barriers);
  return isRight ? findTouch(ring, &load, moduli) : NULL;
}

bool berthHoldLoadRing(BerthScope *scope, const BerthPoints *points,
                       BerthBufferInfo *buffer, const char *breakRule) {
  Ring ring = {.buffer = buffer, .breakRule = breakRule};
  Moduli moduli;
  if (!findRing(&ring, &moduli) ||
      berthOpIsWithin(buffer->alloc, ring.turns.op))
    return false;
  BerthSegment held = {0, berthPointsUpper(points, ring.turns.op)};
  held.lower = held.upper;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *load = &buffer->accesses[i];
    if (!berthOpStartsAsync(load->op, BERTH_ASYNC_LOAD))
      continue;
    if (!proveEnd(&ring, load->op, moduli))
      return false;
    held.lower = load->lower < held.lower ? load->lower : held.lower;
  }
  // Behind a barrier that stands behind the touch others may have the bytes.
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (berthOpStartsAsync(buffer->accesses[i].op, BERTH_ASYNC_LOAD)) {
      buffer->accesses[i].isShownToEnd = true;
      proveEnd(&ring, buffer->accesses[i].op, moduli)->writes = true;
    }
  berthBufferAddSegments(scope, buffer, &held, 1);
  return true;
}
