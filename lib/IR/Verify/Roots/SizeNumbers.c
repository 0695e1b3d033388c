//===- SizeNumbers.c - Which sizes of two functions are equal -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/SizeNumbers.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

void berthSizeNumbersFree(BerthSizeNumbers *numbers) {
  free(numbers->nodes);
  free(numbers->given);
  berthPointerMapFree(&numbers->numberOf);
  berthPointerMapFree(&numbers->firstOf);
  berthPointerMapFree(&numbers->givenFor);
}

void berthSizeNumbersGive(BerthSizeNumbers *numbers, MlirValue argument,
                          MlirValue value) {
  numbers->given = berthGrow(numbers->given, numbers->numGiven,
                             &numbers->givenCapacity, sizeof *numbers->given);
  berthPointerMapInsert(&numbers->givenFor, argument.ptr, numbers->numGiven);
  numbers->given[numbers->numGiven++] = value;
}

/// What the call gives, if it is an argument.
static MlirValue givenFor(const BerthSizeNumbers *numbers, MlirValue value) {
  size_t index = berthPointerMapFind(&numbers->givenFor, value.ptr);
  return index == BERTH_NOT_FOUND ? value : numbers->given[index];
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static const void *hashOf(const BerthSizeNode *node) {
  uint64_t hash = (uint64_t)node->kind * 31 + (uint64_t)node->constant;
  if (!mlirOperationIsNull(node->op))
    hash ^=
        (uint64_t)(uintptr_t)mlirIdentifierStr(mlirOperationGetName(node->op))
            .data;
  for (uint32_t i = 0; i < node->numOperands; ++i)
    hash = (hash ^ node->operands[i]) * UINT64_C(0x9E3779B97F4A7C15) + 1;
  return (const void *)(uintptr_t)(hash | 1);
}

/// Ops of one name, with equal attributes, that return equal types.
static bool areAlike(MlirOperation a, MlirOperation b) {
  if (mlirOperationIsNull(a) || mlirOperationIsNull(b))
    return mlirOperationIsNull(a) && mlirOperationIsNull(b);
  return mlirIdentifierEqual(mlirOperationGetName(a),
                             mlirOperationGetName(b)) &&
         mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, 0)),
                       mlirValueGetType(mlirOperationGetResult(b, 0))) &&
         berthHaveSameAttributes(a, b);
}

static bool isSameNode(const BerthSizeNode *a, const BerthSizeNode *b) {
  return a->kind == b->kind && a->constant == b->constant &&
         a->numOperands == b->numOperands &&
         memcmp(a->operands, b->operands,
                a->numOperands * sizeof *a->operands) == 0 &&
         areAlike(a->op, b->op);
}

static uint32_t append(BerthSizeNumbers *numbers, BerthSizeNode node) {
  numbers->nodes = berthGrow(numbers->nodes, numbers->count, &numbers->capacity,
                             sizeof *numbers->nodes);
  numbers->nodes[numbers->count] = node;
  return (uint32_t)numbers->count++;
}

static uint32_t numberOfNode(BerthSizeNumbers *numbers, BerthSizeNode node) {
  const void *hash = hashOf(&node);
  size_t first = berthPointerMapFind(&numbers->firstOf, hash);
  for (size_t i = first; i != BERTH_NOT_FOUND; i = numbers->nodes[i].next)
    if (isSameNode(&numbers->nodes[i], &node))
      return (uint32_t)i;
  node.next = first;
  uint32_t number = append(numbers, node);
  berthPointerMapSet(&numbers->firstOf, hash, number);
  return number;
}

uint32_t berthSizeNumberOfConstant(BerthSizeNumbers *numbers, int64_t value) {
  BerthSizeNode node = {.kind = BERTH_SIZE_CONSTANT, .constant = value};
  return numberOfNode(numbers, node);
}

