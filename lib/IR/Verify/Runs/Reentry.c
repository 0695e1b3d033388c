//===- Reentry.c - Functions that run while they run ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Runs/Reentry.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Runs/Arrival.h"
#include "Support/Bitset.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Strings are unique in a context, so their characters stand for them.
static const void *nameOf(MlirOperation function) {
  MlirAttribute name = berthAttributeOf(function, "sym_name");
  return mlirAttributeIsNull(name) ? NULL : mlirStringAttrGetValue(name).data;
}

static MlirWalkResult addName(MlirOperation op, void *userData) {
  BerthReentry *reentry = userData;
  const void *name = berthOpIsFunction(op) ? nameOf(op) : NULL;
  if (name && berthPointerMapInsert(&reentry->numberOf, name, reentry->count))
    ++reentry->count;
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Mentions
//===----------------------------------------------------------------------===//

typedef struct Mention {
  BerthReentry *reentry;
  MlirOperation op;
  const void *callee; ///< the name that it only calls, or NULL
  size_t from;        ///< the function that it stands in
} Mention;

/// From this function on all that it leads to may run at any time.
static void begin(BerthReentry *reentry, size_t number, MlirOperation op) {
  if (number != BERTH_NOT_FOUND &&
      mlirOperationIsNull(reentry->anyTime[number]))
    reentry->anyTime[number] = op;
}

static void addMention(MlirAttribute attribute, void *userData) {
  const Mention *mention = userData;
  BerthReentry *reentry = mention->reentry;
  const void *name = mlirStringAttrGetValue(attribute).data;
  size_t number = berthPointerMapFind(&reentry->numberOf, name);
  if (number == BERTH_NOT_FOUND)
    return;
  if (mention->from != BERTH_NOT_FOUND)
    berthBitSet(reentry->mentions + mention->from * reentry->words, number);
  if (name != mention->callee)
    begin(reentry, number, mention->op);
}

static bool runsAside(MlirOperation op) {
  return berthOpIsParallel(op) || berthOpIsAsync(op) ||
         berthOpIs(op, BERTH_OP_LAUNCH);
}

static bool returnsToken(MlirOperation op, bool orAnyHandle) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (orAnyHandle ? berthTypeMayPoint(type) && !mlirTypeIsAShaped(type)
                    : berthTypeIsToken(type))
      return true;
  }
  return false;
}

/// Of a call that returns a handle nobody knows, but of func.call.
MlirOperation berthFindAside(MlirOperation op, MlirOperation around,
                             MlirOperation *function) {
  MlirOperation aside = {NULL};
  if (runsAside(op) ||
      (!berthOpIs(op, BERTH_OP_CALL) && returnsToken(op, true)))
    aside = op;
  MlirOperation at = mlirOperationGetParentOperation(op);
  for (; !mlirOperationIsNull(at) && !berthOpIsFunction(at) &&
         !mlirOperationEqual(at, around);
       at = mlirOperationGetParentOperation(at))
    if (runsAside(at) || !berthOpIsRegionBranch(at) || returnsToken(at, false))
      aside = at;
  *function = at;
  return mlirOperationIsNull(aside) && mlirOperationIsNull(at) ? op : aside;
}

/// A kernel, what threads run, or what is left and come back to.
static bool isOfMany(const BerthReentry *reentry, MlirOperation function) {
  const BerthPointerMap *ofThreads = reentry->options->ofThreads;
  MlirRegion body = mlirOperationGetRegion(function, 0);
  return !mlirBlockIsNull(mlirRegionGetFirstBlock(body)) &&
         (berthIsKernel(function, reentry->options) ||
          berthOpIs(mlirOperationGetParentOperation(function),
                    BERTH_OP_GPU_MODULE) ||
          (ofThreads &&
           berthPointerMapFind(ofThreads, function.ptr) != BERTH_NOT_FOUND) ||
          berthFunctionIsCoroutine(function));
}

