//===- PartRanges.h - Limits of what is not known ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums where some truths are known: what the host asserts, conditions around an
// op, and guesses, which who asks makes both ways. From comparisons follow
// limits, of products too: x <= c / max(y, 1) limits x y. From limits follows
// that a sum does not wrap around, so that quotients and maxima are what they
// look like, and that a sum is not negative.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_PARTS_PARTRANGES_H
#define BERTH_LIB_IR_VERIFY_PARTS_PARTRANGES_H

#include "IR/Verify/Parts/PartNumbers.h"

typedef struct BerthUnknownState {
  signed char truth; ///< 1, 0, or -1: not known
  bool isResolved, hasRange;
  bool isOpen; ///< its range is being looked for
  BerthSum resolved;
  int64_t given, givenMost; ///< what it was said to be at least, and at most
  int64_t least, most;      ///< INT64_MIN, INT64_MAX: nothing is known
} BerthUnknownState;

/// At most `most`, and not negative.
typedef struct BerthLimit {
  BerthSum sum;
  int64_t most;
} BerthLimit;

typedef struct BerthPartCase {
  BerthPartNumbers *numbers;
  BerthUnknownState *states;
  size_t numStates, stateCapacity;
  BerthSum *truths; ///< sums that are 1
  size_t numTruths, truthCapacity;
  BerthLimit *limits;
  size_t numLimits, limitCapacity;
  bool isImpossible;
} BerthPartCase;

/// Nothing is known, or what is known in `from`.
BerthPartCase berthPartCaseOf(BerthPartNumbers *numbers,
                              const BerthPartCase *from);
void berthPartCaseFree(BerthPartCase *given);

/// The condition holds: for berthPartConclude to conclude from.
void berthPartAssume(BerthPartCase *given, BerthSum condition);

/// The unknown is at least that much.
void berthPartAtLeast(BerthPartCase *given, BerthSum sum, int64_t least);

/// The program's number that the sum stands for is from 0 to `most`: what is in
/// there has limits by that, below 0 as well. True if one of them is new.
bool berthPartTakeInterval(BerthPartCase *given, BerthSum sum, int64_t most);

/// Of two program's numbers with sign: a < b, or a >= b. True if something
/// about one of them is new.
bool berthPartTakeOrder(BerthPartCase *given, BerthSum a, BerthSum b,
                        bool isLess);

static inline BerthMemory *berthPartMemory(BerthPartCase *given) {
  return &given->numbers->memory;
}

static inline BerthSum berthPartNumber(BerthPartCase *given, int64_t number) {
  return berthSumOfNumber(&given->numbers->memory, number);
}

/// True once as much has been looked at as is worth it. Counts.
static inline bool berthPartIsTired(BerthPartCase *given) {
  enum { kMostWork = 20000000 };
  return ++given->numbers->work > kMostWork;
}

/// Until the next one is asked for.
BerthUnknownState *berthPartStateOf(BerthPartCase *given, uint32_t unknown);

/// What was concluded from less may be wrong, or too little.
void berthPartForgetRanges(BerthPartCase *given);

/// The least of an unknown, of the product of a term's unknowns, and of a sum;
/// INT64_MIN where that is not known, and, of products, where a factor may be
/// negative.
int64_t berthPartLeast(BerthPartCase *given, uint32_t unknown);
int64_t berthPartLeastProduct(BerthPartCase *given, const BerthTerm *term);
int64_t berthPartLeastSum(BerthPartCase *given, BerthSum sum);

/// The program's number is the sum, from 0 to 2^63 - 1.
bool berthPartIsExact(BerthPartCase *given, BerthSum sum);

#endif // BERTH_LIB_IR_VERIFY_PARTS_PARTRANGES_H
