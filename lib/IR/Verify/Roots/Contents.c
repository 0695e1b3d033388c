//===- Contents.c - Content that changes places, for the verifier ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Contents.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

enum { kSource = 0, kTarget = 1 };

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// Number k of a mark, which is one number or an array; null behind the last.
static MlirAttribute numberAt(MlirAttribute mark, intptr_t k) {
  if (!mlirAttributeIsNull(mark) && mlirAttributeIsAArray(mark))
    mark = k < mlirArrayAttrGetNumElements(mark)
               ? mlirArrayAttrGetElement(mark, k)
               : mlirAttributeGetNull();
  else if (k > 0)
    mark = mlirAttributeGetNull();
  bool isNumber = !mlirAttributeIsNull(mark) && mlirAttributeIsAInteger(mark);
  return isNumber ? mark : mlirAttributeGetNull();
}

/// What contents the op allocates a place of, the innermost first.
static MlirAttribute placeMark(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1
             ? berthAttributeOf(op, BERTH_CONTENT)
             : mlirAttributeGetNull();
}

static size_t contentIndex(const BerthContents *contents,
                           MlirAttribute number) {
  return berthPointerMapFind(&contents->indexOf, number.ptr);
}

/// The content's place of which the value is a view: which number of its mark
/// the content is, or -1.
static intptr_t placeOf(MlirValue value, MlirAttribute content) {
  value = berthValueBehindViews(value);
  if (!mlirValueIsAOpResult(value))
    return -1;
  MlirAttribute mark = placeMark(mlirOpResultGetOwner(value)), number;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = numberAt(mark, k)); ++k)
    if (mlirAttributeEqual(number, content))
      return k;
  return -1;
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// True for one memory: one value, or places of one content.
static bool isOneMemory(MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b))
    return true;
  if (!mlirValueIsAOpResult(a))
    return false;
  MlirAttribute own = numberAt(placeMark(mlirOpResultGetOwner(a)), 0);
  return !mlirAttributeIsNull(own) && placeOf(b, own) == 0;
}

static bool haveOneAttributes(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumAttributes(a);
  bool areOne = count == mlirOperationGetNumAttributes(b);
  for (intptr_t i = 0; areOne && i < count; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(a, i);
    areOne = mlirAttributeEqual(
        named.attribute,
        mlirOperationGetAttributeByName(b, mlirIdentifierStr(named.name)));
  }
  return areOne;
}

/// True if both show the same part of one memory.
static bool isOnePart(MlirValue a, MlirValue b) {
  while (!mlirValueEqual(a, b)) {
    MlirValue viewedA = berthValueViewed(a), viewedB = berthValueViewed(b);
    if (mlirValueIsNull(viewedA) || mlirValueIsNull(viewedB))
      return isOneMemory(a, b);
    MlirOperation opA = mlirOpResultGetOwner(a), opB = mlirOpResultGetOwner(b);
    intptr_t count = mlirOperationGetNumOperands(opA);
    if (!mlirIdentifierEqual(mlirOperationGetName(opA),
                             mlirOperationGetName(opB)) ||
        mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
        count != mlirOperationGetNumOperands(opB) ||
        !haveOneAttributes(opA, opB))
      return false;
    for (intptr_t i = 0; i < count; ++i) {
      MlirValue x = mlirOperationGetOperand(opA, i);
      if (!mlirValueEqual(x, viewedA) &&
          !berthIsSameValue(x, mlirOperationGetOperand(opB, i)))
        return false;
    }
    a = viewedA;
    b = viewedB;
  }
  return true;
}

static void beUnclear(BerthContent *content, const char *why, MlirOperation at,
                      bool isWrong) {
  if (content->isWrong || (content->unclear && !isWrong))
    return;
  content->unclear = why;
  content->unclearAt = at;
  content->isWrong = isWrong;
}

/// True for a place of some content.
static bool isPlace(MlirValue value) {
  value = berthValueBehindViews(value);
  return mlirValueIsAOpResult(value) &&
         !mlirAttributeIsNull(
             numberAt(placeMark(mlirOpResultGetOwner(value)), 0));
}

static void noteSource(BerthContent *content, MlirValue source,
                       MlirOperation at) {
  if (mlirValueIsNull(content->source))
    content->source = source;
  bool isOther = !isOnePart(content->source, source);
  if (isOther || !content->isCopied)
    beUnclear(content, "moves content from where it is not", at,
              (isOther && content->isCopied) || isPlace(source));
}

