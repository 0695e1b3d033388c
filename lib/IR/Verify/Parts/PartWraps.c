//===- PartWraps.c - Names for what may have wrapped around ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartWraps.h"
#include "IR/Ops/OrDie.h"

/// Computed by nothing but sums and products.
static bool isPlain(const BerthPartNumbers *numbers, BerthSum sum) {
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      uint32_t unknown = sum.terms[i].unknowns[u];
      BerthUnknownKind kind = berthPartUnknownOf(numbers, unknown)->kind;
      if (kind == BERTH_UNKNOWN_LARGEST || kind == BERTH_UNKNOWN_QUOTIENT)
        return false;
    }
  return true;
}

static void wrapPlain(BerthPartNumbers *numbers, BerthSum sum) {
  uint32_t unknown;
  int64_t number;
  if (sum.isNone || berthSumIsUnknown(sum, &unknown) ||
      berthSumIsNumber(sum, &number) || !isPlain(numbers, sum))
    return;
  BerthSum wrapped = berthPartUnknown(
      numbers, (BerthUnknown){.kind = BERTH_UNKNOWN_WRAPPED,
                              .isOfAll = berthPartIsOfAll(numbers, sum),
                              .numOperands = 1,
                              .operands = &sum});
  berthSumIsUnknown(wrapped, &unknown);
  for (size_t i = 0; i < numbers->numWrapped; ++i)
    if (numbers->wrapped[i] == unknown)
      return;
  numbers->wrapped =
      berthGrow(numbers->wrapped, numbers->numWrapped,
                &numbers->wrappedCapacity, sizeof *numbers->wrapped);
  numbers->wrapped[numbers->numWrapped++] = unknown;
}

static bool findTruth(BerthSum sum, uint32_t *truth) {
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      *truth = sum.terms[i].unknowns[u];
      if (*truth >= BERTH_FIRST_TRUTH)
        return true;
    }
  return false;
}

/// What a condition chooses from has names of its own.
static void wrapEach(BerthPartNumbers *numbers, BerthSum sum, int depth) {
  uint32_t truth;
  if (!findTruth(sum, &truth)) {
    wrapPlain(numbers, sum);
    return;
  }
  for (int number = 0; number < 2 && depth > 0; ++number)
    wrapEach(numbers,
             berthSumReplace(&numbers->memory, sum, truth,
                             berthSumOfNumber(&numbers->memory, number)),
             depth - 1);
}

void berthPartWrap(BerthPartNumbers *numbers, BerthSum sum) {
  enum { kMostTruths = 4 };
  if (!sum.isNone)
    wrapEach(numbers, sum, kMostTruths);
}
