//===- LoadLoops.c - Loops whose turns load tiles by TMA ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/LoadLoops.h"
#include "IR/Facts/Versions.h"
#include "IR/MultiBuffer/TurnParity.h"
#include "IR/MultiBuffer/Unwritten.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/MBarriers.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// An mbarrier
//===----------------------------------------------------------------------===//

typedef struct LoopWalk {
  MlirOperation loop;
  MlirBlock body;
  BerthLoadLoop found;
} LoopWalk;

static bool refuseLoop(LoopWalk *walk, const char *reason, MlirOperation at) {
  walk->found.reason = reason;
  walk->found.at = at;
  return false;
}

/// The op around `op`, or itself, in the block of the loop, by way of scf.if
/// only; else null.
static MlirOperation aroundIfs(const LoopWalk *walk, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(walk->loop);
  while (!mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || !berthOpIs(op, BERTH_OP_IF))
      return (MlirOperation){NULL};
  }
  return op;
}

/// The same in all turns.
static bool isSteady(const LoopWalk *walk, MlirOperation op, intptr_t operand) {
  int64_t constant;
  if (operand < 0)
    return true;
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (berthValueIsConstant(value, &constant))
    return true;
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return !mlirBlockEqual(block, walk->body) &&
         !berthOpIsWithin(mlirBlockGetParentOperation(block), walk->loop);
}

/// Of a group of one mbarrier.
static bool isFirst(MlirOperation op, intptr_t number) {
  int64_t constant;
  return berthValueIsConstant(mlirOperationGetOperand(op, number), &constant) &&
         constant == 0;
}

static bool readInit(LoopWalk *walk, BerthLoadGroup *group, MlirOperation op) {
  MlirOperation top = aroundIfs(walk, op);
  if (!mlirOperationIsNull(group->init) || mlirOperationIsNull(top) ||
      !mlirOperationIsBeforeInBlock(top, walk->loop))
    return refuseLoop(walk,
                      "its mbarrier is not initialized once, in front of the "
                      "loop",
                      op);
  group->init = op;
  return true;
}

static bool readUse(LoopWalk *walk, BerthLoadGroup *group, MlirOpOperand use,
                    bool *isExpected) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  BerthMBarrierUse as;
  if (!berthOpGetMBarrierUse(op, &as) ||
      mlirOpOperandGetOperandNumber(use) != as.group || !isFirst(op, as.number))
    return refuseLoop(walk, "its mbarrier is used for something else, too", op);
  if (as.role == BERTH_MBARRIER_INIT)
    return readInit(walk, group, op);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), walk->body))
    return refuseLoop(
        walk, "its mbarrier is used elsewhere than in each turn of the loop",
        op);
  if (as.role == BERTH_MBARRIER_WAIT) {
    if (!mlirOperationIsNull(group->wait))
      return refuseLoop(walk, "its mbarrier is waited for twice in a turn", op);
    group->wait = op;
    return true;
  }
  *isExpected |= as.role == BERTH_MBARRIER_EXPECT;
  return (isSteady(walk, op, as.predicate) && isSteady(walk, op, as.count)) ||
         refuseLoop(walk,
                    "which threads load, and how much, may differ from turn "
                    "to turn",
                    op);
}

/// All of the loop's at the mbarrier stand in front of the wait for it.
static bool checkWait(LoopWalk *walk, const BerthLoadGroup *group) {
  for (MlirOpOperand use = mlirValueGetFirstUse(group->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirBlockEqual(mlirOperationGetBlock(op), walk->body) &&
        mlirOperationIsBeforeInBlock(group->wait, op))
      return refuseLoop(walk, "its mbarrier is waited for in front of it", op);
  }
  return berthWaitsForPhaseOfTurn(walk->loop, group->wait) ||
         refuseLoop(walk,
                    "it is not seen that the wait is for the phase of its turn",
                    group->wait);
}

static bool readGroup(LoopWalk *walk, BerthLoadGroup *group) {
  MlirValue value = group->value;
  MlirOperation maker = mlirValueIsAOpResult(value)
                            ? mlirOpResultGetOwner(value)
                            : (MlirOperation){NULL};
  if (mlirOperationIsNull(maker) || !berthOpMakesMBarriers(maker) ||
      berthCountMBarriers(mlirValueGetType(value)) != 1)
    return refuseLoop(walk, "its mbarrier is not made for it alone", maker);
  bool isExpected = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!readUse(walk, group, use, &isExpected))
      return false;
  if (mlirOperationIsNull(group->init) || mlirOperationIsNull(group->wait) ||
      !isExpected)
    return refuseLoop(walk,
                      "its mbarrier is not initialized, told of bytes and "
                      "waited for where that is seen",
                      maker);
  return checkWait(walk, group);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

