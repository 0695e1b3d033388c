//===- Matrices.c - How subgroups take matrices ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pad/Matrices.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Fragments.h"
#include "IR/Ops/OpTable.h"

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

BerthFragment berthFragmentOf(MlirOperation op, intptr_t operand,
                              int64_t elementBytes) {
  BerthFragment fragment = {0};
  BerthFragmentAccess access;
  if (!berthFragmentGetAccess(op, &access) || access.memref != operand ||
      access.isTransposed)
    return fragment;
  bool isAccumulator = berthFragmentIs(op, "\"COp\"");
  if (!isAccumulator && !berthFragmentIs(op, "\"AOp\"") &&
      !berthFragmentIs(op, "\"BOp\""))
    return fragment;
  enum { kPair = 2, kPairs = 4 };
  fragment.rows = kRows;
  fragment.elements = isAccumulator ? kPair : BERTH_MATRIX_BYTES / elementBytes;
  fragment.across = isAccumulator ? kPairs : 1;
  int64_t width = fragment.elements * fragment.across;
  fragment.setsDown = access.rows / kRows;
  if (width > 0 && access.rows % kRows == 0 && access.columns % width == 0)
    fragment.count =
        fragment.setsDown * (access.columns / width) * kRows * fragment.across;
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
