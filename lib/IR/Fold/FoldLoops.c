//===- FoldLoops.c - Loops and their bounds as isl text -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Five loops, one way to ask for the bounds of each of their variables: affine
// maps (affine.for, affine.parallel), values (scf.for, scf.parallel), or
// numbers with values in between (scf.forall). Values by affine.min and
// affine.max are what they compute.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldLoops.h"
#include "IR/Fold/FoldExpr.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"

#include <inttypes.h>

bool berthFoldIsParallel(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_PARALLEL_LOOP) ||
         berthOpIs(op, BERTH_OP_FORALL);
}

bool berthFoldIsLoop(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_LOOP) || berthFoldIsParallel(op);
}

intptr_t berthFoldNumVariables(MlirOperation op) {
  if (!berthFoldIsParallel(op))
    return berthFoldIsLoop(op) ? 1 : 0;
  if (berthOpIsAffine(op))
    return mlirArrayAttrGetNumElements(berthAttributeOf(op, "steps"));
  if (berthOpIs(op, BERTH_OP_FORALL))
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

enum { MaxResults = 4 }; ///< of a lower bound with a stride

typedef enum Side { SideLower, SideUpper, SideStep } Side;

/// A number, a value, or the largest (lower bounds) or smallest (upper bounds)
/// of some results of a map.
typedef struct Bound {
  bool isNumber;
  int64_t number;
  MlirValue value; ///< null: a number or a map
  MlirAffineMap map;
  MlirOperation op; ///< whose operands the map's inputs are
  intptr_t firstOperand;
  intptr_t firstResult;
  intptr_t numResults; ///< 1 for numbers and values
} Bound;

static Bound numberBound(int64_t number) {
  return (Bound){.isNumber = true, .number = number, .numResults = 1};
}

static int64_t stepOfDim(MlirOperation loop, intptr_t dim) {
  MlirAttribute step =
      berthOpIs(loop, BERTH_OP_LOOP)
          ? berthAttributeOf(loop, "step")
          : mlirArrayAttrGetElement(berthAttributeOf(loop, "steps"), dim);
  return mlirIntegerAttrGetValueInt(step);
}

/// affine.for has all results of its maps, affine.parallel a group of them for
/// each variable; the operands of the upper map follow those of the lower one.
static Bound affineBound(MlirOperation loop, intptr_t dim, Side side) {
  bool upper = side == SideUpper, isFor = berthOpIs(loop, BERTH_OP_LOOP);
  static const char *const maps[2][2] = {{"lowerBoundsMap", "upperBoundsMap"},
                                         {"lowerBoundMap", "upperBoundMap"}};
  if (side == SideStep)
    return numberBound(stepOfDim(loop, dim));
  MlirAffineMap lower =
      mlirAffineMapAttrGetValue(berthAttributeOf(loop, maps[isFor][0]));
  Bound bound = {.map = lower, .op = loop};
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
  if (berthOpIsAffine(loop))
    return affineBound(loop, dim, side);
  if (berthOpIs(loop, BERTH_OP_FORALL))
    return forallBound(loop, dim, side);
  intptr_t operand = (intptr_t)side * berthFoldNumVariables(loop) + dim;
  return (Bound){.value = mlirOperationGetOperand(loop, operand),
                 .numResults = 1};
}

static bool appendBound(const BerthFoldPlace *place, BerthFoldParams *params,
                        const Bound *bound, intptr_t result, BerthText *text) {
  if (bound->isNumber) {
    berthTextAppend(text, "%" PRId64, bound->number);
    return true;
  }
  if (!mlirValueIsNull(bound->value))
    return berthFoldAppendValue(place, params, bound->value, text);
  return berthFoldAppendExpr(
      place, params,
      mlirAffineMapGetResult(bound->map, bound->firstResult + result),
      bound->op, bound->firstOperand, mlirAffineMapGetNumDims(bound->map),
      text);
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

/// A value that is the smallest (as an upper bound) or the largest of several
/// is bounded by each of them.
static Bound spreadValue(Bound bound, Side side) {
  if (bound.isNumber || mlirValueIsNull(bound.value) ||
      !mlirValueIsAOpResult(bound.value))
    return bound;
  MlirOperation op = mlirOpResultGetOwner(bound.value);
  if (!berthOpIs(op, side == SideUpper ? BERTH_OP_SMALLEST : BERTH_OP_LARGEST))
    return bound;
  bound = (Bound){.map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map")),
                  .op = op};
  bound.numResults = mlirAffineMapGetNumResults(bound.map);
  return bound;
}

/// " and name < bound" for each result, or >=.
static bool appendSide(const BerthFoldPlace *place, BerthFoldParams *params,
                       const Bound *bound, Side side, const char *name,
                       BerthText *text) {
  for (intptr_t i = 0; i < bound->numResults; ++i) {
    berthTextAppend(text, " and %s %s ", name, side == SideUpper ? "<" : ">=");
    if (!appendBound(place, params, bound, i, text))
      return false;
  }
  return true;
}

/// " and (name = bound mod step, for the result that is the largest)".
static bool appendStride(const BerthFoldPlace *place, BerthFoldParams *params,
                         const Bound *lower, int64_t step, const char *name,
                         BerthText *text) {
  BerthText results[MaxResults] = {{0}};
  bool good = lower->numResults <= MaxResults;
  for (intptr_t i = 0; good && i < lower->numResults; ++i)
    good = appendBound(place, params, lower, i, &results[i]);
  for (intptr_t i = 0; good && i < lower->numResults; ++i) {
    berthTextAppend(text, "%s(0 = (%s - %s) mod %" PRId64,
                    i ? " or " : " and (", name, results[i].data, step);
    for (intptr_t j = 0; j < lower->numResults; ++j)
      if (j != i)
        berthTextAppend(text, " and 0 + %s >= %s", results[i].data,
                        results[j].data);
    berthTextAppend(text, ")");
  }
  berthTextAppend(text, ")");
  for (intptr_t i = 0; i < MaxResults; ++i)
    berthTextFree(&results[i]);
  return good;
}

bool berthFoldAppendBounds(const BerthFoldPlace *place, BerthFoldParams *params,
                           MlirOperation loop, intptr_t dim, const char *name,
                           BerthText *text) {
  int64_t step = stepOf(loop, dim);
  if (step == 0 || !mlirAttributeIsNull(berthAttributeOf(loop, "unsignedCmp")))
    return false;
  Bound lower = spreadValue(boundOf(loop, dim, SideLower), SideLower);
  Bound upper = spreadValue(boundOf(loop, dim, SideUpper), SideUpper);
  return appendSide(place, params, &lower, SideLower, name, text) &&
         appendSide(place, params, &upper, SideUpper, name, text) &&
         (step == 1 || appendStride(place, params, &lower, step, name, text));
}

bool berthFoldAppendBelow(const BerthFoldPlace *place, BerthFoldParams *params,
                          MlirValue value, const char *name, BerthText *text) {
  Bound bound =
      spreadValue((Bound){.value = value, .numResults = 1}, SideUpper);
  return appendSide(place, params, &bound, SideUpper, name, text);
}

int64_t berthFoldStep(MlirOperation loop) { return stepOf(loop, 0); }

bool berthFoldFirstValue(MlirOperation loop, int64_t *first) {
  Bound lower = boundOf(loop, 0, SideLower);
  if (lower.numResults != 1)
    return false;
  if (lower.isNumber) {
    *first = lower.number;
    return true;
  }
  if (!mlirValueIsNull(lower.value))
    return mlirValueIsAOpResult(lower.value) &&
           berthFoldConstant(mlirOpResultGetOwner(lower.value), first);
  MlirAffineExpr expr = mlirAffineMapGetResult(lower.map, lower.firstResult);
  if (!mlirAffineExprIsAConstant(expr))
    return false;
  *first = mlirAffineConstantExprGetValue(expr);
  return true;
}

//===----------------------------------------------------------------------===//
// What is known of parameters
//===----------------------------------------------------------------------===//

void berthFoldAddFacts(const BerthFoldPlace *place, BerthFoldParams *params,
                       size_t number) {
  MlirValue value = params->values[number];
  char name[16];
  snprintf(name, sizeof name, "p%zu", number);
  if (!mlirValueIsABlockArgument(value)) {
    if (berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_DIM))
      berthTextAppend(&params->facts, " and %s >= 0", name);
    return;
  }
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (mlirOperationIsNull(loop) ||
      mlirBlockArgumentGetArgNumber(value) >= berthFoldNumVariables(loop))
    return;
  BerthFoldPlace outside = {.owner = place->owner};
  BerthText bounds = {0};
  // Parameters that a failed attempt has met stay: their facts may be written.
  if (berthFoldAppendBounds(&outside, params, loop,
                            mlirBlockArgumentGetArgNumber(value), name,
                            &bounds))
    berthTextAppend(&params->facts, "%s", bounds.data ? bounds.data : "");
  berthTextFree(&bounds);
}
