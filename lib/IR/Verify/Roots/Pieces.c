//===- Pieces.c - Parts of buffers as buffers of their own ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Roots/Pieces.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

/// More views of one buffer are not looked at.
enum { kMostViews = 256 };

typedef struct Search {
  const BerthViews *views;
  size_t *numSets; ///< by root: the values that may point into it
  BerthPiece *items;
  size_t count, capacity;
} Search;

//===----------------------------------------------------------------------===//
// The bytes of a type
//===----------------------------------------------------------------------===//

/// The place of an element, in elements from where the memref starts. False if
/// the layout does not tell it.
static bool placeOf(MlirAffineExpr expr, const int64_t *indices,
                    int64_t *place) {
  if (mlirAffineExprIsAConstant(expr)) {
    *place = mlirAffineConstantExprGetValue(expr);
    return true;
  }
  if (mlirAffineExprIsADim(expr)) {
    *place = indices[mlirAffineDimExprGetPosition(expr)];
    return true;
  }
  int64_t left, right;
  if ((!mlirAffineExprIsAAdd(expr) && !mlirAffineExprIsAMul(expr)) ||
      !placeOf(mlirAffineBinaryOpExprGetLHS(expr), indices, &left) ||
      !placeOf(mlirAffineBinaryOpExprGetRHS(expr), indices, &right))
    return false;
  return mlirAffineExprIsAAdd(expr)
             ? !__builtin_add_overflow(left, right, place)
             : !__builtin_mul_overflow(left, right, place);
}

/// The place of the last element of an identity layout.
static bool lastOfIdentity(MlirType type, int64_t rank, int64_t *last) {
  int64_t count = 1;
  for (intptr_t d = 0; d < rank; ++d)
    if (__builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, d),
                               &count))
      return false;
  *last = count - 1;
  return true;
}

/// The places of the first element and of the last one.
static bool placesOf(MlirType type, int64_t rank, int64_t *first,
                     int64_t *last) {
  MlirAffineMap map = mlirMemRefTypeGetAffineMap(type);
  int64_t lower[BERTH_SLICE_MAX_RANK] = {0}, upper[BERTH_SLICE_MAX_RANK] = {0};
  *first = 0;
  if (mlirAffineMapIsIdentity(map))
    return lastOfIdentity(type, rank, last);
  if (mlirAffineMapGetNumResults(map) != 1)
    return false;
  MlirAffineExpr expr = mlirAffineMapGetResult(map, 0);
  if (!placeOf(expr, lower, first))
    return false;
  // A stride below zero would make another corner the first one, and one of
  // zero the same element several.
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t next;
    lower[d] = 1;
    if (!placeOf(expr, lower, &next) || next <= *first)
      return false;
    lower[d] = 0;
    upper[d] = mlirShapedTypeGetDimSize(type, d) - 1;
  }
  return placeOf(expr, upper, last);
}

/// The bytes of a memref type, from where the buffer starts. False if they are
/// not known, or not within the buffer.
static bool bytesOf(MlirType type, MlirOperation at, int64_t most,
                    BerthPiece *piece) {
  BerthTypeSize size;
  int64_t first, last, count = 1;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
    return false;
  int64_t rank = mlirShapedTypeGetRank(type);
  BerthSizeResult known = berthMemRefGetSize(type, at, &size);
  for (intptr_t d = 0; d < rank; ++d)
    if (mlirShapedTypeGetDimSize(type, d) < 1)
      return false;
  if (rank > BERTH_SLICE_MAX_RANK ||
      (known != BERTH_SIZE_OK && known != BERTH_SIZE_DYNAMIC) ||
      !placesOf(type, rank, &first, &last) || first < 0 || last < first ||
      last >= most / size.elementBytes)
    return false;
  for (intptr_t d = 0; d < rank; ++d)
    if (__builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, d),
                               &count))
      return false;
  piece->lower = first * size.elementBytes;
  piece->upper = (last + 1) * size.elementBytes;
  // Different elements of a view of a buffer are different ones of that.
  piece->isDense = count == last - first + 1;
  return true;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// True if whatever uses the value stays within its bytes.
static bool staysWithin(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = berthViewGetSource(op);
    bool isView = !mlirValueIsNull(source) && mlirValueEqual(source, value);
    if (!isView && !berthOpIsFree(op) && !berthOpResultsAreShapes(op) &&
        !berthOpStaysWithin(op))
      return false;
  }
  return true;
}

