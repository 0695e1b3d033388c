//===- FoldLoops.c - Loops and their bounds as isl text -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Five loops, one way to ask for the bounds of each of their variables: affine
// maps (affine.for, affine.parallel), values (scf.for, scf.parallel), or
// numbers with values in between (scf.forall).
//
//===----------------------------------------------------------------------===//

#include "IR/Build.h"
#include "IR/FoldNest.h"
#include "IR/OpTable.h"

#include "mlir-c/AffineMap.h"

#include <inttypes.h>

bool berthFoldIsParallel(MlirOperation op) {
  return berthOpIsNamed(op, "affine.parallel") ||
         berthOpIsNamed(op, "scf.parallel") || berthOpIsNamed(op, "scf.forall");
}

bool berthFoldIsLoop(MlirOperation op) {
  return berthOpIsNamed(op, "affine.for") || berthOpIsNamed(op, "scf.for") ||
         berthFoldIsParallel(op);
}

intptr_t berthFoldNumVariables(MlirOperation op) {
  if (!berthFoldIsParallel(op))
    return berthFoldIsLoop(op) ? 1 : 0;
  if (berthOpIsNamed(op, "affine.parallel"))
    return mlirArrayAttrGetNumElements(berthAttributeOf(op, "steps"));
  if (berthOpIsNamed(op, "scf.forall"))
    return mlirDenseArrayGetNumElements(berthAttributeOf(op, "staticStep"));
  return mlirDenseI32ArrayGetElement(
      berthAttributeOf(op, "operandSegmentSizes"), 0);
}

MlirValue berthFoldVariable(MlirOperation op, intptr_t dim) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return mlirBlockGetArgument(body, dim);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

typedef enum Side { SideLower, SideUpper, SideStep } Side;

/// A number, a value, or the largest (lower bounds) or smallest (upper bounds)
/// of some results of a map.
typedef struct Bound {
  bool isNumber;
  int64_t number;
  MlirValue value; ///< null: a number or a map
  MlirAffineMap map;
  intptr_t firstOperand;
  intptr_t firstResult;
  intptr_t numResults; ///< 1 for numbers and values
} Bound;

static Bound numberBound(int64_t number) {
  return (Bound){.isNumber = true, .number = number, .numResults = 1};
}

static int64_t stepOfDim(MlirOperation loop, intptr_t dim) {
  MlirAttribute step =
      berthOpIsNamed(loop, "affine.for")
          ? berthAttributeOf(loop, "step")
          : mlirArrayAttrGetElement(berthAttributeOf(loop, "steps"), dim);
  return mlirIntegerAttrGetValueInt(step);
}

/// affine.for has all results of its maps, affine.parallel a group of them for
/// each variable; the operands of the upper map follow those of the lower one.
static Bound affineBound(MlirOperation loop, intptr_t dim, Side side) {
  bool upper = side == SideUpper, isFor = berthOpIsNamed(loop, "affine.for");
  static const char *const maps[2][2] = {{"lowerBoundsMap", "upperBoundsMap"},
                                         {"lowerBoundMap", "upperBoundMap"}};
  if (side == SideStep)
    return numberBound(stepOfDim(loop, dim));
  MlirAffineMap lower =
      mlirAffineMapAttrGetValue(berthAttributeOf(loop, maps[isFor][0]));
  Bound bound = {.map = lower};
  if (upper) {
    bound.firstOperand = mlirAffineMapGetNumInputs(lower);
    bound.map =
        mlirAffineMapAttrGetValue(berthAttributeOf(loop, maps[isFor][1]));
  }
  bound.numResults = mlirAffineMapGetNumResults(bound.map);
  if (isFor)
    return bound;
  MlirAttribute groups =
      berthAttributeOf(loop, upper ? "upperBoundsGroups" : "lowerBoundsGroups");
  for (intptr_t before = 0; before < dim; ++before)
    bound.firstResult += mlirDenseElementsAttrGetInt32Value(groups, before);
  bound.numResults = mlirDenseElementsAttrGetInt32Value(groups, dim);
  return bound;
}

