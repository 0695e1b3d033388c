//===- Offsets.h - Bytes at offsets known at run time --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own proof that two views of an arena have no byte in common
// whatever the sizes are: the offset of one is a maximum or a sum that holds
// the end of the other. Reads only the arithmetic that stands in the program,
// and takes it that index arithmetic does not wrap (berth-arena emits checks,
// `size-checks`, that see to that).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_OFFSETS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_OFFSETS_H

#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Roots/SizeNumbers.h"
#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// The most bytes that a memref.view addresses: by its type, by the bounds of
/// its dynamic dimensions, or by its attribute berth.upper_bound, which is the
/// user's word (checked by the program). INT64_MAX if nothing says it.
int64_t berthViewMostBytes(MlirOperation view);

/// A value that an offset is at least as large as, if it is one of the operands
/// of its sums and maxima.
typedef enum BerthOffsetTermKind {
  BERTH_TERM_OTHER,
  BERTH_TERM_SUM,
  BERTH_TERM_MAXIMUM
} BerthOffsetTermKind;

typedef struct BerthOffsetTerm {
  BerthOffsetTermKind kind;
  MlirValue value;
  MlirValue operands[2]; ///< of a sum or a maximum
} BerthOffsetTerm;

BerthOffsetTerm berthOffsetTermOf(MlirValue value);

/// The first cf.assert of each condition in each block, as they are asked for.
/// Zero-initialise; then berthAssertsFree.
typedef struct BerthAssert {
  MlirOperation op;
  size_t next; ///< of the same condition, in another block; or BERTH_NOT_FOUND
} BerthAssert;

typedef struct BerthAsserts {
  BerthPointerMap asked;   ///< conditions whose asserts are known
  BerthPointerMap firstOf; ///< condition -> index into `items`
  BerthAssert *items;
  size_t count, capacity;
  BerthSizeNumbers numbers; ///< of what conditions are made of
} BerthAsserts;

void berthAssertsFree(BerthAsserts *asserts);

/// What is constant of a product, and the rest.
enum { BERTH_MOST_FACTORS = 16 };
typedef struct BerthProduct {
  int64_t constant;
  size_t count;
  MlirValue factors[BERTH_MOST_FACTORS];
} BerthProduct;

/// The view whose end is to be reached. To be freed.
typedef struct BerthOffsetGoal {
  BerthAsserts *asserts; ///< may be shared by many goals
  MlirOperation view;
  MlirValue shift;
  bool isConstant;
  int64_t start;   ///< `shift`, if it is constant
  bool hasProduct; ///< `product` is the view's bytes
  BerthProduct product;
  int64_t mostBytes;        ///< what they are at most; -1: not yet asked for
  BerthPointerMap covering; ///< value -> is it at least the view's bytes?
} BerthOffsetGoal;

BerthOffsetGoal berthOffsetGoalOf(MlirOperation view, BerthAsserts *asserts);
void berthOffsetGoalFree(BerthOffsetGoal *goal);

/// True if the term itself, not what it is a sum or maximum of, is at least the
/// end of the goal: then a view of the same arena at this offset, or above, has
/// no byte in common with the goal.
bool berthOffsetTermReachesEnd(const BerthOffsetTerm *term,
                               BerthOffsetGoal *goal);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_OFFSETS_H