/// What an op reads may be a part of it.
static void noteRead(BerthContent *content, MlirValue read, MlirOperation at) {
  if (mlirValueIsNull(content->source))
    content->source = berthValueBehindViews(read);
  for (MlirValue viewed = read; !mlirValueIsNull(viewed);
       viewed = berthValueViewed(viewed))
    if (isOnePart(content->source, viewed)) {
      noteSource(content, viewed, at);
      return;
    }
  noteSource(content, read, at);
}

//===----------------------------------------------------------------------===//
// All contents
//===----------------------------------------------------------------------===//

static BerthContent *addContent(BerthContents *contents, MlirAttribute number) {
  if (!berthPointerMapInsert(&contents->indexOf, number.ptr, contents->count))
    return &contents->items[contentIndex(contents, number)];
  contents->items = berthGrow(contents->items, contents->count,
                              &contents->capacity, sizeof *contents->items);
  contents->items[contents->count] =
      (BerthContent){.number = number,
                     .firstPlace = BERTH_NO_ROOT,
                     .sourcePlace = BERTH_NO_ROOT};
  return &contents->items[contents->count++];
}

static bool isMarked(MlirOperation op) {
  static const char *const names[] = {BERTH_CONTENT, BERTH_MOVE,
                                      BERTH_CONTENT_COPIED, BERTH_CONTENT_READ};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!mlirAttributeIsNull(berthAttributeOf(op, names[i])))
      return true;
  return false;
}

typedef struct Walk {
  BerthContents *contents;
  MlirOperation scope;
} Walk;

static MlirWalkResult collectOp(MlirOperation op, void *userData) {
  const Walk *walk = userData;
  BerthContents *contents = walk->contents;
  if (mlirOperationEqual(op, walk->scope))
    return MlirWalkResultAdvance;
  if (berthOpIsFunction(op))
    return MlirWalkResultSkip;
  if (!isMarked(op))
    return MlirWalkResultAdvance;
  contents->ops = berthGrow(contents->ops, contents->numOps,
                            &contents->opCapacity, sizeof *contents->ops);
  contents->ops[contents->numOps++] = op;
  MlirAttribute number;
  for (intptr_t k = 0;
       !mlirAttributeIsNull(number = numberAt(placeMark(op), k)); ++k)
    addContent(contents, number);
  number = numberAt(berthAttributeOf(op, BERTH_MOVE), 0);
  if (!mlirAttributeIsNull(number))
    addContent(contents, number);
  MlirAttribute copied = berthAttributeOf(op, BERTH_CONTENT_COPIED);
  for (intptr_t k = 0; !mlirAttributeIsNull(number = numberAt(copied, k)); ++k)
    addContent(contents, number)->isCopied = true;
  return MlirWalkResultAdvance;
}

/// The same elements, in whatever memory: then a copy moves all there is.
static bool haveOneForm(MlirValue a, MlirValue b) {
  MlirType x = mlirValueGetType(a), y = mlirValueGetType(b);
  return mlirTypeIsAMemRef(x) && mlirTypeIsAMemRef(y) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(x),
                       mlirShapedTypeGetElementType(y)) &&
         mlirAttributeEqual(mlirMemRefTypeGetLayout(x),
                            mlirMemRefTypeGetLayout(y));
}

/// True for a copy that its mark says to bring a place its content.
static bool isMove(MlirOperation op) {
  MlirAttribute number = numberAt(berthAttributeOf(op, BERTH_MOVE), 0);
  return !mlirAttributeIsNull(number) && berthOpIsCopy(op) &&
         mlirOperationGetNumOperands(op) == 2 &&
         placeOf(mlirOperationGetOperand(op, kTarget), number) >= 0;
}

