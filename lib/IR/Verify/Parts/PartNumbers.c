//===- PartNumbers.c - What host and kernel compute, as sums --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartNumbers.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

enum { kNumExtents = 6 };

//===----------------------------------------------------------------------===//
// Unknowns
//===----------------------------------------------------------------------===//

static bool isTruthKind(const BerthUnknown *unknown) {
  MlirType type = {NULL};
  if (!mlirValueIsNull(unknown->value))
    type = mlirValueGetType(unknown->value);
  return unknown->kind == BERTH_UNKNOWN_LESS ||
         unknown->kind == BERTH_UNKNOWN_EQUAL ||
         (!mlirTypeIsNull(type) && mlirTypeIsAInteger(type) &&
          mlirIntegerTypeGetWidth(type) == 1);
}

/// Both ops compute the same of the same operands.
static bool areSameOps(MlirValue a, MlirValue b) {
  MlirOperation first = mlirOpResultGetOwner(a);
  MlirOperation second = mlirOpResultGetOwner(b);
  intptr_t count = mlirOperationGetNumAttributes(first);
  if (!mlirIdentifierEqual(mlirOperationGetName(first),
                           mlirOperationGetName(second)) ||
      mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      count != mlirOperationGetNumAttributes(second))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute own = mlirOperationGetAttribute(first, i);
    MlirAttribute other =
        mlirOperationGetAttributeByName(second, mlirIdentifierStr(own.name));
    if (mlirAttributeIsNull(other) || !mlirAttributeEqual(own.attribute, other))
      return false;
  }
  return true;
}

static bool areSame(const BerthUnknown *a, const BerthUnknown *b) {
  if (a->kind != b->kind || a->number != b->number ||
      a->numOperands != b->numOperands)
    return false;
  if (a->kind == BERTH_UNKNOWN_GIVEN)
    return mlirValueEqual(a->value, b->value);
  if (a->kind == BERTH_UNKNOWN_OF_OP && !areSameOps(a->value, b->value))
    return false;
  for (size_t i = 0; i < a->numOperands; ++i)
    if (!berthSumEqual(a->operands[i], b->operands[i]))
      return false;
  return true;
}

static BerthSum keep(BerthPartNumbers *numbers, BerthSum sum) {
  if (sum.count)
    sum.terms =
        berthNewCopy(&numbers->kept, sum.terms, sum.count, sizeof *sum.terms);
  return sum;
}

static const BerthSum *keepAll(BerthPartNumbers *numbers, const BerthSum *sums,
                               size_t count) {
  BerthSum *kept = berthNewCopy(&numbers->kept, sums, count, sizeof *sums);
  for (size_t i = 0; i < count; ++i)
    kept[i] = keep(numbers, sums[i]);
  return kept;
}

BerthSum berthPartUnknown(BerthPartNumbers *numbers, BerthUnknown unknown) {
  uint32_t flag = isTruthKind(&unknown) ? BERTH_FIRST_TRUTH : 0;
  size_t i = 0;
  while (i < numbers->numUnknowns && !areSame(&numbers->unknowns[i], &unknown))
    ++i;
  if (i == numbers->numUnknowns) {
    if (unknown.numOperands)
      unknown.operands =
          keepAll(numbers, unknown.operands, unknown.numOperands);
    numbers->unknowns =
        berthGrow(numbers->unknowns, i, &numbers->unknownCapacity,
                  sizeof *numbers->unknowns);
    numbers->unknowns[numbers->numUnknowns++] = unknown;
  }
  return berthSumOfUnknown(&numbers->memory, (uint32_t)i | flag);
}

const BerthUnknown *berthPartUnknownOf(const BerthPartNumbers *numbers,
                                       uint32_t unknown) {
  return &numbers->unknowns[unknown & ~BERTH_FIRST_TRUTH];
}

bool berthPartIsOfAll(const BerthPartNumbers *numbers, BerthSum sum) {
  for (size_t t = 0; t < sum.count; ++t)
    for (uint32_t u = 0; u < sum.terms[t].count; ++u)
      if (!berthPartUnknownOf(numbers, sum.terms[t].unknowns[u])->isOfAll)
        return false;
  return true;
}

