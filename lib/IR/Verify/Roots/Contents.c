//===- Contents.c - Content that changes places, for the verifier ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Contents.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Roots/Marks.h"
#include "IR/Verify/Roots/Moves.h"
#include "IR/Verify/Roots/Writes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static size_t contentIndex(const BerthContents *contents,
                           MlirAttribute number) {
  return berthPointerMapFind(&contents->indexOf, number.ptr);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

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
  return !mlirAttributeIsNull(berthPlaceContent(value));
}

/// Without casts, which some pass may have folded into the move.
static MlirValue behindCasts(MlirValue value) {
  while (mlirValueIsAOpResult(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_CAST))
    value = berthValueViewed(value);
  return value;
}

static void noteSource(BerthContent *content, MlirValue source,
                       MlirOperation at) {
  if (mlirValueIsNull(content->source))
    content->source = source;
  bool isOther =
      !berthIsOnePart(behindCasts(content->source), behindCasts(source));
  if (isOther || !content->isCopied)
    beUnclear(content, "moves content from where it is not", at,
              content->isComplete || (isOther && content->isCopied) ||
                  isPlace(source));
}

/// What an op reads may be a part of it.
static void noteRead(BerthContent *content, MlirValue read, MlirOperation at) {
  if (mlirValueIsNull(content->source))
    content->source = berthValueBehindViews(read);
  for (MlirValue viewed = read; !mlirValueIsNull(viewed);
       viewed = berthValueViewed(viewed))
    if (berthIsOnePart(content->source, viewed)) {
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
                     .outer = BERTH_NOT_FOUND,
                     .firstPlace = BERTH_NO_ROOT,
                     .sourcePlace = BERTH_NO_ROOT};
  return &contents->items[contents->count++];
}

static bool isMarked(MlirOperation op) {
  static const char *const names[] = {BERTH_CONTENT,        BERTH_MOVE,
                                      BERTH_CONTENT_COPIED, BERTH_CONTENT_READ,
                                      BERTH_CONTENT_SOURCE, BERTH_RECOMPUTE};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!mlirAttributeIsNull(berthAttributeOf(op, names[i])))
      return true;
  return !mlirAttributeIsNull(berthMoveNumber(op));
}

/// A place is an allocation, or a content that is one in turn.
static void countPlaces(BerthContents *contents, MlirOperation op) {
  MlirAttribute mark = berthPlaceMark(op), number;
  MlirAttribute counts = berthAttributeOf(op, BERTH_CONTENT_PLACES);
  size_t inner = BERTH_NOT_FOUND;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
       ++k) {
    addContent(contents, number);
    size_t index = contentIndex(contents, number);
    MlirAttribute count = berthMarkNumber(counts, k);
    if (!mlirAttributeIsNull(count) && mlirIntegerAttrGetValueInt(count) > 0)
      contents->items[index].numTold =
          (size_t)mlirIntegerAttrGetValueInt(count);
    bool isNew = k == 0 || contents->items[inner].outer == BERTH_NOT_FOUND;
    contents->items[index].numSeen += isNew;
    if (k > 0)
      contents->items[inner].outer = index;
    inner = index;
  }
}

/// Where some of a place is missing, so is some of what that is a place of.
static void findComplete(BerthContents *contents) {
  for (size_t i = 0; i < contents->count; ++i) {
    BerthContent *content = &contents->items[i];
    content->isComplete =
        content->numTold > 0 && content->numSeen >= content->numTold;
  }
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < contents->count; ++i) {
      size_t outer = contents->items[i].outer;
      if (contents->items[i].isComplete || outer == BERTH_NOT_FOUND ||
          !contents->items[outer].isComplete)
        continue;
      contents->items[outer].isComplete = false;
      isChanged = true;
    }
  }
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
  countPlaces(contents, op);
  MlirAttribute number = berthMoveNumber(op);
  if (!mlirAttributeIsNull(number))
    addContent(contents, number);
  number = berthMarkNumber(berthAttributeOf(op, BERTH_RECOMPUTE), 0);
  if (!mlirAttributeIsNull(number))
    addContent(contents, number);
  MlirAttribute copied = berthAttributeOf(op, BERTH_CONTENT_COPIED);
  for (intptr_t k = 0;
       !mlirAttributeIsNull(number = berthMarkNumber(copied, k)); ++k)
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

