//===- Makers.c - What is computed again, and from what -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Makers.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Roots/Marks.h"
#include "IR/Verify/Roots/Moves.h"
#include "IR/Verify/Roots/Writes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static size_t addLink(BerthMakers *makers, uint32_t place, size_t next) {
  makers->links = berthGrow(makers->links, makers->numLinks,
                            &makers->linkCapacity, sizeof *makers->links);
  makers->links[makers->numLinks] = (BerthMakerLink){place, next};
  return makers->numLinks++;
}

static void addTo(BerthMakers *makers, BerthPointerMap *map, const void *key,
                  uint32_t place) {
  size_t first = berthPointerMapFind(map, key);
  size_t link = addLink(makers, place, first);
  if (first == BERTH_NOT_FOUND)
    berthPointerMapInsert(map, key, link);
  else
    berthPointerMapSet(map, key, link);
}

static void addInput(BerthMakers *makers, MlirValue memory,
                     MlirAttribute content, uint32_t place) {
  const void *key = mlirAttributeIsNull(content) ? memory.ptr : content.ptr;
  if (berthPointerMapInsert(&makers->inputOf, key, makers->numInputs)) {
    makers->inputs = berthGrow(makers->inputs, makers->numInputs,
                               &makers->inputCapacity, sizeof *makers->inputs);
    makers->inputs[makers->numInputs++] =
        (BerthMakerInput){memory, content, false, BERTH_NOT_FOUND};
  }
  BerthMakerInput *input =
      &makers->inputs[berthPointerMapFind(&makers->inputOf, key)];
  input->places = addLink(makers, place, input->places);
}

//===----------------------------------------------------------------------===//
// One computation
//===----------------------------------------------------------------------===//

/// Two ops that may do the same, and what the first one is given.
typedef struct Comparison {
  BerthMakers *makers;
  MlirOperation maker;
  MlirOperation again;
  uint32_t place;
  bool notes;            ///< notes what the maker is given
  bool isWritten;        ///< ... of an operand that it only overwrites
  BerthPointerMap inner; ///< what is defined in the one -> in the other
} Comparison;

static void noteValue(Comparison *comparison, MlirValue value) {
  bool isConstant = mlirValueIsAOpResult(value) &&
                    berthOpIsConstant(mlirOpResultGetOwner(value));
  if (comparison->notes && !isConstant)
    addTo(comparison->makers, &comparison->makers->madeOf, value.ptr,
          comparison->place);
}

/// What two values that are one by construction are both made of.
static void noteLeaves(Comparison *comparison, MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b)) {
    noteValue(comparison, a);
    return;
  }
  MlirOperation first = mlirOpResultGetOwner(a);
  MlirOperation second = mlirOpResultGetOwner(b);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(first); ++i)
    noteLeaves(comparison, mlirOperationGetOperand(first, i),
               mlirOperationGetOperand(second, i));
}

static void noteMemory(Comparison *comparison, MlirValue value,
                       MlirAttribute content) {
  value = berthValueBehindViews(value);
  if (mlirAttributeIsNull(content))
    content = berthPlaceContent(value);
  if (comparison->notes && !comparison->isWritten &&
      !berthMemoryIsConstant(value))
    addInput(comparison->makers, value, content, comparison->place);
}

static bool isSameScalar(Comparison *comparison, MlirValue a, MlirValue b) {
  size_t inner = berthPointerMapFind(&comparison->inner, a.ptr);
  if (inner != BERTH_NOT_FOUND)
    return (void *)inner == b.ptr;
  if (!berthIsSameValue(a, b))
    return false;
  noteLeaves(comparison, a, b);
  return true;
}

static const BerthContent *findContent(const BerthContents *contents,
                                       MlirAttribute number) {
  size_t index = mlirAttributeIsNull(number)
                     ? BERTH_NOT_FOUND
                     : berthPointerMapFind(&contents->indexOf, number.ptr);
  return index == BERTH_NOT_FOUND ? NULL : &contents->items[index];
}

