//===- Turns.c - Loops that write over what they read ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Turns.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Bytes/Reached.h"
#include "IR/Verify/Bytes/ReadsAhead.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Runs/Control.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// A loop's variable, or some other value, and a number; or a number alone.
typedef struct Place {
  bool isKnown;
  MlirValue value; ///< null: none
  int64_t more;
} Place;

enum { kMostDepth = 16 };

static Place placeOfValue(MlirValue value, int depth);

static Place placeOfNumber(int64_t number) {
  return (Place){.isKnown = true, .more = number};
}

/// Of two values nobody knows whether there is another such pair.
static Place addPlaces(Place a, Place b) {
  Place sum = {.isKnown =
                   a.isKnown && b.isKnown &&
                   (mlirValueIsNull(a.value) || mlirValueIsNull(b.value)),
               .value = mlirValueIsNull(a.value) ? b.value : a.value};
  sum.isKnown =
      !__builtin_add_overflow(a.more, b.more, &sum.more) && sum.isKnown;
  return sum;
}

/// What the expression is of an op whose map's operands begin with `first`.
static Place placeOfExpr(MlirOperation op, intptr_t first, MlirAffineMap map,
                         MlirAffineExpr expr, int depth) {
  intptr_t operand = -1;
  if (mlirAffineExprIsAConstant(expr))
    return placeOfNumber(mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    operand = first + mlirAffineDimExprGetPosition(expr);
  if (mlirAffineExprIsASymbol(expr))
    operand = first + mlirAffineMapGetNumDims(map) +
              mlirAffineSymbolExprGetPosition(expr);
  if (operand >= 0)
    return placeOfValue(mlirOperationGetOperand(op, operand), depth + 1);
  if (!mlirAffineExprIsAAdd(expr))
    return (Place){.isKnown = false};
  return addPlaces(
      placeOfExpr(op, first, map, mlirAffineBinaryOpExprGetLHS(expr), depth),
      placeOfExpr(op, first, map, mlirAffineBinaryOpExprGetRHS(expr), depth));
}

static Place placeOfMap(MlirOperation op, intptr_t first, intptr_t result,
                        int depth) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return (Place){.isKnown = false};
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  return placeOfExpr(op, first, map, mlirAffineMapGetResult(map, result),
                     depth);
}

/// A value of which nothing is seen stands for itself.
static Place placeOfValue(MlirValue value, int depth) {
  Place itself = {.isKnown = true, .value = value};
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return placeOfNumber(number);
  if (depth > kMostDepth || !mlirValueIsAOpResult(value))
    return itself;
  MlirOperation op = mlirOpResultGetOwner(value);
  Place seen = {.isKnown = false};
  if (berthOpIs(op, BERTH_OP_APPLY))
    seen = placeOfMap(op, 0, 0, depth);
  else if (berthOpIs(op, BERTH_OP_SUM))
    seen = addPlaces(placeOfValue(mlirOperationGetOperand(op, 0), depth + 1),
                     placeOfValue(mlirOperationGetOperand(op, 1), depth + 1));
  return seen.isKnown ? seen : itself;
}

/// The first subscript among the operands of the access, and of how many
/// elements it is, by dimension: one, or a vector. False for others.
static bool readBox(const BerthRootAccess *access, intptr_t *first,
                    int64_t extents[BERTH_SLICE_MAX_RANK]) {
  BerthVectorAccess vector;
  if (berthVectorGetAccess(access->op, &vector) ||
      berthAffineVectorGetAccess(access->op, &vector)) {
    *first = vector.firstIndex;
    memcpy(extents, vector.extents, sizeof vector.extents);
    return vector.memref == access->operand;
  }
  for (int d = 0; d < BERTH_SLICE_MAX_RANK; ++d)
    extents[d] = 1;
  *first = access->operand + 1;
  return berthOpIsElementAccess(access->op);
}

static Place subscriptOf(const BerthRootAccess *access, intptr_t first,
                         intptr_t dim) {
  return berthOpIsAffine(access->op)
             ? placeOfMap(access->op, first, dim, 0)
             : placeOfValue(mlirOperationGetOperand(access->op, first + dim),
                            0);
}

static MlirType typeOf(const BerthRootAccess *access) {
  return mlirValueGetType(mlirOperationGetOperand(access->op, access->operand));
}

