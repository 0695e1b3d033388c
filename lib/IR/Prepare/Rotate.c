//===- Rotate.c - Two slots for a buffer that a loop hands on -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/Rotate.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Prepare/HandedOn.h"
#include "IR/Rewrite/Callers.h"
#include "IR/Scope/Points.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Run {
  MlirOperation root;
  const BerthCollectOptions *options;
  const BerthAliasOptions *alias;
  const BerthStranded *stranded;
  int64_t number; ///< of the buffer at hand
  BerthCallSummaries summaries;
  BerthBackup *backup;
  BerthShownSlots *shown;
  bool hasRotated;
} Run;

static bool isPlainAlloc(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_ALLOC) &&
         mlirOperationGetNumOperands(op) == 0 && !berthIsConstrained(op);
}

/// True if the op stands in the block, or in an op there.
static bool isIn(MlirOperation op, MlirBlock block) {
  return !mlirOperationIsNull(
      berthAncestorInRegion(op, mlirBlockGetParentRegion(block)));
}

/// Threads that share memory may be in different turns, and the
/// number of a slot has to fit into the loop's variable.
static bool mayTakeTurns(const BerthTurnTaker *taker, MlirOperation alloc,
                         int numSlots, const BerthCollectOptions *options) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  bool isWide = !berthCountsTurns(taker, alloc);
  if (!isWide) {
    MlirType turn = mlirValueGetType(mlirBlockGetArgument(taker->first, 0));
    isWide = !mlirTypeIsAInteger(turn) ||
             mlirIntegerTypeGetWidth(turn) > (numSlots > 2 ? 4 : 2);
  }
  return isWide && mlirTypeIsAMemRef(type) &&
         !berthMemoryMayBeShared(taker->loop, type, options);
}

//===----------------------------------------------------------------------===//
// The initial buffers as slots
//===----------------------------------------------------------------------===//

/// True if the two are allocated alike, but for where an earlier plan has put
/// them.
static bool areAlike(MlirOperation a, MlirOperation b) {
  MlirOperation first = mlirOperationClone(a), second = mlirOperationClone(b);
  berthForgetSlots(first);
  berthForgetSlots(second);
  bool areSame = berthHaveSameAttributes(first, second);
  mlirOperationDestroy(first);
  mlirOperationDestroy(second);
  return areSame;
}

/// The buffer that the loop begins with at a place, if nobody wants what it
/// holds but by way of the loop, and it is made as `alloc` is; else null.
static MlirValue initialSlot(Run *run, const BerthTurnTaker *taker,
                             intptr_t index, MlirOperation alloc,
                             bool takesFreed, bool *isFreed) {
  MlirValue none = {NULL};
  MlirValue initial =
      mlirOperationGetOperand(taker->loop, taker->firstInitial + index);
  if (!mlirValueIsAOpResult(initial))
    return none;
  MlirOperation first = mlirOpResultGetOwner(initial);
  bool isOwnFreed = false;
  bool isAlike =
      isPlainAlloc(first) &&
      mlirTypeEqual(mlirValueGetType(initial),
                    mlirValueGetType(mlirOperationGetResult(alloc, 0))) &&
      areAlike(first, alloc);
  bool isHere = mlirBlockEqual(mlirOperationGetBlock(first),
                               mlirOperationGetBlock(taker->loop));
  bool isUnwanted = berthIsUsedUpTo(taker->loop, initial, run->alias,
                                    &run->summaries, &isOwnFreed) ||
                    berthIsBroken(run->alias->breakRule, "any-initial-slot");
  if (!isAlike || !isHere || !isUnwanted || (isOwnFreed && !takesFreed))
    return none;
  *isFreed |= isOwnFreed;
  return initial;
}