static MlirWalkResult addMentions(MlirOperation op, void *userData) {
  BerthReentry *reentry = userData;
  MlirOperation callee, function, aside;
  Mention mention = {.reentry = reentry, .op = op, .from = BERTH_NOT_FOUND};
  if (berthOpIsFunction(op) && isOfMany(reentry, op))
    begin(reentry, berthPointerMapFind(&reentry->numberOf, nameOf(op)), op);
  bool isCall = berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee);
  if (!isCall && mlirOperationGetNumAttributes(op) == 0)
    return MlirWalkResultAdvance;
  aside = berthFindAside(op, (MlirOperation){NULL}, &function);
  if (!mlirOperationIsNull(function))
    mention.from = berthPointerMapFind(&reentry->numberOf, nameOf(function));
  if (isCall && mlirOperationIsNull(aside))
    mention.callee = nameOf(callee);
  else if (isCall)
    mention.op = aside;
  berthOpForEachName(op, addMention, &mention);
  return MlirWalkResultAdvance;
}

/// All that a function leads to which may run at any time may do so too.
static void spread(BerthReentry *reentry) {
  size_t *pending = berthAllocateOrDie(reentry->count, sizeof *pending);
  size_t count = 0;
  for (size_t i = 0; i < reentry->count; ++i)
    if (!mlirOperationIsNull(reentry->anyTime[i]))
      pending[count++] = i;
  while (count) {
    size_t from = pending[--count];
    const uint64_t *next = reentry->mentions + from * reentry->words;
    for (size_t i = 0; i < reentry->count; ++i)
      if (berthBitTest(next, i) && mlirOperationIsNull(reentry->anyTime[i])) {
        reentry->anyTime[i] = reentry->anyTime[from];
        pending[count++] = i;
      }
  }
  free(pending);
}

static void build(BerthReentry *reentry) {
  reentry->isBuilt = true;
  mlirOperationWalk(reentry->root, addName, reentry, MlirWalkPreOrder);
  size_t count = reentry->count;
  reentry->words = berthBitWords(count);
  reentry->mentions =
      berthAllocateOrDie(count * reentry->words, sizeof *reentry->mentions);
  reentry->anyTime = berthAllocateOrDie(count, sizeof *reentry->anyTime);
  mlirOperationWalk(reentry->root, addMentions, reentry, MlirWalkPreOrder);
  spread(reentry);
}

void berthReentryFree(BerthReentry *reentry) {
  berthPointerMapFree(&reentry->numberOf);
  free(reentry->mentions);
  free(reentry->anyTime);
}

//===----------------------------------------------------------------------===//
// Who runs whom
//===----------------------------------------------------------------------===//

/// True if what the function mentions leads to the other one.
static bool leadsTo(const BerthReentry *reentry, size_t from, size_t number) {
  uint64_t *seen = berthAllocateOrDie(reentry->words, sizeof *seen);
  size_t *pending = berthAllocateOrDie(reentry->count + 1, sizeof *pending);
  size_t count = 0;
  pending[count++] = from;
  while (count && !berthBitTest(seen, number)) {
    const uint64_t *next =
        reentry->mentions + pending[--count] * reentry->words;
    for (size_t i = 0; i < reentry->count; ++i)
      if (berthBitTest(next, i) && !berthBitTest(seen, i)) {
        berthBitSet(seen, i);
        pending[count++] = i;
      }
  }
  bool result = berthBitTest(seen, number);
  free(seen);
  free(pending);
  return result;
}

bool berthMayRunIn(BerthReentry *reentry, MlirOperation function,
                   MlirOperation other) {
  if (!reentry->isBuilt)
    build(reentry);
  size_t from = berthPointerMapFind(&reentry->numberOf, nameOf(function));
  size_t to = berthPointerMapFind(&reentry->numberOf, nameOf(other));
  return from != BERTH_NOT_FOUND && to != BERTH_NOT_FOUND &&
         leadsTo(reentry, from, to);
}

bool berthMayRunInItself(BerthReentry *reentry, MlirOperation function,
                         MlirOperation *why) {
  *why = (MlirOperation){NULL};
  if (!reentry->isBuilt)
    build(reentry);
  size_t number = berthPointerMapFind(&reentry->numberOf, nameOf(function));
  if (number == BERTH_NOT_FOUND || leadsTo(reentry, number, number))
    return number != BERTH_NOT_FOUND;
  *why = reentry->anyTime[number];
  return !mlirOperationIsNull(*why);
}
