//===- FoldRewrite.c - Accesses to the folded array ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Affine accesses stay affine where all moduli are numbers: only their map
// changes, with affine `mod`, which is a floor modulo. A symbolic modulus is no
// affine symbol in general, and which half of a turned array a cell is in is
// chosen at run time: those accesses become memref.load and memref.store on
// indices computed by signed arithmetic with floor semantics.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldRewrite.h"
#include "IR/Fold/FoldArray.h"
#include "IR/Fold/FoldElement.h"
#include "IR/Fold/FoldIndex.h"
#include "IR/Fold/FoldSlices.h"
#include "mlir-c/AffineMap.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The number of an array among the problem's.
static int64_t arrayNumber(const BerthFoldRewriter *rewrite, size_t array) {
  char name[24];
  snprintf(name, sizeof name, "A%zu", array);
  for (size_t n = 0; n < berthFoldProblemNumArrays(rewrite->problem); ++n)
    if (!strcmp(berthFoldProblemArrayName(rewrite->problem, n), name))
      return (int64_t)n;
  return 0;
}

/// The constant part of row `r` for an array: its number's share.
static int64_t numberShare(const BerthFoldRewriter *rewrite, size_t r,
                           size_t array) {
  if (rewrite->placement || berthFoldProblemNumArrays(rewrite->problem) < 2)
    return 0;
  return rewrite->mapping->rows[r].coefficients[0] *
         arrayNumber(rewrite, array);
}

/// Where the subscripts' coefficients start in a row.
static size_t firstSubscript(const BerthFoldRewriter *rewrite) {
  return !rewrite->placement && berthFoldProblemNumArrays(rewrite->problem) > 1;
}

static MlirAffineExpr constantExpr(const BerthFoldRewriter *rewrite,
                                   int64_t value) {
  return mlirAffineConstantExprGet(rewrite->context, value);
}

/// The rows of the mapping over the results of the access's map.
static void buildRowExprs(const BerthFoldRewriter *rewrite,
                          const BerthFoldAccess *access, MlirAffineMap map,
                          MlirAffineExpr *results) {
  MlirAffineExpr values[BERTH_FOLD_MAX_DIMS];
  size_t first = firstSubscript(rewrite), numRows = rewrite->mapping->numRows;
  for (size_t r = 0; r < numRows; ++r) {
    const BerthFoldRow *row = &rewrite->mapping->rows[r];
    MlirAffineExpr v =
        constantExpr(rewrite, numberShare(rewrite, r, access->array));
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d)
      v = mlirAffineAddExprGet(
          v, mlirAffineMulExprGet(
                 mlirAffineMapGetResult(map, d),
                 constantExpr(rewrite, row->coefficients[first + (size_t)d])));
    for (size_t j = 0; j < r; ++j)
      if (row->carries[j])
        v = mlirAffineAddExprGet(
            v,
            mlirAffineMulExprGet(
                mlirAffineFloorDivExprGet(
                    values[j], constantExpr(rewrite, berthFoldNumericModulus(
                                                         rewrite->mapping, j))),
                constantExpr(rewrite, -row->carries[j])));
    values[r] = v;
    results[r] = row->plain
                     ? v
                     : mlirAffineModExprGet(
                           v, constantExpr(rewrite, berthFoldNumericModulus(
                                                        rewrite->mapping, r)));
  }
}

/// Where the access's array starts in the one for all.
static int64_t offsetOf(const BerthFoldRewriter *rewrite,
                        const BerthFoldAccess *access) {
  return rewrite->placement->offsets[arrayNumber(rewrite, access->array)];
}

/// One index for all rows, in the array for all.
static MlirAffineExpr linearExpr(const BerthFoldRewriter *rewrite,
                                 const BerthFoldAccess *access,
                                 const MlirAffineExpr *rows) {
  MlirAffineExpr sum = constantExpr(rewrite, 0);
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r)
    sum = mlirAffineAddExprGet(
        mlirAffineMulExprGet(
            sum, constantExpr(rewrite,
                              berthFoldNumericModulus(rewrite->mapping, r))),
        rows[r]);
  return mlirAffineAddExprGet(sum,
                              constantExpr(rewrite, offsetOf(rewrite, access)));
}