/// One element, or a vector, of a memref that has one behind the other.
static bool isOfDense(const BerthRootAccess *access) {
  intptr_t first;
  int64_t extents[BERTH_SLICE_MAX_RANK];
  MlirType type = typeOf(access);
  return mlirTypeIsAMemRef(type) &&
         mlirShapedTypeGetRank(type) <= BERTH_SLICE_MAX_RANK &&
         mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         readBox(access, &first, extents);
}

static bool isOneNumber(MlirValue a, MlirValue b) {
  int64_t ofA, ofB;
  return berthIsSameValue(a, b) ||
         (berthValueIsConstant(a, &ofA) && berthValueIsConstant(b, &ofB) &&
          ofA == ofB);
}

static MlirOperation viewOf(const BerthRootAccess *access) {
  MlirValue value = mlirOperationGetOperand(access->op, access->operand);
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

/// True if sizes that are known at run time only are operands of two views, and
/// the same ones.
static bool haveOneRunTimeShape(const BerthRootAccess *a,
                                const BerthRootAccess *b) {
  MlirOperation ofA = viewOf(a), ofB = viewOf(b);
  if (mlirOperationIsNull(ofA) || mlirOperationIsNull(ofB) ||
      !berthOpIs(ofA, BERTH_OP_VIEW) || !berthOpIs(ofB, BERTH_OP_VIEW))
    return false;
  intptr_t count = mlirOperationGetNumOperands(ofA);
  bool isOne = count == mlirOperationGetNumOperands(ofB);
  for (intptr_t i = 2; isOne && i < count; ++i)
    isOne = isOneNumber(mlirOperationGetOperand(ofA, i),
                        mlirOperationGetOperand(ofB, i));
  return isOne;
}

static bool haveOneShape(const BerthRootAccess *a, const BerthRootAccess *b) {
  MlirType ofA = typeOf(a), ofB = typeOf(b);
  intptr_t rank = mlirShapedTypeGetRank(ofA);
  bool isOne = rank == mlirShapedTypeGetRank(ofB);
  for (intptr_t d = 0; isOne && d < rank; ++d)
    isOne =
        mlirShapedTypeGetDimSize(ofA, d) == mlirShapedTypeGetDimSize(ofB, d);
  return isOne &&
         (mlirShapedTypeHasStaticShape(ofA) || haveOneRunTimeShape(a, b));
}

static bool isOnePlace(Place a, Place b) {
  return a.isKnown && b.isKnown && a.more == b.more &&
         (mlirValueEqual(a.value, b.value) ||
          (!mlirValueIsNull(a.value) && !mlirValueIsNull(b.value) &&
           berthIsSameValue(a.value, b.value)));
}

/// True if both are surely of the same bytes, in one turn. (A dimension of one
/// element has but one index.)
static bool isSameElement(const BerthViews *views, const BerthRootAccess *a,
                          const BerthRootAccess *b) {
  int64_t ofA[BERTH_SLICE_MAX_RANK], ofB[BERTH_SLICE_MAX_RANK];
  intptr_t firstOfA, firstOfB;
  bool isSame = isOfDense(a) && isOfDense(b) &&
                berthIsSameMemory(views, a, b) && haveOneShape(a, b) &&
                readBox(a, &firstOfA, ofA) && readBox(b, &firstOfB, ofB);
  intptr_t rank = isSame ? mlirShapedTypeGetRank(typeOf(a)) : 0;
  for (intptr_t d = 0; isSame && d < rank; ++d)
    isSame = ofA[d] == ofB[d] && (mlirShapedTypeGetDimSize(typeOf(a), d) == 1 ||
                                  isOnePlace(subscriptOf(a, firstOfA, d),
                                             subscriptOf(b, firstOfB, d)));
  return isSame;
}

/// True if the variable, a number more each time it is another one, is where
/// the access begins in a dimension, and it ends ahead of the next one.
static bool movesBy(const BerthRootAccess *access, MlirValue variable,
                    int64_t step) {
  int64_t extents[BERTH_SLICE_MAX_RANK];
  intptr_t first, rank = mlirShapedTypeGetRank(typeOf(access));
  if (rank > BERTH_SLICE_MAX_RANK || !readBox(access, &first, extents))
    return false;
  for (intptr_t d = 0; d < rank; ++d) {
    Place place = subscriptOf(access, first, d);
    if (place.isKnown && mlirValueEqual(place.value, variable) &&
        extents[d] <= step)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// True for a loop in no two turns of which the access has one element, as long
/// as the loops in it have none either.
static bool tellsTurnsApart(MlirOperation loop, const BerthRootAccess *access) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  intptr_t count = berthLoopGetVariables(loop, variables);
  bool isApart = count > 0;
  for (intptr_t i = 0; isApart && i < count; ++i)
    isApart = movesBy(access, variables[i], berthLoopGetStep(loop, i));
  return isApart;
}

/// True if the op comes once at a time, as far as the scope's paths tell: what
/// is in regions that run in any order is done at once, with all that is beside
/// it (Flow.h).
static bool comesInSteps(MlirOperation op, MlirOperation scope) {
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationIsNull(op) && !mlirOperationEqual(op, scope);
       op = mlirOperationGetParentOperation(op))
    if (!berthRunsInSteps(op))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// What is done in an op.
typedef struct Accesses {
  MlirOperation of;
  BerthRootAccesses list;
} Accesses;

typedef struct Search {
  const BerthViews *views;
  const bool *isWanted; ///< by root; NULL: all of them
  MlirOperation scope;
  BerthTurns turns;
  BerthRootAccesses writes;
  BerthRootAccesses nested;
  Accesses inLoop; ///< of the loop around the write
  Accesses inTop;  ///< of the scope's op that the write is in
} Search;

/// Of one write after the other the op is mostly the same.
static const BerthRootAccesses *
accessesIn(const Search *search, Accesses *accesses, MlirOperation op) {
  if (!mlirOperationEqual(accesses->of, op))
    berthRootAccessesOf(&accesses->list, search->views, op, true);
  accesses->of = op;
  return &accesses->list;
}

/// The innermost loop around the op, which is in no other op of it than
/// branches; null if that is not so.
static MlirOperation loopAround(MlirOperation op) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && berthOpIs(op, BERTH_OP_IF));
  return !mlirOperationIsNull(op) && berthLoopGetVariables(op, variables) > 0
             ? op
             : (MlirOperation){NULL};
}

