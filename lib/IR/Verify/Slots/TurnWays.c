//===- TurnWays.c - Turns of a loop along all ways ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/TurnWays.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { kMostWays = 256, kMostStates = 4096, kNoNumber = -1 };

/// What a value holds: a slot, and whether nobody has made something else in it
/// since; or the number of a slot.
typedef struct Held {
  int slot;
  bool isFresh;
  int64_t number;
} Held;

static const Held nothing = {BERTH_NO_SLOT, false, kNoNumber};

typedef struct Entry {
  MlirValue value;
  Held held;
} Entry;

/// What the values hold on one way through a turn.
typedef struct Way {
  Entry *entries;
  size_t count, capacity;
} Way;

typedef struct Ways {
  Way *items;
  size_t count, capacity;
} Ways;

typedef struct Run {
  BerthTurnRing *ring;
  int64_t turn; ///< modulo the number of slots
  size_t width; ///< of a state: numCarried, and its turn as a number
  Held *states; ///< what turns begin with
  size_t numStates, stateCapacity;
} Run;

bool berthRingIsWrong(BerthTurnRing *ring, MlirOperation op, const char *why) {
  if (ring->isRight)
    ring->report(op, why, ring->choices[0].op,
                 "chooses among the buffers that turns take", ring->userData);
  ring->isRight = false;
  return false;
}

