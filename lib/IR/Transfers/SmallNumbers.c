//===- SmallNumbers.c - What ops make of a number -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Transfers/SmallNumbers.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// How deep a value is looked into, and how large its numbers are.
enum { kMostDepth = 16, kMostNumber = 1 << 20 };

static bool isBit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

/// Small numbers are the same in all types, but for those of one bit.
static bool give(MlirValue value, int64_t result, int64_t *number) {
  *number = isBit(value) ? result & 1 : result;
  return result <= kMostNumber && result >= -kMostNumber;
}

static bool evaluate(const BerthSmallNumbers *known, MlirValue value,
                     int64_t *number, int depth);

static bool compare(const BerthSmallNumbers *known, MlirOperation op,
                    int64_t *number, int depth) {
  MlirValue left = mlirOperationGetOperand(op, 0);
  int64_t a, b;
  int64_t predicate =
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  if (!evaluate(known, left, &a, depth) ||
      !evaluate(known, mlirOperationGetOperand(op, 1), &b, depth))
    return false;
  enum { kEqual, kNotEqual, kFirstUnsigned = 6, kPerSign = 4 };
  if (predicate == kEqual || predicate == kNotEqual) {
    *number = (a == b) == (predicate == kEqual);
    return true;
  }
  // Less, less or equal, greater, greater or equal: with sign, and without.
  bool isUnsigned = predicate >= kFirstUnsigned;
  const bool results[kPerSign] = {a<b, a <= b, a> b, a >= b};
  *number = results[(predicate - 2) % kPerSign];
  return !isBit(left) && (!isUnsigned || (a >= 0 && b >= 0));
}

/// By the op's kind, of two numbers.
static bool combine(MlirOperation op, int64_t a, int64_t b, int64_t *result) {
  bool isDivision =
      berthOpIs(op, BERTH_OP_QUOTIENT) || berthOpIs(op, BERTH_OP_REMAINDER);
  if (isDivision && (a < 0 || b <= 0))
    return false;
  if (berthOpIs(op, BERTH_OP_XOR))
    *result = a ^ b;
  else if (berthOpIs(op, BERTH_OP_AND))
    *result = a & b;
  else if (berthOpIs(op, BERTH_OP_OR))
    *result = a | b;
  else if (berthOpIs(op, BERTH_OP_SUM))
    *result = a + b;
  else if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    *result = a - b;
  else if (berthOpIs(op, BERTH_OP_PRODUCT))
    *result = a * b;
  else if (isDivision)
    *result = berthOpIs(op, BERTH_OP_QUOTIENT) ? a / b : a % b;
  else
    return false;
  return true;
}

static bool evaluateOp(const BerthSmallNumbers *known, MlirValue value,
                       MlirOperation op, int64_t *number, int depth) {
  int64_t a, b;
  if (berthOpIs(op, BERTH_OP_COMPARISON))
    return compare(known, op, number, depth);
  if (mlirOperationGetNumOperands(op) < 1 ||
      !evaluate(known, mlirOperationGetOperand(op, 0), &a, depth))
    return false;
  if (berthOpIs(op, BERTH_OP_SELECT))
    return evaluate(known, mlirOperationGetOperand(op, a ? 1 : 2), number,
                    depth);
  if (berthOpIs(op, BERTH_OP_SAME_NUMBER)) {
    // A bit has a sign.
    bool isTurned =
        isBit(mlirOperationGetOperand(op, 0)) && !berthOpIsUnsigned(op);
    return give(value, isTurned ? -a : a, number);
  }
  if (berthOpIs(op, BERTH_OP_TRUNCATION))
    return (isBit(value) || a >= 0) && give(value, a, number);
  return mlirOperationGetNumOperands(op) == 2 &&
         evaluate(known, mlirOperationGetOperand(op, 1), &b, depth) &&
         combine(op, a, b, &a) && give(value, a, number);
}

/// The number that the value is; false: it is not known.
static bool evaluate(const BerthSmallNumbers *known, MlirValue value,
                     int64_t *number, int depth) {
  int64_t constant;
  if (depth > kMostDepth)
    return false;
  if (berthValueIsConstant(value, &constant))
    return give(value, constant, number);
  if (known->find(value, known->userData, &constant))
    return give(value, constant, number);
  return mlirValueIsAOpResult(value) &&
         evaluateOp(known, value, mlirOpResultGetOwner(value), number,
                    depth + 1);
}

bool berthSmallNumberOf(const BerthSmallNumbers *known, MlirValue value,
                        int64_t *number) {
  return evaluate(known, value, number, 0);
}