/// A number where one is given, else the next value of its segment.
static Bound forallBound(MlirOperation loop, intptr_t dim, Side side) {
  static const char *const names[] = {"staticLowerBound", "staticUpperBound",
                                      "staticStep"};
  MlirAttribute numbers = berthAttributeOf(loop, names[side]);
  MlirAttribute sizes = berthAttributeOf(loop, "operandSegmentSizes");
  int64_t number = mlirDenseI64ArrayGetElement(numbers, dim);
  if (number != mlirShapedTypeGetDynamicSize())
    return numberBound(number);
  intptr_t operand = 0;
  for (intptr_t segment = 0; segment < (intptr_t)side; ++segment)
    operand += mlirDenseI32ArrayGetElement(sizes, segment);
  for (intptr_t before = 0; before < dim; ++before)
    operand += mlirDenseI64ArrayGetElement(numbers, before) ==
               mlirShapedTypeGetDynamicSize();
  return (Bound){.value = mlirOperationGetOperand(loop, operand),
                 .numResults = 1};
}

static Bound boundOf(MlirOperation loop, intptr_t dim, Side side) {
  if (berthOpIsNamed(loop, "affine.for") ||
      berthOpIsNamed(loop, "affine.parallel"))
    return affineBound(loop, dim, side);
  if (berthOpIsNamed(loop, "scf.forall"))
    return forallBound(loop, dim, side);
  intptr_t operand = (intptr_t)side * berthFoldNumVariables(loop) + dim;
  return (Bound){.value = mlirOperationGetOperand(loop, operand),
                 .numResults = 1};
}

static bool appendBound(const BerthFoldPlace *place, BerthFoldParams *params,
                        MlirOperation loop, const Bound *bound, intptr_t result,
                        BerthText *text) {
  if (bound->isNumber) {
    berthTextAppend(text, "%" PRId64, bound->number);
    return true;
  }
  if (!mlirValueIsNull(bound->value))
    return berthFoldAppendValue(place, params, bound->value, text);
  return berthFoldAppendExpr(
      place, params,
      mlirAffineMapGetResult(bound->map, bound->firstResult + result), loop,
      bound->firstOperand, mlirAffineMapGetNumDims(bound->map), text);
}

/// The step as a positive number; 0 if it is none.
static int64_t stepOf(MlirOperation loop, intptr_t dim) {
  Bound step = boundOf(loop, dim, SideStep);
  int64_t number = step.number;
  if (!step.isNumber &&
      (!mlirValueIsAOpResult(step.value) ||
       !berthFoldConstant(mlirOpResultGetOwner(step.value), &number)))
    return 0;
  return number > 0 ? number : 0;
}

bool berthFoldAppendBounds(const BerthFoldPlace *place, BerthFoldParams *params,
                           MlirOperation loop, intptr_t dim, const char *name,
                           BerthText *text) {
  int64_t step = stepOf(loop, dim);
  Bound lower = boundOf(loop, dim, SideLower);
  Bound upper = boundOf(loop, dim, SideUpper);
  // A lower bound that is a maximum has no single stride.
  if (step == 0 || (step != 1 && lower.numResults != 1) ||
      !mlirAttributeIsNull(berthAttributeOf(loop, "unsignedCmp")))
    return false;
  for (intptr_t i = 0; i < lower.numResults; ++i) {
    berthTextAppend(text, " and %s >= ", name);
    if (!appendBound(place, params, loop, &lower, i, text))
      return false;
  }
  for (intptr_t i = 0; i < upper.numResults; ++i) {
    berthTextAppend(text, " and %s < ", name);
    if (!appendBound(place, params, loop, &upper, i, text))
      return false;
  }
  if (step == 1)
    return true;
  berthTextAppend(text, " and 0 = (%s - ", name);
  if (!appendBound(place, params, loop, &lower, 0, text))
    return false;
  berthTextAppend(text, ") mod %" PRId64, step);
  return true;
}
