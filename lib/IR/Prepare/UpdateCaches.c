//===- UpdateCaches.c - Arguments updated in place ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the function, the argument and its copy are one content until something is
// written to the copy. What reads the argument has to be over by then, and
// nothing may write to the argument behind the copying.
//
// Functions are looked at again until nothing changes: what a function returns
// of a call may be its own argument once the callee has been changed.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/UpdateCaches.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Prepare/Spent.h"
#include "IR/Scope/Points.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Run {
  MlirOperation root;
  const BerthStranded *stranded;
  BerthUpdateCheck check;
  BerthBackup *backup;
  BerthKnownCalls known;
  BerthSpender spender;
  BerthUpdates *result;
  BerthWorklist said; ///< copies that stay, of which it has been told
} Run;

/// A function that returns a copy of an argument.
typedef struct Update {
  MlirOperation function;
  int64_t number; ///< of function and argument, below 0
  intptr_t result;
  intptr_t argument;
  MlirValue old; ///< the argument
  MlirOperation alloc;
  MlirValue made; ///< its result
  MlirOperation copy;
  MlirBlock entry;
} Update;

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

static bool isArgumentOf(MlirValue value, MlirBlock entry) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry);
}

/// The copy of an argument that fills what is returned, if that is made by an
/// allocation of the function.
static bool findUpdate(MlirOperation function, intptr_t result,
                       Update *update) {
  BerthReturned returned = berthFindReturned(function, result);
  if (mlirValueIsNull(returned.value) ||
      !mlirValueIsAOpResult(returned.value) ||
      !mlirTypeIsAMemRef(mlirValueGetType(returned.value)))
    return false;
  MlirRegion body = mlirOperationGetRegion(function, 0);
  *update = (Update){.function = function,
                     .result = result,
                     .alloc = mlirOpResultGetOwner(returned.value),
                     .made = returned.value,
                     .entry = mlirRegionGetFirstBlock(body)};
  if (!berthOpIs(update->alloc, BERTH_OP_ALLOC))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(update->made);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = {NULL};
    if (berthOpIsCopy(op) && mlirOpOperandGetOperandNumber(use) == 1)
      source = berthBehindCasts(mlirOperationGetOperand(op, 0));
    if (mlirValueIsNull(source) || !isArgumentOf(source, update->entry))
      continue;
    update->copy = op;
    update->old = source;
    update->argument = mlirBlockArgumentGetArgNumber(source);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// What the function does with both
//===----------------------------------------------------------------------===//

/// Ops of the entry block in which something is done; null: none.
typedef struct Walk {
  Run *run;
  const Update *update;
  bool isOfOld;          ///< what is looked at is the argument
  MlirOperation written; ///< the first in which the copy is written
  MlirOperation read;    ///< the last in which the argument is read
  const char *obstacle;
} Walk;

/// The op, or what it stands in, in the entry block; null: in another block.
static MlirOperation topOf(const Update *update, MlirOperation op) {
  MlirOperation top =
      berthAncestorInRegion(op, mlirBlockGetParentRegion(update->entry));
  bool isThere = !mlirOperationIsNull(top) &&
                 mlirBlockEqual(mlirOperationGetBlock(top), update->entry);
  return isThere ? top : (MlirOperation){NULL};
}

/// True if the op of the entry block stands in front of the other one.
static bool isAhead(MlirOperation op, MlirOperation other) {
  return !mlirOperationEqual(op, other) &&
         mlirOperationIsBeforeInBlock(op, other);
}

static void noteAccess(Walk *walk, MlirOperation op, BerthUse use) {
  const Update *update = walk->update;
  MlirOperation top = topOf(update, op);
  bool isEntry = !mlirOperationIsNull(top);
  bool isBefore = isEntry && isAhead(top, update->copy);
  if (walk->isOfOld) {
    if (use.writes && !isBefore)
      walk->obstacle = "the function writes to it behind that";
    else if (!isEntry)
      walk->obstacle = "the function reads it again in another block";
    else if (mlirOperationIsNull(walk->read) || isAhead(walk->read, top))
      walk->read = top;
  } else if (isEntry && !isAhead(update->copy, top)) {
    walk->obstacle = "the copy is in use before that";
  } else if (use.writes && isEntry &&
             (mlirOperationIsNull(walk->written) ||
              isAhead(top, walk->written))) {
    walk->written = top;
  }
}

static bool isReturn(const Walk *walk, MlirOperation op, MlirOpOperand use) {
  return !walk->isOfOld && berthOpIsReturn(op) &&
         mlirOpOperandGetOperandNumber(use) == walk->update->result &&
         mlirOperationEqual(mlirOperationGetParentOperation(op),
                            walk->update->function);
}

/// Looks at what is done to the value and its views.
static void lookAt(Walk *walk, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !walk->obstacle;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = berthViewGetSource(op);
    BerthUse is;
    if (mlirOperationEqual(op, walk->update->copy) || isReturn(walk, op, use))
      continue;
    if (!mlirValueIsNull(source) && mlirValueEqual(source, value) &&
        mlirOperationGetNumResults(op) == 1)
      lookAt(walk, mlirOperationGetResult(op, 0));
    else if (!berthOnlyAccesses(&walk->run->spender, use, &is))
      walk->obstacle = walk->isOfOld ? "the function does more with it"
                                     : "the function does more with the copy";
    else
      noteAccess(walk, op, is);
  }
}