/// Turn t has slot t modulo their number, so what was made `age` turns ahead of
/// the first one has the slot of turn -age. What has none yet is a new one.
static void findSlots(Run *run, const BerthTurnTaker *taker,
                      MlirOperation alloc, const BerthHandedOn *handedOn,
                      bool takesFreed, BerthSlots *slots) {
  int numSlots = slots->count;
  bool isFreed = handedOn->isFreed;
  for (size_t i = 0; i < handedOn->numPlaces; ++i) {
    BerthCarriedPlace place = handedOn->places[i];
    MlirValue *slot = &slots->values[(2 * numSlots - place.age) % numSlots];
    if (mlirValueIsNull(*slot))
      *slot = initialSlot(run, taker, place.index, alloc, takesFreed, &isFreed);
  }
  for (int i = 0; i < numSlots; ++i) {
    slots->areNew[i] = mlirValueIsNull(slots->values[i]);
    if (slots->areNew[i])
      slots->values[i] = berthBuildSlot(alloc, taker->loop);
  }
  for (int i = 0; isFreed && i < numSlots; ++i)
    berthSetAttribute(mlirOpResultGetOwner(slots->values[i]), BERTH_FREED_SLOT,
                      berthI64(mlirOperationGetContext(alloc), run->number));
}

//===----------------------------------------------------------------------===//
// The number of a turn
//===----------------------------------------------------------------------===//

/// How many operands affine.for has of each kind, with one more at its end.
static MlirAttribute oneMoreInitial(MlirAttribute segments) {
  enum { kMostSegments = 4 };
  int32_t sizes[kMostSegments];
  intptr_t count = mlirDenseArrayGetNumElements(segments);
  if (count > kMostSegments)
    berthFatal("affine.for has more kinds of operands than Berth knows");
  for (intptr_t i = 0; i < count; ++i)
    sizes[i] = mlirDenseI32ArrayGetElement(segments, i) + (i + 1 == count);
  return berthI32Array(mlirAttributeGetContext(segments), count, sizes);
}

static void copyAttributes(MlirOperation op, bool hasInitial,
                           MlirOperationState *state) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    bool isSegments = mlirStringRefEqual(
        mlirIdentifierStr(attribute.name),
        mlirStringRefCreateFromCString("operandSegmentSizes"));
    if (isSegments && hasInitial)
      attribute.attribute = oneMoreInitial(attribute.attribute);
    mlirOperationStateAddAttributes(state, 1, &attribute);
  }
}

/// The same op with one more result of type index; a loop begins with `initial`
/// there, unless that is null.
static MlirOperation rebuildWith(MlirOperation loop, MlirValue initial) {
  MlirContext context = mlirOperationGetContext(loop);
  bool hasInitial = !mlirValueIsNull(initial);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(loop)),
                            mlirOperationGetLocation(loop));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); ++i) {
    MlirValue operand = mlirOperationGetOperand(loop, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  if (hasInitial)
    mlirOperationStateAddOperands(&state, 1, &initial);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  MlirType type = mlirIndexTypeGet(context);
  mlirOperationStateAddResults(&state, 1, &type);
  copyAttributes(loop, hasInitial, &state);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(loop); ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(loop, i));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation result = mlirOperationCreate(&state);
  if (mlirOperationIsNull(result))
    berthFatal("Berth built an ill-formed op");
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop,
                                      result);
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i),
                                  mlirOperationGetResult(result, i));
  mlirOperationDestroy(loop);
  return result;
}

static MlirValue buildNext(MlirOperation before, MlirValue number,
                           int numSlots) {
  BerthInsertPoint at = berthInsertBefore(before);
  MlirValue next =
      berthBuildBinary(at, BERTH_NAME_ADD, number, berthBuildIndex(at, 1));
  return berthBuildBinary(at, BERTH_NAME_REMAINDER, next,
                          berthBuildIndex(at, numSlots));
}

static bool holdsMaker(const BerthMakers *makers, MlirBlock block) {
  for (int i = 0; i < makers->count; ++i)
    if (mlirBlockEqual(mlirOperationGetBlock(makers->allocs[i]), block))
      return true;
  return false;
}

