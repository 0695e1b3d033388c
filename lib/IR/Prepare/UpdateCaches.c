//===- UpdateCaches.c - Arguments updated in place ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are looked at again until nothing changes: what a function returns
// of a call may be its own argument once the callee has been changed.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/UpdateCaches.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/FileDiagnostics.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Constants.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Prepare/CopiedArgument.h"
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
  BerthWorklist said;    ///< copies that stay, of which it has been told
  BerthWorklist settled; ///< those that stay whatever else changes
  MlirOperation doubted; ///< a call that is not proved to be right, or null
  const char *doubt;
} Run;

typedef struct Update {
  BerthCopiedArgument copied;
  int64_t number; ///< of function and argument, below 0
} Update;

//===----------------------------------------------------------------------===//
// Its callers
//===----------------------------------------------------------------------===//

static bool isBrought(const Update *update) {
  return mlirOperationIsNull(update->copied.alloc);
}

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

/// Why no word of the user's makes the call right; NULL: it may be.
static const char *handsOverWrong(MlirOperation call, intptr_t argument) {
  MlirValue base = berthBehindCasts(mlirOperationGetOperand(call, argument));
  if (!mlirOperationIsNull(berthConstantGlobalOf(base, false)))
    return "a caller hands over a constant";
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (i != argument &&
        mlirValueEqual(base,
                       berthBehindCasts(mlirOperationGetOperand(call, i))))
      return "a caller hands over the argument twice";
  return NULL;
}

/// Of an argument that is marked the user's word counts where nothing can be
/// proved; but what is freed then, and when, nobody has said.
static const char *trustUser(Run *run, const Update *update,
                             const BerthCallSites *sites,
                             BerthSpending *spending) {
  const char *reason = spending->reason;
  const char *wrong = NULL;
  for (size_t i = 0; i < sites->count && !wrong; ++i)
    wrong = handsOverWrong(sites->calls[i], update->copied.argument);
  if (wrong)
    return wrong;
  bool isOne = mlirTypeEqual(mlirValueGetType(update->copied.old),
                             mlirValueGetType(update->copied.made));
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
  bool isMarked =
      berthArgumentIsUpdated(update->copied.function, update->copied.argument);
  if (sites->obstacle)
    return sites->obstacle;
  if (sites->isOpen && !isMarked)
    return "it may be called from outside of the module, and the argument is "
           "not marked berth.updated";
  if (!sites->isOpen && !mlirAttributeIsNull(berthAttributeOf(
                            update->copied.function, "res_attrs")))
    return "its results have attributes";
  for (size_t i = 0; isBrought(update) && i < sites->count; ++i)
    if (!berthIsFreshAt(&run->spender, sites->calls[i], update->copied.place))
      return "a caller brings no new buffer for the copy";
  run->doubted = (MlirOperation){NULL};
  for (size_t i = 0; i < sites->count; ++i)
    if (!berthProveSpent(&run->spender, sites->calls[i],
                         update->copied.argument,
                         mlirValueGetType(update->copied.made), spending)) {
      run->doubted = sites->calls[i];
      run->doubt = spending->reason;
      break;
    }
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
  MlirType type = mlirValueGetType(update->copied.made);
  MlirValue now = castTo(mlirOperationGetOperand(call, update->copied.argument),
                         type, call);
  if (isBrought(update))
    berthDropCallOperand(call, update->copied.place, now);
  else if (sites->isOpen)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(call, update->copied.place), now);
  else
    berthDropCallResult(call, update->copied.place, now);
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
  MlirValue now =
      castTo(update->copied.old, mlirValueGetType(update->copied.made),
             mlirBlockGetFirstOperation(update->copied.entry));
  for (size_t i = 0; i < sites->count; ++i)
    changeCall(update, sites, sites->calls[i]);
  mlirValueReplaceAllUsesOfWith(update->copied.made, now);
  mlirOperationDestroy(update->copied.copy);
  if (isBrought(update))
    berthDropArgument(update->copied.function, update->copied.place);
  else
    mlirOperationDestroy(update->copied.alloc);
  if (!isBrought(update) && !sites->isOpen)
    berthDropReturned(update->copied.function, update->copied.place);
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
  bool isKnown =
      berthMemRefGetSize(mlirValueGetType(update->copied.made),
                         update->copied.copy, &size) == BERTH_SIZE_OK;
  berthTextAppend(&text, format, (long long)update->copied.argument);
  if (isKnown)
    berthTextAppend(&text, " (%lld bytes)", (long long)size.bytes);
  if (reason)
    berthTextAppend(&text, ": %s", reason);
  result->notes = berthGrow(result->notes, result->numNotes,
                            &result->noteCapacity, sizeof *result->notes);
  result->notes[result->numNotes++] =
      (BerthUpdateNote){update->copied.function, kind, text};
}

/// That a call is not proved to be right is said where it stands.
static void noteDoubt(Run *run, const Update *update) {
  BerthUpdates *result = run->result;
  if (mlirOperationIsNull(run->doubted))
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "argument %lld of this call is changed, since the function "
                  "marks it berth.updated; that nobody needs what it held is "
                  "not proved: %s",
                  (long long)update->copied.argument, run->doubt);
  result->doubts = berthGrow(result->doubts, result->numDoubts,
                             &result->doubtCapacity, sizeof *result->doubts);
  result->doubts[result->numDoubts++] =
      (BerthUpdateDoubt){mlirOperationGetLocation(run->doubted), text};
}

