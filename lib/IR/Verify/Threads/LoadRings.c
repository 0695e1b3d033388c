//===- LoadRings.c - TMA loads that end with a loop -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/LoadRings.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/OpList.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Turns/TurnForms.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// Turn + ahead modulo the number of slots, or of mbarriers; or a number, the
/// same in all turns.
typedef struct Place {
  bool isKnown;
  bool isAll; ///< of the memory, not of a slot
  bool ofTurn;
  int64_t ahead;
  int64_t modulus;
} Place;

/// A load.
typedef struct Use {
  MlirOperation op;
  MlirOperation top; ///< around it, or itself, where it counts
  bool isInLoop;
  Place slot;
  Place mbarrier;
  MlirValue group;
  int64_t turns; ///< that there surely are: behind this one, or in all
} Use;

typedef struct Search {
  const BerthViews *views;
  uint32_t root;
  BerthTurnLoop loop;
  bool isFixed; ///< all turns have one slot, and one mbarrier
  BerthOpList loads, touches;
} Search;

//===----------------------------------------------------------------------===//
// Slots of the root
//===----------------------------------------------------------------------===//

static bool isOnlyRoot(const Search *search, MlirValue value) {
  const BerthRootSet *set = berthViewsFind(search->views, value);
  return set && set->count == 1 && set->ids[0] == search->root;
}

static bool isNumber(const BerthMixed *mixed, int64_t wanted) {
  int64_t number = mixed->number;
  return (mlirValueIsNull(mixed->value) ||
          berthValueIsConstant(mixed->value, &number)) &&
         number == wanted;
}

/// True if the subview has all of its source, from that dimension on.
static bool hasAll(const BerthSubView *part, MlirType type, intptr_t first) {
  for (intptr_t d = first; d < part->rank; ++d)
    if (!isNumber(&part->offsets[d], 0) || !isNumber(&part->strides[d], 1) ||
        !isNumber(&part->sizes[d], mlirShapedTypeGetDimSize(type, d)))
      return false;
  return true;
}

static Place placeOf(const BerthTurnLoop *loop, MlirValue value) {
  BerthTurnForm form = berthTurnFormOf(loop, value, NULL);
  Place place = {0};
  int64_t ahead;
  if (berthTurnFormIsNumber(&form, &ahead))
    place = (Place){.isKnown = true, .ahead = ahead};
  else if (form.modulus && berthTurnFormIsSlot(&form, form.modulus, &ahead))
    place = (Place){true, false, true, ahead, form.modulus};
  return place;
}

/// The slot that a value shows, all of it if `needsAll`.
static Place slotOf(const Search *search, MlirValue value, bool needsAll) {
  const Place none = {.isKnown = false};
  bool isWhole = true;
  for (MlirValue source; mlirValueIsAOpResult(value); value = source) {
    BerthSubView part;
    MlirOperation view = mlirOpResultGetOwner(value);
    source = berthValueViewed(value);
    if (!isOnlyRoot(search, value))
      return none;
    if (mlirValueIsNull(source) || !isOnlyRoot(search, source)) {
      isWhole = isWhole && berthViewsFind(search->views, value)->isWhole;
      return isWhole || !needsAll ? (Place){.isKnown = true, .isAll = true}
                                  : none;
    }
    MlirType type = mlirValueGetType(source);
    bool isPart = berthSubViewGet(view, &part);
    const BerthRootSet *set = berthViewsFind(search->views, source);
    if (isPart && set->isWhole && part.rank > 1 &&
        isNumber(&part.sizes[0], 1) && hasAll(&part, type, 1))
      return mlirValueIsNull(part.offsets[0].value)
                 ? (Place){.isKnown = true, .ahead = part.offsets[0].number}
                 : placeOf(&search->loop, part.offsets[0].value);
    bool isAll =
        isPart ? hasAll(&part, type, 0) : berthOpIs(view, BERTH_OP_CAST);
    isWhole = isWhole && isAll;
    if (needsAll && !isWhole)
      return none;
  }
  return none;
}

//===----------------------------------------------------------------------===//
// Loads for turns that come
//===----------------------------------------------------------------------===//

/// What is true where the load stands, in a block around it, and of its
/// predicate. False if something else than conditions stands around it.
static bool findGuard(const Search *search, Use *load, MlirBlock block,
                      BerthTurnGuard *guard) {
  *guard = (BerthTurnGuard){.isKnown = true};
  BerthMBarrierUse use;
  if (berthOpGetMBarrierUse(load->op, &use) && use.predicate >= 0)
    berthTurnGuardAdd(&search->loop,
                      mlirOperationGetOperand(load->op, use.predicate), guard);
  for (load->top = load->op;
       !mlirBlockEqual(mlirOperationGetBlock(load->top), block);) {
    MlirOperation parent = mlirOperationGetParentOperation(load->top);
    MlirValue values[2];
    if (mlirOperationIsNull(parent) || !berthOpIs(parent, BERTH_OP_IF))
      return false;
    MlirRegion region =
        mlirBlockGetParentRegion(mlirOperationGetBlock(load->top));
    if (mlirRegionEqual(region, mlirOperationGetRegion(parent, 0)) &&
        berthRegionGetCondition(parent, 0, values) == BERTH_RUNS_WHEN_TRUE)
      berthTurnGuardAdd(&search->loop, values[0], guard);
    load->top = parent;
  }
  return true;
}

