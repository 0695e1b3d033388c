//===- CallSummary.c - What a function does with its arguments ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/CallSummary.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Worklist.h"
#include "IR/Pointers/Tokens.h"

#include <stdlib.h>

/// Flow-insensitive: the union over all uses of all aliases.
typedef struct Walk {
  BerthCallSummaries *summaries;
  BerthArgumentUseCallback callback; ///< or NULL
  void *userData;
  BerthArgumentSummary result;
  BerthWorklist list;
} Walk;

static void addAlias(MlirValue alias, bool isView, bool isWhole,
                     void *userData) {
  (void)isView;
  (void)isWhole;
  Walk *walk = userData;
  berthWorklistPush(&walk->list, alias);
}

/// True if the op has regions that may run after the call has returned.
static bool mayRunLater(const BerthCallSummaries *summaries, MlirOperation op) {
  if (berthIsBroken(summaries->transfers.breakRule, "no-late-regions") ||
      !berthOpMayRunLater(op))
    return false;
  return berthReturnsHandle(op) ? berthMayGoOn(op, berthTypeIsHandle, false)
                                : summaries->unknownOps != BERTH_UNKNOWN_USE;
}

/// True if the op runs within async code of the function: it may go on after
/// the call has returned.
static bool isInAsyncCode(const BerthCallSummaries *summaries,
                          MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op)) {
    if (berthOpIsAsync(op) || mayRunLater(summaries, op))
      return true;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

static void addUse(Walk *walk, MlirOpOperand operand) {
  BerthAliasOptions options = {.unknownOps = walk->summaries->unknownOps,
                               .root = walk->summaries->root,
                               .followsTransfers = true};
  MlirOperation op = mlirOpOperandGetOwner(operand);
  if (berthOpIsReturn(op)) {
    walk->result.returned |=
        berthResultBit(mlirOpOperandGetOperandNumber(operand));
    return;
  }
  BerthUse use =
      berthClassifyUse(operand, &options, walk->summaries, addAlias, walk);
  walk->result.reads |= use.reads;
  walk->result.writes |= use.writes;
  walk->result.leaks |= use.leak != BERTH_LEAK_NONE || use.frees ||
                        isInAsyncCode(walk->summaries, op);
  berthNoteUse(walk->summaries, op, use, BERTH_NOT_FOUND);
  if (walk->callback && (use.reads || use.writes))
    walk->callback(operand, use.writes, walk->userData);
}

static BerthArgumentSummary walkArgument(Walk walk, MlirValue argument) {
  walk.result.known = true;
  walk.result.leaks = berthFunctionIsCoroutine(
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument)));
  addAlias(argument, true, true, &walk);
  while (walk.list.numPending) {
    MlirValue value = berthWorklistPop(&walk.list);
    for (MlirOpOperand use = mlirValueGetFirstUse(value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      addUse(&walk, use);
  }
  berthWorklistFree(&walk.list);
  return walk.result;
}

/// The block argument that stands for an argument of a function with a body.
static MlirValue argumentValue(MlirOperation function, intptr_t index) {
  MlirValue none = {NULL};
  if (mlirOperationGetNumRegions(function) == 0)
    return none;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  if (mlirBlockIsNull(block) || index >= mlirBlockGetNumArguments(block))
    return none;
  return mlirBlockGetArgument(block, index);
}

static const BerthArgumentSummary worst = {false, true, true, true, UINT64_MAX};
static const BerthArgumentSummary worstKnown = {true, true, true, true,
                                                UINT64_MAX};

BerthArgumentSummary berthSummarizeArgument(BerthCallSummaries *summaries,
                                            MlirOperation function,
                                            intptr_t index) {
  MlirValue argument = argumentValue(function, index);
  if (mlirValueIsNull(argument))
    return worst;
  size_t slot = berthPointerMapFind(&summaries->indexOf, argument.ptr);
  // A recursive call adds nothing to what it is part of, but what lies between
  // the two calls would be cached without it.
  bool isOpen = slot != BERTH_NOT_FOUND && !summaries->summaries[slot].known;
  if (slot != BERTH_NOT_FOUND)
    return isOpen && slot != summaries->innermost ? worstKnown
                                                  : summaries->summaries[slot];
  summaries->summaries =
      berthGrow(summaries->summaries, summaries->count, &summaries->capacity,
                sizeof *summaries->summaries);
  slot = summaries->count++;
  berthPointerMapInsert(&summaries->indexOf, argument.ptr, slot);
  summaries->summaries[slot] = worst;
  size_t outer = summaries->innermost;
  summaries->innermost = slot;
  BerthArgumentSummary result =
      walkArgument((Walk){.summaries = summaries}, argument);
  summaries->innermost = outer;
  summaries->summaries[slot] = result;
  return result;
}

BerthArgumentSummary berthForEachArgumentUse(BerthCallSummaries *summaries,
                                             MlirOperation function,
                                             intptr_t index,
                                             BerthArgumentUseCallback callback,
                                             void *userData) {
  MlirValue argument = argumentValue(function, index);
  if (mlirValueIsNull(argument))
    return worst;
  Walk walk = {
      .summaries = summaries, .callback = callback, .userData = userData};
  return walkArgument(walk, argument);
}

//===----------------------------------------------------------------------===//
// Functions that may be called unseen
//===----------------------------------------------------------------------===//

/// Notes whether the function lets pointers go, or numbers. A kernel is
/// launched, not called.
static void noteLettingGo(BerthCallSummaries *summaries, MlirOperation function,
                          BerthNamedFunctions *named) {
  if (!mlirAttributeIsNull(berthAttributeOf(function, "gpu.kernel")))
    return;
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t count = mlirBlockGetNumArguments(entry);
  for (intptr_t i = 0; i < count; ++i) {
    bool isPointer =
        berthTypeMayPoint(mlirValueGetType(mlirBlockGetArgument(entry, i)));
    bool *letGo = isPointer ? &named->letGo : &named->letNumberGo;
    if (!*letGo)
      *letGo = berthSummarizeArgument(summaries, function, i).leaks;
  }
}

/// They may call each other unseen: it is taken that none lets go, until one
/// does.
static const BerthNamedFunctions *findNamed(BerthCallSummaries *summaries) {
  BerthNamedFunctions *named = summaries->named;
  if (named->isKnown)
    return named;
  named->isKnown = true;
  berthAddNamedFunctions(summaries->root, NULL, &named->functions);
  BerthAliasOptions options = {.root = summaries->root,
                               .named = named,
                               .unknownOps = summaries->unknownOps,
                               .breakRule = summaries->transfers.breakRule};
  BerthCallSummaries own = berthCallSummariesCreate(&options);
  BerthWorklist *functions = &named->functions;
  while (functions->numPending && !(named->letGo && named->letNumberGo)) {
    MlirOperation function = {(void *)berthWorklistTake(functions)};
    noteLettingGo(&own, function, named);
  }
  berthCallSummariesFree(&own);
  return named;
}

BerthCallSummaries berthCallSummariesCreate(const BerthAliasOptions *options) {
  return (BerthCallSummaries){.root = options->root,
                              .named = options->named,
                              .unknownOps = options->unknownOps,
                              .transfers = {.breakRule = options->breakRule},
                              .summarize = berthSummarizeArgument,
                              .findNamed = findNamed,
                              .innermost = BERTH_NOT_FOUND};
}

void berthCallSummariesFree(BerthCallSummaries *summaries) {
  berthDmaTableFree(&summaries->transfers);
  berthPointerMapFree(&summaries->indexOf);
  free(summaries->summaries);
  free(summaries->noted);
}
