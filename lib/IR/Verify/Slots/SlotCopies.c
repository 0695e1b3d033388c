//===- SlotCopies.c - The copies that bring what turns use ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Slots/SlotCopies.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Verify/Roots/Apart.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// How far back two copies are compared.
enum { kMostDepth = 32, kMostCompared = 1 << 12 };

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

static bool findAhead(BerthSlotCheck *check) {
  const BerthSlotUses *uses = &check->uses;
  check->ahead = 0;
  for (size_t i = 0; i < uses->numAccesses; ++i)
    if (uses->accesses[i].place == BERTH_SLOT_IN &&
        uses->accesses[i].slot > check->ahead)
      check->ahead = uses->accesses[i].slot;
  for (size_t i = 0; i < uses->numAccesses; ++i) {
    const BerthSlotAccess *access = &uses->accesses[i];
    bool isRight = access->place != BERTH_SLOT_IN || access->slot == 0 ||
                   (access->slot == check->ahead && access->isCopy);
    if (!isRight)
      return berthSlotIsWrong(check, access->op,
                              "touches the slot of another turn");
  }
  return true;
}

/// Where copies stay in their turns, they are the first accesses.
static bool findCopies(BerthSlotCheck *check) {
  const BerthSlotUses *uses = &check->uses;
  check->copies = berthAllocateOrDie(uses->numAccesses, sizeof(size_t));
  MlirOperation used = {NULL};
  for (size_t i = 0; i < uses->numAccesses; ++i) {
    const BerthSlotAccess *access = &uses->accesses[i];
    if (access->place != BERTH_SLOT_IN)
      continue;
    bool brings = access->isCopy && access->slot == check->ahead &&
                  (check->ahead || mlirOperationIsNull(used));
    if (!brings && mlirOperationIsNull(used))
      used = access->op;
    else if (brings && !mlirOperationIsNull(used))
      return berthSlotIsWrong(
          check, used,
          "uses the slot of a turn in front of the place of the turn's copy");
    if (brings)
      check->copies[check->numCopies++] = i;
  }
  return check->numCopies ||
         berthSlotIsWrong(check, uses->alloc,
                          "has slots, but no copy in the loop brings what "
                          "turns use");
}

static BerthSlotForm formOf(MlirOperation copy) {
  if (berthOpStartsAsync(copy, BERTH_ASYNC_COPY))
    return BERTH_SLOTS_OF_THREADS;
  if (berthOpStartsAsync(copy, BERTH_ASYNC_LOAD))
    return BERTH_SLOTS_LOADED;
  return berthOpIsTransfer(copy) ? BERTH_SLOTS_TRANSFERRED : BERTH_SLOTS_COPIED;
}

/// Threads of a kernel wait for it.
static bool isOfKernel(const BerthSlotCheck *check) {
  return check->form == BERTH_SLOTS_OF_THREADS ||
         check->form == BERTH_SLOTS_LOADED;
}