/// Finds how many turns there surely are where the load is made: behind the one
/// at hand, or in all, if it stands in front of the loop.
static bool findTurns(const Search *search, Use *load) {
  const BerthTurnLoop *loop = &search->loop;
  const int64_t first = 0;
  BerthTurnGuard guard;
  MlirBlock block =
      load->isInLoop ? loop->body : mlirOperationGetBlock(loop->op);
  if (!findGuard(search, load, block, &guard))
    return false;
  BerthTurnForm variable =
      berthTurnFormOfVariable(loop, load->isInLoop ? NULL : &first);
  bool isFollowed =
      guard.isFollowed && berthTurnFormsAreEqual(&guard.variable, &variable);
  load->turns = isFollowed ? guard.ahead : 0;
  if (load->isInLoop)
    return true;
  load->turns = guard.takesTurn ? load->turns + 1 : 0;
  if (load->turns < loop->count)
    load->turns = loop->count;
  return mlirOperationIsBeforeInBlock(load->top, loop->op);
}

static bool readLoad(const Search *search, Use *load) {
  enum { kTarget = 0 };
  BerthMBarrier mbarrier = berthLoadGetMBarrier(load->op);
  load->isInLoop = berthOpIsWithin(load->op, search->loop.op);
  load->slot = slotOf(search, mlirOperationGetOperand(load->op, kTarget), true);
  load->mbarrier = placeOf(&search->loop, mbarrier.number);
  load->group = mbarrier.group;
  return load->slot.isKnown && load->mbarrier.isKnown &&
         findTurns(search, load);
}

/// True if the load is for a turn that comes, into the slot of that, and tells
/// its mbarrier.
static bool isForTurn(const Search *search, const Use *load) {
  if (search->isFixed)
    return !load->slot.ofTurn && !load->mbarrier.ofTurn &&
           (load->isInLoop || load->turns > 0);
  return !load->slot.isAll && load->slot.ofTurn == load->isInLoop &&
         load->mbarrier.ofTurn == load->isInLoop && load->slot.ahead >= 0 &&
         load->slot.ahead == load->mbarrier.ahead &&
         load->slot.ahead < load->turns + (load->isInLoop ? 1 : 0);
}

//===----------------------------------------------------------------------===//
// Turns that wait and touch
//===----------------------------------------------------------------------===//

/// True if the place is that of the turn which the load is for.
static bool meetsPlace(const Search *search, Place load, Place turn) {
  if (!turn.isKnown || load.isAll)
    return turn.isKnown;
  if (search->isFixed)
    return !turn.ofTurn && !turn.isAll && turn.ahead == load.ahead;
  return turn.ofTurn && turn.ahead == 0 &&
         (load.ofTurn ? load.modulus == turn.modulus
                      : load.ahead < turn.modulus);
}

/// The place in the body of what each turn surely does: in the body itself, or
/// in loops of a constant number of turns.
static MlirOperation placeInBody(const Search *search, MlirOperation op) {
  const MlirOperation none = {NULL};
  while (!mlirBlockEqual(mlirOperationGetBlock(op), search->loop.body)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || mlirOperationEqual(op, search->loop.op))
      return none;
    BerthLoopRange range[BERTH_LOOP_MAX_RANK];
    intptr_t rank = berthLoopGetRanges(op, range);
    bool isRun = rank > 0;
    while (rank-- > 0)
      isRun &= range[rank].count > 0;
    if (!isRun)
      return none;
  }
  return op;
}

/// What an op that surely touches memory shows of it in that operand.
static MlirValue touchedBy(MlirOperation op, intptr_t operand) {
  const MlirValue none = {NULL};
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (!berthOpStartsAsync(op, BERTH_ASYNC_PRODUCT))
    return berthOpSurelyTouches(op) ? value : none;
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation descriptor = mlirOpResultGetOwner(value);
  return berthOpMakesDescriptor(descriptor)
             ? mlirOperationGetOperand(descriptor, 0)
             : none;
}