static void readMove(BerthContents *contents, MlirOperation op) {
  MlirAttribute number = numberAt(berthAttributeOf(op, BERTH_MOVE), 0);
  size_t index = mlirAttributeIsNull(number) ? BERTH_NOT_FOUND
                                             : contentIndex(contents, number);
  if (index == BERTH_NOT_FOUND)
    return;
  BerthContent *content = &contents->items[index];
  if (!berthOpIsCopy(op) || mlirOperationGetNumOperands(op) != 2) {
    beUnclear(content, "is marked as a move, and is no copy", op, false);
    return;
  }
  MlirValue from = mlirOperationGetOperand(op, kSource);
  MlirValue to = mlirOperationGetOperand(op, kTarget);
  if (placeOf(to, number) < 0)
    beUnclear(content, "moves content to what is no place of it", op,
              isPlace(to) || mlirValueIsABlockArgument(to));
  else if (placeOf(from, number) < 0)
    noteSource(content, from, op);
  else if (!haveOneForm(from, to))
    beUnclear(content, "moves content between places of different form", op,
              true);
}

/// The mark has a content and the number of an operand, as often as need be.
static void readReads(BerthContents *contents, MlirOperation op) {
  MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT_READ), number, at;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = numberAt(mark, k)) &&
                       !mlirAttributeIsNull(at = numberAt(mark, k + 1));
       k += 2) {
    size_t index = contentIndex(contents, number);
    int64_t operand = mlirIntegerAttrGetValueInt(at);
    if (index != BERTH_NOT_FOUND && operand >= 0 &&
        operand < mlirOperationGetNumOperands(op))
      noteRead(&contents->items[index], mlirOperationGetOperand(op, operand),
               op);
  }
}

/// A content's layer is above those of all that its places are made of.
static bool raiseLayers(BerthContents *contents, MlirOperation op) {
  bool isChanged = false;
  MlirAttribute mark = placeMark(op), inner = numberAt(mark, 0), outer;
  for (intptr_t k = 1; !mlirAttributeIsNull(outer = numberAt(mark, k));
       ++k, inner = outer) {
    size_t least = contents->items[contentIndex(contents, inner)].layer + 1;
    BerthContent *content = &contents->items[contentIndex(contents, outer)];
    if (content->layer >= least || least > contents->count)
      continue;
    content->layer = least;
    isChanged = true;
  }
  return isChanged;
}

BerthContents berthContentsOf(MlirOperation scope) {
  BerthContents contents = {0};
  Walk walk = {&contents, scope};
  mlirOperationWalk(scope, collectOp, &walk, MlirWalkPreOrder);
  for (size_t i = 0; i < contents.numOps; ++i)
    readMove(&contents, contents.ops[i]);
  for (size_t i = 0; i < contents.numOps; ++i)
    readReads(&contents, contents.ops[i]);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < contents.numOps; ++i)
      isChanged |= raiseLayers(&contents, contents.ops[i]);
  }
  for (size_t i = 0; i < contents.count; ++i)
    if (contents.items[i].layer >= contents.numLayers)
      contents.numLayers = contents.items[i].layer + 1;
  return contents;
}

void berthContentsFree(BerthContents *contents) {
  free(contents->items);
  free(contents->ops);
  berthPointerMapFree(&contents->indexOf);
}

//===----------------------------------------------------------------------===//
// One layer
//===----------------------------------------------------------------------===//

static bool isLookedAt(const BerthContents *contents, size_t content) {
  return content != BERTH_NOT_FOUND && !contents->items[content].unclear &&
         contents->items[content].layer == contents->layer;
}

/// The roots of one layer as they are found.
typedef struct Places {
  BerthContents *contents;
  BerthMemory *memory;
  size_t numRoots, numValues;
  BerthRoot *roots;
  BerthRootValue *values, *wholes;
} Places;

static uint32_t addPlace(Places *places, size_t content, MlirValue value,
                         MlirAttribute slot) {
  BerthContents *contents = places->contents;
  BerthTypeSize size;
  bool isSized = berthMemRefGetSize(mlirValueGetType(value),
                                    mlirValueIsAOpResult(value)
                                        ? mlirOpResultGetOwner(value)
                                        : contents->ops[0],
                                    &size) == BERTH_SIZE_OK;
  uint32_t root = (uint32_t)places->numRoots++;
  places->roots[root] = (BerthRoot){.arena = value,
                                    .upper = isSized ? size.bytes : INT64_MAX,
                                    .instanceOf = BERTH_NO_ROOT,
                                    .mergedFrom = BERTH_NO_ROOT};
  contents->contentOf[root] = content;
  contents->slotOf[root] = slot;
  contents->nextPlace[root] = contents->items[content].firstPlace;
  contents->items[content].firstPlace = root;
  return root;
}