bool berthSizeIsConstant(const BerthSizeNumbers *numbers, uint32_t number,
                         int64_t *constant) {
  const BerthSizeNode *node = &numbers->nodes[number];
  *constant = node->constant;
  return node->kind == BERTH_SIZE_CONSTANT;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool compare(int64_t predicate, int64_t a, int64_t b) {
  bool isBelow = (uint64_t)a<(uint64_t)b, isAbove = (uint64_t)a>(uint64_t) b;
  const bool results[] = {a == b,  a != b,   a<b, a <= b, a> b, a >= b,
                          isBelow, !isAbove, isAbove,           !isBelow};
  return results[predicate];
}

/// The number that two constants make. False if they make none, or none that an
/// index surely holds.
static bool compute(const BerthSizeNode *node, int64_t a, int64_t b,
                    int64_t *result) {
  switch (node->kind) {
  case BERTH_SIZE_SUM:
    return !__builtin_add_overflow(a, b, result);
  case BERTH_SIZE_PRODUCT:
    return !__builtin_mul_overflow(a, b, result);
  case BERTH_SIZE_MAXIMUM:
    *result = (uint64_t)a > (uint64_t)b ? a : b;
    return true;
  case BERTH_SIZE_AND:
    *result = a & b;
    return true;
  case BERTH_SIZE_XOR:
    *result = a ^ b;
    return true;
  case BERTH_SIZE_COMPARISON:
    *result = compare(node->constant, a, b);
    return true;
  case BERTH_SIZE_OTHER:
  case BERTH_SIZE_CONSTANT:
  case BERTH_SIZE_CHOICE:
    break;
  }
  return false;
}

/// The number that the node is as it stands, if its operands say so; else
/// UINT32_MAX.
static uint32_t folded(BerthSizeNumbers *numbers, const BerthSizeNode *node) {
  int64_t a, b, result;
  bool isFirst = node->numOperands > 0 &&
                 berthSizeIsConstant(numbers, node->operands[0], &a);
  if (node->kind == BERTH_SIZE_CHOICE)
    return isFirst ? node->operands[a ? 1 : 2] : UINT32_MAX;
  bool isSecond = node->numOperands == 2 &&
                  berthSizeIsConstant(numbers, node->operands[1], &b);
  if (isFirst && isSecond && compute(node, a, b, &result))
    return berthSizeNumberOfConstant(numbers, result);
  int64_t neutral = node->kind == BERTH_SIZE_PRODUCT;
  bool hasNeutral = node->kind == BERTH_SIZE_SUM ||
                    node->kind == BERTH_SIZE_PRODUCT ||
                    node->kind == BERTH_SIZE_MAXIMUM;
  if (hasNeutral && isFirst && a == neutral)
    return node->operands[1];
  if (hasNeutral && isSecond && b == neutral)
    return node->operands[0];
  return UINT32_MAX;
}

static uint32_t numberOfFolded(BerthSizeNumbers *numbers, BerthSizeNode node) {
  uint32_t number = folded(numbers, &node);
  return number == UINT32_MAX ? numberOfNode(numbers, node) : number;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static MlirValue operandOf(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

/// The operand that is dimension `index` of what the op yields, of which the
/// first is number `first`.
static MlirValue dimensionOf(MlirOperation op, MlirType type, int64_t index,
                             intptr_t first) {
  for (int64_t i = 0; i < index; ++i)
    first += mlirShapedTypeIsDynamicDim(type, i);
  return operandOf(op, first);
}

/// What memref.dim yields, made of what the memref is made of. True with
/// `*known`, or with `*number`.
static bool resolveDim(const BerthSizeNumbers *numbers, MlirValue source,
                       int64_t index, MlirValue *known, int64_t *number) {
  *known = (MlirValue){NULL};
  while (true) {
    source = givenFor(numbers, source);
    MlirType type = mlirValueGetType(source);
    if (!mlirTypeIsAMemRef(type) || index < 0 ||
        index >= mlirShapedTypeGetRank(type))
      return false;
    if (!mlirShapedTypeIsDynamicDim(type, index)) {
      *number = mlirShapedTypeGetDimSize(type, index);
      return true;
    }
    if (!mlirValueIsAOpResult(source))
      return false;
    MlirOperation op = mlirOpResultGetOwner(source);
    if (berthOpIs(op, BERTH_OP_CAST)) {
      source = operandOf(op, 0);
      continue;
    }
    bool isView = berthOpIs(op, BERTH_OP_VIEW);
    if (!isView && !berthOpIsPlainAllocation(op))
      return false;
    *known = dimensionOf(op, type, index, isView ? 2 : 0);
    return true;
  }
}

MlirValue berthSizeBehindCasts(const BerthSizeNumbers *numbers,
                               MlirValue value) {
  value = givenFor(numbers, value);
  while (mlirValueIsAOpResult(value) &&
         berthOpIs(mlirOpResultGetOwner(value), BERTH_OP_CAST))
    value = givenFor(numbers, operandOf(mlirOpResultGetOwner(value), 0));
  return value;
}

static BerthSizeKind kindOf(MlirOperation op) {
  static const struct {
    BerthOpKind op;
    BerthSizeKind kind;
  } kinds[] = {{BERTH_OP_SUM, BERTH_SIZE_SUM},
               {BERTH_OP_PRODUCT, BERTH_SIZE_PRODUCT},
               {BERTH_OP_UNSIGNED_MAX, BERTH_SIZE_MAXIMUM},
               {BERTH_OP_AND, BERTH_SIZE_AND},
               {BERTH_OP_XOR, BERTH_SIZE_XOR},
               {BERTH_OP_COMPARISON, BERTH_SIZE_COMPARISON}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (berthOpIs(op, kinds[i].op))
      return kinds[i].kind;
  bool isChoice = berthOpGetRole(op, 1) == BERTH_OPERAND_CHOSEN &&
                  berthOpGetRole(op, 2) == BERTH_OPERAND_CHOSEN;
  return isChoice ? BERTH_SIZE_CHOICE : BERTH_SIZE_OTHER;
}

/// True for numbers as wide as an index, and for truth values: constants of
/// other types are not computed with.
static bool isPlain(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && (mlirIntegerTypeGetWidth(type) == 1 ||
                                       mlirIntegerTypeGetWidth(type) == 64));
}

static bool hasPlainTypes(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!isPlain(mlirValueGetType(operandOf(op, i))))
      return false;
  return isPlain(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static uint32_t numberAt(BerthSizeNumbers *numbers, MlirValue value, int depth);

/// Of an op without effects that computes one value of few.
static bool describe(BerthSizeNumbers *numbers, MlirOperation op, int depth,
                     BerthSizeNode *node) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (depth == 0 || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) > 0 || count > BERTH_MOST_SIZE_OPERANDS ||
      !berthOpIsSpeculatable(op))
    return false;
  *node =
      (BerthSizeNode){.kind = hasPlainTypes(op) ? kindOf(op) : BERTH_SIZE_OTHER,
                      .numOperands = (uint32_t)count,
                      .next = BERTH_NOT_FOUND};
  if (node->kind == BERTH_SIZE_OTHER)
    node->op = op;
  if (node->kind == BERTH_SIZE_COMPARISON)
    node->constant =
        mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate"));
  for (intptr_t i = 0; i < count; ++i)
    node->operands[i] = numberAt(numbers, operandOf(op, i), depth - 1);
  return true;
}

/// One that is like no other.
static uint32_t numberApart(BerthSizeNumbers *numbers) {
  return append(numbers, (BerthSizeNode){.kind = BERTH_SIZE_OTHER,
                                         .next = BERTH_NOT_FOUND});
}

static uint32_t findNumber(BerthSizeNumbers *numbers, MlirValue value,
                           int depth) {
  int64_t constant;
  BerthSizeNode node;
  if (!mlirValueIsAOpResult(value))
    return numberApart(numbers);
  if (isPlain(mlirValueGetType(value)) &&
      berthValueIsConstant(value, &constant)) {
    bool isTruth = mlirTypeIsAInteger(mlirValueGetType(value)) &&
                   mlirIntegerTypeGetWidth(mlirValueGetType(value)) == 1;
    return berthSizeNumberOfConstant(numbers,
                                     isTruth ? constant & 1 : constant);
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirValue known;
  if (depth > 0 && berthOpIs(op, BERTH_OP_DIM) &&
      berthValueIsConstant(operandOf(op, 1), &constant) &&
      resolveDim(numbers, operandOf(op, 0), constant, &known, &constant))
    return mlirValueIsNull(known) ? berthSizeNumberOfConstant(numbers, constant)
                                  : numberAt(numbers, known, depth - 1);
  return describe(numbers, op, depth, &node) ? numberOfFolded(numbers, node)
                                             : numberApart(numbers);
}

static uint32_t numberAt(BerthSizeNumbers *numbers, MlirValue value,
                         int depth) {
  value = berthSizeBehindCasts(numbers, value);
  size_t known = berthPointerMapFind(&numbers->numberOf, value.ptr);
  if (known != BERTH_NOT_FOUND)
    return (uint32_t)known;
  uint32_t number = findNumber(numbers, value, depth);
  berthPointerMapInsert(&numbers->numberOf, value.ptr, number);
  return number;
}

uint32_t berthSizeNumberOf(BerthSizeNumbers *numbers, MlirValue value) {
  enum { kDeepest = 4096 };
  return numberAt(numbers, value, kDeepest);
}

uint32_t berthSizeNumberOfLess(BerthSizeNumbers *numbers, bool isSigned,
                               MlirValue a, MlirValue b) {
  // arith.cmpi's numbers of predicates.
  BerthSizeNode node = {.kind = BERTH_SIZE_COMPARISON,
                        .constant = isSigned ? 2 : 6,
                        .numOperands = 2,
                        .operands = {berthSizeNumberOf(numbers, a),
                                     berthSizeNumberOf(numbers, b)},
                        .next = BERTH_NOT_FOUND};
  return numberOfFolded(numbers, node);
}