/// The number behind all branches in which the allocations stand: the next one
/// where one has been made.
static MlirValue buildNumberBehind(const Run *run, const BerthTurnTaker *taker,
                                   const BerthMakers *makers, MlirValue number,
                                   int numSlots) {
  const MlirValue none = {NULL};
  bool countsAll = berthIsBroken(run->alias->breakRule, "making-turns");
  MlirValue behind = none; ///< of the fork at hand
  MlirBlock block = mlirOperationGetBlock(makers->allocs[0]);
  MlirOperation fork = mlirBlockGetParentOperation(block);
  while (!mlirOperationEqual(fork, taker->loop)) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(fork); ++i) {
      MlirBlock branch =
          mlirRegionGetFirstBlock(mlirOperationGetRegion(fork, i));
      MlirOperation end = berthBlockGetLast(branch);
      bool isMaker = mlirValueIsNull(behind) && holdsMaker(makers, branch);
      bool isAround = !mlirValueIsNull(behind) && mlirBlockEqual(branch, block);
      berthAddOperand(end, isMaker || countsAll
                               ? buildNext(end, number, numSlots)
                           : isAround ? behind
                                      : number);
    }
    fork = rebuildWith(fork, none);
    behind = mlirOperationGetResult(fork, mlirOperationGetNumResults(fork) - 1);
    block = mlirOperationGetBlock(fork);
    fork = mlirBlockGetParentOperation(block);
  }
  return behind;
}

/// Makes the loop carry the number of the next buffer, modulo that of the
/// slots. Returns it as the block of the allocations has it.
static MlirValue carryNumber(const Run *run, BerthTurnTaker *taker,
                             const BerthMakers *makers, int numSlots) {
  MlirOperation alloc = makers->allocs[0];
  MlirLocation location = mlirOperationGetLocation(taker->loop);
  bool isInFirst = isIn(alloc, taker->first);
  MlirValue zero = berthBuildIndex(berthInsertBefore(taker->loop), 0);
  MlirType type = mlirValueGetType(zero);
  taker->loop = rebuildWith(taker->loop, zero);
  ++taker->numCarried;
  MlirValue first = mlirBlockAddArgument(taker->first, type, location);
  MlirValue second = taker->isWhile
                         ? mlirBlockAddArgument(taker->second, type, location)
                         : first;
  MlirValue number = isInFirst ? first : second;
  MlirValue behind = buildNumberBehind(run, taker, makers, number, numSlots);
  bool isBranch = !mlirValueIsNull(behind);
  if (taker->isWhile)
    berthAddOperand(taker->condition, isBranch && isInFirst ? behind : first);
  if (!isBranch)
    behind = buildNext(taker->yield, second, numSlots);
  berthAddOperand(taker->yield,
                  isBranch && isInFirst && taker->isWhile ? second : behind);
  return number;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void rotate(Run *run, BerthTurnTaker *taker, const BerthMakers *makers,
                   const BerthHandedOn *handedOn, int numSlots,
                   bool takesFreed) {
  BerthSlots slots = {.count = numSlots};
  MlirOperation alloc = makers->allocs[0];
  if (run->shown) // of what it has been told before
    berthForgetSlots(alloc);
  findSlots(run, taker, alloc, handedOn, takesFreed, &slots);
  if (run->shown) {
    berthShowSlots(taker, alloc, &slots, run->shown);
    return;
  }
  bool counts = berthCountsTurns(taker, alloc);
  MlirValue number = {NULL};
  if (!counts)
    number = carryNumber(run, taker, makers, numSlots);
  for (int i = 0; i < makers->count; ++i) {
    BerthInsertPoint at = berthInsertBefore(makers->allocs[i]);
    if (counts)
      number = berthBuildTurnOfFor(taker, at, numSlots);
    MlirValue slot = berthBuildSlotChoice(at, number, &slots);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(makers->allocs[i], 0),
                                  slot);
    mlirOperationDestroy(makers->allocs[i]);
  }
}