static void foldAffine(const BerthFoldRewriter *rewrite,
                       const BerthFoldAccess *access) {
  MlirAffineMap map =
      mlirAffineMapAttrGetValue(berthAttributeOf(access->op, "map"));
  MlirAffineExpr results[BERTH_FOLD_MAX_DIMS];
  size_t numResults = rewrite->mapping->numRows;
  buildRowExprs(rewrite, access, map, results);
  if (rewrite->placement) {
    results[0] = linearExpr(rewrite, access, results);
    numResults = 1;
  }
  MlirAffineMap folded = mlirAffineMapGet(
      rewrite->context, mlirAffineMapGetNumDims(map),
      mlirAffineMapGetNumSymbols(map), (intptr_t)numResults, results);
  berthSetAttribute(access->op, "map", mlirAffineMapAttrGet(folded));
  mlirOperationSetOperand(access->op, berthFoldMemRefOperand(access),
                          rewrite->folded);
}

/// v - carry * quotient.
static MlirValue addCarry(const BerthFoldRewriter *rewrite, BerthInsertPoint at,
                          MlirValue v, size_t r, size_t j, MlirValue quotient) {
  const BerthFoldRow *row = &rewrite->mapping->rows[r];
  MlirValue carry = rewrite->carries[r][j];
  if (!mlirValueIsNull(carry))
    v = berthFoldAddScaled(
        at, v, berthBuildBinary(at, BERTH_NAME_MULTIPLY, quotient, carry), -1);
  else if (row->carries[j])
    v = berthFoldAddScaled(at, v, quotient, -row->carries[j]);
  if (!row->carrySlopes[j])
    return v;
  MlirValue param = berthFoldParamValue(rewrite, rewrite->mapping->carryParam);
  return berthFoldAddScaled(
      at, v, berthBuildBinary(at, BERTH_NAME_MULTIPLY, quotient, param),
      -row->carrySlopes[j]);
}

/// v of row `r`, before its modulo.
static MlirValue buildRow(const BerthFoldRewriter *rewrite, BerthInsertPoint at,
                          size_t r, const BerthFoldAccess *access,
                          intptr_t rank, const MlirValue *subscripts,
                          const MlirValue *quotients) {
  const BerthFoldRow *row = &rewrite->mapping->rows[r];
  size_t first = firstSubscript(rewrite);
  int64_t share = numberShare(rewrite, r, access->array);
  MlirValue v = {NULL};
  if (share)
    v = berthBuildIndex(at, share);
  for (intptr_t d = 0; d < rank; ++d)
    v = berthFoldAddScaled(at, v, subscripts[d],
                           row->coefficients[first + (size_t)d]);
  for (size_t j = 0; j < r; ++j)
    v = addCarry(rewrite, at, v, r, j, quotients[j]);
  return mlirValueIsNull(v) ? berthBuildIndex(at, 0) : v;
}

static bool quotientIsUsed(const BerthFoldResult *result, size_t row) {
  for (size_t i = 0; result && i < result->numMappings; ++i)
    for (size_t r = row + 1; r < result->mappings[i].numRows; ++r)
      if (result->mappings[i].rows[r].carries[row] ||
          result->mappings[i].rows[r].carrySlopes[row])
        return true;
  return false;
}

/// One index for all rows, in the array for all.
static MlirValue buildLinear(const BerthFoldRewriter *rewrite,
                             BerthInsertPoint at, const BerthFoldAccess *access,
                             const MlirValue *rows) {
  MlirValue sum = berthBuildIndex(at, offsetOf(rewrite, access));
  int64_t stride = 1;
  for (size_t r = rewrite->mapping->numRows; r-- > 0;) {
    sum = berthFoldAddScaled(at, sum, rows[r], stride);
    stride *= berthFoldNumericModulus(rewrite->mapping, r);
  }
  return sum;
}

/// The subscripts behind the mapping's turn: those of a turned cell where it is
/// turned, which only the running program knows.
static void turnSubscripts(const BerthFoldRewriter *rewrite,
                           BerthInsertPoint at, MlirValue *subscripts) {
  const BerthFoldTurn *turn = &rewrite->mapping->turn;
  if (!turn->exists)
    return;
  MlirValue along = subscripts[turn->along], aside = subscripts[turn->aside];
  MlirValue twice =
      berthFoldAddScaled(at, berthBuildIndex(at, -1), rewrite->turnFrom, 2);
  subscripts[turn->along] =
      berthFoldSelect(at, BERTH_SIGNED_LESS, along, rewrite->turnFrom, along,
                      berthFoldAddScaled(at, twice, along, -1));
  subscripts[turn->aside] =
      berthFoldSelect(at, BERTH_SIGNED_LESS, along, rewrite->turnFrom, aside,
                      berthFoldAddScaled(at, rewrite->turnSum, aside, -1));
}

