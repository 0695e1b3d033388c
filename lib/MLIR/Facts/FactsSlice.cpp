//===- FactsSlice.cpp - Parts of memrefs that ops take at once -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/SliceFacts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/VectorInterfaces.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Subviews
//===----------------------------------------------------------------------===//

static BerthMixed toMixed(OpFoldResult mixed) {
  if (std::optional<int64_t> number = getConstantIntValue(mixed))
    return {wrap(Value()), *number};
  return {wrap(cast<Value>(mixed)), 0};
}

static OpFoldResult fromMixed(Builder &builder, BerthMixed mixed) {
  if (mlirValueIsNull(mixed.value))
    return builder.getIndexAttr(mixed.number);
  return unwrap(mixed.value);
}

bool berthSubViewGet(MlirOperation op, BerthSubView *view) {
  auto subview = dyn_cast<memref::SubViewOp>(unwrap(op));
  if (!subview || subview.getSourceType().getRank() > BERTH_SLICE_MAX_RANK)
    return false;
  // SubViewOp::getDroppedDims goes by strides, too, and dies where one of a
  // dimension of one element is not 1. Which of several such dimensions goes
  // makes no difference: their only index is 0.
  std::optional<llvm::SmallDenseSet<unsigned>> dropped =
      computeRankReductionMask(subview.getStaticSizes(),
                               subview.getType().getShape());
  if (!dropped)
    return false;
  *view = {};
  view->rank = subview.getSourceType().getRank();
  intptr_t result = 0;
  for (unsigned d = 0; d < view->rank; ++d) {
    view->offsets[d] = toMixed(subview.getMixedOffsets()[d]);
    view->sizes[d] = toMixed(subview.getMixedSizes()[d]);
    view->strides[d] = toMixed(subview.getMixedStrides()[d]);
    view->results[d] = dropped->contains(d) ? -1 : result++;
  }
  return true;
}

/// With the shape that has `shape`, or all dimensions without one.
static MlirValue build(Operation *before, Value source,
                       const BerthSubView *view,
                       std::optional<ArrayRef<int64_t>> shape) {
  OpBuilder builder(before);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (intptr_t d = 0; d < view->rank; ++d) {
    offsets.push_back(fromMixed(builder, view->offsets[d]));
    sizes.push_back(fromMixed(builder, view->sizes[d]));
    strides.push_back(fromMixed(builder, view->strides[d]));
  }
  auto type = cast<MemRefType>(source.getType());
  Type result =
      shape ? memref::SubViewOp::inferRankReducedResultType(
                  *shape, type, offsets, sizes, strides)
            : memref::SubViewOp::inferResultType(type, offsets, sizes, strides);
  return wrap(berth::create<memref::SubViewOp>(builder, before->getLoc(),
                                               cast<MemRefType>(result), source,
                                               offsets, sizes, strides)
                  .getResult());
}

MlirValue berthSubViewBuild(MlirOperation old, MlirValue source,
                            const BerthSubView *view) {
  auto subview = cast<memref::SubViewOp>(unwrap(old));
  return build(subview, unwrap(source), view, subview.getType().getShape());
}

MlirValue berthSubViewBuildFull(MlirOperation before, MlirValue source,
                                const BerthSubView *view) {
  return build(unwrap(before), unwrap(source), view, std::nullopt);
}

MlirValue berthSubViewBuildElement(MlirOperation before, MlirValue source,
                                   MlirValue index) {
  ArrayRef<int64_t> shape =
      cast<MemRefType>(unwrap(source).getType()).getShape();
  BerthSubView view = {};
  view.rank = static_cast<intptr_t>(shape.size());
  for (intptr_t d = 0; d < view.rank; ++d) {
    view.sizes[d].number = d ? shape[d] : 1;
    view.strides[d].number = 1;
  }
  view.offsets[0].value = index;
  return build(unwrap(before), unwrap(source), &view, shape.drop_front());
}

MlirType berthSubViewInferType(MlirOperation op) {
  auto subview = cast<memref::SubViewOp>(unwrap(op));
  return wrap(Type(memref::SubViewOp::inferRankReducedResultType(
      subview.getType().getShape(), subview.getSourceType(),
      subview.getMixedOffsets(), subview.getMixedSizes(),
      subview.getMixedStrides())));
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

bool berthMemRefGetStrides(MlirType type, int64_t strides[BERTH_SLICE_MAX_RANK],
                           int64_t *offset) {
  auto memref = dyn_cast<MemRefType>(unwrap(type));
  SmallVector<int64_t> found;
  if (!memref || memref.getRank() > BERTH_SLICE_MAX_RANK ||
      failed(berth::getStridesAndOffset(memref, found, *offset)) ||
      llvm::any_of(found, ShapedType::isDynamic))
    return false;
  llvm::copy(found, strides);
  return true;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// False if it is no memref of the vector's elements, or too large a one.
static bool start(Value base, VectorType vector, BerthVectorAccess *access) {
  auto type = dyn_cast<MemRefType>(base.getType());
  *access = {};
  for (int64_t &extent : access->extents)
    extent = 1;
  return type && type.getElementType() == vector.getElementType() &&
         type.getRank() <= BERTH_SLICE_MAX_RANK &&
         type.getRank() >= vector.getRank() && !vector.isScalable();
}

static bool getTransfer(VectorTransferOpInterface op,
                        BerthVectorAccess *access) {
  if (!start(berth::baseOf(op), op.getVectorType(), access) ||
      op.hasOutOfBoundsDim())
    return false;
  bool isWrite = isa<vector::TransferWriteOp>(op);
  AffineMap map = op.getPermutationMap();
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(i)))
      access->extents[dim.getPosition()] = op.getVectorType().getDimSize(i);
  access->memref = isWrite;
  access->firstIndex = access->memref + 1;
  access->isWrite = isWrite;
  access->isMasked = static_cast<bool>(op.getMask());
  return true;
}

/// The last dimensions, of a vector.load or vector.store.
static bool getPlain(Value base, VectorType vector, bool isWrite,
                     BerthVectorAccess *access) {
  if (!start(base, vector, access))
    return false;
  int64_t rank = cast<MemRefType>(base.getType()).getRank();
  for (int64_t i = 0; i < vector.getRank(); ++i)
    access->extents[rank - vector.getRank() + i] = vector.getDimSize(i);
  access->memref = isWrite;
  access->firstIndex = access->memref + 1;
  access->isWrite = isWrite;
  return true;
}

bool berthVectorGetAccess(MlirOperation cOp, BerthVectorAccess *access) {
  Operation *op = unwrap(cOp);
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return getTransfer(transfer, access);
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return getPlain(load.getBase(), load.getVectorType(), false, access);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return getPlain(store.getBase(), store.getVectorType(), true, access);
  return false;
}

bool berthAffineVectorGetAccess(MlirOperation cOp, BerthVectorAccess *access) {
  Operation *op = unwrap(cOp);
  if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op))
    return getPlain(load.getMemRef(), load.getVectorType(), false, access);
  if (auto store = dyn_cast<affine::AffineVectorStoreOp>(op))
    return getPlain(store.getMemRef(), store.getVectorType(), true, access);
  return false;
}

bool berthOpTakesAnyLayout(MlirOperation op) {
  return isa<DestinationStyleOpInterface>(unwrap(op));
}
