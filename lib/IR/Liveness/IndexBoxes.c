//===- IndexBoxes.c - Parts of a buffer that code writes ------------------===//
//-----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/IndexBoxes.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Deeper arithmetic is no sum of variables.
enum { kDeepest = 16 };

/// More boxes than these are not looked at, nor are loops of more turns:
/// berth-verify goes through them one by one.
enum { kMostBoxes = 256, kMostTurns = 1 << 18 };

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static bool addTerm(BerthLinear *sum, MlirValue variable, int64_t factor) {
  size_t i = 0;
  while (i < sum->count && !mlirValueEqual(sum->terms[i].variable, variable))
    ++i;
  if (i == sum->count) {
    if (factor == 0)
      return true;
    if (i == BERTH_LINEAR_MOST_TERMS)
      return false;
    sum->terms[sum->count].factor = 0;
    sum->terms[sum->count++].variable = variable;
  }
  if (__builtin_add_overflow(sum->terms[i].factor, factor,
                             &sum->terms[i].factor))
    return false;
  if (sum->terms[i].factor == 0)
    sum->terms[i] = sum->terms[--sum->count];
  return true;
}

/// sum += factor * other
static bool addLinear(BerthLinear *sum, const BerthLinear *other,
                      int64_t factor) {
  int64_t constant;
  if (__builtin_mul_overflow(other->constant, factor, &constant) ||
      __builtin_add_overflow(sum->constant, constant, &sum->constant))
    return false;
  for (size_t i = 0; i < other->count; ++i) {
    int64_t product;
    if (__builtin_mul_overflow(other->terms[i].factor, factor, &product) ||
        !addTerm(sum, other->terms[i].variable, product))
      return false;
  }
  return true;
}

static int64_t factorOf(const BerthLinear *sum, MlirValue variable) {
  for (size_t i = 0; i < sum->count; ++i)
    if (mlirValueEqual(sum->terms[i].variable, variable))
      return sum->terms[i].factor;
  return 0;
}

static bool haveSameTerms(const BerthLinear *a, const BerthLinear *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; ++i)
    if (factorOf(b, a->terms[i].variable) != a->terms[i].factor)
      return false;
  return true;
}

static bool linearOf(MlirValue value, int depth, BerthLinear *sum);

/// An affine expression over the operands of `op` from `first` on.
static bool linearOfExpr(MlirAffineExpr expr, MlirOperation op, intptr_t first,
                         intptr_t numDims, int depth, BerthLinear *sum) {
  *sum = (BerthLinear){0};
  if (mlirAffineExprIsAConstant(expr)) {
    sum->constant = mlirAffineConstantExprGetValue(expr);
    return true;
  }
  if (mlirAffineExprIsADim(expr) || mlirAffineExprIsASymbol(expr)) {
    intptr_t position = mlirAffineExprIsADim(expr)
                            ? mlirAffineDimExprGetPosition(expr)
                            : numDims + mlirAffineSymbolExprGetPosition(expr);
    return linearOf(mlirOperationGetOperand(op, first + position), depth - 1,
                    sum);
  }
  bool isSum = mlirAffineExprIsAAdd(expr);
  if (!isSum && !mlirAffineExprIsAMul(expr))
    return false;
  BerthLinear other;
  if (!linearOfExpr(mlirAffineBinaryOpExprGetLHS(expr), op, first, numDims,
                    depth, sum) ||
      !linearOfExpr(mlirAffineBinaryOpExprGetRHS(expr), op, first, numDims,
                    depth, &other))
    return false;
  if (isSum)
    return addLinear(sum, &other, 1);
  BerthLinear factor = *sum;
  *sum = (BerthLinear){0};
  return other.count == 0
             ? addLinear(sum, &factor, other.constant)
             : factor.count == 0 && addLinear(sum, &other, factor.constant);
}

/// The map of an affine op, whose operands from `first` on are the map's.
static bool linearOfMap(MlirOperation op, intptr_t first, intptr_t result,
                        int depth, BerthLinear *sum) {
  MlirAttribute attribute = berthAttributeOf(op, "map");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAAffineMap(attribute))
    return false;
  MlirAffineMap map = mlirAffineMapAttrGetValue(attribute);
  return result < mlirAffineMapGetNumResults(map) &&
         linearOfExpr(mlirAffineMapGetResult(map, result), op, first,
                      mlirAffineMapGetNumDims(map), depth, sum);
}

static bool linearOfSum(MlirOperation op, int64_t sign, int depth,
                        BerthLinear *sum) {
  BerthLinear other;
  return linearOf(mlirOperationGetOperand(op, 0), depth - 1, sum) &&
         linearOf(mlirOperationGetOperand(op, 1), depth - 1, &other) &&
         addLinear(sum, &other, sign);
}