/// Replaces the access by a memref.load or memref.store.
static void foldByArithmetic(const BerthFoldRewriter *rewrite,
                             const BerthFoldAccess *access) {
  BerthInsertPoint at = berthInsertBefore(access->op);
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(
      mlirValueGetType(rewrite->nest->arrays[access->array]));
  MlirValue subscripts[BERTH_FOLD_MAX_DIMS];
  MlirValue quotients[BERTH_FOLD_MAX_DIMS] = {{NULL}};
  MlirValue places[BERTH_FOLD_MAX_DIMS];
  berthFoldSubscripts(at, access, rank, subscripts);
  turnSubscripts(rewrite, at, subscripts);
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r) {
    MlirValue v = buildRow(rewrite, at, r, access, rank, subscripts, quotients);
    MlirValue b = rewrite->moduli[r];
    bool plain = rewrite->mapping->rows[r].plain;
    bool divides = quotientIsUsed(rewrite->result, r);
    if (mlirValueIsNull(b) && (!plain || divides))
      b = berthBuildIndex(at, berthFoldNumericModulus(rewrite->mapping, r));
    if (divides)
      quotients[r] = berthFoldFloorDiv(at, v, b);
    places[r] = plain ? v : berthFoldFloorMod(at, v, b);
  }
  if (access->isStore && rewrite->mirror.dim >= 0)
    berthFoldMirrorElement(&rewrite->mirror, at,
                           mlirOperationGetOperand(access->op, 0), places);
  size_t numPlaces = rewrite->mapping->numRows;
  if (rewrite->placement) {
    places[0] = buildLinear(rewrite, at, access, places);
    numPlaces = 1;
  }
  berthFoldReplaceElement(at, access, rewrite->folded, numPlaces, places,
                          rewrite->nest->replaced);
}

void berthFoldRewritePlaced(const BerthFoldNest *nest,
                            const BerthFoldProblem *problem,
                            const BerthFoldPlacement *placement) {
  BerthFoldRewriter rewrite = {.nest = nest,
                               .problem = problem,
                               .placement = placement,
                               .mirror.dim = -1};
  rewrite.context =
      mlirOperationGetContext(mlirOpResultGetOwner(nest->arrays[0]));
  berthFoldBuildPool(&rewrite);
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    rewrite.mapping =
        &placement->mappings[arrayNumber(&rewrite, access->array)];
    if (access->isAffine)
      foldAffine(&rewrite, access);
    else
      foldByArithmetic(&rewrite, access);
  }
  berthFoldMoveDeallocs(nest, rewrite.folded);
  for (size_t a = 0; a < nest->numArrays; ++a)
    mlirOperationDestroy(mlirOpResultGetOwner(nest->arrays[a]));
}

void berthFoldRewrite(const BerthFoldNest *nest,
                      const BerthFoldProblem *problem,
                      const BerthFoldResult *result) {
  BerthFoldRewriter rewrite = {.nest = nest,
                               .problem = problem,
                               .result = result,
                               .mapping = &result->mappings[0]};
  rewrite.context =
      mlirOperationGetContext(mlirOpResultGetOwner(nest->arrays[0]));
  berthFoldBuildArray(&rewrite);
  rewrite.mirror = berthFoldMirrorOf(nest, rewrite.mapping, rewrite.folded);
  bool isMirrored = rewrite.mirror.dim >= 0;
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    if (access->view != BERTH_FOLD_NO_VIEW ||
        access->shape != BERTH_FOLD_ELEMENT)
      continue;
    if (access->isAffine && !rewrite.symbolic &&
        !(isMirrored && access->isStore))
      foldAffine(&rewrite, access);
    else
      foldByArithmetic(&rewrite, access);
  }
  BerthFoldShift shift = {.nest = nest,
                          .folded = rewrite.folded,
                          .mapping = rewrite.mapping,
                          .mirror = rewrite.mirror};
  berthFoldShiftSlices(&shift);
  berthFoldMoveDeallocs(nest, rewrite.folded);
  for (size_t a = 0; a < nest->numArrays; ++a)
    mlirOperationDestroy(mlirOpResultGetOwner(nest->arrays[a]));
}