/// Why the copy has to stay, whoever calls the function, or NULL.
static const char *obstacleInside(Run *run, const Update *update) {
  BerthReturned returned = berthFindReturned(update->function, update->result);
  if (!returned.isOne)
    return "it is not the same value at each return";
  if (returned.isTwice)
    return "the copy is returned twice";
  if (!mlirBlockEqual(mlirOperationGetBlock(update->alloc), update->entry) ||
      !mlirBlockEqual(mlirOperationGetBlock(update->copy), update->entry))
    return "it may be copied several times, or not at all";
  if (berthIsTold(update->alloc))
    return "the copy's allocation has attributes of Berth's";
  if (berthMemoryMayBeShared(update->alloc, mlirValueGetType(update->made),
                             run->known.options))
    return "threads may share it";
  if (berthCallsReturnTwice(update->function))
    return "a function that it calls may return a second time";
  Walk old = {.run = run, .update = update, .isOfOld = true};
  Walk made = {.run = run, .update = update};
  lookAt(&old, update->old);
  lookAt(&made, update->made);
  if (old.obstacle || made.obstacle)
    return old.obstacle ? old.obstacle : made.obstacle;
  bool isReadLate = !mlirOperationIsNull(old.read) &&
                    !mlirOperationIsNull(made.written) &&
                    !isAhead(old.read, made.written);
  return isReadLate &&
                 !berthIsBroken(run->spender.alias->breakRule, "old-content")
             ? "the function reads it when it has written to the copy"
             : NULL;
}

//===----------------------------------------------------------------------===//
// Its callers
//===----------------------------------------------------------------------===//

typedef struct FreeSearch {
  bool ofAny;
  bool found;
} FreeSearch;

static MlirWalkResult visitFree(MlirOperation op, void *userData) {
  FreeSearch *search = userData;
  bool isFree = berthOpIsFree(op) || berthOpIs(op, BERTH_OP_FREE_LISTED);
  for (intptr_t i = 0; isFree && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue freed = berthBehindCasts(mlirOperationGetOperand(op, i));
    search->found |= search->ofAny || !mlirValueIsAOpResult(freed) ||
                     !berthOpIsPlainAllocation(mlirOpResultGetOwner(freed));
  }
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// True if something in the module is freed that may be what a call returns; or
/// anything at all.
static bool frees(const Run *run, bool anything) {
  FreeSearch search = {.ofAny = anything};
  mlirOperationWalk(run->root, visitFree, &search, MlirWalkPreOrder);
  return search.found;
}

/// Of an argument that is marked the user's word counts where nothing can be
/// proved; but what is freed then, and when, nobody has said.
static const char *trustUser(Run *run, const Update *update,
                             const BerthCallSites *sites,
                             BerthSpending *spending) {
  const char *reason = spending->reason;
  bool isOne = mlirTypeEqual(mlirValueGetType(update->old),
                             mlirValueGetType(update->made));
  if (!reason && !spending->isOfCaller)
    return isOne || !sites->isOpen ? NULL : "its type is not that of its copy";
  if (!isOne)
    return "its type is not that of its copy";
  if (frees(run, reason != NULL))
    return "memory is freed of which nobody knows whose it is then";
  if (reason) {
    berthSpendingFree(spending);
    *spending = (BerthSpending){.isOfCaller = true};
  }
  return NULL;
}

/// Why a caller needs the copy, or NULL and what has to go with it.
static const char *obstacleOutside(Run *run, const Update *update,
                                   const BerthCallSites *sites,
                                   BerthSpending *spending) {
  bool isMarked = berthArgumentIsUpdated(update->function, update->argument);
  if (sites->obstacle)
    return sites->obstacle;
  if (sites->isOpen && !isMarked)
    return "it may be called from outside of the module, and the argument is "
           "not marked berth.updated";
  if (!sites->isOpen &&
      !mlirAttributeIsNull(berthAttributeOf(update->function, "res_attrs")))
    return "its results have attributes";
  for (size_t i = 0; i < sites->count; ++i)
    if (!berthProveSpent(&run->spender, sites->calls[i], update->argument,
                         mlirValueGetType(update->made), spending))
      break;
  if (isMarked || (!spending->reason && spending->isOfCaller))
    return trustUser(run, update, sites, spending);
  return spending->reason;
}

/// True if what is freed on some way may be tried: then all memory has to get a
/// place.
static bool mayBind(const Run *run, const Update *update,
                    const BerthSpending *spending) {
  bool isStranded = run->stranded->all;
  for (size_t i = 0; i < run->stranded->count; ++i)
    isStranded |= run->stranded->numbers[i] == update->number;
  return !isStranded && !spending->isOfCaller;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The same memory as `type`, in front of an op.
static MlirValue castTo(MlirValue value, MlirType type, MlirOperation before) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  MlirValue behind = berthBehindCasts(value);
  if (mlirTypeEqual(mlirValueGetType(behind), type))
    return behind;
  return berthBuildValue(berthInsertBefore(before), BERTH_NAME_CAST, 1, &value,
                         type, 0, NULL);
}

static void changeCall(const Update *update, const BerthCallSites *sites,
                       MlirOperation call) {
  MlirType type = mlirValueGetType(update->made);
  MlirValue now =
      castTo(mlirOperationGetOperand(call, update->argument), type, call);
  if (sites->isOpen)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, update->result),
                                  now);
  else
    berthDropCallResult(call, update->result, now);
}