static bool linearOfProduct(MlirOperation op, int depth, BerthLinear *sum) {
  BerthLinear a, b;
  *sum = (BerthLinear){0};
  if (!linearOf(mlirOperationGetOperand(op, 0), depth - 1, &a) ||
      !linearOf(mlirOperationGetOperand(op, 1), depth - 1, &b))
    return false;
  return b.count == 0 ? addLinear(sum, &a, b.constant)
                      : a.count == 0 && addLinear(sum, &b, a.constant);
}

/// Arguments of blocks are variables, of whatever; only those of loops that are
/// left become constants.
static bool linearOf(MlirValue value, int depth, BerthLinear *sum) {
  *sum = (BerthLinear){0};
  if (berthValueIsConstant(value, &sum->constant))
    return true;
  if (mlirValueIsABlockArgument(value))
    return addTerm(sum, value, 1);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (depth == 0 || !mlirTypeIsAIndex(mlirValueGetType(value)))
    return false;
  if (berthOpIs(op, BERTH_OP_SUM) || berthOpIs(op, BERTH_OP_DIFFERENCE))
    return linearOfSum(op, berthOpIs(op, BERTH_OP_SUM) ? 1 : -1, depth, sum);
  if (berthOpIs(op, BERTH_OP_PRODUCT))
    return linearOfProduct(op, depth, sum);
  return berthOpIs(op, BERTH_OP_APPLY) && linearOfMap(op, 0, 0, depth, sum);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static bool addMixed(BerthLinear *sum, BerthMixed mixed) {
  if (mlirValueIsNull(mixed.value))
    return !__builtin_add_overflow(sum->constant, mixed.number, &sum->constant);
  BerthLinear other;
  return linearOf(mixed.value, kDeepest, &other) && addLinear(sum, &other, 1);
}

/// One of several bounds of a size: a number, or what is left up to one.
static bool takeBound(const BerthLinear *bound, BerthInterval *interval) {
  if (bound->count == 0) {
    if (bound->constant < interval->size)
      interval->size = bound->constant;
    return true;
  }
  BerthLinear end = interval->lower;
  if (!addLinear(&end, bound, 1) || end.count > 0)
    return false;
  if (end.constant < interval->end)
    interval->end = end.constant;
  return true;
}

/// A size is a number, a sum, or the smallest of some (affine.min).
static bool takeSize(BerthMixed size, BerthInterval *interval) {
  interval->size = interval->end = INT64_MAX;
  BerthLinear bound = {.constant = size.number};
  if (mlirValueIsNull(size.value))
    return takeBound(&bound, interval);
  if (!mlirValueIsAOpResult(size.value) ||
      !berthOpIs(mlirOpResultGetOwner(size.value), BERTH_OP_SMALLEST))
    return linearOf(size.value, kDeepest, &bound) &&
           takeBound(&bound, interval);
  MlirOperation op = mlirOpResultGetOwner(size.value);
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i)
    if (!linearOfMap(op, 0, i, kDeepest, &bound) ||
        !takeBound(&bound, interval))
      return false;
  return true;
}

static bool takeSubView(const BerthSubView *view, BerthIndexPart *part) {
  BerthIndexPart source = *part;
  for (intptr_t d = 0; d < view->rank; ++d) {
    BerthInterval *interval = &part->box.dims[source.dimOf[d]];
    interval->turns = 1;
    if (!mlirValueIsNull(view->strides[d].value) ||
        view->strides[d].number != 1 ||
        !addMixed(&interval->lower, view->offsets[d]) ||
        !takeSize(view->sizes[d], interval))
      return false;
    if (view->results[d] >= 0) {
      part->dimOf[view->results[d]] = source.dimOf[d];
      part->rank = view->results[d] + 1;
    }
  }
  return true;
}

/// The strides that the type tells, from its first element on.
static bool getStrides(MlirType type, int64_t *strides) {
  int64_t offset;
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) <= BERTH_SLICE_MAX_RANK &&
         mlirLogicalResultIsSuccess(
             mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         offset == 0;
}

/// True if both types name the same element by the same indices, however the
/// layout is spelt.
static bool haveSameIndices(MlirType a, MlirType b) {
  int64_t first[BERTH_SLICE_MAX_RANK], second[BERTH_SLICE_MAX_RANK];
  if (!getStrides(a, first) || !getStrides(b, second) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(a),
                     mlirShapedTypeGetElementType(b)) ||
      mlirShapedTypeGetRank(a) != mlirShapedTypeGetRank(b))
    return false;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(a); ++d)
    if (mlirShapedTypeGetDimSize(a, d) != mlirShapedTypeGetDimSize(b, d) ||
        first[d] != second[d] || first[d] < 1)
      return false;
  return true;
}

