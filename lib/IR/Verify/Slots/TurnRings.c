//===- TurnRings.c - Buffers that turns of a loop make anew ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/TurnRings.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

enum { kMostSlots = 16, kNoSlot = -1 };

/// What a value holds: a slot, since that turn. Below 0: since before the loop.
typedef struct Held {
  int slot;
  int64_t since;
} Held;

typedef struct Ring {
  MlirOperation root;
  MlirOperation choice; ///< marked
  int64_t numSlots;
  MlirValue slots[kMostSlots]; ///< behind views
  MlirValue number;
  int64_t first; ///< the slot of turn 0
  MlirOperation loop;
  MlirOperation condition; ///< of scf.while; else null
  MlirOperation yield;
  MlirBlock block; ///< whose arguments are carried, from `firstArgument` on
  intptr_t firstArgument, firstInitial, numCarried;

  Held *carried; ///< into the turn at hand
  Held *next;
  Held held[kMostSlots];  ///< by the slots themselves, as they are now
  BerthPointerMap heldBy; ///< value -> index into `values`
  Held *values;
  size_t numValues, valueCapacity;
  int64_t turn;
  BerthSlotReport report;
  void *userData;
  bool isRight;
} Ring;

static bool wrong(Ring *ring, MlirOperation op, const char *why) {
  if (ring->isRight)
    ring->report(op, why, ring->choice,
                 "chooses among the buffers that turns take", ring->userData);
  ring->isRight = false;
  return false;
}

//===----------------------------------------------------------------------===//
// The slots
//===----------------------------------------------------------------------===//

/// The buffer that a value is a view of: an allocation, or a place in an arena.
static MlirValue bufferOf(MlirValue value) {
  enum { kLongestChain = 64 }; // where nobody comes, views may go round
  for (int i = 0; i < kLongestChain && mlirValueIsAOpResult(value); ++i) {
    MlirOperation op = mlirOpResultGetOwner(value);
    MlirValue source = berthViewGetSource(op);
    if (mlirValueIsNull(source) ||
        !mlirAttributeIsNull(berthAttributeOf(op, BERTH_BUFFER_NUMBER)))
      break;
    value = source;
  }
  return value;
}

/// `number` == constant: the condition by which one slot is chosen.
static bool readCondition(MlirValue condition, MlirValue *number,
                          int64_t *constant) {
  enum { kEqual = 0 };
  if (!mlirValueIsAOpResult(condition))
    return false;
  MlirOperation op = mlirOpResultGetOwner(condition);
  if (!berthOpIs(op, BERTH_OP_COMPARISON))
    return false;
  MlirAttribute predicate = berthAttributeOf(op, "predicate");
  *number = mlirOperationGetOperand(op, 0);
  return mlirIntegerAttrGetValueInt(predicate) == kEqual &&
         berthValueIsConstant(mlirOperationGetOperand(op, 1), constant);
}

/// The choice is a chain: slot i where the number is i, else the next ones.
static bool readSlots(Ring *ring) {
  MlirAttribute count = berthAttributeOf(ring->choice, BERTH_TURNS);
  ring->numSlots =
      mlirAttributeIsAInteger(count) ? mlirIntegerAttrGetValueInt(count) : 0;
  if (ring->numSlots < 2 || ring->numSlots > kMostSlots)
    return false;
  MlirOperation op = ring->choice;
  for (int64_t i = 0; i + 1 < ring->numSlots; ++i) {
    MlirValue number;
    int64_t constant;
    if (!berthOpIs(op, BERTH_OP_SELECT) ||
        !readCondition(mlirOperationGetOperand(op, 0), &number, &constant) ||
        constant != i || (i && !mlirValueEqual(number, ring->number)))
      return false;
    ring->number = number;
    ring->slots[i] = bufferOf(mlirOperationGetOperand(op, 1));
    MlirValue rest = mlirOperationGetOperand(op, 2);
    ring->slots[i + 1] = bufferOf(rest);
    if (i + 2 < ring->numSlots) {
      if (!mlirValueIsAOpResult(rest))
        return false;
      op = mlirOpResultGetOwner(rest);
    }
  }
  return true;
}

