//===- FoldExpr.c - Affine values and bounds as isl text -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldExpr.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/IntegerSet.h"

#include <inttypes.h>
#include <stdlib.h>

bool berthFoldIsBranch(MlirOperation op) { return berthOpIs(op, BERTH_OP_IF); }

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// True if control that is in `inner` is inside `outer` or is it.
static bool isWithin(MlirBlock inner, MlirBlock outer) {
  while (!mlirBlockIsNull(inner) && !mlirBlockEqual(inner, outer)) {
    MlirOperation parent = mlirBlockGetParentOperation(inner);
    if (mlirOperationIsNull(parent))
      return false;
    inner = mlirOperationGetBlock(parent);
  }
  return !mlirBlockIsNull(inner);
}

/// A value has one value during the owner block's run if it is made outside of
/// the block or by an op of the block itself.
static bool isInvariant(const BerthFoldPlace *place, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    return mlirBlockEqual(block, place->owner) ||
           !isWithin(block, place->owner);
  }
  MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return mlirBlockEqual(block, place->owner) || !isWithin(block, place->owner);
}

static bool appendParam(const BerthFoldPlace *place, BerthFoldParams *params,
                        MlirValue value, BerthText *text) {
  size_t number = 0;
  while (number < params->count &&
         !mlirValueEqual(params->values[number], value))
    ++number;
  if (number == BERTH_FOLD_MAX_PARAMS)
    return false;
  berthTextAppend(text, "p%zu", number);
  if (number == params->count) {
    params->values[params->count++] = value;
    params->addFacts(place, params, number);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool berthFoldConstant(MlirOperation op, int64_t *value) {
  if (!berthOpIs(op, BERTH_OP_CONSTANT))
    return false;
  MlirAttribute attribute = berthAttributeOf(op, "value");
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  *value = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

static bool isConstant(MlirValue value) {
  int64_t ignored;
  return mlirValueIsAOpResult(value) &&
         berthFoldConstant(mlirOpResultGetOwner(value), &ignored);
}

/// "(a + b)" and the like for an op with two operands.
static bool appendBinary(const BerthFoldPlace *place, BerthFoldParams *params,
                         MlirOperation op, const char *sign, BerthText *text) {
  berthTextAppend(text, "(");
  if (!berthFoldAppendValue(place, params, mlirOperationGetOperand(op, 0),
                            text))
    return false;
  berthTextAppend(text, " %s ", sign);
  if (!berthFoldAppendValue(place, params, mlirOperationGetOperand(op, 1),
                            text))
    return false;
  berthTextAppend(text, ")");
  return true;
}

static bool appendApply(const BerthFoldPlace *place, BerthFoldParams *params,
                        MlirOperation op, BerthText *text) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  return berthFoldAppendExpr(place, params, mlirAffineMapGetResult(map, 0), op,
                             0, mlirAffineMapGetNumDims(map), text);
}

/// "min(a, b)": isl splits it where it has to.
static bool appendExtreme(const BerthFoldPlace *place, BerthFoldParams *params,
                          MlirOperation op, const char *name, BerthText *text) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  berthTextAppend(text, "%s(", name);
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i) {
    berthTextAppend(text, i ? ", " : "");
    if (!berthFoldAppendExpr(place, params, mlirAffineMapGetResult(map, i), op,
                             0, mlirAffineMapGetNumDims(map), text))
      return false;
  }
  berthTextAppend(text, ")");
  return true;
}

/// The sums and multiples that index arithmetic is written in, and what tiling
/// makes of the last tile.
static bool appendArith(const BerthFoldPlace *place, BerthFoldParams *params,
                        MlirOperation op, BerthText *text) {
  if (berthOpIs(op, BERTH_OP_SUM))
    return appendBinary(place, params, op, "+", text);
  if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    return appendBinary(place, params, op, "-", text);
  if (berthOpIs(op, BERTH_OP_PRODUCT) &&
      (isConstant(mlirOperationGetOperand(op, 0)) ||
       isConstant(mlirOperationGetOperand(op, 1))))
    return appendBinary(place, params, op, "*", text);
  if (berthOpIs(op, BERTH_OP_APPLY))
    return appendApply(place, params, op, text);
  // One that does not change does as a parameter.
  if (isInvariant(place, mlirOperationGetResult(op, 0)))
    return false;
  if (berthOpIs(op, BERTH_OP_SMALLEST))
    return appendExtreme(place, params, op, "min", text);
  if (berthOpIs(op, BERTH_OP_LARGEST))
    return appendExtreme(place, params, op, "max", text);
  return false;
}

static bool appendLoopVariable(const BerthFoldPlace *place, MlirValue value,
                               BerthText *text) {
  for (size_t i = 0; i < place->numLoops; ++i)
    if (mlirValueEqual(place->variables[i], value)) {
      berthTextAppend(text, "i%zu", i);
      return true;
    }
  return false;
}