bool berthPartOf(MlirValue value, MlirValue root, BerthIndexPart *part) {
  if (mlirValueEqual(value, root)) {
    MlirType type = mlirValueGetType(root);
    *part = (BerthIndexPart){.rank = mlirShapedTypeGetRank(type)};
    part->box.rank = part->rank;
    if (part->rank > BERTH_SLICE_MAX_RANK)
      return false;
    for (intptr_t d = 0; d < part->rank; ++d) {
      part->dimOf[d] = d;
      part->box.dims[d] =
          (BerthInterval){.size = mlirShapedTypeGetDimSize(type, d),
                          .end = INT64_MAX,
                          .turns = 1};
    }
    return true;
  }
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation view = mlirOpResultGetOwner(value);
  MlirValue source = berthViewGetSource(view);
  if (mlirValueIsNull(source) || !berthPartOf(source, root, part))
    return false;
  BerthSubView slice;
  if (berthSubViewGet(view, &slice)) {
    part->rank = 0;
    return takeSubView(&slice, part);
  }
  // A cast to another description of the same memref.
  return berthOpIs(view, BERTH_OP_CAST) ||
         (berthViewIsWhole(view) &&
          haveSameIndices(mlirValueGetType(value), mlirValueGetType(source)));
}

/// The element, or the first one of a vector, in the view that the op is given.
static bool takeSubscript(MlirOperation op, intptr_t memref, intptr_t dim,
                          BerthIndexPart *part) {
  BerthInterval *interval = &part->box.dims[part->dimOf[dim]];
  BerthLinear subscript;
  bool isKnown = berthOpIsAffine(op)
                     ? linearOfMap(op, memref + 1, dim, kDeepest, &subscript)
                     : linearOf(mlirOperationGetOperand(op, memref + 1 + dim),
                                kDeepest, &subscript);
  return isKnown && addLinear(&interval->lower, &subscript, 1);
}

static bool takeElements(MlirOperation op, intptr_t memref,
                         const int64_t *extents, BerthIndexPart *part) {
  for (intptr_t d = 0; d < part->rank; ++d) {
    BerthInterval *interval = &part->box.dims[part->dimOf[d]];
    interval->size = extents ? extents[d] : 1;
    interval->end = INT64_MAX;
    if (!takeSubscript(op, memref, d, part))
      return false;
  }
  return true;
}