bool berthCheckSlotTurns(BerthSlotCheck *check) {
  const BerthSlotUses *uses = &check->uses;
  if (!findAhead(check) || !findCopies(check))
    return false;
  check->form = formOf(berthSlotCopy(check, 0)->op);
  for (size_t i = 0; i < check->numCopies; ++i)
    if (formOf(berthSlotCopy(check, i)->op) != check->form ||
        (!isOfKernel(check) && check->ahead && i))
      return berthSlotIsWrong(check, berthSlotCopy(check, i)->op,
                              "is one more copy for another turn");
  for (size_t i = 0; i < uses->numAccesses; ++i) {
    const BerthSlotAccess *access = &uses->accesses[i];
    bool isFirst = access->place == BERTH_SLOT_BEFORE && access->isCopy &&
                   access->slot < check->ahead;
    bool isLast = access->place == BERTH_SLOT_BEHIND && !isOfKernel(check) &&
                  uses->loop.count >= 0;
    if (access->place != BERTH_SLOT_IN && !isFirst && !isLast)
      return berthSlotIsWrong(check, access->op,
                              "uses a slot outside of the loop's turns");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// What is true at the op, in a block around it.
static BerthTurnGuard guardOf(const BerthTurnLoop *loop, MlirOperation op,
                              MlirBlock block) {
  BerthTurnGuard guard = {.isKnown = true};
  while (!mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    MlirValue values[2];
    bool isTrue =
        berthOpIs(parent, BERTH_OP_IF) &&
        mlirRegionEqual(mlirBlockGetParentRegion(mlirOperationGetBlock(op)),
                        mlirOperationGetRegion(parent, 0)) &&
        berthRegionGetCondition(parent, 0, values) == BERTH_RUNS_WHEN_TRUE;
    if (isTrue)
      berthTurnGuardAdd(loop, values[0], &guard);
    guard.isKnown &= isTrue;
    op = parent;
  }
  return guard;
}

/// True if the guard says that there is a turn so many behind that whose
/// variable is `variable`, and nothing more.
static bool saysFollowed(const BerthTurnGuard *guard,
                         const BerthTurnForm *variable, int64_t ahead) {
  return guard->isKnown && guard->isFollowed && guard->ahead == ahead &&
         berthTurnFormsAreEqual(&guard->variable, variable);
}

static bool isFree(const BerthTurnGuard *guard) {
  return guard->isKnown && !guard->takesTurn && !guard->isFollowed;
}

/// The last turns may stand behind the loop, which is told by its upper bound
/// then: the guard has the old one.
static int64_t numLastOf(const BerthTurnLoop *loop,
                         const BerthTurnGuard *guard) {
  BerthTurnForm own = berthTurnFormOfVariable(loop, NULL);
  int64_t less =
      own.terms[BERTH_TERM_NUMBER] - guard->variable.terms[BERTH_TERM_NUMBER];
  int64_t upper, way;
  bool isKnown = guard->isFollowed && guard->variable.isKnown &&
                 loop->count >= 0 && loop->hasLower && loop->hasUpper &&
                 loop->hasStep && less > 0 &&
                 !__builtin_add_overflow(loop->upperNumber, less, &upper) &&
                 !__builtin_sub_overflow(upper, loop->lowerNumber, &way);
  return isKnown ? (way - 1) / loop->stepNumber + 1 - loop->count : 0;
}

/// A guard with the upper bound of all turns, as one with the loop's.
static void takeOldBound(const BerthTurnLoop *loop, BerthTurnGuard *guard) {
  BerthTurnForm own = berthTurnFormOfVariable(loop, NULL);
  guard->variable.terms[BERTH_TERM_NUMBER] = own.terms[BERTH_TERM_NUMBER];
}

/// Transfers have no condition: all turns that are ahead stand behind the loop.
static bool checkGuardInLoop(BerthSlotCheck *check,
                             const BerthSlotAccess *copy) {
  const BerthTurnLoop *loop = &check->uses.loop;
  BerthTurnGuard guard = guardOf(loop, copy->op, loop->body);
  BerthTurnForm variable = berthTurnFormOfVariable(loop, NULL);
  check->numLast = numLastOf(loop, &guard);
  if (check->numLast)
    takeOldBound(loop, &guard);
  bool isPlain = isFree(&guard) &&
                 (check->ahead == 0 || check->form == BERTH_SLOTS_TRANSFERRED);
  bool isGuarded = check->ahead && !guard.takesTurn &&
                   check->form != BERTH_SLOTS_TRANSFERRED &&
                   saysFollowed(&guard, &variable, check->ahead);
  return isPlain || isGuarded ||
         berthSlotIsWrong(check, copy->op,
                          "copies for a later turn, but not exactly if there "
                          "is one");
}

static bool checkGuardBefore(const BerthSlotCheck *check,
                             const BerthSlotAccess *copy) {
  const BerthTurnLoop *loop = &check->uses.loop;
  BerthTurnGuard guard =
      guardOf(loop, copy->op, mlirOperationGetBlock(loop->op));
  int64_t first = 0;
  BerthTurnForm variable = berthTurnFormOfVariable(loop, &first);
  // The last turns of transfers, whose number is constant, stand behind the
  // loop.
  bool isThere = isFree(&guard) &&
                 (loop->count > copy->slot ||
                  (check->form == BERTH_SLOTS_TRANSFERRED && loop->count >= 0));
  bool isGuarded = guard.isKnown && guard.takesTurn &&
                   (copy->slot ? saysFollowed(&guard, &variable, copy->slot)
                               : !guard.isFollowed);
  return isThere || isGuarded ||
         berthSlotIsWrong(check, copy->op,
                          "copies for one of the first turns, but not exactly "
                          "if there is such");
}

//===----------------------------------------------------------------------===//
// What is copied
//===----------------------------------------------------------------------===//

/// Compares what is computed in a turn with what is computed in front of the
/// loop: `turn` is what the number of the turn has to be taken for.
typedef struct Likeness {
  const BerthTurnLoop *loop;
  int64_t turn;
  int left; ///< so many values are looked at
} Likeness;

static bool isLike(Likeness *likeness, MlirValue in, MlirValue before,
                   int depth);

static bool isMixedLike(Likeness *likeness, const BerthMixed *in,
                        const BerthMixed *before, int depth) {
  bool hasIn = !mlirValueIsNull(in->value);
  bool hasBefore = !mlirValueIsNull(before->value);
  if (hasIn && hasBefore)
    return isLike(likeness, in->value, before->value, depth);
  int64_t a = in->number, b = before->number;
  BerthTurnForm form = {0};
  if (hasIn) {
    form = berthTurnFormOf(likeness->loop, in->value, &likeness->turn);
    return berthTurnFormIsNumber(&form, &a) && a == b;
  }
  if (hasBefore) {
    form = berthTurnFormOf(likeness->loop, before->value, &likeness->turn);
    return berthTurnFormIsNumber(&form, &b) && a == b;
  }
  return a == b;
}

static bool isSubViewLike(Likeness *likeness, MlirOperation in,
                          MlirOperation before, int depth) {
  BerthSubView a, b;
  if (!berthSubViewGet(in, &a) || !berthSubViewGet(before, &b) ||
      a.rank != b.rank)
    return false;
  for (intptr_t d = 0; d < a.rank; ++d)
    if (a.results[d] != b.results[d] ||
        !isMixedLike(likeness, &a.offsets[d], &b.offsets[d], depth) ||
        !isMixedLike(likeness, &a.sizes[d], &b.sizes[d], depth) ||
        !isMixedLike(likeness, &a.strides[d], &b.strides[d], depth))
      return false;
  return isLike(likeness, mlirOperationGetOperand(in, 0),
                mlirOperationGetOperand(before, 0), depth);
}

static bool haveOneName(MlirOperation a, MlirOperation b) {
  return mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b));
}

