//===- PartsApart.c - Threads' parts of a block, whatever the sizes -------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Parts/PartsApart.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Parts/PartDivisors.h"
#include "IR/Verify/Parts/PartHost.h"
#include "IR/Verify/Parts/PartResolve.h"
#include "IR/Verify/Parts/PartSigns.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Of what is not known, both ways are gone.
enum { kNumExtents = 6, kMostGuesses = 12 };

BerthPartCheck berthPartCheckBegin(MlirOperation alloc, MlirOperation launch,
                                   MlirOperation kernel, intptr_t firstExtent,
                                   intptr_t firstArgument) {
  return (BerthPartCheck){.numbers = {.alloc = alloc,
                                      .launch = launch,
                                      .kernel = kernel,
                                      .firstExtent = firstExtent,
                                      .firstArgument = firstArgument},
                          .given = {.isImpossible = false}};
}

/// The check has to lie where it stays.
static void begin(BerthPartCheck *check) {
  if (check->given.numbers)
    return;
  check->given = berthPartCaseOf(&check->numbers, NULL);
  berthPartReadHost(&check->given);
  check->bytes = berthPartBytes(&check->numbers);
}

void berthPartCheckFree(BerthPartCheck *check) {
  berthPartCaseFree(&check->given);
  berthPartNumbersFree(&check->numbers);
}

//===----------------------------------------------------------------------===//
// What a view touches
//===----------------------------------------------------------------------===//

/// Elements at these strides, which count bytes.
typedef struct Elements {
  BerthSum start;
  int64_t width;
  intptr_t rank;
  BerthSum sizes[BERTH_SLICE_MAX_RANK], strides[BERTH_SLICE_MAX_RANK];
  BerthSum bytes; ///< of the block
  BerthSum own;   ///< U of the first view
  bool areOfAll;  ///< no thread's part: all of them have these
} Elements;

static int64_t widthOf(MlirType type, MlirOperation at) {
  BerthTypeSize size = {0};
  berthMemRefGetSize(type, at, &size);
  return size.elementBytes;
}

/// A size, stride or offset of an op: `*next` is the operand where the list
/// says that it is one.
static BerthSum mixed(BerthPartCheck *check, MlirOperation op, const char *list,
                      intptr_t position, intptr_t *next) {
  int64_t number =
      mlirDenseI64ArrayGetElement(berthAttributeOf(op, list), position);
  if (number != mlirShapedTypeGetDynamicStrideOrOffset())
    return berthSumOfNumber(&check->numbers.memory, number);
  return berthPartSum(&check->numbers, mlirOperationGetOperand(op, (*next)++));
}

static void readCast(BerthPartCheck *check, MlirOperation cast,
                     Elements *elements) {
  BerthMemory *memory = &check->numbers.memory;
  intptr_t next = 1;
  BerthSum width = berthSumOfNumber(memory, elements->width);
  BerthSum offset = mixed(check, cast, "static_offsets", 0, &next);
  elements->start = berthSumAdd(memory, elements->start,
                                berthSumMultiply(memory, offset, width), 1);
  for (intptr_t d = 0; d < elements->rank; ++d)
    elements->sizes[d] = mixed(check, cast, "static_sizes", d, &next);
  for (intptr_t d = 0; d < elements->rank; ++d)
    elements->strides[d] = berthSumMultiply(
        memory, mixed(check, cast, "static_strides", d, &next), width);
}

static void readShape(BerthPartCheck *check, MlirOperation view, MlirType type,
                      Elements *elements) {
  BerthMemory *memory = &check->numbers.memory;
  intptr_t next = 2;
  for (intptr_t d = 0; d < elements->rank; ++d)
    elements->sizes[d] =
        mlirShapedTypeIsDynamicDim(type, d)
            ? berthPartSum(&check->numbers,
                           mlirOperationGetOperand(view, next++))
            : berthSumOfNumber(memory, mlirShapedTypeGetDimSize(type, d));
  BerthSum distance = berthSumOfNumber(memory, elements->width);
  for (intptr_t d = elements->rank; d-- > 0;) {
    elements->strides[d] = distance;
    distance = berthSumMultiply(memory, distance, elements->sizes[d]);
  }
}

//===----------------------------------------------------------------------===//
// The proof
//===----------------------------------------------------------------------===//

/// An address without its place: the factors of the places, and what is left.
typedef struct Address {
  BerthSum factors[kNumExtents];
  BerthSum rest;
} Address;

