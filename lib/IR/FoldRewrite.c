//===- FoldRewrite.c - Accesses to the folded array ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Affine accesses stay affine where all moduli are numbers: only their map
// changes, with affine `mod`, which is a floor modulo. A symbolic modulus is no
// affine symbol in general, so those accesses become memref.load and
// memref.store on indices computed by signed arithmetic with floor semantics.
//
//===----------------------------------------------------------------------===//

#include "IR/Build.h"
#include "IR/FoldNest.h"
#include "IR/OpTable.h"
#include "Support/Grow.h"

#include "mlir-c/AffineMap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What is known while a nest is rewritten.
typedef struct Rewrite {
  const BerthFoldNest *nest;
  const BerthFoldProblem *problem;
  const BerthFoldResult *result;   ///< all classes
  const BerthFoldMapping *mapping; ///< the first one
  MlirContext context;
  MlirValue folded;
  MlirValue moduli[BERTH_FOLD_MAX_DIMS]; ///< null for numbers
  /// [row][earlier row]; null unless the classes differ.
  MlirValue carries[BERTH_FOLD_MAX_DIMS][BERTH_FOLD_MAX_DIMS];
  bool symbolic; ///< some modulus is no number
} Rewrite;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

static MlirValue binary(BerthInsertPoint at, const char *name, MlirValue a,
                        MlirValue b) {
  MlirValue operands[] = {a, b};
  return berthBuildValue(at, name, 2, operands, mlirValueGetType(a), 0, NULL);
}

enum { PredicateEqual = 0, PredicateLess = 2, PredicateGreater = 4 };

/// `first` where a < b (or a > b), else `second`.
static MlirValue selectBy(BerthInsertPoint at, int predicate, MlirValue a,
                          MlirValue b, MlirValue first, MlirValue second) {
  MlirValue condition = berthBuildCompare(at, predicate, a, b);
  MlirValue operands[] = {condition, first, second};
  return berthBuildValue(at, "arith.select", 3, operands,
                         mlirValueGetType(first), 0, NULL);
}

static MlirValue floorMod(BerthInsertPoint at, MlirValue v, MlirValue b) {
  MlirValue rest = binary(at, "arith.remsi", v, b);
  MlirValue zero = berthBuildIndex(at, 0);
  MlirValue wrapped = binary(at, "arith.addi", rest, b);
  return selectBy(at, PredicateLess, rest, zero, wrapped, rest);
}

static MlirValue floorDiv(BerthInsertPoint at, MlirValue v, MlirValue b) {
  MlirValue rest = floorMod(at, v, b);
  return binary(at, "arith.divsi", binary(at, "arith.subi", v, rest), b);
}

/// sum + factor * value; `sum` may be null for 0.
static MlirValue addScaled(BerthInsertPoint at, MlirValue sum, MlirValue value,
                           int64_t factor) {
  if (factor == 0)
    return sum;
  if (factor == -1 && !mlirValueIsNull(sum))
    return binary(at, "arith.subi", sum, value);
  if (factor != 1)
    value = binary(at, "arith.muli", value, berthBuildIndex(at, factor));
  return mlirValueIsNull(sum) ? value : binary(at, "arith.addi", sum, value);
}

//===----------------------------------------------------------------------===//
// Moduli
//===----------------------------------------------------------------------===//

/// The modulus if it is a number, else -1.
static int64_t numericModulus(const BerthFoldMapping *mapping, size_t r) {
  const BerthFoldRow *row = &mapping->rows[r];
  if (row->numTerms != 1 || row->terms[0].divisor != 1)
    return -1;
  for (size_t p = 0; p < mapping->numParams; ++p)
    if (row->terms[0].coefficients[p])
      return -1;
  return row->terms[0].constant;
}

static MlirValue paramValue(const Rewrite *rewrite, size_t param) {
  size_t number = 0;
  sscanf(berthFoldProblemParamName(rewrite->problem, param), "p%zu", &number);
  return rewrite->nest->params.values[number];
}

static MlirValue buildTerm(const Rewrite *rewrite, BerthInsertPoint at,
                           const BerthFoldTerm *term) {
  // ceil(x / d) = floor((x + d - 1) / d)
  MlirValue sum = berthBuildIndex(at, term->constant + term->divisor - 1);
  for (size_t p = 0; p < rewrite->mapping->numParams; ++p)
    if (term->coefficients[p])
      sum = addScaled(at, sum, paramValue(rewrite, p), term->coefficients[p]);
  if (term->divisor == 1)
    return sum;
  return floorDiv(at, sum, berthBuildIndex(at, term->divisor));
}