/// The content that the op means by an operand, if that is its source.
static const BerthContent *findSource(const BerthContents *contents,
                                      MlirOperation op, intptr_t operand) {
  MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT_READ), at;
  for (intptr_t k = 1; !mlirAttributeIsNull(at = berthMarkNumber(mark, k));
       k += 2)
    if (mlirIntegerAttrGetValueInt(at) == operand)
      return findContent(contents, berthMarkNumber(mark, k - 1));
  return NULL;
}

/// The content that the value is all of: as a place, or as `source`, if that is
/// not NULL. Null: it is no such thing.
static MlirAttribute contentOf(const BerthContents *contents, MlirValue value,
                               const BerthContent *source) {
  if (source && !mlirValueIsNull(source->source) &&
      berthIsOnePart(source->source, value)) {
    while (source->outer != BERTH_NOT_FOUND)
      source = &contents->items[source->outer];
    return source->number;
  }
  return mlirValueIsNull(berthValueViewed(value)) ? berthPlaceContent(value)
                                                  : mlirAttributeGetNull();
}

/// True for the same kind of view, wherever what it shows lies.
static bool isSameView(Comparison *comparison, MlirValue a, MlirValue b) {
  MlirValue viewed = berthValueViewed(a);
  if (mlirValueIsNull(viewed) || mlirValueIsNull(berthValueViewed(b)))
    return false;
  MlirOperation opA = mlirOpResultGetOwner(a), opB = mlirOpResultGetOwner(b);
  intptr_t count = mlirOperationGetNumOperands(opA);
  bool isSame =
      mlirIdentifierEqual(mlirOperationGetName(opA),
                          mlirOperationGetName(opB)) &&
      mlirOpResultGetResultNumber(a) == mlirOpResultGetResultNumber(b) &&
      count == mlirOperationGetNumOperands(opB) &&
      berthHaveOneAttributes(opA, opB);
  for (intptr_t i = 0; isSame && i < count; ++i) {
    MlirValue x = mlirOperationGetOperand(opA, i);
    isSame = mlirValueEqual(x, viewed) ||
             isSameScalar(comparison, x, mlirOperationGetOperand(opB, i));
  }
  return isSame;
}

static bool isSameMemRef(Comparison *comparison, MlirValue a, MlirValue b,
                         const BerthContent *sourceA,
                         const BerthContent *sourceB) {
  const BerthContents *contents = comparison->makers->contents;
  if (berthPointerMapFind(&comparison->inner, a.ptr) != BERTH_NOT_FOUND)
    return isSameScalar(comparison, a, b);
  while (true) {
    MlirAttribute contentA = contentOf(contents, a, sourceA);
    MlirAttribute contentB = contentOf(contents, b, sourceB);
    if (!mlirAttributeIsNull(contentA) &&
        mlirAttributeEqual(contentA, contentB)) {
      noteMemory(comparison, a, contentA);
      return true;
    }
    if (mlirValueEqual(a, b) || !isSameView(comparison, a, b))
      break;
    a = berthValueViewed(a);
    b = berthValueViewed(b);
  }
  if (!isSameScalar(comparison, a, b))
    return false;
  noteMemory(comparison, a, mlirAttributeGetNull());
  return true;
}

static void pair(Comparison *comparison, const void *a, const void *b) {
  berthPointerMapInsert(&comparison->inner, a, (size_t)b);
}

static bool isSameRegion(Comparison *comparison, MlirRegion a, MlirRegion b);

