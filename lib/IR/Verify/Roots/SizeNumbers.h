//===- SizeNumbers.h - Which sizes of two functions are equal ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values get numbers: equal numbers are equal values, however the ops that
// compute them are laid out. An argument of a called function has the number of
// what the call gives for it, so that what the function computes and what its
// caller has computed before the call can be held against each other.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_SIZENUMBERS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_SIZENUMBERS_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// What a number is made of. A choice is arith.select: condition, value, value;
/// both are sums, maxima, ... of two numbers, and a comparison has its
/// predicate.
typedef enum BerthSizeKind {
  BERTH_SIZE_OTHER,
  BERTH_SIZE_CONSTANT,
  BERTH_SIZE_SUM,
  BERTH_SIZE_PRODUCT,
  BERTH_SIZE_MAXIMUM,
  BERTH_SIZE_AND,
  BERTH_SIZE_XOR,
  BERTH_SIZE_COMPARISON,
  BERTH_SIZE_CHOICE
} BerthSizeKind;

enum { BERTH_MOST_SIZE_OPERANDS = 4 };
typedef struct BerthSizeNode {
  BerthSizeKind kind;
  int64_t constant; ///< or the predicate of a comparison
  MlirOperation op; ///< of what is computed and none of the kinds; or null
  uint32_t numOperands;
  uint32_t operands[BERTH_MOST_SIZE_OPERANDS];
  size_t next; ///< another one with this hash, or BERTH_NOT_FOUND
} BerthSizeNode;

/// Zero-initialise; then berthSizeNumbersFree.
typedef struct BerthSizeNumbers {
  BerthSizeNode *nodes;
  size_t count, capacity;
  BerthPointerMap numberOf; ///< value -> number
  BerthPointerMap firstOf;  ///< hash -> number
  BerthPointerMap givenFor; ///< argument -> index into `given`
  MlirValue *given;
  size_t numGiven, givenCapacity;
} BerthSizeNumbers;

void berthSizeNumbersFree(BerthSizeNumbers *numbers);

/// From here on the argument, which has no number yet, is this value.
void berthSizeNumbersGive(BerthSizeNumbers *numbers, MlirValue argument,
                          MlirValue value);

uint32_t berthSizeNumberOf(BerthSizeNumbers *numbers, MlirValue value);
uint32_t berthSizeNumberOfConstant(BerthSizeNumbers *numbers, int64_t value);

/// That of whether `a` is less than `b`.
uint32_t berthSizeNumberOfLess(BerthSizeNumbers *numbers, bool isSigned,
                               MlirValue a, MlirValue b);

/// The value as it was before memref.casts, and what a call gives for it.
MlirValue berthSizeBehindCasts(const BerthSizeNumbers *numbers,
                               MlirValue value);

/// True if the number is a constant.
bool berthSizeIsConstant(const BerthSizeNumbers *numbers, uint32_t number,
                         int64_t *constant);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_SIZENUMBERS_H