bool berthWrittenBox(MlirOperation op, intptr_t operand, MlirValue root,
                     BerthIndexBox *box) {
  BerthIndexPart part;
  if (!berthPartOf(mlirOperationGetOperand(op, operand), root, &part))
    return false;
  BerthVectorAccess vector;
  bool isWritten = berthOpGetRole(op, operand) == BERTH_OPERAND_WRITTEN;
  bool isFine;
  if (berthOpFullyOverwrites(op, operand))
    isFine = true;
  else if (berthOpIsElementAccess(op))
    isFine = isWritten && takeElements(op, operand, NULL, &part);
  else
    isFine = berthVectorGetAccess(op, &vector) && vector.isWrite &&
             !vector.isMasked && vector.memref == operand &&
             vector.firstIndex == operand + 1 &&
             takeElements(op, operand, vector.extents, &part);
  *box = part.box;
  return isFine;
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

/// One bound instead of two, where both are known.
static void normalize(BerthInterval *interval) {
  if (interval->lower.count > 0 || interval->end == INT64_MAX)
    return;
  int64_t left;
  if (__builtin_sub_overflow(interval->end, interval->lower.constant, &left))
    return;
  if (left < interval->size)
    interval->size = left > 0 ? left : 0;
  interval->end = INT64_MAX;
}

static bool areEqual(const BerthInterval *a, const BerthInterval *b) {
  return haveSameTerms(&a->lower, &b->lower) &&
         a->lower.constant == b->lower.constant && a->size == b->size &&
         a->end == b->end;
}

static bool isWithin(int64_t number) {
  return number > -(INT64_MAX / 4) && number < INT64_MAX / 4;
}

/// Makes `a` both together, if that is an interval.
static bool join(BerthInterval *a, const BerthInterval *b) {
  if (!haveSameTerms(&a->lower, &b->lower) || a->end != INT64_MAX ||
      b->end != INT64_MAX || !isWithin(a->lower.constant) ||
      !isWithin(b->lower.constant) || !isWithin(a->size) || !isWithin(b->size))
    return false;
  int64_t lowerA = a->lower.constant, upperA = lowerA + a->size;
  int64_t lowerB = b->lower.constant, upperB = lowerB + b->size;
  if (lowerA > upperB || lowerB > upperA)
    return false;
  int64_t lower = lowerA < lowerB ? lowerA : lowerB;
  int64_t upper = upperA > upperB ? upperA : upperB;
  a->lower.constant = lower;
  a->size = upper - lower;
  a->turns = a->turns > b->turns ? a->turns : b->turns;
  return true;
}

/// Makes `a` both together, if that is a box: they differ in one dimension.
static bool joinBox(BerthIndexBox *a, const BerthIndexBox *b) {
  intptr_t other = -1;
  for (intptr_t d = 0; d < a->rank; ++d) {
    if (areEqual(&a->dims[d], &b->dims[d]))
      continue;
    if (other >= 0)
      return false;
    other = d;
  }
  return other < 0 || join(&a->dims[other], &b->dims[other]);
}

void berthIndexBoxesAdd(BerthIndexBoxes *list, const BerthIndexBox *box) {
  BerthIndexBox added = *box;
  for (intptr_t d = 0; d < added.rank; ++d)
    normalize(&added.dims[d]);
  for (size_t i = 0; i < list->count;) {
    if (!joinBox(&added, &list->boxes[i])) {
      ++i;
      continue;
    }
    // What it has become may go with one that it did not go with before.
    list->boxes[i] = list->boxes[--list->count];
    i = 0;
  }
  if (list->count == kMostBoxes)
    return;
  list->boxes =
      berthGrow(list->boxes, list->count, &list->capacity, sizeof *list->boxes);
  list->boxes[list->count++] = added;
}

/// [lower + factor * i, ...) over all turns, if these leave no gap.
static bool leaveLoop(BerthInterval *interval, const BerthLoopRange *range) {
  int64_t factor = factorOf(&interval->lower, range->variable);
  int64_t length, first = range->lower, jump, extent, start;
  if (__builtin_mul_overflow(range->step, range->count - 1, &length) ||
      __builtin_mul_overflow(interval->turns, range->count, &interval->turns) ||
      interval->turns > kMostTurns)
    return false;
  if (factor < 0)
    first += length;
  int64_t size = factor < 0 ? -factor : factor;
  if (__builtin_mul_overflow(size, range->step, &jump) ||
      __builtin_mul_overflow(size, length, &extent) ||
      __builtin_mul_overflow(factor, first, &start) ||
      (range->count > 1 && jump > interval->size) ||
      __builtin_add_overflow(interval->lower.constant, start,
                             &interval->lower.constant))
    return false;
  if (interval->size != INT64_MAX &&
      __builtin_add_overflow(interval->size, extent, &interval->size))
    return false;
  bool isGone = addTerm(&interval->lower, range->variable, -factor);
  normalize(interval);
  return isGone;
}

/// Boxes that move in two dimensions at once are a diagonal.
static bool leaveLoopBox(BerthIndexBox *box, const BerthLoopRange *range) {
  intptr_t moving = -1;
  for (intptr_t d = 0; d < box->rank; ++d) {
    if (factorOf(&box->dims[d].lower, range->variable) == 0)
      continue;
    if (moving >= 0 && range->count > 1)
      return false;
    moving = d;
    if (!leaveLoop(&box->dims[d], range))
      return false;
  }
  return true;
}

void berthIndexBoxesLeaveLoop(BerthIndexBoxes *list,
                              const BerthLoopRange *range) {
  BerthIndexBoxes before = *list;
  *list = (BerthIndexBoxes){0};
  for (size_t i = 0; i < before.count; ++i)
    if (leaveLoopBox(&before.boxes[i], range))
      berthIndexBoxesAdd(list, &before.boxes[i]);
  free(before.boxes);
}

bool berthIndexBoxesCover(const BerthIndexBoxes *list, MlirType type) {
  for (size_t i = 0; i < list->count; ++i) {
    const BerthIndexBox *box = &list->boxes[i];
    bool isAll = true;
    for (intptr_t d = 0; d < box->rank && isAll; ++d) {
      const BerthInterval *interval = &box->dims[d];
      int64_t extent = mlirShapedTypeGetDimSize(type, d);
      int64_t lower = interval->lower.constant;
      isAll = interval->lower.count == 0 && lower <= 0 &&
              interval->end >= extent && isWithin(lower) &&
              interval->size >= extent - lower;
    }
    if (isAll)
      return true;
  }
  return false;
}
