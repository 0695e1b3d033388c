//===- SlotLoads.c - Slots that TMA fills ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/SlotLoads.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Slots/SlotBarriers.h"
#include "IR/Verify/Slots/SlotCopies.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// The mbarriers that one of the loads tells its end to.
typedef struct Group {
  const BerthSlotCheck *check;
  MlirValue value;
  MlirOperation wait;
  MlirOperation init; ///< one of them
  int64_t numInits;
} Group;

static bool isWrong(const Group *group, MlirOperation op, const char *why) {
  return berthSlotIsWrong(group->check, op, why);
}

static bool getMaker(MlirValue value, BerthOpKind kind, MlirOperation *op) {
  if (!mlirValueIsAOpResult(value))
    return false;
  *op = mlirOpResultGetOwner(value);
  return berthOpIs(*op, kind);
}

static bool isNumber(MlirValue value, int64_t wanted) {
  int64_t number;
  return berthValueIsConstant(value, &number) && number == wanted;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// The number of the turn through that of the slots, modulo 2.
static bool isPhase(const BerthSlotCheck *check, MlirValue value) {
  MlirOperation rest, quotient;
  int64_t ahead = 0;
  bool isRest =
      (getMaker(value, BERTH_OP_REMAINDER, &rest) && berthOpIsUnsigned(rest) &&
       isNumber(mlirOperationGetOperand(rest, 1), 2)) ||
      (getMaker(value, BERTH_OP_AND, &rest) &&
       isNumber(mlirOperationGetOperand(rest, 1), 1));
  if (!isRest ||
      !getMaker(mlirOperationGetOperand(rest, 0), BERTH_OP_QUOTIENT,
                &quotient) ||
      !berthOpIsUnsigned(quotient) ||
      !isNumber(mlirOperationGetOperand(quotient, 1), check->uses.numSlots))
    return false;
  BerthTurnForm turn = berthTurnFormOf(
      &check->uses.loop, mlirOperationGetOperand(quotient, 0), NULL);
  return berthTurnFormIsSlot(&turn, 0, &ahead) && ahead == 0;
}

/// The same as a bit.
static bool isParity(const BerthSlotCheck *check, MlirValue value) {
  enum { kEqual, kNotEqual };
  MlirOperation op;
  if (getMaker(value, BERTH_OP_TRUNCATION, &op) ||
      getMaker(value, BERTH_OP_SAME_NUMBER, &op))
    return isPhase(check, mlirOperationGetOperand(op, 0));
  if (!getMaker(value, BERTH_OP_COMPARISON, &op))
    return false;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  return (predicate == kEqual || predicate == kNotEqual) &&
         isPhase(check, mlirOperationGetOperand(op, 0)) &&
         isNumber(mlirOperationGetOperand(op, 1), predicate == kEqual);
}

//===----------------------------------------------------------------------===//
// What is done at the mbarriers
//===----------------------------------------------------------------------===//

static bool isInLoop(const BerthSlotCheck *check, MlirOperation op) {
  return berthOpIsWithin(op, check->uses.loop.op);
}

/// It may be another one in each turn.
static bool mayTurn(const BerthSlotCheck *check, MlirOperation op,
                    intptr_t operand) {
  int64_t number;
  if (operand < 0)
    return false;
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (berthValueIsConstant(value, &number))
    return false;
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return isInLoop(check, mlirBlockGetParentOperation(block));
}

/// The number in the group, as the slots' are told: in a turn how many turns
/// ahead of it, else itself.
static bool findNumber(const BerthSlotCheck *check, MlirOperation op,
                       intptr_t operand, int64_t *number) {
  BerthTurnForm form = berthTurnFormOf(
      &check->uses.loop, mlirOperationGetOperand(op, operand), NULL);
  return isInLoop(check, op)
             ? berthTurnFormIsSlot(&form, check->uses.numSlots, number)
             : berthTurnFormIsNumber(&form, number);
}

static bool takeWait(Group *group, MlirOperation op,
                     const BerthMBarrierUse *use) {
  const BerthSlotCheck *check = group->check;
  int64_t number;
  if (!mlirOperationIsNull(group->wait) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), check->uses.loop.body) ||
      !findNumber(check, op, use->number, &number) || number != 0)
    return isWrong(group, op,
                   "waits for an mbarrier, but not once in each turn for that "
                   "of its slot");
  group->wait = op;
  return isParity(check, mlirOperationGetOperand(op, use->count)) ||
         isWrong(group, op,
                 "waits for another phase of its slot's mbarrier than the "
                 "turn's");
}