static void addPlaces(Places *places, MlirOperation op) {
  BerthContents *contents = places->contents;
  MlirAttribute mark = placeMark(op), number, slot = mlirAttributeGetNull();
  for (intptr_t k = 0; !mlirAttributeIsNull(number = numberAt(mark, k));
       ++k, slot = number) {
    size_t index = contentIndex(contents, number);
    if (!isLookedAt(contents, index))
      continue;
    uint32_t root = contents->items[index].firstPlace;
    while (root != BERTH_NO_ROOT &&
           (k == 0 || !mlirAttributeEqual(contents->slotOf[root], slot)))
      root = contents->nextPlace[root];
    MlirValue value = mlirOperationGetResult(op, 0);
    if (root == BERTH_NO_ROOT)
      root = addPlace(places, index, value, slot);
    places->values[places->numValues] = (BerthRootValue){value, root};
    places->wholes[places->numValues++] =
        (BerthRootValue){value, (uint32_t)index};
    return; // the others have layers of their own
  }
}

/// A root for each content, as long as any of its places.
static BerthViews viewsOfWholes(const Places *places, BerthCallees *callees) {
  const BerthContents *contents = places->contents;
  BerthRoot *roots = BERTH_NEW(places->memory, BerthRoot, contents->count);
  for (size_t i = 0; i < contents->count; ++i) {
    uint32_t first = contents->items[i].firstPlace;
    roots[i] =
        (BerthRoot){.instanceOf = BERTH_NO_ROOT, .mergedFrom = BERTH_NO_ROOT};
    if (first != BERTH_NO_ROOT)
      roots[i] = places->roots[first];
  }
  return berthViewsOfValues(roots, contents->count, places->wholes,
                            places->numValues, callees, places->memory);
}

void berthContentsLookAt(BerthContents *contents, size_t layer,
                         BerthCallees *callees, BerthMemory *memory) {
  size_t most = contents->numOps + contents->count;
  contents->layer = layer;
  contents->numSources = 0;
  contents->contentOf = BERTH_NEW(memory, size_t, most);
  contents->nextPlace = BERTH_NEW(memory, uint32_t, most);
  contents->slotOf = BERTH_NEW(memory, MlirAttribute, most);
  Places places = {.contents = contents,
                   .memory = memory,
                   .roots = BERTH_NEW(memory, BerthRoot, most),
                   .values = BERTH_NEW(memory, BerthRootValue, most),
                   .wholes = BERTH_NEW(memory, BerthRootValue, most)};
  for (size_t i = 0; i < contents->count; ++i)
    contents->items[i].firstPlace = contents->items[i].sourcePlace =
        BERTH_NO_ROOT;
  for (size_t i = 0; i < contents->numOps; ++i)
    addPlaces(&places, contents->ops[i]);
  contents->whole = viewsOfWholes(&places, callees);
  for (size_t i = 0; i < contents->count; ++i) {
    BerthContent *content = &contents->items[i];
    if (!isLookedAt(contents, i) || mlirValueIsNull(content->source))
      continue;
    content->sourcePlace =
        addPlace(&places, i, content->source, mlirAttributeGetNull());
    ++contents->numSources;
  }
  contents->views =
      berthViewsOfValues(places.roots, places.numRoots, places.values,
                         places.numValues, callees, memory);
  contents->views.contents = contents->whole.contents = contents;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool berthContentsIsMove(const BerthContents *contents, MlirOperation op,
                         size_t *content) {
  MlirAttribute number = numberAt(berthAttributeOf(op, BERTH_MOVE), 0);
  *content = mlirAttributeIsNull(number) ? BERTH_NOT_FOUND
                                         : contentIndex(contents, number);
  return isLookedAt(contents, *content);
}

bool berthContentsKeeps(const BerthContents *contents, MlirOperation op) {
  MlirAttribute number = numberAt(berthAttributeOf(op, BERTH_MOVE), 0);
  size_t content = mlirAttributeIsNull(number) ? BERTH_NOT_FOUND
                                               : contentIndex(contents, number);
  return isLookedAt(contents, content) ||
         (content != BERTH_NOT_FOUND && isMove(op) &&
          contents->items[content].layer < contents->layer);
}

/// True if the op's mark of that name has the number.
static bool names(MlirOperation op, const char *name, MlirAttribute number) {
  MlirAttribute mark = berthAttributeOf(op, name), other;
  for (intptr_t k = 0; !mlirAttributeIsNull(other = numberAt(mark, k)); ++k)
    if (mlirAttributeEqual(other, number))
      return true;
  return false;
}

bool berthContentsIsComputedAgain(const BerthContents *contents,
                                  MlirOperation op, size_t content) {
  return names(op, BERTH_RECOMPUTE, contents->items[content].number);
}

/// A place that is itself a content is made where that begins.
uint32_t berthContentsMadePlace(const BerthContents *contents,
                                MlirOperation op) {
  if (mlirAttributeIsNull(placeMark(op)))
    return BERTH_NO_ROOT;
  const BerthRootSet *set =
      berthViewsFind(&contents->views, mlirOperationGetResult(op, 0));
  if (!set || set->count != 1)
    return BERTH_NO_ROOT;
  MlirAttribute slot = contents->slotOf[set->ids[0]];
  bool isMade =
      mlirAttributeIsNull(slot) || names(op, BERTH_CONTENT_BEGINS, slot);
  return isMade ? set->ids[0] : BERTH_NO_ROOT;
}

void berthContentsForEachNamed(const BerthContents *contents, MlirOperation op,
                               const char *name, BerthContentCallback callback,
                               void *userData) {
  MlirAttribute mark = berthAttributeOf(op, name), number;
  bool hasOperands = strcmp(name, BERTH_CONTENT_READ) == 0;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = numberAt(mark, k));
       k += hasOperands ? 2 : 1) {
    size_t content = contentIndex(contents, number);
    if (isLookedAt(contents, content))
      callback(content, userData);
  }
}