static void cutText(BerthText *text, size_t length) {
  if (!text->data)
    return;
  text->length = length;
  text->data[length] = '\0';
}

bool berthFoldAppendValue(const BerthFoldPlace *place, BerthFoldParams *params,
                          MlirValue value, BerthText *text) {
  if (!mlirTypeIsAIndex(mlirValueGetType(value)))
    return false;
  if (appendLoopVariable(place, value, text))
    return true;
  if (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    int64_t constant;
    if (berthFoldConstant(op, &constant)) {
      berthTextAppend(text, "%" PRId64, constant);
      return true;
    }
    size_t length = text->length, numParams = params->count;
    if (appendArith(place, params, op, text))
      return true;
    if (numParams != params->count)
      return false;
    cutText(text, length);
  }
  return isInvariant(place, value) && appendParam(place, params, value, text);
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

/// Where an affine expression's dims and symbols come from.
typedef struct Operands {
  MlirOperation op;
  intptr_t firstDim;
  intptr_t firstSymbol;
  const int64_t *sample; ///< what stands for unknown values, or NULL
} Operands;

static MlirValue operandOf(const Operands *operands, MlirAffineExpr expr) {
  return mlirOperationGetOperand(
      operands->op,
      mlirAffineExprIsADim(expr)
          ? operands->firstDim + mlirAffineDimExprGetPosition(expr)
          : operands->firstSymbol + mlirAffineSymbolExprGetPosition(expr));
}

static bool valueIsNumber(MlirValue value, const int64_t *sample,
                          int64_t *number);

/// The value of an expression over constants alone, as upstream passes leave
/// behind: `affine.apply () -> (24)`, then `d0 mod s0` of it.
static bool exprIsNumber(MlirAffineExpr expr, const Operands *operands,
                         int64_t *number) {
  if (mlirAffineExprIsAConstant(expr)) {
    *number = mlirAffineConstantExprGetValue(expr);
    return true;
  }
  if (mlirAffineExprIsADim(expr) || mlirAffineExprIsASymbol(expr))
    return valueIsNumber(operandOf(operands, expr), operands->sample, number);
  int64_t left, right;
  if (!exprIsNumber(mlirAffineBinaryOpExprGetLHS(expr), operands, &left) ||
      !exprIsNumber(mlirAffineBinaryOpExprGetRHS(expr), operands, &right))
    return false;
  if (mlirAffineExprIsAAdd(expr))
    return !__builtin_add_overflow(left, right, number);
  return mlirAffineExprIsAMul(expr) &&
         !__builtin_mul_overflow(left, right, number);
}

static bool applyIsNumber(MlirOperation op, const int64_t *sample,
                          int64_t *number) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  Operands operands = {op, 0, mlirAffineMapGetNumDims(map), sample};
  return exprIsNumber(mlirAffineMapGetResult(map, 0), &operands, number);
}

/// Sums and products of numbers.
static bool arithIsNumber(MlirOperation op, const int64_t *sample,
                          int64_t *number) {
  bool isSum = berthOpIs(op, BERTH_OP_SUM),
       isDifference = berthOpIs(op, BERTH_OP_DIFFERENCE);
  int64_t left, right;
  if ((!isSum && !isDifference && !berthOpIs(op, BERTH_OP_PRODUCT)) ||
      !valueIsNumber(mlirOperationGetOperand(op, 0), sample, &left) ||
      !valueIsNumber(mlirOperationGetOperand(op, 1), sample, &right))
    return false;
  return isSum          ? !__builtin_add_overflow(left, right, number)
         : isDifference ? !__builtin_sub_overflow(left, right, number)
                        : !__builtin_mul_overflow(left, right, number);
}

static bool valueIsNumber(MlirValue value, const int64_t *sample,
                          int64_t *number) {
  if (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (berthFoldConstant(op, number) ||
        (berthOpIs(op, BERTH_OP_APPLY) && applyIsNumber(op, sample, number)) ||
        (sample && arithIsNumber(op, sample, number)))
      return true;
  }
  if (sample)
    *number = *sample;
  return sample != NULL;
}

int64_t berthFoldSizeAt(MlirValue array, intptr_t dim, int64_t sample) {
  MlirType type = mlirValueGetType(array);
  if (!mlirShapedTypeIsDynamicDim(type, dim))
    return mlirShapedTypeGetDimSize(type, dim);
  intptr_t operand = 0; // sizes come first
  for (intptr_t d = 0; d < dim; ++d)
    operand += mlirShapedTypeIsDynamicDim(type, d);
  int64_t size;
  valueIsNumber(mlirOperationGetOperand(mlirOpResultGetOwner(array), operand),
                &sample, &size);
  return size > 0 ? size : 0;
}