MlirValue berthRingBufferOf(MlirValue value) {
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

int berthRingSlotOf(const BerthTurnRing *ring, MlirValue buffer) {
  for (int i = 0; i < ring->numSlots; ++i)
    if (mlirValueEqual(ring->slots[i], buffer))
      return i;
  return BERTH_NO_SLOT;
}

//===----------------------------------------------------------------------===//
// What values hold
//===----------------------------------------------------------------------===//

static void hold(Way *way, MlirValue value, Held held) {
  if (held.slot == BERTH_NO_SLOT && held.number == kNoNumber)
    return;
  way->entries =
      berthGrow(way->entries, way->count, &way->capacity, sizeof *way->entries);
  way->entries[way->count++] = (Entry){value, held};
}

static Held find(const Way *way, MlirValue value) {
  for (size_t i = way->count; i-- > 0;)
    if (mlirValueEqual(way->entries[i].value, value))
      return way->entries[i].held;
  return nothing;
}

/// The number that a value has on this way: a constant, one that is carried, or
/// their sum modulo something.
static int64_t numberOf(const Way *way, MlirValue value, int depth) {
  enum { kMostDepth = 4, kMost = INT16_MAX };
  int64_t number = find(way, value).number;
  if (number != kNoNumber || depth > kMostDepth)
    return number;
  if (berthValueIsConstant(value, &number))
    return number >= 0 && number <= kMost ? number : kNoNumber;
  if (!mlirValueIsAOpResult(value))
    return kNoNumber;
  MlirOperation op = mlirOpResultGetOwner(value);
  bool isSum = berthOpIs(op, BERTH_OP_SUM);
  bool isRest = berthOpIs(op, BERTH_OP_REMAINDER) && berthOpIsUnsigned(op);
  if ((!isSum && !isRest) || mlirOperationGetNumOperands(op) != 2)
    return kNoNumber;
  int64_t a = numberOf(way, mlirOperationGetOperand(op, 0), depth + 1);
  int64_t b = numberOf(way, mlirOperationGetOperand(op, 1), depth + 1);
  if (a == kNoNumber || b == kNoNumber || (isRest && b == 0))
    return kNoNumber;
  return isSum ? a + b : a % b;
}

static Held heldBy(const Way *way, MlirValue value) {
  Held held = find(way, berthRingBufferOf(value));
  if (held.slot == BERTH_NO_SLOT)
    held.number = numberOf(way, value, 0);
  return held;
}

static void makeSlot(Way *way, int slot) {
  for (size_t i = 0; i < way->count; ++i)
    if (way->entries[i].held.slot == slot)
      way->entries[i].held.isFresh = false;
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

static void addWay(Ways *ways, const Way *from) {
  Way copy = {0};
  for (size_t i = 0; i < from->count; ++i)
    hold(&copy, from->entries[i].value, from->entries[i].held);
  ways->items =
      berthGrow(ways->items, ways->count, &ways->capacity, sizeof *ways->items);
  ways->items[ways->count++] = copy;
}

static bool areHeldEqual(Held a, Held b) {
  return a.slot == b.slot && a.isFresh == b.isFresh && a.number == b.number;
}

static bool areEqual(const Way *a, const Way *b) {
  bool areSame = a->count == b->count;
  for (size_t i = 0; areSame && i < a->count; ++i)
    areSame = mlirValueEqual(a->entries[i].value, b->entries[i].value) &&
              areHeldEqual(a->entries[i].held, b->entries[i].held);
  return areSame;
}

static void addNewWay(Ways *ways, const Way *from) {
  for (size_t i = 0; i < ways->count; ++i)
    if (areEqual(&ways->items[i], from))
      return;
  addWay(ways, from);
}

static void freeWays(Ways *ways) {
  for (size_t i = 0; i < ways->count; ++i)
    free(ways->items[i].entries);
  free(ways->items);
  *ways = (Ways){0};
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// True for what tells or compares an address, and touches nothing.
static bool touchesNothing(MlirOperation op, MlirOperation root) {
  return berthOpIs(op, BERTH_OP_ADDRESS) &&
         berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), true, root);
}

static bool isLast(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// What an op does with a buffer that a value holds: only to touch it is fine.
static bool checkUse(BerthTurnRing *ring, MlirOperation op, Held held) {
  if (touchesNothing(op, ring->root))
    return true;
  if (isLast(op) || berthOpMayReturnPointer(op))
    return berthRingIsWrong(ring, op,
                            "hands on a buffer of a turn in a way that cannot "
                            "be followed");
  return held.isFresh ||
         berthRingIsWrong(ring, op,
                          "uses what a turn has made when a later one has its "
                          "bytes");
}

static const BerthRingChoice *choiceOf(const BerthTurnRing *ring,
                                       MlirOperation op) {
  for (size_t i = 0; i < ring->numChoices; ++i)
    if (mlirOperationEqual(ring->choices[i].op, op))
      return &ring->choices[i];
  return NULL;
}

/// True for an op of a chain that ends in a choice.
static bool isOfChoice(const BerthTurnRing *ring, MlirOperation op) {
  for (size_t i = 0; i < ring->numChoices; ++i) {
    MlirOperation select = ring->choices[i].op;
    for (int64_t k = 0; k + 1 < ring->numSlots; ++k) {
      if (mlirOperationEqual(select, op))
        return true;
      MlirValue rest = mlirOperationGetOperand(select, 2);
      if (k + 2 < ring->numSlots)
        select = mlirOpResultGetOwner(rest);
    }
  }
  return false;
}

static void choose(Run *run, const BerthRingChoice *choice, Way *way) {
  BerthTurnRing *ring = run->ring;
  int64_t number = choice->followsTurn
                       ? (choice->first + run->turn) % ring->numSlots
                       : numberOf(way, choice->number, 0);
  if (number < 0 || number >= ring->numSlots) {
    berthRingIsWrong(ring, choice->op,
                     "takes turns with buffers, but it is not seen which turn "
                     "takes which");
    return;
  }
  makeSlot(way, (int)number);
  hold(way, mlirOperationGetResult(choice->op, 0),
       (Held){(int)number, true, kNoNumber});
}

/// Numbers are no buffers, nor views of any.
static bool isNumber(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type) ||
         mlirTypeIsAFloat(type);
}

typedef struct Touch {
  Run *run;
  const Way *way;
} Touch;

/// An op, or one in its regions, in whatever order they run.
static MlirWalkResult touch(MlirOperation op, void *userData) {
  const Touch *at = userData;
  BerthTurnRing *ring = at->run->ring;
  if (choiceOf(ring, op))
    berthRingIsWrong(ring, op,
                     "takes turns with buffers, but it is not seen how often "
                     "a turn does");
  bool isView = !mlirValueIsNull(berthViewGetSource(op));
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; ring->isRight && !isView && i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (isNumber(operand))
      continue;
    MlirValue buffer = berthRingBufferOf(operand);
    Held held = find(at->way, buffer);
    if (held.slot != BERTH_NO_SLOT)
      checkUse(ring, op, held);
    else if (berthRingSlotOf(ring, buffer) != BERTH_NO_SLOT)
      berthRingIsWrong(ring, op,
                       "uses a buffer that turns take, in the loop, and not "
                       "as that of a turn");
  }
  return ring->isRight ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static void runBlock(Run *run, MlirBlock block, Ways *ways);

typedef struct Binding {
  int from, to;
  const Way *source;
  Way *target;
  bool isThere;
} Binding;

/// What is handed on along one edge.
static void bindEdge(const BerthRegionEdge *edge, void *userData) {
  Binding *binding = userData;
  if (edge->from != binding->from || edge->to != binding->to)
    return;
  binding->isThere = true;
  for (intptr_t i = 0; i < edge->numValues; ++i)
    hold(binding->target, edge->received[i],
         heldBy(binding->source, edge->forwarded[i]));
}

/// Leaves `target` as the way is behind the edge. False: there is no such edge.
static bool follow(MlirOperation op, int from, int to, const Way *source,
                   Way *target) {
  Binding binding = {from, to, source, target, false};
  berthOpGetRegionEdges(op, bindEdge, &binding);
  return binding.isThere;
}

/// What the values that were there before hold at the end of a region, and what
/// its op returns.
static void leaveRegion(Run *run, MlirOperation op, int region,
                        size_t numBefore, const Way *end, Ways *result) {
  Way behind = {0};
  for (size_t i = 0; i < numBefore; ++i)
    hold(&behind, end->entries[i].value, end->entries[i].held);
  if (follow(op, region, BERTH_PARENT, end, &behind))
    addNewWay(result, &behind);
  else
    berthRingIsWrong(run->ring, op,
                     "is on the way of buffers that turns take, and where it "
                     "leads is not known");
  free(behind.entries);
}

/// True if the condition may be so on the way, on which it is so from here on.
static bool assume(Way *way, MlirValue condition, bool isTrue) {
  int64_t known = find(way, condition).number;
  if (known == kNoNumber)
    hold(way, condition, (Held){BERTH_NO_SLOT, false, isTrue});
  return known == kNoNumber || known == isTrue;
}

static void runRegion(Run *run, MlirOperation op, int region, const Way *way,
                      Ways *result) {
  Ways inner = {0};
  addWay(&inner, way);
  bool hasCondition = berthOpIs(op, BERTH_OP_IF) && !berthOpIsAffine(op);
  if (hasCondition &&
      !assume(&inner.items[0], mlirOperationGetOperand(op, 0), region == 0)) {
    freeWays(&inner);
    return;
  }
  if (follow(op, BERTH_PARENT, region, way, &inner.items[0])) {
    runBlock(run, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region)),
             &inner);
    for (size_t i = 0; run->ring->isRight && i < inner.count; ++i)
      leaveRegion(run, op, region, way->count, &inner.items[i], result);
  }
  freeWays(&inner);
}

