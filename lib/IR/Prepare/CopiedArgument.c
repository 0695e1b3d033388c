//===- CopiedArgument.c - Changed copies of arguments ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument and its copy are one content until something is written to the
// copy. What reads the argument has to be over by then, and nothing may write
// to the argument behind the copying.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/CopiedArgument.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Points.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

static bool isArgumentOf(MlirValue value, MlirBlock entry) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry);
}

/// The copy of an argument that fills `made`, if there is one.
static bool findCopy(BerthCopiedArgument *copied) {
  for (MlirOpOperand use = mlirValueGetFirstUse(copied->made);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = {NULL};
    if (berthOpIsCopy(op) && mlirOpOperandGetOperandNumber(use) == 1)
      source = berthBehindCasts(mlirOperationGetOperand(op, 0));
    if (mlirValueIsNull(source) || !isArgumentOf(source, copied->entry) ||
        mlirValueEqual(source, copied->made))
      continue;
    copied->copy = op;
    copied->old = source;
    copied->argument = mlirBlockArgumentGetArgNumber(source);
    return true;
  }
  return false;
}

static MlirBlock entryOf(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

bool berthFindReturnedCopy(MlirOperation function, intptr_t result,
                           BerthCopiedArgument *copied) {
  BerthReturned returned = berthFindReturned(function, result);
  if (mlirValueIsNull(returned.value) ||
      !mlirValueIsAOpResult(returned.value) ||
      !mlirTypeIsAMemRef(mlirValueGetType(returned.value)))
    return false;
  *copied = (BerthCopiedArgument){.function = function,
                                  .entry = entryOf(function),
                                  .made = returned.value,
                                  .alloc = mlirOpResultGetOwner(returned.value),
                                  .place = result};
  return berthOpIs(copied->alloc, BERTH_OP_ALLOC) && findCopy(copied);
}

bool berthFindBroughtCopy(MlirOperation function, intptr_t argument,
                          BerthCopiedArgument *copied) {
  MlirBlock entry = entryOf(function);
  MlirValue made = mlirBlockGetArgument(entry, argument);
  *copied = (BerthCopiedArgument){
      .function = function, .entry = entry, .made = made, .place = argument};
  return mlirTypeIsAMemRef(mlirValueGetType(made)) && findCopy(copied);
}

//===----------------------------------------------------------------------===//
// What the function does with both
//===----------------------------------------------------------------------===//

/// Ops of the entry block in which something is done; null: none.
typedef struct Walk {
  BerthSpender *spender;
  const BerthCopiedArgument *copied;
  bool isOfOld;          ///< what is looked at is the argument
  MlirOperation written; ///< the first in which the copy is written
  MlirOperation read;    ///< the last in which the argument is read
  const char *obstacle;
} Walk;

/// The op, or what it stands in, in the entry block; null: in another block.
static MlirOperation topOf(const BerthCopiedArgument *copied,
                           MlirOperation op) {
  MlirOperation top =
      berthAncestorInRegion(op, mlirBlockGetParentRegion(copied->entry));
  bool isThere = !mlirOperationIsNull(top) &&
                 mlirBlockEqual(mlirOperationGetBlock(top), copied->entry);
  return isThere ? top : (MlirOperation){NULL};
}

/// True if the op of the entry block stands in front of the other one.
static bool isAhead(MlirOperation op, MlirOperation other) {
  return !mlirOperationEqual(op, other) &&
         mlirOperationIsBeforeInBlock(op, other);
}

static void noteAccess(Walk *walk, MlirOperation op, BerthUse use) {
  const BerthCopiedArgument *copied = walk->copied;
  MlirOperation top = topOf(copied, op);
  bool isEntry = !mlirOperationIsNull(top);
  bool isBefore = isEntry && isAhead(top, copied->copy);
  if (walk->isOfOld) {
    if (use.writes && !isBefore)
      walk->obstacle = "the function writes to it behind that";
    else if (!isEntry)
      walk->obstacle = "the function reads it again in another block";
    else if (mlirOperationIsNull(walk->read) || isAhead(walk->read, top))
      walk->read = top;
  } else if (isEntry && !isAhead(copied->copy, top)) {
    walk->obstacle = "the copy is in use before that";
  } else if (use.writes && isEntry &&
             (mlirOperationIsNull(walk->written) ||
              isAhead(top, walk->written))) {
    walk->written = top;
  }
}

static bool isReturn(const Walk *walk, MlirOperation op, MlirOpOperand use) {
  return !walk->isOfOld && !mlirOperationIsNull(walk->copied->alloc) &&
         berthOpIsReturn(op) &&
         mlirOpOperandGetOperandNumber(use) == walk->copied->place &&
         mlirOperationEqual(mlirOperationGetParentOperation(op),
                            walk->copied->function);
}

/// Looks at what is done to the value and its views.
static void lookAt(Walk *walk, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !walk->obstacle;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = berthViewGetSource(op);
    BerthUse is;
    if (mlirOperationEqual(op, walk->copied->copy) || isReturn(walk, op, use))
      continue;
    if (!mlirValueIsNull(source) && mlirValueEqual(source, value) &&
        mlirOperationGetNumResults(op) == 1)
      lookAt(walk, mlirOperationGetResult(op, 0));
    else if (!berthOnlyAccesses(walk->spender, use, &is))
      walk->obstacle = walk->isOfOld ? "the function does more with it"
                                     : "the function does more with the copy";
    else
      noteAccess(walk, op, is);
  }
}

static const char *allocationIsNeeded(const BerthSpender *spender,
                                      const BerthCopiedArgument *copied) {
  BerthReturned returned = berthFindReturned(copied->function, copied->place);
  if (!returned.isOne)
    return "it is not the same value at each return";
  if (returned.isTwice)
    return "the copy is returned twice";
  if (!mlirBlockEqual(mlirOperationGetBlock(copied->alloc), copied->entry))
    return "it may be copied several times, or not at all";
  if (berthIsTold(copied->alloc))
    return "the copy's allocation has attributes of Berth's";
  return berthMemoryMayBeShared(copied->alloc, mlirValueGetType(copied->made),
                                spender->known->options)
             ? "threads may share it"
             : NULL;
}

const char *berthCopyIsNeeded(BerthSpender *spender,
                              const BerthCopiedArgument *copied) {
  const char *why = mlirOperationIsNull(copied->alloc)
                        ? NULL
                        : allocationIsNeeded(spender, copied);
  if (why)
    return why;
  if (!mlirBlockEqual(mlirOperationGetBlock(copied->copy), copied->entry))
    return "it may be copied several times, or not at all";
  if (berthCallsReturnTwice(copied->function))
    return "a function that it calls may return a second time";
  Walk old = {.spender = spender, .copied = copied, .isOfOld = true};
  Walk made = {.spender = spender, .copied = copied};
  lookAt(&old, copied->old);
  lookAt(&made, copied->made);
  if (old.obstacle || made.obstacle)
    return old.obstacle ? old.obstacle : made.obstacle;
  bool isReadLate = !mlirOperationIsNull(old.read) &&
                    !mlirOperationIsNull(made.written) &&
                    !isAhead(old.read, made.written);
  return isReadLate && !berthIsBroken(spender->alias->breakRule, "old-content")
             ? "the function reads it when it has written to the copy"
             : NULL;
}