static bool haveOneForm(MlirOperation a, MlirOperation b) {
  if (!haveOneName(a, b) ||
      mlirOperationGetNumOperands(a) != mlirOperationGetNumOperands(b) ||
      mlirOperationGetNumResults(a) != mlirOperationGetNumResults(b) ||
      mlirOperationGetNumAttributes(a) != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(a); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(a, i);
    if (!mlirAttributeEqual(attribute.attribute,
                            mlirOperationGetAttributeByName(
                                b, mlirIdentifierStr(attribute.name))))
      return false;
  }
  return true;
}

static MlirValue behindCasts(MlirValue value) {
  while (mlirValueIsAOpResult(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_CAST))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

/// In their order, or in the other one.
static bool areOperandsLike(Likeness *likeness, MlirOperation in,
                            MlirOperation before, bool isTurned, int depth) {
  intptr_t count = mlirOperationGetNumOperands(in);
  for (intptr_t i = 0; i < count; ++i)
    if (!isLike(likeness, mlirOperationGetOperand(in, i),
                mlirOperationGetOperand(before, isTurned ? count - 1 - i : i),
                depth))
      return false;
  return true;
}

static bool isLike(Likeness *likeness, MlirValue in, MlirValue before,
                   int depth) {
  if (depth > kMostDepth || --likeness->left < 0)
    return false;
  BerthTurnForm a = berthTurnFormOf(likeness->loop, in, &likeness->turn);
  BerthTurnForm b = berthTurnFormOf(likeness->loop, before, NULL);
  if (berthTurnFormsAreEqual(&a, &b))
    return true;
  in = behindCasts(in);
  before = behindCasts(before);
  if (mlirValueEqual(in, before))
    return true; // of outside of the loop
  if (!mlirValueIsAOpResult(in) || !mlirValueIsAOpResult(before))
    return false;
  MlirOperation opIn = mlirOpResultGetOwner(in);
  MlirOperation opBefore = mlirOpResultGetOwner(before);
  BerthEffects effects;
  if (mlirOperationGetNumRegions(opIn) ||
      mlirOpResultGetResultNumber(in) != mlirOpResultGetResultNumber(before))
    return false;
  if (isSubViewLike(likeness, opIn, opBefore, depth + 1))
    return true;
  if (!haveOneForm(opIn, opBefore) ||
      !berthOpSumEffects(opIn, (MlirValue){NULL}, &effects) || effects.anywhere)
    return false;
  return areOperandsLike(likeness, opIn, opBefore, false, depth + 1) ||
         ((berthOpIs(opIn, BERTH_OP_SUM) ||
           berthOpIs(opIn, BERTH_OP_PRODUCT)) &&
          areOperandsLike(likeness, opIn, opBefore, true, depth + 1));
}

bool berthSlotValuesAreLike(const BerthTurnLoop *loop, MlirValue in,
                            MlirValue before, int64_t turn) {
  Likeness likeness = {loop, turn, kMostCompared};
  return isLike(&likeness, in, before, 0);
}

/// True for operands of a copy that say where to: the tag of a transfer is
/// another matter (SlotTags.c), and so is an mbarrier (SlotLoads.c).
static bool isOfSlot(MlirOperation copy, intptr_t target, intptr_t operand) {
  BerthDma dma;
  BerthMBarrierUse use;
  return operand == target ||
         (berthOpGetDma(copy, &dma) && operand >= dma.tag &&
          operand <= dma.tag + dma.numTagIndices) ||
         (berthOpGetMBarrierUse(copy, &use) && operand == use.number);
}

bool berthSlotOpsAreLike(const BerthSlotCheck *check, MlirOperation in,
                         intptr_t target, MlirOperation before, int64_t turn) {
  Likeness likeness = {&check->uses.loop, turn, kMostCompared};
  if (!haveOneForm(in, before))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(in); ++i)
    if (!isOfSlot(in, target, i) &&
        !isLike(&likeness, mlirOperationGetOperand(in, i),
                mlirOperationGetOperand(before, i), 0))
      return false;
  return true;
}