static bool isStranded(const Run *run) {
  bool isIn = run->stranded->all;
  for (size_t i = 0; i < run->stranded->count; ++i)
    isIn |= run->stranded->numbers[i] == run->number;
  return isIn;
}

/// Gives the allocations slots if that helps. Returns true if they are gone.
static bool tryMakers(Run *run, BerthTurnTaker *taker,
                      const BerthMakers *makers) {
  BerthHandedOn handedOn;
  bool isKnown = berthFollowHandedOn(taker, makers, run->alias, &run->summaries,
                                     &handedOn);
  bool takesNoOlder =
      berthIsBroken(run->alias->breakRule, "no-older-instances");
  int numSlots = takesNoOlder ? 2 : handedOn.turnsBack + 1;
  bool isGone = false;
  // Code that stays has no place for a number that is carried.
  isKnown &= !run->shown || (berthCountsTurns(taker, makers->allocs[0]) &&
                             makers->count == 1 && !handedOn.isFreed);
  if (isKnown && handedOn.turnsBack > 0 &&
      numSlots <= BERTH_MOST_TURNS_BACK + 1 &&
      mayTakeTurns(taker, makers->allocs[0], numSlots, run->options)) {
    bool takesFreed = !run->shown && !isStranded(run);
    if (takesFreed || !handedOn.isFreed) {
      berthBackupTake(run->backup, run->root);
      rotate(run, taker, makers, &handedOn, numSlots, takesFreed);
      run->hasRotated = isGone = true;
    }
    ++run->number;
  }
  berthHandedOnFree(&handedOn);
  return isGone;
}

//===----------------------------------------------------------------------===//
// The allocations of a loop
//===----------------------------------------------------------------------===//

/// Plain allocations of a turn, those in its branches included.
typedef struct Allocs {
  MlirOperation *ops; ///< null: gone
  size_t count, capacity;
} Allocs;

static void collectAllocs(MlirBlock block, Allocs *allocs) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (isPlainAlloc(op)) {
      allocs->ops = berthGrow(allocs->ops, allocs->count, &allocs->capacity,
                              sizeof *allocs->ops);
      allocs->ops[allocs->count++] = op;
    }
    if (mlirOperationGetNumResults(op) == 0 || !berthOpIsFork(op))
      continue;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
      collectAllocs(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)),
                    allocs);
  }
}

/// True if the branches that the two stand in are of one op, and hand them on
/// at one place.
static bool areAlternatives(MlirOperation a, MlirOperation b) {
  MlirBlock inA = mlirOperationGetBlock(a), inB = mlirOperationGetBlock(b);
  MlirValue resultOfA = mlirOperationGetResult(a, 0);
  MlirValue resultOfB = mlirOperationGetResult(b, 0);
  bool areOfOne =
      !mlirBlockEqual(inA, inB) &&
      mlirOperationEqual(mlirBlockGetParentOperation(inA),
                         mlirBlockGetParentOperation(inB)) &&
      mlirTypeEqual(mlirValueGetType(resultOfA), mlirValueGetType(resultOfB)) &&
      berthHaveSameAttributes(a, b);
  MlirOperation endOfA = berthBlockGetLast(inA),
                endOfB = berthBlockGetLast(inB);
  intptr_t count = mlirOperationGetNumOperands(endOfA);
  if (!areOfOne || mlirOperationGetNumOperands(endOfB) != count)
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (mlirValueEqual(mlirOperationGetOperand(endOfA, i), resultOfA) &&
        mlirValueEqual(mlirOperationGetOperand(endOfB, i), resultOfB))
      return true;
  return false;
}

static bool isAlternativeToAll(const BerthMakers *makers, MlirOperation alloc) {
  bool isOne = true;
  for (int i = 0; i < makers->count; ++i)
    isOne &= areAlternatives(makers->allocs[i], alloc);
  return isOne;
}

