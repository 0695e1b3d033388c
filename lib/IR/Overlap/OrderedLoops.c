//===- OrderedLoops.c - Affine loops whose order has to stay --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Overlap/OrderedLoops.h"
#include "IR/Facts/LoopFacts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// What can be done
//===----------------------------------------------------------------------===//

static bool hasMemRef(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/// A load or store of one element, or of a vector.
static bool isAccess(MlirOperation op) {
  BerthVectorAccess vector;
  return berthOpIsElementAccess(op) || berthAffineVectorGetAccess(op, &vector);
}

/// Index arithmetic, and what ends a block, takes variables of any loop.
static bool mayLeaveDialect(MlirOperation op) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  if (!berthOpIsAffine(op) || berthOpIs(op, BERTH_OP_IF) || isAccess(op))
    return true;
  if (berthOpIs(op, BERTH_OP_LOOP))
    return berthLoopGetRanges(op, ranges) == 1;
  return mlirOperationGetNumRegions(op) == 0 && !hasMemRef(op);
}

static MlirWalkResult visitOp(MlirOperation op, void *userData) {
  bool *mayLeave = userData;
  *mayLeave = mayLeaveDialect(op);
  return *mayLeave ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

bool berthMayFixOrder(MlirOperation nest) {
  bool mayLeave = true;
  if (berthOpIsAffine(nest))
    mlirOperationWalk(nest, visitOp, &mayLeave, MlirWalkPreOrder);
  return mayLeave;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The value of an expression over the op's operands from `first` on.
static MlirValue buildExpr(BerthInsertPoint at, MlirAffineExpr expr,
                           MlirOperation op, intptr_t first, intptr_t numDims,
                           intptr_t numInputs) {
  MlirContext context = mlirOperationGetContext(op);
  if (mlirAffineExprIsAConstant(expr))
    return berthBuildIndex(at, mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    return mlirOperationGetOperand(op,
                                   first + mlirAffineDimExprGetPosition(expr));
  MlirValue *inputs = berthAllocateOrDie((size_t)numInputs, sizeof *inputs);
  for (intptr_t i = 0; i < numInputs; ++i)
    inputs[i] = mlirOperationGetOperand(op, first + i);
  MlirAffineMap map =
      mlirAffineMapGet(context, numDims, numInputs - numDims, 1, &expr);
  MlirNamedAttribute attribute =
      berthNamed(context, "map", mlirAffineMapAttrGet(map));
  MlirValue value = berthBuildValue(at, BERTH_NAME_APPLY, numInputs, inputs,
                                    mlirIndexTypeGet(context), 1, &attribute);
  free(inputs);
  return value;
}

/// memref.load or memref.store of the same element, or those of the vector
/// dialect of the same vector.
static void replaceAccess(MlirOperation op) {
  bool isElement = berthOpIsElementAccess(op);
  BerthInsertPoint at = berthInsertBefore(op);
  bool isStore = mlirOperationGetNumResults(op) == 0;
  intptr_t memref = isStore ? 1 : 0, first = memref + 1;
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  intptr_t rank = mlirAffineMapGetNumResults(map);
  MlirValue *operands =
      berthAllocateOrDie((size_t)(first + rank), sizeof *operands);
  for (intptr_t i = 0; i < first; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t d = 0; d < rank; ++d)
    operands[first + d] =
        buildExpr(at, mlirAffineMapGetResult(map, d), op, first,
                  mlirAffineMapGetNumDims(map), mlirAffineMapGetNumInputs(map));
  if (isStore) {
    berthBuild(at, isElement ? BERTH_NAME_STORE : BERTH_NAME_VECTOR_STORE,
               first + rank, operands, 0, NULL, 0, NULL);
  } else {
    MlirValue old = mlirOperationGetResult(op, 0);
    mlirValueReplaceAllUsesOfWith(
        old, berthBuildValue(
                 at, isElement ? BERTH_NAME_LOAD : BERTH_NAME_VECTOR_LOAD,
                 first + rank, operands, mlirValueGetType(old), 0, NULL));
  }
  free(operands);
  mlirOperationDestroy(op);
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

/// The body as that of another op, which ends in scf.yield.
static MlirRegion takeBody(MlirOperation op, intptr_t index) {
  MlirRegion region = mlirRegionCreate(),
             old = mlirOperationGetRegion(op, index);
  mlirRegionTakeBody(region, old);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block))
    return region;
  MlirOperation end = mlirBlockGetTerminator(block);
  intptr_t count = mlirOperationGetNumOperands(end);
  MlirValue *values = berthAllocateOrDie((size_t)count, sizeof *values);
  for (intptr_t i = 0; i < count; ++i)
    values[i] = mlirOperationGetOperand(end, i);
  berthBuild(berthInsertBefore(end), BERTH_NAME_YIELD, count, values, 0, NULL,
             0, NULL);
  mlirOperationDestroy(end);
  free(values);
  return region;
}

/// Takes over the op's attributes but those that are its own, and its results.
static void replaceWith(MlirOperation op, const char *name,
                        intptr_t numOperands, const MlirValue *operands) {
  MlirRegion regions[2];
  intptr_t numRegions = mlirOperationGetNumRegions(op),
           numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numRegions; ++i)
    regions[i] = takeBody(op, i);
  MlirType *types = berthAllocateOrDie((size_t)numResults, sizeof *types);
  for (intptr_t i = 0; i < numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirOperation made =
      berthBuildWithRegions(berthInsertBefore(op), name, numOperands, operands,
                            numResults, types, numRegions, regions);
  free(types);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(op, i);
    mlirOperationSetDiscardableAttributeByName(
        made, mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  for (intptr_t i = 0; i < numResults; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(made, i));
  mlirOperationDestroy(op);
}

/// Of the operands those come last that the first turn begins with.
static void replaceLoop(MlirOperation op) {
  BerthLoopRange range[BERTH_LOOP_MAX_RANK];
  berthLoopGetRanges(op, range);
  BerthInsertPoint at = berthInsertBefore(op);
  intptr_t numCarried = mlirOperationGetNumResults(op),
           first = mlirOperationGetNumOperands(op) - numCarried;
  MlirValue *operands =
      berthAllocateOrDie((size_t)numCarried + 3, sizeof *operands);
  operands[0] = berthBuildIndex(at, range->lower);
  operands[1] = berthBuildIndex(at, range->lower + range->step * range->count);
  operands[2] = berthBuildIndex(at, range->step);
  for (intptr_t i = 0; i < numCarried; ++i)
    operands[3 + i] = mlirOperationGetOperand(op, first + i);
  replaceWith(op, BERTH_NAME_FOR, 3 + numCarried, operands);
  free(operands);
}

/// All constraints of the set: expressions that are 0, or not below it.
static void replaceBranch(MlirOperation op) {
  enum { kAtLeast = 5 };
  BerthInsertPoint at = berthInsertBefore(op);
  MlirIntegerSet set =
      mlirIntegerSetAttrGetValue(berthAttributeOf(op, "condition"));
  MlirValue zero = berthBuildIndex(at, 0);
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < mlirIntegerSetGetNumConstraints(set); ++i) {
    MlirValue value = buildExpr(at, mlirIntegerSetGetConstraint(set, i), op, 0,
                                mlirIntegerSetGetNumDims(set),
                                mlirIntegerSetGetNumInputs(set));
    bool isEqual = mlirIntegerSetIsConstraintEq(set, i);
    MlirValue holds =
        berthBuildCompare(at, isEqual ? BERTH_EQUAL : kAtLeast, value, zero);
    all = i ? berthBuildBinary(at, BERTH_NAME_AND, all, holds) : holds;
  }
  replaceWith(op, BERTH_NAME_IF, 1, &all);
}

/// From the innermost on: what is in a body moves with it.
static MlirWalkResult replaceOp(MlirOperation op, void *userData) {
  (void)userData;
  if (!berthOpIsAffine(op))
    return MlirWalkResultAdvance;
  if (berthOpIs(op, BERTH_OP_LOOP))
    replaceLoop(op);
  else if (berthOpIs(op, BERTH_OP_IF))
    replaceBranch(op);
  else if (isAccess(op))
    replaceAccess(op);
  return MlirWalkResultAdvance;
}

static MlirWalkResult visitNest(MlirOperation op, void *userData) {
  (void)userData;
  bool isMarked = !mlirAttributeIsNull(berthAttributeOf(op, BERTH_ORDERED));
  if (!isMarked || !berthOpIsAffine(op))
    return MlirWalkResultAdvance;
  mlirOperationWalk(op, replaceOp, NULL, MlirWalkPostOrder);
  return MlirWalkResultSkip;
}

void berthFixOrder(MlirOperation root) {
  mlirOperationWalk(root, visitNest, NULL, MlirWalkPreOrder);
}
