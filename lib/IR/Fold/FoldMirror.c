//===- FoldMirror.c - Rows that a ring holds twice ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice is at most as tall as the ring. So of what is copied up and what is
// copied down behind one op, nothing is both source and target: the rows that
// go up start at its first row r, those that come down end before r.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldMirror.h"
#include "IR/Fold/FoldCells.h"
#include "IR/Fold/FoldIndex.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

BerthFoldMirror berthFoldMirrorOf(const BerthFoldNest *nest,
                                  const BerthFoldMapping *mapping,
                                  MlirValue folded) {
  BerthFoldMirror mirror = {.folded = folded, .dim = -1};
  mirror.rank =
      (intptr_t)mlirShapedTypeGetRank(mlirValueGetType(nest->arrays[0]));
  for (size_t r = 0; r < mapping->numRows; ++r) {
    if (!mapping->rows[r].mirror)
      continue;
    mirror.dim = (intptr_t)r;
    mirror.rows = mapping->rows[r].terms[0].constant;
    mirror.size = mapping->rows[r].mirror;
  }
  return mirror;
}

//===----------------------------------------------------------------------===//
// Whether
//===----------------------------------------------------------------------===//

MlirOperation berthFoldMirrorOwner(const BerthFoldNest *nest, size_t k) {
  size_t root = berthFoldRootView(nest, nest->accesses[k].view);
  MlirBlock block = mlirOperationGetBlock(nest->views[root].op);
  MlirOperation op = nest->accesses[k].op;
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// All that touches the array in the owner of store `k` goes through its view.
static bool isAlone(const BerthFoldNest *nest, size_t k) {
  const BerthFoldAccess *store = &nest->accesses[k];
  if (store->view == BERTH_FOLD_NO_VIEW)
    return true;
  size_t root = berthFoldRootView(nest, store->view);
  MlirOperation owner = berthFoldMirrorOwner(nest, k);
  for (size_t other = 0; other < nest->numAccesses; ++other) {
    const BerthFoldAccess *access = &nest->accesses[other];
    bool same = access->view != BERTH_FOLD_NO_VIEW &&
                berthFoldRootView(nest, access->view) == root;
    if (!same && berthOpIsWithin(access->op, owner))
      return false;
  }
  return !mlirOperationIsNull(owner);
}

bool berthFoldCanMirror(const BerthFoldNest *nest) {
  // Iterations at the same time might copy what another one is writing.
  if (!nest->hasSlices || nest->isParallel)
    return false;
  for (size_t k = 0; k < nest->numAccesses; ++k)
    if (nest->accesses[k].isStore && !isAlone(nest, k))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Starts `if row < size or row >= rows`, of a row that may be either.
static BerthInsertPoint startIfMirrored(const BerthFoldMirror *mirror,
                                        BerthInsertPoint at, MlirValue row,
                                        MlirValue *other) {
  // One comparison: as an unsigned number a row below `size` is beyond all.
  MlirValue size = berthBuildIndex(at, mirror->size);
  MlirValue rest = berthBuildBinary(at, BERTH_NAME_SUBTRACT, row, size);
  MlirValue isMirrored =
      berthBuildCompare(at, BERTH_UNSIGNED_LESS_EQUAL,
                        berthBuildIndex(at, mirror->rows - mirror->size), rest);
  BerthInsertPoint inside = berthBuildIf(at, isMirrored);
  // A row that is neither does not come here, but where it becomes a constant
  // the place has to be one of the array: MLIR looks at dead code, too.
  MlirValue rows = berthBuildIndex(inside, mirror->rows);
  MlirValue first =
      berthFoldSelect(inside, BERTH_SIGNED_LESS, row, rows, row,
                      berthBuildBinary(inside, BERTH_NAME_SUBTRACT, row, rows));
  *other = berthFoldSelect(inside, BERTH_SIGNED_LESS, row, size,
                           berthBuildBinary(inside, BERTH_NAME_ADD, row, rows),
                           first);
  return inside;
}

static void copyRow(const BerthFoldMirror *mirror, BerthInsertPoint at,
                    const BerthSubView *part, MlirValue row) {
  MlirValue other;
  BerthInsertPoint inside = startIfMirrored(mirror, at, row, &other);
  BerthSubView one = *part;
  one.sizes[mirror->dim] = one.strides[mirror->dim] = (BerthMixed){.number = 1};
  one.offsets[mirror->dim] = (BerthMixed){.value = row};
  MlirValue from = berthSubViewBuildFull(inside.before, mirror->folded, &one);
  one.offsets[mirror->dim] = (BerthMixed){.value = other};
  MlirValue operands[] = {
      from, berthSubViewBuildFull(inside.before, mirror->folded, &one)};
  berthBuild(inside, BERTH_NAME_COPY, 2, operands, 0, NULL, 0, NULL);
}

static MlirValue valueOf(BerthInsertPoint at, BerthMixed mixed) {
  return mlirValueIsNull(mixed.value) ? berthBuildIndex(at, mixed.number)
                                      : mixed.value;
}

void berthFoldMirrorBox(const BerthFoldMirror *mirror, BerthInsertPoint at,
                        const BerthSubView *part) {
  BerthMixed count = part->sizes[mirror->dim];
  MlirValue first = valueOf(at, part->offsets[mirror->dim]);
  if (mlirValueIsNull(count.value) && count.number == 1) {
    copyRow(mirror, at, part, first);
    return;
  }
  BerthInsertPoint inside = berthBuildFor(at, valueOf(at, count));
  MlirValue row =
      berthFoldAddScaled(inside, first, mlirBlockGetArgument(inside.block, 0),
                         part->strides[mirror->dim].number);
  copyRow(mirror, inside, part, row);
}

void berthFoldMirrorElement(const BerthFoldMirror *mirror, BerthInsertPoint at,
                            MlirValue value, const MlirValue *subscripts) {
  MlirValue operands[BERTH_FOLD_MAX_DIMS + 2] = {value, mirror->folded};
  MlirValue other;
  BerthInsertPoint inside =
      startIfMirrored(mirror, at, subscripts[mirror->dim], &other);
  memcpy(operands + 2, subscripts, (size_t)mirror->rank * sizeof *operands);
  operands[2 + mirror->dim] = other;
  berthBuild(inside, BERTH_NAME_STORE, mirror->rank + 2, operands, 0, NULL, 0,
             NULL);
}