static bool appendSum(const BerthFoldPlace *place, BerthFoldParams *params,
                      MlirAffineExpr expr, const Operands *operands,
                      BerthText *text);

/// An expression with a number as its right operand, where isl takes nothing
/// but a bare number.
static bool appendByNumber(const BerthFoldPlace *place, BerthFoldParams *params,
                           MlirAffineExpr expr, const Operands *operands,
                           BerthText *text) {
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(expr);
  int64_t number;
  bool isMul = mlirAffineExprIsAMul(expr);
  if (!exprIsNumber(mlirAffineBinaryOpExprGetRHS(expr), operands, &number)) {
    if (!isMul || !exprIsNumber(left, operands, &number))
      return false;
    left = mlirAffineBinaryOpExprGetRHS(expr);
  }
  if (!isMul && number <= 0)
    return false;
  berthTextAppend(text, "%s",
                  isMul                             ? "("
                  : mlirAffineExprIsAMod(expr)      ? "(("
                  : mlirAffineExprIsAFloorDiv(expr) ? "floor(("
                                                    : "ceil((");
  if (!appendSum(place, params, left, operands, text))
    return false;
  berthTextAppend(text, "%s%" PRId64 ")",
                  isMul                        ? " * "
                  : mlirAffineExprIsAMod(expr) ? ") mod "
                                               : ")/",
                  number);
  return true;
}

static bool appendSum(const BerthFoldPlace *place, BerthFoldParams *params,
                      MlirAffineExpr expr, const Operands *operands,
                      BerthText *text) {
  int64_t number;
  if (exprIsNumber(expr, operands, &number)) {
    berthTextAppend(text, "%" PRId64, number);
    return true;
  }
  if (mlirAffineExprIsADim(expr) || mlirAffineExprIsASymbol(expr))
    return berthFoldAppendValue(place, params, operandOf(operands, expr), text);
  if (!mlirAffineExprIsAAdd(expr))
    return appendByNumber(place, params, expr, operands, text);
  berthTextAppend(text, "(");
  if (!appendSum(place, params, mlirAffineBinaryOpExprGetLHS(expr), operands,
                 text))
    return false;
  berthTextAppend(text, " + ");
  if (!appendSum(place, params, mlirAffineBinaryOpExprGetRHS(expr), operands,
                 text))
    return false;
  berthTextAppend(text, ")");
  return true;
}

bool berthFoldAppendExpr(const BerthFoldPlace *place, BerthFoldParams *params,
                         MlirAffineExpr expr, MlirOperation op,
                         intptr_t firstDim, intptr_t numDims, BerthText *text) {
  Operands operands = {op, firstDim, firstDim + numDims, NULL};
  return appendSum(place, params, expr, &operands, text);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//
//
// No condition starts with a bracket: isl could not tell whether it opens an
// expression or a condition.

static bool appendIntegerSet(const BerthFoldPlace *place,
                             BerthFoldParams *params, MlirOperation branch,
                             BerthText *text) {
  MlirIntegerSet set =
      mlirIntegerSetAttrGetValue(berthAttributeOf(branch, "condition"));
  for (intptr_t i = 0; i < mlirIntegerSetGetNumConstraints(set); ++i) {
    berthTextAppend(text, "%s0 %s ", i ? " and " : "",
                    mlirIntegerSetIsConstraintEq(set, i) ? "=" : "<=");
    if (!berthFoldAppendExpr(place, params, mlirIntegerSetGetConstraint(set, i),
                             branch, 0, mlirIntegerSetGetNumDims(set), text))
      return false;
  }
  return mlirIntegerSetGetNumConstraints(set) > 0;
}

/// The truth of a value of type i1 on its way into text.
typedef struct Truth {
  const BerthFoldPlace *place;
  BerthFoldParams *params;
  BerthText *text;
  int numOpsLeft; ///< each way to an op counts, so the text stays short
} Truth;

/// arith.cmpi of two affine index values, by a signed predicate.
static bool appendCompare(Truth *truth, MlirOperation compare, bool wanted) {
  static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">="};
  static const int64_t opposite[] = {1, 0, 5, 4, 3, 2};
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(compare, "predicate"));
  if (predicate < 0 || predicate >= 6)
    return false;
  berthTextAppend(truth->text, "0 + ");
  if (!berthFoldAppendValue(truth->place, truth->params,
                            mlirOperationGetOperand(compare, 0), truth->text))
    return false;
  berthTextAppend(truth->text, " %s ",
                  signs[wanted ? predicate : opposite[predicate]]);
  return berthFoldAppendValue(truth->place, truth->params,
                              mlirOperationGetOperand(compare, 1), truth->text);
}

