//===- PartResolve.c - Sums by what is known ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartResolve.h"
#include "IR/Ops/OrDie.h"

//===----------------------------------------------------------------------===//
// Resolving
//===----------------------------------------------------------------------===//

static BerthSum remake(BerthPartCase *given, const BerthUnknown *unknown,
                       BerthSum a, BerthSum b) {
  BerthUnknown made = *unknown;
  BerthSum operands[] = {a, b};
  made.operands = operands;
  return berthPartUnknown(given->numbers, made);
}

static BerthSum resolveLargest(BerthPartCase *given,
                               const BerthUnknown *unknown, BerthSum a,
                               BerthSum b) {
  BerthMemory *memory = berthPartMemory(given);
  if (berthSumEqual(a, b))
    return a;
  if (berthPartIsExact(given, a) && berthPartIsExact(given, b)) {
    if (berthPartLeastSum(given, berthSumAdd(memory, a, b, -1)) >= 0)
      return a;
    if (berthPartLeastSum(given, berthSumAdd(memory, b, a, -1)) >= 0)
      return b;
  }
  return remake(given, unknown, a, b);
}

/// True if there is a quotient in the sum, or in its maxima.
static bool isRounded(const BerthPartCase *given, BerthSum sum) {
  bool isOne = false;
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      const BerthUnknown *unknown =
          berthPartUnknownOf(given->numbers, sum.terms[i].unknowns[u]);
      isOne |= unknown->kind == BERTH_UNKNOWN_QUOTIENT;
      if (unknown->kind == BERTH_UNKNOWN_LARGEST)
        isOne |= isRounded(given, unknown->operands[0]) ||
                 isRounded(given, unknown->operands[1]);
    }
  return isOne;
}

/// A maximum that the sum has once, by itself.
static bool findLargest(const BerthPartCase *given, BerthSum sum,
                        uint32_t *unknown) {
  for (size_t i = 0; i < sum.count; ++i) {
    const BerthTerm *term = &sum.terms[i];
    *unknown = term->count ? term->unknowns[0] : 0;
    if (term->count == 1 && term->factor == 1 &&
        berthPartUnknownOf(given->numbers, *unknown)->kind ==
            BERTH_UNKNOWN_LARGEST)
      return true;
  }
  return false;
}

/// Of numbers that are what they look like, quotients are those of mathematics.
static BerthSum resolveQuotient(BerthPartCase *given,
                                const BerthUnknown *unknown, BerthSum a,
                                BerthSum b) {
  BerthMemory *memory = berthPartMemory(given);
  int64_t divisor, number;
  uint32_t only = 0;
  if (!berthSumIsNumber(b, &divisor) || divisor < 1 ||
      !berthPartIsExact(given, a))
    return remake(given, unknown, a, b);
  if (divisor == 1)
    return a;
  BerthSum whole = {0}, rest = {0};
  for (size_t i = 0; i < a.count; ++i) {
    BerthTerm term = a.terms[i];
    bool divides = term.factor % divisor == 0;
    if (divides)
      term.factor /= divisor;
    BerthSum part = berthSumOfTerm(memory, &term);
    BerthSum *to = divides ? &whole : &rest;
    *to = berthSumAdd(memory, *to, part, 1);
  }
  if (berthSumIsNumber(rest, &number) && number >= 0)
    return berthSumAdd(memory, whole, berthPartNumber(given, number / divisor),
                       1);
  if (whole.count && berthPartIsExact(given, rest))
    return berthSumAdd(memory, whole, resolveQuotient(given, unknown, rest, b),
                       1);
  if (!findLargest(given, rest, &only))
    return remake(given, unknown, a, b);
  const BerthUnknown inner = *berthPartUnknownOf(given->numbers, only);
  BerthSum c = berthSumReplace(memory, rest, only, inner.operands[0]);
  BerthSum d = berthSumReplace(memory, rest, only, inner.operands[1]);
  if (!berthPartIsExact(given, c) || !berthPartIsExact(given, d))
    return remake(given, unknown, a, b);
  // The larger one of two has the larger quotient. It is taken apart only where
  // nothing is rounded then.
  c = resolveQuotient(given, unknown, c, b);
  d = resolveQuotient(given, unknown, d, b);
  return isRounded(given, c) || isRounded(given, d)
             ? remake(given, unknown, a, b)
             : berthSumAdd(memory, whole, resolveLargest(given, &inner, c, d),
                           1);
}