static bool readAddress(BerthPartCheck *check, BerthSum start,
                        Address *address) {
  BerthMemory *memory = &check->numbers.memory;
  *address = (Address){.rest = {0}};
  for (size_t i = 0; i < start.count; ++i) {
    BerthTerm term = start.terms[i];
    BerthSum *sum = &address->rest;
    for (uint32_t u = 0; u < term.count; ++u) {
      const BerthUnknown *unknown =
          berthPartUnknownOf(&check->numbers, term.unknowns[u]);
      if (unknown->kind != BERTH_UNKNOWN_PLACE)
        continue;
      if (sum != &address->rest)
        return false;
      sum = &address->factors[unknown->number];
      term = berthTermWithout(&term, term.unknowns[u--]);
    }
    *sum = berthSumAdd(memory, *sum, berthSumOfTerm(memory, &term), 1);
  }
  return !start.isNone;
}

/// U, and M = U T. False unless the places count the threads, by U.
static bool findNumbering(BerthPartCheck *check, BerthPartCase *given,
                          const Address *address, BerthSum *own,
                          BerthSum *all) {
  static const int order[kNumExtents] = {3, 4, 5, 0, 1, 2};
  BerthMemory *memory = &check->numbers.memory;
  bool isFirst = true;
  for (int k = 0; k < kNumExtents; ++k) {
    int64_t number;
    BerthSum factor = address->factors[order[k]];
    BerthSum extent =
        berthPartResolve(given, berthPartExtent(&check->numbers, order[k]));
    if (berthSumIsNumber(extent, &number) && number == 1)
      continue;
    if (isFirst)
      *own = *all = factor;
    else if (!berthSumEqual(factor, *all))
      return false;
    isFirst = false;
    *all = berthSumMultiply(memory, *all, extent);
  }
  return isFirst || (berthPartIsOfAll(&check->numbers, *own) && !own->isNone &&
                     !all->isNone);
}

/// Σ (size - 1) stride, of strides divided by `unit`; `*isLess` if one of them
/// may be negative. False if one is no multiple.
static bool findReach(BerthPartCheck *check, BerthPartCase *given,
                      const Elements *elements, BerthSum unit,
                      BerthSum *reach) {
  BerthMemory *memory = &check->numbers.memory;
  BerthSum one = berthSumOfNumber(memory, 1);
  *reach = (BerthSum){0};
  for (intptr_t d = 0; d < elements->rank; ++d) {
    BerthSum stride, last = berthSumAdd(memory, elements->sizes[d], one, -1);
    if (last.count == 0 && !last.isNone)
      continue;
    if (!berthSumDivide(memory, elements->strides[d], unit, &stride) ||
        !berthPartIsNotNegative(given, stride))
      return false;
    *reach =
        berthSumAdd(memory, *reach, berthSumMultiply(memory, last, stride), 1);
  }
  return true;
}

/// a >= b c, for a c that is more than 0.
static bool isAtLeastTimes(BerthPartCheck *check, BerthPartCase *given,
                           BerthSum a, BerthSum b, BerthSum c) {
  BerthMemory *memory = &check->numbers.memory;
  BerthSum left = berthSumAdd(memory, a, berthSumMultiply(memory, b, c), -1);
  BerthSum quotient;
  if (berthSumDivide(memory, left, c, &quotient))
    left = quotient;
  return berthPartIsNotNegative(given, left);
}

/// c is the bytes in a word of U bytes, q counts words.
static BerthPartFault checkWords(BerthPartCheck *check, BerthPartCase *given,
                                 const Elements *elements, BerthSum own,
                                 BerthSum all, BerthSum rest, bool *isWords) {
  BerthMemory *memory = &check->numbers.memory;
  BerthSum first, reach, one = berthSumOfNumber(memory, 1);
  *isWords = berthSumDivide(memory, rest, all, &first) &&
             findReach(check, given, elements, all, &reach);
  if (!*isWords)
    return BERTH_PART_COMMON;
  BerthSum width = berthSumOfNumber(memory, elements->width);
  if (!berthPartIsNotNegative(given, berthSumAdd(memory, own, width, -1)))
    return BERTH_PART_COMMON;
  BerthSum words =
      berthSumAdd(memory, one, berthSumAdd(memory, first, reach, 1), 1);
  return berthPartIsNotNegative(given, first) &&
                 isAtLeastTimes(check, given, elements->bytes, words, all)
             ? BERTH_PART_RIGHT
             : BERTH_PART_OUTSIDE;
}