static bool areOfAll(const BerthPartNumbers *numbers, size_t count,
                     const BerthSum *sums) {
  bool isEach = true;
  for (size_t i = 0; i < count; ++i)
    isEach &= berthPartIsOfAll(numbers, sums[i]);
  return isEach;
}

static BerthSum ofOperands(BerthPartNumbers *numbers, BerthUnknownKind kind,
                           int number, BerthSum a, BerthSum b) {
  BerthSum operands[] = {a, b};
  if (a.isNone || b.isNone)
    return a.isNone ? a : b;
  return berthPartUnknown(
      numbers, (BerthUnknown){.kind = kind,
                              .number = number,
                              .isOfAll = areOfAll(numbers, 2, operands),
                              .numOperands = 2,
                              .operands = operands});
}

static bool isInKernel(const BerthPartNumbers *numbers, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return berthOpIsWithin(mlirBlockGetParentOperation(block), numbers->kernel);
}

static BerthSum given(BerthPartNumbers *numbers, MlirValue value) {
  return berthPartUnknown(numbers,
                          (BerthUnknown){.kind = BERTH_UNKNOWN_GIVEN,
                                         .isOfAll = !isInKernel(numbers, value),
                                         .value = value});
}

static BerthSum place(BerthPartNumbers *numbers, int dimension) {
  int64_t extent;
  if (berthSumIsNumber(berthPartExtent(numbers, dimension), &extent) &&
      extent == 1)
    return (BerthSum){0};
  return berthPartUnknown(numbers, (BerthUnknown){.kind = BERTH_UNKNOWN_PLACE,
                                                  .number = dimension});
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static unsigned widthOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAIndex(type))
    return 64;
  return mlirTypeIsAInteger(type) ? (unsigned)mlirIntegerTypeGetWidth(type) : 0;
}

static BerthSum number(BerthPartNumbers *numbers, int64_t value) {
  return berthSumOfNumber(&numbers->memory, value);
}

static BerthSum quotient(BerthPartNumbers *numbers, BerthSum a, BerthSum b) {
  int64_t c, d;
  if (!berthSumIsNumber(b, &d))
    return ofOperands(numbers, BERTH_UNKNOWN_QUOTIENT, 0, a, b);
  if (d == 1)
    return a;
  if (berthSumIsNumber(a, &c) && c >= 0 && d > 0)
    return number(numbers, c / d);
  return ofOperands(numbers, BERTH_UNKNOWN_QUOTIENT, 0, a, b);
}

/// What is left of `a` when its lowest bits are taken away, by a mask of -2^k.
static bool maskLow(BerthPartNumbers *numbers, BerthSum a, BerthSum mask,
                    BerthSum *result) {
  int64_t bits;
  if (!berthSumIsNumber(mask, &bits) || bits >= 0 || bits == INT64_MIN ||
      (-bits & (-bits - 1)))
    return false;
  BerthSum whole = quotient(numbers, a, number(numbers, -bits));
  *result = berthSumMultiply(&numbers->memory, whole, number(numbers, -bits));
  return true;
}

static BerthSum largest(BerthPartNumbers *numbers, BerthSum a, BerthSum b) {
  int64_t c, d;
  if (berthSumIsNumber(a, &c) && berthSumIsNumber(b, &d))
    return (uint64_t)c > (uint64_t)d ? a : b;
  return berthSumEqual(a, b)
             ? a
             : ofOperands(numbers, BERTH_UNKNOWN_LARGEST, 0, a, b);
}

BerthSum berthPartIsLess(BerthPartNumbers *numbers, BerthSum a, BerthSum b,
                         bool isUnsigned) {
  int64_t c, d;
  if (berthSumIsNumber(a, &c) && berthSumIsNumber(b, &d))
    return number(numbers, isUnsigned ? (uint64_t)c < (uint64_t)d : c < d);
  if (berthSumEqual(a, b))
    return (BerthSum){0};
  return ofOperands(numbers, BERTH_UNKNOWN_LESS, isUnsigned, a, b);
}

