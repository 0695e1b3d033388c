//===- Sums.c - Sums of products of unknown numbers -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/Sums.h"
#include "IR/Ops/OrDie.h"

static const BerthSum none = {.isNone = true};

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Negative if `a` comes first: more unknowns, then the smaller ones. What
/// comes first still does when both are multiplied by the same.
static int compareTerms(const BerthTerm *a, const BerthTerm *b) {
  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->unknowns[i] != b->unknowns[i])
      return a->unknowns[i] < b->unknowns[i] ? -1 : 1;
  return 0;
}

static bool multiplyTerms(const BerthTerm *a, const BerthTerm *b,
                          BerthTerm *product) {
  product->count = 0;
  if (__builtin_mul_overflow(a->factor, b->factor, &product->factor))
    return false;
  for (uint32_t i = 0, k = 0; i < a->count || k < b->count;) {
    bool takesA =
        k == b->count || (i < a->count && a->unknowns[i] <= b->unknowns[k]);
    uint32_t unknown = takesA ? a->unknowns[i++] : b->unknowns[k++];
    if (unknown >= BERTH_FIRST_TRUTH && product->count &&
        product->unknowns[product->count - 1] == unknown)
      continue;
    if (product->count == BERTH_MOST_UNKNOWNS)
      return false;
    product->unknowns[product->count++] = unknown;
  }
  return true;
}

uint32_t berthTermCount(const BerthTerm *term, uint32_t unknown) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < term->count; ++i)
    count += term->unknowns[i] == unknown;
  return count;
}

BerthTerm berthTermWithout(const BerthTerm *term, uint32_t unknown) {
  BerthTerm rest = {.factor = term->factor};
  bool isLeftOut = false;
  for (uint32_t i = 0; i < term->count; ++i)
    if (!isLeftOut && term->unknowns[i] == unknown)
      isLeftOut = true;
    else
      rest.unknowns[rest.count++] = term->unknowns[i];
  return rest;
}

bool berthTermDivide(const BerthTerm *term, const BerthTerm *divisor,
                     BerthTerm *quotient) {
  if (divisor->factor == 0 || term->factor % divisor->factor ||
      divisor->factor == -1)
    return false;
  *quotient = *term;
  quotient->factor = term->factor / divisor->factor;
  for (uint32_t i = 0; i < divisor->count; ++i) {
    if (!berthTermCount(quotient, divisor->unknowns[i]))
      return false;
    *quotient = berthTermWithout(quotient, divisor->unknowns[i]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

BerthSum berthSumOfTerm(BerthMemory *memory, const BerthTerm *term) {
  if (term->factor == 0)
    return (BerthSum){0};
  return (BerthSum){.terms = berthNewCopy(memory, term, 1, sizeof *term),
                    .count = 1};
}

BerthSum berthSumOfNumber(BerthMemory *memory, int64_t number) {
  return berthSumOfTerm(memory, &(BerthTerm){.factor = number});
}

BerthSum berthSumOfUnknown(BerthMemory *memory, uint32_t unknown) {
  return berthSumOfTerm(
      memory, &(BerthTerm){.factor = 1, .count = 1, .unknowns = {unknown}});
}

BerthSum berthSumAdd(BerthMemory *memory, BerthSum a, BerthSum b,
                     int64_t factor) {
  if (a.isNone || b.isNone || a.count + b.count > BERTH_MOST_TERMS)
    return none;
  BerthTerm *terms = BERTH_NEW(memory, BerthTerm, a.count + b.count + 1);
  size_t count = 0;
  for (size_t i = 0, k = 0; i < a.count || k < b.count;) {
    int order = i == a.count   ? 1
                : k == b.count ? -1
                               : compareTerms(&a.terms[i], &b.terms[k]);
    BerthTerm *term = &terms[count];
    int64_t scaled = 0;
    if (order >= 0 &&
        __builtin_mul_overflow(b.terms[k].factor, factor, &scaled))
      return none;
    *term = order <= 0 ? a.terms[i] : b.terms[k];
    if (order > 0)
      term->factor = 0;
    if (__builtin_add_overflow(term->factor, scaled, &term->factor))
      return none;
    count += term->factor != 0;
    i += order <= 0;
    k += order >= 0;
  }
  return (BerthSum){.terms = terms, .count = count};
}

BerthSum berthSumMultiply(BerthMemory *memory, BerthSum a, BerthSum b) {
  BerthSum product = {0};
  if (a.isNone || b.isNone)
    return none;
  for (size_t i = 0; i < a.count; ++i)
    for (size_t k = 0; k < b.count; ++k) {
      BerthTerm term;
      if (!multiplyTerms(&a.terms[i], &b.terms[k], &term))
        return none;
      product = berthSumAdd(memory, product, berthSumOfTerm(memory, &term), 1);
      if (product.isNone)
        return none;
    }
  return product;
}

bool berthSumDivide(BerthMemory *memory, BerthSum a, BerthSum b,
                    BerthSum *quotient) {
  *quotient = (BerthSum){0};
  if (a.isNone || b.isNone || b.count == 0)
    return false;
  for (int left = BERTH_MOST_TERMS; a.count && left > 0; --left) {
    BerthTerm term;
    if (!berthTermDivide(&a.terms[0], &b.terms[0], &term))
      return false;
    BerthSum part = berthSumOfTerm(memory, &term);
    *quotient = berthSumAdd(memory, *quotient, part, 1);
    a = berthSumAdd(memory, a, berthSumMultiply(memory, part, b), -1);
    if (a.isNone || quotient->isNone)
      return false;
  }
  return a.count == 0;
}

BerthSum berthSumReplace(BerthMemory *memory, BerthSum sum, uint32_t unknown,
                         BerthSum by) {
  BerthSum made = {0};
  if (sum.isNone)
    return none;
  for (size_t i = 0; i < sum.count && !made.isNone; ++i) {
    BerthTerm term = sum.terms[i];
    BerthSum part = berthSumOfNumber(memory, 1);
    while (berthTermCount(&term, unknown)) {
      term = berthTermWithout(&term, unknown);
      part = berthSumMultiply(memory, part, by);
    }
    part = berthSumMultiply(memory, part, berthSumOfTerm(memory, &term));
    made = berthSumAdd(memory, made, part, 1);
  }
  return made;
}

bool berthSumEqual(BerthSum a, BerthSum b) {
  if (a.isNone || b.isNone || a.count != b.count)
    return false;
  for (size_t i = 0; i < a.count; ++i)
    if (a.terms[i].factor != b.terms[i].factor ||
        compareTerms(&a.terms[i], &b.terms[i]) != 0)
      return false;
  return true;
}

bool berthSumIsNumber(BerthSum sum, int64_t *number) {
  if (sum.isNone || sum.count > 1 || (sum.count && sum.terms[0].count))
    return false;
  *number = sum.count ? sum.terms[0].factor : 0;
  return true;
}

bool berthSumIsUnknown(BerthSum sum, uint32_t *unknown) {
  if (sum.isNone || sum.count != 1 || sum.terms[0].count != 1 ||
      sum.terms[0].factor != 1)
    return false;
  *unknown = sum.terms[0].unknowns[0];
  return true;
}
