//===- Reentry.c - Functions that run while they run ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Reentry.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "Support/Bitset.h"
#include "mlir-c/BuiltinAttributes.h"

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

typedef void (*NameCallback)(size_t number, void *userData);

/// Calls back for each function that the attribute mentions.
static void forEachName(const BerthReentry *reentry, MlirAttribute attribute,
                        NameCallback callback, void *userData) {
  if (mlirAttributeIsASymbolRef(attribute)) {
    size_t number = berthPointerMapFind(
        &reentry->numberOf, mlirSymbolRefAttrGetLeafReference(attribute).data);
    if (number != BERTH_NOT_FOUND)
      callback(number, userData);
    return;
  }
  bool isArray = mlirAttributeIsAArray(attribute);
  bool isDictionary = mlirAttributeIsADictionary(attribute);
  intptr_t count = isArray        ? mlirArrayAttrGetNumElements(attribute)
                   : isDictionary ? mlirDictionaryAttrGetNumElements(attribute)
                                  : 0;
  for (intptr_t i = 0; i < count; ++i)
    forEachName(reentry,
                isArray ? mlirArrayAttrGetElement(attribute, i)
                        : mlirDictionaryAttrGetElement(attribute, i).attribute,
                callback, userData);
}

//===----------------------------------------------------------------------===//
// Mentions
//===----------------------------------------------------------------------===//

typedef struct Mention {
  BerthReentry *reentry;
  MlirOperation op;
  MlirOperation callee;   ///< whom it calls, or null
  size_t from;            ///< the function that it stands in
  MlirOperation together; ///< the op around it, or it itself, whose runs do so
} Mention;

static void addMention(size_t number, void *userData) {
  const Mention *mention = userData;
  BerthReentry *reentry = mention->reentry;
  if (mention->from != BERTH_NOT_FOUND)
    berthBitSet(reentry->mentions + mention->from * reentry->words, number);
  bool isCall = !mlirOperationIsNull(mention->callee) &&
                berthPointerMapFind(&reentry->numberOf,
                                    nameOf(mention->callee)) == number;
  reentry->isTaken[number] |= !isCall;
  if (mlirOperationIsNull(reentry->runsTogether[number]))
    reentry->runsTogether[number] = mention->together;
}

static bool runTogether(MlirOperation op) {
  return berthOpIsParallel(op) || berthOpIsAsync(op) ||
         berthOpIs(op, BERTH_OP_LAUNCH) ||
         berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION);
}

static MlirWalkResult addMentions(MlirOperation op, void *userData) {
  BerthReentry *reentry = userData;
  Mention mention = {.reentry = reentry, .op = op, .from = BERTH_NOT_FOUND};
  bool isCall = berthOpGetCallee(op, &mention.callee);
  intptr_t count = mlirOperationGetNumAttributes(op);
  if (berthOpIsFunction(op) || (!isCall && !count))
    return MlirWalkResultAdvance;
  for (MlirOperation at = op; !mlirOperationIsNull(at);
       at = mlirOperationGetParentOperation(at)) {
    if (berthOpIsFunction(at)) {
      mention.from = berthPointerMapFind(&reentry->numberOf, nameOf(at));
      break;
    }
    if (runTogether(at))
      mention.together = at;
  }
  bool isUnknown = isCall && mlirOperationIsNull(mention.callee);
  if (isUnknown && mention.from != BERTH_NOT_FOUND)
    reentry->callsUnknown[mention.from] = true;
  reentry->unknownRunsTogether |=
      isUnknown && !mlirOperationIsNull(mention.together);
  for (intptr_t i = 0; i < count; ++i)
    forEachName(reentry, mlirOperationGetAttribute(op, i).attribute, addMention,
                &mention);
  return MlirWalkResultAdvance;
}

static void build(BerthReentry *reentry) {
  reentry->isBuilt = true;
  mlirOperationWalk(reentry->root, addName, reentry, MlirWalkPreOrder);
  size_t count = reentry->count;
  reentry->words = berthBitWords(count);
  reentry->mentions =
      berthAllocateOrDie(count * reentry->words, sizeof *reentry->mentions);
  reentry->isTaken = berthAllocateOrDie(count, sizeof *reentry->isTaken);
  reentry->callsUnknown =
      berthAllocateOrDie(count, sizeof *reentry->callsUnknown);
  reentry->runsTogether =
      berthAllocateOrDie(count, sizeof *reentry->runsTogether);
  mlirOperationWalk(reentry->root, addMentions, reentry, MlirWalkPreOrder);
}

void berthReentryFree(BerthReentry *reentry) {
  berthPointerMapFree(&reentry->numberOf);
  free(reentry->mentions);
  free(reentry->isTaken);
  free(reentry->callsUnknown);
  free(reentry->runsTogether);
}

//===----------------------------------------------------------------------===//
// Who runs whom
//===----------------------------------------------------------------------===//

/// Adds to the row all that its members mention, and so on. `pending` has room
/// for all names.
static void close(const BerthReentry *reentry, uint64_t *row, size_t *pending) {
  size_t count = 0;
  for (size_t i = 0; i < reentry->count; ++i)
    if (berthBitTest(row, i))
      pending[count++] = i;
  while (count) {
    const uint64_t *next =
        reentry->mentions + pending[--count] * reentry->words;
    for (size_t i = 0; i < reentry->count; ++i)
      if (berthBitTest(next, i) && !berthBitTest(row, i)) {
        berthBitSet(row, i);
        pending[count++] = i;
      }
  }
}

bool berthMayRunInItself(BerthReentry *reentry, MlirOperation function,
                         MlirOperation *why) {
  *why = (MlirOperation){NULL};
  if (!reentry->isBuilt)
    build(reentry);
  size_t number = berthPointerMapFind(&reentry->numberOf, nameOf(function));
  if (number == BERTH_NOT_FOUND)
    return false;
  uint64_t *row = berthAllocateOrDie(reentry->words, sizeof *row);
  size_t *pending = berthAllocateOrDie(reentry->count, sizeof *pending);
  bool isTaken = reentry->isTaken[number];
  for (size_t w = 0; w < reentry->words; ++w)
    row[w] = reentry->mentions[number * reentry->words + w];
  close(reentry, row, pending);
  bool result =
      berthBitTest(row, number) || (isTaken && (reentry->callsUnknown[number] ||
                                                reentry->unknownRunsTogether));
  for (size_t i = 0; i < reentry->count && !result; ++i)
    result = isTaken && berthBitTest(row, i) && reentry->callsUnknown[i];
  for (size_t i = 0; i < reentry->count && !result; ++i) {
    if (mlirOperationIsNull(reentry->runsTogether[i]))
      continue;
    for (size_t w = 0; w < reentry->words; ++w)
      row[w] = 0;
    berthBitSet(row, i);
    close(reentry, row, pending);
    result = berthBitTest(row, number);
    if (result)
      *why = reentry->runsTogether[i];
  }
  free(row);
  free(pending);
  return result;
}