/// arith.cmpi: `eq` and `ne`, then less, not greater, greater, not less, with
/// and without sign.
static BerthSum compare(BerthPartNumbers *numbers, MlirOperation op, BerthSum a,
                        BerthSum b) {
  BerthMemory *memory = &numbers->memory;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  BerthSum one = number(numbers, 1);
  if (predicate < 2) {
    int64_t c, d;
    BerthSum same = ofOperands(numbers, BERTH_UNKNOWN_EQUAL, 0, a, b);
    if (berthSumIsNumber(a, &c) && berthSumIsNumber(b, &d))
      same = number(numbers, c == d);
    else if (berthSumEqual(a, b))
      same = one;
    return predicate == 0 ? same : berthSumAdd(memory, one, same, -1);
  }
  bool hasSign = predicate < 6,
       isSwapped = predicate % 4 == 3 || predicate % 4 == 0;
  bool isNegated = predicate % 2 == 1;
  BerthSum less =
      berthPartIsLess(numbers, isSwapped ? b : a, isSwapped ? a : b, !hasSign);
  return isNegated ? berthSumAdd(memory, one, less, -1) : less;
}

static bool ofTruths(BerthPartNumbers *numbers, MlirOperation op, BerthSum a,
                     BerthSum b, BerthSum *result) {
  BerthMemory *memory = &numbers->memory;
  BerthSum both = berthSumMultiply(memory, a, b);
  if (berthOpIs(op, BERTH_OP_AND))
    *result = both;
  else if (berthOpIs(op, BERTH_OP_OR))
    *result = berthSumAdd(memory, berthSumAdd(memory, a, b, 1), both, -1);
  else if (berthOpIs(op, BERTH_OP_XOR))
    *result = berthSumAdd(memory, berthSumAdd(memory, a, b, 1), both, -2);
  else
    return false;
  return true;
}

/// Of 64 bits. False for other ops.
static bool ofNumbers(BerthPartNumbers *numbers, MlirOperation op, BerthSum a,
                      BerthSum b, BerthSum *result) {
  BerthMemory *memory = &numbers->memory;
  int64_t bits;
  bool isShift = berthSumIsNumber(b, &bits) && bits >= 0 && bits < 62;
  if (berthOpIs(op, BERTH_OP_SUM))
    *result = berthSumAdd(memory, a, b, 1);
  else if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    *result = berthSumAdd(memory, a, b, -1);
  else if (berthOpIs(op, BERTH_OP_PRODUCT))
    *result = berthSumMultiply(memory, a, b);
  else if (berthOpIs(op, BERTH_OP_SHIFT_LEFT) && isShift)
    *result = berthSumMultiply(memory, a, number(numbers, INT64_C(1) << bits));
  else if (berthOpIs(op, BERTH_OP_UNSIGNED_MAX))
    *result = largest(numbers, a, b);
  else if (berthOpIs(op, BERTH_OP_QUOTIENT) && berthOpIsUnsigned(op))
    *result = quotient(numbers, a, b);
  else
    return berthOpIs(op, BERTH_OP_AND) &&
           (maskLow(numbers, a, b, result) || maskLow(numbers, b, a, result));
  return true;
}

static bool ofTwo(BerthPartNumbers *numbers, MlirOperation op,
                  BerthSum *result) {
  MlirValue value = mlirOperationGetResult(op, 0);
  MlirValue first = mlirOperationGetOperand(op, 0);
  bool compares = berthOpIs(op, BERTH_OP_COMPARISON);
  if (!berthOpIsArithmetic(op) ||
      (widthOf(value) != 64 && widthOf(value) != 1) ||
      (compares && widthOf(first) != 64))
    return false;
  BerthSum a = berthPartSum(numbers, first);
  BerthSum b = berthPartSum(numbers, mlirOperationGetOperand(op, 1));
  if (compares)
    *result = compare(numbers, op, a, b);
  else if (widthOf(value) == 1)
    return ofTruths(numbers, op, a, b, result);
  else
    return ofNumbers(numbers, op, a, b, result);
  return true;
}