static void addGroup(LoopWalk *walk, MlirValue value) {
  BerthLoadLoop *found = &walk->found;
  for (size_t i = 0; i < found->numGroups; ++i)
    if (mlirValueEqual(found->groups[i].value, value))
      return;
  found->groups = berthGrow(found->groups, found->numGroups,
                            &found->groupCapacity, sizeof *found->groups);
  found->groups[found->numGroups++] = (BerthLoadGroup){.value = value};
}

static MlirWalkResult findLoad(MlirOperation op, void *userData) {
  LoopWalk *walk = userData;
  if (!berthOpStartsAsync(op, BERTH_ASYNC_LOAD))
    return MlirWalkResultAdvance;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), walk->body))
    refuseLoop(walk, "not every turn does all that the loop copies", op);
  else if (berthOpIsOtherProxy(op))
    refuseLoop(walk, "it goes to other workgroups, too", op);
  else
    addGroup(walk, berthLoadGetMBarrier(op).group);
  return walk->found.reason ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isOfGroups(const BerthLoadLoop *loop, MlirValue value) {
  for (size_t i = 0; i < loop->numGroups; ++i)
    if (mlirValueEqual(loop->groups[i].value, value))
      return true;
  return false;
}

static void listMoved(LoopWalk *walk) {
  BerthMBarrierUse use;
  for (MlirOperation op = mlirBlockGetFirstOperation(walk->body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (berthOpGetMBarrierUse(op, &use) && use.role != BERTH_MBARRIER_WAIT &&
        isOfGroups(&walk->found, mlirOperationGetOperand(op, use.group)))
      berthOpListAdd(&walk->found.moved, op);
}

BerthLoadLoop berthLoadLoopOf(MlirOperation loop) {
  LoopWalk walk = {
      .loop = loop,
      .body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0))};
  mlirOperationWalk(loop, findLoad, &walk, MlirWalkPreOrder);
  for (size_t i = 0; i < walk.found.numGroups && !walk.found.reason; ++i)
    readGroup(&walk, &walk.found.groups[i]);
  listMoved(&walk);
  return walk.found;
}

void berthLoadLoopFree(BerthLoadLoop *loop) {
  free(loop->moved.ops);
  free(loop->groups);
}

//===----------------------------------------------------------------------===//
// What a buffer needs
//===----------------------------------------------------------------------===//

typedef struct Search {
  BerthTurnUses uses;
  const BerthLoadLoop *loop;
} Search;

static bool refuse(const Search *search, const char *reason, MlirOperation at) {
  return berthTurnUsesRefuse(&search->uses, reason, at);
}

/// The last one of those that the buffer's loads are waited for by.
static void findWait(Search *search) {
  const BerthLoadLoop *loop = search->loop;
  for (size_t i = 0; i < loop->moved.count; ++i) {
    MlirOperation op = loop->moved.ops[i];
    if (!berthTurnUsesIsFill(&search->uses, op))
      continue;
    for (size_t g = 0; g < loop->numGroups; ++g) {
      MlirOperation wait = loop->groups[g].wait;
      if (mlirValueEqual(loop->groups[g].value,
                         berthLoadGetMBarrier(op).group) &&
          (mlirOperationIsNull(search->uses.wait) ||
           mlirOperationIsBeforeInBlock(search->uses.wait, wait)))
        search->uses.wait = wait;
    }
  }
}

/// True for the buffer, and for what shows all of it.
static bool isWholeBuffer(const Search *search, MlirValue value) {
  while (!mlirValueEqual(value, search->uses.filled->info->value)) {
    MlirOperation view = mlirValueIsAOpResult(value)
                             ? mlirOpResultGetOwner(value)
                             : (MlirOperation){NULL};
    if (mlirOperationIsNull(view) ||
        mlirValueIsNull(berthViewGetSource(view)) || !berthViewIsWhole(view))
      return false;
    value = berthViewGetSource(view);
  }
  return true;
}

/// A load writes all of the box that it is given, zeros where the tensor has
/// nothing.
static bool fillsBuffer(const Search *search) {
  const BerthOpList *moved = &search->loop->moved;
  bool isFilled =
      search->uses.filled->isMadeInBody ||
      berthTurnUsesIsBroken(&search->uses, "content-ends-with-block");
  for (size_t i = 0; i < moved->count; ++i)
    isFilled |= berthTurnUsesIsFill(&search->uses, moved->ops[i]) &&
                isWholeBuffer(search, berthTargetOfFill(moved->ops[i]));
  return isFilled ||
         refuse(search,
                "the copy does not fill all of it, so that content may go "
                "from one turn to another",
                search->uses.filled->fill);
}

/// Between what begins the first phases and the first loads all threads meet.
static bool isInitializedForAll(const Search *search, MlirOperation init) {
  MlirOperation loop = search->uses.filled->loop;
  MlirBlock block = mlirOperationGetBlock(loop);
  while (!mlirBlockEqual(mlirOperationGetBlock(init), block))
    init = mlirOperationGetParentOperation(init);
  for (MlirOperation op = init; !mlirOperationEqual(op, loop);
       op = mlirOperationGetNextInBlock(op))
    if (berthOpIsWholeBarrier(op) &&
        berthControlIsUniform(&search->uses.job->scope, op, NULL))
      return true;
  return refuse(search,
                "no barrier of all threads stands between the start of its "
                "mbarrier and the loop",
                init);
}