static bool isSameOp(Comparison *comparison, MlirOperation a, MlirOperation b) {
  const BerthContents *contents = comparison->makers->contents;
  bool isTop = mlirOperationEqual(a, comparison->maker);
  intptr_t numOperands = mlirOperationGetNumOperands(a);
  intptr_t numResults = mlirOperationGetNumResults(a);
  intptr_t numRegions = mlirOperationGetNumRegions(a);
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(a);
  bool isSame =
      mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) &&
      numOperands == mlirOperationGetNumOperands(b) &&
      numResults == mlirOperationGetNumResults(b) &&
      numRegions == mlirOperationGetNumRegions(b) &&
      numSuccessors == mlirOperationGetNumSuccessors(b) &&
      berthHaveOneAttributes(a, b);
  for (intptr_t i = 0; isSame && i < numOperands; ++i) {
    MlirValue x = mlirOperationGetOperand(a, i);
    MlirValue y = mlirOperationGetOperand(b, i);
    comparison->isWritten = isTop && berthOpFullyOverwrites(a, i);
    isSame = mlirTypeIsAMemRef(mlirValueGetType(x))
                 ? isSameMemRef(comparison, x, y, findSource(contents, a, i),
                                findSource(contents, b, i))
                 : isSameScalar(comparison, x, y);
  }
  comparison->isWritten = false;
  for (intptr_t i = 0; isSame && i < numSuccessors; ++i)
    isSame = berthPointerMapFind(&comparison->inner,
                                 mlirOperationGetSuccessor(a, i).ptr) ==
             (size_t)mlirOperationGetSuccessor(b, i).ptr;
  for (intptr_t i = 0; isSame && i < numRegions; ++i)
    isSame = isSameRegion(comparison, mlirOperationGetRegion(a, i),
                          mlirOperationGetRegion(b, i));
  for (intptr_t i = 0; isSame && i < numResults; ++i) {
    MlirValue x = mlirOperationGetResult(a, i),
              y = mlirOperationGetResult(b, i);
    isSame = mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y));
    pair(comparison, x.ptr, y.ptr);
  }
  return isSame;
}

static bool pairBlocks(Comparison *comparison, MlirBlock a, MlirBlock b) {
  intptr_t count = mlirBlockGetNumArguments(a);
  bool isSame = count == mlirBlockGetNumArguments(b);
  pair(comparison, a.ptr, b.ptr);
  for (intptr_t i = 0; isSame && i < count; ++i) {
    MlirValue x = mlirBlockGetArgument(a, i), y = mlirBlockGetArgument(b, i);
    isSame = mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y));
    pair(comparison, x.ptr, y.ptr);
  }
  return isSame;
}

static bool isSameRegion(Comparison *comparison, MlirRegion a, MlirRegion b) {
  bool isSame = true;
  MlirBlock x = mlirRegionGetFirstBlock(a), y = mlirRegionGetFirstBlock(b);
  for (; isSame && !mlirBlockIsNull(x) && !mlirBlockIsNull(y);
       x = mlirBlockGetNextInRegion(x), y = mlirBlockGetNextInRegion(y))
    isSame = pairBlocks(comparison, x, y);
  isSame &= mlirBlockIsNull(x) && mlirBlockIsNull(y);
  x = mlirRegionGetFirstBlock(a);
  y = mlirRegionGetFirstBlock(b);
  for (; isSame && !mlirBlockIsNull(x);
       x = mlirBlockGetNextInRegion(x), y = mlirBlockGetNextInRegion(y)) {
    MlirOperation p = mlirBlockGetFirstOperation(x);
    MlirOperation q = mlirBlockGetFirstOperation(y);
    for (; isSame && !mlirOperationIsNull(p) && !mlirOperationIsNull(q);
         p = mlirOperationGetNextInBlock(p), q = mlirOperationGetNextInBlock(q))
      isSame = isSameOp(comparison, p, q);
    isSame &= mlirOperationIsNull(p) && mlirOperationIsNull(q);
  }
  return isSame;
}

//===----------------------------------------------------------------------===//
// What a maker may do besides
//===----------------------------------------------------------------------===//

typedef struct Purity {
  MlirOperation maker;
  MlirOperation at;
  MlirAttribute content;
  bool isPure;
} Purity;