static void runFork(Run *run, MlirOperation op, Ways *ways) {
  Ways result = {0};
  for (size_t i = 0; run->ring->isRight && i < ways->count; ++i) {
    Ways around = {0};
    addWay(&around, &ways->items[i]);
    if (follow(op, BERTH_PARENT, BERTH_PARENT, &ways->items[i],
               &around.items[0]))
      addNewWay(&result, &around.items[0]);
    freeWays(&around);
    intptr_t numRegions = mlirOperationGetNumRegions(op);
    for (intptr_t k = 0; run->ring->isRight && k < numRegions; ++k)
      runRegion(run, op, (int)k, &ways->items[i], &result);
  }
  if (result.count > kMostWays)
    berthRingIsWrong(run->ring, op,
                     "is on one of too many ways of buffers that turns take");
  freeWays(ways);
  *ways = result;
}

/// A select that is no choice of slots: one of two, of which nobody knows
/// which.
static void runSelect(MlirOperation op, Ways *ways) {
  Ways result = {0};
  MlirValue value = mlirOperationGetResult(op, 0);
  for (size_t i = 0; i < ways->count; ++i)
    for (intptr_t operand = 1; operand <= 2; ++operand) {
      Ways one = {0};
      addWay(&one, &ways->items[i]);
      hold(&one.items[0], value,
           heldBy(&ways->items[i], mlirOperationGetOperand(op, operand)));
      if (assume(&one.items[0], mlirOperationGetOperand(op, 0), operand == 1))
        addNewWay(&result, &one.items[0]);
      freeWays(&one);
    }
  freeWays(ways);
  *ways = result;
}

/// True if a way holds a slot in what the select chooses from.
static bool isOnWay(MlirOperation op, const Ways *ways) {
  for (size_t i = 0; i < ways->count; ++i)
    for (intptr_t operand = 1; operand <= 2; ++operand) {
      Held held = heldBy(&ways->items[i], mlirOperationGetOperand(op, operand));
      if (held.slot != BERTH_NO_SLOT || held.number != kNoNumber)
        return true;
    }
  return false;
}