static int slotOf(const Ring *ring, MlirValue value) {
  for (int i = 0; i < ring->numSlots; ++i)
    if (mlirValueEqual(ring->slots[i], value))
      return i;
  return kNoSlot;
}

static bool areDistinct(const Ring *ring) {
  for (int i = 0; i < ring->numSlots; ++i)
    if (slotOf(ring, ring->slots[i]) != i)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The loop and its turns
//===----------------------------------------------------------------------===//

static MlirOperation lastOf(MlirOperation loop, intptr_t region) {
  return berthBlockGetLast(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, region)));
}

/// False where the choice stands in no such loop.
static bool readLoop(Ring *ring) {
  MlirOperation loop = mlirOperationGetParentOperation(ring->choice);
  ring->loop = loop;
  if (mlirOperationIsNull(loop))
    return false;
  bool isFor = berthOpIs(loop, BERTH_OP_LOOP) && !berthOpIsAffine(loop);
  bool isWhile =
      berthOpIs(loop, BERTH_OP_WHILE) && mlirOperationGetNumRegions(loop) == 2;
  if (!isFor && !isWhile)
    return false;
  ring->block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  ring->firstArgument = isFor;
  ring->firstInitial = isFor ? 3 : 0;
  ring->numCarried = isFor ? mlirOperationGetNumResults(loop)
                           : mlirOperationGetNumOperands(loop);
  ring->yield = lastOf(loop, isFor ? 0 : 1);
  if (isWhile)
    ring->condition = lastOf(loop, 0);
  return true;
}

/// The place at which scf.while carries a number that it has in either region,
/// or -1.
static intptr_t placeOf(const Ring *ring, MlirValue number) {
  if (!mlirValueIsABlockArgument(number))
    return -1;
  MlirBlock block = mlirBlockArgumentGetOwner(number);
  if (!mlirOperationEqual(mlirBlockGetParentOperation(block), ring->loop))
    return -1;
  intptr_t index = mlirBlockArgumentGetArgNumber(number);
  return mlirBlockEqual(block, ring->block)
             ? index
             : placeOf(ring,
                       mlirOperationGetOperand(ring->condition, index + 1));
}

/// True for (%number + 1) modulo the number of slots.
static bool isNext(const Ring *ring, MlirValue next, intptr_t place) {
  int64_t one, modulus;
  if (!mlirValueIsAOpResult(next))
    return false;
  MlirOperation remainder = mlirOpResultGetOwner(next);
  if (!berthOpIs(remainder, BERTH_OP_REMAINDER) ||
      !berthOpIsUnsigned(remainder) ||
      !berthValueIsConstant(mlirOperationGetOperand(remainder, 1), &modulus) ||
      modulus != ring->numSlots ||
      !mlirValueIsAOpResult(mlirOperationGetOperand(remainder, 0)))
    return false;
  MlirOperation sum =
      mlirOpResultGetOwner(mlirOperationGetOperand(remainder, 0));
  return berthOpIs(sum, BERTH_OP_SUM) &&
         placeOf(ring, mlirOperationGetOperand(sum, 0)) == place &&
         berthValueIsConstant(mlirOperationGetOperand(sum, 1), &one) &&
         one == 1;
}

/// True if turn t has the slot of number first + t, modulo their number.
static bool countsTurns(Ring *ring) {
  if (mlirOperationIsNull(ring->condition)) {
    BerthTurnLoop turns = berthTurnLoopOf(ring->loop);
    BerthTurnForm form = berthTurnFormOf(&turns, ring->number, NULL);
    bool isSlot = berthTurnFormIsSlot(&form, ring->numSlots, &ring->first);
    return isSlot && ring->first >= 0;
  }
  intptr_t place = placeOf(ring, ring->number);
  return place >= 0 &&
         berthValueIsConstant(mlirOperationGetOperand(ring->loop, place),
                              &ring->first) &&
         ring->first >= 0 && ring->first < ring->numSlots &&
         isNext(ring, mlirOperationGetOperand(ring->yield, place), place);
}

//===----------------------------------------------------------------------===//
// One turn
//===----------------------------------------------------------------------===//

