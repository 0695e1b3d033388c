//===- TurnSlices.c - Slices that no two turns have in common -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some offset goes as far in a turn as the slice is long in that dimension, or
// farther. That the offset may wrap does not matter: it is within the memory,
// and what it goes in a turn is small.
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TurnSlices.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// How deep what offsets are computed from is looked into; and how far one may
/// go in a turn.
enum { kMostDepth = 16, kMostWay = 1 << 24 };

typedef struct Turns {
  MlirOperation loop;
  MlirValue variable;
  int64_t step; ///< of it
} Turns;

/// How often the variable is in a number: false where it is in it otherwise.
static bool findFactor(const Turns *turns, MlirValue value, int depth,
                       int64_t *factor);

static bool isFactor(int64_t number) {
  return number >= -kMostWay && number <= kMostWay;
}

static bool findInExpr(const Turns *turns, MlirOperation op, intptr_t numDims,
                       MlirAffineExpr expr, int depth, int64_t *factor) {
  int64_t a, b;
  *factor = 0;
  if (depth > kMostDepth)
    return false;
  if (mlirAffineExprIsAConstant(expr))
    return true;
  if (mlirAffineExprIsADim(expr) || mlirAffineExprIsASymbol(expr)) {
    intptr_t at = mlirAffineExprIsADim(expr)
                      ? mlirAffineDimExprGetPosition(expr)
                      : numDims + mlirAffineSymbolExprGetPosition(expr);
    return findFactor(turns, mlirOperationGetOperand(op, at), depth + 1,
                      factor);
  }
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
  if (!findInExpr(turns, op, numDims, left, depth + 1, &a) ||
      !findInExpr(turns, op, numDims, right, depth + 1, &b))
    return false;
  if (mlirAffineExprIsAAdd(expr)) {
    *factor = a + b;
    return isFactor(*factor);
  }
  if (!mlirAffineExprIsAMul(expr) || !mlirAffineExprIsAConstant(right))
    return a == 0 && b == 0;
  int64_t times = mlirAffineConstantExprGetValue(right);
  *factor = isFactor(times) ? a * times : 0;
  return isFactor(times) && isFactor(*factor);
}

static bool findInMap(const Turns *turns, MlirOperation op, int depth,
                      int64_t *factor) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return false;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  return findInExpr(turns, op, mlirAffineMapGetNumDims(map),
                    mlirAffineMapGetResult(map, 0), depth, factor);
}

static bool findInSum(const Turns *turns, MlirOperation op, int depth,
                      int64_t *factor) {
  MlirValue left = mlirOperationGetOperand(op, 0);
  MlirValue right = mlirOperationGetOperand(op, 1);
  bool isProduct = berthOpIs(op, BERTH_OP_PRODUCT);
  int64_t a, b, times;
  if (!findFactor(turns, left, depth + 1, &a) ||
      !findFactor(turns, right, depth + 1, &b))
    return false;
  if (isProduct) {
    bool isTimes = berthValueIsConstant(right, &times) ||
                   (berthValueIsConstant(left, &times) && (a = b, true));
    *factor = isTimes && isFactor(times) ? a * times : 0;
    return (isTimes && isFactor(times) && isFactor(*factor)) ||
           (a == 0 && b == 0);
  }
  *factor = berthOpIs(op, BERTH_OP_SUM) ? a + b : a - b;
  return isFactor(*factor);
}

static bool findFactor(const Turns *turns, MlirValue value, int depth,
                       int64_t *factor) {
  *factor = mlirValueEqual(value, turns->variable);
  if (*factor)
    return true;
  bool isArgument = mlirValueIsABlockArgument(value);
  MlirOperation op =
      isArgument ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                 : mlirOpResultGetOwner(value);
  bool isInLoop = isArgument ? mlirOperationEqual(op, turns->loop) ||
                                   berthOpIsWithin(op, turns->loop)
                             : !mlirOperationEqual(op, turns->loop) &&
                                   berthOpIsWithin(op, turns->loop);
  if (!isInLoop)
    return true;
  if (isArgument || depth > kMostDepth ||
      !mlirTypeIsAIndex(mlirValueGetType(value)))
    return false;
  if (berthOpIs(op, BERTH_OP_APPLY))
    return findInMap(turns, op, depth, factor);
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return true;
  bool isSum =
      berthOpIsArithmetic(op) && mlirOperationGetNumOperands(op) == 2 &&
      (berthOpIs(op, BERTH_OP_SUM) || berthOpIs(op, BERTH_OP_DIFFERENCE) ||
       berthOpIs(op, BERTH_OP_PRODUCT));
  return isSum && findInSum(turns, op, depth, factor);
}

/// `*isSame`: the part is that of all turns.
static bool isApart(const Turns *turns, const BerthSubView *part,
                    bool *isSame) {
  bool isFound = false;
  *isSame = true;
  for (intptr_t d = 0; d < part->rank; ++d) {
    const BerthMixed *offset = &part->offsets[d];
    int64_t factor = 0, size = part->sizes[d].number;
    int64_t stride = part->strides[d].number;
    bool isKnown = mlirValueIsNull(offset->value) ||
                   findFactor(turns, offset->value, 0, &factor);
    bool isLong = mlirValueIsNull(part->sizes[d].value) &&
                  mlirValueIsNull(part->strides[d].value) && stride > 0 &&
                  size > 0 && size <= kMostWay / stride;
    int64_t way = isKnown ? factor * turns->step : 0;
    *isSame &= isKnown && factor == 0 && isLong;
    isFound |= isLong && isFactor(way) &&
               (way < 0 ? -way : way) >= (size - 1) * stride + 1;
  }
  return isFound;
}

bool berthTurnsTakeApart(MlirOperation loop, MlirValue slice,
                         MlirValue memory) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  Turns turns = {loop, mlirBlockGetArgument(body, 0),
                 berthLoopGetStep(loop, 0)};
  if (turns.step <= 0 || turns.step > kMostWay ||
      !mlirTypeIsAIndex(mlirValueGetType(turns.variable)))
    return false;
  // From the outside in: up to the part in question all turns have one.
  bool isFound = false, isSame = true;
  MlirValue inner = slice;
  while (!mlirValueEqual(inner, memory)) {
    MlirOperation op = mlirValueIsAOpResult(inner) ? mlirOpResultGetOwner(inner)
                                                   : (MlirOperation){NULL};
    BerthSubView part;
    bool isPart = !mlirOperationIsNull(op) && berthSubViewGet(op, &part);
    if (!isPart && (mlirOperationIsNull(op) || !berthOpIs(op, BERTH_OP_CAST)))
      return false;
    if (isPart) {
      bool isApartHere = isApart(&turns, &part, &isSame);
      isFound = isApartHere || (isFound && isSame);
    }
    inner = berthViewGetSource(op);
  }
  return isFound;
}