/// True if in no turn of the loop that both are in `read` comes behind `write`:
/// it stands in front of that, or in another region of a branch.
static bool standsBefore(MlirOperation read, MlirOperation write) {
  MlirOperation loop = loopAround(write);
  if (mlirOperationIsNull(loop) || !mlirOperationEqual(loopAround(read), loop))
    return false;
  for (MlirOperation r = read; !mlirOperationEqual(r, loop);
       r = mlirOperationGetParentOperation(r))
    for (MlirOperation w = write; !mlirOperationEqual(w, loop);
         w = mlirOperationGetParentOperation(w)) {
      if (!mlirBlockEqual(mlirOperationGetBlock(r), mlirOperationGetBlock(w)))
        continue;
      return mlirOperationEqual(r, w) ? r.ptr != read.ptr && w.ptr != write.ptr
                                      : mlirOperationIsBeforeInBlock(r, w);
    }
  return false;
}

/// True if whatever reads the root in the loops does so in front of the write,
/// of the write's element. What is handed on may be read anywhere.
static bool readsBeforeOnly(Search *search, uint32_t root, MlirOperation top,
                            const BerthRootAccess *write) {
  berthRootAccessesOf(&search->nested, search->views, top, true);
  bool isRight = true;
  for (size_t i = 0; isRight && i < search->nested.count; ++i) {
    const BerthRootAccess *access = &search->nested.items[i];
    if (access->root == root && (access->reads || access->isHandedOn))
      isRight = isSameElement(search->views, access, write) &&
                standsBefore(access->op, write->op);
  }
  return isRight;
}

static void addTurn(BerthTurns *turns, MlirOperation write, uint32_t root,
                    MlirOperation top) {
  turns->items = berthGrow(turns->items, turns->count, &turns->capacity,
                           sizeof *turns->items);
  turns->items[turns->count] =
      (BerthTurn){write, root, top, berthTurnsFirst(turns, write),
                  berthPointerMapFind(&turns->firstOfTop, top.ptr)};
  berthPointerMapSet(&turns->firstOfWrite, write.ptr, turns->count);
  berthPointerMapSet(&turns->firstOfTop, top.ptr, turns->count++);
}