static BerthSum choose(BerthPartNumbers *numbers, MlirOperation op) {
  BerthMemory *memory = &numbers->memory;
  BerthSum condition = berthPartSum(numbers, mlirOperationGetOperand(op, 0));
  BerthSum a = berthPartSum(numbers, mlirOperationGetOperand(op, 1));
  BerthSum b = berthPartSum(numbers, mlirOperationGetOperand(op, 2));
  BerthSum difference = berthSumAdd(memory, a, b, -1);
  return berthSumAdd(memory, b, berthSumMultiply(memory, condition, difference),
                     1);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What is computed of the same operands is the same, wherever it is computed;
/// not if it tells something of the thread.
static BerthSum ofOp(BerthPartNumbers *numbers, MlirValue value) {
  enum { kMost = 8 };
  MlirOperation op = mlirOpResultGetOwner(value);
  BerthSum operands[kMost];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (!berthOpIsSpeculatable(op) || berthOpIsOfThreads(op) || count == 0 ||
      count > kMost)
    return given(numbers, value);
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = berthPartSum(numbers, mlirOperationGetOperand(op, i));
    if (operands[i].isNone)
      return given(numbers, value);
  }
  bool isExtent = berthOpIs(op, BERTH_OP_DIM) && count == 2;
  return berthPartUnknown(
      numbers,
      (BerthUnknown){.kind =
                         isExtent ? BERTH_UNKNOWN_EXTENT : BERTH_UNKNOWN_OF_OP,
                     .isOfAll = areOfAll(numbers, (size_t)count, operands),
                     .value = value,
                     .numOperands = (size_t)count,
                     .operands = operands});
}

/// True if the result has the same sign and the same number: of 64 bits both,
/// or made longer by the sign.
static bool keepsNumber(MlirOperation op) {
  unsigned from = widthOf(mlirOperationGetOperand(op, 0));
  unsigned to = widthOf(mlirOperationGetResult(op, 0));
  return berthOpIs(op, BERTH_OP_SAME_NUMBER) && to == 64 &&
         (from == 64 || (from > 1 && from < 64 && !berthOpIsUnsigned(op)));
}

BerthSum berthPartBytes(BerthPartNumbers *numbers) {
  MlirOperation alloc = numbers->alloc;
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  intptr_t dependencies = mlirDenseI32ArrayGetElement(
      berthAttributeOf(alloc, "operandSegmentSizes"), 0);
  return mlirShapedTypeHasStaticShape(type)
             ? number(numbers, mlirShapedTypeGetDimSize(type, 0))
             : berthPartSum(numbers,
                            mlirOperationGetOperand(alloc, dependencies));
}

/// True for the size of the block, as the host or the kernel knows it.
static bool isOfBlock(BerthPartNumbers *numbers, MlirOperation dim) {
  uint32_t unknown;
  if (!berthOpIs(dim, BERTH_OP_DIM))
    return false;
  BerthSum memory = berthPartSum(numbers, mlirOperationGetOperand(dim, 0));
  return berthSumIsUnknown(memory, &unknown) &&
         mlirValueEqual(berthPartUnknownOf(numbers, unknown)->value,
                        mlirOperationGetResult(numbers->alloc, 0));
}

