//===- PartRanges.c - Limits of what is not known -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartRanges.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

static const int64_t kUnlimited = INT64_MAX;

static int64_t timesMost(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? kUnlimited : product;
}

static int64_t plusMost(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? kUnlimited : sum;
}

BerthUnknownState *berthPartStateOf(BerthPartCase *given, uint32_t unknown) {
  size_t index = unknown & ~BERTH_FIRST_TRUTH;
  while (given->numStates <= index) {
    given->states = berthGrow(given->states, given->numStates,
                              &given->stateCapacity, sizeof *given->states);
    given->states[given->numStates++] =
        (BerthUnknownState){.truth = -1, .given = INT64_MIN};
  }
  return &given->states[index];
}

/// What was concluded from less may be wrong, or too little.
void berthPartForgetRanges(BerthPartCase *given) {
  for (size_t i = 0; i < given->numStates; ++i)
    given->states[i].isResolved = given->states[i].hasRange = false;
}

BerthPartCase berthPartCaseOf(BerthPartNumbers *numbers,
                              const BerthPartCase *from) {
  BerthPartCase made = {.numbers = numbers};
  if (!from)
    return made;
  for (size_t i = 0; i < from->numStates; ++i) {
    BerthUnknownState *state = berthPartStateOf(&made, (uint32_t)i);
    state->truth = from->states[i].truth;
    state->given = from->states[i].given;
    state->isFactTaken = from->states[i].isFactTaken;
  }
  for (size_t i = 0; i < from->numTruths; ++i)
    berthPartAssume(&made, from->truths[i]);
  for (size_t i = 0; i < from->numLimits; ++i) {
    made.limits =
        berthGrow(made.limits, i, &made.limitCapacity, sizeof *made.limits);
    made.limits[made.numLimits++] = from->limits[i];
  }
  return made;
}

void berthPartCaseFree(BerthPartCase *given) {
  free(given->states);
  free(given->truths);
  free(given->limits);
}

void berthPartAssume(BerthPartCase *given, BerthSum condition) {
  given->truths = berthGrow(given->truths, given->numTruths,
                            &given->truthCapacity, sizeof *given->truths);
  given->truths[given->numTruths++] = condition;
}

void berthPartAtLeast(BerthPartCase *given, BerthSum sum, int64_t least) {
  uint32_t unknown;
  if (!berthSumIsUnknown(sum, &unknown))
    return;
  BerthUnknownState *state = berthPartStateOf(given, unknown);
  if (state->given < least)
    state->given = least;
  berthPartForgetRanges(given);
}

//===----------------------------------------------------------------------===//
// From the least to the most
//===----------------------------------------------------------------------===//

static int64_t mostOf(BerthPartCase *given, uint32_t unknown);

/// Of the term's unknowns; INT64_MIN where one may be negative.
int64_t berthPartLeastProduct(BerthPartCase *given, const BerthTerm *term) {
  int64_t product = 1;
  for (uint32_t i = 0; i < term->count; ++i) {
    int64_t least = berthPartLeast(given, term->unknowns[i]);
    if (least < 0 || __builtin_mul_overflow(product, least, &product))
      return INT64_MIN;
  }
  return product;
}

/// Of unknowns that are not negative, by themselves and by limits of products.
static int64_t mostProduct(BerthPartCase *given, BerthTerm term) {
  int64_t most = 1;
  term.factor = 1;
  for (uint32_t i = 0; i < term.count; ++i)
    most = timesMost(most, mostOf(given, term.unknowns[i]));
  for (size_t i = 0; i < given->numLimits; ++i) {
    BerthSum sum = given->limits[i].sum;
    BerthTerm divisor, rest;
    if (sum.count != 1 || sum.terms[0].factor <= 0 || sum.terms[0].count < 2)
      continue;
    divisor = sum.terms[0];
    divisor.factor = 1;
    if (!berthTermDivide(&term, &divisor, &rest))
      continue;
    int64_t other = timesMost(given->limits[i].most / sum.terms[0].factor,
                              rest.count ? mostProduct(given, rest) : 1);
    most = other < most ? other : most;
  }
  return most;
}

/// The least of a sum; INT64_MIN where that is not known.
int64_t berthPartLeastSum(BerthPartCase *given, BerthSum sum) {
  int64_t total = 0;
  for (size_t i = 0; i < sum.count; ++i) {
    const BerthTerm *term = &sum.terms[i];
    int64_t product = berthPartLeastProduct(given, term);
    if (product != INT64_MIN && term->factor < 0)
      product = mostProduct(given, *term);
    if (product == INT64_MIN || product == kUnlimited ||
        __builtin_mul_overflow(product, term->factor, &product) ||
        __builtin_add_overflow(total, product, &total))
      return INT64_MIN;
  }
  return sum.isNone ? INT64_MIN : total;
}

static int64_t mostByTerms(BerthPartCase *given, BerthSum sum) {
  int64_t total = 0;
  for (size_t i = 0; i < sum.count; ++i) {
    const BerthTerm *term = &sum.terms[i];
    int64_t product = berthPartLeastProduct(given, term);
    if (product == INT64_MIN)
      return kUnlimited;
    if (term->factor > 0)
      product = mostProduct(given, *term);
    if (product == kUnlimited ||
        __builtin_mul_overflow(product, term->factor, &product) ||
        __builtin_add_overflow(total, product, &total))
      return kUnlimited;
  }
  return total;
}