/// All mbarriers begin alike, in one place in front of the loop.
static bool takeInit(Group *group, MlirOperation op,
                     const BerthMBarrierUse *use) {
  const BerthSlotCheck *check = group->check;
  MlirBlock block = mlirOperationGetBlock(check->uses.loop.op);
  int64_t number = -1;
  bool isRight =
      !isInLoop(check, op) && findNumber(check, op, use->number, &number);
  if (mlirOperationIsNull(group->init))
    group->init = op;
  BerthMBarrierUse first;
  berthOpGetMBarrierUse(group->init, &first);
  isRight = isRight &&
            mlirBlockEqual(mlirOperationGetBlock(op),
                           mlirOperationGetBlock(group->init)) &&
            first.predicate == use->predicate &&
            berthIsSameValue(mlirOperationGetOperand(op, use->count),
                             mlirOperationGetOperand(group->init, first.count));
  if (isRight && use->predicate >= 0)
    isRight =
        berthIsSameValue(mlirOperationGetOperand(op, use->predicate),
                         mlirOperationGetOperand(group->init, first.predicate));
  for (MlirOperation at = op;
       isRight && !mlirBlockEqual(mlirOperationGetBlock(at), block);
       isRight = !mlirOperationIsNull(at) && berthOpIs(at, BERTH_OP_IF))
    at = mlirOperationGetParentOperation(at);
  ++group->numInits;
  return isRight || isWrong(group, op,
                            "begins an mbarrier otherwise than those of other "
                            "slots, or not in front of the loop");
}

/// Each number is begun once.
static bool checkInits(const Group *group) {
  const BerthSlotCheck *check = group->check;
  int64_t numSlots = check->uses.numSlots, number;
  uint64_t seen = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(group->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthMBarrierUse as;
    if (berthOpGetMBarrierUse(op, &as) && as.role == BERTH_MBARRIER_INIT &&
        findNumber(check, op, as.number, &number) && number >= 0 &&
        number < numSlots)
      seen |= UINT64_C(1) << number;
  }
  uint64_t all = UINT64_MAX >> (64 - numSlots);
  if (seen != all || group->numInits != numSlots)
    return isWrong(group, check->uses.alloc,
                   "has slots whose mbarriers do not begin once each");
  MlirOperation init =
      berthTopInBlock(group->init, mlirOperationGetBlock(check->uses.loop.op));
  MlirOperation first = berthFirstSlotCopy(check);
  return (berthStandsBefore(init, first) &&
          berthThreadsMeetBetween(check, init, first)) ||
         isWrong(group, group->init,
                 "begins an mbarrier with no barrier of all threads in front "
                 "of the first loads");
}

/// What is loaded or expected stands where the copies of its turn do, which
/// have been checked to be made for turns that come.
static bool standsWithCopy(const BerthSlotCheck *check, MlirOperation op,
                           int64_t number) {
  const BerthSlotUses *uses = &check->uses;
  BerthSlotPlace place =
      isInLoop(check, op) ? BERTH_SLOT_IN : BERTH_SLOT_BEFORE;
  for (size_t i = 0; i < uses->numAccesses; ++i) {
    const BerthSlotAccess *access = &uses->accesses[i];
    if (access->isCopy && access->place == place && access->slot == number &&
        mlirBlockEqual(mlirOperationGetBlock(access->op),
                       mlirOperationGetBlock(op)))
      return true;
  }
  return false;
}

static bool takeLoad(Group *group, MlirOperation op,
                     const BerthMBarrierUse *use) {
  const BerthSlotCheck *check = group->check;
  int64_t number;
  if (mayTurn(check, op, use->predicate) || mayTurn(check, op, use->count))
    return isWrong(group, op, "loads or expects something else in each turn");
  return (findNumber(check, op, use->number, &number) &&
          standsWithCopy(check, op, number)) ||
         isWrong(group, op,
                 "uses an mbarrier where no copy for its slot's turn stands");
}

static bool takeUse(Group *group, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  BerthMBarrierUse as;
  if (!berthOpGetMBarrierUse(op, &as) ||
      mlirOpOperandGetOperandNumber(use) != as.group)
    return isWrong(group, op,
                   "may use an mbarrier of slots for something else");
  if (as.role == BERTH_MBARRIER_WAIT)
    return takeWait(group, op, &as);
  return as.role == BERTH_MBARRIER_INIT ? takeInit(group, op, &as)
                                        : takeLoad(group, op, &as);
}

//===----------------------------------------------------------------------===//
// Arrivals, bytes, loads: the same in each phase
//===----------------------------------------------------------------------===//