/// True if no block argument holds what the root was before it was made anew.
static bool hasOneInstance(const BerthViews *views, uint32_t root) {
  for (size_t i = views->firstInstance; i < views->numRoots; ++i)
    if (views->roots[i].instanceOf == root)
      return false;
  return root < views->firstMerge;
}

/// The outermost loop around `op`, which the write is or is in, whose turns
/// read ahead of the write: asked for from outside, since the first answer is
/// the last one then.
static MlirOperation loopAhead(const Search *search, uint32_t root,
                               const BerthRootAccess *write, MlirOperation op) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(loop) || mlirOperationEqual(loop, search->scope))
    return (MlirOperation){NULL};
  MlirOperation outer = loopAhead(search, root, write, loop);
  if (!mlirOperationIsNull(outer))
    return outer;
  bool isAhead = comesInSteps(loop, search->scope) &&
                 berthReadsAhead(search->views, loop, root, write->root);
  return isAhead ? loop : (MlirOperation){NULL};
}

static bool isWanted(const Search *search, uint32_t root) {
  return !search->isWanted || search->isWanted[root];
}

/// The same, or `inner`, of which it is known already: loops over tiles have no
/// subscript of their own.
static MlirOperation loopAheadAround(const Search *search, uint32_t root,
                                     const BerthRootAccess *write,
                                     MlirOperation inner) {
  if (search->views->contents || !hasOneInstance(search->views, write->root))
    return inner;
  MlirOperation outer = loopAhead(search, root, write, inner);
  return mlirOperationIsNull(outer) ? inner : outer;
}

//===----------------------------------------------------------------------===//
// Narrower elements
//===----------------------------------------------------------------------===//

/// The bytes of an element of a memref that is all of its root, one element
/// behind the other; 0 if it is not.
static int64_t elementBytesOf(const BerthViews *views,
                              const BerthRootAccess *access) {
  const BerthRoot *root = &views->roots[access->root];
  BerthTypeSize size;
  if (access->root >= views->firstMerge || root->isBase || root->isShifted ||
      root->upper == INT64_MAX || root->bufferLower != root->lower ||
      root->bufferUpper != root->upper || !isOfDense(access) ||
      berthMemRefGetSize(typeOf(access), access->op, &size) != BERTH_SIZE_OK ||
      size.bytes != root->upper - root->lower)
    return 0;
  MlirType element = mlirShapedTypeGetElementType(typeOf(access));
  bool isWhole = mlirTypeIsAFloat(element) || mlirTypeIsAIndex(element) ||
                 (mlirTypeIsAInteger(element) &&
                  mlirIntegerTypeGetWidth(element) % 8 == 0);
  return isWhole ? size.elementBytes : 0;
}

/// True if the write, of an element or a part of a row, ends in front of the
/// element behind the one that was read for it, which has the same subscripts.
/// What comes later in memory is then left alone.
static bool endsWithRead(const BerthViews *views, const BerthRootAccess *read,
                         const BerthRootAccess *write) {
  int64_t ofRead[BERTH_SLICE_MAX_RANK], ofWrite[BERTH_SLICE_MAX_RANK];
  intptr_t firstOfRead, firstOfWrite;
  int64_t wide = elementBytesOf(views, read),
          narrow = elementBytesOf(views, write);
  bool ends =
      wide > 0 && narrow > 0 && wide >= narrow &&
      views->roots[write->root].lower - views->roots[read->root].lower <=
          wide - narrow &&
      haveOneShape(read, write) && readBox(read, &firstOfRead, ofRead) &&
      readBox(write, &firstOfWrite, ofWrite);
  intptr_t rank = ends ? mlirShapedTypeGetRank(typeOf(read)) : 0;
  for (intptr_t d = 0; ends && d < rank; ++d)
    ends = ofRead[d] == ofWrite[d] && (ofRead[d] == 1 || d + 1 == rank) &&
           isOnePlace(subscriptOf(read, firstOfRead, d),
                      subscriptOf(write, firstOfWrite, d));
  return ends;
}

