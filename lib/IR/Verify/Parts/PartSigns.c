//===- PartSigns.c - Sums that are not negative ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartSigns.h"

//===----------------------------------------------------------------------===//
// Not negative
//===----------------------------------------------------------------------===//

/// With what is at least 1 as 1 and something.
static bool isPlainlyNotNegative(BerthPartCase *given, BerthSum sum) {
  if (berthPartLeastSum(given, sum) >= 0)
    return true;
  BerthSum raised = sum;
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      uint32_t unknown = sum.terms[i].unknowns[u];
      bool isSeen = u > 0 && sum.terms[i].unknowns[u - 1] == unknown;
      for (size_t k = 0; k < i; ++k)
        isSeen |= berthTermCount(&sum.terms[k], unknown) > 0;
      if (isSeen || berthPartLeast(given, unknown) < 1)
        continue;
      BerthSum own = berthSumOfUnknown(berthPartMemory(given), unknown);
      raised = berthSumReplace(berthPartMemory(given), raised, unknown,
                               berthSumAdd(berthPartMemory(given), own,
                                           berthPartNumber(given, 1), 1));
    }
  for (size_t i = 0; i < raised.count; ++i) {
    const BerthTerm *term = &raised.terms[i];
    for (uint32_t u = 0; u < term->count; ++u)
      if (berthPartLeast(given, term->unknowns[u]) < 0)
        return false;
    if (term->factor < 0)
      return false;
  }
  return !raised.isNone;
}

/// +1 or -1 if the sum grows or shrinks as the unknown does, else 0.
static int signOf(BerthPartCase *given, BerthSum sum, uint32_t unknown) {
  int sign = 0;
  for (size_t i = 0; i < sum.count; ++i) {
    const BerthTerm *term = &sum.terms[i];
    uint32_t count = berthTermCount(term, unknown);
    if (!count)
      continue;
    BerthTerm rest = berthTermWithout(term, unknown);
    int own = term->factor > 0 ? 1 : -1;
    if (count > 1 || berthPartLeastProduct(given, &rest) == INT64_MIN ||
        (sign && sign != own))
      return 0;
    sign = own;
  }
  return sign;
}

/// The unknown to take apart next: what grows first, and what was made last.
static bool findNext(BerthPartCase *given, BerthSum sum, uint32_t *unknown,
                     int *sign) {
  *sign = 0;
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      uint32_t own = sum.terms[i].unknowns[u];
      const BerthUnknown *found = berthPartUnknownOf(given->numbers, own);
      int64_t divisor;
      bool isOfTwo = found->kind == BERTH_UNKNOWN_LARGEST ||
                     (found->kind == BERTH_UNKNOWN_QUOTIENT &&
                      berthSumIsNumber(found->operands[1], &divisor));
      int ownSign = isOfTwo ? signOf(given, sum, own) : 0;
      if (ownSign == 0 || (*sign > ownSign) ||
          (*sign == ownSign && own <= *unknown) ||
          !berthPartIsExact(given, found->operands[0]) ||
          !berthPartIsExact(given, found->operands[1]))
        continue;
      *unknown = own;
      *sign = ownSign;
    }
  return *sign != 0;
}

static bool isNotNegative(BerthPartCase *given, BerthSum sum, int *budget);

/// d (x / d) is at most x, and at least x - (d - 1).
static bool withoutQuotient(BerthPartCase *given, BerthSum sum,
                            uint32_t unknown, int sign, int *budget) {
  BerthMemory *memory = berthPartMemory(given);
  const BerthUnknown *found = berthPartUnknownOf(given->numbers, unknown);
  BerthSum divided = found->operands[0];
  int64_t divisor;
  berthSumIsNumber(found->operands[1], &divisor);
  if (sign > 0)
    divided =
        berthSumAdd(memory, divided, berthPartNumber(given, divisor - 1), -1);
  BerthSum without = {0};
  for (size_t i = 0; i < sum.count && !without.isNone; ++i) {
    bool hasIt = berthTermCount(&sum.terms[i], unknown) > 0;
    BerthTerm term =
        hasIt ? berthTermWithout(&sum.terms[i], unknown) : sum.terms[i];
    BerthSum part = berthSumOfTerm(memory, &term);
    part = berthSumMultiply(memory, part,
                            hasIt ? divided : berthPartNumber(given, divisor));
    without = berthSumAdd(memory, without, part, 1);
  }
  return isNotNegative(given, without, budget);
}

static bool withoutLargest(BerthPartCase *given, BerthSum sum, uint32_t unknown,
                           int sign, int *budget) {
  BerthMemory *memory = berthPartMemory(given);
  const BerthUnknown *found = berthPartUnknownOf(given->numbers, unknown);
  const BerthSum *operands = found->operands;
  BerthSum first = berthSumReplace(memory, sum, unknown, operands[0]);
  BerthSum second = berthSumReplace(memory, sum, unknown, operands[1]);
  // The larger one of both is each of them, at least.
  if (sign > 0)
    return isNotNegative(given, first, budget) ||
           isNotNegative(given, second, budget);
  return isNotNegative(given, first, budget) &&
         isNotNegative(given, second, budget);
}

static bool isNotNegative(BerthPartCase *given, BerthSum sum, int *budget) {
  uint32_t unknown = 0;
  int sign;
  if (sum.isNone || --*budget < 0 || berthPartIsTired(given))
    return false;
  if (isPlainlyNotNegative(given, sum))
    return true;
  if (!findNext(given, sum, &unknown, &sign))
    return false;
  return berthPartUnknownOf(given->numbers, unknown)->kind ==
                 BERTH_UNKNOWN_QUOTIENT
             ? withoutQuotient(given, sum, unknown, sign, budget)
             : withoutLargest(given, sum, unknown, sign, budget);
}

bool berthPartIsNotNegative(BerthPartCase *given, BerthSum sum) {
  enum { kSteps = 1000 };
  int budget = kSteps;
  BerthMemoryMark mark = berthMemoryGetMark(berthPartMemory(given));
  bool isShown = isNotNegative(given, sum, &budget);
  berthMemoryRelease(berthPartMemory(given), mark);
  return isShown;
}
