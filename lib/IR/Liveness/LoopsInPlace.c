//===- LoopsInPlace.c - Loops that write over what they read --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/LoopsInPlace.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Liveness/Cover.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Elements and vectors
//===----------------------------------------------------------------------===//

/// One element, or a vector, of a memref.
typedef struct Touch {
  MlirOperation op;
  intptr_t memref;     ///< operand
  intptr_t firstIndex; ///< operand
  bool isWrite;
  int64_t extents[BERTH_SLICE_MAX_RANK]; ///< by dimensions
} Touch;

static MlirType memrefTypeOf(const Touch *touch) {
  return mlirValueGetType(mlirOperationGetOperand(touch->op, touch->memref));
}

static bool readElement(MlirOperation op, Touch *touch) {
  intptr_t i = 0;
  while (berthOpGetRole(op, i) != BERTH_OPERAND_READ &&
         berthOpGetRole(op, i) != BERTH_OPERAND_WRITTEN)
    ++i;
  *touch = (Touch){.op = op,
                   .memref = i,
                   .firstIndex = i + 1,
                   .isWrite = berthOpGetRole(op, i) == BERTH_OPERAND_WRITTEN};
  intptr_t rank = mlirShapedTypeGetRank(memrefTypeOf(touch));
  for (intptr_t d = 0; d < rank && d < BERTH_SLICE_MAX_RANK; ++d)
    touch->extents[d] = 1;
  return rank <= BERTH_SLICE_MAX_RANK;
}

static bool readTouch(MlirOperation op, Touch *touch) {
  BerthVectorAccess vector;
  if (berthOpIsElementAccess(op))
    return readElement(op, touch);
  if (!berthVectorGetAccess(op, &vector) &&
      !berthAffineVectorGetAccess(op, &vector))
    return false;
  *touch = (Touch){.op = op,
                   .memref = vector.memref,
                   .firstIndex = vector.firstIndex,
                   .isWrite = vector.isWrite};
  memcpy(touch->extents, vector.extents, sizeof touch->extents);
  return true;
}

typedef struct Query {
  const BerthPoints *points;
  const BerthBufferInfo *x, *y;
  Touch store;     ///< the first one
  bool isNarrower; ///< Y's elements may be narrower than X's
  const char *breakRule;
} Query;

/// A value and a number that is added to it.
typedef struct Subscript {
  bool isKnown;
  MlirValue base; ///< null: there is none
  int64_t shift;
} Subscript;

static const Subscript unknown;

/// Operand `first` + k for dimension or symbol k, plus a constant; a constant
/// alone.
static Subscript readExpr(MlirOperation op, intptr_t first, MlirAffineMap map,
                          MlirAffineExpr expr) {
  Subscript result = {.isKnown = true};
  if (mlirAffineExprIsAAdd(expr)) {
    MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
    if (!mlirAffineExprIsAConstant(right))
      return unknown;
    result.shift = mlirAffineConstantExprGetValue(right);
    expr = mlirAffineBinaryOpExprGetLHS(expr);
  }
  if (mlirAffineExprIsADim(expr))
    result.base =
        mlirOperationGetOperand(op, first + mlirAffineDimExprGetPosition(expr));
  else if (mlirAffineExprIsASymbol(expr))
    result.base =
        mlirOperationGetOperand(op, first + mlirAffineMapGetNumDims(map) +
                                        mlirAffineSymbolExprGetPosition(expr));
  else if (mlirAffineExprIsAConstant(expr) && result.shift == 0)
    result.shift = mlirAffineConstantExprGetValue(expr);
  else
    return unknown;
  return result;
}

static Subscript readMap(MlirOperation op, intptr_t first, intptr_t result) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  return readExpr(op, first, map, mlirAffineMapGetResult(map, result));
}

/// What the value is a constant more than; itself if it is none.
static Subscript readSum(MlirValue value) {
  Subscript result = {.isKnown = true, .base = value};
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return (Subscript){.isKnown = true, .shift = number};
  if (!mlirValueIsAOpResult(value))
    return result;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (berthOpIs(op, BERTH_OP_APPLY)) {
    Subscript applied = readMap(op, 0, 0);
    return applied.isKnown ? applied : result;
  }
  for (intptr_t i = 0; i < 2 && berthOpIs(op, BERTH_OP_SUM); ++i)
    if (berthValueIsConstant(mlirOperationGetOperand(op, i), &number))
      return (Subscript){true, mlirOperationGetOperand(op, 1 - i), number};
  return result;
}