static void readMove(BerthContents *contents, MlirOperation op) {
  MlirAttribute number = berthMoveNumber(op);
  size_t index = mlirAttributeIsNull(number) ? BERTH_NOT_FOUND
                                             : contentIndex(contents, number);
  if (index == BERTH_NOT_FOUND)
    return;
  BerthContent *content = &contents->items[index];
  MlirValue from, to;
  BerthMoveKind kind = berthGetMove(op, &from, &to);
  if (kind == BERTH_MOVE_NONE) {
    beUnclear(content,
              "is marked as a move, and is neither copy nor transfer, nor the "
              "wait for one that has a tag or token of its own",
              op,
              content->isComplete &&
                  (berthWaitIsInDoubt(op) || berthOpIsDescribed(op)));
    return;
  }
  if (berthPlaceOf(to, number) < 0)
    beUnclear(content, "moves content to what is no place of it", op,
              content->isComplete || isPlace(to) ||
                  mlirValueIsABlockArgument(to));
  else if (berthPlaceOf(from, number) < 0)
    noteSource(content, from, op);
  else if (!haveOneForm(from, to))
    beUnclear(content, "moves content between places of different form", op,
              true);
  if (kind != BERTH_MOVE_WAIT && !berthOpIsCopy(op) &&
      (!haveOneForm(from, to) || !berthMoveIsWhole(op)))
    beUnclear(content, "transfers a part of a content", op, true);
}

/// What the op reads by the operand of that number: a wait for a transfer, what
/// that does. Null: nobody knows of which, since something has taken the place
/// of its tag.
static MlirValue readBy(MlirOperation op, int64_t operand) {
  MlirValue from, to;
  BerthDma dma;
  if (operand == 0 && berthGetMove(op, &from, &to) == BERTH_MOVE_WAIT)
    return from;
  return berthOpGetDma(op, &dma) ? (MlirValue){NULL}
                                 : mlirOperationGetOperand(op, operand);
}

/// The mark has a content and the number of an operand, as often as need be.
static void readReads(BerthContents *contents, MlirOperation op) {
  MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT_READ), number, at;
  for (intptr_t k = 0;
       !mlirAttributeIsNull(number = berthMarkNumber(mark, k)) &&
       !mlirAttributeIsNull(at = berthMarkNumber(mark, k + 1));
       k += 2) {
    size_t index = contentIndex(contents, number);
    int64_t operand = mlirIntegerAttrGetValueInt(at);
    if (index == BERTH_NOT_FOUND || operand < 0 ||
        operand >= mlirOperationGetNumOperands(op))
      continue;
    MlirValue read = readBy(op, operand);
    if (!mlirValueIsNull(read))
      noteRead(&contents->items[index], read, op);
  }
}

/// `mark`: of the memory from which some contents were copied.
static void readSource(BerthContents *contents, MlirAttribute mark,
                       MlirValue source) {
  MlirAttribute number;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
       ++k) {
    size_t index = contentIndex(contents, number);
    if (index != BERTH_NOT_FOUND &&
        mlirValueIsNull(contents->items[index].source))
      contents->items[index].source = source;
  }
}

/// The sources that are marked, so that all moves may be held to them.
static void readSources(BerthContents *contents, MlirOperation scope) {
  for (size_t i = 0; i < contents->numOps; ++i) {
    MlirOperation op = contents->ops[i];
    MlirAttribute mark = berthAttributeOf(op, BERTH_CONTENT_SOURCE);
    if (!mlirAttributeIsNull(mark) && mlirOperationGetNumResults(op) == 1)
      readSource(contents, mark, mlirOperationGetResult(op, 0));
  }
  MlirAttribute all = berthAttributeOf(scope, "arg_attrs");
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(scope, 0));
  intptr_t count = mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all)
                       ? 0
                       : mlirArrayAttrGetNumElements(all);
  for (intptr_t i = 0; i < count && i < mlirBlockGetNumArguments(entry); ++i)
    readSource(contents,
               mlirDictionaryAttrGetElementByName(
                   mlirArrayAttrGetElement(all, i),
                   mlirStringRefCreateFromCString(BERTH_CONTENT_SOURCE)),
               mlirBlockGetArgument(entry, i));
}

