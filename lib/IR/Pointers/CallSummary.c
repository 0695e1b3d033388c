//===- CallSummary.c - What a function does with its arguments ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/CallSummary.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Worklist.h"

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

/// True if the op runs within async code of the function: it may go on after
/// the call has returned.
static bool isInAsyncCode(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIsFunction(op)) {
    if (berthOpIsAsync(op))
      return true;
    op = mlirOperationGetParentOperation(op);
  }
  return false;
}

static void addUse(Walk *walk, MlirOpOperand operand) {
  BerthAliasOptions options = {.unknownOps = BERTH_UNKNOWN_USE,
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
  walk->result.leaks |=
      use.leak != BERTH_LEAK_NONE || use.frees || isInAsyncCode(op);
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

BerthArgumentSummary berthSummarizeArgument(BerthCallSummaries *summaries,
                                            MlirOperation function,
                                            intptr_t index) {
  MlirValue argument = argumentValue(function, index);
  if (mlirValueIsNull(argument))
    return worst;
  size_t slot = berthPointerMapFind(&summaries->indexOf, argument.ptr);
  if (slot != BERTH_NOT_FOUND)
    return summaries->summaries[slot];
  summaries->summaries =
      berthGrow(summaries->summaries, summaries->count, &summaries->capacity,
                sizeof *summaries->summaries);
  slot = summaries->count++;
  berthPointerMapInsert(&summaries->indexOf, argument.ptr, slot);
  // While it is being walked, a recursive call sees the worst.
  summaries->summaries[slot] = worst;
  BerthArgumentSummary result =
      walkArgument((Walk){.summaries = summaries}, argument);
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

BerthCallSummaries berthCallSummariesCreate(MlirOperation root,
                                            const char *breakRule) {
  return (BerthCallSummaries){.root = root,
                              .transfers = {.breakRule = breakRule},
                              .summarize = berthSummarizeArgument};
}

void berthCallSummariesFree(BerthCallSummaries *summaries) {
  berthDmaTableFree(&summaries->transfers);
  berthPointerMapFree(&summaries->indexOf);
  free(summaries->summaries);
  free(summaries->noted);
}