/// The next op in the block, from that on, that loads or expects at the group.
static MlirOperation nextIn(const Group *group, MlirOperation op) {
  BerthMBarrierUse use;
  while (
      !mlirOperationIsNull(op) &&
      !(berthOpGetMBarrierUse(op, &use) &&
        (use.role == BERTH_MBARRIER_LOAD ||
         use.role == BERTH_MBARRIER_EXPECT) &&
        mlirValueEqual(mlirOperationGetOperand(op, use.group), group->value)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

static bool isOfTurn(const Group *group, MlirOperation op, int64_t turn) {
  BerthMBarrierUse use;
  int64_t number;
  berthOpGetMBarrierUse(op, &use);
  return findNumber(group->check, op, use.number, &number) && number == turn;
}

/// The op that stands first among those with a copy for the turn.
static MlirOperation firstOfTurn(const Group *group, int64_t turn) {
  const BerthSlotUses *uses = &group->check->uses;
  for (size_t i = 0; i < uses->numAccesses; ++i) {
    const BerthSlotAccess *access = &uses->accesses[i];
    if (!access->isCopy || access->place != BERTH_SLOT_BEFORE ||
        access->slot != turn)
      continue;
    MlirOperation op = nextIn(
        group, mlirBlockGetFirstOperation(mlirOperationGetBlock(access->op)));
    while (!mlirOperationIsNull(op) && !isOfTurn(group, op, turn))
      op = nextIn(group, mlirOperationGetNextInBlock(op));
    return op;
  }
  return (MlirOperation){NULL};
}

/// In front of the loop, for turn `turn`: what the loop does, in its order.
static bool checkFirstPhase(const Group *group, int64_t turn) {
  const BerthSlotCheck *check = group->check;
  enum { kTargetOfLoad = 0 };
  bool expects = false;
  MlirOperation before = firstOfTurn(group, turn);
  MlirOperation in =
      nextIn(group, mlirBlockGetFirstOperation(
                        mlirOperationGetBlock(berthSlotCopy(check, 0)->op)));
  for (; !mlirOperationIsNull(in);
       in = nextIn(group, mlirOperationGetNextInBlock(in))) {
    bool isLoad = berthOpStartsAsync(in, BERTH_ASYNC_LOAD);
    expects |= !isLoad;
    bool isRight = !mlirOperationIsNull(before) &&
                   isOfTurn(group, before, turn) &&
                   berthSlotOpsAreLike(check, in, isLoad ? kTargetOfLoad : -1,
                                       before, turn - check->ahead);
    if (!isRight)
      return isWrong(group, in,
                     "is not done so at the mbarrier of one of the first "
                     "turns");
    before = nextIn(group, mlirOperationGetNextInBlock(before));
  }
  if (!mlirOperationIsNull(before) && isOfTurn(group, before, turn))
    return isWrong(group, before,
                   "is done at the mbarrier of one of the first turns, but not "
                   "in the loop");
  return expects || isWrong(group, check->uses.loop.op,
                            "loads what its mbarrier is not told to expect");
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

/// The wait stands behind all that it is for, and in front of all uses.
static bool checkWait(const Group *group) {
  const BerthSlotCheck *check = group->check;
  if (mlirOperationIsNull(group->wait))
    return isWrong(group, check->uses.loop.op,
                   "waits in no turn for what it loads");
  if (!berthStandsBefore(berthSlotCopy(check, 0)->top, group->wait))
    return isWrong(group, group->wait,
                   "waits in front of what later turns load");
  for (size_t a = 0; a < check->uses.numAccesses; ++a)
    if (berthSlotIsUse(check, a) &&
        !berthStandsBefore(group->wait, check->uses.accesses[a].top))
      return isWrong(group, check->uses.accesses[a].op,
                     "uses a slot before the turn has waited for what is "
                     "copied there");
  return true;
}

static bool checkGroup(const BerthSlotCheck *check, MlirValue value) {
  Group group = {.check = check, .value = value};
  bool isOwn =
      mlirValueIsAOpResult(value) &&
      berthOpMakesMBarriers(mlirOpResultGetOwner(value)) &&
      berthCountMBarriers(mlirValueGetType(value)) == check->uses.numSlots;
  if (!isOwn)
    return isWrong(&group, check->uses.alloc,
                   "has not as many mbarriers as slots");
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!takeUse(&group, use))
      return false;
  if (mlirOperationIsNull(group.init) || !checkInits(&group) ||
      !checkWait(&group))
    return false;
  for (int64_t turn = 0; turn < check->ahead; ++turn)
    if (!checkFirstPhase(&group, turn))
      return false;
  return true;
}

/// What a load's target begins at a multiple of.
static bool checkAlignment(const BerthSlotCheck *check) {
  enum { kTensorBytes = 128, kBitsOfByte = 8 };
  MlirOperation alloc = check->uses.alloc;
  MlirAttribute told = berthAttributeOf(alloc, "alignment");
  int64_t alignment =
      mlirAttributeIsNull(told) ? 1 : mlirIntegerAttrGetValueInt(told);
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t bytes = mlirTypeIsAInteger(element)
                      ? mlirIntegerTypeGetWidth(element) / kBitsOfByte
                  : mlirTypeIsAFloat(element)
                      ? mlirFloatTypeGetWidth(element) / kBitsOfByte
                      : 0;
  for (intptr_t d = 1; d < mlirShapedTypeGetRank(type); ++d)
    bytes *= mlirShapedTypeGetDimSize(type, d);
  return (bytes && bytes % kTensorBytes == 0 && bytes % alignment == 0) ||
         berthSlotIsWrong(check, alloc,
                          "has slots that begin at no multiple of what TMA or "
                          "its alignment wants");
}

/// One that is not for shared memory alone.
static MlirWalkResult findFence(MlirOperation op, void *userData) {
  MlirOperation *found = userData;
  if (berthOpIsProxyFence(op) && !berthOpIsSharedProxyFence(op))
    *found = op;
  return MlirWalkResultAdvance;
}

/// A load tells its end to the mbarrier of the slot that it goes into.
static bool checkNumbers(const BerthSlotCheck *check) {
  for (size_t i = 0; i < check->uses.numAccesses; ++i) {
    const BerthSlotAccess *access = &check->uses.accesses[i];
    BerthMBarrierUse use;
    int64_t number;
    if (access->isCopy &&
        (!berthOpGetMBarrierUse(access->op, &use) ||
         !findNumber(check, access->op, use.number, &number) ||
         number != access->slot))
      return berthSlotIsWrong(check, access->op,
                              "tells its end to the mbarrier of another slot");
  }
  return true;
}

typedef struct SourceSearch {
  MlirValue source;
  bool isTouched;
} SourceSearch;

static void noteTouch(BerthEffect effect, void *userData) {
  SourceSearch *search = userData;
  search->isTouched |= (effect.kind & BERTH_EFFECT_WRITE) &&
                       (mlirValueIsNull(effect.value) ||
                        berthMayBeSlotSource(effect.value, search->source));
}

static MlirWalkResult findTouch(MlirOperation op, void *userData) {
  SourceSearch *search = userData;
  MlirOperation callee;
  if (berthOnlyOrdersSlots(op, search->source))
    return MlirWalkResultAdvance;
  search->isTouched |=
      berthOpGetCallee(op, &callee) ||
      (!berthOpGetEffects(op, noteTouch, search) &&
       !mlirOperationGetNumRegions(op) && !berthOpIsPlainAccess(op));
  return MlirWalkResultAdvance;
}

/// A fence in the loop may be for what was written in front of it: then what
/// the first loads find there is not sure.
static bool checkFences(const BerthSlotCheck *check) {
  MlirOperation fence = {NULL};
  MlirOperation loop = check->uses.loop.op;
  mlirOperationWalk(loop, findFence, &fence, MlirWalkPreOrder);
  if (mlirOperationIsNull(fence))
    return true;
  for (size_t i = 0; i < check->numCopies; ++i) {
    SourceSearch search = {berthSlotSource(berthSlotCopy(check, i)), false};
    for (MlirOperation op =
             mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
         !mlirOperationEqual(op, loop); op = mlirOperationGetNextInBlock(op))
      mlirOperationWalk(op, findTouch, &search, MlirWalkPreOrder);
    if (search.isTouched)
      return berthSlotIsWrong(check, fence,
                              "may be for what was written in front of the "
                              "loop, where the first turns' loads stand now");
  }
  return true;
}

bool berthCheckSlotLoads(const BerthSlotCheck *check) {
  if (check->ahead == 0 || check->numLast || !berthSlotLoopRunsOnce(check))
    return berthSlotIsWrong(check, check->uses.loop.op,
                            "loads slots by TMA, but not ahead, or it may run "
                            "again with the same mbarriers");
  for (size_t i = 0; i < check->numCopies; ++i)
    if (!checkGroup(check,
                    berthLoadGetMBarrier(berthSlotCopy(check, i)->op).group))
      return false;
  return checkNumbers(check) && checkAlignment(check) && checkFences(check) &&
         berthCheckSlotBarriers(check);
}