static Subscript subscriptOf(const Touch *touch, intptr_t dim) {
  enum { kLongestChain = 16 };
  Subscript result =
      berthOpIsAffine(touch->op)
          ? readMap(touch->op, touch->firstIndex, dim)
          : (Subscript){
                true,
                mlirOperationGetOperand(touch->op, touch->firstIndex + dim), 0};
  for (int i = 0;
       i < kLongestChain && result.isKnown && !mlirValueIsNull(result.base);
       ++i) {
    Subscript next = readSum(result.base);
    if (mlirValueEqual(next.base, result.base))
      break;
    next.isKnown =
        !__builtin_add_overflow(result.shift, next.shift, &next.shift);
    result = next;
  }
  return result;
}

static bool isOneSubscript(const Subscript *a, const Subscript *b) {
  return a->isKnown && b->isKnown && a->shift == b->shift &&
         mlirValueEqual(a->base, b->base);
}

/// True if both, in one turn, touch elements at one subscript. (A dimension of
/// one element has but one.)
static bool haveOneSubscript(const Touch *a, const Touch *b) {
  MlirType type = memrefTypeOf(a);
  bool isOne = true;
  for (intptr_t d = 0; isOne && d < mlirShapedTypeGetRank(type); ++d) {
    Subscript ofA = subscriptOf(a, d), ofB = subscriptOf(b, d);
    isOne =
        a->extents[d] == b->extents[d] &&
        (mlirShapedTypeGetDimSize(type, d) == 1 || isOneSubscript(&ofA, &ofB));
  }
  return isOne;
}

/// True if sizes that are known at run time only are the same values for both
/// allocations.
static bool haveOneRunTimeShape(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumOperands(a);
  bool isOne = berthOpIsPlainAllocation(a) && berthOpIsPlainAllocation(b) &&
               count == mlirOperationGetNumOperands(b);
  for (intptr_t i = 0; isOne && i < count; ++i)
    isOne = berthIsSameValue(mlirOperationGetOperand(a, i),
                             mlirOperationGetOperand(b, i));
  return isOne;
}

static bool haveOneShape(const BerthBufferInfo *x, const BerthBufferInfo *y) {
  MlirType ofX = mlirValueGetType(x->value), ofY = mlirValueGetType(y->value);
  bool isStatic = mlirTypeIsAMemRef(ofX) && mlirTypeIsAMemRef(ofY) &&
                  mlirShapedTypeHasStaticShape(ofX) &&
                  mlirShapedTypeHasStaticShape(ofY);
  return isStatic ||
         (mlirTypeEqual(ofX, ofY) && haveOneRunTimeShape(x->alloc, y->alloc));
}

/// True for a view of the whole buffer, one element behind the other.
static bool isWhole(MlirValue memref, const BerthBufferInfo *buffer) {
  while (!mlirValueEqual(memref, buffer->value)) {
    MlirOperation view = mlirOpResultGetOwner(memref);
    MlirType type = mlirValueGetType(memref);
    if (!berthViewIsWhole(view) || !mlirTypeIsAMemRef(type) ||
        !mlirShapedTypeHasStaticShape(type) ||
        !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
      return false;
    memref = berthViewGetSource(view);
  }
  return true;
}

MlirBlock berthBodyOfTurn(MlirOperation op) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(parent) && berthOpIs(parent, BERTH_OP_IF)) {
    op = parent;
    parent = mlirOperationGetParentOperation(op);
  }
  return !mlirOperationIsNull(parent) &&
                 berthLoopGetVariables(parent, variables) > 0
             ? mlirOperationGetBlock(op)
             : (MlirBlock){NULL};
}

MlirValue berthReadInTurn(MlirOperation op) {
  Touch touch;
  return readTouch(op, &touch) && !touch.isWrite
             ? mlirOperationGetOperand(op, touch.memref)
             : (MlirValue){NULL};
}

static bool haveOneDims(MlirType a, MlirType b) {
  intptr_t rank = mlirShapedTypeGetRank(a);
  bool areOne = rank == mlirShapedTypeGetRank(b) &&
                mlirShapedTypeHasStaticShape(a) &&
                mlirShapedTypeHasStaticShape(b);
  for (intptr_t d = 0; areOne && d < rank; ++d)
    areOne = mlirShapedTypeGetDimSize(a, d) == mlirShapedTypeGetDimSize(b, d);
  return areOne;
}