/// The sum, with what may have wrapped around as it stands there.
static BerthSum resolveTerms(BerthPartCase *given, BerthSum sum);

/// What is not negative as a whole alone has limits as a whole, in products
/// too.
static bool isOfCounts(BerthPartCase *given, BerthSum sum) {
  for (size_t i = 0; i < sum.count; ++i)
    if (berthPartLeastProduct(given, &sum.terms[i]) == INT64_MIN)
      return false;
  return true;
}

static BerthSum resolveUnknown(BerthPartCase *given, uint32_t unknown) {
  BerthUnknownState *state = berthPartStateOf(given, unknown);
  if (state->isResolved)
    return state->resolved;
  const BerthUnknown copy = *berthPartUnknownOf(given->numbers, unknown);
  BerthSum resolved = berthSumOfUnknown(berthPartMemory(given), unknown);
  if (unknown >= BERTH_FIRST_TRUTH) {
    if (state->truth >= 0)
      resolved = berthPartNumber(given, state->truth);
  } else if (copy.kind == BERTH_UNKNOWN_WRAPPED) {
    BerthSum whole = resolveTerms(given, copy.operands[0]);
    if (berthPartIsExact(given, whole) && isOfCounts(given, whole))
      resolved = whole;
  } else if (copy.kind == BERTH_UNKNOWN_LARGEST ||
             copy.kind == BERTH_UNKNOWN_QUOTIENT) {
    BerthSum a = berthPartResolve(given, copy.operands[0]);
    BerthSum b = berthPartResolve(given, copy.operands[1]);
    if (!a.isNone && !b.isNone)
      resolved = copy.kind == BERTH_UNKNOWN_LARGEST
                     ? resolveLargest(given, &copy, a, b)
                     : resolveQuotient(given, &copy, a, b);
  }
  state = berthPartStateOf(given, unknown);
  state->resolved = resolved;
  state->isResolved = true;
  return resolved;
}

/// How often the sum has the product of `whole` and `part`, by its terms.
static int64_t countTimes(BerthPartCase *given, BerthSum sum, BerthSum whole,
                          const BerthTerm *part) {
  BerthMemory *memory = berthPartMemory(given);
  BerthSum product =
      berthSumMultiply(memory, whole, berthSumOfTerm(memory, part));
  int64_t times = product.isNone ? 0 : INT64_MAX;
  for (size_t i = 0; i < product.count; ++i) {
    int64_t own = 0;
    for (size_t k = 0; k < sum.count; ++k) {
      BerthTerm quotient;
      if (berthTermDivide(&sum.terms[k], &product.terms[i], &quotient) &&
          quotient.count == 0)
        own = quotient.factor;
    }
    times = own < times ? own : times;
  }
  return times;
}

/// With the unknown for what may have wrapped around: that is the same modulo
/// 2^64.
static BerthSum nameWrapped(BerthPartCase *given, BerthSum sum, BerthSum whole,
                            uint32_t wrapped) {
  BerthMemory *memory = berthPartMemory(given);
  BerthSum name = berthSumOfUnknown(memory, wrapped);
  BerthSum without = berthSumAdd(memory, name, whole, -1);
  for (size_t i = 0; i < sum.count;) {
    BerthTerm part;
    int64_t times = 0;
    if (berthTermDivide(&sum.terms[i], &whole.terms[0], &part)) {
      part.factor = 1;
      times = countTimes(given, sum, whole, &part);
    }
    part.factor = times;
    BerthSum named = {.isNone = true};
    if (times > 0)
      named = berthSumAdd(
          memory, sum,
          berthSumMultiply(memory, without, berthSumOfTerm(memory, &part)), 1);
    i = named.isNone ? i + 1 : 0;
    sum = named.isNone ? sum : named;
  }
  return sum;
}

