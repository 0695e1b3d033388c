//===- Matrices.c - How subgroups take matrices ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pad/Matrices.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/Text.h"

#include <string.h>

enum { kRows = 8 };

int64_t berthMatrixLanes(MlirOperation op) {
  enum { kMostMatrices = 4 };
  MlirAttribute tiles = berthAttributeOf(op, "numTiles");
  if (!berthOpSurelyTouches(op) || mlirAttributeIsNull(tiles) ||
      !mlirAttributeIsAInteger(tiles))
    return 0;
  int64_t count = mlirIntegerAttrGetValueInt(tiles);
  return count < 1 || count > kMostMatrices ? 0 : kRows * count;
}

/// No interface tells the shape of a fragment, so its type's text does:
/// `<ROWSxCOLUMNSx..., "AOp">`.
static bool readShape(MlirType type, int64_t *rows, int64_t *columns,
                      bool *isAccumulator) {
  BerthText text = {0};
  berthTextAppendType(&text, type);
  const char *next = text.data ? strchr(text.data, '<') : NULL;
  bool isKnown = next && (++next, berthTextTakeNumber(&next, rows)) &&
                 *next++ == 'x' && berthTextTakeNumber(&next, columns) &&
                 *next == 'x';
  *isAccumulator = isKnown && strstr(next, "\"COp\"") != NULL;
  isKnown = isKnown && (*isAccumulator || strstr(next, "\"AOp\"") ||
                        strstr(next, "\"BOp\""));
  berthTextFree(&text);
  return isKnown;
}

BerthFragment berthFragmentOf(MlirOperation op, intptr_t operand,
                              int64_t elementBytes) {
  BerthFragment fragment = {0};
  int64_t rows, columns;
  bool isAccumulator;
  bool isLoad = operand == 0 && mlirOperationGetNumResults(op) == 1;
  if (!berthOpSurelyTouches(op) || (!isLoad && operand != 1) ||
      mlirAttributeIsNull(berthAttributeOf(op, "leadDimension")) ||
      !mlirAttributeIsNull(berthAttributeOf(op, "transpose")) ||
      !readShape(isLoad ? mlirValueGetType(mlirOperationGetResult(op, 0))
                        : mlirValueGetType(mlirOperationGetOperand(op, 0)),
                 &rows, &columns, &isAccumulator))
    return fragment;
  enum { kPair = 2, kPairs = 4 };
  fragment.rows = kRows;
  fragment.elements = isAccumulator ? kPair : BERTH_MATRIX_BYTES / elementBytes;
  fragment.across = isAccumulator ? kPairs : 1;
  int64_t width = fragment.elements * fragment.across;
  fragment.setsDown = rows / kRows;
  if (width > 0 && rows % kRows == 0 && columns % width == 0)
    fragment.count =
        fragment.setsDown * (columns / width) * kRows * fragment.across;
  return fragment;
}

void berthFragmentPart(const BerthFragment *fragment, int64_t part,
                       int64_t *row, int64_t *column) {
  int64_t ofSet = fragment->rows * fragment->across;
  int64_t set = part / ofSet, within = part % ofSet;
  *row = set % fragment->setsDown * fragment->rows + within / fragment->across;
  *column = (set / fragment->setsDown * fragment->across +
             within % fragment->across) *
            fragment->elements;
}
