//===- Sums.h - Sums of products of unknown numbers ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole numbers, exactly: 12 a b - 3 c + 1. An unknown is a number of the
// caller's; those from BERTH_FIRST_TRUTH on are 0 or 1, so their squares are
// themselves. What would be too large, in numbers or in terms, is no sum.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_SUMS_H
#define BERTH_LIB_IR_VERIFY_PARTS_SUMS_H

#include "Support/BumpMemory.h"

enum { BERTH_MOST_UNKNOWNS = 24, BERTH_MOST_TERMS = 512 };
#define BERTH_FIRST_TRUTH 0x80000000u

typedef struct BerthTerm {
  int64_t factor; ///< not 0
  uint32_t count;
  uint32_t unknowns[BERTH_MOST_UNKNOWNS]; ///< ascending, with repetitions
} BerthTerm;

/// Terms with more unknowns come first; no two have the same ones.
typedef struct BerthSum {
  const BerthTerm *terms;
  size_t count;
  bool isNone; ///< it could not be made
} BerthSum;

BerthSum berthSumOfNumber(BerthMemory *memory, int64_t number);
BerthSum berthSumOfUnknown(BerthMemory *memory, uint32_t unknown);
BerthSum berthSumOfTerm(BerthMemory *memory, const BerthTerm *term);

/// a + factor * b
BerthSum berthSumAdd(BerthMemory *memory, BerthSum a, BerthSum b,
                     int64_t factor);
BerthSum berthSumMultiply(BerthMemory *memory, BerthSum a, BerthSum b);

/// a / b, if nothing is left over.
bool berthSumDivide(BerthMemory *memory, BerthSum a, BerthSum b,
                    BerthSum *quotient);

/// The sum with `by` for the unknown.
BerthSum berthSumReplace(BerthMemory *memory, BerthSum sum, uint32_t unknown,
                         BerthSum by);

bool berthSumEqual(BerthSum a, BerthSum b);
bool berthSumIsNumber(BerthSum sum, int64_t *number);
bool berthSumIsUnknown(BerthSum sum, uint32_t *unknown);

/// How often the term has the unknown.
uint32_t berthTermCount(const BerthTerm *term, uint32_t unknown);

/// The term divided by one unknown that it has.
BerthTerm berthTermWithout(const BerthTerm *term, uint32_t unknown);

/// term / divisor; false if that is no term.
bool berthTermDivide(const BerthTerm *term, const BerthTerm *divisor,
                     BerthTerm *quotient);

#endif // BERTH_LIB_IR_VERIFY_PARTS_SUMS_H