/// Those of one term first: products of them are put together, sums are not.
static BerthSum nameAllWrapped(BerthPartCase *given, BerthSum sum) {
  const BerthPartNumbers *numbers = given->numbers;
  for (int ofMany = 0; ofMany < 2; ++ofMany)
    for (size_t i = 0; i < numbers->numWrapped; ++i) {
      uint32_t wrapped = numbers->wrapped[i];
      BerthSum whole = resolveTerms(
          given, berthPartUnknownOf(numbers, wrapped)->operands[0]);
      if (whole.count && (whole.count > 1) == ofMany &&
          !(berthPartIsExact(given, whole) && isOfCounts(given, whole)))
        sum = nameWrapped(given, sum, whole, wrapped);
    }
  return sum;
}

static BerthSum resolveTerms(BerthPartCase *given, BerthSum sum) {
  BerthMemory *memory = berthPartMemory(given);
  BerthSum resolved = {0};
  if (sum.isNone)
    return sum;
  for (size_t i = 0; i < sum.count; ++i) {
    BerthSum part = berthPartNumber(given, sum.terms[i].factor);
    for (uint32_t u = 0; u < sum.terms[i].count; ++u)
      part = berthSumMultiply(memory, part,
                              resolveUnknown(given, sum.terms[i].unknowns[u]));
    resolved = berthSumAdd(memory, resolved, part, 1);
  }
  return resolved;
}

BerthSum berthPartResolve(BerthPartCase *given, BerthSum sum) {
  return nameAllWrapped(given, resolveTerms(given, sum));
}