static void noteWrite(MlirValue written, void *userData) {
  Purity *purity = userData;
  purity->isPure &= !mlirValueIsNull(written) &&
                    mlirOperationEqual(purity->at, purity->maker) &&
                    berthPlaceOf(written, purity->content) >= 0;
}

static void noteRead(BerthEffect effect, void *userData) {
  Purity *purity = userData;
  purity->isPure &=
      effect.kind != BERTH_EFFECT_READ || !mlirValueIsNull(effect.value);
}

static MlirWalkResult lookForEffects(MlirOperation op, void *userData) {
  Purity *purity = userData;
  purity->at = op;
  berthForEachWrite(op, noteWrite, purity);
  berthOpGetEffects(op, noteRead, purity);
  return purity->isPure ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/// True if it writes places of the content, and reads what it is given.
static bool isPure(MlirOperation maker, MlirAttribute content) {
  Purity purity = {maker, maker, content, true};
  mlirOperationWalk(maker, lookForEffects, &purity, MlirWalkPreOrder);
  return purity.isPure;
}

//===----------------------------------------------------------------------===//
// All makers
//===----------------------------------------------------------------------===//

typedef struct Walk {
  BerthMakers *makers;
  MlirOperation scope;
  size_t numAgains;
  MlirOperation *agains; ///< what is computed again in the layer
} Walk;

static void compare(BerthMakers *makers, MlirOperation maker,
                    MlirOperation again) {
  if (!mlirIdentifierEqual(mlirOperationGetName(maker),
                           mlirOperationGetName(again)))
    return;
  uint32_t place = berthContentsAgainPlace(makers->contents, again);
  Comparison comparison = {
      .makers = makers, .maker = maker, .again = again, .place = place};
  size_t content = makers->contents->contentOf[place];
  if (isSameOp(&comparison, maker, again) &&
      isPure(maker, makers->contents->items[content].number)) {
    addTo(makers, &makers->madeBy, maker.ptr, place);
    comparison.notes = true;
    isSameOp(&comparison, maker, again);
  }
  berthPointerMapFree(&comparison.inner);
}

static MlirWalkResult compareOp(MlirOperation op, void *userData) {
  const Walk *walk = userData;
  if (mlirOperationEqual(op, walk->scope))
    return MlirWalkResultAdvance;
  if (berthOpIsFunction(op))
    return MlirWalkResultSkip;
  bool isMarked = !mlirAttributeIsNull(berthAttributeOf(op, BERTH_MOVE)) ||
                  !mlirAttributeIsNull(berthAttributeOf(op, BERTH_RECOMPUTE));
  for (size_t i = 0; !isMarked && i < walk->numAgains; ++i)
    compare(walk->makers, op, walk->agains[i]);
  return MlirWalkResultAdvance;
}

/// True if all that leads to what the value shows is views, each of which is
/// used by ops that read, write or free it: nobody else knows its address. A
/// transfer that moves content ends in its block.
static bool isOnlyViewed(BerthCallees *callees, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use), callee;
    BerthEffects effects;
    MlirValue viewed = berthViewGetSource(op);
    if (!mlirValueIsNull(viewed) && mlirValueEqual(viewed, value)) {
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
        if (!isOnlyViewed(callees, mlirOperationGetResult(op, i)))
          return false;
    } else if (berthOpGetCallee(op, &callee)) {
      BerthCalleeArgument argument = berthCalleesGetArgument(
          callees, callee,
          berthCallGetArgument(op, mlirOpOperandGetOperandNumber(use)));
      if (argument.isKept || argument.returned)
        return false;
    } else if (!berthOpIsFree(op) && !berthIsMove(op) &&
               (berthOpLetsEscape(op) || berthOpIsTransfer(op) ||
                berthOpMayReturnPointer(op) ||
                !berthOpSumEffects(op, value, &effects) || !effects.onValue)) {
      return false;
    }
  }
  return true;
}

