//===- SampleNumbers.c - What host and kernel compute, by example ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/SampleNumbers.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

static const uint64_t kStart = 1469598103934665603u, kFactor = 1099511628211u;

static uint64_t mix(uint64_t hash, uint64_t number) {
  return (hash ^ (number + (hash << 6) + (hash >> 2))) * kFactor;
}

static void mixText(MlirStringRef text, void *userData) {
  uint64_t *hash = userData;
  for (size_t i = 0; i < text.length; ++i)
    *hash = (*hash ^ (unsigned char)text.data[i]) * kFactor;
}

/// From 1 to 6.
static int64_t small(uint64_t hash) {
  return 1 + (int64_t)(hash >> 20 & INT64_MAX) % 6;
}

/// That, or near a power of two up to 2^62, so that products overflow.
static int64_t someNumber(const BerthSample *sample, uint64_t hash) {
  enum { kPowers = 60 };
  bool isLarge = sample->isLarge && (hash >> 40 & 1);
  int64_t power = INT64_C(1) << (2 + (hash >> 44) % kPowers);
  return isLarge ? power + small(hash) : small(hash);
}

static int64_t within(MlirValue value, int64_t number) {
  int64_t bound;
  bool isIndex = mlirTypeIsAIndex(mlirValueGetType(value));
  return isIndex && berthValueGetUpperBound(value, &bound) && number > bound
             ? bound
             : number;
}

static int64_t leaf(BerthSample *sample, MlirValue value) {
  size_t number = berthPointerMapFind(sample->leafOf, value.ptr);
  if (number == BERTH_NOT_FOUND) {
    number = sample->leafOf->count;
    berthPointerMapInsert(sample->leafOf, value.ptr, number);
  }
  return someNumber(sample, mix(mix(kStart, (uint64_t)sample->number), number));
}

//===----------------------------------------------------------------------===//
// Arguments of blocks
//===----------------------------------------------------------------------===//

/// Of a kernel what the launch gives; of a loop its variable in the first turn.
static int64_t argument(BerthSample *sample, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (mlirOperationEqual(parent, sample->kernel) &&
      berthOpIs(parent, BERTH_OP_LAUNCH) && number < 12)
    return number < 6 ? sample->place[number] : sample->extents[number - 6];
  bool isFunction = mlirOperationEqual(parent, sample->kernel) &&
                    berthOpIs(parent, BERTH_OP_GPU_FUNCTION);
  intptr_t operand = sample->firstArgument + number;
  if (isFunction && operand < mlirOperationGetNumOperands(sample->launch))
    return berthSampleNumber(sample,
                             mlirOperationGetOperand(sample->launch, operand));
  if (berthOpIs(parent, BERTH_OP_LOOP) && number == 0 &&
      mlirTypeIsAIndex(mlirValueGetType(value)) &&
      mlirOperationGetNumOperands(parent) >= 3 && !berthOpIsAffine(parent))
    return berthSampleNumber(sample, mlirOperationGetOperand(parent, 0));
  return within(value, leaf(sample, value));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static unsigned widthOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  unsigned width =
      mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
  return width > 64 ? 64 : width;
}

static uint64_t bitsOf(int64_t number, unsigned width) {
  return width == 64 ? (uint64_t)number
                     : (uint64_t)number & ((UINT64_C(1) << width) - 1);
}

/// As the type keeps it: a bit is 0 or 1, all else has a sign.
static int64_t keep(uint64_t number, unsigned width) {
  if (width == 64)
    return (int64_t)number;
  uint64_t bits = bitsOf((int64_t)number, width);
  bool isNegative = width > 1 && (bits >> (width - 1) & 1);
  return (int64_t)(isNegative ? bits | ~((UINT64_C(1) << width) - 1) : bits);
}

static int64_t compare(MlirOperation op, int64_t a, int64_t b, unsigned width) {
  uint64_t c = bitsOf(a, width), d = bitsOf(b, width);
  bool truths[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, c<d, c <= d, c> d,
                   c >= d};
  MlirAttribute predicate = berthAttributeOf(op, "predicate");
  int64_t number = mlirIntegerAttrGetValueInt(predicate);
  return number >= 0 && number < 10 && truths[number];
}