/// Buffers that branches hand on at one place are one of the turn.
static void tryBlock(Run *run, BerthTurnTaker *taker, MlirBlock block) {
  Allocs allocs = {0};
  collectAllocs(block, &allocs);
  for (size_t i = 0; i < allocs.count; ++i) {
    if (mlirOperationIsNull(allocs.ops[i]))
      continue;
    size_t taken[BERTH_MOST_MAKERS];
    BerthMakers makers = {{allocs.ops[i]}, 1};
    taken[0] = i;
    bool isInBranch =
        !mlirBlockEqual(mlirOperationGetBlock(allocs.ops[i]), block);
    for (size_t k = i + 1; isInBranch && k < allocs.count; ++k)
      if (makers.count < BERTH_MOST_MAKERS &&
          !mlirOperationIsNull(allocs.ops[k]) &&
          isAlternativeToAll(&makers, allocs.ops[k])) {
        taken[makers.count] = k;
        makers.allocs[makers.count++] = allocs.ops[k];
      }
    if (tryMakers(run, taker, &makers))
      for (int k = 0; k < makers.count; ++k)
        allocs.ops[taken[k]] = (MlirOperation){NULL};
  }
  free(allocs.ops);
}

/// Loops from the inside out: the walk is not disturbed by what is inserted in
/// front of the loop at hand, nor by another one in its place.
static MlirWalkResult visitLoop(MlirOperation op, void *userData) {
  Run *run = userData;
  BerthTurnTaker taker;
  if (!berthIsTurnTaker(op, &taker) || taker.numCarried == 0)
    return MlirWalkResultAdvance;
  tryBlock(run, &taker, taker.first);
  if (taker.isWhile)
    tryBlock(run, &taker, taker.second);
  return MlirWalkResultAdvance;
}

bool berthRotateCarried(MlirOperation root, const BerthCollectOptions *options,
                        const BerthAliasOptions *alias,
                        const BerthStranded *stranded, BerthShownSlots *shown,
                        BerthBackup *backup) {
  Run run = {.root = root,
             .options = options,
             .alias = alias,
             .stranded = stranded,
             .summaries = berthCallSummariesCreate(alias),
             .backup = backup,
             .shown = shown};
  mlirOperationWalk(root, visitLoop, &run, MlirWalkPostOrder);
  berthCallSummariesFree(&run.summaries);
  return run.hasRotated;
}

//===----------------------------------------------------------------------===//
// Slots that turns free
//===----------------------------------------------------------------------===//

typedef struct Search {
  const BerthJob *jobs;
  size_t numJobs;
  BerthStranded *stranded;
  bool found;
} Search;

static bool isPlaced(const Search *search, MlirValue value) {
  for (size_t i = 0; i < search->numJobs; ++i) {
    const BerthScope *scope = &search->jobs[i].scope;
    for (size_t k = 0; k < scope->numBuffers; ++k)
      if (mlirValueEqual(scope->buffers[k].value, value))
        return !scope->buffers[k].reason;
  }
  return false;
}

static MlirWalkResult visitSlot(MlirOperation op, void *userData) {
  Search *search = userData;
  BerthStranded *stranded = search->stranded;
  MlirAttribute number = berthAttributeOf(op, BERTH_FREED_SLOT);
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number))
    return MlirWalkResultAdvance;
  if (!isPlaced(search, mlirOperationGetResult(op, 0))) {
    stranded->numbers =
        berthGrow(stranded->numbers, stranded->count, &stranded->capacity,
                  sizeof *stranded->numbers);
    stranded->numbers[stranded->count++] = mlirIntegerAttrGetValueInt(number);
    search->found = true;
  }
  mlirOperationRemoveAttributeByName(
      op, mlirStringRefCreateFromCString(BERTH_FREED_SLOT));
  return MlirWalkResultAdvance;
}

bool berthFindStranded(MlirOperation root, const BerthJob *jobs, size_t numJobs,
                       BerthStranded *stranded) {
  Search search = {.jobs = jobs, .numJobs = numJobs, .stranded = stranded};
  mlirOperationWalk(root, visitSlot, &search, MlirWalkPreOrder);
  return search.found;
}