static bool comesFromOutside(MlirValue value, MlirOperation loop) {
  MlirOperation at =
      mlirValueIsABlockArgument(value)
          ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
          : mlirOpResultGetOwner(value);
  while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, loop))
    at = mlirOperationGetParentOperation(at);
  return mlirOperationIsNull(at);
}

/// Variables of loops in one another, the inner ones first.
typedef struct Chain {
  MlirValue variables[BERTH_SLICE_MAX_RANK];
  int count;
  intptr_t dim; ///< the first dimension that the last one decides on
} Chain;

static bool isInChain(const Chain *chain, MlirValue value) {
  for (int i = 0; i < chain->count; ++i)
    if (mlirValueEqual(chain->variables[i], value))
      return true;
  return false;
}

/// Adds a loop around the chain. False unless each of its turns comes to later
/// elements than the one before, in order of memory: its variable decides on an
/// earlier dimension than those of the loops in it, and nothing else changes.
static bool goUp(Chain *chain, MlirOperation loop,
                 const BerthRootAccess *write) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  int64_t extents[BERTH_SLICE_MAX_RANK];
  intptr_t first, rank = mlirShapedTypeGetRank(typeOf(write)), dim = rank;
  if (!berthOpIs(loop, BERTH_OP_LOOP) ||
      berthLoopGetVariables(loop, variables) != 1 ||
      chain->count == BERTH_SLICE_MAX_RANK || !readBox(write, &first, extents))
    return false;
  chain->variables[chain->count++] = variables[0];
  for (intptr_t d = rank; d-- > 0;) {
    Place place = subscriptOf(write, first, d);
    if (!place.isKnown ||
        (!mlirValueIsNull(place.value) && !isInChain(chain, place.value) &&
         !comesFromOutside(place.value, loop)))
      return false;
    if (mlirValueEqual(place.value, variables[0]))
      dim = d;
  }
  bool isEarlier = dim < (chain->count == 1 ? rank : chain->dim);
  chain->dim = dim;
  return isEarlier && extents[dim] <= berthLoopGetStep(loop, 0);
}

/// True if whatever reads the root in the loop does so in front of the write,
/// at its subscripts.
static bool readsItsElementsOnly(Search *search, uint32_t root,
                                 MlirOperation loop,
                                 const BerthRootAccess *write) {
  berthRootAccessesOf(&search->nested, search->views, loop, true);
  bool isRight = true;
  for (size_t i = 0; isRight && i < search->nested.count; ++i) {
    const BerthRootAccess *access = &search->nested.items[i];
    if (access->root == root && (access->reads || access->isHandedOn))
      isRight = !access->isHandedOn &&
                endsWithRead(search->views, access, write) &&
                standsBefore(access->op, write->op);
  }
  return isRight;
}

/// True if the write spoils nothing that turns of the loop read of the root.
/// With a chain, since elements of the root are wider; what is known of the
/// loops inside is in it.
static bool spoilsNothingIn(Search *search, uint32_t root, MlirOperation loop,
                            const BerthRootAccess *write, Chain *chain) {
  return chain ? goUp(chain, loop, write) &&
                     readsItsElementsOnly(search, root, loop, write)
               : tellsTurnsApart(loop, write) &&
                     readsBeforeOnly(search, root, loop, write);
}

/// From the innermost loop to the outermost that may be `top`: the last one of
/// which all holds.
static void tryLoops(Search *search, uint32_t root,
                     const BerthRootAccess *write, Chain *chain) {
  MlirOperation found = {NULL};
  MlirOperation loop = loopAround(write->op);
  while (!mlirOperationIsNull(loop) &&
         !mlirOperationEqual(loop, search->scope) &&
         spoilsNothingIn(search, root, loop, write, chain)) {
    if (comesInSteps(loop, search->scope))
      found = loop;
    loop = mlirOperationGetParentOperation(loop);
  }
  if (!mlirOperationIsNull(found))
    addTurn(&search->turns, write->op, root,
            loopAheadAround(search, root, write, found));
}

/// The op of the scope's own blocks that `op` is in, or is.
static MlirOperation opOfScope(const Search *search, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (!mlirOperationEqual(parent, search->scope)) {
    op = parent;
    parent = mlirOperationGetParentOperation(op);
  }
  return op;
}