/// All bytes are c, of at most `own`.
static BerthPartFault checkRow(BerthPartCheck *check, BerthPartCase *given,
                               const Elements *elements, BerthSum own,
                               BerthSum rest) {
  BerthMemory *memory = &check->numbers.memory;
  BerthSum reach, one = berthSumOfNumber(memory, 1);
  if (!findReach(check, given, elements, one, &reach))
    return BERTH_PART_COMMON;
  BerthSum end = berthSumAdd(memory, berthSumAdd(memory, rest, reach, 1), one,
                             elements->width);
  bool isIn = berthPartIsNotNegative(given, rest) &&
              berthPartIsNotNegative(given, berthSumAdd(memory, own, end, -1));
  return isIn ? BERTH_PART_RIGHT : BERTH_PART_COMMON;
}

/// All bytes are of the block, no matter of which thread.
static BerthPartFault checkWhole(BerthPartCheck *check, BerthPartCase *given,
                                 const Elements *elements, BerthSum start) {
  BerthPartFault fault =
      checkRow(check, given, elements, elements->bytes, start);
  return fault == BERTH_PART_COMMON ? BERTH_PART_OUTSIDE : fault;
}

static BerthPartFault checkKnown(BerthPartCheck *check, BerthPartCase *given,
                                 const Elements *elements) {
  Address address;
  BerthSum own = {0}, all = {0};
  bool isWords;
  if (!berthPartIsExact(given, elements->bytes))
    return BERTH_PART_OVERFLOWS;
  if (elements->areOfAll)
    return checkWhole(check, given, elements, elements->start);
  if (!readAddress(check, elements->start, &address) ||
      !findNumbering(check, given, &address, &own, &all))
    return BERTH_PART_COMMON;
  if (own.count == 0) {
    // There is one thread, or all have the same bytes.
    for (int k = 0; k < kNumExtents; ++k) {
      int64_t number;
      BerthSum extent =
          berthPartResolve(given, berthPartExtent(&check->numbers, k));
      if (!berthSumIsNumber(extent, &number) || number != 1)
        return BERTH_PART_COMMON;
    }
    return checkWhole(check, given, elements, address.rest);
  }
  if (!berthSumEqual(own, elements->own))
    return BERTH_PART_COMMON;
  BerthPartFault fault =
      checkWords(check, given, elements, own, all, address.rest, &isWords);
  if (isWords)
    return fault;
  fault = checkRow(check, given, elements, own, address.rest);
  BerthSum one = berthSumOfNumber(&check->numbers.memory, 1);
  bool isThere = isAtLeastTimes(check, given, elements->bytes, one, all);
  return fault || isThere ? fault : BERTH_PART_OUTSIDE;
}

/// Sums with all that is known.
static void resolve(BerthPartCase *given, Elements *elements) {
  elements->start = berthPartResolve(given, elements->start);
  elements->bytes = berthPartResolve(given, elements->bytes);
  elements->own = berthPartResolve(given, elements->own);
  for (intptr_t d = 0; d < elements->rank; ++d) {
    elements->sizes[d] = berthPartResolve(given, elements->sizes[d]);
    elements->strides[d] = berthPartResolve(given, elements->strides[d]);
  }
}

/// Takes it that there are elements; false if there are none. Nothing is
/// guessed from here on, so what has a limit is as simple as what is asked for.
static bool takeElements(BerthPartCase *given, const Elements *asked,
                         Elements *elements, BerthPartFault *fault) {
  for (intptr_t d = 0; d < elements->rank; ++d) {
    uint32_t unknown;
    int64_t number;
    BerthSum size = elements->sizes[d];
    if (berthSumIsNumber(size, &number) && number <= 0)
      return false;
    if (!berthSumIsUnknown(size, &unknown) && !berthPartIsExact(given, size))
      *fault = BERTH_PART_BOUNDLESS;
    berthPartAtLeast(given, size, 1);
  }
  berthPartConclude(given);
  *elements = *asked;
  resolve(given, elements);
  return true;
}

static bool findGuess(const BerthPartCase *given, const Elements *elements,
                      uint32_t *unknown) {
  bool found = berthPartFindGuess(given, elements->start, unknown) ||
               berthPartFindGuess(given, elements->bytes, unknown) ||
               berthPartFindGuess(given, elements->own, unknown);
  for (intptr_t d = 0; !found && d < elements->rank; ++d)
    found = berthPartFindGuess(given, elements->sizes[d], unknown) ||
            berthPartFindGuess(given, elements->strides[d], unknown);
  return found;
}

