//===- CoreValues.c - What a value is on each core ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Cores/CoreValues.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Trees deeper than this are unknown.
enum { kDeepest = 16 };

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A boolean is 0 or 1 here, as an attribute it may be -1.
static int64_t asNumber(MlirType type, int64_t number) {
  bool isBoolean =
      mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  return isBoolean ? number & 1 : number;
}

/// arith.cmpi by its predicate. Unsigned ones are as signed ones for numbers
/// that are not negative.
static bool compare(MlirOperation op, int64_t a, int64_t b, int64_t *result) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };
  MlirAttribute predicate = berthAttributeOf(op, "predicate");
  if (mlirAttributeIsNull(predicate) || !mlirAttributeIsAInteger(predicate))
    return false;
  int64_t kind = mlirIntegerAttrGetValueInt(predicate);
  if (kind >= ULT && (a < 0 || b < 0))
    return false;
  switch (kind) {
  case EQ:
    *result = a == b;
    return true;
  case NE:
    *result = a != b;
    return true;
  case SLT:
  case ULT:
    *result = a < b;
    return true;
  case SLE:
  case ULE:
    *result = a <= b;
    return true;
  case SGT:
  case UGT:
    *result = a > b;
    return true;
  case SGE:
  case UGE:
    *result = a >= b;
    return true;
  default:
    return false;
  }
}

static bool valueOnCore(MlirValue value, int core, int64_t *number, int depth);

/// An op of two numbers. Sums and differences may leave the type's range.
static bool combine(MlirOperation op, int core, int64_t *result, int depth) {
  int64_t a, b;
  if (mlirOperationGetNumOperands(op) != 2 ||
      !valueOnCore(mlirOperationGetOperand(op, 0), core, &a, depth + 1) ||
      !valueOnCore(mlirOperationGetOperand(op, 1), core, &b, depth + 1))
    return false;
  if (berthOpIs(op, BERTH_OP_COMPARISON))
    return compare(op, a, b, result);
  if (berthOpIs(op, BERTH_OP_AND)) {
    *result = a & b;
    return true;
  }
  if (berthOpIs(op, BERTH_OP_XOR)) {
    *result = a ^ b;
    return true;
  }
  bool isSmall =
      a >= INT8_MIN && a <= INT8_MAX && b >= INT8_MIN && b <= INT8_MAX &&
      mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  if (berthOpIs(op, BERTH_OP_SUM) && isSmall) {
    *result = a + b;
    return true;
  }
  if (berthOpIs(op, BERTH_OP_DIFFERENCE) && isSmall) {
    *result = a - b;
    return true;
  }
  return false;
}

static bool valueOnCore(MlirValue value, int core, int64_t *number, int depth) {
  if (depth == kDeepest || !mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  bool isKnown = berthValueIsConstant(value, number) ||
                 berthOpTellsCore(op, core, number) ||
                 combine(op, core, number, depth);
  if (!isKnown && berthOpIs(op, BERTH_OP_SAME_NUMBER))
    isKnown =
        valueOnCore(mlirOperationGetOperand(op, 0), core, number, depth + 1) &&
        *number >= 0;
  if (isKnown)
    *number = asNumber(mlirValueGetType(value), *number);
  return isKnown;
}

bool berthValueOnCore(MlirValue value, int core, int64_t *number) {
  return valueOnCore(value, core, number, 0);
}

//===----------------------------------------------------------------------===//
// The same on all cores
//===----------------------------------------------------------------------===//

static bool isKnownAndSame(MlirValue value) {
  int64_t first = 0, other;
  int count = berthNumCores() > 0 ? berthNumCores() : 1;
  for (int core = 0; core < count; ++core) {
    if (!berthValueOnCore(value, core, &other))
      return false;
    if (core == 0)
      first = other;
    else if (other != first)
      return false;
  }
  return true;
}

typedef struct CallSearch {
  MlirOperation function;
  bool found;
} CallSearch;

static MlirWalkResult findCall(MlirOperation op, void *userData) {
  CallSearch *search = userData;
  MlirOperation callee;
  search->found |= berthOpGetCallee(op, &callee) &&
                   (mlirOperationIsNull(callee) ||
                    mlirOperationEqual(callee, search->function));
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isArgumentOfEntry(MlirValue argument, MlirOperation root) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation owner = mlirBlockGetParentOperation(block);
  if (!berthOpIsFunction(owner) ||
      !mlirBlockEqual(mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block)),
                      block))
    return false;
  CallSearch search = {.function = owner};
  mlirOperationWalk(root, findCall, &search, MlirWalkPreOrder);
  return !search.found;
}

static bool isSame(MlirValue value, MlirOperation root, int depth) {
  if (depth == kDeepest)
    return false;
  if (isKnownAndSame(value))
    return true;
  if (!mlirValueIsAOpResult(value)) {
    MlirOperation loop =
        mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    if (berthOpIs(loop, BERTH_OP_LOOP))
      return mlirBlockArgumentGetArgNumber(value) == 0 &&
             mlirOperationGetNumOperands(loop) >= 3 &&
             isSame(mlirOperationGetOperand(loop, 0), root, depth + 1) &&
             isSame(mlirOperationGetOperand(loop, 2), root, depth + 1);
    return isArgumentOfEntry(value, root);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  bool isComputed = berthOpKeepsUniformity(op) && berthOpIsSpeculatable(op);
  if (!isComputed || mlirOperationGetNumRegions(op))
    return false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!isSame(mlirOperationGetOperand(op, i), root, depth + 1))
      return false;
  return true;
}

bool berthIsSameOnCores(MlirValue value, MlirOperation root) {
  return isSame(value, root, 0);
}

//===----------------------------------------------------------------------===//
// What nobody tells of
//===----------------------------------------------------------------------===//

static bool isOpaque(MlirOperation op) {
  MlirOperation callee;
  BerthEffects effects;
  if (berthOpIsDescribed(op))
    return false;
  if (berthOpGetCallee(op, &callee))
    return berthFunctionIsUnseen(callee);
  return !berthOpSumEffects(op, (MlirValue){NULL}, &effects) &&
         !berthOpIsRegionBranch(op);
}

static bool mayTell(MlirValue value, int depth) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (depth == kDeepest || isOpaque(op))
    return true;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (mayTell(mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

bool berthMayTellCores(MlirValue value) { return mayTell(value, 0); }