/// True for what allocates: its result is memory that nothing else is.
static bool isFresh(MlirValue value) {
  BerthEffects effects;
  return mlirValueIsAOpResult(value) &&
         berthOpSumEffects(mlirOpResultGetOwner(value), value, &effects) &&
         (effects.onValue & BERTH_EFFECT_ALLOCATE);
}

/// True for what a function is given: memory that was there before it ran.
static bool isGiven(MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  return berthOpIsFunction(parent) &&
         mlirBlockEqual(
             block, mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 0)));
}

static bool mayBeOne(MlirValue a, MlirValue b) {
  a = berthValueBehindViews(a);
  b = berthValueBehindViews(b);
  bool areApart =
      (isFresh(a) && (isFresh(b) || isGiven(b))) || (isGiven(a) && isFresh(b));
  return isOneMemory(a, b) || !areApart;
}

typedef struct Spoiling {
  const BerthContents *contents;
  BerthContentCallback callback;
  void *userData;
} Spoiling;

/// `value`: what is written; null: anything.
static void spoil(const Spoiling *spoiling, MlirValue value) {
  for (size_t i = 0; i < spoiling->contents->count; ++i) {
    const BerthContent *content = &spoiling->contents->items[i];
    if (content->sourcePlace != BERTH_NO_ROOT &&
        !berthMemoryIsConstant(berthValueBehindViews(content->source)) &&
        (mlirValueIsNull(value) || mayBeOne(value, content->source)))
      spoiling->callback(i, spoiling->userData);
  }
}

static void spoilByEffect(BerthEffect effect, void *userData) {
  if (effect.kind & (BERTH_EFFECT_WRITE | BERTH_EFFECT_FREE))
    spoil(userData, effect.value);
}

void berthContentsForEachSpoilt(const BerthContents *contents, MlirOperation op,
                                BerthContentCallback callback, void *userData) {
  MlirOperation callee;
  Spoiling spoiling = {contents, callback, userData};
  // A place that is brought its content holds what it held.
  if (contents->numSources == 0 || isMove(op))
    return;
  bool isEnd = mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
               (berthOpIsReturn(op) || mlirOperationGetNumSuccessors(op) ||
                berthOpIsRegionBranch(mlirOperationGetParentOperation(op)));
  bool isWrapper =
      mlirOperationGetNumRegions(op) > 0 && berthOpTellsOfRegions(op);
  if (berthOpGetCallee(op, &callee) ||
      (!berthOpGetEffects(op, spoilByEffect, &spoiling) && !isEnd &&
       !isWrapper))
    spoil(&spoiling, (MlirValue){NULL});
}
