//===- VerifyOffsets.h - Bytes at offsets known at run time -------- C ---===//
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

#ifndef BERTH_LIB_IR_VERIFYOFFSETS_H
#define BERTH_LIB_IR_VERIFYOFFSETS_H

#include "Support/PointerMap.h"
#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// The most bytes that a memref.view addresses: by its type, by the bounds of
/// its dynamic dimensions, or by its attribute berth.upper_bound, which is the
/// user's word (checked by the program). INT64_MAX if nothing says it.
int64_t berthViewMostBytes(MlirOperation view);

/// Values that the offset of a memref.view is at least as large as: those of
/// which it is the maximum or the sum. To be freed.
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

typedef struct BerthOffsetTerms {
  BerthPointerMap seen;
  BerthOffsetTerm *terms;
  size_t count, capacity;
} BerthOffsetTerms;

BerthOffsetTerms berthOffsetTermsOf(MlirOperation view);
void berthOffsetTermsFree(BerthOffsetTerms *terms);

/// The view whose end is to be reached. To be freed.
typedef struct BerthOffsetGoal {
  MlirOperation view;
  MlirValue shift;
  bool isConstant;
  int64_t start;            ///< `shift`, if it is constant
  BerthPointerMap covering; ///< value -> is it at least the view's bytes?
} BerthOffsetGoal;

BerthOffsetGoal berthOffsetGoalOf(MlirOperation view);
void berthOffsetGoalFree(BerthOffsetGoal *goal);

/// True if one of the terms is at least the end of the goal, a view of the same
/// arena, so that the two have no byte in common.
bool berthOffsetReachesEnd(const BerthOffsetTerms *terms,
                           BerthOffsetGoal *goal);

#endif // BERTH_LIB_IR_VERIFYOFFSETS_H