/// True if both touch memrefs whose elements lie alike, but for their widths.
static bool haveOneForm(const Query *query, const Touch *touch) {
  MlirType type = memrefTypeOf(touch), stored = memrefTypeOf(&query->store);
  return query->isNarrower ? haveOneDims(type, stored)
                           : berthMemRefsHaveOneForm(type, stored, touch->op);
}

/// True if the op, in one turn with the store, touches what the store does: the
/// same bytes of an X that lies where Y does.
static bool hasElementOfStore(const Query *query, const Touch *touch,
                              const BerthBufferInfo *buffer) {
  return mlirBlockEqual(berthBodyOfTurn(touch->op),
                        berthBodyOfTurn(query->store.op)) &&
         isWhole(mlirOperationGetOperand(touch->op, touch->memref), buffer) &&
         haveOneForm(query, touch) &&
         (haveOneSubscript(touch, &query->store) ||
          berthIsBroken(query->breakRule, "any-turn"));
}

//===----------------------------------------------------------------------===//
// The nest
//===----------------------------------------------------------------------===//

/// True if they meet in the loop only: X is wanted when it is entered, Y when
/// it is left. A parallel loop is one step, at which both are live.
static bool meetInside(const Query *query, MlirOperation loop) {
  BerthSegment span = berthCommonSpan(query->x, query->y);
  int64_t lower = berthPointsLower(query->points, loop);
  int64_t upper = berthPointsUpper(query->points, loop);
  size_t numSteps;
  if (!berthPointsSteps(query->points, loop, &numSteps))
    return span.lower >= lower && span.upper <= upper &&
           berthSegmentAt(query->y, span.lower)->lower >= lower &&
           berthSegmentAt(query->x, span.upper - 1)->upper <= upper;
  return span.lower > lower && span.upper < upper &&
         !berthSegmentAt(query->y, lower) &&
         !berthSegmentAt(query->x, upper - 1);
}

/// True if the variable is a subscript of the store, and what that touches at
/// one number ends ahead of the next one.
static bool isApartBy(const Query *query, MlirValue variable, int64_t step) {
  const Touch *store = &query->store;
  intptr_t rank = mlirShapedTypeGetRank(memrefTypeOf(store));
  for (intptr_t d = 0; d < rank; ++d) {
    Subscript subscript = subscriptOf(store, d);
    if (subscript.isKnown && mlirValueEqual(subscript.base, variable) &&
        (store->extents[d] <= step ||
         berthIsBroken(query->breakRule, "wide-turns")))
      return true;
  }
  return berthIsBroken(query->breakRule, "any-turn");
}

/// True if that is so of each of the loop's variables, so that no two of its
/// turns have an element in common.
static bool tellsTurnsApart(const Query *query, MlirOperation loop) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  intptr_t count = berthLoopGetVariables(loop, variables);
  bool isApart = count > 0;
  for (intptr_t i = 0; isApart && i < count; ++i)
    isApart = isApartBy(query, variables[i], berthLoopGetStep(loop, i));
  return isApart;
}

/// What goes on behind the op that starts it may read at any time.
static bool startsWork(const BerthBufferInfo *buffer) {
  for (size_t k = 0; k < buffer->numAccesses; ++k)
    if (berthOpIsTransfer(buffer->accesses[k].op) ||
        berthOpStartsAnyAsync(buffer->accesses[k].op))
      return true;
  return false;
}

/// True if the two stand in different regions of a branch: no turn comes to
/// both.
static bool excludeEachOther(MlirOperation a, MlirOperation b) {
  for (MlirOperation ofA = mlirOperationGetParentOperation(a), inA = a;
       !mlirOperationIsNull(ofA) && berthOpIs(ofA, BERTH_OP_IF);
       inA = ofA, ofA = mlirOperationGetParentOperation(ofA))
    for (MlirOperation ofB = mlirOperationGetParentOperation(b), inB = b;
         !mlirOperationIsNull(ofB) && berthOpIs(ofB, BERTH_OP_IF);
         inB = ofB, ofB = mlirOperationGetParentOperation(ofB))
      if (mlirOperationEqual(ofA, ofB))
        return !mlirBlockEqual(mlirOperationGetBlock(inA),
                               mlirOperationGetBlock(inB));
  return false;
}