/// True if a wait of the body's own for the load's mbarrier stands in front of
/// `touch`; behind the load, if that is of this turn.
static bool isAwaited(const Search *search, const Use *load,
                      MlirOperation touch, bool isOfThisTurn) {
  bool isLoaded = !isOfThisTurn;
  for (MlirOperation op = mlirBlockGetFirstOperation(search->loop.body);
       !mlirOperationEqual(op, touch); op = mlirOperationGetNextInBlock(op)) {
    BerthMBarrier mbarrier;
    if (isLoaded && berthOpAwaitsMBarrier(op, &mbarrier) &&
        mlirValueEqual(mbarrier.group, load->group) &&
        meetsPlace(search, load->mbarrier,
                   placeOf(&search->loop, mbarrier.number)))
      return true;
    isLoaded = isLoaded || mlirOperationEqual(op, load->top);
  }
  return false;
}

static bool touches(const Search *search, const Use *load, MlirOperation op) {
  bool needsAll = berthOpStartsAsync(op, BERTH_ASYNC_PRODUCT);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    MlirValue shown = touchedBy(op, k);
    if (!mlirValueIsNull(shown) &&
        meetsPlace(search, load->slot, slotOf(search, shown, needsAll)))
      return true;
  }
  return false;
}

/// True if each turn touches its slot behind a wait for the load's mbarrier;
/// the place of the touch.
static bool isTouched(const Search *search, const Use *load, bool isOfThisTurn,
                      MlirOperation *place) {
  for (size_t i = 0; i < search->touches.count; ++i) {
    MlirOperation op = search->touches.ops[i];
    if (!berthOpIsWithin(op, search->loop.op))
      continue;
    *place = placeInBody(search, op);
    if (!mlirOperationIsNull(*place) &&
        isAwaited(search, load, *place, isOfThisTurn) &&
        touches(search, load, op))
      return true;
  }
  return false;
}

/// True if the load has ended behind a touch of this turn, or of a later one
/// that comes.
static bool isEnded(const Search *search, const Use *load,
                    MlirOperation *place) {
  if (!isForTurn(search, load))
    return false;
  bool isLater = search->isFixed ? load->turns > 0 : load->slot.ahead > 0;
  if (!load->isInLoop || (isLater && !search->isFixed))
    return isTouched(search, load, false, place);
  return isTouched(search, load, true, place) ||
         (isLater && isTouched(search, load, false, place));
}

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

static MlirWalkResult listUses(MlirOperation op, void *userData) {
  Search *search = userData;
  bool isLoad = berthOpStartsAsync(op, BERTH_ASYNC_LOAD);
  if (!isLoad && !berthOpStartsAsync(op, BERTH_ASYNC_PRODUCT) &&
      !berthOpSurelyTouches(op))
    return MlirWalkResultAdvance;
  if (!isLoad) {
    berthOpListAdd(&search->touches, op);
    return MlirWalkResultAdvance;
  }
  enum { kTarget = 0 };
  const BerthRootSet *set =
      berthViewsFind(search->views, mlirOperationGetOperand(op, kTarget));
  if (berthRootSetHas(set, search->root))
    berthOpListAdd(&search->loads, op);
  return MlirWalkResultAdvance;
}

/// True if all loads end with the loop.
static bool endsLoads(const Search *search, BerthLoadRing *ring) {
  for (size_t i = 0; i < search->loads.count; ++i) {
    Use load = {.op = search->loads.ops[i]};
    MlirOperation place;
    if (!readLoad(search, &load) || !isEnded(search, &load, &place))
      return false;
    if (mlirOperationIsNull(ring->proof) ||
        mlirOperationIsBeforeInBlock(ring->proof, place))
      ring->proof = place;
  }
  return true;
}

/// The memory is there before the loop, the same in all of its turns.
static bool isMadeOutside(const Search *search) {
  const BerthRoot *root = &search->views->roots[search->root];
  return !mlirOperationIsNull(root->view) &&
         !berthOpIsWithin(root->view, search->loop.op);
}

BerthLoadRing berthLoadRingOf(const BerthViews *views, MlirOperation scope,
                              uint32_t root) {
  Search search = {.views = views, .root = root};
  BerthLoadRing ring = {.loop = {NULL}};
  mlirOperationWalk(scope, listUses, &search, MlirWalkPreOrder);
  MlirOperation around = {NULL};
  // The last load stands in the loop.
  if (search.loads.count)
    around = search.loads.ops[search.loads.count - 1];
  while (!mlirOperationIsNull(around) && mlirOperationIsNull(ring.loop)) {
    around = mlirOperationGetParentOperation(around);
    if (mlirOperationIsNull(around) || mlirOperationEqual(around, scope))
      break;
    if (!berthOpIs(around, BERTH_OP_LOOP) || berthOpIsAffine(around))
      continue;
    search.loop = berthTurnLoopOf(around);
    for (int isFixed = 0; isFixed < 2; ++isFixed) {
      BerthLoadRing found = {.loop = around};
      search.isFixed = isFixed;
      if (isMadeOutside(&search) && endsLoads(&search, &found))
        ring = found;
    }
  }
  free(search.loads.ops);
  free(search.touches.ops);
  return ring;
}
