//===- FoldArray.c - The folded array ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its sizes are the moduli: numbers, or values computed where an array of the
// nest is first accessed. Where the classes of a size differ in their carries,
// the carry of the class at hand is chosen there too.
//
//===----------------------------------------------------------------------===//

#include "IR/Fold/FoldArray.h"

#include "IR/Facts/Versions.h"
#include "IR/Fold/FoldIndex.h"
#include "IR/Ops/OpTable.h"

#include <stdio.h>

//===----------------------------------------------------------------------===//
// Moduli
//===----------------------------------------------------------------------===//

int64_t berthFoldNumericModulus(const BerthFoldMapping *mapping, size_t r) {
  const BerthFoldRow *row = &mapping->rows[r];
  if (row->numTerms != 1 || row->terms[0].divisor != 1)
    return -1;
  for (size_t p = 0; p < mapping->numParams; ++p)
    if (row->terms[0].coefficients[p])
      return -1;
  return row->terms[0].constant;
}

MlirValue berthFoldParamValue(const BerthFoldRewriter *rewrite, size_t param) {
  size_t number = 0;
  sscanf(berthFoldProblemParamName(rewrite->problem, param), "p%zu", &number);
  return rewrite->nest->params.values[number];
}

static MlirValue buildTerm(const BerthFoldRewriter *rewrite,
                           BerthInsertPoint at, const BerthFoldTerm *term) {
  // ceil(x / d) = floor((x + d - 1) / d)
  MlirValue sum = berthBuildIndex(at, term->constant + term->divisor - 1);
  for (size_t p = 0; p < rewrite->mapping->numParams; ++p)
    if (term->coefficients[p])
      sum = berthFoldAddScaled(at, sum, berthFoldParamValue(rewrite, p),
                               term->coefficients[p]);
  if (term->divisor == 1)
    return sum;
  return berthFoldFloorDiv(at, sum, berthBuildIndex(at, term->divisor));
}

/// The largest term, and at least 1 whatever the parameters are.
static MlirValue buildModulus(const BerthFoldRewriter *rewrite,
                              BerthInsertPoint at, const BerthFoldRow *row) {
  MlirValue largest = berthBuildIndex(at, 1);
  for (size_t t = 0; t < row->numTerms; ++t) {
    MlirValue term = buildTerm(rewrite, at, &row->terms[t]);
    largest =
        berthFoldSelect(at, BERTH_SIGNED_GREATER, term, largest, term, largest);
  }
  return largest;
}

//===----------------------------------------------------------------------===//
// The folded array
//===----------------------------------------------------------------------===//

/// The earlier one of `first`, which may be null, and the op of the owner block
/// that `op` is in.
static MlirOperation earlier(const BerthFoldNest *nest, MlirOperation first,
                             MlirOperation op) {
  op = berthFoldOpOfOwner(nest, op);
  return mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(op, first)
             ? op
             : first;
}

/// The op of the owner block that holds the first access or view.
static MlirOperation firstAccess(const BerthFoldNest *nest) {
  MlirOperation first = {NULL};
  for (size_t k = 0; k < nest->numAccesses; ++k)
    first = earlier(nest, first, nest->accesses[k].op);
  for (size_t v = 0; v < nest->numViews; ++v)
    first = earlier(nest, first, nest->views[v].op);
  return first;
}

/// Whether the parameter is defined before `first`, an op of the owner block.
static bool isKnownBefore(const BerthFoldRewriter *rewrite, size_t param,
                          MlirOperation first) {
  MlirValue value = berthFoldParamValue(rewrite, param);
  if (mlirValueIsABlockArgument(value))
    return true;
  MlirOperation op = mlirOpResultGetOwner(value);
  return !mlirBlockEqual(mlirOperationGetBlock(op), rewrite->nest->owner) ||
         mlirOperationIsBeforeInBlock(op, first);
}

static bool needsParam(const BerthFoldMapping *mapping, size_t param) {
  bool needed = mapping->classModulus > 1 && mapping->classParam == param;
  needed |= mapping->turn.exists && (mapping->turn.from.coefficients[param] ||
                                     mapping->turn.sum.coefficients[param]);
  for (size_t r = 0; r < mapping->numRows; ++r) {
    for (size_t t = 0; t < mapping->rows[r].numTerms; ++t)
      needed |= mapping->rows[r].terms[t].coefficients[param] != 0;
    for (size_t j = 0; j < r; ++j)
      needed |= mapping->rows[r].carrySlopes[j] && mapping->carryParam == param;
  }
  return needed;
}

bool berthFoldCanPlace(const BerthFoldNest *nest,
                       const BerthFoldProblem *problem,
                       const BerthFoldResult *result) {
  BerthFoldRewriter rewrite = {.nest = nest, .problem = problem};
  MlirOperation first = firstAccess(nest);
  for (size_t i = 0; i < result->numMappings; ++i)
    for (size_t p = 0; p < result->mappings[i].numParams; ++p)
      if (needsParam(&result->mappings[i], p) &&
          !isKnownBefore(&rewrite, p, first))
        return false;
  return true;
}

static int64_t largestAlignment(const BerthFoldNest *nest) {
  int64_t largest = 0;
  for (size_t a = 0; a < nest->numArrays; ++a) {
    MlirAttribute attribute =
        berthAttributeOf(mlirOpResultGetOwner(nest->arrays[a]), "alignment");
    int64_t value = mlirAttributeIsNull(attribute)
                        ? 0
                        : mlirIntegerAttrGetValueInt(attribute);
    largest = value > largest ? value : largest;
  }
  return largest;
}