bool berthPartFindGuess(const BerthPartCase *given, BerthSum sum,
                        uint32_t *unknown) {
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      uint32_t own = sum.terms[i].unknowns[u];
      size_t index = own & ~BERTH_FIRST_TRUTH;
      const BerthUnknown *found = berthPartUnknownOf(given->numbers, own);
      if (own >= BERTH_FIRST_TRUTH) {
        *unknown = own;
        if (index >= given->numStates || given->states[index].truth < 0)
          return true;
        continue;
      }
      bool isOfTwo = found->kind == BERTH_UNKNOWN_LARGEST ||
                     found->kind == BERTH_UNKNOWN_QUOTIENT;
      for (size_t k = 0; isOfTwo && k < found->numOperands; ++k)
        if (berthPartFindGuess(given, found->operands[k], unknown))
          return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Concluding
//===----------------------------------------------------------------------===//

/// Of a sum that is 1: a truth that would make it another number is not so.
static bool takeTruth(BerthPartCase *given, BerthSum sum) {
  BerthMemory *memory = berthPartMemory(given);
  int64_t number;
  bool isTaken = false;
  if (berthSumIsNumber(sum, &number))
    given->isImpossible |= number != 1;
  for (size_t i = 0; i < sum.count; ++i)
    for (uint32_t u = 0; u < sum.terms[i].count; ++u) {
      uint32_t unknown = sum.terms[i].unknowns[u];
      if (unknown < BERTH_FIRST_TRUTH)
        continue;
      for (int truth = 0; truth < 2; ++truth) {
        BerthSum would = berthSumReplace(memory, sum, unknown,
                                         berthPartNumber(given, truth));
        if (berthPartStateOf(given, unknown)->truth >= 0 ||
            !berthSumIsNumber(would, &number) || number == 1)
          continue;
        berthPartStateOf(given, unknown)->truth = (signed char)!truth;
        isTaken = true;
      }
    }
  if (isTaken)
    berthPartForgetRanges(given);
  return isTaken;
}

/// True if that is new.
static bool addLimit(BerthPartCase *given, BerthSum sum, int64_t most) {
  if (sum.isNone || sum.count == 0)
    return false;
  size_t i = 0;
  while (i < given->numLimits && !berthSumEqual(given->limits[i].sum, sum))
    ++i;
  if (i < given->numLimits && given->limits[i].most <= most)
    return false;
  if (i == given->numLimits) {
    given->limits = berthGrow(given->limits, given->numLimits,
                              &given->limitCapacity, sizeof *given->limits);
    given->limits[given->numLimits++].sum = sum;
  }
  given->limits[i].most = most;
  berthPartForgetRanges(given);
  return true;
}

/// Terms that are not negative have the limit by themselves, too.
static bool addTermLimits(BerthPartCase *given, BerthSum sum, int64_t most) {
  bool isEach = true, isNew = false;
  for (size_t i = 0; i < sum.count; ++i)
    isEach &= sum.terms[i].factor > 0 &&
              berthPartLeastProduct(given, &sum.terms[i]) != INT64_MIN;
  for (size_t i = 0; i < sum.count && isEach; ++i) {
    BerthTerm term = sum.terms[i];
    if (!term.count || (sum.count == 1 && term.factor == 1))
      continue;
    int64_t factor = term.factor;
    term.factor = 1;
    isNew |= addLimit(given, berthSumOfTerm(berthPartMemory(given), &term),
                      most / factor);
  }
  return isNew;
}

static bool addLimits(BerthPartCase *given, BerthSum sum, int64_t most) {
  bool isNew = addLimit(given, sum, most);
  return addTermLimits(given, sum, most) || isNew;
}

/// What a divisor surely is at least, if it surely is at least 1: of
/// max(x, 1) x.
static bool findDivisor(BerthPartCase *given, BerthSum divisor,
                        BerthSum *least) {
  int64_t number;
  uint32_t unknown;
  if (!berthPartIsExact(given, divisor) ||
      berthPartLeastSum(given, divisor) < 1)
    return false;
  *least = divisor;
  if (!berthSumIsUnknown(divisor, &unknown))
    return true;
  const BerthUnknown *found = berthPartUnknownOf(given->numbers, unknown);
  for (int i = 0; found->kind == BERTH_UNKNOWN_LARGEST && i < 2; ++i)
    if (berthSumIsNumber(found->operands[i], &number) && number == 1)
      *least = found->operands[1 - i];
  return true;
}

/// x <= limit: a number, or a number divided by others. True if that is new, or
/// said of a sum that is simpler now.
static bool takeLimit(BerthPartCase *given, BerthSum x, BerthSum limit,
                      bool isLess) {
  int64_t most;
  uint32_t unknown;
  bool isOne = berthSumIsUnknown(x, &unknown);
  if (!isOne && !berthPartIsExact(given, x))
    return false;
  BerthSum product = x;
  while (berthSumIsUnknown(limit, &unknown)) {
    const BerthUnknown *found = berthPartUnknownOf(given->numbers, unknown);
    BerthSum least;
    if (found->kind != BERTH_UNKNOWN_QUOTIENT)
      return false;
    limit = found->operands[0];
    if (!findDivisor(given, found->operands[1], &least))
      return false;
    product = berthSumMultiply(berthPartMemory(given), product, least);
  }
  if (!berthSumIsNumber(limit, &most) || most < isLess)
    return false;
  bool isNew = addLimits(given, x, most - isLess);
  return (!berthSumEqual(product, x) && addLimits(given, product, most)) ||
         isNew;
}

static bool takeComparison(BerthPartCase *given, uint32_t unknown) {
  const BerthUnknown copy = *berthPartUnknownOf(given->numbers, unknown);
  BerthUnknownState *state = berthPartStateOf(given, unknown);
  if (copy.kind != BERTH_UNKNOWN_LESS || copy.number != 1 || state->truth < 0)
    return false;
  bool isLess = state->truth == 1;
  BerthSum a = berthPartResolve(given, copy.operands[isLess ? 0 : 1]);
  BerthSum b = berthPartResolve(given, copy.operands[isLess ? 1 : 0]);
  return takeLimit(given, a, b, isLess);
}

/// a < b, so b < a is not so.
static bool takeSwapped(BerthPartCase *given, const BerthUnknown *less) {
  bool isNew = false;
  for (size_t i = 0; i < given->numbers->numUnknowns; ++i) {
    const BerthUnknown *other = berthPartUnknownOf(given->numbers, (uint32_t)i);
    if (other->kind != BERTH_UNKNOWN_LESS || other->number != less->number ||
        !berthSumEqual(other->operands[0], less->operands[1]) ||
        !berthSumEqual(other->operands[1], less->operands[0]))
      continue;
    BerthUnknownState *state =
        berthPartStateOf(given, (uint32_t)i | BERTH_FIRST_TRUTH);
    given->isImpossible |= state->truth == 1;
    isNew |= state->truth < 0;
    state->truth = 0;
  }
  if (isNew)
    berthPartForgetRanges(given);
  return isNew;
}

/// Of numbers with sign.
static bool takeOrders(BerthPartCase *given) {
  bool isNew = false;
  for (size_t i = 0; i < given->numbers->numUnknowns; ++i) {
    const BerthUnknown copy = *berthPartUnknownOf(given->numbers, (uint32_t)i);
    int truth = berthPartStateOf(given, (uint32_t)i | BERTH_FIRST_TRUTH)->truth;
    if (copy.kind != BERTH_UNKNOWN_LESS || truth < 0)
      continue;
    if (truth == 1)
      isNew |= takeSwapped(given, &copy);
    if (copy.number == 0)
      isNew |= berthPartTakeOrder(
          given, berthPartResolve(given, copy.operands[0]),
          berthPartResolve(given, copy.operands[1]), truth == 1);
  }
  return isNew;
}

/// What is known now may make a sum with a limit a simpler one.
static void refresh(BerthPartCase *given) {
  berthPartForgetRanges(given);
  for (size_t i = 0, count = given->numLimits; i < count; ++i) {
    BerthSum old = given->limits[i].sum;
    given->limits[i].sum = resolveTerms(given, old);
    if (!berthSumEqual(old, given->limits[i].sum))
      addTermLimits(given, given->limits[i].sum, given->limits[i].most);
  }
  berthPartForgetRanges(given);
}

/// What may have wrapped around and has a limit limits what it is made of.
static bool takeIntervals(BerthPartCase *given) {
  bool isNew = false;
  for (size_t i = 0; i < given->numLimits; ++i) {
    uint32_t unknown;
    BerthLimit limit = given->limits[i];
    if (!berthSumIsUnknown(limit.sum, &unknown))
      continue;
    const BerthUnknown found = *berthPartUnknownOf(given->numbers, unknown);
    if (found.kind == BERTH_UNKNOWN_WRAPPED)
      isNew |= berthPartTakeInterval(
          given, resolveTerms(given, found.operands[0]), limit.most);
  }
  return isNew;
}

void berthPartConclude(BerthPartCase *given) {
  // Limits by limits may go on for long.
  enum { kMostRounds = 32, kOfIntervals = 6 };
  bool isNew = true;
  for (int round = 0; isNew && !given->isImpossible && round < kMostRounds;
       ++round) {
    isNew = false;
    refresh(given);
    for (size_t i = 0; i < given->numTruths; ++i)
      isNew |= takeTruth(given, berthPartResolve(given, given->truths[i]));
    for (size_t i = 0; i < given->numbers->numUnknowns; ++i)
      isNew |= takeComparison(given, (uint32_t)i | BERTH_FIRST_TRUTH);
    if (round >= kOfIntervals)
      continue;
    isNew |= takeIntervals(given);
    isNew |= takeOrders(given);
  }
}
