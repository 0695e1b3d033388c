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
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// The first operands of scf.for.
enum { kLower, kUpper, kStep };

typedef struct Run {
  MlirOperation root;
  const BerthCollectOptions *options;
  const BerthAliasOptions *alias;
  const BerthStranded *stranded;
  int64_t number; ///< of the buffer at hand
  BerthCallSummaries summaries;
  BerthBackup *backup;
  bool hasRotated;
} Run;

static bool isPlainAlloc(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_ALLOC) &&
         mlirOperationGetNumOperands(op) == 0 && !berthIsConstrained(op);
}

/// Threads that share memory may be in different turns, and the
/// number of a slot has to fit into the loop's variable.
static bool mayTakeTurns(const BerthTurnTaker *taker, MlirValue buffer,
                         int numSlots, const BerthCollectOptions *options) {
  MlirType type = mlirValueGetType(buffer);
  bool isWide = taker->isWhile;
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
      berthHaveSameAttributes(first, alloc);
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

static MlirValue cloneBefore(MlirOperation alloc, MlirOperation loop) {
  MlirOperation clone = mlirOperationClone(alloc);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, clone);
  return mlirOperationGetResult(clone, 0);
}

/// Turn t has slot t modulo their number, so what was made `age` turns ahead of
/// the first one has the slot of turn -age. What has none yet is a new one.
static void findSlots(Run *run, const BerthTurnTaker *taker,
                      MlirOperation alloc, const BerthHandedOn *handedOn,
                      int numSlots, bool takesFreed, MlirValue *slots) {
  bool isFreed = handedOn->isFreed;
  for (size_t i = 0; i < handedOn->numPlaces; ++i) {
    BerthCarriedPlace place = handedOn->places[i];
    MlirValue *slot = &slots[(2 * numSlots - place.age) % numSlots];
    if (mlirValueIsNull(*slot))
      *slot = initialSlot(run, taker, place.index, alloc, takesFreed, &isFreed);
  }
  for (int i = 0; i < numSlots; ++i)
    if (mlirValueIsNull(slots[i]))
      slots[i] = cloneBefore(alloc, taker->loop);
  for (int i = 0; isFreed && i < numSlots; ++i)
    berthSetAttribute(mlirOpResultGetOwner(slots[i]), BERTH_FREED_SLOT,
                      berthI64(mlirOperationGetContext(alloc), run->number));
}

//===----------------------------------------------------------------------===//
// The number of a turn
//===----------------------------------------------------------------------===//

/// ((%i - lower) / step) modulo the number of slots.
static MlirValue buildTurnOfFor(const BerthTurnTaker *taker,
                                BerthInsertPoint at, int numSlots) {
  MlirOperation loop = taker->loop;
  MlirValue variable = mlirBlockGetArgument(taker->first, 0);
  MlirType type = mlirValueGetType(variable);
  MlirValue offset = berthBuildBinary(at, BERTH_NAME_SUBTRACT, variable,
                                      mlirOperationGetOperand(loop, kLower));
  MlirValue turn = berthBuildBinary(at, BERTH_NAME_DIVIDE, offset,
                                    mlirOperationGetOperand(loop, kStep));
  return berthBuildBinary(at, BERTH_NAME_REMAINDER, turn,
                          berthBuildInteger(at, type, numSlots));
}