static BerthSum ofResult(BerthPartNumbers *numbers, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t count = mlirOperationGetNumOperands(op);
  bool isIndex = mlirTypeIsAIndex(mlirValueGetType(value));
  int64_t constant;
  BerthSum result;
  if (berthValueIsConstant(value, &constant))
    return number(numbers, widthOf(value) == 1 ? constant & 1 : constant);
  if (isIndex && berthOpIs(op, BERTH_OP_BLOCK_ID))
    return place(numbers, berthOpGetDimension(op));
  if (isIndex && berthOpIs(op, BERTH_OP_THREAD_ID))
    return place(numbers, 3 + berthOpGetDimension(op));
  if (isIndex && berthOpIs(op, BERTH_OP_GRID_SIZE))
    return berthPartExtent(numbers, berthOpGetDimension(op));
  if (isIndex && berthOpIs(op, BERTH_OP_BLOCK_SIZE))
    return berthPartExtent(numbers, 3 + berthOpGetDimension(op));
  if (count == 2 && isOfBlock(numbers, op))
    return berthPartBytes(numbers);
  if (berthOpIs(op, BERTH_OP_CAST) || (count == 1 && keepsNumber(op)))
    return berthPartSum(numbers, mlirOperationGetOperand(op, 0));
  if (berthOpIs(op, BERTH_OP_SELECT) && count == 3 &&
      (widthOf(value) == 64 || widthOf(value) == 1))
    return choose(numbers, op);
  if (count == 2 && mlirOperationGetNumResults(op) == 1 &&
      ofTwo(numbers, op, &result) && !result.isNone)
    return result;
  return ofOp(numbers, value);
}

/// Of a kernel what the launch gives.
static BerthSum ofArgument(BerthPartNumbers *numbers, MlirValue value) {
  MlirOperation parent =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  int argument = (int)mlirBlockArgumentGetArgNumber(value);
  if (!mlirOperationEqual(parent, numbers->kernel))
    return given(numbers, value);
  if (berthOpIs(parent, BERTH_OP_LAUNCH)) {
    if (argument >= 2 * kNumExtents)
      return given(numbers, value);
    return argument < kNumExtents
               ? place(numbers, argument)
               : berthPartExtent(numbers, argument - kNumExtents);
  }
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 0));
  intptr_t operand = numbers->firstArgument + argument;
  bool isGiven =
      mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry) &&
      operand < mlirOperationGetNumOperands(numbers->launch) &&
      mlirTypeEqual(
          mlirValueGetType(value),
          mlirValueGetType(mlirOperationGetOperand(numbers->launch, operand)));
  return isGiven
             ? berthPartSum(numbers,
                            mlirOperationGetOperand(numbers->launch, operand))
             : given(numbers, value);
}

BerthSum berthPartExtent(BerthPartNumbers *numbers, int extent) {
  return berthPartSum(
      numbers,
      mlirOperationGetOperand(numbers->launch, numbers->firstExtent + extent));
}

static BerthSum asWrapped(BerthPartNumbers *numbers, BerthSum sum) {
  for (size_t i = 0; i < numbers->numWrapped; ++i)
    if (berthSumEqual(
            sum, berthPartUnknownOf(numbers, numbers->wrapped[i])->operands[0]))
      return berthSumOfUnknown(&numbers->memory, numbers->wrapped[i]);
  return sum;
}

void berthPartForget(BerthPartNumbers *numbers) {
  berthPointerMapFree(&numbers->known);
  numbers->known = (BerthPointerMap){0};
  numbers->numSums = 0;
}

BerthSum berthPartSum(BerthPartNumbers *numbers, MlirValue value) {
  size_t index = berthPointerMapFind(&numbers->known, value.ptr);
  if (index != BERTH_NOT_FOUND)
    return asWrapped(numbers, numbers->sums[index]);
  BerthSum sum = keep(numbers, mlirValueIsABlockArgument(value)
                                   ? ofArgument(numbers, value)
                                   : ofResult(numbers, value));
  numbers->sums = berthGrow(numbers->sums, numbers->numSums,
                            &numbers->sumCapacity, sizeof *numbers->sums);
  berthPointerMapInsert(&numbers->known, value.ptr, numbers->numSums);
  numbers->sums[numbers->numSums++] = sum;
  return asWrapped(numbers, sum);
}

void berthPartNumbersFree(BerthPartNumbers *numbers) {
  berthMemoryFree(&numbers->memory);
  berthMemoryFree(&numbers->kept);
  berthPointerMapFree(&numbers->known);
  free(numbers->unknowns);
  free(numbers->sums);
  free(numbers->wrapped);
}
