//===- LoopsInPlace.c - Loops that write over what they read --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/LoopsInPlace.h"
#include "IR/Facts/LoopFacts.h"
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

typedef struct Query {
  const BerthPoints *points;
  const BerthBufferInfo *x, *y;
  MlirOperation store; ///< the first one
  const char *breakRule;
} Query;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The operand of the memref that an element access is of.
static intptr_t memrefOf(MlirOperation op) {
  intptr_t i = 0;
  while (berthOpGetRole(op, i) != BERTH_OPERAND_READ &&
         berthOpGetRole(op, i) != BERTH_OPERAND_WRITTEN)
    ++i;
  return i;
}

static MlirType memrefTypeOf(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetOperand(op, memrefOf(op)));
}

/// A subscript that is a value; null where the op computes it.
static MlirValue subscriptOf(MlirOperation op, intptr_t dim) {
  intptr_t first = memrefOf(op) + 1;
  if (!berthOpIsAffine(op))
    return mlirOperationGetOperand(op, first + dim);
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  MlirAffineExpr expr = mlirAffineMapGetResult(map, dim);
  return mlirAffineExprIsADim(expr)
             ? mlirOperationGetOperand(
                   op, first + mlirAffineDimExprGetPosition(expr))
             : (MlirValue){NULL};
}

static bool isOneSubscript(MlirValue a, MlirValue b) {
  int64_t ofA, ofB;
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return false;
  return mlirValueEqual(a, b) || (berthValueIsConstant(a, &ofA) &&
                                  berthValueIsConstant(b, &ofB) && ofA == ofB);
}

/// True if both ops, in one turn, touch elements at one subscript. (A dimension
/// of one element has but one.)
static bool haveOneSubscript(MlirOperation a, MlirOperation b) {
  MlirType type = memrefTypeOf(a);
  bool isOne = true;
  for (intptr_t d = 0; isOne && d < mlirShapedTypeGetRank(type); ++d)
    isOne = mlirShapedTypeGetDimSize(type, d) == 1 ||
            isOneSubscript(subscriptOf(a, d), subscriptOf(b, d));
  return isOne;
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

/// True if the op, a load or store of one element in the store's block, has the
/// store's element: the same bytes of an X that lies where Y does.
static bool hasElementOfStore(const Query *query, MlirOperation op,
                              const BerthBufferInfo *buffer) {
  return berthOpIsElementAccess(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op),
                        mlirOperationGetBlock(query->store)) &&
         isWhole(mlirOperationGetOperand(op, memrefOf(op)), buffer) &&
         berthMemRefsHaveOneForm(memrefTypeOf(op), memrefTypeOf(query->store),
                                 op) &&
         (haveOneSubscript(op, query->store) ||
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

/// True if each of the loop's variables is a subscript of the store, so that no
/// two of its turns have an element in common.
static bool tellsTurnsApart(const Query *query, MlirOperation loop) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  intptr_t count = berthLoopGetVariables(loop, variables);
  intptr_t rank = mlirShapedTypeGetRank(memrefTypeOf(query->store));
  bool isApart = count > 0;
  for (intptr_t i = 0; isApart && i < count; ++i) {
    bool isIn = berthIsBroken(query->breakRule, "any-turn");
    for (intptr_t d = 0; !isIn && d < rank; ++d) {
      MlirValue subscript = subscriptOf(query->store, d);
      isIn = !mlirValueIsNull(subscript) &&
             mlirValueEqual(subscript, variables[i]);
    }
    isApart = isIn;
  }
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

/// True if `op`, a use of the buffer in the loop, reads X ahead of the store or
/// has to do with Y from there on, and has the store's element.
static bool isFineUse(const Query *query, MlirOperation op,
                      const BerthBufferInfo *buffer) {
  if (!mlirValueIsNull(berthViewGetSource(op)) || berthOpResultsAreShapes(op))
    return true; // views are among the aliases
  if (!hasElementOfStore(query, op, buffer))
    return false;
  int64_t write = berthPointsLower(query->points, query->store);
  int64_t at = berthPointsLower(query->points, op);
  bool reads = berthOpGetRole(op, memrefOf(op)) == BERTH_OPERAND_READ;
  return buffer == query->x ? reads && at < write : at >= write;
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
      if (at >= lower && at < upper && !isFineUse(query, op, buffer))
        return false;
    }
  return true;
}

static bool isStoreInLoop(MlirOperation op) {
  MlirValue variables[BERTH_LOOP_MAX_RANK];
  return berthOpIsElementAccess(op) &&
         berthOpGetRole(op, memrefOf(op)) == BERTH_OPERAND_WRITTEN &&
         berthLoopGetVariables(mlirOperationGetParentOperation(op), variables) >
             0;
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

MlirOperation berthLoopsInPlace(const BerthPoints *points,
                                const BerthBufferInfo *x,
                                const BerthBufferInfo *y, MlirOperation store,
                                const char *breakRule) {
  Query query = {points, x, y, store, breakRule};
  MlirOperation none = {NULL};
  if (!berthBufferHasViewsOnly(x) || !berthBufferHasViewsOnly(y) ||
      startsWork(x) || startsWork(y) || !berthBuffersMeet(x, y))
    return none;
  for (MlirOperation loop = mlirOperationGetParentOperation(store);
       berthPointsLower(points, loop) != BERTH_NONE &&
       tellsTurnsApart(&query, loop);
       loop = mlirOperationGetParentOperation(loop))
    if (meetInside(&query, loop))
      return touchesOwnElementsOnly(&query, loop, x) &&
                     touchesOwnElementsOnly(&query, loop, y)
                 ? loop
                 : none;
  return none;
}