/// The copy that stands in turn `turn` of the loop, and one outside of it.
static bool areLike(const BerthSlotCheck *check, const BerthSlotAccess *in,
                    const BerthSlotAccess *before, int64_t turn) {
  return in->fills == before->fills &&
         berthSlotOpsAreLike(check, in->op, in->operand, before->op, turn);
}

/// The copies of turn `turn`, in the order of those in the loop.
static bool checkFirstTurn(const BerthSlotCheck *check, int64_t turn) {
  const BerthSlotUses *uses = &check->uses;
  size_t count = 0;
  for (size_t i = 0; i < uses->numAccesses; ++i) {
    const BerthSlotAccess *access = &uses->accesses[i];
    if (access->place != BERTH_SLOT_BEFORE || access->slot != turn)
      continue;
    if (count == check->numCopies ||
        !areLike(check, berthSlotCopy(check, count), access,
                 turn - check->ahead))
      return berthSlotIsWrong(check, access->op,
                              "copies something else for one of the first "
                              "turns than the loop would");
    if (!checkGuardBefore(check, access))
      return false;
    ++count;
  }
  return count == check->numCopies ||
         berthSlotIsWrong(check, uses->loop.op,
                          "begins without what its first turns use");
}

bool berthCheckSlotCopies(BerthSlotCheck *check) {
  for (size_t i = 0; i < check->numCopies; ++i)
    if (!checkGuardInLoop(check, berthSlotCopy(check, i)))
      return false;
  for (int64_t turn = 0; turn < check->ahead; ++turn)
    if (!checkFirstTurn(check, turn))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Behind the loop
//===----------------------------------------------------------------------===//

/// Whether a copy behind the loop is made: 1, or 0; -1: that is not known.
static int isMade(const BerthSlotCheck *check, const BerthSlotAccess *copy,
                  bool *isGuarded) {
  const BerthTurnLoop *loop = &check->uses.loop;
  BerthTurnGuard guard =
      guardOf(loop, copy->op, mlirOperationGetBlock(loop->op));
  int64_t variable, left;
  *isGuarded = guard.isFollowed;
  if (isFree(&guard))
    return 1;
  if (!guard.isKnown || guard.takesTurn ||
      !berthTurnFormIsNumber(&guard.variable, &variable) ||
      __builtin_sub_overflow(loop->upperNumber - 1, variable, &left) ||
      left < 0)
    return -1;
  return left / loop->stepNumber >= guard.ahead;
}

/// Goes through the accesses behind the loop in their order.
typedef struct LastTurns {
  const BerthSlotCheck *check;
  int64_t turn;    ///< at hand
  int64_t *turnOf; ///< by slot: whose content it has
} LastTurns;

static bool takeCopyAhead(LastTurns *last, const BerthSlotAccess *access) {
  const BerthSlotCheck *check = last->check;
  int64_t own = last->turn + 1 + check->ahead;
  last->turnOf[access->slot] = own;
  return access->slot == own % check->uses.numSlots &&
         areLike(check, berthSlotCopy(check, 0), access, last->turn + 1);
}

static bool takeAccess(LastTurns *last, const BerthSlotAccess *access) {
  const BerthSlotCheck *check = last->check;
  int64_t numSlots = check->uses.numSlots;
  bool isGuarded = false;
  if (access->isCopy && check->ahead) {
    int made = isMade(check, access, &isGuarded);
    if (made <= 0)
      return made == 0;
    if (isGuarded)
      return takeCopyAhead(last, access);
  }
  if (check->ahead == 0 && access->fills) {
    last->turn += access->slot == (last->turn + 1) % numSlots;
    last->turnOf[access->slot] = last->turn;
  }
  if (last->turnOf[access->slot] == last->turn + 1)
    last->turn += 1;
  return last->turnOf[access->slot] == last->turn &&
         access->slot == last->turn % numSlots;
}

bool berthCheckSlotLastTurns(const BerthSlotCheck *check) {
  const BerthSlotUses *uses = &check->uses;
  LastTurns last = {.check = check, .turn = uses->loop.count - 1};
  last.turnOf = berthAllocateOrDie((size_t)uses->numSlots, sizeof(int64_t));
  for (int64_t slot = 0; slot < uses->numSlots; ++slot)
    last.turnOf[slot] = -1;
  for (int64_t i = 0; i < check->ahead && i < check->numLast; ++i)
    last.turnOf[(uses->loop.count + i) % uses->numSlots] = uses->loop.count + i;
  bool isRight = true;
  for (size_t i = 0; i < uses->numAccesses && isRight; ++i)
    if (uses->accesses[i].place == BERTH_SLOT_BEHIND)
      isRight = takeAccess(&last, &uses->accesses[i]) ||
                berthSlotIsWrong(check, uses->accesses[i].op,
                                 "uses a slot that holds nothing of its turn");
  if (isRight && check->ahead &&
      last.turn != uses->loop.count + check->numLast - 1)
    isRight = berthSlotIsWrong(check, uses->loop.op,
                               "brings more turns ahead than use it");
  free(last.turnOf);
  return isRight;
}

//===----------------------------------------------------------------------===//
// Where it is copied from
//===----------------------------------------------------------------------===//

MlirValue berthSlotSource(const BerthSlotAccess *copy) {
  enum { kDescriptor = 2 };
  BerthDma dma;
  if (berthOpStartsAsync(copy->op, BERTH_ASYNC_COPY))
    return berthAsyncCopyGet(copy->op).source;
  if (berthOpStartsAsync(copy->op, BERTH_ASYNC_LOAD))
    return mlirOperationGetOperand(copy->op, kDescriptor);
  return mlirOperationGetOperand(
      copy->op, berthOpGetDma(copy->op, &dma) ? dma.source : 0);
}

static bool isTensor(MlirValue source) {
  return !mlirTypeIsAMemRef(mlirValueGetType(source));
}

bool berthSlotSourceIsConstant(MlirValue source) {
  return !isTensor(source) && berthMemoryIsConstant(source);
}

bool berthMayBeSlotSource(MlirValue target, MlirValue source) {
  MlirType type = mlirValueGetType(target);
  bool isInWorkgroup = mlirTypeIsAMemRef(type) &&
                       berthSpaceGetUse(mlirMemRefTypeGetMemorySpace(type)) ==
                           BERTH_SPACE_WORKGROUP;
  return !(isTensor(source) && isInWorkgroup) &&
         berthMayBeOneMemory(target, source);
}

bool berthOnlyOrdersSlots(MlirOperation op, MlirValue source) {
  int64_t mayPend;
  BerthMBarrierUse use;
  bool isOfTensors =
      berthOpIsProxyFence(op) || berthOpMakesMBarriers(op) ||
      (berthOpGetMBarrierUse(op, &use) && use.role != BERTH_MBARRIER_LOAD);
  return berthOpIsWholeBarrier(op) || (isOfTensors && isTensor(source)) ||
         berthOpMakesGroup(op, BERTH_ASYNC_COPY) ||
         berthOpWaitsForGroups(op, BERTH_ASYNC_COPY, &mayPend);
}

typedef struct Writes {
  MlirValue source;
  bool isWritten; ///< by the op at hand
  MlirOperation found;
} Writes;

static void noteEffect(BerthEffect effect, void *userData) {
  Writes *writes = userData;
  if ((effect.kind & (BERTH_EFFECT_WRITE | BERTH_EFFECT_FREE)) &&
      (mlirValueIsNull(effect.value) ||
       berthMayBeSlotSource(effect.value, writes->source)))
    writes->isWritten = true;
}

/// True if all that the wait may end surely writes elsewhere: who uses the tag
/// is known.
static bool endsOthers(const Writes *writes, MlirOperation wait,
                       intptr_t tagOperand) {
  MlirValue tag = mlirOperationGetOperand(wait, tagOperand);
  if (!berthIsFreshMemory(tag))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(tag); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthDma dma;
    if (berthOpIsFree(op))
      continue;
    if (!berthOpGetDma(op, &dma) ||
        mlirOpOperandGetOperandNumber(use) != dma.tag ||
        (dma.isStart &&
         berthMayBeOneMemory(mlirOperationGetOperand(op, dma.target),
                             writes->source)))
      return false;
  }
  return true;
}