/// True if no store to Y comes ahead of the op in its turn.
static bool readsAhead(const Query *query, MlirOperation loop,
                       MlirOperation op) {
  int64_t lower = berthPointsLower(query->points, loop);
  int64_t at = berthPointsLower(query->points, op);
  for (size_t i = 0; i < query->y->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(query->y->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      Touch touch;
      MlirOperation other = mlirOpOperandGetOwner(use);
      int64_t write = berthPointsLower(query->points, other);
      if (write >= lower && write <= at && readTouch(other, &touch) &&
          touch.isWrite && !excludeEachOther(other, op))
        return berthIsBroken(query->breakRule, "any-way");
    }
  return true;
}

/// True if `op`, a use of the buffer in the loop, reads X ahead of what is
/// written to Y or has to do with Y, and has the store's element.
static bool isFineUse(const Query *query, MlirOperation loop, MlirOperation op,
                      const BerthBufferInfo *buffer) {
  Touch touch;
  if (!mlirValueIsNull(berthViewGetSource(op)) || berthOpResultsAreShapes(op))
    return true; // views are among the aliases
  if (!readTouch(op, &touch) || !hasElementOfStore(query, &touch, buffer))
    return false;
  int64_t write = berthPointsLower(query->points, query->store.op);
  int64_t at = berthPointsLower(query->points, op);
  return buffer == query->x ? !touch.isWrite && readsAhead(query, loop, op)
                            : at >= write;
}

/// True if that is so of all uses in the loop. (What a parallel loop does is
/// one access, so the ops in it are found by what they use.)
static bool touchesOwnElementsOnly(const Query *query, MlirOperation loop,
                                   const BerthBufferInfo *buffer) {
  int64_t lower = berthPointsLower(query->points, loop);
  int64_t upper = berthPointsUpper(query->points, loop);
  for (size_t i = 0; i < buffer->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      int64_t at = berthPointsLower(query->points, op);
      if (at >= lower && at < upper && !isFineUse(query, loop, op, buffer))
        return false;
    }
  return true;
}

/// The outermost loop of a nest that meets all that is asked for whatever the
/// order of its turns.
static MlirOperation findNest(Query *query, MlirOperation store) {
  const BerthBufferInfo *x = query->x, *y = query->y;
  MlirOperation none = {NULL};
  if (!readTouch(store, &query->store) || !haveOneShape(x, y) ||
      !berthBufferHasPlainViews(x) || !berthBufferHasPlainViews(y) ||
      startsWork(x) || startsWork(y) || !berthBuffersMeet(x, y))
    return none;
  for (MlirOperation loop = mlirBlockGetParentOperation(berthBodyOfTurn(store));
       berthPointsLower(query->points, loop) != BERTH_NONE &&
       tellsTurnsApart(query, loop);
       loop = mlirOperationGetParentOperation(loop))
    if (meetInside(query, loop))
      return touchesOwnElementsOnly(query, loop, x) &&
                     touchesOwnElementsOnly(query, loop, y)
                 ? loop
                 : none;
  return none;
}

MlirOperation berthLoopsInPlace(const BerthPoints *points,
                                const BerthBufferInfo *x,
                                const BerthBufferInfo *y, MlirOperation store,
                                const char *breakRule) {
  Query query = {.points = points, .x = x, .y = y, .breakRule = breakRule};
  return findNest(&query, store);
}

//===----------------------------------------------------------------------===//
// Narrower elements
//===----------------------------------------------------------------------===//

/// The first dimension whose subscript follows from the value; the rank if
/// there is none.
static intptr_t firstDimOf(const Query *query, MlirValue value) {
  intptr_t rank = mlirShapedTypeGetRank(memrefTypeOf(&query->store)), d = 0;
  for (; d < rank; ++d) {
    Subscript subscript = subscriptOf(&query->store, d);
    if (subscript.isKnown && mlirValueEqual(subscript.base, value))
      break;
  }
  return d;
}

/// True if the value is the same in all turns of the nest.
static bool comesFromOutside(MlirValue value, MlirOperation nest) {
  MlirOperation at =
      mlirValueIsABlockArgument(value)
          ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
          : mlirOpResultGetOwner(value);
  while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, nest))
    at = mlirOperationGetParentOperation(at);
  return mlirOperationIsNull(at);
}