static void runOp(Run *run, MlirOperation op, Ways *ways) {
  BerthTurnRing *ring = run->ring;
  const BerthRingChoice *choice = choiceOf(ring, op);
  if (choice) {
    for (size_t i = 0; ring->isRight && i < ways->count; ++i)
      choose(run, choice, &ways->items[i]);
  } else if (isOfChoice(ring, op)) {
    return;
  } else if (berthOpIs(op, BERTH_OP_SELECT) && isOnWay(op, ways)) {
    runSelect(op, ways);
  } else if (berthOpIsFork(op)) {
    runFork(run, op, ways);
  } else {
    for (size_t i = 0; ring->isRight && i < ways->count; ++i) {
      Touch at = {run, &ways->items[i]};
      if (mlirOperationGetNumRegions(op))
        mlirOperationWalk(op, touch, &at, MlirWalkPreOrder);
      else
        touch(op, &at);
    }
  }
}

/// All but the op that ends the block.
static void runBlock(Run *run, MlirBlock block, Ways *ways) {
  MlirOperation op = mlirBlockIsNull(block) ? (MlirOperation){NULL}
                                            : mlirBlockGetFirstOperation(block);
  for (; run->ring->isRight && !mlirOperationIsNull(op) && !isLast(op);
       op = mlirOperationGetNextInBlock(op))
    runOp(run, op, ways);
}

//===----------------------------------------------------------------------===//
// Behind the loop
//===----------------------------------------------------------------------===//

/// What is behind the loop uses what a result holds there.
static bool checkUses(BerthTurnRing *ring, MlirValue value, Held held) {
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

/// True if the op, or what it is in, stands in front of the loop.
static bool standsBefore(MlirOperation op, MlirOperation loop) {
  MlirOperation top = berthTopInBlock(op, mlirOperationGetBlock(loop));
  return !mlirOperationIsNull(top) && mlirOperationIsBeforeInBlock(top, loop);
}

/// Nobody may want a slot's content behind the loop, but by its results.
static bool checkSlotUses(BerthTurnRing *ring, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       ring->isRight && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!mlirValueIsNull(berthViewGetSource(op)))
      checkSlotUses(ring, mlirOperationGetResult(op, 0));
    else if (!mlirOperationEqual(op, ring->loop) && !isOfChoice(ring, op) &&
             !standsBefore(op, ring->loop) && !touchesNothing(op, ring->root))
      berthRingIsWrong(
          ring, op,
          "uses a buffer that turns take, behind the loop, which may hold "
          "what any turn has made");
  }
  return ring->isRight;
}

//===----------------------------------------------------------------------===//
// All turns
//===----------------------------------------------------------------------===//

/// Numbers that are carried count only where they choose a slot: others need
/// not come round.
static bool isCarriedNumber(const BerthTurnRing *ring, intptr_t index) {
  for (size_t i = 0; i < ring->numChoices; ++i)
    if (!ring->choices[i].followsTurn && ring->choices[i].first == index)
      return true;
  return false;
}

static void addState(Run *run, const Held *state) {
  for (size_t i = 0; i < run->numStates; ++i) {
    bool isSame = true;
    for (size_t k = 0; isSame && k < run->width; ++k)
      isSame = areHeldEqual(run->states[i * run->width + k], state[k]);
    if (isSame)
      return;
  }
  if (run->numStates == kMostStates) {
    berthRingIsWrong(run->ring, run->ring->choices[0].op,
                     "is on one of too many ways of buffers that turns take");
    return;
  }
  size_t bytes = run->width * sizeof *state;
  run->states =
      berthGrow(run->states, run->numStates, &run->stateCapacity, bytes);
  memcpy(run->states + run->numStates++ * run->width, state, bytes);
}

static bool countsTurns(const BerthTurnRing *ring) {
  bool counts = false;
  for (size_t i = 0; i < ring->numChoices; ++i)
    counts |= ring->choices[i].followsTurn;
  return counts;
}