static void hold(Ring *ring, MlirValue value, Held held) {
  ring->values = berthGrow(ring->values, ring->numValues, &ring->valueCapacity,
                           sizeof *ring->values);
  berthPointerMapSet(&ring->heldBy, value.ptr, ring->numValues);
  ring->values[ring->numValues++] = held;
}

static Held heldBy(const Ring *ring, MlirValue value) {
  value = bufferOf(value);
  size_t index = berthPointerMapFind(&ring->heldBy, value.ptr);
  return index == BERTH_NOT_FOUND ? (Held){kNoSlot, 0} : ring->values[index];
}

static bool isThere(const Ring *ring, Held held) {
  return ring->held[held.slot].since == held.since;
}

/// True for what tells or compares an address, and touches nothing.
static bool touchesNothing(MlirOperation op, MlirOperation root) {
  return berthOpIs(op, BERTH_OP_ADDRESS) &&
         berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), true, root);
}

static bool isLast(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// What an op does with a buffer that a value holds: only to touch it is fine.
static bool checkUse(Ring *ring, MlirOperation op, Held held) {
  if (touchesNothing(op, ring->root))
    return true;
  if (isLast(op) || berthOpMayReturnPointer(op))
    return wrong(ring, op,
                 "hands on a buffer of a turn in a way that cannot be "
                 "followed");
  return isThere(ring, held) ||
         wrong(ring, op,
               "uses what a turn has made when a later one has its "
               "bytes");
}

static MlirWalkResult stepOp(MlirOperation op, void *userData) {
  Ring *ring = userData;
  if (mlirOperationEqual(op, ring->choice)) {
    int slot = (int)((ring->first + ring->turn) % ring->numSlots);
    ring->held[slot].since = ring->turn;
    hold(ring, mlirOperationGetResult(op, 0), ring->held[slot]);
    return MlirWalkResultAdvance;
  }
  bool isOwnEnd = mlirOperationEqual(op, ring->yield) ||
                  mlirOperationEqual(op, ring->condition);
  bool isView = !mlirValueIsNull(berthViewGetSource(op));
  for (intptr_t i = 0; ring->isRight && !isOwnEnd && !isView &&
                       i < mlirOperationGetNumOperands(op);
       ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    Held held = heldBy(ring, operand);
    if (held.slot != kNoSlot)
      checkUse(ring, op, held);
    else if (slotOf(ring, bufferOf(operand)) != kNoSlot &&
             !berthOpIs(op, BERTH_OP_SELECT))
      wrong(ring, op,
            "uses a buffer that turns take, in the loop, and not as "
            "that of a turn");
  }
  return ring->isRight ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static void stepBlock(Ring *ring, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op) && ring->isRight;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, stepOp, ring, MlirWalkPreOrder);
}

//===----------------------------------------------------------------------===//
// Behind the loop
//===----------------------------------------------------------------------===//

/// What is behind the loop uses what a result holds there.
static bool checkUses(Ring *ring, MlirValue value, Held held) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       ring->isRight && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!mlirValueIsNull(berthViewGetSource(op)))
      checkUses(ring, mlirOperationGetResult(op, 0), held);
    else
      checkUse(ring, op, held);
  }
  return ring->isRight;
}

/// The loop ends here, and its results hold that.
static void checkExit(Ring *ring, const Held *results) {
  intptr_t count = mlirOperationGetNumResults(ring->loop);
  for (intptr_t i = 0; ring->isRight && i < count; ++i)
    if (results[i].slot != kNoSlot)
      checkUses(ring, mlirOperationGetResult(ring->loop, i), results[i]);
}

/// True if the op, or what it is in, stands in front of the loop.
static bool standsBefore(MlirOperation op, MlirOperation loop) {
  MlirOperation top = berthTopInBlock(op, mlirOperationGetBlock(loop));
  return !mlirOperationIsNull(top) && mlirOperationIsBeforeInBlock(top, loop);
}

/// Nobody may want a slot's content behind the loop, but by its results.
static bool checkSlotUses(Ring *ring, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       ring->isRight && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!mlirValueIsNull(berthViewGetSource(op)))
      checkSlotUses(ring, mlirOperationGetResult(op, 0));
    else if (!mlirOperationEqual(op, ring->loop) &&
             !berthOpIs(op, BERTH_OP_SELECT) && !standsBefore(op, ring->loop) &&
             !touchesNothing(op, ring->root))
      wrong(ring, op,
            "uses a buffer that turns take, behind the loop, which may hold "
            "what any turn has made");
  }
  return ring->isRight;
}