static bool isFollowed(BerthCallees *callees, MlirValue memory) {
  return berthIsFreshMemory(memory) && isOnlyViewed(callees, memory);
}

/// Every place of a content is one of its input.
static void findViews(BerthMakers *makers, BerthCallees *callees,
                      BerthMemory *memory) {
  const BerthContents *contents = makers->contents;
  size_t numValues = 0;
  BerthRoot *roots = BERTH_NEW(memory, BerthRoot, makers->numInputs);
  BerthRootValue *values =
      BERTH_NEW(memory, BerthRootValue, makers->numInputs + contents->numOps);
  for (size_t i = 0; i < makers->numInputs; ++i) {
    BerthMakerInput *input = &makers->inputs[i];
    roots[i] = (BerthRoot){.arena = input->memory,
                           .upper = INT64_MAX,
                           .instanceOf = BERTH_NO_ROOT,
                           .mergedFrom = BERTH_NO_ROOT};
    values[numValues++] = (BerthRootValue){input->memory, (uint32_t)i};
    input->isFollowed = isFollowed(callees, input->memory);
  }
  for (size_t i = 0; i < contents->numOps; ++i) {
    if (mlirOperationGetNumResults(contents->ops[i]) != 1)
      continue;
    MlirValue value = mlirOperationGetResult(contents->ops[i], 0);
    MlirAttribute content = berthPlaceContent(value);
    size_t input = mlirAttributeIsNull(content)
                       ? BERTH_NOT_FOUND
                       : berthPointerMapFind(&makers->inputOf, content.ptr);
    if (input == BERTH_NOT_FOUND)
      continue;
    values[numValues++] = (BerthRootValue){value, (uint32_t)input};
    makers->inputs[input].isFollowed &= isFollowed(callees, value);
  }
  for (size_t i = 0; i < makers->numInputs; ++i)
    makers->hasUnfollowed |= !makers->inputs[i].isFollowed;
  makers->views = berthViewsOfValues(roots, makers->numInputs, values,
                                     numValues, callees, memory);
}

BerthMakers berthMakersOf(const BerthContents *contents, MlirOperation scope,
                          BerthCallees *callees, BerthMemory *memory) {
  BerthMakers makers = {.contents = contents};
  Walk walk = {.makers = &makers,
               .scope = scope,
               .agains = BERTH_NEW(memory, MlirOperation, contents->numOps)};
  for (size_t i = 0; i < contents->numOps; ++i)
    if (berthContentsAgainPlace(contents, contents->ops[i]) != BERTH_NO_ROOT)
      walk.agains[walk.numAgains++] = contents->ops[i];
  if (walk.numAgains)
    mlirOperationWalk(scope, compareOp, &walk, MlirWalkPreOrder);
  findViews(&makers, callees, memory);
  makers.accesses = BERTH_NEW(memory, BerthRootAccesses, 1);
  *makers.accesses = (BerthRootAccesses){0};
  return makers;
}