/// True if the subscripts are numbers, variables of the nest's loops, or known
/// ahead of it, and vectors are parts of rows.
static bool hasPlainSubscripts(const Query *query, MlirOperation nest) {
  const Touch *store = &query->store;
  intptr_t rank = mlirShapedTypeGetRank(memrefTypeOf(store));
  for (intptr_t d = 0; d < rank; ++d) {
    Subscript subscript = subscriptOf(store, d);
    MlirValue base = subscript.base, variables[BERTH_LOOP_MAX_RANK];
    if (!subscript.isKnown || (store->extents[d] != 1 && d + 1 < rank))
      return false;
    if (mlirValueIsNull(base) || comesFromOutside(base, nest))
      continue;
    MlirOperation loop =
        mlirValueIsABlockArgument(base)
            ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(base))
            : (MlirOperation){NULL};
    if (mlirOperationIsNull(loop) ||
        berthLoopGetVariables(loop, variables) != 1 ||
        !mlirValueEqual(variables[0], base))
      return false;
  }
  return true;
}

/// True if the turns come one behind the other in the order of memory: of loops
/// in one another the outer one's variable is the earlier subscript.
static bool goesUp(const Query *query, MlirOperation nest) {
  if (berthIsBroken(query->breakRule, "any-nest-order"))
    return true;
  intptr_t last = mlirShapedTypeGetRank(memrefTypeOf(&query->store));
  MlirOperation loop =
      mlirBlockGetParentOperation(berthBodyOfTurn(query->store.op));
  for (;; loop = mlirOperationGetParentOperation(loop)) {
    MlirValue variables[BERTH_LOOP_MAX_RANK];
    if (!berthOpIs(loop, BERTH_OP_LOOP) ||
        berthLoopGetVariables(loop, variables) != 1)
      return false;
    intptr_t dim = firstDimOf(query, variables[0]);
    if (dim >= last)
      return false;
    last = dim;
    if (mlirOperationEqual(loop, nest))
      return hasPlainSubscripts(query, nest);
  }
}

/// The bytes of an element of a buffer that has one behind the other; 0 for
/// others, and for elements of some bits.
static int64_t elementBytesOf(const BerthBufferInfo *buffer) {
  MlirType type = mlirValueGetType(buffer->value);
  if (buffer->isDynamic || buffer->isForeign || !mlirTypeIsAMemRef(type) ||
      !mlirShapedTypeHasStaticShape(type) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return 0;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool isWhole = mlirTypeIsAFloat(element) || mlirTypeIsAIndex(element) ||
                 (mlirTypeIsAInteger(element) &&
                  mlirIntegerTypeGetWidth(element) % 8 == 0);
  int64_t count = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    count *= mlirShapedTypeGetDimSize(type, d);
  return isWhole && count > 0 && buffer->size % count == 0
             ? buffer->size / count
             : 0;
}

MlirOperation berthLoopsNarrow(const BerthPoints *points,
                               const BerthBufferInfo *x,
                               const BerthBufferInfo *y, MlirOperation store,
                               const char *breakRule, int64_t *behind) {
  Query query = {.points = points,
                 .x = x,
                 .y = y,
                 .isNarrower = true,
                 .breakRule = breakRule};
  MlirOperation none = {NULL};
  *behind = elementBytesOf(x) - elementBytesOf(y);
  if (*behind < 0 || !elementBytesOf(y))
    return none;
  MlirOperation nest = findNest(&query, store);
  return !mlirOperationIsNull(nest) && goesUp(&query, nest) ? nest : none;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static bool isStoreInLoop(MlirOperation op) {
  Touch touch;
  return readTouch(op, &touch) && touch.isWrite &&
         !mlirBlockIsNull(berthBodyOfTurn(op));
}

MlirOperation berthFirstLoopStore(const BerthPoints *points,
                                  const BerthBufferInfo *buffer,
                                  const BerthAccess *access) {
  MlirOperation first = {NULL};
  if (mlirOperationGetNumRegions(access->op) == 0)
    return isStoreInLoop(access->op) ? access->op : first;
  for (size_t i = 0; access->writes && i < buffer->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(buffer->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      int64_t at = berthPointsLower(points, op);
      if (at >= access->lower && at < access->upper && isStoreInLoop(op) &&
          (mlirOperationIsNull(first) || at < berthPointsLower(points, first)))
        first = op;
    }
  return first;
}