/// The largest term, and at least 1 whatever the parameters are.
static MlirValue buildModulus(const Rewrite *rewrite, BerthInsertPoint at,
                              const BerthFoldRow *row) {
  MlirValue largest = berthBuildIndex(at, 1);
  for (size_t t = 0; t < row->numTerms; ++t) {
    MlirValue term = buildTerm(rewrite, at, &row->terms[t]);
    largest = selectBy(at, PredicateGreater, term, largest, term, largest);
  }
  return largest;
}

//===----------------------------------------------------------------------===//
// The folded array
//===----------------------------------------------------------------------===//

/// The op of the owner block that holds the first access.
static MlirOperation firstAccess(const BerthFoldNest *nest) {
  MlirOperation first = {NULL};
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    MlirOperation op = nest->accesses[k].op;
    while (!mlirBlockEqual(mlirOperationGetBlock(op), nest->owner))
      op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(op, first))
      first = op;
  }
  return first;
}

/// Whether the parameter is defined before `first`, an op of the owner block.
static bool isKnownBefore(const Rewrite *rewrite, size_t param,
                          MlirOperation first) {
  MlirValue value = paramValue(rewrite, param);
  if (mlirValueIsABlockArgument(value))
    return true;
  MlirOperation op = mlirOpResultGetOwner(value);
  return !mlirBlockEqual(mlirOperationGetBlock(op), rewrite->nest->owner) ||
         mlirOperationIsBeforeInBlock(op, first);
}

static bool needsParam(const BerthFoldMapping *mapping, size_t param) {
  bool needed = mapping->classModulus > 1 && mapping->classParam == param;
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
  Rewrite rewrite = {.nest = nest, .problem = problem};
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

static bool carriesDiffer(const BerthFoldResult *result, size_t r, size_t j) {
  for (size_t i = 1; i < result->numMappings; ++i)
    if (result->mappings[i].rows[r].carries[j] !=
        result->mappings[0].rows[r].carries[j])
      return true;
  return false;
}

/// The carry of the class that the size turns out to be in.
static MlirValue buildCarry(const Rewrite *rewrite, BerthInsertPoint at,
                            size_t r, size_t j) {
  const BerthFoldResult *result = rewrite->result;
  const BerthFoldMapping *mapping = rewrite->mapping;
  MlirValue rest = floorMod(at, paramValue(rewrite, mapping->classParam),
                            berthBuildIndex(at, mapping->classModulus));
  MlirValue carry = berthBuildIndex(at, mapping->rows[r].carries[j]);
  for (size_t i = 1; i < result->numMappings; ++i) {
    MlirValue other =
        berthBuildIndex(at, result->mappings[i].rows[r].carries[j]);
    MlirValue own = berthBuildIndex(at, result->mappings[i].classRest);
    carry = selectBy(at, PredicateEqual, rest, own, other, carry);
  }
  return carry;
}

static void buildCarries(Rewrite *rewrite, BerthInsertPoint at) {
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r)
    for (size_t j = 0; j < r; ++j)
      if (carriesDiffer(rewrite->result, r, j)) {
        rewrite->symbolic = true;
        rewrite->carries[r][j] = buildCarry(rewrite, at, r, j);
      }
}

static void buildArray(Rewrite *rewrite) {
  const BerthFoldNest *nest = rewrite->nest;
  BerthInsertPoint at = berthInsertBefore(firstAccess(nest));
  MlirOperation old = mlirOpResultGetOwner(nest->arrays[0]);
  at.location = mlirOperationGetLocation(old);
  int64_t shape[BERTH_FOLD_MAX_DIMS];
  MlirValue sizes[BERTH_FOLD_MAX_DIMS];
  int32_t numSizes = 0;
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r) {
    shape[r] = numericModulus(rewrite->mapping, r);
    if (shape[r] >= 0)
      continue;
    rewrite->symbolic = true;
    shape[r] = mlirShapedTypeGetDynamicSize();
    rewrite->moduli[r] = buildModulus(rewrite, at, &rewrite->mapping->rows[r]);
    sizes[numSizes++] = rewrite->moduli[r];
  }
  MlirType type = mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(mlirValueGetType(nest->arrays[0])),
      (intptr_t)rewrite->mapping->numRows, shape, mlirAttributeGetNull(),
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(nest->arrays[0])));
  int32_t segments[] = {numSizes, 0};
  int64_t alignment = largestAlignment(nest);
  MlirNamedAttribute attributes[] = {
      berthNamed(rewrite->context, "operandSegmentSizes",
                 berthI32Array(rewrite->context, 2, segments)),
      berthNamed(rewrite->context, "alignment",
                 berthI64(rewrite->context, alignment))};
  rewrite->folded =
      berthBuildValue(at, mlirIdentifierStr(mlirOperationGetName(old)).data,
                      numSizes, sizes, type, alignment ? 2 : 1, attributes);
  buildCarries(rewrite, at);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The number of an array among the problem's.