/// A content's layer is above those of all that its places are made of.
static bool raiseLayers(BerthContents *contents, MlirOperation op) {
  bool isChanged = false;
  MlirAttribute mark = berthPlaceMark(op), inner = berthMarkNumber(mark, 0),
                outer;
  for (intptr_t k = 1; !mlirAttributeIsNull(outer = berthMarkNumber(mark, k));
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
  findComplete(&contents);
  readSources(&contents, scope);
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
  berthPointerMapFree(&contents->againOf);
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
  MlirAttribute mark = berthPlaceMark(op), number,
                slot = mlirAttributeGetNull();
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
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

/// True if some pass has put something else in the place of what was a place.
static bool isAnyIncomplete(const BerthContents *contents) {
  for (size_t i = 0; i < contents->count; ++i)
    if (contents->items[i].numSeen == 0 ||
        (contents->items[i].numTold > 0 && !contents->items[i].isComplete))
      return true;
  return false;
}

/// What an op computes again is a place of its own. Which op made it first can
/// be told as long as all operands are what berth-fit left.
static void addAgains(Places *places) {
  BerthContents *contents = places->contents;
  for (size_t i = 0; i < contents->numOps; ++i) {
    MlirOperation op = contents->ops[i];
    MlirAttribute number =
        berthMarkNumber(berthAttributeOf(op, BERTH_RECOMPUTE), 0);
    size_t content = mlirAttributeIsNull(number)
                         ? BERTH_NOT_FOUND
                         : contentIndex(contents, number);
    uint32_t first = isLookedAt(contents, content)
                         ? contents->items[content].firstPlace
                         : BERTH_NO_ROOT;
    if (first == BERTH_NO_ROOT)
      continue;
    uint32_t place = addPlace(places, content, places->roots[first].arena,
                              mlirAttributeGetNull());
    berthPointerMapInsert(&contents->againOf, op.ptr, place);
  }
}

void berthContentsLookAt(BerthContents *contents, size_t layer,
                         BerthCallees *callees, BerthMemory *memory) {
  size_t most = 2 * contents->numOps + contents->count;
  contents->layer = layer;
  contents->numSources = 0;
  berthPointerMapClear(&contents->againOf);
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
  if (!isAnyIncomplete(contents))
    addAgains(&places);
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
  MlirAttribute number = berthMoveNumber(op);
  *content = mlirAttributeIsNull(number) ? BERTH_NOT_FOUND
                                         : contentIndex(contents, number);
  return isLookedAt(contents, *content);
}

bool berthContentsKeeps(const BerthContents *contents, MlirOperation op) {
  MlirAttribute number = berthMoveNumber(op);
  size_t content = mlirAttributeIsNull(number) ? BERTH_NOT_FOUND
                                               : contentIndex(contents, number);
  return isLookedAt(contents, content) ||
         (content != BERTH_NOT_FOUND && berthIsMove(op) &&
          contents->items[content].layer < contents->layer);
}

bool berthContentsIsComputedAgain(const BerthContents *contents,
                                  MlirOperation op, size_t content) {
  return berthMarkNames(op, BERTH_RECOMPUTE, contents->items[content].number);
}

uint32_t berthContentsAgainPlace(const BerthContents *contents,
                                 MlirOperation op) {
  size_t place = berthPointerMapFind(&contents->againOf, op.ptr);
  return place == BERTH_NOT_FOUND ? BERTH_NO_ROOT : (uint32_t)place;
}

/// A place that is itself a content is made where that begins.
uint32_t berthContentsMadePlace(const BerthContents *contents,
                                MlirOperation op) {
  if (mlirAttributeIsNull(berthPlaceMark(op)))
    return BERTH_NO_ROOT;
  const BerthRootSet *set =
      berthViewsFind(&contents->views, mlirOperationGetResult(op, 0));
  if (!set || set->count != 1)
    return BERTH_NO_ROOT;
  MlirAttribute slot = contents->slotOf[set->ids[0]];
  bool isMade = mlirAttributeIsNull(slot) ||
                berthMarkNames(op, BERTH_CONTENT_BEGINS, slot);
  return isMade ? set->ids[0] : BERTH_NO_ROOT;
}

void berthContentsForEachNamed(const BerthContents *contents, MlirOperation op,
                               const char *name, BerthContentCallback callback,
                               void *userData) {
  MlirAttribute mark = berthAttributeOf(op, name), number;
  bool hasOperands = strcmp(name, BERTH_CONTENT_READ) == 0;
  for (intptr_t k = 0; !mlirAttributeIsNull(number = berthMarkNumber(mark, k));
       k += hasOperands ? 2 : 1) {
    size_t content = contentIndex(contents, number);
    if (isLookedAt(contents, content))
      callback(content, userData);
  }
}

typedef struct Spoiling {
  const BerthContents *contents;
  BerthContentCallback callback;
  void *userData;
} Spoiling;

/// `value`: what is written; null: anything.
static void spoil(MlirValue value, void *userData) {
  const Spoiling *spoiling = userData;
  for (size_t i = 0; i < spoiling->contents->count; ++i) {
    const BerthContent *content = &spoiling->contents->items[i];
    if (content->sourcePlace != BERTH_NO_ROOT &&
        !berthMemoryIsConstant(berthValueBehindViews(content->source)) &&
        (mlirValueIsNull(value) || berthMayBeOneMemory(value, content->source)))
      spoiling->callback(i, spoiling->userData);
  }
}

void berthContentsForEachSpoilt(const BerthContents *contents, MlirOperation op,
                                BerthContentCallback callback, void *userData) {
  Spoiling spoiling = {contents, callback, userData};
  // A place that is brought its content holds what it held.
  if (contents->numSources > 0 && !berthIsMove(op))
    berthForEachWrite(op, spoil, &spoiling);
}
