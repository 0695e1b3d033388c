//===- Slots.c - Slots that the turns of a loop use in turn ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/Slots.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Rewrite {
  BerthFilled *filled;
  int64_t numSlots;
  const char *breakRule;
  MlirValue lower, upper, step, variable;
  MlirType type; ///< of these
  bool isUnsigned;
  MlirValue slots; ///< all of them
  size_t numNeeded;
  MlirOperation *needed; ///< ops that the fill needs in a turn, itself the last
} Rewrite;

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

static MlirValue number(const Rewrite *rewrite, BerthInsertPoint at,
                        int64_t value) {
  return berthBuildInteger(at, rewrite->type, value);
}

/// The number of the turn at hand, from 0.
static MlirValue buildTurn(const Rewrite *rewrite, BerthInsertPoint at) {
  if (berthIsBroken(rewrite->breakRule, "turns-from-zero"))
    return rewrite->variable;
  MlirValue since = berthBuildBinary(at, BERTH_NAME_SUBTRACT, rewrite->variable,
                                     rewrite->lower);
  return berthBuildBinary(at, BERTH_NAME_DIVIDE, since, rewrite->step);
}

/// True if at least `ahead` turns follow the one whose variable is `variable`.
static MlirValue buildIsFollowed(const Rewrite *rewrite, BerthInsertPoint at,
                                 MlirValue variable, int64_t ahead) {
  MlirValue last = berthBuildBinary(at, BERTH_NAME_SUBTRACT, rewrite->upper,
                                    number(rewrite, at, 1));
  MlirValue left = berthBuildBinary(at, BERTH_NAME_SUBTRACT, last, variable);
  MlirValue turns =
      berthBuildBinary(at, BERTH_NAME_DIVIDE, left, rewrite->step);
  return berthBuildCompare(at, BERTH_UNSIGNED_LESS_EQUAL,
                           number(rewrite, at, ahead), turns);
}

/// The variable `ahead` turns after it is `variable`.
static MlirValue buildLater(const Rewrite *rewrite, BerthInsertPoint at,
                            MlirValue variable, int64_t ahead) {
  if (ahead == 0)
    return variable;
  MlirValue way = rewrite->step;
  if (ahead > 1)
    way = berthBuildBinary(at, BERTH_NAME_MULTIPLY, way,
                           number(rewrite, at, ahead));
  return berthBuildBinary(at, BERTH_NAME_ADD, variable, way);
}