static BerthPartFault checkCases(BerthPartCheck *check,
                                 const BerthPartCase *from,
                                 const Elements *asked, BerthSum condition,
                                 int depth) {
  BerthPartCase given = berthPartCaseOf(&check->numbers, from);
  BerthMemory *memory = &check->numbers.memory;
  BerthMemoryMark mark = berthMemoryGetMark(memory);
  Elements elements = *asked;
  BerthPartFault fault = BERTH_PART_RIGHT;
  uint32_t unknown;
  berthPartAssume(&given, condition);
  berthPartConclude(&given);
  resolve(&given, &elements);
  bool isGuessed = findGuess(&given, &elements, &unknown);
  if (given.isImpossible) {
    fault = BERTH_PART_RIGHT;
  } else if (!isGuessed) {
    if (takeElements(&given, asked, &elements, &fault) && !fault &&
        !given.isImpossible)
      fault = checkKnown(check, &given, &elements);
  } else if (depth == 0 || berthPartIsTired(&given)) {
    fault = BERTH_PART_BOUNDLESS;
  } else {
    BerthSum truth = berthSumOfUnknown(memory, unknown);
    BerthSum one = berthSumOfNumber(memory, 1);
    fault = checkCases(check, &given, asked, truth, depth - 1);
    if (!fault)
      fault = checkCases(check, &given, asked,
                         berthSumAdd(memory, one, truth, -1), depth - 1);
  }
  berthPartCaseFree(&given);
  berthMemoryRelease(memory, mark);
  return fault;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// False if the elements are none that can be looked at.
static bool readElements(BerthPartCheck *check, MlirOperation view,
                         MlirOperation cast, Elements *elements) {
  bool isCast = !mlirOperationIsNull(cast);
  MlirOperation op = isCast ? cast : view;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  *elements = (Elements){
      .start = berthPartSum(&check->numbers, mlirOperationGetOperand(view, 1)),
      .width = widthOf(type, op),
      .rank = (intptr_t)mlirShapedTypeGetRank(type),
      .bytes = check->bytes};
  if (elements->rank > BERTH_SLICE_MAX_RANK || elements->width <= 0)
    return false;
  if (isCast)
    readCast(check, cast, elements);
  else
    readShape(check, view, type, elements);
  return true;
}

/// `division`: an op that may divide by 0, or null.
static BerthPartFault checkElements(BerthPartCheck *check,
                                    const Elements *elements, MlirOperation at,
                                    MlirOperation division) {
  check->division = mlirOperationIsNull(division)
                        ? berthPartDivisionOnHost(&check->given)
                        : division;
  if (!mlirOperationIsNull(check->division))
    return BERTH_PART_DIVIDES;
  return checkCases(check, &check->given, elements,
                    berthPartConditionOf(&check->numbers, at), kMostGuesses);
}

BerthPartFault berthPartCheckView(BerthPartCheck *check, MlirOperation view,
                                  MlirOperation cast) {
  begin(check);
  Elements elements;
  Address address;
  BerthSum all;
  if (!readElements(check, view, cast, &elements))
    return BERTH_PART_BOUNDLESS;
  if (!check->hasOwn && readAddress(check, elements.start, &address))
    check->hasOwn =
        findNumbering(check, &check->given, &address, &check->own, &all);
  elements.own = check->own;
  MlirOperation at = mlirOperationIsNull(cast) ? view : cast;
  return checkElements(check, &elements, at,
                       berthPartDivisionInKernel(&check->given, view, cast));
}

/// As many words as the block has, by the quotient that tells it.
static bool isWholeBlock(BerthPartCheck *check, const Elements *elements) {
  uint32_t unknown;
  int64_t divisor;
  if (elements->rank != 1 || elements->start.count || elements->start.isNone ||
      !berthSumIsUnknown(elements->sizes[0], &unknown))
    return false;
  const BerthUnknown *found = berthPartUnknownOf(&check->numbers, unknown);
  return found->kind == BERTH_UNKNOWN_QUOTIENT &&
         berthSumEqual(found->operands[0], check->bytes) &&
         berthSumIsNumber(found->operands[1], &divisor) &&
         divisor == elements->width;
}

BerthPartFault berthPartCheckBlock(BerthPartCheck *check, MlirOperation view) {
  begin(check);
  Elements elements;
  MlirOperation nothing = {NULL};
  if (!readElements(check, view, nothing, &elements))
    return BERTH_PART_BOUNDLESS;
  if (isWholeBlock(check, &elements))
    return BERTH_PART_RIGHT;
  elements.areOfAll = true;
  return checkElements(check, &elements, view,
                       berthPartDivisionInKernel(&check->given, view, view));
}
