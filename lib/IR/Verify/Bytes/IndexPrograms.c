//===- IndexPrograms.c - Index arithmetic made ready to be run ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/IndexPrograms.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static int addNode(BerthIndexProgram *program, BerthIndexNode node) {
  if (program->numNodes == BERTH_INDEX_MOST_NODES)
    return BERTH_INDEX_NONE;
  program->nodes[program->numNodes] = node;
  return program->numNodes++;
}

int berthIndexNumber(BerthIndexProgram *program, int64_t value) {
  return addNode(program,
                 (BerthIndexNode){.kind = BERTH_INDEX_NUMBER, .number = value});
}

bool berthIndexHasOuter(const BerthIndexNode *node) {
  for (int i = 0; i < BERTH_INDEX_MOST_OUTER; ++i)
    if (node->outer[i] != 0)
      return true;
  return false;
}

bool berthIndexIsKnown(const BerthIndexProgram *program, int node) {
  return node != BERTH_INDEX_NONE && !berthIndexHasOuter(&program->nodes[node]);
}

static bool isNumber(const BerthIndexNode *node) {
  return node->kind == BERTH_INDEX_NUMBER && !berthIndexHasOuter(node);
}

/// Outer variables in a sum or a multiple. False in anything else.
static bool combineOuter(BerthIndexNode *node, const BerthIndexNode *a,
                         const BerthIndexNode *b) {
  if (node->kind == BERTH_INDEX_MULTIPLY && isNumber(a) && !isNumber(b))
    return combineOuter(node, b, a);
  bool isSum =
      node->kind == BERTH_INDEX_ADD || node->kind == BERTH_INDEX_SUBTRACT;
  bool isMultiple = node->kind == BERTH_INDEX_MULTIPLY && isNumber(b);
  if (!isSum && !isMultiple)
    return !berthIndexHasOuter(a) && !berthIndexHasOuter(b);
  int64_t factorA = isMultiple ? b->number : 1,
          factorB = node->kind == BERTH_INDEX_SUBTRACT ? -1 : 1;
  for (int i = 0; i < BERTH_INDEX_MOST_OUTER; ++i) {
    int64_t more;
    if (__builtin_mul_overflow(a->outer[i], factorA, &node->outer[i]) ||
        __builtin_mul_overflow(b->outer[i], factorB, &more) ||
        __builtin_add_overflow(node->outer[i], more, &node->outer[i]))
      return false;
  }
  return true;
}

int berthIndexCombine(BerthIndexProgram *program, BerthIndexKind kind, int a,
                      int b) {
  if (a == BERTH_INDEX_NONE || b == BERTH_INDEX_NONE)
    return BERTH_INDEX_NONE;
  if (kind == BERTH_INDEX_ADD && isNumber(&program->nodes[a]) &&
      program->nodes[a].number == 0)
    return b;
  uint32_t loops = program->nodes[a].loops | program->nodes[b].loops;
  BerthIndexNode node = {.kind = kind, .a = a, .b = b, .loops = loops};
  if (!combineOuter(&node, &program->nodes[a], &program->nodes[b]))
    return BERTH_INDEX_NONE;
  return addNode(program, node);
}

/// a / b rounded up.
static int combineCeiling(BerthIndexProgram *program, int a, int b) {
  int last = berthIndexCombine(program, BERTH_INDEX_SUBTRACT, b,
                               berthIndexNumber(program, 1));
  return berthIndexCombine(program, BERTH_INDEX_QUOTIENT,
                           berthIndexCombine(program, BERTH_INDEX_ADD, a, last),
                           b);
}

int berthIndexCompileExpr(BerthIndexProgram *program, MlirAffineExpr expr,
                          MlirOperation op, intptr_t first, intptr_t numDims) {
  if (mlirAffineExprIsAConstant(expr))
    return berthIndexNumber(program, mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    return berthIndexCompile(
        program, mlirOperationGetOperand(
                     op, first + mlirAffineDimExprGetPosition(expr)));
  if (mlirAffineExprIsASymbol(expr))
    return berthIndexCompile(
        program,
        mlirOperationGetOperand(op, first + numDims +
                                        mlirAffineSymbolExprGetPosition(expr)));
  BerthIndexKind kind;
  bool isCeiling = mlirAffineExprIsACeilDiv(expr);
  if (isCeiling)
    kind = BERTH_INDEX_QUOTIENT;
  else if (mlirAffineExprIsAAdd(expr))
    kind = BERTH_INDEX_ADD;
  else if (mlirAffineExprIsAMul(expr))
    kind = BERTH_INDEX_MULTIPLY;
  else if (mlirAffineExprIsAMod(expr))
    kind = BERTH_INDEX_REMAINDER;
  else if (mlirAffineExprIsAFloorDiv(expr))
    kind = BERTH_INDEX_QUOTIENT;
  else
    return BERTH_INDEX_NONE;
  int a = berthIndexCompileExpr(program, mlirAffineBinaryOpExprGetLHS(expr), op,
                                first, numDims);
  int b = berthIndexCompileExpr(program, mlirAffineBinaryOpExprGetRHS(expr), op,
                                first, numDims);
  return isCeiling ? combineCeiling(program, a, b)
                   : berthIndexCombine(program, kind, a, b);
}

int berthIndexCompileMap(BerthIndexProgram *program, MlirOperation op,
                         intptr_t first, intptr_t index, BerthIndexKind kind) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return BERTH_INDEX_NONE;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  intptr_t numResults = mlirAffineMapGetNumResults(map);
  intptr_t numDims = mlirAffineMapGetNumDims(map);
  if (index >= numResults)
    return BERTH_INDEX_NONE;
  int node = berthIndexCompileExpr(program, mlirAffineMapGetResult(map, index),
                                   op, first, numDims);
  bool isOne = kind != BERTH_INDEX_MINIMUM && kind != BERTH_INDEX_MAXIMUM;
  for (intptr_t i = index + 1; i < numResults && !isOne; ++i)
    node = berthIndexCombine(
        program, kind, node,
        berthIndexCompileExpr(program, mlirAffineMapGetResult(map, i), op,
                              first, numDims));
  return node;
}