void berthMakersFree(BerthMakers *makers) {
  free(makers->links);
  free(makers->inputs);
  berthPointerMapFree(&makers->madeBy);
  berthPointerMapFree(&makers->madeOf);
  berthPointerMapFree(&makers->inputOf);
  berthViewsFree(&makers->views);
  berthRootAccessesFree(makers->accesses);
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

typedef struct Telling {
  const BerthMakers *makers;
  MlirOperation op;
  BerthPlaceCallback callback;
  void *userData;
} Telling;

static void tell(const Telling *telling, size_t link) {
  for (; link != BERTH_NOT_FOUND; link = telling->makers->links[link].next)
    telling->callback(telling->makers->links[link].place, telling->userData);
}

void berthMakersForEachMade(const BerthMakers *makers, MlirOperation op,
                            BerthPlaceCallback callback, void *userData) {
  Telling telling = {makers, op, callback, userData};
  tell(&telling, berthPointerMapFind(&makers->madeBy, op.ptr));
}

void berthMakersForEachOf(const BerthMakers *makers, MlirValue value,
                          BerthPlaceCallback callback, void *userData) {
  Telling telling = {makers, {NULL}, callback, userData};
  tell(&telling, berthPointerMapFind(&makers->madeOf, value.ptr));
}

/// True if what the op writes is what the input held already.
static bool keeps(const BerthMakerInput *input, MlirOperation op) {
  return !mlirAttributeIsNull(input->content) &&
         (berthIsMove(op) ||
          berthMarkNames(op, BERTH_RECOMPUTE, input->content));
}

/// `written`: null for anything. Memory of which only views are known is what
/// these show, and nothing else is.
static void tellWritten(MlirValue written, void *userData) {
  const Telling *telling = userData;
  const BerthMakers *makers = telling->makers;
  MlirValue memory =
      mlirValueIsNull(written) ? written : berthValueBehindViews(written);
  bool isKnown = !mlirValueIsNull(written) && makers->hasUnfollowed &&
                 isFollowed(makers->views.callees, memory);
  for (size_t i = 0; i < makers->numInputs; ++i) {
    const BerthMakerInput *input = &makers->inputs[i];
    bool isApart = !mlirValueIsNull(written) &&
                   (isKnown ? !berthIsOneMemory(memory, input->memory)
                            : !berthMayBeOneMemory(written, input->memory));
    if (!input->isFollowed && !isApart && !keeps(input, telling->op))
      tell(telling, input->places);
  }
}

/// The places of a content may be freed, one after the other; that it lives on
/// in another one is seen there.
static void tellFreed(const Telling *telling, MlirOperation op) {
  const BerthMakers *makers = telling->makers;
  intptr_t count = berthOpIsFree(op) ? mlirOperationGetNumOperands(op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    const BerthRootSet *set =
        berthViewsFind(&makers->views, mlirOperationGetOperand(op, i));
    for (size_t k = 0; set && k < set->count; ++k)
      if (mlirAttributeIsNull(makers->inputs[set->ids[k]].content))
        tell(telling, makers->inputs[set->ids[k]].places);
  }
}

static void tellBegun(const Telling *telling, MlirOperation op,
                      const char *name) {
  const BerthMakers *makers = telling->makers;
  MlirAttribute mark = berthAttributeOf(op, name), number;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
       ++k) {
    size_t input = berthPointerMapFind(&makers->inputOf, number.ptr);
    if (input != BERTH_NOT_FOUND)
      tell(telling, makers->inputs[input].places);
  }
}

static MlirWalkResult tellOp(MlirOperation op, void *userData) {
  Telling *telling = userData;
  telling->op = op;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    tell(telling, berthPointerMapFind(&telling->makers->madeOf,
                                      mlirOperationGetResult(op, i).ptr));
  tellBegun(telling, op, BERTH_CONTENT_BEGINS);
  tellBegun(telling, op, BERTH_CONTENT_COPIED);
  tellFreed(telling, op);
  berthForEachWrite(op, tellWritten, telling);
  return MlirWalkResultAdvance;
}

void berthMakersForEachChanged(const BerthMakers *makers, MlirOperation op,
                               bool withNested, BerthPlaceCallback callback,
                               void *userData) {
  Telling telling = {makers, op, callback, userData};
  BerthRootAccesses *list = makers->accesses;
  if (makers->numLinks == 0)
    return;
  if (withNested && mlirOperationGetNumRegions(op) > 0)
    mlirOperationWalk(op, tellOp, &telling, MlirWalkPreOrder);
  else
    tellOp(op, &telling);
  berthRootAccessesOf(list, &makers->views, op, withNested);
  for (size_t i = 0; i < list->count; ++i) {
    const BerthMakerInput *input = &makers->inputs[list->items[i].root];
    if (list->items[i].writes && !keeps(input, list->items[i].op))
      tell(&telling, input->places);
  }
}