MlirValue berthFoldAllocate(const BerthFoldNest *nest, BerthInsertPoint at,
                            size_t rank, const int64_t *shape, int32_t numSizes,
                            const MlirValue *sizes) {
  MlirOperation old = mlirOpResultGetOwner(nest->arrays[0]);
  MlirContext context = mlirOperationGetContext(old);
  at.location = mlirOperationGetLocation(old);
  MlirType type = mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(mlirValueGetType(nest->arrays[0])),
      (intptr_t)rank, shape, mlirAttributeGetNull(),
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(nest->arrays[0])));
  int32_t segments[] = {numSizes, 0};
  int64_t alignment = largestAlignment(nest);
  MlirNamedAttribute attributes[] = {
      berthNamed(context, "operandSegmentSizes",
                 berthI32Array(context, 2, segments)),
      berthNamed(context, "alignment", berthI64(context, alignment))};
  return berthBuildValue(at, mlirIdentifierStr(mlirOperationGetName(old)).data,
                         numSizes, sizes, type, alignment ? 2 : 1, attributes);
}

static bool carriesDiffer(const BerthFoldResult *result, size_t r, size_t j) {
  for (size_t i = 1; i < result->numMappings; ++i)
    if (result->mappings[i].rows[r].carries[j] !=
        result->mappings[0].rows[r].carries[j])
      return true;
  return false;
}

/// The carry of the class that the size turns out to be in.
static MlirValue buildCarry(const BerthFoldRewriter *rewrite,
                            BerthInsertPoint at, size_t r, size_t j) {
  const BerthFoldResult *result = rewrite->result;
  const BerthFoldMapping *mapping = rewrite->mapping;
  MlirValue rest =
      berthFoldFloorMod(at, berthFoldParamValue(rewrite, mapping->classParam),
                        berthBuildIndex(at, mapping->classModulus));
  MlirValue carry = berthBuildIndex(at, mapping->rows[r].carries[j]);
  for (size_t i = 1; i < result->numMappings; ++i) {
    MlirValue other =
        berthBuildIndex(at, result->mappings[i].rows[r].carries[j]);
    MlirValue own = berthBuildIndex(at, result->mappings[i].classRest);
    carry = berthFoldSelect(at, BERTH_EQUAL, rest, own, other, carry);
  }
  return carry;
}

static void buildCarries(BerthFoldRewriter *rewrite, BerthInsertPoint at) {
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r)
    for (size_t j = 0; j < r; ++j)
      if (carriesDiffer(rewrite->result, r, j)) {
        rewrite->symbolic = true;
        rewrite->carries[r][j] = buildCarry(rewrite, at, r, j);
      }
}

void berthFoldBuildArray(BerthFoldRewriter *rewrite) {
  const BerthFoldNest *nest = rewrite->nest;
  BerthInsertPoint at = berthInsertBefore(firstAccess(nest));
  int64_t shape[BERTH_FOLD_MAX_DIMS];
  MlirValue sizes[BERTH_FOLD_MAX_DIMS];
  int32_t numSizes = 0;
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r) {
    shape[r] = berthFoldNumericModulus(rewrite->mapping, r);
    if (shape[r] >= 0) {
      shape[r] += rewrite->mapping->rows[r].mirror;
      continue;
    }
    rewrite->symbolic = true;
    shape[r] = mlirShapedTypeGetDynamicSize();
    rewrite->moduli[r] = buildModulus(rewrite, at, &rewrite->mapping->rows[r]);
    sizes[numSizes++] = rewrite->moduli[r];
  }
  rewrite->folded = berthFoldAllocate(nest, at, rewrite->mapping->numRows,
                                      shape, numSizes, sizes);
  buildCarries(rewrite, at);
  const BerthFoldTurn *turn = &rewrite->mapping->turn;
  if (turn->exists) {
    rewrite->symbolic = true;
    rewrite->turnFrom = buildTerm(rewrite, at, &turn->from);
    rewrite->turnSum = buildTerm(rewrite, at, &turn->sum);
  }
}

void berthFoldBuildPool(BerthFoldRewriter *rewrite) {
  const BerthFoldNest *nest = rewrite->nest;
  rewrite->folded =
      berthFoldAllocate(nest, berthInsertBefore(firstAccess(nest)), 1,
                        &rewrite->placement->cells, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Deallocations
//===----------------------------------------------------------------------===//

/// The deallocation of an array, or null. There is at most one in the block.
static MlirOperation deallocOf(MlirValue array) {
  for (MlirOpOperand use = mlirValueGetFirstUse(array);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (berthOpIs(mlirOpOperandGetOwner(use), BERTH_OP_FREE))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

/// The last deallocation frees the folded array; the others go. Where one is
/// missing the array was meant to stay, and so does the folded one.
void berthFoldMoveDeallocs(const BerthFoldNest *nest, MlirValue folded) {
  MlirOperation last = {NULL};
  bool all = true;
  for (size_t a = 0; a < nest->numArrays; ++a) {
    MlirOperation op = deallocOf(nest->arrays[a]);
    all &= !mlirOperationIsNull(op);
    if (mlirOperationIsNull(op))
      continue;
    bool later =
        mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, op);
    MlirOperation drop = later ? last : op;
    last = later ? op : last;
    if (!mlirOperationIsNull(drop))
      mlirOperationDestroy(drop);
  }
  if (mlirOperationIsNull(last))
    return;
  if (all)
    mlirOperationSetOperand(last, 0, folded);
  else
    mlirOperationDestroy(last);
}
