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
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Pointers/CallSummary.h"
#include "IR/Scope/Points.h"
#include "mlir-c/BuiltinTypes.h"

/// The first operands of scf.for.
enum { kLower, kUpper, kStep };

static bool isTerminator(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

typedef struct Run {
  MlirOperation root;
  const BerthCollectOptions *options;
  const BerthAliasOptions *alias;
  BerthCallSummaries summaries;
  BerthBackup *backup;
  bool hasRotated;
} Run;

static void noteAlias(MlirValue alias, bool isView, bool isWhole,
                      void *userData) {
  (void)alias;
  (void)isView;
  (void)isWhole;
  *(bool *)userData = true;
}

/// True if all that the op does with the value is to read or write through it,
/// at its place. A called function is looked into, if it is there.
static bool onlyAccesses(Run *run, MlirOpOperand use) {
  bool isHandedOn = false;
  BerthUse is = berthClassifyUse(use, run->alias, &run->summaries, noteAlias,
                                 &isHandedOn);
  bool keeps =
      is.frees || is.goesOn || isHandedOn || is.leak != BERTH_LEAK_NONE;
  return ((is.reads || is.writes) && !keeps) ||
         berthIsBroken(run->alias->breakRule, "kept-instances");
}

static bool staysInIteration(Run *run, MlirValue value, MlirOperation yield);

/// True if this use neither frees the buffer nor hands it on.
static bool isLocalUse(Run *run, MlirOpOperand use, MlirOperation yield) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (mlirOperationEqual(op, yield))
    return true; // counted by the caller
  if (isTerminator(op) || berthOpIsTransfer(op))
    return false;
  if (!berthOpMayReturnPointer(op))
    return onlyAccesses(run, use);
  bool isView = !mlirValueIsNull(berthViewGetSource(op)) &&
                mlirOperationGetNumResults(op) == 1;
  return isView && staysInIteration(run, mlirOperationGetResult(op, 0), yield);
}

static intptr_t countYields(MlirValue value, MlirOperation yield) {
  intptr_t count = 0;
  intptr_t numOperands =
      mlirOperationIsNull(yield) ? 0 : mlirOperationGetNumOperands(yield);
  for (intptr_t i = 0; i < numOperands; ++i)
    count += mlirValueEqual(mlirOperationGetOperand(yield, i), value);
  return count;
}

/// True if nothing of `value` outlives the iteration: no use yields it.
static bool staysInIteration(Run *run, MlirValue value, MlirOperation yield) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!isLocalUse(run, use, yield))
      return false;
  return countYields(value, yield) == 0;
}

/// True if `value` is yielded exactly once, itself, and stays local otherwise.
static bool isHandedOnOnce(Run *run, MlirValue value, MlirOperation yield) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!isLocalUse(run, use, yield))
      return false;
  return countYields(value, yield) == 1;
}

static bool isPlainAlloc(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_ALLOC) &&
         mlirOperationGetNumOperands(op) == 0 && !berthIsConstrained(op);
}

/// Threads that share memory may be in different turns, and the
/// parity of a turn has to fit into the loop's variable.
static bool mayTakeTurns(MlirOperation loop, MlirValue buffer,
                         const BerthCollectOptions *options) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirType turn = mlirValueGetType(mlirBlockGetArgument(body, 0));
  MlirType type = mlirValueGetType(buffer);
  bool isWide = !mlirTypeIsAInteger(turn) || mlirIntegerTypeGetWidth(turn) > 2;
  return isWide && mlirTypeIsAMemRef(type) &&
         !berthMemoryMayBeShared(loop, type, options);
}

/// The allocation behind yield operand `index` of the loop if two slots are
/// enough for it; else null.
static MlirOperation rotatableAlloc(Run *run, MlirOperation loop,
                                    intptr_t index) {
  MlirOperation none = {NULL};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirOperation yield = berthBlockGetLast(body);
  MlirValue yielded = mlirOperationGetOperand(yield, index);
  MlirValue carried = mlirBlockGetArgument(body, index + 1);
  if (!mlirValueIsAOpResult(yielded))
    return none;
  MlirOperation alloc = mlirOpResultGetOwner(yielded);
  bool isInBody = mlirBlockEqual(mlirOperationGetBlock(alloc), body);
  if (!isInBody || !isPlainAlloc(alloc) ||
      !isHandedOnOnce(run, yielded, yield) ||
      !staysInIteration(run, carried, yield) ||
      !staysInIteration(run, mlirOperationGetResult(loop, index),
                        (MlirOperation){NULL}) ||
      !mayTakeTurns(loop, yielded, run->options))
    return none;
  return alloc;
}

//===----------------------------------------------------------------------===//
// The initial buffer as a slot
//===----------------------------------------------------------------------===//

