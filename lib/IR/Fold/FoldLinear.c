//===- FoldLinear.c - Arrays by the numbers of their elements -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldLinear.h"
#include "IR/Facts/Facts.h"
#include "IR/Fold/FoldExpr.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>

/// Where a memref begins in the array, and how far apart its elements are.
typedef struct Layout {
  BerthText start;
  intptr_t rank;
  int64_t strides[BERTH_SLICE_MAX_RANK];
} Layout;

static bool readLayout(MlirType type, Layout *layout, int64_t *offset) {
  layout->rank = mlirShapedTypeGetRank(type);
  return berthMemRefGetStrides(type, layout->strides, offset);
}

/// A cast may hide the layout that its source has. Of the others the type tells
/// it; they start where their source does, or at a number.
bool berthFoldKeepsElements(MlirOperation view) {
  MlirValue source = berthViewGetSource(view);
  if (mlirValueIsNull(source) || mlirOperationGetNumResults(view) != 1 ||
      !mlirTypeIsAMemRef(mlirValueGetType(source)))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  Layout layout;
  int64_t offset;
  if (!mlirTypeIsAMemRef(type) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(type),
                     mlirShapedTypeGetElementType(mlirValueGetType(source))))
    return false;
  if (berthOpIs(view, BERTH_OP_CAST))
    return true;
  if (!readLayout(type, &layout, &offset))
    return false;
  return berthOpIs(view, BERTH_OP_REINTERPRET)
             ? !mlirShapedTypeIsDynamicStrideOrOffset(offset)
             : berthViewIsWhole(view) && !berthOpIs(view, BERTH_OP_VIEW);
}

/// A part of what has that layout.
static bool takePart(BerthFoldNest *nest, const BerthFoldPlace *place,
                     const BerthSubView *part, Layout *layout) {
  intptr_t rank = 0;
  for (intptr_t d = 0; d < part->rank; ++d) {
    BerthMixed offset = part->offsets[d];
    if (berthIsBroken(nest->breakRule, "parts-at-start"))
      offset = (BerthMixed){.number = 0};
    berthTextAppend(&layout->start, " + (");
    if (mlirValueIsNull(offset.value))
      berthTextAppend(&layout->start, "%" PRId64, offset.number);
    else if (!berthFoldAppendValue(place, &nest->params, offset.value,
                                   &layout->start))
      return false;
    berthTextAppend(&layout->start, ") * %" PRId64, layout->strides[d]);
    if (part->results[d] >= 0 &&
        __builtin_mul_overflow(layout->strides[d], part->strides[d].number,
                               &layout->strides[rank++]))
      return false;
  }
  layout->rank = rank;
  return true;
}

static bool changeLayout(MlirOperation view, Layout *layout) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(view, 0));
  int64_t offset;
  if (berthOpIs(view, BERTH_OP_CAST))
    return true;
  if (!readLayout(type, layout, &offset))
    return false;
  if (berthOpIs(view, BERTH_OP_REINTERPRET)) {
    berthTextFree(&layout->start);
    layout->start = (BerthText){0};
    berthTextAppend(&layout->start, "%" PRId64, offset);
  }
  return true;
}

static bool findLayout(BerthFoldNest *nest, const BerthFoldPlace *place,
                       size_t array, size_t number, Layout *layout) {
  int64_t offset;
  if (number == BERTH_FOLD_NO_VIEW) {
    berthTextAppend(&layout->start, "0");
    return readLayout(mlirValueGetType(nest->arrays[array]), layout, &offset);
  }
  const BerthFoldView *view = &nest->views[number];
  if (!findLayout(nest, place, array, view->source, layout))
    return false;
  return view->isPart ? takePart(nest, place, &view->part, layout)
                      : changeLayout(view->op, layout);
}

bool berthFoldAppendNumber(BerthFoldNest *nest, const BerthFoldPlace *place,
                           size_t array, size_t view, const BerthText *at,
                           BerthText *text) {
  Layout layout = {.rank = 0};
  bool isKnown = findLayout(nest, place, array, view, &layout);
  if (isKnown) {
    berthTextAppend(text, "%s", layout.start.data);
    for (intptr_t d = 0; d < layout.rank; ++d)
      berthTextAppend(text, " + (%s) * %" PRId64, at[d].data,
                      layout.strides[d]);
  }
  berthTextFree(&layout.start);
  return isKnown;
}