static int compileOperands(BerthIndexProgram *program, MlirOperation op,
                           BerthIndexKind kind) {
  int a = berthIndexCompile(program, mlirOperationGetOperand(op, 0));
  int b = berthIndexCompile(program, mlirOperationGetOperand(op, 1));
  return berthIndexCombine(program, kind, a, b);
}

/// A variable from around the loops. It may cancel out: what a loop moves along
/// with is `%i - %i`.
static int compileOuter(BerthIndexProgram *program, MlirValue value) {
  int i = 0;
  while (i < program->numOuter && !mlirValueEqual(program->outer[i], value))
    ++i;
  if (i == BERTH_INDEX_MOST_OUTER)
    return BERTH_INDEX_NONE;
  if (i == program->numOuter)
    program->outer[program->numOuter++] = value;
  BerthIndexNode node = {.kind = BERTH_INDEX_NUMBER};
  node.outer[i] = 1;
  return addNode(program, node);
}

int berthIndexCompile(BerthIndexProgram *program, MlirValue value) {
  int64_t constant;
  if (berthValueIsConstant(value, &constant))
    return berthIndexNumber(program, constant);
  if (mlirValueIsABlockArgument(value)) {
    for (int i = 0; i < program->numLoops; ++i)
      if (mlirValueEqual(program->loops[i].variable, value))
        return addNode(program, (BerthIndexNode){.kind = BERTH_INDEX_VARIABLE,
                                                 .number = i,
                                                 .loops = UINT32_C(1) << i});
    return compileOuter(program, value);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirTypeIsAIndex(mlirValueGetType(value)))
    return BERTH_INDEX_NONE;
  if (berthOpIs(op, BERTH_OP_SUM))
    return compileOperands(program, op, BERTH_INDEX_ADD);
  if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    return compileOperands(program, op, BERTH_INDEX_SUBTRACT);
  if (berthOpIs(op, BERTH_OP_PRODUCT))
    return compileOperands(program, op, BERTH_INDEX_MULTIPLY);
  if (berthOpIs(op, BERTH_OP_SIGNED_MIN))
    return compileOperands(program, op, BERTH_INDEX_MINIMUM);
  if (berthOpIs(op, BERTH_OP_SIGNED_MAX))
    return compileOperands(program, op, BERTH_INDEX_MAXIMUM);
  if (berthOpIs(op, BERTH_OP_APPLY))
    return berthIndexCompileMap(program, op, 0, 0, BERTH_INDEX_ADD);
  if (berthOpIs(op, BERTH_OP_SMALLEST))
    return berthIndexCompileMap(program, op, 0, 0, BERTH_INDEX_MINIMUM);
  if (berthOpIs(op, BERTH_OP_LARGEST))
    return berthIndexCompileMap(program, op, 0, 0, BERTH_INDEX_MAXIMUM);
  return BERTH_INDEX_NONE;
}

int berthIndexCompileMixed(BerthIndexProgram *program, BerthMixed mixed) {
  return mlirValueIsNull(mixed.value) ? berthIndexNumber(program, mixed.number)
                                      : berthIndexCompile(program, mixed.value);
}

static bool calculate(BerthIndexKind kind, int64_t a, int64_t b,
                      int64_t *result) {
  switch (kind) {
  case BERTH_INDEX_ADD:
    return !__builtin_add_overflow(a, b, result);
  case BERTH_INDEX_SUBTRACT:
    return !__builtin_sub_overflow(a, b, result);
  case BERTH_INDEX_MULTIPLY:
    return !__builtin_mul_overflow(a, b, result);
  case BERTH_INDEX_MINIMUM:
    *result = a < b ? a : b;
    return true;
  case BERTH_INDEX_MAXIMUM:
    *result = a > b ? a : b;
    return true;
  case BERTH_INDEX_REMAINDER:
  case BERTH_INDEX_QUOTIENT:
    if (b <= 0)
      return false;
    *result = a / b - (a % b < 0); // rounded down
    if (kind == BERTH_INDEX_REMAINDER)
      *result = a - b * *result;
    return true;
  case BERTH_INDEX_NUMBER:
  case BERTH_INDEX_VARIABLE:
    break;
  }
  return false;
}

bool berthIndexRun(const BerthIndexProgram *program, const int64_t *variables,
                   int last, int64_t *values) {
  for (int i = 0; i <= last; ++i) {
    const BerthIndexNode *node = &program->nodes[i];
    if (node->kind == BERTH_INDEX_NUMBER)
      values[i] = node->number;
    else if (node->kind == BERTH_INDEX_VARIABLE)
      values[i] = variables[node->number];
    else if (!calculate(node->kind, values[node->a], values[node->b],
                        &values[i]))
      return false;
  }
  return true;
}