/// The slot of the turn that comes `ahead` turns after `turn`.
static MlirValue buildSlot(const Rewrite *rewrite, BerthInsertPoint at,
                           MlirValue turn, int64_t ahead) {
  MlirValue later = ahead ? berthBuildBinary(at, BERTH_NAME_ADD, turn,
                                             number(rewrite, at, ahead))
                          : turn;
  MlirValue slot = berthBuildBinary(at, BERTH_NAME_REMAINDER, later,
                                    number(rewrite, at, rewrite->numSlots));
  if (!mlirTypeIsAIndex(rewrite->type))
    slot = berthBuildValue(
        at, BERTH_NAME_INDEX_CAST, 1, &slot,
        mlirIndexTypeGet(mlirLocationGetContext(at.location)), 0, NULL);
  return berthSubViewBuildElement(at.before, rewrite->slots, slot);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Views of what has got another layout get one, too.
static void inferViews(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView view;
    if (!berthSubViewGet(op, &view))
      continue;
    MlirValue result = mlirOperationGetResult(op, 0);
    mlirValueSetType(result, berthSubViewInferType(op));
    inferViews(result);
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The ops in their order.
static void listNeeded(Rewrite *rewrite) {
  BerthWorklist found = {0};
  size_t capacity = 0;
  berthFindNeeded(rewrite->filled, &found);
  MlirOperation end = mlirOperationGetNextInBlock(rewrite->filled->fill);
  for (MlirOperation op = mlirBlockGetFirstOperation(rewrite->filled->body);
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    if (!berthWorklistHasSeen(&found, op.ptr))
      continue;
    rewrite->needed = berthGrow(rewrite->needed, rewrite->numNeeded, &capacity,
                                sizeof *rewrite->needed);
    rewrite->needed[rewrite->numNeeded++] = op;
  }
  berthWorklistFree(&found);
}

/// The copy of another turn: with what it needs, for that variable, into that
/// slot.
static void buildCopy(const Rewrite *rewrite, BerthInsertPoint at,
                      MlirValue variable, MlirValue slot) {
  BerthPointerMap map = {0}; // value -> its number in `values`
  size_t numValues = 0, capacity = 0;
  MlirValue *values = NULL;
  const MlirValue pairs[][2] = {{rewrite->variable, variable},
                                {rewrite->filled->info->value, slot}};
  for (size_t i = 0; i < 2; ++i) {
    values = berthGrow(values, numValues, &capacity, sizeof *values);
    berthPointerMapInsert(&map, pairs[i][0].ptr, numValues);
    values[numValues++] = pairs[i][1];
  }
  for (size_t n = 0; n < rewrite->numNeeded; ++n) {
    MlirOperation op = rewrite->needed[n], clone = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(at.block, at.before, clone);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(clone); ++i) {
      size_t found =
          berthPointerMapFind(&map, mlirOperationGetOperand(clone, i).ptr);
      if (found != BERTH_NOT_FOUND)
        mlirOperationSetOperand(clone, i, values[found]);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      values = berthGrow(values, numValues, &capacity, sizeof *values);
      berthPointerMapInsert(&map, mlirOperationGetResult(op, i).ptr, numValues);
      values[numValues++] = mlirOperationGetResult(clone, i);
    }
  }
  inferViews(slot);
  berthPointerMapFree(&map);
  free(values);
}

/// In front of the loop: the copies of its first turns, as far as there are
/// any.
static void buildFirstCopies(const Rewrite *rewrite) {
  MlirOperation loop = rewrite->filled->loop;
  BerthInsertPoint at = berthInsertBefore(loop);
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  bool isKnown = berthLoopGetRanges(loop, range) == 1;
  for (int64_t turn = 0; turn < rewrite->numSlots - 1; ++turn) {
    if (isKnown && turn >= range[0].count)
      return;
    if (!isKnown && turn == 0)
      at = berthBuildIf(at, berthBuildCompare(at,
                                              rewrite->isUnsigned
                                                  ? BERTH_UNSIGNED_LESS
                                                  : BERTH_SIGNED_LESS,
                                              rewrite->lower, rewrite->upper));
    else if (!isKnown)
      at = berthBuildIf(at, buildIsFollowed(rewrite, at, rewrite->lower, turn));
    MlirValue slot = berthSubViewBuildElement(at.before, rewrite->slots,
                                              berthBuildIndex(at, turn));
    buildCopy(rewrite, at, buildLater(rewrite, at, rewrite->lower, turn), slot);
  }
}

/// In the place of the copy: that of a later turn, if there is one.
static void buildCopyAhead(const Rewrite *rewrite, MlirValue turn) {
  int64_t ahead = rewrite->numSlots - 1;
  BerthInsertPoint at = berthInsertBefore(rewrite->filled->fill);
  if (!berthIsBroken(rewrite->breakRule, "turns-follow"))
    at = berthBuildIf(at,
                      buildIsFollowed(rewrite, at, rewrite->variable, ahead));
  MlirValue slot = buildSlot(rewrite, at, turn, ahead);
  buildCopy(rewrite, at, buildLater(rewrite, at, rewrite->variable, ahead),
            slot);
}

/// The copy itself, and what nobody needs any more.
static void eraseCopy(const Rewrite *rewrite) {
  for (size_t n = rewrite->numNeeded; n-- > 0;) {
    MlirOperation op = rewrite->needed[n];
    bool isUsed = false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      isUsed |= !mlirOpOperandIsNull(
          mlirValueGetFirstUse(mlirOperationGetResult(op, i)));
    if (!isUsed)
      mlirOperationDestroy(op);
  }
}

//===----------------------------------------------------------------------===//
// The buffer
//===----------------------------------------------------------------------===//

/// The allocation of all slots, where the buffer's stands, or in front of the
/// loop.
static MlirValue buildSlots(const Rewrite *rewrite) {
  const BerthFilled *filled = rewrite->filled;
  MlirType type = mlirValueGetType(filled->info->value);
  MlirOperation alloc = mlirOperationClone(filled->info->alloc);
  MlirOperation before =
      filled->isMadeInBody ? filled->loop : filled->info->alloc;
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before,
                                      alloc);
  int64_t shape[BERTH_SLICE_MAX_RANK] = {rewrite->numSlots};
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t d = 0; d < rank; ++d)
    shape[d + 1] = mlirShapedTypeGetDimSize(type, d);
  MlirValue slots = mlirOperationGetResult(alloc, 0);
  mlirValueSetType(slots, mlirMemRefTypeContiguousGet(
                              mlirShapedTypeGetElementType(type), rank + 1,
                              shape, mlirMemRefTypeGetMemorySpace(type)));
  berthSetAttribute(alloc, BERTH_SLOTS,
                    berthI64(mlirTypeGetContext(type), rewrite->numSlots));
  return slots;
}

/// What freed the buffer frees the slots: once the loop is over, if they were
/// made in it.
static void freeSlots(const Rewrite *rewrite) {
  const BerthFilled *filled = rewrite->filled;
  for (size_t i = 0; i < filled->info->numFrees; ++i) {
    MlirOperation op = filled->info->frees[i];
    mlirOperationSetOperand(op, 0, rewrite->slots);
    if (filled->isMadeInBody)
      mlirOperationMoveAfter(op, filled->loop);
  }
}

MlirOperation berthBuildSlots(BerthFilled *filled, int64_t numSlots,
                              bool movesAhead, const char *breakRule) {
  enum { kLower, kUpper, kStep };
  MlirOperation loop = filled->loop;
  MlirValue variable = mlirBlockGetArgument(filled->body, 0), bounds[2];
  Rewrite rewrite = {.filled = filled,
                     .numSlots = numSlots,
                     .breakRule = breakRule,
                     .lower = mlirOperationGetOperand(loop, kLower),
                     .upper = mlirOperationGetOperand(loop, kUpper),
                     .step = mlirOperationGetOperand(loop, kStep),
                     .variable = variable,
                     .type = mlirValueGetType(variable)};
  rewrite.isUnsigned =
      berthRegionGetCondition(loop, 0, bounds) == BERTH_RUNS_WHEN_LESS_UNSIGNED;
  rewrite.slots = buildSlots(&rewrite);
  BerthInsertPoint at =
      berthInsertBefore(mlirBlockGetFirstOperation(filled->body));
  MlirValue turn = buildTurn(&rewrite, at);
  MlirValue slot = buildSlot(&rewrite, at, turn, 0);
  freeSlots(&rewrite);
  if (movesAhead) {
    listNeeded(&rewrite);
    buildFirstCopies(&rewrite);
    buildCopyAhead(&rewrite, turn);
    eraseCopy(&rewrite);
    free(rewrite.needed);
  }
  mlirValueReplaceAllUsesOfWith(filled->info->value, slot);
  inferViews(slot);
  mlirOperationDestroy(filled->info->alloc);
  return mlirOpResultGetOwner(rewrite.slots);
}
