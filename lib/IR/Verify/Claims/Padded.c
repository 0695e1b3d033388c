//===- Padded.c - Rows with padding behind them ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Padded.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Check {
  MlirOperation alloc;
  int64_t used, elementBytes; ///< of a row
  int64_t joined;             ///< it is several rows of so many; 0: one
  size_t numErrors;
} Check;

static void tell(Check *check, MlirOperation op, const char *why) {
  ++check->numErrors;
  berthEmitError(op, why, check->alloc, "of these rows");
}

static bool is(const BerthMixed *mixed, int64_t number) {
  return mlirValueIsNull(mixed->value) && mixed->number == number;
}

/// True for the part that has all of the rows but their padding.
static bool leavesPadding(MlirOperation op, MlirType type, int64_t used) {
  BerthSubView part;
  if (!berthSubViewGet(op, &part))
    return false;
  for (intptr_t d = 0; d < part.rank; ++d) {
    int64_t size =
        d + 1 == part.rank ? used : mlirShapedTypeGetDimSize(type, d);
    if (!is(&part.offsets[d], 0) || !is(&part.strides[d], 1) ||
        !is(&part.sizes[d], size))
      return false;
  }
  return true;
}

/// How far the rows of a memref are apart, as an op is told by an attribute.
static bool isToldRight(MlirOperation op, MlirType type) {
  int64_t strides[BERTH_SLICE_MAX_RANK], offset;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  MlirAttribute told = berthAttributeOf(op, "leadDimension");
  return rank >= 2 && rank <= BERTH_SLICE_MAX_RANK &&
         mlirAttributeIsAInteger(told) &&
         mlirLogicalResultIsSuccess(
             mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) &&
         mlirIntegerAttrGetValueInt(told) == strides[rank - 2];
}

/// How many bytes the op takes at once from where its subscripts are; 0 where
/// each element has subscripts of its own.
static int64_t bytesAtOnce(const Check *check, MlirOperation op) {
  BerthVectorAccess access;
  if (berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    return berthAsyncCopyGet(op).elements * check->elementBytes;
  if (berthVectorGetAccess(op, &access)) {
    MlirType type =
        mlirValueGetType(mlirOperationGetOperand(op, access.memref));
    intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
    return rank ? access.extents[rank - 1] * check->elementBytes : 0;
  }
  bool isMatrix = berthOpSurelyTouches(op) && !berthOpTakesSlices(op) &&
                  mlirAttributeIsNull(berthAttributeOf(op, "leadDimension"));
  return isMatrix ? 16 : 0;
}

/// True if that may be of two rows. What begins at a multiple of its own size
/// is not, if a row is a multiple of that.
static bool mayCrossRows(const Check *check, MlirOperation op) {
  int64_t bytes = bytesAtOnce(check, op);
  int64_t row = check->joined ? check->joined : check->used;
  return bytes && row * check->elementBytes % bytes;
}

/// The operands of an op of that kind, of which the second is the number.
static bool isOf(MlirValue value, BerthOpKind kind, int64_t number,
                 MlirValue *first) {
  int64_t constant;
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!berthOpIs(op, kind) || mlirOperationGetNumOperands(op) != 2 ||
      !berthValueIsConstant(mlirOperationGetOperand(op, 1), &constant) ||
      constant != number)
    return false;
  *first = mlirOperationGetOperand(op, 0);
  return true;
}

static intptr_t firstSubscript(MlirOperation op, intptr_t operand) {
  BerthVectorAccess access;
  if (berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    return berthAsyncCopyGet(op).firstIndex;
  return berthVectorGetAccess(op, &access) ? access.firstIndex : operand + 1;
}

/// True if the op tells row r as the joined one of number r / n, and in there
/// begins at row r mod n.
static bool isToldRow(const Check *check, MlirOperation op, intptr_t operand) {
  int64_t count = check->used / check->joined;
  intptr_t first = firstSubscript(op, operand);
  if (first < 0 || first + 1 >= mlirOperationGetNumOperands(op))
    return false;
  MlirValue column = mlirOperationGetOperand(op, first + 1), row, of, begin;
  if (!isOf(mlirOperationGetOperand(op, first), BERTH_OP_QUOTIENT, count,
            &row) ||
      !mlirValueIsAOpResult(column) ||
      !berthOpIs(mlirOpResultGetOwner(column), BERTH_OP_SUM))
    return false;
  begin = mlirOperationGetOperand(mlirOpResultGetOwner(column), 0);
  return isOf(begin, BERTH_OP_PRODUCT, check->joined, &begin) &&
         isOf(begin, BERTH_OP_REMAINDER, count, &of) && mlirValueEqual(of, row);
}

static void checkUses(Check *check, MlirValue view) {
  for (MlirOpOperand use = mlirValueGetFirstUse(view);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView part;
    bool takesStrides =
        berthOpIs(op, BERTH_OP_DIM) || berthOpTakesSlices(op) ||
        berthOpStartsAsync(op, BERTH_ASYNC_COPY) ||
        (berthOpSurelyTouches(op) &&
         mlirAttributeIsNull(berthAttributeOf(op, "alignment")));
    if (berthSubViewGet(op, &part))
      checkUses(check, mlirOperationGetResult(op, 0));
    else if (!takesStrides)
      tell(check, op, "needs rows without padding between them");
    else if (check->joined &&
             !isToldRow(check, op, mlirOpOperandGetOperandNumber(use)))
      tell(check, op, "is told another row than the one that it means");
    else if (mayCrossRows(check, op))
      tell(check, op, "may take the end of a row and the next one at once");
    else if (!mlirAttributeIsNull(berthAttributeOf(op, "leadDimension")) &&
             !isToldRight(op, mlirValueGetType(view)))
      tell(check, op, "is told another distance of rows than they have");
  }
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  size_t *numErrors = userData;
  Check check = {.alloc = op};
  MlirAttribute mark = berthAttributeOf(op, BERTH_PADDED);
  if (mlirAttributeIsNull(mark) || !berthOpIsPlainAllocation(op))
    return MlirWalkResultAdvance;
  MlirValue rows = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(rows);
  int64_t used =
      mlirAttributeIsAInteger(mark) ? mlirIntegerAttrGetValueInt(mark) : -1;
  BerthTypeSize size;
  check.used = used;
  MlirAttribute joined = berthAttributeOf(op, BERTH_JOINED);
  if (!mlirAttributeIsNull(joined) && mlirAttributeIsAInteger(joined))
    check.joined = mlirIntegerAttrGetValueInt(joined);
  check.elementBytes = berthMemRefGetSize(type, op, &size) == BERTH_SIZE_OK
                           ? size.elementBytes
                           : 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(rows);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (berthOpIsFree(user))
      continue;
    if (leavesPadding(user, type, used))
      checkUses(&check, mlirOperationGetResult(user, 0));
    else
      tell(&check, user, "uses the padding of rows");
  }
  *numErrors += check.numErrors;
  return MlirWalkResultAdvance;
}

size_t berthVerifyPadded(MlirOperation root) {
  size_t numErrors = 0;
  mlirOperationWalk(root, visit, &numErrors, MlirWalkPreOrder);
  return numErrors;
}
