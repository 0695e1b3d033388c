//===- ThreadNumbers.c - Numbers that each thread has ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Threads/ThreadNumbers.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Longer lists, and larger choices, are not worth it.
enum { kMostSteps = 256, kMostChoices = 1 << 12 };

/// A gpu.launch body begins with block ids, thread ids, grid and block sizes,
/// three each.
enum { kFirstThreadId = 3, kFirstBlockSize = 9, kEndOfSizes = 12 };

void berthThreadNumbersStart(BerthThreadNumbers *numbers, MlirOperation scope) {
  numbers->scope = scope;
  numbers->knowsShape = berthBlockShape(scope, numbers->shape);
  berthThreadNumbersClear(numbers);
}

void berthThreadNumbersFree(BerthThreadNumbers *numbers) {
  free(numbers->steps);
  free(numbers->values);
}

void berthThreadNumbersClear(BerthThreadNumbers *numbers) {
  numbers->count = 0;
  numbers->asksThread = false;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static uint32_t addStep(BerthThreadNumbers *numbers, BerthNumberStep step,
                        MlirValue value) {
  if (numbers->count == kMostSteps)
    return BERTH_NO_STEP;
  numbers->steps = berthGrow(numbers->steps, numbers->count, &numbers->capacity,
                             sizeof *numbers->steps);
  numbers->values = berthGrow(numbers->values, numbers->count,
                              &numbers->valueCapacity, sizeof *numbers->values);
  numbers->steps[numbers->count] = step;
  numbers->values[numbers->count] = value;
  return (uint32_t)numbers->count++;
}

static uint32_t addOp(BerthThreadNumbers *numbers, BerthOpKind op, uint32_t a,
                      uint32_t b, unsigned width, MlirValue value) {
  if (a == BERTH_NO_STEP || b == BERTH_NO_STEP)
    return BERTH_NO_STEP;
  BerthNumberStep step = {
      .kind = BERTH_STEP_OP, .op = op, .operands = {a, b}, .width = width};
  return addStep(numbers, step, value);
}

uint32_t berthThreadNumbersAddConstant(BerthThreadNumbers *numbers,
                                       int64_t constant) {
  BerthNumberStep step = {
      .kind = BERTH_STEP_CONSTANT, .constant = constant, .width = 64};
  return addStep(numbers, step, (MlirValue){NULL});
}

uint32_t berthThreadNumbersAddSum(BerthThreadNumbers *numbers, uint32_t a,
                                  uint32_t b) {
  return addOp(numbers, BERTH_OP_SUM, a, b, 64, (MlirValue){NULL});
}

uint32_t berthThreadNumbersAddMultiple(BerthThreadNumbers *numbers, uint32_t a,
                                       int64_t factor) {
  if (a == BERTH_NO_STEP)
    return BERTH_NO_STEP;
  return addOp(numbers, BERTH_OP_PRODUCT, a,
               berthThreadNumbersAddConstant(numbers, factor), 64,
               (MlirValue){NULL});
}

static uint32_t addThread(BerthThreadNumbers *numbers, int dimension,
                          MlirValue value) {
  if (!numbers->knowsShape || dimension < 0 || dimension > 2)
    return BERTH_NO_STEP;
  numbers->asksThread = true;
  BerthNumberStep step = {
      .kind = BERTH_STEP_THREAD, .constant = dimension, .width = 64};
  return addStep(numbers, step, value);
}

static uint32_t addBlockSize(BerthThreadNumbers *numbers, int dimension) {
  return numbers->knowsShape && dimension >= 0 && dimension < 3
             ? berthThreadNumbersAddConstant(numbers, numbers->shape[dimension])
             : BERTH_NO_STEP;
}

static uint32_t addRange(BerthThreadNumbers *numbers, int64_t begin,
                         int64_t end, MlirValue value) {
  if (end - begin > kMostChoices)
    return BERTH_NO_STEP;
  BerthNumberStep step = {
      .kind = BERTH_STEP_RANGE, .constant = begin, .end = end, .width = 64};
  return addStep(numbers, step, value);
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

static BerthOpKind kindOfExpr(MlirAffineExpr expr) {
  if (mlirAffineExprIsAAdd(expr))
    return BERTH_OP_SUM;
  if (mlirAffineExprIsAMul(expr))
    return BERTH_OP_PRODUCT;
  if (mlirAffineExprIsAMod(expr))
    return BERTH_OP_REMAINDER;
  return mlirAffineExprIsAFloorDiv(expr) ? BERTH_OP_QUOTIENT : BERTH_OP_OTHER;
}

/// Of something unknown the remainder, at least, lies in [0, `most`).
static uint32_t addRemainder(BerthThreadNumbers *numbers, MlirAffineExpr expr,
                             size_t count) {
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
  if (!mlirAffineExprIsAMod(expr) || !mlirAffineExprIsAConstant(right) ||
      mlirAffineConstantExprGetValue(right) <= 0)
    return BERTH_NO_STEP;
  numbers->count = count;
  return addRange(numbers, 0, mlirAffineConstantExprGetValue(right),
                  (MlirValue){NULL});
}

uint32_t berthThreadNumbersAddExpr(BerthThreadNumbers *numbers,
                                   MlirAffineExpr expr, MlirOperation op,
                                   intptr_t firstDim, intptr_t numDims) {
  if (mlirAffineExprIsAConstant(expr))
    return berthThreadNumbersAddConstant(numbers,
                                         mlirAffineConstantExprGetValue(expr));
  if (mlirAffineExprIsADim(expr))
    return berthThreadNumbersAdd(
        numbers, mlirOperationGetOperand(
                     op, firstDim + mlirAffineDimExprGetPosition(expr)));
  if (mlirAffineExprIsASymbol(expr))
    return berthThreadNumbersAdd(
        numbers,
        mlirOperationGetOperand(op, firstDim + numDims +
                                        mlirAffineSymbolExprGetPosition(expr)));
  BerthOpKind kind = kindOfExpr(expr);
  if (kind == BERTH_OP_OTHER)
    return BERTH_NO_STEP;
  size_t count = numbers->count;
  uint32_t left = berthThreadNumbersAddExpr(
      numbers, mlirAffineBinaryOpExprGetLHS(expr), op, firstDim, numDims);
  uint32_t right = berthThreadNumbersAddExpr(
      numbers, mlirAffineBinaryOpExprGetRHS(expr), op, firstDim, numDims);
  if (left == BERTH_NO_STEP)
    return addRemainder(numbers, expr, count);
  return addOp(numbers, kind, left, right, 64, (MlirValue){NULL});
}

/// The only result of the map in an attribute of the op.
static uint32_t addMap(BerthThreadNumbers *numbers, MlirOperation op,
                       const char *name, intptr_t firstDim) {
  MlirAttribute attribute = berthAttributeOf(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return BERTH_NO_STEP;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  if (mlirAffineMapGetNumResults(map) != 1)
    return BERTH_NO_STEP;
  return berthThreadNumbersAddExpr(numbers, mlirAffineMapGetResult(map, 0), op,
                                   firstDim, mlirAffineMapGetNumDims(map));
}

//===----------------------------------------------------------------------===//
// Variables of loops
//===----------------------------------------------------------------------===//

static uint32_t addLoop(BerthThreadNumbers *numbers, MlirOperation loop,
                        MlirValue value) {
  BerthNumberStep step = {.kind = BERTH_STEP_LOOP, .width = 64};
  if (berthOpIsAffine(loop)) {
    MlirAttribute by = berthAttributeOf(loop, "step");
    MlirAttribute segments = berthAttributeOf(loop, "operandSegmentSizes");
    step.operands[0] = addMap(numbers, loop, "lowerBoundMap", 0);
    step.operands[1] = addMap(numbers, loop, "upperBoundMap",
                              mlirDenseI32ArrayGetElement(segments, 0));
    step.operands[2] =
        berthThreadNumbersAddConstant(numbers, mlirIntegerAttrGetValueInt(by));
  } else {
    for (intptr_t i = 0; i < 3; ++i)
      step.operands[i] =
          berthThreadNumbersAdd(numbers, mlirOperationGetOperand(loop, i));
  }
  for (int i = 0; i < 3; ++i)
    if (step.operands[i] == BERTH_NO_STEP)
      return BERTH_NO_STEP;
  return addStep(numbers, step, value);
}

static uint32_t addArgument(BerthThreadNumbers *numbers, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  intptr_t index = mlirBlockArgumentGetArgNumber(value);
  if (berthOpIs(parent, BERTH_OP_LAUNCH) &&
      mlirOperationEqual(parent, numbers->scope)) {
    if (index >= kFirstThreadId && index < kFirstThreadId + 3)
      return addThread(numbers, (int)index - kFirstThreadId, value);
    return index >= kFirstBlockSize && index < kEndOfSizes
               ? addBlockSize(numbers, (int)index - kFirstBlockSize)
               : BERTH_NO_STEP;
  }
  return berthOpIs(parent, BERTH_OP_LOOP) && index == 0
             ? addLoop(numbers, parent, value)
             : BERTH_NO_STEP;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static const BerthOpKind binaryKinds[] = {
    BERTH_OP_SUM,        BERTH_OP_DIFFERENCE,  BERTH_OP_PRODUCT,
    BERTH_OP_COMPARISON, BERTH_OP_AND,         BERTH_OP_OR,
    BERTH_OP_XOR,        BERTH_OP_QUOTIENT,    BERTH_OP_REMAINDER,
    BERTH_OP_SHIFT_LEFT, BERTH_OP_SHIFT_RIGHT, BERTH_OP_UNSIGNED_MAX};

static BerthOpKind kindOf(MlirOperation op) {
  for (size_t i = 0; i < sizeof binaryKinds / sizeof *binaryKinds; ++i)
    if (berthOpIs(op, binaryKinds[i]))
      return binaryKinds[i];
  return BERTH_OP_OTHER;
}

/// In bits; 0: no number that is looked at. An index may have 32.
static unsigned widthOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAIndex(type))
    return 32;
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return width <= 64 ? width : 0;
}

/// True if a number of that many bits may be it.
static bool fits(int64_t number, unsigned width) {
  if (width == 1)
    return number == 0 || number == 1;
  return width >= 64 || (number >= -(INT64_C(1) << (width - 1)) &&
                         number < INT64_C(1) << (width - 1));
}

/// What is left of anything when it is divided by a number, or masked.
static uint32_t addBounded(BerthThreadNumbers *numbers, BerthOpKind kind,
                           MlirOperation op, MlirValue value) {
  int64_t bound;
  if (!berthValueIsConstant(mlirOperationGetOperand(op, 1), &bound) ||
      bound <= 0 || bound > kMostChoices)
    return BERTH_NO_STEP;
  if (kind == BERTH_OP_REMAINDER) // a signed one may be negative
    return addRange(numbers, 1 - bound, bound, value);
  return kind == BERTH_OP_AND ? addRange(numbers, 0, bound + 1, value)
                              : BERTH_NO_STEP;
}

static uint32_t addBinary(BerthThreadNumbers *numbers, BerthOpKind kind,
                          MlirOperation op, MlirValue value, unsigned width) {
  // A bit is 0 or 1 here, and may be -1 there.
  bool isBit = widthOf(mlirOperationGetOperand(op, 0)) == 1;
  bool isLogic =
      kind == BERTH_OP_AND || kind == BERTH_OP_OR || kind == BERTH_OP_XOR;
  size_t count = numbers->count;
  if (isBit && !isLogic)
    return BERTH_NO_STEP;
  uint32_t a = berthThreadNumbersAdd(numbers, mlirOperationGetOperand(op, 0));
  if (a == BERTH_NO_STEP) {
    numbers->count = count;
    return isBit ? BERTH_NO_STEP : addBounded(numbers, kind, op, value);
  }
  uint32_t b = berthThreadNumbersAdd(numbers, mlirOperationGetOperand(op, 1));
  uint32_t step = addOp(numbers, kind, a, b, width, value);
  if (step != BERTH_NO_STEP && kind == BERTH_OP_COMPARISON)
    numbers->steps[step].constant =
        mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  return step;
}

static uint32_t addSelect(BerthThreadNumbers *numbers, MlirOperation op,
                          MlirValue value, unsigned width) {
  BerthNumberStep step = {
      .kind = BERTH_STEP_OP, .op = BERTH_OP_SELECT, .width = width};
  for (intptr_t i = 0; i < 3; ++i) {
    step.operands[i] =
        berthThreadNumbersAdd(numbers, mlirOperationGetOperand(op, i));
    if (step.operands[i] == BERTH_NO_STEP)
      return BERTH_NO_STEP;
  }
  return addStep(numbers, step, value);
}

static uint32_t addResult(BerthThreadNumbers *numbers, MlirOperation op,
                          MlirValue value, unsigned width) {
  int64_t constant;
  if (berthValueIsConstant(value, &constant)) {
    constant = width == 1 ? constant & 1 : constant;
    return fits(constant, width)
               ? berthThreadNumbersAddConstant(numbers, constant)
               : BERTH_NO_STEP;
  }
  if (berthOpIs(op, BERTH_OP_THREAD_ID))
    return addThread(numbers, berthOpGetDimension(op), value);
  if (berthOpIs(op, BERTH_OP_BLOCK_SIZE))
    return addBlockSize(numbers, berthOpGetDimension(op));
  if (berthOpIs(op, BERTH_OP_APPLY))
    return addMap(numbers, op, "map", 0);
  if (berthOpIs(op, BERTH_OP_SELECT))
    return addSelect(numbers, op, value, width);
  if (berthOpIs(op, BERTH_OP_SAME_NUMBER)) {
    uint32_t a =
        widthOf(mlirOperationGetOperand(op, 0)) > 1
            ? berthThreadNumbersAdd(numbers, mlirOperationGetOperand(op, 0))
            : BERTH_NO_STEP;
    return addOp(numbers, BERTH_OP_SAME_NUMBER, a, a, width, value);
  }
  BerthOpKind kind = kindOf(op);
  return kind == BERTH_OP_OTHER ? BERTH_NO_STEP
                                : addBinary(numbers, kind, op, value, width);
}

uint32_t berthThreadNumbersAdd(BerthThreadNumbers *numbers, MlirValue value) {
  for (uint32_t i = 0; i < numbers->count; ++i)
    if (mlirValueEqual(numbers->values[i], value))
      return i;
  unsigned width = widthOf(value);
  if (!width)
    return BERTH_NO_STEP;
  size_t count = numbers->count;
  uint32_t step =
      mlirValueIsAOpResult(value)
          ? addResult(numbers, mlirOpResultGetOwner(value), value, width)
          : addArgument(numbers, value);
  // What was added on the way might fail for nothing.
  if (step == BERTH_NO_STEP)
    numbers->count = count;
  return step;
}

bool berthThreadNumbersAddGuard(BerthThreadNumbers *numbers, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (!berthOpIs(parent, BERTH_OP_IF) || berthOpIsAffine(parent))
    return false;
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  uint32_t condition =
      berthThreadNumbersAdd(numbers, mlirOperationGetOperand(parent, 0));
  if (condition == BERTH_NO_STEP)
    return false;
  BerthNumberStep guard = {
      .kind = BERTH_STEP_GUARD,
      .operands = {condition},
      .constant = mlirRegionEqual(region, mlirOperationGetRegion(parent, 0))};
  return addStep(numbers, guard, (MlirValue){NULL}) != BERTH_NO_STEP;
}

void berthThreadNumbersAddGuards(BerthThreadNumbers *numbers,
                                 MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(parent) || mlirOperationEqual(op, numbers->scope) ||
      mlirOperationEqual(parent, numbers->scope))
    return;
  berthThreadNumbersAddGuards(numbers, parent);
  berthThreadNumbersAddGuard(numbers, op);
}

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

typedef struct Run {
  const BerthThreadNumbers *numbers;
  int64_t place[3];
  uint32_t thread;
  int64_t found[kMostSteps];
  uint64_t *budget;
  BerthNumbersCallback callback;
  void *userData;
} Run;

static bool compare(int64_t predicate, int64_t a, int64_t b, int64_t *result) {
  // In the order of arith's predicates: eq, ne, slt, sle, sgt, sge, then the
  // unsigned ones.
  if (predicate > 5 && (a < 0 || b < 0))
    return false;
  switch (predicate > 5 ? predicate - 4 : predicate) {
  case 0:
    *result = a == b;
    return true;
  case 1:
    *result = a != b;
    return true;
  case 2:
    *result = a < b;
    return true;
  case 3:
    *result = a <= b;
    return true;
  case 4:
    *result = a > b;
    return true;
  case 5:
    *result = a >= b;
    return true;
  default:
    return false;
  }
}

/// Those that hold where no operand is negative.
static bool combineNatural(BerthOpKind op, int64_t a, int64_t b,
                           int64_t *result) {
  if (a < 0 || b < 0)
    return false;
  switch (op) {
  case BERTH_OP_AND:
    *result = a & b;
    return true;
  case BERTH_OP_OR:
    *result = a | b;
    return true;
  case BERTH_OP_XOR:
    *result = a ^ b;
    return true;
  case BERTH_OP_UNSIGNED_MAX:
    *result = a > b ? a : b;
    return true;
  case BERTH_OP_QUOTIENT:
    *result = b ? a / b : 0;
    return b > 0;
  case BERTH_OP_REMAINDER:
    *result = b ? a % b : 0;
    return b > 0;
  case BERTH_OP_SHIFT_LEFT:
    return b < 62 && !__builtin_mul_overflow(a, INT64_C(1) << b, result);
  case BERTH_OP_SHIFT_RIGHT:
    *result = b < 63 ? a >> b : 0;
    return b < 63;
  case BERTH_OP_SAME_NUMBER:
    *result = a;
    return true;
  default:
    return false;
  }
}

static bool combine(const BerthNumberStep *step, const int64_t *found,
                    int64_t *result) {
  int64_t a = found[step->operands[0]], b = found[step->operands[1]];
  switch (step->op) {
  case BERTH_OP_SUM:
    return !__builtin_add_overflow(a, b, result) && fits(*result, step->width);
  case BERTH_OP_DIFFERENCE:
    return !__builtin_sub_overflow(a, b, result) && fits(*result, step->width);
  case BERTH_OP_PRODUCT:
    return !__builtin_mul_overflow(a, b, result) && fits(*result, step->width);
  case BERTH_OP_COMPARISON:
    return compare(step->constant, a, b, result);
  case BERTH_OP_SELECT:
    *result = a ? b : found[step->operands[2]];
    return true;
  default:
    return combineNatural(step->op, a, b, result) && fits(*result, step->width);
  }
}

static bool runFrom(Run *run, size_t i);

static bool runRange(Run *run, size_t i, int64_t begin, int64_t end,
                     int64_t by) {
  if (by <= 0 || begin < -kMostChoices ||
      (end > begin && (end - begin) / by > kMostChoices))
    return false;
  for (int64_t number = begin; number < end; number += by) {
    run->found[i] = number;
    if (!runFrom(run, i + 1))
      return false;
  }
  return true;
}

/// The steps from i on; false if that cannot be done.
static bool runFrom(Run *run, size_t i) {
  int64_t *found = run->found;
  for (; i < run->numbers->count; ++i) {
    const BerthNumberStep *step = &run->numbers->steps[i];
    if (!*run->budget)
      return false;
    --*run->budget;
    switch (step->kind) {
    case BERTH_STEP_CONSTANT:
      found[i] = step->constant;
      break;
    case BERTH_STEP_THREAD:
      found[i] = run->place[step->constant];
      break;
    case BERTH_STEP_RANGE:
      return runRange(run, i, step->constant, step->end, 1);
    case BERTH_STEP_LOOP:
      // One that counts unsigned numbers does so from 0 on as the others do.
      return found[step->operands[0]] >= 0 && found[step->operands[1]] >= 0 &&
             runRange(run, i, found[step->operands[0]],
                      found[step->operands[1]], found[step->operands[2]]);
    case BERTH_STEP_GUARD:
      if (found[step->operands[0]] != step->constant)
        return true;
      break;
    case BERTH_STEP_OP:
      if (!combine(step, found, &found[i]))
        return false;
      break;
    }
  }
  run->callback(run->thread, found, run->userData);
  return true;
}

bool berthThreadNumbersVisit(const BerthThreadNumbers *numbers,
                             BerthNumbersCallback callback, void *userData,
                             uint64_t *budget) {
  Run run = {.numbers = numbers,
             .budget = budget,
             .callback = callback,
             .userData = userData};
  if (!numbers->asksThread)
    return runFrom(&run, 0);
  const int64_t *shape = numbers->shape;
  if (shape[0] > UINT16_MAX || shape[1] > UINT16_MAX || shape[2] > UINT16_MAX ||
      shape[0] * shape[1] * shape[2] > UINT16_MAX)
    return false;
  for (run.place[2] = 0; run.place[2] < shape[2]; ++run.place[2])
    for (run.place[1] = 0; run.place[1] < shape[1]; ++run.place[1])
      for (run.place[0] = 0; run.place[0] < shape[0]; ++run.place[0]) {
        if (!runFrom(&run, 0))
          return false;
        ++run.thread;
      }
  return true;
}