static int64_t arrayNumber(const Rewrite *rewrite, size_t array) {
  char name[24];
  snprintf(name, sizeof name, "A%zu", array);
  for (size_t n = 0; n < berthFoldProblemNumArrays(rewrite->problem); ++n)
    if (!strcmp(berthFoldProblemArrayName(rewrite->problem, n), name))
      return (int64_t)n;
  return 0;
}

/// The constant part of row `r` for an array: its number's share.
static int64_t numberShare(const Rewrite *rewrite, size_t r, size_t array) {
  if (berthFoldProblemNumArrays(rewrite->problem) < 2)
    return 0;
  return rewrite->mapping->rows[r].coefficients[0] *
         arrayNumber(rewrite, array);
}

/// Where the subscripts' coefficients start in a row.
static size_t firstSubscript(const Rewrite *rewrite) {
  return berthFoldProblemNumArrays(rewrite->problem) > 1;
}

static MlirAffineExpr constantExpr(const Rewrite *rewrite, int64_t value) {
  return mlirAffineConstantExprGet(rewrite->context, value);
}

static void foldAffine(const Rewrite *rewrite, const BerthFoldAccess *access) {
  MlirAffineMap map =
      mlirAffineMapAttrGetValue(berthAttributeOf(access->op, "map"));
  MlirAffineExpr values[BERTH_FOLD_MAX_DIMS], results[BERTH_FOLD_MAX_DIMS];
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
                    values[j],
                    constantExpr(rewrite, numericModulus(rewrite->mapping, j))),
                constantExpr(rewrite, -row->carries[j])));
    values[r] = v;
    results[r] =
        row->plain ? v
                   : mlirAffineModExprGet(
                         v, constantExpr(rewrite,
                                         numericModulus(rewrite->mapping, r)));
  }
  MlirAffineMap folded = mlirAffineMapGet(
      rewrite->context, mlirAffineMapGetNumDims(map),
      mlirAffineMapGetNumSymbols(map), (intptr_t)numRows, results);
  berthSetAttribute(access->op, "map", mlirAffineMapAttrGet(folded));
  mlirOperationSetOperand(access->op, berthFoldMemRefOperand(access),
                          rewrite->folded);
}

/// The access's subscripts as index values.
static void readSubscripts(const Rewrite *rewrite, BerthInsertPoint at,
                           const BerthFoldAccess *access, intptr_t rank,
                           MlirValue *subscripts) {
  intptr_t first = berthFoldMemRefOperand(access) + 1;
  for (intptr_t d = 0; d < rank; ++d) {
    if (!access->isAffine) {
      subscripts[d] = mlirOperationGetOperand(access->op, first + d);
      continue;
    }
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(berthAttributeOf(access->op, "map"));
    intptr_t numInputs = mlirAffineMapGetNumInputs(map);
    MlirValue *inputs = berthAllocateOrDie((size_t)numInputs, sizeof *inputs);
    for (intptr_t i = 0; i < numInputs; ++i)
      inputs[i] = mlirOperationGetOperand(access->op, first + i);
    MlirAffineMap single = mlirAffineMapGetSubMap(map, 1, &d);
    MlirNamedAttribute attribute =
        berthNamed(rewrite->context, "map", mlirAffineMapAttrGet(single));
    subscripts[d] =
        berthBuildValue(at, "affine.apply", numInputs, inputs,
                        mlirIndexTypeGet(rewrite->context), 1, &attribute);
    free(inputs);
  }
}

/// v - carry * quotient.
static MlirValue addCarry(const Rewrite *rewrite, BerthInsertPoint at,
                          MlirValue v, size_t r, size_t j, MlirValue quotient) {
  const BerthFoldRow *row = &rewrite->mapping->rows[r];
  MlirValue carry = rewrite->carries[r][j];
  if (!mlirValueIsNull(carry))
    v = addScaled(at, v, binary(at, "arith.muli", quotient, carry), -1);
  else if (row->carries[j])
    v = addScaled(at, v, quotient, -row->carries[j]);
  if (!row->carrySlopes[j])
    return v;
  MlirValue param = paramValue(rewrite, rewrite->mapping->carryParam);
  return addScaled(at, v, binary(at, "arith.muli", quotient, param),
                   -row->carrySlopes[j]);
}