/// False for other ops.
static bool calculate(MlirOperation op, int64_t a, int64_t b, unsigned width,
                      int64_t *result) {
  uint64_t c = bitsOf(a, width), d = bitsOf(b, width);
  bool isPlain = berthOpIsUnsigned(op) || (a >= 0 && b >= 0);
  if (berthOpIs(op, BERTH_OP_SUM))
    *result = (int64_t)(c + d);
  else if (berthOpIs(op, BERTH_OP_DIFFERENCE))
    *result = (int64_t)(c - d);
  else if (berthOpIs(op, BERTH_OP_PRODUCT))
    *result = (int64_t)(c * d);
  else if (berthOpIs(op, BERTH_OP_AND))
    *result = (int64_t)(c & d);
  else if (berthOpIs(op, BERTH_OP_OR))
    *result = (int64_t)(c | d);
  else if (berthOpIs(op, BERTH_OP_XOR))
    *result = (int64_t)(c ^ d);
  else if (berthOpIs(op, BERTH_OP_UNSIGNED_MAX))
    *result = c > d ? a : b;
  else if (berthOpIs(op, BERTH_OP_SHIFT_LEFT))
    *result = d < width ? (int64_t)(c << d) : 0;
  else if (berthOpIs(op, BERTH_OP_QUOTIENT) && isPlain)
    *result = d ? (int64_t)(c / d) : 0;
  else if (berthOpIs(op, BERTH_OP_REMAINDER) && isPlain)
    *result = d ? (int64_t)(c % d) : 0;
  else if (berthOpIs(op, BERTH_OP_SHIFT_RIGHT) && a >= 0)
    *result = d < width ? (int64_t)(c >> d) : 0;
  else if (berthOpIs(op, BERTH_OP_COMPARISON))
    *result = compare(op, a, b, width);
  else
    return false;
  return true;
}

/// Some number that follows from the op and its operands alone.
static int64_t anything(BerthSample *sample, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!berthOpIsSpeculatable(op))
    return within(value, leaf(sample, value));
  uint64_t hash = mix(kStart, (uint64_t)sample->number);
  mixText(mlirIdentifierStr(mlirOperationGetName(op)), &hash);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i)
    mlirAttributePrint(mlirOperationGetAttribute(op, i).attribute, mixText,
                       &hash);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    hash = mix(hash, (uint64_t)berthSampleNumber(
                         sample, mlirOperationGetOperand(op, i)));
  hash = mix(hash, (uint64_t)mlirOpResultGetResultNumber(value));
  return within(value, small(hash));
}

static int64_t ofOp(BerthSample *sample, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  int64_t number;
  if (berthValueIsConstant(value, &number))
    return number;
  bool isIndex = mlirTypeIsAIndex(mlirValueGetType(value));
  if (isIndex && berthOpIs(op, BERTH_OP_BLOCK_ID))
    return sample->place[berthOpGetDimension(op)];
  if (berthOpIs(op, BERTH_OP_THREAD_ID))
    return sample->place[3 + berthOpGetDimension(op)];
  if (isIndex && berthOpIs(op, BERTH_OP_GRID_SIZE))
    return sample->extents[berthOpGetDimension(op)];
  if (berthOpIs(op, BERTH_OP_BLOCK_SIZE))
    return sample->extents[3 + berthOpGetDimension(op)];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (berthOpIs(op, BERTH_OP_CAST) || berthOpIs(op, BERTH_OP_SAME_NUMBER))
    return berthSampleNumber(sample, mlirOperationGetOperand(op, 0));
  if (berthOpIs(op, BERTH_OP_SELECT) && count == 3) {
    bool isFirst =
        berthSampleNumber(sample, mlirOperationGetOperand(op, 0)) & 1;
    return berthSampleNumber(sample,
                             mlirOperationGetOperand(op, isFirst ? 1 : 2));
  }
  if (count != 2 || !berthOpIsArithmetic(op))
    return anything(sample, value);
  MlirValue a = mlirOperationGetOperand(op, 0);
  bool isKnown =
      calculate(op, berthSampleNumber(sample, a),
                berthSampleNumber(sample, mlirOperationGetOperand(op, 1)),
                widthOf(a), &number);
  return isKnown ? number : anything(sample, value);
}

int64_t berthSampleNumber(BerthSample *sample, MlirValue value) {
  size_t index = berthPointerMapFind(&sample->known, value.ptr);
  if (index != BERTH_NOT_FOUND)
    return sample->numbers[index];
  int64_t number = mlirValueIsABlockArgument(value) ? argument(sample, value)
                                                    : ofOp(sample, value);
  number = keep((uint64_t)number, widthOf(value));
  sample->numbers = berthGrow(sample->numbers, sample->numNumbers,
                              &sample->capacity, sizeof *sample->numbers);
  berthPointerMapInsert(&sample->known, value.ptr, sample->numNumbers);
  sample->numbers[sample->numNumbers++] = number;
  return number;
}

void berthSampleForget(BerthSample *sample) {
  berthPointerMapFree(&sample->known);
  sample->known = (BerthPointerMap){0};
  sample->numNumbers = 0;
}

void berthSampleFree(BerthSample *sample) {
  berthPointerMapFree(&sample->known);
  free(sample->numbers);
}