/// True if no earlier access of the list reads that root.
static bool isFirstRead(const BerthRootAccesses *list, size_t index) {
  size_t i = 0;
  while (list->items[i].root != list->items[index].root ||
         !list->items[i].reads)
    ++i;
  return i == index;
}

/// What the write does to others that lie anywhere in its buffer's bytes, and
/// that loops around it read.
static void tryAhead(Search *search, const BerthRootAccess *write) {
  if (search->views->contents || !hasOneInstance(search->views, write->root))
    return;
  const BerthRootAccesses *all =
      accessesIn(search, &search->inTop, opOfScope(search, write->op));
  for (size_t i = 0; i < all->count; ++i) {
    uint32_t root = all->items[i].root;
    if (!all->items[i].reads || root == write->root ||
        !isWanted(search, root) || !isFirstRead(all, i) ||
        !hasOneInstance(search->views, root) ||
        !berthViewsOverlap(search->views, root, write->root) ||
        berthTurnsSpare(&search->turns, write->op, root))
      continue;
    MlirOperation loop = loopAhead(search, root, write, write->op);
    if (!mlirOperationIsNull(loop))
      addTurn(&search->turns, write->op, root, loop);
  }
}

static void tryWrite(Search *search, const BerthRootAccess *write) {
  MlirOperation loop = loopAround(write->op);
  if (mlirOperationIsNull(loop))
    return;
  const BerthRootAccesses *all = accessesIn(search, &search->inLoop, loop);
  for (size_t i = 0; i < all->count; ++i) {
    const BerthRootAccess *read = &all->items[i];
    if (read->reads && isWanted(search, read->root) &&
        hasOneInstance(search->views, read->root) &&
        berthViewsOverlap(search->views, read->root, write->root) &&
        !berthTurnsSpare(&search->turns, write->op, read->root)) {
      Chain chain = {.count = 0};
      if (isSameElement(search->views, read, write))
        tryLoops(search, read->root, write, NULL);
      else if (endsWithRead(search->views, read, write))
        tryLoops(search, read->root, write, &chain);
    }
  }
}

static MlirWalkResult visitOp(MlirOperation op, void *userData) {
  Search *search = userData;
  bool isElement = berthOpIsElementAccess(op);
  BerthVectorAccess vector;
  if (!isElement && !berthVectorGetAccess(op, &vector) &&
      !berthAffineVectorGetAccess(op, &vector))
    return MlirWalkResultAdvance;
  berthRootAccessesOf(&search->writes, search->views, op, false);
  for (size_t i = 0; i < search->writes.count; ++i)
    if (search->writes.items[i].writes && berthIsReached(op, search->scope)) {
      tryWrite(search, &search->writes.items[i]);
      tryAhead(search, &search->writes.items[i]);
    }
  return MlirWalkResultAdvance;
}

BerthTurns berthTurnsOf(const BerthViews *views, MlirRegion body,
                        const bool *isWanted) {
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  Search search = {.views = views,
                   .isWanted = isWanted,
                   .scope = mlirBlockGetParentOperation(entry)};
  for (MlirBlock block = entry; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      mlirOperationWalk(op, visitOp, &search, MlirWalkPreOrder);
  berthRootAccessesFree(&search.writes);
  berthRootAccessesFree(&search.nested);
  berthRootAccessesFree(&search.inLoop.list);
  berthRootAccessesFree(&search.inTop.list);
  return search.turns;
}

void berthTurnsFree(BerthTurns *turns) {
  berthPointerMapFree(&turns->firstOfWrite);
  berthPointerMapFree(&turns->firstOfTop);
  free(turns->items);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

size_t berthTurnsFirst(const BerthTurns *turns, MlirOperation write) {
  return turns ? berthPointerMapFind(&turns->firstOfWrite, write.ptr)
               : BERTH_NOT_FOUND;
}

bool berthTurnsSpare(const BerthTurns *turns, MlirOperation write,
                     uint32_t root) {
  for (size_t i = berthTurnsFirst(turns, write); i != BERTH_NOT_FOUND;
       i = turns->items[i].nextOfWrite)
    if (turns->items[i].root == root)
      return true;
  return false;
}