//===----------------------------------------------------------------------===//
// All turns
//===----------------------------------------------------------------------===//

/// What `count` operands of an op hold, from `first` on.
static void readHeld(const Ring *ring, MlirOperation op, intptr_t first,
                     intptr_t count, Held *result) {
  for (intptr_t i = 0; i < count; ++i)
    result[i] = heldBy(ring, mlirOperationGetOperand(op, first + i));
}

static void bind(Ring *ring, MlirBlock block, intptr_t first, intptr_t count,
                 const Held *held) {
  for (intptr_t i = 0; i < count; ++i)
    hold(ring, mlirBlockGetArgument(block, first + i), held[i]);
}

static void runTurn(Ring *ring) {
  ring->numValues = 0;
  bind(ring, ring->block, ring->firstArgument, ring->numCarried, ring->carried);
  if (mlirOperationIsNull(ring->condition)) {
    checkExit(ring, ring->carried);
    stepBlock(ring, ring->block);
  } else {
    intptr_t count = mlirOperationGetNumResults(ring->loop);
    Held *passed = berthAllocateOrDie((size_t)count + 1, sizeof *passed);
    MlirBlock second =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(ring->loop, 1));
    stepBlock(ring, ring->block);
    readHeld(ring, ring->condition, 1, count, passed);
    checkExit(ring, passed);
    bind(ring, second, 0, count, passed);
    free(passed);
    stepBlock(ring, second);
  }
  readHeld(ring, ring->yield, 0, ring->numCarried, ring->next);
  for (intptr_t i = 0; i < ring->numCarried; ++i)
    ring->carried[i] = ring->next[i];
}

/// What was handed on comes around after as many turns as there are places, and
/// the slots after as many as they are.
static void runTurns(Ring *ring) {
  int64_t numTurns = ring->numCarried + 2 * ring->numSlots + 1;
  for (int i = 0; i < ring->numSlots; ++i)
    ring->held[i] = (Held){i, -1};
  for (intptr_t i = 0; i < ring->numCarried; ++i) {
    MlirValue initial =
        bufferOf(mlirOperationGetOperand(ring->loop, ring->firstInitial + i));
    ring->carried[i] = (Held){slotOf(ring, initial), -1};
  }
  for (ring->turn = 0; ring->isRight && ring->turn < numTurns; ++ring->turn)
    runTurn(ring);
  for (int i = 0; ring->isRight && i < ring->numSlots; ++i)
    checkSlotUses(ring, ring->slots[i]);
}

static void checkRing(Ring *ring) {
  if (!readLoop(ring))
    return;
  if (!readSlots(ring) || !areDistinct(ring) || !countsTurns(ring)) {
    wrong(ring, ring->choice,
          "takes turns with buffers, but it is not seen that turn t has number "
          "t modulo so many");
    return;
  }
  size_t count = (size_t)ring->numCarried + 1;
  ring->carried = berthAllocateOrDie(count, sizeof *ring->carried);
  ring->next = berthAllocateOrDie(count, sizeof *ring->next);
  runTurns(ring);
  free(ring->carried);
  free(ring->next);
  free(ring->values);
  berthPointerMapFree(&ring->heldBy);
}

typedef struct All {
  MlirOperation root;
  BerthSlotReport report;
  void *userData;
} All;

static MlirWalkResult visit(MlirOperation op, void *userData) {
  const All *all = userData;
  Ring ring = {.root = all->root,
               .choice = op,
               .report = all->report,
               .userData = all->userData,
               .isRight = true};
  if (!mlirAttributeIsNull(berthAttributeOf(op, BERTH_TURNS)))
    checkRing(&ring);
  return MlirWalkResultAdvance;
}

void berthVerifyTurnRings(MlirOperation root, BerthSlotReport report,
                          void *userData) {
  All all = {root, report, userData};
  mlirOperationWalk(root, visit, &all, MlirWalkPreOrder);
}