/// The sum without some times what has a limit, if fewer terms are left.
static bool takeOff(BerthPartCase *given, BerthSum sum, BerthSum limited,
                    BerthTerm *times, BerthSum *rest) {
  BerthMemory *memory = berthPartMemory(given);
  for (size_t i = 0; i < sum.count && limited.count; ++i) {
    if (!berthTermDivide(&sum.terms[i], &limited.terms[0], times) ||
        times->factor <= 0 || berthPartLeastProduct(given, times) == INT64_MIN)
      continue;
    BerthSum part =
        berthSumMultiply(memory, limited, berthSumOfTerm(memory, times));
    *rest = berthSumAdd(memory, sum, part, -1);
    if (!rest->isNone && rest->count < sum.count)
      return true;
  }
  return false;
}

/// The most of a sum, by its terms, or by what several of them have as a limit:
/// up to `depth` such parts.
static int64_t mostSumOf(BerthPartCase *given, BerthSum sum, int depth) {
  int64_t most = mostByTerms(given, sum);
  for (size_t i = 0;
       i < given->numLimits && depth > 0 && !berthPartIsTired(given); ++i) {
    BerthTerm times;
    BerthSum rest;
    if (given->limits[i].sum.count < 2 ||
        !takeOff(given, sum, given->limits[i].sum, &times, &rest))
      continue;
    int64_t part = timesMost(given->limits[i].most, mostProduct(given, times));
    int64_t other = plusMost(mostSumOf(given, rest, depth - 1),
                             timesMost(part, times.factor));
    most = other < most ? other : most;
  }
  return most;
}

static int64_t mostSum(BerthPartCase *given, BerthSum sum) {
  enum { kParts = 1 };
  BerthMemoryMark mark = berthMemoryGetMark(berthPartMemory(given));
  int64_t most = sum.isNone ? kUnlimited : mostSumOf(given, sum, kParts);
  berthMemoryRelease(berthPartMemory(given), mark);
  return most;
}

bool berthPartIsExact(BerthPartCase *given, BerthSum sum) {
  return berthPartLeastSum(given, sum) >= 0 && mostSum(given, sum) < kUnlimited;
}

/// What the kind and the operands say. A maximum and a quotient are of numbers
/// without sign; they are known where these are exact.
static void findKindRange(BerthPartCase *given, const BerthUnknown *unknown,
                          int64_t *least, int64_t *most) {
  BerthSum a = {0}, b = {0};
  int64_t divisor = 0, bound;
  *least = INT64_MIN;
  *most = kUnlimited;
  bool isOfTwo = unknown->kind == BERTH_UNKNOWN_LARGEST ||
                 unknown->kind == BERTH_UNKNOWN_QUOTIENT;
  if (isOfTwo) {
    a = unknown->operands[0];
    b = unknown->operands[1];
  }
  bool areExact =
      isOfTwo && berthPartIsExact(given, a) && berthPartIsExact(given, b);
  switch (unknown->kind) {
  case BERTH_UNKNOWN_PLACE:
  case BERTH_UNKNOWN_EXTENT:
    *least = 0;
    break;
  case BERTH_UNKNOWN_LESS:
  case BERTH_UNKNOWN_EQUAL:
    *least = 0;
    *most = 1;
    break;
  case BERTH_UNKNOWN_LARGEST:
    if (!areExact)
      break;
    *least = berthPartLeastSum(given, a);
    if (berthPartLeastSum(given, b) > *least)
      *least = berthPartLeastSum(given, b);
    *most = mostSum(given, a);
    if (mostSum(given, b) > *most)
      *most = mostSum(given, b);
    break;
  case BERTH_UNKNOWN_QUOTIENT:
    if (berthSumIsNumber(b, &divisor) && divisor > 1) {
      *least = areExact ? berthPartLeastSum(given, a) / divisor : 0;
      *most = areExact ? mostSum(given, a) / divisor : kUnlimited;
    } else if (areExact && berthPartLeastSum(given, b) >= 1) {
      *least = 0;
      *most = mostSum(given, a);
    }
    break;
  default:
    break;
  }
  MlirValue value = unknown->value;
  if (!mlirValueIsNull(value) && mlirTypeIsAIndex(mlirValueGetType(value)) &&
      berthValueGetUpperBound(value, &bound) && bound < *most)
    *most = bound;
}

static void findRange(BerthPartCase *given, uint32_t unknown) {
  if (berthPartStateOf(given, unknown)->hasRange)
    return;
  int64_t least, most;
  BerthSum own = berthSumOfUnknown(berthPartMemory(given), unknown);
  if (unknown >= BERTH_FIRST_TRUTH)
    least = 0, most = 1;
  else
    findKindRange(given, berthPartUnknownOf(given->numbers, unknown), &least,
                  &most);
  for (size_t i = 0; i < given->numLimits; ++i)
    if (berthSumEqual(given->limits[i].sum, own)) {
      least = least > 0 ? least : 0;
      most = most < given->limits[i].most ? most : given->limits[i].most;
    }
  BerthUnknownState *state = berthPartStateOf(given, unknown);
  state->least = least > state->given ? least : state->given;
  state->most = most;
  state->hasRange = true;
}

int64_t berthPartLeast(BerthPartCase *given, uint32_t unknown) {
  findRange(given, unknown);
  return berthPartStateOf(given, unknown)->least;
}

static int64_t mostOf(BerthPartCase *given, uint32_t unknown) {
  findRange(given, unknown);
  return berthPartStateOf(given, unknown)->most;
}