/// The same loop with one more value that it carries and returns.
static MlirOperation rebuildWith(MlirOperation loop, MlirValue initial) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(loop)),
                            mlirOperationGetLocation(loop));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); ++i) {
    MlirValue operand = mlirOperationGetOperand(loop, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddOperands(&state, 1, &initial);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  MlirType type = mlirValueGetType(initial);
  mlirOperationStateAddResults(&state, 1, &type);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(loop); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(loop, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
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

/// Makes a scf.while carry the number of its turn, modulo that of the slots.
/// Returns it as the block of the allocation has it.
static MlirValue buildTurnOfWhile(BerthTurnTaker *taker, MlirOperation alloc,
                                  int numSlots) {
  MlirLocation location = mlirOperationGetLocation(taker->loop);
  MlirValue zero = berthBuildIndex(berthInsertBefore(taker->loop), 0);
  MlirType type = mlirValueGetType(zero);
  bool isInFirst = mlirBlockEqual(mlirOperationGetBlock(alloc), taker->first);
  taker->loop = rebuildWith(taker->loop, zero);
  MlirValue first = mlirBlockAddArgument(taker->first, type, location);
  MlirValue second = mlirBlockAddArgument(taker->second, type, location);
  berthAddOperand(taker->condition, first);
  BerthInsertPoint at = berthInsertBefore(taker->yield);
  MlirValue next =
      berthBuildBinary(at, BERTH_NAME_ADD, second, berthBuildIndex(at, 1));
  berthAddOperand(taker->yield,
                  berthBuildBinary(at, BERTH_NAME_REMAINDER, next,
                                   berthBuildIndex(at, numSlots)));
  ++taker->numCarried;
  return isInFirst ? first : second;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirValue buildChoice(BerthInsertPoint at, MlirValue number,
                             int numSlots, const MlirValue *slots) {
  MlirType type = mlirValueGetType(number);
  MlirValue choice = slots[numSlots - 1];
  for (int i = numSlots - 2; i >= 0; --i)
    choice = berthBuildSelect(at,
                              berthBuildCompare(at, BERTH_EQUAL, number,
                                                berthBuildInteger(at, type, i)),
                              slots[i], choice);
  berthSetAttribute(mlirOpResultGetOwner(choice), BERTH_TURNS,
                    berthI64(mlirLocationGetContext(at.location), numSlots));
  return choice;
}

static void rotate(Run *run, BerthTurnTaker *taker, MlirOperation alloc,
                   const BerthHandedOn *handedOn, int numSlots,
                   bool takesFreed) {
  MlirValue slots[BERTH_MOST_TURNS_BACK + 1] = {{NULL}};
  findSlots(run, taker, alloc, handedOn, numSlots, takesFreed, slots);
  MlirValue number =
      taker->isWhile
          ? buildTurnOfWhile(taker, alloc, numSlots)
          : buildTurnOfFor(taker, berthInsertBefore(alloc), numSlots);
  MlirValue slot =
      buildChoice(berthInsertBefore(alloc), number, numSlots, slots);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(alloc, 0), slot);
  mlirOperationDestroy(alloc);
}

static bool isStranded(const Run *run) {
  bool isIn = run->stranded->all;
  for (size_t i = 0; i < run->stranded->count; ++i)
    isIn |= run->stranded->numbers[i] == run->number;
  return isIn;
}

/// Gives the allocation slots if that helps.
static void tryAlloc(Run *run, BerthTurnTaker *taker, MlirOperation alloc) {
  if (!isPlainAlloc(alloc))
    return;
  BerthHandedOn handedOn;
  bool isKnown =
      berthFollowHandedOn(taker, alloc, run->alias, &run->summaries, &handedOn);
  bool takesNoOlder =
      berthIsBroken(run->alias->breakRule, "no-older-instances");
  int numSlots = takesNoOlder ? 2 : handedOn.turnsBack + 1;
  if (isKnown && handedOn.turnsBack > 0 &&
      numSlots <= BERTH_MOST_TURNS_BACK + 1 &&
      mayTakeTurns(taker, mlirOperationGetResult(alloc, 0), numSlots,
                   run->options)) {
    bool takesFreed = !isStranded(run);
    if (takesFreed || !handedOn.isFreed) {
      berthBackupTake(run->backup, run->root);
      rotate(run, taker, alloc, &handedOn, numSlots, takesFreed);
      run->hasRotated = true;
    }
    ++run->number;
  }
  berthHandedOnFree(&handedOn);
}

static void tryBlock(Run *run, BerthTurnTaker *taker, MlirBlock block) {
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    tryAlloc(run, taker, op);
  }
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
                        const BerthStranded *stranded, BerthBackup *backup) {
  Run run = {.root = root,
             .options = options,
             .alias = alias,
             .stranded = stranded,
             .summaries = berthCallSummariesCreate(alias),
             .backup = backup};
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