/// The same, and where it fails nothing is left of the attempt.
static bool tryCompare(Truth *truth, MlirOperation compare, bool wanted) {
  BerthFoldParams *params = truth->params;
  size_t length = truth->text->length, numParams = params->count,
         factsLength = params->facts.length;
  if (appendCompare(truth, compare, wanted))
    return true;
  cutText(truth->text, length);
  cutText(&params->facts, factsLength);
  params->count = numParams;
  return false;
}

static bool appendTruth(Truth *truth, MlirValue value, bool wanted);

/// "(...)".
static bool appendTerm(Truth *truth, MlirValue value, bool wanted) {
  berthTextAppend(truth->text, "(");
  bool isExact = appendTruth(truth, value, wanted);
  berthTextAppend(truth->text, ")");
  return isExact;
}

/// Both operands are so, or one of them is.
static bool appendJoined(Truth *truth, MlirOperation op, bool wanted,
                         bool both) {
  berthTextAppend(truth->text, both ? "0 = 0 and " : "0 = 1 or ");
  bool isExact = appendTerm(truth, mlirOperationGetOperand(op, 0), wanted);
  berthTextAppend(truth->text, both ? " and " : " or ");
  return appendTerm(truth, mlirOperationGetOperand(op, 1), wanted) && isExact;
}

/// Where `which` is true `first` is so, and elsewhere `second`.
static bool appendCases(Truth *truth, MlirValue which, MlirValue first,
                        bool firstWanted, MlirValue second, bool secondWanted) {
  berthTextAppend(truth->text, "0 = 1 or (0 = 0 and ");
  bool isExact = appendTerm(truth, which, true);
  berthTextAppend(truth->text, " and ");
  isExact &= appendTerm(truth, first, firstWanted);
  berthTextAppend(truth->text, ") or (0 = 0 and ");
  isExact &= appendTerm(truth, which, false);
  berthTextAppend(truth->text, " and ");
  isExact &= appendTerm(truth, second, secondWanted);
  berthTextAppend(truth->text, ")");
  return isExact;
}

/// What makes one truth of several. Not for wider integers: an operand of
/// another type is none that appendTruth reads.
static bool appendLogic(Truth *truth, MlirOperation op, bool wanted) {
  if (berthOpIs(op, BERTH_OP_AND))
    return appendJoined(truth, op, wanted, wanted);
  if (berthOpIs(op, BERTH_OP_OR))
    return appendJoined(truth, op, wanted, !wanted);
  MlirValue first = mlirOperationGetOperand(op, 0),
            second = mlirOperationGetOperand(op, 1);
  if (berthOpIs(op, BERTH_OP_XOR))
    return appendCases(truth, first, second, !wanted, second, wanted);
  return appendCases(truth, first, second, wanted,
                     mlirOperationGetOperand(op, 2), wanted);
}

static bool isLogic(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_AND) || berthOpIs(op, BERTH_OP_OR) ||
         berthOpIs(op, BERTH_OP_XOR) || berthOpIs(op, BERTH_OP_SELECT);
}

/// Appends what holds wherever `value` is `wanted`; true if it holds nowhere
/// else. Negation goes down to the comparisons, so what is not affine leaves a
/// condition that holds too often, never too seldom.
static bool appendTruth(Truth *truth, MlirValue value, bool wanted) {
  MlirType type = mlirValueGetType(value);
  bool isRead = mlirValueIsAOpResult(value) && mlirTypeIsAInteger(type) &&
                mlirIntegerTypeGetWidth(type) == 1 && truth->numOpsLeft > 0;
  if (isRead) {
    MlirOperation op = mlirOpResultGetOwner(value);
    int64_t constant;
    --truth->numOpsLeft;
    if (berthFoldConstant(op, &constant)) {
      berthTextAppend(truth->text, "0 = %d", (constant != 0) != wanted);
      return true;
    }
    if (isLogic(op))
      return appendLogic(truth, op, wanted);
    if (berthOpIs(op, BERTH_OP_COMPARISON) && tryCompare(truth, op, wanted))
      return true;
  }
  berthTextAppend(truth->text, "0 = 0");
  return false;
}

static bool appendSet(const BerthFoldPlace *place, BerthFoldParams *params,
                      MlirOperation branch, intptr_t region, BerthText *text) {
  BerthText condition = {0};
  bool good = appendIntegerSet(place, params, branch, &condition);
  if (good)
    berthTextAppend(text, region == 0 ? " and (%s)" : " and not (%s)",
                    condition.data);
  berthTextFree(&condition);
  return good;
}

bool berthFoldAppendCondition(const BerthFoldPlace *place,
                              BerthFoldParams *params, MlirOperation branch,
                              intptr_t region, BerthText *text) {
  enum { MaxOps = 100 };
  if (berthOpIsAffine(branch))
    return appendSet(place, params, branch, region, text);
  Truth truth = {place, params, text, MaxOps};
  berthTextAppend(text, " and ");
  return appendTerm(&truth, mlirOperationGetOperand(branch, 0), region == 0);
}