static bool pointsOnlyInto(const BerthViews *views, MlirValue value,
                           uint32_t root) {
  const BerthRootSet *set = berthViewsFind(views, value);
  return set && set->count == 1 && set->ids[0] == root;
}

/// True if the view's result has elements of the same kind, and a layout that
/// counts from the same place as its source's. A byte view shifts that place.
static bool keepsStart(MlirOperation view) {
  BerthSubView slice;
  return berthSubViewGet(view, &slice) ||
         berthOpIs(view, BERTH_OP_REINTERPRET) ||
         berthOpResultsAreShapes(view) ||
         (berthViewIsWhole(view) && !berthOpIs(view, BERTH_OP_VIEW));
}

/// True if the result's type says which bytes the view is for, however many
/// more or fewer its source has.
static bool hasOwnLayout(MlirOperation view) {
  BerthSubView slice;
  return berthSubViewGet(view, &slice) || berthOpIs(view, BERTH_OP_REINTERPRET);
}

/// Adds a value and all views of it. `known` is what is known of the bytes that
/// it may be used for. `isPlain`: its type tells of the buffer's own bytes.
static bool addViews(Search *search, uint32_t root, MlirValue value,
                     BerthPiece known, bool isPlain, size_t begin) {
  if (!pointsOnlyInto(search->views, value, root) ||
      search->count - begin == kMostViews)
    return false;
  BerthPiece piece = known;
  int64_t size =
      search->views->roots[root].upper - search->views->roots[root].lower;
  piece.value = value;
  if (!staysWithin(value)) {
    piece.lower = 0;
    piece.upper = size;
    piece.isDense &= known.lower == 0 && known.upper == size;
  }
  search->items = berthGrow(search->items, search->count, &search->capacity,
                            sizeof *search->items);
  search->items[search->count++] = piece;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue source = berthViewGetSource(op);
    if (mlirValueIsNull(source) || !mlirValueEqual(source, value))
      continue;
    BerthPiece next = known;
    if (!(isPlain && hasOwnLayout(op) &&
          bytesOf(mlirValueGetType(mlirOperationGetResult(op, 0)), op, size,
                  &next)) &&
        !berthViewIsWhole(op))
      next = (BerthPiece){.root = root, .upper = size};
    // Of extract_strided_metadata the first result is all of the buffer, and
    // the others are numbers.
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue result = mlirOperationGetResult(op, i);
      if (berthViewsFind(search->views, result) &&
          !addViews(search, root, result, next, isPlain && keepsStart(op),
                    begin))
        return false;
    }
  }
  return true;
}

/// False if there is but one piece, or something else may point there.
static bool addRoot(Search *search, uint32_t root) {
  const BerthRoot *info = &search->views->roots[root];
  size_t begin = search->count;
  if (info->isBase || info->isShifted || mlirOperationIsNull(info->view) ||
      info->lower >= info->upper || search->numSets[root] < 2)
    return false;
  MlirValue made = mlirOperationGetResult(info->view, 0);
  int64_t size = info->upper - info->lower;
  BerthPiece all = {.root = root, .upper = size}, own;
  bool isPlain = bytesOf(mlirValueGetType(made), info->view, size, &own) &&
                 own.isDense && own.lower == 0 && own.upper == size;
  all.isDense = isPlain;
  if (!isPlain || !addViews(search, root, made, all, true, begin) ||
      search->count - begin != search->numSets[root])
    return false;
  for (size_t i = begin; i < search->count; ++i)
    if (search->items[i].upper - search->items[i].lower < size)
      return true;
  return false;
}

BerthPieces berthFindPieces(const BerthViews *views) {
  Search search = {
      .views = views,
      .numSets = berthAllocateOrDie(views->numRoots, sizeof *search.numSets)};
  for (size_t i = 0; i < views->numSets; ++i)
    for (size_t k = 0; k < views->sets[i].count; ++k)
      ++search.numSets[views->sets[i].ids[k]];
  for (uint32_t i = 0; i < views->firstMerge; ++i) {
    size_t before = search.count;
    if (!addRoot(&search, i))
      search.count = before;
  }
  BerthPieces pieces = {search.count,
                        berthNewCopy(views->memory, search.items, search.count,
                                     sizeof *search.items)};
  free(search.items);
  free(search.numSets);
  return pieces;
}