/// What is handed on at the end of a turn.
static void addNextState(Run *run, const Way *way) {
  BerthTurnRing *ring = run->ring;
  size_t count = (size_t)ring->numCarried;
  Held *next = berthAllocateOrDie(run->width, sizeof *next);
  for (size_t i = 0; i < count; ++i) {
    next[i] = heldBy(way, mlirOperationGetOperand(ring->yield, (intptr_t)i));
    if (!isCarriedNumber(ring, (intptr_t)i))
      next[i].number = kNoNumber;
    else if (next[i].number < 0 || next[i].number >= ring->numSlots)
      berthRingIsWrong(ring, ring->choices[0].op,
                       "takes turns with buffers, but it is not seen which "
                       "turn takes which");
  }
  next[count] = nothing;
  if (countsTurns(ring))
    next[count].number = (run->turn + 1) % ring->numSlots;
  if (ring->isRight)
    addState(run, next);
  free(next);
}

/// The loop ends here, and its results hold that.
static void checkExit(Run *run, const Way *way, MlirOperation handsOn,
                      intptr_t first) {
  BerthTurnRing *ring = run->ring;
  intptr_t count = mlirOperationGetNumResults(ring->loop);
  for (intptr_t i = 0; ring->isRight && i < count; ++i) {
    MlirValue value =
        mlirOperationIsNull(handsOn)
            ? mlirBlockGetArgument(ring->block, ring->firstArgument + i)
            : mlirOperationGetOperand(handsOn, first + i);
    Held held = heldBy(way, value);
    if (held.slot != BERTH_NO_SLOT)
      checkUses(ring, mlirOperationGetResult(ring->loop, i), held);
  }
}

/// The second region of scf.while has what the condition hands on.
static void bindSecond(const BerthTurnRing *ring, MlirBlock second, Way *way) {
  size_t numOwn = way->count;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(second); ++i) {
    Way before = {way->entries, numOwn, 0};
    Held held =
        heldBy(&before, mlirOperationGetOperand(ring->condition, i + 1));
    hold(way, mlirBlockGetArgument(second, i), held);
  }
}

static void runTurn(Run *run, size_t state) {
  BerthTurnRing *ring = run->ring;
  Way start = {0};
  const Held *carried = run->states + state * run->width;
  run->turn = carried[ring->numCarried].number;
  for (intptr_t i = 0; i < ring->numCarried; ++i)
    hold(&start, mlirBlockGetArgument(ring->block, ring->firstArgument + i),
         carried[i]);
  Ways ways = {0};
  addWay(&ways, &start);
  free(start.entries);
  const MlirOperation none = {NULL};
  if (mlirOperationIsNull(ring->condition)) {
    checkExit(run, &ways.items[0], none, 0);
    runBlock(run, ring->block, &ways);
  } else {
    MlirBlock second =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(ring->loop, 1));
    runBlock(run, ring->block, &ways);
    for (size_t i = 0; ring->isRight && i < ways.count; ++i) {
      checkExit(run, &ways.items[i], ring->condition, 1);
      bindSecond(ring, second, &ways.items[i]);
    }
    if (ring->isRight)
      runBlock(run, second, &ways);
  }
  for (size_t i = 0; ring->isRight && i < ways.count; ++i)
    addNextState(run, &ways.items[i]);
  freeWays(&ways);
}

static void addFirstState(Run *run) {
  BerthTurnRing *ring = run->ring;
  size_t count = (size_t)ring->numCarried;
  Held *first = berthAllocateOrDie(run->width, sizeof *first);
  for (size_t i = 0; i < count; ++i) {
    MlirValue initial =
        mlirOperationGetOperand(ring->loop, ring->firstInitial + (intptr_t)i);
    int slot = berthRingSlotOf(ring, berthRingBufferOf(initial));
    int64_t number = kNoNumber;
    if (isCarriedNumber(ring, (intptr_t)i) &&
        (!berthValueIsConstant(initial, &number) || number < 0 ||
         number >= ring->numSlots))
      number = kNoNumber;
    first[i] = (Held){slot, slot != BERTH_NO_SLOT, number};
  }
  first[count] =
      (Held){BERTH_NO_SLOT, false, countsTurns(ring) ? 0 : kNoNumber};
  addState(run, first);
  free(first);
}

void berthRunTurnWays(BerthTurnRing *ring) {
  Run run = {.ring = ring, .width = (size_t)ring->numCarried + 1};
  addFirstState(&run);
  for (size_t i = 0; ring->isRight && i < run.numStates; ++i)
    runTurn(&run, i);
  for (int i = 0; ring->isRight && i < ring->numSlots; ++i)
    checkSlotUses(ring, ring->slots[i]);
  free(run.states);
}