/// True if nobody uses the value but plain accesses and views in front of the
/// loop, and the loop itself, `*count` times.
static bool isUsedBefore(Run *run, MlirValue value, MlirOperation loop,
                         int *count) {
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(loop));
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, loop)) {
      ++*count;
      continue;
    }
    MlirOperation top = berthAncestorInRegion(op, region);
    bool isBefore = !mlirOperationIsNull(top) &&
                    mlirBlockEqual(mlirOperationGetBlock(top),
                                   mlirOperationGetBlock(loop)) &&
                    mlirOperationIsBeforeInBlock(top, loop);
    if (!isBefore || !isLocalUse(run, use, (MlirOperation){NULL}))
      return false;
    if (berthOpMayReturnPointer(op) &&
        !isUsedBefore(run, mlirOperationGetResult(op, 0), loop, count))
      return false;
  }
  return true;
}

static bool haveSameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  bool result = count == mlirOperationGetNumAttributes(b);
  for (intptr_t i = 0; result && i < count; ++i)
    result = mlirAttributeEqual(mlirOperationGetAttribute(a, i).attribute,
                                mlirOperationGetAttribute(b, i).attribute);
  return result;
}

/// The buffer that the loop begins with, if nobody wants what it holds once the
/// first turn is over, and it is made as `alloc` is; else null.
static MlirValue initialSlot(Run *run, MlirOperation loop, intptr_t index,
                             MlirOperation alloc) {
  MlirValue none = {NULL};
  MlirValue initial = mlirOperationGetOperand(loop, kStep + 1 + index);
  if (!mlirValueIsAOpResult(initial))
    return none;
  MlirOperation first = mlirOpResultGetOwner(initial);
  int count = 0;
  bool isAlike =
      isPlainAlloc(first) &&
      mlirTypeEqual(mlirValueGetType(initial),
                    mlirValueGetType(mlirOperationGetResult(alloc, 0))) &&
      haveSameAttributes(first, alloc);
  bool isHere =
      mlirBlockEqual(mlirOperationGetBlock(first), mlirOperationGetBlock(loop));
  bool isUnwanted = (isUsedBefore(run, initial, loop, &count) && count == 1) ||
                    berthIsBroken(run->alias->breakRule, "any-initial-slot");
  return isAlike && isHere && isUnwanted ? initial : none;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// ((%i - lower) / step) % 2 == 0, in front of the allocation.
static MlirValue buildIsEven(MlirOperation loop, BerthInsertPoint at) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue variable = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(variable);
  MlirValue offset = berthBuildBinary(at, BERTH_NAME_SUBTRACT, variable,
                                      mlirOperationGetOperand(loop, kLower));
  MlirValue turn = berthBuildBinary(at, BERTH_NAME_DIVIDE, offset,
                                    mlirOperationGetOperand(loop, kStep));
  MlirValue parity = berthBuildBinary(at, BERTH_NAME_REMAINDER, turn,
                                      berthBuildInteger(at, type, 2));
  return berthBuildCompare(at, BERTH_EQUAL, parity,
                           berthBuildInteger(at, type, 0));
}

static MlirValue cloneBefore(MlirOperation alloc, MlirOperation loop) {
  MlirOperation clone = mlirOperationClone(alloc);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, clone);
  return mlirOperationGetResult(clone, 0);
}

/// The first turn reads the initial buffer, so the second one may write it.
static void rotate(Run *run, MlirOperation loop, intptr_t index,
                   MlirOperation alloc) {
  BerthInsertPoint at = berthInsertBefore(alloc);
  MlirValue isEven = buildIsEven(loop, at);
  MlirValue odd = initialSlot(run, loop, index, alloc);
  MlirValue even = cloneBefore(alloc, loop);
  if (mlirValueIsNull(odd))
    odd = cloneBefore(alloc, loop);
  MlirValue old = mlirOperationGetResult(alloc, 0);
  MlirValue slot = berthBuildSelect(at, isEven, even, odd);
  mlirValueReplaceAllUsesOfWith(old, slot);
  mlirOperationDestroy(alloc);
}

/// Loops from the inside out: the walk is not disturbed by what is inserted in
/// front of the loop at hand.
static MlirWalkResult visitLoop(MlirOperation op, void *userData) {
  Run *run = userData;
  if (!berthOpIs(op, BERTH_OP_LOOP) || berthOpIsAffine(op))
    return MlirWalkResultAdvance;
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirOperation alloc = rotatableAlloc(run, op, i);
    if (mlirOperationIsNull(alloc))
      continue;
    berthBackupTake(run->backup, run->root);
    rotate(run, op, i, alloc);
    run->hasRotated = true;
  }
  return MlirWalkResultAdvance;
}

bool berthRotateCarried(MlirOperation root, const BerthCollectOptions *options,
                        const BerthAliasOptions *alias, BerthBackup *backup) {
  Run run = {.root = root,
             .options = options,
             .alias = alias,
             .summaries = berthCallSummariesCreate(alias),
             .backup = backup};
  mlirOperationWalk(root, visitLoop, &run, MlirWalkPostOrder);
  berthCallSummariesFree(&run.summaries);
  return run.hasRotated;
}
