//===- PadRows.c - Rows of a buffer farther apart -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pad/PadRows.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/MultiBuffer/SlotBuffer.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/Rules.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

static const char leadDimension[] = "leadDimension";

bool berthTakesLeadDimension(MlirOperation op) {
  return !mlirAttributeIsNull(berthAttributeOf(op, leadDimension));
}

static int64_t rowDistance(MlirType type) {
  int64_t strides[BERTH_SLICE_MAX_RANK], offset;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  if (rank < 2 || rank > BERTH_SLICE_MAX_RANK ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return -1;
  return strides[rank - 2];
}

//===----------------------------------------------------------------------===//
// Whether it may be done
//===----------------------------------------------------------------------===//

static BerthRowsFit refuse(const char *reason, MlirOperation at) {
  return (BerthRowsFit){reason, at};
}

/// True if the op can be given rows that are farther apart.
static bool takesRows(MlirOperation op, MlirOpOperand use) {
  BerthSubView view;
  if (berthOpIsFree(op) && mlirOperationGetNumOperands(op) == 1)
    return true;
  if (berthTakesLeadDimension(op))
    return berthOpSurelyTouches(op) &&
           mlirIntegerAttrGetValueInt(berthAttributeOf(op, leadDimension)) ==
               rowDistance(mlirValueGetType(mlirOperationGetOperand(
                   op, mlirOpOperandGetOperandNumber(use))));
  return berthSubViewGet(op, &view) || berthOpIs(op, BERTH_OP_DIM) ||
         berthOpTakesSlices(op) || berthOpStartsAsync(op, BERTH_ASYNC_COPY) ||
         (berthOpSurelyTouches(op) &&
          mlirAttributeIsNull(berthAttributeOf(op, "alignment")));
}

static int64_t vectorWidth(MlirOperation op, const BerthVectorAccess *vector) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, vector->memref));
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  return rank ? vector->extents[rank - 1] : 1;
}

/// What a thread takes at once follows in memory, whatever dimensions say: four
/// elements of rows of two are two rows. Where it begins at a multiple of its
/// own size, it stays in a row if that is one.
static bool staysInRow(MlirOperation op, int64_t row, int64_t elementBytes) {
  enum { kMatrixBytes = 16 };
  BerthVectorAccess vector;
  int64_t elements = 1;
  if (berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    elements = berthAsyncCopyGet(op).elements;
  else if (berthVectorGetAccess(op, &vector))
    elements = vectorWidth(op, &vector);
  else if (!berthOpTakesSlices(op) && !berthTakesLeadDimension(op) &&
           berthOpSurelyTouches(op))
    return row * elementBytes % kMatrixBytes == 0;
  return elements > 0 && row % elements == 0;
}

static BerthRowsFit lookAtUses(MlirValue value, int64_t row,
                               int64_t elementBytes) {
  BerthRowsFit fit = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !fit.reason;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView view;
    if (!takesRows(op, use))
      return refuse("an op needs its rows as they are", op);
    if (!staysInRow(op, row, elementBytes))
      return refuse("an op may take the end of a row and the next one at once",
                    op);
    if (berthSubViewGet(op, &view))
      fit = lookAtUses(mlirOperationGetResult(op, 0), row, elementBytes);
  }
  return fit;
}

BerthRowsFit berthRowsMayBePadded(const BerthBufferInfo *info) {
  MlirOperation none = {NULL};
  MlirType type = mlirValueGetType(info->value);
  if (info->reason)
    return refuse(info->reason, info->reasonAt);
  if (info->leaks)
    return refuse(info->leakReason, info->leaksAt);
  if (info->isDynamic || info->isBounded || info->isForeign ||
      !berthOpIsPlainAllocation(info->alloc) ||
      !mlirAttributeIsAAffineMap(mlirMemRefTypeGetLayout(type)) ||
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return refuse("it is no plain allocation of static size without gaps",
                  none);
  if (!mlirAttributeIsNull(berthAttributeOf(info->alloc, BERTH_SLOTS)))
    return refuse("it is slots", none);
  if (berthIsConstrained(info->alloc))
    return refuse("its place is bound", none);
  if (mlirShapedTypeGetRank(type) < 2 ||
      mlirShapedTypeGetRank(type) >= BERTH_SLICE_MAX_RANK || info->size == 0)
    return refuse("it has no rows", none);
  BerthTypeSize size;
  if (berthMemRefGetSize(type, info->alloc, &size) != BERTH_SIZE_OK)
    return refuse("its size is not known", none);
  return lookAtUses(
      info->value,
      mlirShapedTypeGetDimSize(type, mlirShapedTypeGetRank(type) - 1),
      size.elementBytes);
}

//===----------------------------------------------------------------------===//
// Doing it
//===----------------------------------------------------------------------===//

static void setLeadDimensions(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    BerthSubView view;
    if (berthTakesLeadDimension(op))
      berthSetAttribute(
          op, leadDimension,
          mlirIntegerAttrGet(mlirIndexTypeGet(mlirOperationGetContext(op)),
                             rowDistance(mlirValueGetType(value))));
    if (berthSubViewGet(op, &view))
      setLeadDimensions(mlirOperationGetResult(op, 0));
  }
}

static MlirOperation buildRows(const BerthBufferInfo *info, int64_t padding) {
  MlirType type = mlirValueGetType(info->value);
  int64_t shape[BERTH_SLICE_MAX_RANK];
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  MlirOperation rows = mlirOperationClone(info->alloc);
  for (intptr_t d = 0; d < rank; ++d)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  berthSetAttribute(rows, BERTH_PADDED,
                    berthI64(mlirTypeGetContext(type), shape[rank - 1]));
  shape[rank - 1] += padding;
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(info->alloc),
                                      info->alloc, rows);
  mlirValueSetType(
      mlirOperationGetResult(rows, 0),
      mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank,
                                  shape, mlirMemRefTypeGetMemorySpace(type)));
  return rows;
}

/// What the buffer was, as a part of the rows.
static MlirValue buildView(const BerthBufferInfo *info, MlirOperation rows) {
  MlirType type = mlirValueGetType(info->value);
  BerthSubView view = {.rank = (intptr_t)mlirShapedTypeGetRank(type)};
  for (intptr_t d = 0; d < view.rank; ++d) {
    view.sizes[d].number = mlirShapedTypeGetDimSize(type, d);
    view.strides[d].number = 1;
    view.results[d] = d;
  }
  return berthSubViewBuildFull(info->alloc, mlirOperationGetResult(rows, 0),
                               &view);
}

MlirOperation berthPadRows(const BerthBufferInfo *info, int64_t padding,
                           const char *breakRule) {
  MlirOperation rows = buildRows(info, padding);
  MlirValue view = buildView(info, rows);
  for (size_t i = 0; i < info->numFrees; ++i)
    mlirOperationSetOperand(info->frees[i], 0, mlirOperationGetResult(rows, 0));
  mlirValueReplaceAllUsesOfWith(info->value, view);
  berthInferViews(view);
  if (!berthIsBroken(breakRule, "lead-dimensions"))
    setLeadDimensions(view);
  mlirOperationDestroy(info->alloc);
  return rows;
}