/// Allocations that have to be placed are marked until it is known.
static void bind(Run *run, const Update *update,
                 const BerthSpending *spending) {
  MlirContext context = mlirOperationGetContext(run->root);
  for (size_t i = 0; i < spending->makers.numPending; ++i)
    berthSetAttribute((MlirOperation){(void *)spending->makers.pending[i]},
                      BERTH_FREED_SLOT, berthI64(context, update->number));
  run->result->isBound = true;
}

static void rewrite(Run *run, const Update *update, const BerthCallSites *sites,
                    BerthSpending *spending) {
  if (spending->isFreedOnSomeWay)
    bind(run, update, spending);
  MlirValue now = castTo(update->old, mlirValueGetType(update->made),
                         mlirBlockGetFirstOperation(update->entry));
  for (size_t i = 0; i < sites->count; ++i)
    changeCall(update, sites, sites->calls[i]);
  mlirValueReplaceAllUsesOfWith(update->made, now);
  mlirOperationDestroy(update->copy);
  mlirOperationDestroy(update->alloc);
  if (!sites->isOpen)
    berthDropReturned(update->function, update->result);
  while (spending->frees.numPending)
    mlirOperationDestroy(
        (MlirOperation){(void *)berthWorklistTake(&spending->frees)});
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

/// Remarks wait until it is known that all stays as it is then.
static void note(Run *run, const Update *update, BerthRemarkKind kind,
                 const char *format, const char *reason) {
  BerthUpdates *result = run->result;
  BerthText text = {0};
  BerthTypeSize size;
  bool isKnown = berthMemRefGetSize(mlirValueGetType(update->made),
                                    update->alloc, &size) == BERTH_SIZE_OK;
  berthTextAppend(&text, format, (long long)update->argument);
  if (isKnown)
    berthTextAppend(&text, " (%lld bytes)", (long long)size.bytes);
  if (reason)
    berthTextAppend(&text, ": %s", reason);
  result->notes = berthGrow(result->notes, result->numNotes,
                            &result->noteCapacity, sizeof *result->notes);
  result->notes[result->numNotes++] =
      (BerthUpdateNote){update->function, kind, text};
}

/// What else looks at it, by the mark. NULL: nothing speaks against it.
static const char *checkUpdate(Run *run, const Update *update) {
  MlirContext context = mlirOperationGetContext(run->root);
  if (!run->check)
    return NULL;
  berthSetAttribute(update->copy, BERTH_UPDATE,
                    berthI64(context, update->argument));
  const char *why = run->check(run->root, update->copy);
  mlirOperationRemoveAttributeByName(
      update->copy, mlirStringRefCreateFromCString(BERTH_UPDATE));
  return why;
}

static void refuse(Run *run, const Update *update, const char *why) {
  if (berthWorklistAdd(&run->said, update->copy.ptr))
    note(run, update, BERTH_REMARK_MISSED,
         "argument %lld is copied, and not updated in place", why);
}

/// True if the function has been changed.
static bool tryUpdate(Run *run, const Update *update) {
  BerthSpending spending = {0};
  BerthCallSites sites = berthFindCallSites(&run->known, update->function);
  const char *why = obstacleInside(run, update);
  if (!why)
    why = obstacleOutside(run, update, &sites, &spending);
  if (!why && spending.isFreedOnSomeWay && !mayBind(run, update, &spending))
    why = "it may be freed, and has no place";
  if (!why)
    why = checkUpdate(run, update);
  if (why) {
    refuse(run, update, why);
  } else {
    berthBackupTake(run->backup, run->root);
    note(run, update, BERTH_REMARK_PASSED,
         "argument %lld is updated in place, without a copy", NULL);
    rewrite(run, update, &sites, &spending);
  }
  berthSpendingFree(&spending);
  free(sites.calls);
  return !why;
}

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

typedef struct Functions {
  MlirOperation *ops;
  size_t count, capacity;
  bool hasAny; ///< one of them returns a copy of an argument
} Functions;

static intptr_t countResults(MlirOperation function) {
  return mlirFunctionTypeGetNumResults(berthFunctionGetType(function));
}

static MlirWalkResult addFunction(MlirOperation op, void *userData) {
  Functions *functions = userData;
  if (!berthOpIs(op, BERTH_OP_FUNCTION))
    return MlirWalkResultAdvance;
  if (berthFunctionIsUnseen(op))
    return MlirWalkResultSkip;
  functions->ops = berthGrow(functions->ops, functions->count,
                             &functions->capacity, sizeof *functions->ops);
  functions->ops[functions->count++] = op;
  Update update;
  for (intptr_t i = 0; i < countResults(op); ++i)
    functions->hasAny |= findUpdate(op, i, &update);
  return MlirWalkResultSkip;
}

/// What functions do with their arguments is found out anew for each, since
/// some have been changed. From the last result on, for those behind it move
/// up.
static bool changeFunction(Run *run, const BerthAliasOptions *alias,
                           MlirOperation function, size_t index) {
  enum { kMostArguments = 1 << 16 };
  bool changed = false;
  for (intptr_t i = countResults(function); i-- > 0;) {
    Update update;
    if (!findUpdate(function, i, &update) || update.argument >= kMostArguments)
      continue;
    update.number = -(int64_t)index * kMostArguments - update.argument - 1;
    run->spender.summaries = berthCallSummariesCreate(alias);
    changed |= tryUpdate(run, &update);
    berthCallSummariesFree(&run->spender.summaries);
  }
  return changed;
}

/// What all callers have anyway, since it is an argument, need not be returned.
static bool dropArguments(Run *run, MlirOperation function) {
  BerthCallSites sites = berthFindCallSites(&run->known, function);
  bool changed = false, isKnown = !sites.isOpen && !sites.obstacle;
  for (intptr_t i = countResults(function); i-- > 0 && isKnown;) {
    BerthReturned returned = berthFindReturned(function, i);
    MlirBlock entry =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    if (mlirValueIsNull(returned.value) || !returned.isOne ||
        !mlirTypeIsAMemRef(mlirValueGetType(returned.value)) ||
        !isArgumentOf(returned.value, entry) ||
        !mlirAttributeIsNull(berthAttributeOf(function, "res_attrs")))
      continue;
    intptr_t argument = mlirBlockArgumentGetArgNumber(returned.value);
    for (size_t k = 0; k < sites.count; ++k)
      sites.calls[k] = berthDropCallResult(
          sites.calls[k], i, mlirOperationGetOperand(sites.calls[k], argument));
    berthDropReturned(function, i);
    changed = true;
  }
  free(sites.calls);
  return changed;
}

/// What a function returns of a call may be its own argument, or a copy of it,
/// once the callee has been changed, so it goes on until nothing changes.
static void changeAll(Run *run, const BerthAliasOptions *alias,
                      const Functions *functions) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < functions->count; ++i)
      changed |= changeFunction(run, alias, functions->ops[i], i);
    for (size_t i = 0; changed && i < functions->count; ++i)
      dropArguments(run, functions->ops[i]);
  }
}

