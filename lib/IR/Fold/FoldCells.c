//===- FoldCells.c - The cells of one access as isl text -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is a point or a box of what it is given: subscripts, with a further
// index k<n> where it takes several along a dimension. Views on the way to the
// array turn each index into offset + index * stride.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldCells.h"
#include "IR/Fold/FoldLinear.h"
#include "IR/Fold/FoldLoops.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/AffineMap.h"

#include <inttypes.h>

/// Indices of a view or of the array, and the bounds of the k<n> in them.
typedef struct Box {
  BerthText at[BERTH_SLICE_MAX_RANK];
  size_t numInside;
  BerthText bounds; ///< " and ..." for each
} Box;

static void freeBox(Box *box) {
  for (size_t d = 0; d < BERTH_SLICE_MAX_RANK; ++d)
    berthTextFree(&box->at[d]);
  berthTextFree(&box->bounds);
}

/// Appends 0 <= k < size for a new k, which is added to index `d`.
static bool addInside(BerthFoldNest *nest, const BerthFoldPlace *place,
                      BerthMixed size, size_t d, Box *box) {
  char name[24];
  snprintf(name, sizeof name, "k%zu", box->numInside++);
  bool alone = box->at[d].length == 0;
  berthTextAppend(&box->at[d], "%s%s", alone ? "" : " + ", name);
  berthTextAppend(&box->bounds, " and 0 <= %s", name);
  if (!mlirValueIsNull(size.value))
    return berthFoldAppendBelow(place, &nest->params, size.value, name,
                                &box->bounds);
  berthTextAppend(&box->bounds, " and %s < %" PRId64, name, size.number);
  return true;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// A subscript of an op whose subscripts, or operands of its map, begin with
/// `first`.
static bool appendSubscript(BerthFoldNest *nest, MlirOperation op,
                            const BerthFoldPlace *place, intptr_t first,
                            int64_t d, BerthText *text) {
  if (!berthOpIsAffine(op))
    return berthFoldAppendValue(place, &nest->params,
                                mlirOperationGetOperand(op, first + d), text);
  MlirAffineMap map = mlirAffineMapAttrGetValue(berthAttributeOf(op, "map"));
  return berthFoldAppendExpr(place, &nest->params,
                             mlirAffineMapGetResult(map, d), op, first,
                             mlirAffineMapGetNumDims(map), text);
}

static bool startElement(BerthFoldNest *nest, const BerthFoldAccess *access,
                         const BerthFoldPlace *place, int64_t rank, Box *box) {
  intptr_t first = berthFoldMemRefOperand(access) + 1;
  for (int64_t d = 0; d < rank; ++d)
    if (!appendSubscript(nest, access->op, place, first, d, &box->at[d]))
      return false;
  return true;
}

static bool startVector(BerthFoldNest *nest, const BerthFoldAccess *access,
                        const BerthFoldPlace *place, int64_t rank, Box *box) {
  BerthVectorAccess vector;
  if (!berthVectorGetAccess(access->op, &vector) &&
      !berthAffineVectorGetAccess(access->op, &vector))
    return false;
  for (int64_t d = 0; d < rank; ++d) {
    BerthMixed extent = {.number = vector.extents[d]};
    if (!appendSubscript(nest, access->op, place, vector.firstIndex, d,
                         &box->at[d]))
      return false;
    if (extent.number != 1 && !addInside(nest, place, extent, (size_t)d, box))
      return false;
  }
  return true;
}

/// All of a view.
static bool startWhole(BerthFoldNest *nest, size_t view,
                       const BerthFoldPlace *place, Box *box) {
  const BerthSubView *part = &nest->views[view].part;
  for (intptr_t d = 0; d < part->rank; ++d)
    if (part->results[d] >= 0 &&
        !addInside(nest, place, part->sizes[d], (size_t)part->results[d], box))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Indices of a view become those of what it is a view of.
static bool leaveView(BerthFoldNest *nest, const BerthFoldPlace *place,
                      const BerthSubView *part, Box *box) {
  Box outer = {.numInside = box->numInside, .bounds = box->bounds};
  bool good = true;
  box->bounds = (BerthText){0};
  for (intptr_t d = 0; good && d < part->rank; ++d) {
    BerthText *to = &outer.at[d];
    berthTextAppend(to, "(");
    if (mlirValueIsNull(part->offsets[d].value))
      berthTextAppend(to, "%" PRId64, part->offsets[d].number);
    else
      good = berthFoldAppendValue(place, &nest->params, part->offsets[d].value,
                                  to);
    if (part->results[d] >= 0)
      berthTextAppend(to, " + ((%s) * %" PRId64 ")",
                      box->at[part->results[d]].data, part->strides[d].number);
    berthTextAppend(to, ")");
  }
  freeBox(box);
  *box = outer;
  return good;
}

size_t berthFoldRootView(const BerthFoldNest *nest, size_t view) {
  while (nest->views[view].source != BERTH_FOLD_NO_VIEW)
    view = nest->views[view].source;
  return view;
}

/// " : exists (k0 : ...": the conditions of the box, " and ..." for each.
static void appendBounds(const Box *box, const char *equations,
                         BerthText *text) {
  berthTextAppend(text, " : exists (");
  for (size_t k = 0; k < box->numInside; ++k)
    berthTextAppend(text, "%sk%zu", k ? ", " : "", k);
  berthTextAppend(text, " : 0 = 0%s%s)", equations, box->bounds.data);
}

/// The elements of the box by their numbers.
static bool appendNumbers(BerthFoldNest *nest, const BerthFoldPlace *place,
                          size_t array, size_t view, const Box *box,
                          BerthText *text) {
  BerthText number = {0}, equation = {0};
  bool good = berthFoldAppendNumber(nest, place, array, view, box->at, &number);
  if (good && !box->numInside)
    berthTextAppend(text, "A%zu[%s]", array, number.data);
  if (good && box->numInside) {
    berthTextAppend(&equation, " and a0 = %s", number.data);
    berthTextAppend(text, "A%zu[a0]", array);
    appendBounds(box, equation.data, text);
  }
  berthTextFree(&number);
  berthTextFree(&equation);
  return good;
}

static bool appendBox(BerthFoldNest *nest, const BerthFoldPlace *place,
                      size_t array, size_t view, Box *box, BerthText *text) {
  for (; view != BERTH_FOLD_NO_VIEW; view = nest->views[view].source)
    if (!leaveView(nest, place, &nest->views[view].part, box))
      return false;
  int64_t rank = mlirShapedTypeGetRank(mlirValueGetType(nest->arrays[array]));
  berthTextAppend(text, "A%zu[", array);
  for (int64_t d = 0; d < rank; ++d)
    if (box->numInside)
      berthTextAppend(text, "%sa%" PRId64, d ? ", " : "", d);
    else
      berthTextAppend(text, "%s%s", d ? ", " : "", box->at[d].data);
  berthTextAppend(text, "]");
  if (!box->numInside)
    return true;
  BerthText equations = {0};
  for (int64_t d = 0; d < rank; ++d)
    berthTextAppend(&equations, " and a%" PRId64 " = %s", d, box->at[d].data);
  appendBounds(box, equations.data ? equations.data : "", text);
  berthTextFree(&equations);
  return true;
}

static int64_t rankOfAccessed(const BerthFoldNest *nest,
                              const BerthFoldAccess *access) {
  MlirValue value =
      access->view == BERTH_FOLD_NO_VIEW
          ? nest->arrays[access->array]
          : mlirOperationGetResult(nest->views[access->view].op, 0);
  return mlirShapedTypeGetRank(mlirValueGetType(value));
}

bool berthFoldAppendCells(BerthFoldNest *nest, const BerthFoldAccess *access,
                          const BerthFoldPlace *place, BerthText *text) {
  Box box = {.numInside = 0};
  int64_t rank = rankOfAccessed(nest, access);
  bool good = access->shape == BERTH_FOLD_ELEMENT
                  ? startElement(nest, access, place, rank, &box)
              : access->shape == BERTH_FOLD_VECTOR
                  ? startVector(nest, access, place, rank, &box)
                  : startWhole(nest, access->view, place, &box);
  good =
      good &&
      (nest->isLinear
           ? appendNumbers(nest, place, access->array, access->view, &box, text)
           : appendBox(nest, place, access->array, access->view, &box, text));
  freeBox(&box);
  return good;
}

bool berthFoldAppendRootView(BerthFoldNest *nest, const BerthFoldAccess *access,
                             const BerthFoldPlace *place, BerthText *text) {
  Box box = {.numInside = 0};
  size_t root = berthFoldRootView(nest, access->view);
  bool good = startWhole(nest, root, place, &box) &&
              appendBox(nest, place, access->array, root, &box, text);
  freeBox(&box);
  return good;
}