static MlirWalkResult findWrite(MlirOperation op, void *userData) {
  Writes *writes = userData;
  MlirOperation callee;
  BerthDma dma;
  writes->isWritten = false;
  if (berthOnlyOrdersSlots(op, writes->source))
    return MlirWalkResultAdvance;
  if (berthOpGetDma(op, &dma)) {
    if (dma.isStart)
      noteEffect((BerthEffect){BERTH_EFFECT_WRITE,
                               mlirOperationGetOperand(op, dma.target)},
                 writes);
    else
      writes->isWritten = !endsOthers(writes, op, dma.tag);
  } else if (berthOpGetCallee(op, &callee)) {
    writes->isWritten = true;
  } else if (!berthOpGetEffects(op, noteEffect, writes)) {
    MlirBlock block = mlirOperationGetBlock(op);
    bool isEnd = mlirOperationEqual(op, berthBlockGetLast(block));
    writes->isWritten |=
        !isEnd && !mlirOperationGetNumRegions(op) && !berthOpIsPlainAccess(op);
    writes->isWritten |=
        mlirOperationGetNumRegions(op) && berthOpMayRunLater(op);
  }
  if (!writes->isWritten)
    return MlirWalkResultAdvance;
  writes->found = op;
  return MlirWalkResultInterrupt;
}