void berthUpdateCaches(MlirOperation root, const BerthCollectOptions *options,
                       const BerthAliasOptions *alias,
                       const BerthStranded *stranded, BerthUpdateCheck check,
                       BerthBackup *backup, BerthUpdates *result) {
  Functions functions = {0};
  mlirOperationWalk(root, addFunction, &functions, MlirWalkPreOrder);
  Run run = {.root = root,
             .stranded = stranded,
             .check = check,
             .backup = backup,
             .result = result};
  if (functions.hasAny) {
    run.known = berthKnownCallsCreate(root, options);
    run.spender = (BerthSpender){.known = &run.known, .alias = alias};
    changeAll(&run, alias, &functions);
    berthKnownCallsFree(&run.known);
  }
  free(functions.ops);
  berthWorklistFree(&run.said);
}

void berthSayUpdates(const BerthUpdates *updates) {
  for (size_t i = 0; i < updates->numNotes; ++i)
    berthEmitRemark(updates->notes[i].function, updates->notes[i].kind,
                    "berth-arena", updates->notes[i].text.data);
}

void berthUpdatesFree(BerthUpdates *updates) {
  for (size_t i = 0; i < updates->numNotes; ++i)
    berthTextFree(&updates->notes[i].text);
  free(updates->notes);
}