/// v of row `r`, before its modulo.
static MlirValue buildRow(const Rewrite *rewrite, BerthInsertPoint at, size_t r,
                          const BerthFoldAccess *access, intptr_t rank,
                          const MlirValue *subscripts,
                          const MlirValue *quotients) {
  const BerthFoldRow *row = &rewrite->mapping->rows[r];
  size_t first = firstSubscript(rewrite);
  int64_t share = numberShare(rewrite, r, access->array);
  MlirValue v = {NULL};
  if (share)
    v = berthBuildIndex(at, share);
  for (intptr_t d = 0; d < rank; ++d)
    v = addScaled(at, v, subscripts[d], row->coefficients[first + (size_t)d]);
  for (size_t j = 0; j < r; ++j)
    v = addCarry(rewrite, at, v, r, j, quotients[j]);
  return mlirValueIsNull(v) ? berthBuildIndex(at, 0) : v;
}

static bool quotientIsUsed(const BerthFoldResult *result, size_t row) {
  for (size_t i = 0; i < result->numMappings; ++i)
    for (size_t r = row + 1; r < result->mappings[i].numRows; ++r)
      if (result->mappings[i].rows[r].carries[row] ||
          result->mappings[i].rows[r].carrySlopes[row])
        return true;
  return false;
}

/// Replaces the access by a memref.load or memref.store.
static void foldByArithmetic(const Rewrite *rewrite,
                             const BerthFoldAccess *access) {
  BerthInsertPoint at = berthInsertBefore(access->op);
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(
      mlirValueGetType(rewrite->nest->arrays[access->array]));
  MlirValue subscripts[BERTH_FOLD_MAX_DIMS];
  MlirValue quotients[BERTH_FOLD_MAX_DIMS] = {{NULL}};
  MlirValue operands[BERTH_FOLD_MAX_DIMS + 2];
  intptr_t count = 0;
  readSubscripts(rewrite, at, access, rank, subscripts);
  if (access->isStore)
    operands[count++] = mlirOperationGetOperand(access->op, 0);
  operands[count++] = rewrite->folded;
  for (size_t r = 0; r < rewrite->mapping->numRows; ++r) {
    MlirValue v = buildRow(rewrite, at, r, access, rank, subscripts, quotients);
    MlirValue b = rewrite->moduli[r];
    bool plain = rewrite->mapping->rows[r].plain;
    bool divides = quotientIsUsed(rewrite->result, r);
    if (mlirValueIsNull(b) && (!plain || divides))
      b = berthBuildIndex(at, numericModulus(rewrite->mapping, r));
    if (divides)
      quotients[r] = floorDiv(at, v, b);
    operands[count++] = plain ? v : floorMod(at, v, b);
  }
  if (access->isStore) {
    berthBuild(at, "memref.store", count, operands, 0, NULL, 0, NULL);
  } else {
    MlirValue old = mlirOperationGetResult(access->op, 0);
    MlirValue loaded = berthBuildValue(at, "memref.load", count, operands,
                                       mlirValueGetType(old), 0, NULL);
    mlirValueReplaceAllUsesOfWith(old, loaded);
  }
  mlirOperationDestroy(access->op);
}

//===----------------------------------------------------------------------===//
// Deallocations
//===----------------------------------------------------------------------===//

/// The deallocation of an array, or null. There is at most one in the block.
static MlirOperation deallocOf(MlirValue array) {
  for (MlirOpOperand use = mlirValueGetFirstUse(array);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (berthOpIsNamed(mlirOpOperandGetOwner(use), "memref.dealloc"))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

/// The last deallocation frees the folded array; the others go. Where one is
/// missing the array was meant to stay, and so does the folded one.
static void moveDeallocs(const Rewrite *rewrite) {
  MlirOperation last = {NULL};
  bool all = true;
  for (size_t a = 0; a < rewrite->nest->numArrays; ++a) {
    MlirOperation op = deallocOf(rewrite->nest->arrays[a]);
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
    mlirOperationSetOperand(last, 0, rewrite->folded);
  else
    mlirOperationDestroy(last);
}

void berthFoldRewrite(const BerthFoldNest *nest,
                      const BerthFoldProblem *problem,
                      const BerthFoldResult *result) {
  Rewrite rewrite = {.nest = nest,
                     .problem = problem,
                     .result = result,
                     .mapping = &result->mappings[0]};
  rewrite.context =
      mlirOperationGetContext(mlirOpResultGetOwner(nest->arrays[0]));
  buildArray(&rewrite);
  for (size_t k = 0; k < nest->numAccesses; ++k) {
    const BerthFoldAccess *access = &nest->accesses[k];
    if (access->isAffine && !rewrite.symbolic)
      foldAffine(&rewrite, access);
    else
      foldByArithmetic(&rewrite, access);
  }
  moveDeallocs(&rewrite);
  for (size_t a = 0; a < nest->numArrays; ++a)
    mlirOperationDestroy(mlirOpResultGetOwner(nest->arrays[a]));
}
