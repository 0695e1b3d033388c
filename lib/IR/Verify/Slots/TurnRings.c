//===- TurnRings.c - Buffers that turns of a loop make anew ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/TurnRings.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Slots/TurnWays.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// All rings of a program.
typedef struct Rings {
  MlirOperation root;
  BerthSlotReport report;
  void *userData;
  BerthTurnRing *items;
  size_t count, capacity;
} Rings;

//===----------------------------------------------------------------------===//
// The slots
//===----------------------------------------------------------------------===//

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
static bool readSlots(BerthTurnRing *ring, BerthRingChoice *choice) {
  MlirAttribute count = berthAttributeOf(choice->op, BERTH_TURNS);
  ring->numSlots =
      mlirAttributeIsAInteger(count) ? mlirIntegerAttrGetValueInt(count) : 0;
  if (ring->numSlots < 2 || ring->numSlots > BERTH_MOST_RING_SLOTS)
    return false;
  MlirOperation op = choice->op;
  for (int64_t i = 0; i + 1 < ring->numSlots; ++i) {
    MlirValue number;
    int64_t constant;
    if (!berthOpIs(op, BERTH_OP_SELECT) ||
        !readCondition(mlirOperationGetOperand(op, 0), &number, &constant) ||
        constant != i || (i && !mlirValueEqual(number, choice->number)))
      return false;
    choice->number = number;
    ring->slots[i] = berthRingBufferOf(mlirOperationGetOperand(op, 1));
    MlirValue rest = mlirOperationGetOperand(op, 2);
    ring->slots[i + 1] = berthRingBufferOf(rest);
    if (i + 2 < ring->numSlots) {
      if (!mlirValueIsAOpResult(rest))
        return false;
      op = mlirOpResultGetOwner(rest);
    }
  }
  return true;
}

static bool areDistinct(const BerthTurnRing *ring) {
  for (int i = 0; i < ring->numSlots; ++i)
    if (berthRingSlotOf(ring, ring->slots[i]) != i)
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

/// False where the choice stands in no such loop, by way of branches.
static bool readLoop(BerthTurnRing *ring, MlirOperation choice) {
  MlirOperation loop = mlirOperationGetParentOperation(choice);
  while (!mlirOperationIsNull(loop) && berthOpIsFork(loop))
    loop = mlirOperationGetParentOperation(loop);
  ring->loop = loop;
  if (mlirOperationIsNull(loop))
    return false;
  bool isFor = berthOpIs(loop, BERTH_OP_LOOP);
  bool isWhile =
      berthOpIs(loop, BERTH_OP_WHILE) && mlirOperationGetNumRegions(loop) == 2;
  if (!isFor && !isWhile)
    return false;
  intptr_t numOperands = mlirOperationGetNumOperands(loop);
  ring->block = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  ring->firstArgument = isFor;
  ring->numCarried = isFor ? mlirOperationGetNumResults(loop) : numOperands;
  ring->firstInitial = numOperands - ring->numCarried;
  ring->yield = lastOf(loop, isFor ? 0 : 1);
  if (isWhile)
    ring->condition = lastOf(loop, 0);
  return true;
}

/// The place at which the loop carries a number, or -1.
static intptr_t placeOf(const BerthTurnRing *ring, MlirValue number) {
  if (!mlirValueIsABlockArgument(number))
    return -1;
  MlirBlock block = mlirBlockArgumentGetOwner(number);
  if (!mlirOperationEqual(mlirBlockGetParentOperation(block), ring->loop))
    return -1;
  intptr_t index = mlirBlockArgumentGetArgNumber(number);
  return mlirBlockEqual(block, ring->block)
             ? index - ring->firstArgument
             : placeOf(ring,
                       mlirOperationGetOperand(ring->condition, index + 1));
}

/// True if turn t has the slot of number first + t, modulo their number, or
/// the loop carries the number: then running it shows what it is.
static bool readNumber(const BerthTurnRing *ring, BerthRingChoice *choice) {
  bool counts =
      mlirOperationIsNull(ring->condition) && !berthOpIsAffine(ring->loop);
  if (counts) {
    BerthTurnLoop turns = berthTurnLoopOf(ring->loop);
    BerthTurnForm form = berthTurnFormOf(&turns, choice->number, NULL);
    choice->followsTurn =
        berthTurnFormIsSlot(&form, ring->numSlots, &choice->first) &&
        choice->first >= 0;
  }
  if (!choice->followsTurn)
    choice->first = placeOf(ring, choice->number);
  return choice->first >= 0;
}

//===----------------------------------------------------------------------===//
// All rings
//===----------------------------------------------------------------------===//

static bool haveSameSlots(const BerthTurnRing *a, const BerthTurnRing *b) {
  bool areSame =
      mlirOperationEqual(a->loop, b->loop) && a->numSlots == b->numSlots;
  for (int i = 0; areSame && i < a->numSlots; ++i)
    areSame = mlirValueEqual(a->slots[i], b->slots[i]);
  return areSame;
}

static void addChoice(BerthTurnRing *ring, BerthRingChoice choice) {
  ring->choices = berthGrow(ring->choices, ring->numChoices,
                            &ring->choiceCapacity, sizeof *ring->choices);
  ring->choices[ring->numChoices++] = choice;
}

/// Branches of a turn may choose among the same slots.
static void addRing(Rings *rings, BerthTurnRing *ring, BerthRingChoice choice) {
  size_t k = 0;
  while (k < rings->count && !haveSameSlots(&rings->items[k], ring))
    ++k;
  if (k == rings->count) {
    rings->items = berthGrow(rings->items, rings->count, &rings->capacity,
                             sizeof *rings->items);
    rings->items[rings->count++] = *ring;
  }
  addChoice(&rings->items[k], choice);
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Rings *rings = userData;
  BerthRingChoice choice = {.op = op};
  BerthTurnRing ring = {.root = rings->root,
                        .report = rings->report,
                        .userData = rings->userData,
                        .isRight = true};
  if (mlirAttributeIsNull(berthAttributeOf(op, BERTH_TURNS)) ||
      !readLoop(&ring, op))
    return MlirWalkResultAdvance;
  if (readSlots(&ring, &choice) && areDistinct(&ring) &&
      readNumber(&ring, &choice)) {
    addRing(rings, &ring, choice);
    return MlirWalkResultAdvance;
  }
  addChoice(&ring, choice);
  berthRingIsWrong(
      &ring, op,
      "takes turns with buffers, but it is not seen that turn t has number "
      "t modulo so many");
  free(ring.choices);
  return MlirWalkResultAdvance;
}

void berthVerifyTurnRings(MlirOperation root, BerthSlotReport report,
                          void *userData) {
  Rings rings = {.root = root, .report = report, .userData = userData};
  mlirOperationWalk(root, visit, &rings, MlirWalkPreOrder);
  for (size_t i = 0; i < rings.count; ++i) {
    berthRunTurnWays(&rings.items[i]);
    free(rings.items[i].choices);
  }
  free(rings.items);
}