static MlirWalkResult findFence(MlirOperation op, void *userData) {
  MlirOperation *found = userData;
  if (!berthOpIsProxyFence(op) || berthOpIsSharedProxyFence(op))
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

/// The first turns' loads pass what stands in front of them in the loop: no
/// barrier or fence there may be for what is loaded.
static bool isSettled(const Search *search, MlirValue source) {
  const BerthTurnUses *uses = &search->uses;
  MlirOperation loop = uses->filled->loop, fence = {NULL};
  BerthSourceState state = berthSourceStateOf(uses->job, loop, source);
  if (berthTurnUsesIsBroken(uses, "settled-sources"))
    return true;
  if (state == BERTH_SOURCE_OPEN)
    return refuse(search,
                  "what is loaded may have been written in front of the loop, "
                  "with no barrier behind that",
                  loop);
  if (state == BERTH_SOURCE_SETTLED)
    mlirOperationWalk(loop, findFence, &fence, MlirWalkPreOrder);
  return mlirOperationIsNull(fence) ||
         refuse(search,
                "a fence in the loop may be for what was written in front of "
                "it",
                fence);
}

static bool mayMoveAhead(const Search *search) {
  const BerthOpList *moved = &search->loop->moved;
  enum { kDescriptor = 2 };
  for (size_t i = 0; i < moved->count; ++i) {
    MlirOperation op = moved->ops[i];
    bool isLoad = berthOpStartsAsync(op, BERTH_ASYNC_LOAD);
    if (isLoad && !berthTurnUsesIsFill(&search->uses, op))
      continue;
    BerthWorklist needed = {0};
    bool mayMove = berthFindNeeded(search->uses.filled, op, &needed);
    berthWorklistFree(&needed);
    if (!mayMove)
      return false;
    if (!isLoad)
      continue;
    MlirValue source = mlirOperationGetOperand(op, kDescriptor);
    BerthObstacle obstacle =
        berthFindObstacle(search->uses.job, search->uses.filled->body, source);
    if (obstacle.reason)
      return refuse(search, obstacle.reason, obstacle.at);
    if (!isSettled(search, source))
      return false;
  }
  return true;
}

bool berthMayHaveLoadSlots(const BerthJob *job, bool movesAhead,
                           BerthFilled *filled) {
  BerthLoadLoop loop = berthLoadLoopOf(filled->loop);
  Search search = {.uses = {.job = job,
                            .filled = filled,
                            .kind = BERTH_ASYNC_LOAD,
                            .fills = &loop.moved},
                   .loop = &loop};
  bool mayHave = true;
  if (loop.reason)
    mayHave = refuse(&search, loop.reason, loop.at);
  else if (!movesAhead)
    mayHave =
        refuse(&search, "what TMA loads gets slots only to be loaded ahead",
               filled->fill);
  else if (!berthStandsAtStart(job, filled->loop))
    mayHave = refuse(&search,
                     "its mbarrier has the phases of one run of the loop, "
                     "which may run again",
                     filled->loop);
  for (size_t i = 0; i < loop.numGroups && mayHave; ++i)
    mayHave = isInitializedForAll(&search, loop.groups[i].init);
  if (mayHave) {
    findWait(&search);
    mayHave = berthUsesEndWithTurn(&search.uses) && fillsBuffer(&search) &&
              berthUsersMeetBetweenTurns(&search.uses) && mayMoveAhead(&search);
  }
  berthLoadLoopFree(&loop);
  return mayHave;
}

//===----------------------------------------------------------------------===//
// All loads of a loop, or none
//===----------------------------------------------------------------------===//

/// Leaves one. False if there is none to leave.
static bool leaveMixed(BerthFilled *list, size_t count) {
  bool isFound = false;
  for (size_t i = 0; i < count && !isFound; ++i) {
    BerthFilled *filled = &list[i];
    if (filled->reason || !berthFilledByLoads(filled))
      continue;
    BerthLoadLoop loop = berthLoadLoopOf(filled->loop);
    for (size_t k = 0; k < loop.moved.count && !isFound; ++k) {
      MlirOperation op = loop.moved.ops[k];
      isFound = berthOpStartsAsync(op, BERTH_ASYNC_LOAD) &&
                !berthFillsSlots(list, count, filled->loop, op);
      filled->reasonAt = op;
    }
    if (isFound)
      filled->reason = "the loop loads into another buffer that gets none";
    berthLoadLoopFree(&loop);
  }
  return isFound;
}

void berthLeaveMixedLoads(BerthFilled *list, size_t count) {
  while (leaveMixed(list, count))
    ;
}
