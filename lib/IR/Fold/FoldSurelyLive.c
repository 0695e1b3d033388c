//===- FoldSurelyLive.c - Cells that no fold can save ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where loads of one block stand one behind the other without a store, all that
// they read is live in front of the first of them.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldSurelyLive.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "mlir-c/AffineMap.h"

#include <stdlib.h>

/// More loads are compared with no more than these.
enum { kMostCompared = 256 };

/// A sum without its constant, which MLIR keeps on the right.
static MlirAffineExpr split(MlirAffineExpr expr, int64_t *constant) {
  *constant = 0;
  if (!mlirAffineExprIsAAdd(expr))
    return expr;
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
  if (!mlirAffineExprIsAConstant(right))
    return expr;
  *constant = mlirAffineConstantExprGetValue(right);
  return mlirAffineBinaryOpExprGetLHS(expr);
}

/// True if the loads surely read different cells: of the same operands, in some
/// dimension a constant apart.
static bool areApart(MlirOperation a, MlirOperation b) {
  intptr_t numOperands = mlirOperationGetNumOperands(a);
  if (mlirOperationGetNumOperands(b) != numOperands)
    return false;
  for (intptr_t i = 0; i < numOperands; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(a, i),
                        mlirOperationGetOperand(b, i)))
      return false;
  MlirAffineMap mapA = mlirAffineMapAttrGetValue(berthAttributeOf(a, "map"));
  MlirAffineMap mapB = mlirAffineMapAttrGetValue(berthAttributeOf(b, "map"));
  if (mlirAffineMapGetNumDims(mapA) != mlirAffineMapGetNumDims(mapB))
    return false;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(mapA); ++d) {
    int64_t constantA, constantB;
    MlirAffineExpr restA = split(mlirAffineMapGetResult(mapA, d), &constantA);
    MlirAffineExpr restB = split(mlirAffineMapGetResult(mapB, d), &constantB);
    bool areConstant =
        mlirAffineExprIsAConstant(restA) && mlirAffineExprIsAConstant(restB);
    if (areConstant
            ? !mlirAffineExprEqual(restA, restB)
            : constantA != constantB && mlirAffineExprEqual(restA, restB))
      return true;
  }
  return false;
}

/// All around it are loops that run.
static bool surelyRuns(const BerthFoldNest *nest, MlirOperation op) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  while (!mlirBlockEqual(mlirOperationGetBlock(op), nest->owner)) {
    op = mlirOperationGetParentOperation(op);
    intptr_t count = berthLoopGetRanges(op, ranges);
    if (count < 0)
      return false;
    for (intptr_t i = 0; i < count; ++i)
      if (ranges[i].count == 0)
        return false;
  }
  return true;
}

/// Loads from this one on that read cells apart from each other, up to a store
/// to the array or an op with regions.
static int64_t countApart(const BerthFoldNest *nest,
                          const BerthPointerMap *accessOf, MlirOperation op) {
  MlirOperation found[kMostCompared];
  int64_t count = 0;
  for (; !mlirOperationIsNull(op) && mlirOperationGetNumRegions(op) == 0;
       op = mlirOperationGetNextInBlock(op)) {
    size_t k = berthPointerMapFind(accessOf, op.ptr);
    if (k == BERTH_NOT_FOUND)
      continue;
    if (nest->accesses[k].isStore || count == kMostCompared)
      break;
    bool isApart = nest->accesses[k].isAffine;
    for (int64_t i = 0; i < count && isApart; ++i)
      isApart = areApart(found[i], op);
    if (isApart)
      found[count++] = op;
  }
  return count;
}

int64_t berthFoldSurelyLive(const BerthFoldNest *nest) {
  BerthPointerMap accessOf = {0};
  int64_t most = 1;
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    size_t before = berthPointerMapFind(&accessOf, access->op.ptr);
    if (before == BERTH_NOT_FOUND || access->isStore)
      berthPointerMapSet(&accessOf, access->op.ptr, k);
  }
  for (size_t k = 0; k < nest->numAccesses && k < kMostCompared; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    if (!access->isLoad || !access->isAffine || access->isStore ||
        !surelyRuns(nest, access->op))
      continue;
    int64_t count = countApart(nest, &accessOf, access->op);
    most = count > most ? count : most;
  }
  berthPointerMapFree(&accessOf);
  return most;
}
