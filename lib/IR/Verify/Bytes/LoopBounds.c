//===- LoopBounds.c - Bounds of loops, made ready to be run ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/LoopBounds.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"

/// Some results of a map in one: the largest of lower bounds, the smallest of
/// upper ones.
typedef struct Results {
  MlirAffineMap map;
  intptr_t operand; ///< the map's first
  intptr_t first, count;
} Results;

static int compileResults(BerthIndexProgram *program, MlirOperation op,
                          Results results, BerthIndexKind kind) {
  int node = BERTH_INDEX_NONE;
  for (intptr_t i = 0; i < results.count; ++i) {
    int next = berthIndexCompileExpr(
        program, mlirAffineMapGetResult(results.map, results.first + i), op,
        results.operand, mlirAffineMapGetNumDims(results.map));
    node = i ? berthIndexCombine(program, kind, node, next) : next;
  }
  return node;
}

static MlirAffineMap mapOf(MlirOperation op, const char *name) {
  return mlirAffineMapAttrGetValue(berthAttributeOf(op, name));
}

/// The operands of the upper bound's map follow those of the lower bound's.
static void compileAffineFor(BerthIndexProgram *program, MlirOperation op,
                             BerthLoopBounds *bounds) {
  Results lower = {.map = mapOf(op, "lowerBoundMap")},
          upper = {.map = mapOf(op, "upperBoundMap")};
  lower.count = mlirAffineMapGetNumResults(lower.map);
  upper.count = mlirAffineMapGetNumResults(upper.map);
  upper.operand = mlirAffineMapGetNumInputs(lower.map);
  bounds->lower = compileResults(program, op, lower, BERTH_INDEX_MAXIMUM);
  bounds->upper = compileResults(program, op, upper, BERTH_INDEX_MINIMUM);
  bounds->step = berthIndexNumber(
      program, mlirIntegerAttrGetValueInt(berthAttributeOf(op, "step")));
}

/// The results of variable `dim`, of whose map each variable has a group.
static Results groupOf(MlirOperation op, const char *map, const char *groups,
                       intptr_t dim) {
  Results results = {.map = mapOf(op, map)};
  MlirAttribute sizes = berthAttributeOf(op, groups);
  for (intptr_t d = 0; d < dim; ++d)
    results.first += mlirDenseElementsAttrGetInt32Value(sizes, d);
  results.count = mlirDenseElementsAttrGetInt32Value(sizes, dim);
  return results;
}

static void compileAffineParallel(BerthIndexProgram *program, MlirOperation op,
                                  intptr_t dim, BerthLoopBounds *bounds) {
  Results lower = groupOf(op, "lowerBoundsMap", "lowerBoundsGroups", dim),
          upper = groupOf(op, "upperBoundsMap", "upperBoundsGroups", dim);
  upper.operand = mlirAffineMapGetNumInputs(lower.map);
  bounds->lower = compileResults(program, op, lower, BERTH_INDEX_MAXIMUM);
  bounds->upper = compileResults(program, op, upper, BERTH_INDEX_MINIMUM);
  MlirAttribute steps = berthAttributeOf(op, "steps");
  bounds->step = berthIndexNumber(
      program, mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(steps, dim)));
}

/// All lower bounds are operands, then all upper ones, then all steps.
static void compileValues(BerthIndexProgram *program, MlirOperation op,
                          intptr_t dim, intptr_t count,
                          BerthLoopBounds *bounds) {
  bounds->lower = berthIndexCompile(program, mlirOperationGetOperand(op, dim));
  bounds->upper =
      berthIndexCompile(program, mlirOperationGetOperand(op, count + dim));
  bounds->step =
      berthIndexCompile(program, mlirOperationGetOperand(op, 2 * count + dim));
}

static intptr_t compileRanges(BerthIndexProgram *program,
                              const BerthLoopRange *ranges, intptr_t count,
                              BerthLoopBounds *bounds) {
  for (intptr_t d = 0; d < count; ++d)
    bounds[d] = (BerthLoopBounds){
        .variable = ranges[d].variable,
        .lower = berthIndexNumber(program, ranges[d].lower),
        .upper = berthIndexNumber(
            program, ranges[d].lower + ranges[d].step * ranges[d].count),
        .step = berthIndexNumber(program, ranges[d].step)};
  return count;
}

intptr_t berthLoopCompileBounds(BerthIndexProgram *program, MlirOperation op,
                                BerthLoopBounds bounds[BERTH_LOOP_MAX_RANK]) {
  BerthLoopRange ranges[BERTH_LOOP_MAX_RANK];
  intptr_t count = berthLoopGetRanges(op, ranges);
  if (count >= 0)
    return compileRanges(program, ranges, count, bounds);
  // Of others the interface tells nothing.
  bool isOne = berthOpIs(op, BERTH_OP_LOOP), isAffine = berthOpIsAffine(op);
  if ((!isOne && !berthOpIs(op, BERTH_OP_PARALLEL_LOOP)) ||
      !mlirAttributeIsNull(berthAttributeOf(op, "mapping")) ||
      !mlirAttributeIsNull(berthAttributeOf(op, "unsignedCmp")))
    return -1;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  count = isOne ? 1 : mlirBlockGetNumArguments(body);
  if (count > BERTH_LOOP_MAX_RANK)
    return -1;
  for (intptr_t d = 0; d < count; ++d) {
    bounds[d].variable = mlirBlockGetArgument(body, d);
    if (isAffine && isOne)
      compileAffineFor(program, op, &bounds[d]);
    else if (isAffine)
      compileAffineParallel(program, op, d, &bounds[d]);
    else
      compileValues(program, op, d, count, &bounds[d]);
  }
  return count;
}