/// From the first of the copies in front of the loop to its end.
static MlirOperation firstPlace(const BerthSlotCheck *check) {
  const BerthSlotUses *uses = &check->uses;
  MlirOperation first = uses->loop.op;
  for (size_t i = 0; i < uses->numAccesses; ++i)
    if (uses->accesses[i].place == BERTH_SLOT_BEFORE &&
        berthStandsBefore(uses->accesses[i].top, first))
      first = uses->accesses[i].top;
  return first;
}

bool berthCheckSlotSources(const BerthSlotCheck *check) {
  MlirOperation loop = check->uses.loop.op;
  for (size_t i = 0; check->ahead && i < check->numCopies; ++i) {
    Writes writes = {.source = berthValueBehindViews(
                         berthSlotSource(berthSlotCopy(check, i)))};
    if (berthSlotSourceIsConstant(writes.source))
      continue;
    for (MlirOperation op = firstPlace(check);
         mlirOperationIsNull(writes.found);
         op = mlirOperationGetNextInBlock(op)) {
      mlirOperationWalk(op, findWrite, &writes, MlirWalkPreOrder);
      if (mlirOperationEqual(op, loop))
        break;
    }
    if (!mlirOperationIsNull(writes.found))
      return berthSlotIsWrong(check, writes.found,
                              "may write what is copied some turns ahead of "
                              "its own");
  }
  return true;
}