/// What else looks at it, by the mark. NULL: nothing speaks against it.
static const char *checkUpdate(Run *run, const Update *update) {
  MlirContext context = mlirOperationGetContext(run->root);
  if (!run->check)
    return NULL;
  berthSetAttribute(update->copied.copy, BERTH_UPDATE,
                    berthI64(context, update->copied.argument));
  const char *why = run->check(run->root, update->copied.copy);
  mlirOperationRemoveAttributeByName(
      update->copied.copy, mlirStringRefCreateFromCString(BERTH_UPDATE));
  return why;
}

static void refuse(Run *run, const Update *update, const char *why) {
  if (berthWorklistAdd(&run->said, update->copied.copy.ptr))
    note(run, update, BERTH_REMARK_MISSED,
         "argument %lld is copied, and not updated in place", why);
}

/// True if the function has been changed.
static bool tryUpdate(Run *run, const Update *update) {
  BerthSpending spending = {0};
  BerthCallSites sites = {0};
  if (berthWorklistHasSeen(&run->settled, update->copied.copy.ptr))
    return false;
  // Cheap questions first: calls are looked for in all of the module.
  const char *why = berthCopyIsNeeded(&run->spender, &update->copied);
  if (!why || isBrought(update))
    sites = berthFindCallSites(&run->known, update->copied.function);
  if (sites.obstacle)
    berthWorklistAdd(&run->settled, update->copied.copy.ptr);
  if (isBrought(update) && sites.isOpen) { // a copy like any other
    berthWorklistAdd(&run->settled, update->copied.copy.ptr);
    free(sites.calls);
    return false;
  }
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
    noteDoubt(run, update);
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

static intptr_t countArguments(MlirOperation function) {
  return mlirFunctionTypeGetNumInputs(berthFunctionGetType(function));
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
  BerthCopiedArgument copied;
  for (intptr_t i = 0; i < countResults(op) && !functions->hasAny; ++i)
    functions->hasAny = berthFindReturnedCopy(op, i, &copied);
  for (intptr_t i = 0; i < countArguments(op) && !functions->hasAny; ++i)
    functions->hasAny = berthFindBroughtCopy(op, i, &copied);
  return MlirWalkResultSkip;
}

/// What functions do with their arguments is found out anew for each, since
/// some have been changed.
static bool tryCopied(Run *run, const BerthAliasOptions *alias,
                      const BerthCopiedArgument *copied, size_t index) {
  enum { kMostArguments = 1 << 16 };
  Update update = {*copied,
                   -(int64_t)index * kMostArguments - copied->argument - 1};
  if (copied->argument >= kMostArguments)
    return false;
  run->spender.summaries = berthCallSummariesCreate(alias);
  bool isChanged = tryUpdate(run, &update);
  berthCallSummariesFree(&run->spender.summaries);
  return isChanged;
}

/// From the last result, or argument, on, for those behind it move up.
static bool changeFunction(Run *run, const BerthAliasOptions *alias,
                           MlirOperation function, size_t index) {
  bool changed = false;
  BerthCopiedArgument copied;
  for (intptr_t i = countResults(function); i-- > 0;)
    changed |= berthFindReturnedCopy(function, i, &copied) &&
               tryCopied(run, alias, &copied, index);
  for (intptr_t i = countArguments(function); i-- > 0;)
    changed |= berthFindBroughtCopy(function, i, &copied) &&
               tryCopied(run, alias, &copied, index);
  return changed;
}

/// The argument that the function returns there, or -1.
static intptr_t returnedArgument(MlirOperation function, intptr_t result) {
  BerthReturned returned = berthFindReturned(function, result);
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  bool isArgument =
      !mlirValueIsNull(returned.value) && returned.isOne &&
      mlirTypeIsAMemRef(mlirValueGetType(returned.value)) &&
      mlirValueIsABlockArgument(returned.value) &&
      mlirBlockEqual(mlirBlockArgumentGetOwner(returned.value), entry) &&
      mlirAttributeIsNull(berthAttributeOf(function, "res_attrs"));
  return isArgument ? mlirBlockArgumentGetArgNumber(returned.value) : -1;
}

/// What all callers have anyway, since it is an argument, need not be returned.
static void dropArguments(Run *run, MlirOperation function) {
  for (intptr_t i = countResults(function); i-- > 0;) {
    intptr_t argument = returnedArgument(function, i);
    if (argument < 0)
      continue;
    BerthCallSites sites = berthFindCallSites(&run->known, function);
    bool isKnown = !sites.isOpen && !sites.obstacle;
    for (size_t k = 0; k < sites.count && isKnown; ++k)
      berthDropCallResult(sites.calls[k], i,
                          mlirOperationGetOperand(sites.calls[k], argument));
    if (isKnown)
      berthDropReturned(function, i);
    free(sites.calls);
  }
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
  berthWorklistFree(&run.settled);
}

void berthSayUpdates(const BerthUpdates *updates) {
  for (size_t i = 0; i < updates->numNotes; ++i)
    berthEmitRemark(updates->notes[i].function, updates->notes[i].kind,
                    "berth-arena", updates->notes[i].text.data);
  for (size_t i = 0; i < updates->numDoubts; ++i)
    berthEmitWarningAt(updates->doubts[i].call, updates->doubts[i].text.data);
}

void berthUpdatesFree(BerthUpdates *updates) {
  for (size_t i = 0; i < updates->numNotes; ++i)
    berthTextFree(&updates->notes[i].text);
  for (size_t i = 0; i < updates->numDoubts; ++i)
    berthTextFree(&updates->doubts[i].text);
  free(updates->notes);
  free(updates->doubts);
}
