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
    given->states[given->numStates++] = (BerthUnknownState){
        .truth = -1, .given = INT64_MIN, .givenMost = kUnlimited};
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
    state->givenMost = from->states[i].givenMost;
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

/// Of a term's unknowns, which may be negative where there is one.
static int64_t leastOfTerm(BerthPartCase *given, const BerthTerm *term) {
  return term->count == 1 ? berthPartLeast(given, term->unknowns[0])
                          : berthPartLeastProduct(given, term);
}

static int64_t mostOfTerm(BerthPartCase *given, const BerthTerm *term) {
  if (term->count == 1)
    return mostOf(given, term->unknowns[0]);
  return berthPartLeastProduct(given, term) == INT64_MIN
             ? kUnlimited
             : mostProduct(given, *term);
}

/// The least of a sum; INT64_MIN where that is not known.
int64_t berthPartLeastSum(BerthPartCase *given, BerthSum sum) {
  int64_t total = 0;
  for (size_t i = 0; i < sum.count; ++i) {
    const BerthTerm *term = &sum.terms[i];
    int64_t product = leastOfTerm(given, term);
    if (term->factor < 0)
      product = mostOfTerm(given, term);
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
    int64_t product = leastOfTerm(given, term);
    if (term->factor > 0)
      product = mostOfTerm(given, term);
    if (product == INT64_MIN || product == kUnlimited ||
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

/// By way of limits an unknown may be asked for while its own operands are
/// looked at: it has the limits that are given then.
static void findRange(BerthPartCase *given, uint32_t unknown) {
  BerthUnknownState *open = berthPartStateOf(given, unknown);
  if (open->hasRange || open->isOpen)
    return;
  open->isOpen = true;
  open->least = open->given;
  open->most = open->givenMost;
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
  state->most = most < state->givenMost ? most : state->givenMost;
  state->hasRange = true;
  state->isOpen = false;
}

int64_t berthPartLeast(BerthPartCase *given, uint32_t unknown) {
  findRange(given, unknown);
  return berthPartStateOf(given, unknown)->least;
}

static int64_t mostOf(BerthPartCase *given, uint32_t unknown) {
  findRange(given, unknown);
  return berthPartStateOf(given, unknown)->most;
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Of numbers with sign, beyond 64 bits as well.
__extension__ typedef __int128 Long;

typedef struct Interval {
  Long least, most;
} Interval;

/// One unknown is a number of 64 bits, whatever else is known. False where it
/// is too much to be of any use.
static bool addTerm(BerthPartCase *given, Interval *to, const BerthTerm *term) {
  int64_t least = leastOfTerm(given, term), most = mostOfTerm(given, term);
  if (term->count > 1 && (least == INT64_MIN || most == kUnlimited))
    return false;
  Long low = (Long)(term->factor > 0 ? least : most) * term->factor;
  Long high = (Long)(term->factor > 0 ? most : least) * term->factor;
  *to = (Interval){to->least + low, to->most + high};
  const Long far = (Long)1 << 100;
  return to->least > -far && to->most < far;
}

/// Of all terms but one.
static bool findRest(BerthPartCase *given, BerthSum sum, size_t without,
                     Interval *rest) {
  *rest = (Interval){0, 0};
  for (size_t i = 0; i < sum.count; ++i)
    if (i != without && !addTerm(given, rest, &sum.terms[i]))
      return false;
  return true;
}

static Long divideDown(Long a, Long b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// factor x + rest is from 0 to `most`, but for multiples of 2^64: false if
/// there may be any of these.
static bool solveFor(BerthPartCase *given, const BerthTerm *term, Interval rest,
                     int64_t most, Interval *x) {
  const Long wrap = (Long)1 << 64;
  Interval whole = rest;
  if (!addTerm(given, &whole, term) || whole.least - most <= -wrap ||
      whole.most >= wrap)
    return false;
  Interval product = {-rest.most, most - rest.least};
  if (term->factor < 0)
    product = (Interval){-product.most, -product.least};
  Long size = term->factor > 0 ? term->factor : -(Long)term->factor;
  *x = (Interval){-divideDown(-product.least, size),
                  divideDown(product.most, size)};
  return true;
}

/// True if that is new.
static bool narrow(BerthPartCase *given, uint32_t unknown, Interval to) {
  Interval old = {berthPartLeast(given, unknown), mostOf(given, unknown)};
  BerthUnknownState *state = berthPartStateOf(given, unknown);
  if (to.least <= old.least && to.most >= old.most)
    return false;
  if (to.least > old.most || to.most < old.least) {
    given->isImpossible = true;
    return true;
  }
  if (to.least > state->given)
    state->given = (int64_t)to.least;
  if (to.most < state->givenMost)
    state->givenMost = (int64_t)to.most;
  berthPartForgetRanges(given);
  return true;
}

bool berthPartTakeInterval(BerthPartCase *given, BerthSum sum, int64_t most) {
  bool isNew = false;
  for (size_t i = 0; i < sum.count; ++i) {
    const BerthTerm *term = &sum.terms[i];
    uint32_t unknown = term->count ? term->unknowns[0] : BERTH_FIRST_TRUTH;
    Interval rest, x;
    int terms = 0;
    for (size_t k = 0; k < sum.count; ++k)
      terms += berthTermCount(&sum.terms[k], unknown) > 0;
    if (term->count == 1 && terms == 1 && unknown < BERTH_FIRST_TRUTH &&
        findRest(given, sum, i, &rest) && solveFor(given, term, rest, most, &x))
      isNew |= narrow(given, unknown, x);
  }
  return isNew;
}

/// What the program has with sign: one unknown, or what is surely the sum.
static bool findSigned(BerthPartCase *given, BerthSum sum, uint32_t *unknown,
                       Interval *interval) {
  *unknown = BERTH_FIRST_TRUTH;
  bool isOne = berthSumIsUnknown(sum, unknown) && *unknown < BERTH_FIRST_TRUTH;
  if (!isOne)
    *unknown = BERTH_FIRST_TRUTH;
  return !sum.isNone && findRest(given, sum, sum.count, interval) &&
         interval->least >= INT64_MIN && interval->most <= INT64_MAX;
}

bool berthPartTakeOrder(BerthPartCase *given, BerthSum a, BerthSum b,
                        bool isLess) {
  uint32_t first, second;
  Interval left, right, difference;
  BerthSum distance = berthSumAdd(berthPartMemory(given), b, a, -1);
  if (!findSigned(given, a, &first, &left) ||
      !findSigned(given, b, &second, &right) || distance.isNone ||
      !findRest(given, distance, distance.count, &difference))
    return false;
  given->isImpossible |= isLess ? difference.most < 1 : difference.least > 0;
  Interval lower = {INT64_MIN, isLess ? right.most - 1 : INT64_MAX};
  Interval upper = {isLess ? left.least + 1 : INT64_MIN, INT64_MAX};
  if (!isLess) {
    lower.least = right.least;
    upper.most = left.most;
  }
  bool isNew = first < BERTH_FIRST_TRUTH && narrow(given, first, lower);
  return (second < BERTH_FIRST_TRUTH && narrow(given, second, upper)) || isNew;
}
