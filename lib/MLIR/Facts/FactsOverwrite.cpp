//===- FactsOverwrite.cpp - Proofs of full overwrites -----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operand of which op is overwritten from end to end before any of it is
// read. getEffectOnFullRegion is no such proof: it is set for strided linalg
// maps, for payloads that read their output, and for partial async copies. So
// each accepted shape of op is proved here from its own semantics.
//
// Constants are asked for by getConstantIntValue, which lives in MLIR, not by
// the header's matchers: those look for a trait by an id that depends on the
// compiler (see berthOpIsReturn).
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// True if any op in the payload touches memory of its own accord: it might
/// read the output through an alias.
static bool payloadTouchesMemory(linalg::LinalgOp op) {
  WalkResult result = op->getRegion(0).walk([](Operation *inner) {
    return isMemoryEffectFree(inner) ? WalkResult::advance()
                                     : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

/// True if each result of the map is a dimension of its own, which `isPicked`
/// tells, or 0 where the shape has one element.
static bool picksDimensions(AffineMap map, ArrayRef<int64_t> shape,
                            SmallVectorImpl<bool> &isPicked) {
  isPicked.assign(map.getNumDims(), false);
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape)) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0 && size == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || isPicked[dim.getPosition()])
      return false;
    isPicked[dim.getPosition()] = true;
  }
  return true;
}

/// The init's map must send the loop space onto the whole shape: a permutation
/// (dropping further loops only if they are not empty, which static sizes show)
/// of plain dimensions, or 0 where there is one element.
static bool mapCoversShape(linalg::LinalgOp op, AffineMap map,
                           ArrayRef<int64_t> shape) {
  SmallVector<bool> isPicked;
  if (!picksDimensions(map, shape, isPicked))
    return false;
  // A loop outside the map with no iterations would write nothing. The ranges
  // are dear to find, and of most ops nobody needs them.
  if (llvm::all_of(isPicked, [](bool picked) { return picked; }))
    return true;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [picked, range] : llvm::zip_equal(isPicked, ranges))
    if (!picked && (ShapedType::isDynamic(range) || range == 0))
      return false;
  return true;
}

static bool linalgOverwrites(linalg::LinalgOp op, OpOperand &operand) {
  if (!op.isDpsInit(&operand) || !op.hasPureBufferSemantics())
    return false;
  return mapCoversShape(op, op.getMatchingIndexingMap(&operand),
                        op.getShape(&operand)) &&
         !op.payloadUsesValueFromOperand(&operand) && !payloadTouchesMemory(op);
}

/// A write of a vector of the memref's own shape at index 0, unmasked.
static bool isWholeVectorWrite(Value base, VectorType vector,
                               ValueRange indices) {
  auto memref = dyn_cast<MemRefType>(base.getType());
  if (!memref || !memref.hasStaticShape() || vector.isScalable() ||
      memref.getElementType() != vector.getElementType() ||
      memref.getShape() != vector.getShape())
    return false;
  return llvm::all_of(indices, [](Value index) {
    return getConstantIntValue(index) == int64_t(0);
  });
}

/// A store to a memref that has one element only.
static bool isOnlyElementStore(memref::StoreOp store, OpOperand &operand) {
  MemRefType type = store.getMemRefType();
  return operand.get() == store.getMemref() &&
         operand.get() != store.getValueToStore() && type.hasStaticShape() &&
         type.getNumElements() == 1;
}

bool berthOpFullyOverwrites(MlirOperation cOp, intptr_t operandIndex) {
  Operation *op = unwrap(cOp);
  OpOperand &operand = op->getOpOperand(static_cast<unsigned>(operandIndex));
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return operand.get() == copy.getTarget() && operandIndex == 1;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return isOnlyElementStore(store, operand);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOverwrites(linalgOp, operand);
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return operand.get() == berth::baseOf(write) && !write.getMask() &&
           write.getPermutationMap().isIdentity() &&
           isWholeVectorWrite(berth::baseOf(write), write.getVectorType(),
                              write.getIndices());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return operand.get() == store.getBase() &&
           isWholeVectorWrite(store.getBase(), store.getVectorType(),
                              store.getIndices());
  return berthDmaOverwrites(cOp, operandIndex);
}

/// True if a map's result is 0 in every iteration: written so, as front ends do
/// where a dimension has one element, or the variable of a loop that runs once.
static bool isAlwaysZero(AffineExpr expr, ArrayRef<int64_t> ranges) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0;
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim && ranges[dim.getPosition()] == 1;
}

/// True if in each iteration both maps name one element, and in no two
/// iterations the same one.
static bool visitOneElementEach(linalg::LinalgOp op, AffineMap in,
                                AffineMap out) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<bool> isNamed(ranges.size(), false);
  for (auto [a, b] : llvm::zip_equal(in.getResults(), out.getResults())) {
    if (isAlwaysZero(a, ranges) && isAlwaysZero(b, ranges))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(b);
    if (a != b || !dim || isNamed[dim.getPosition()])
      return false;
    isNamed[dim.getPosition()] = true;
  }
  for (auto [named, range] : llvm::zip_equal(isNamed, ranges))
    if (!named && range != 1)
      return false;
  return true;
}

/// The bytes of an element; 0 if they are not known.
static int64_t elementBytesOf(MemRefType type, Operation *op) {
  BerthTypeSize size;
  BerthSizeResult result =
      berthMemRefGetSize(wrap(Type(type)), wrap(op), &size);
  bool isKnown = result == BERTH_SIZE_OK || result == BERTH_SIZE_DYNAMIC;
  return isKnown ? size.elementBytes : 0;
}

/// True if no two elements share a byte, whatever becomes of the type: numbers
/// of a few bits may get packed.
static bool hasWholeBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return hasWholeBytes(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(element))
    return hasWholeBytes(vector.getElementType());
  return element.isIndex() ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0);
}

bool berthMemRefsHaveOneForm(MlirType a, MlirType b, MlirOperation at) {
  Operation *op = unwrap(at);
  auto first = dyn_cast<MemRefType>(unwrap(a)),
       second = dyn_cast<MemRefType>(unwrap(b));
  if (!first || !second || first == second)
    return first && second;
  return first.getShape() == second.getShape() &&
         first.getLayout() == second.getLayout() &&
         first.getMemorySpace() == second.getMemorySpace() &&
         hasWholeBytes(first.getElementType()) &&
         hasWholeBytes(second.getElementType()) &&
         elementBytesOf(first, op) != 0 &&
         elementBytesOf(first, op) == elementBytesOf(second, op);
}

bool berthOpIsElementwise(MlirOperation cOp, intptr_t input, intptr_t output) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(cOp));
  if (!op || !op.hasPureBufferSemantics() ||
      op.getNumLoops() != op.getNumParallelLoops() || payloadTouchesMemory(op))
    return false;
  OpOperand &in = op->getOpOperand(static_cast<unsigned>(input));
  OpOperand &out = op->getOpOperand(static_cast<unsigned>(output));
  return op.isDpsInput(&in) && op.isDpsInit(&out) &&
         berthMemRefsHaveOneForm(wrap(in.get().getType()),
                                 wrap(out.get().getType()), cOp) &&
         visitOneElementEach(op, op.getMatchingIndexingMap(&in),
                             op.getMatchingIndexingMap(&out));
}

bool berthOpIsCopy(MlirOperation op) { return isa<memref::CopyOp>(unwrap(op)); }

bool berthOpCopiesElements(MlirOperation op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(unwrap(op));
  return berthOpIsCopy(op) || (linalgOp && linalgOp.hasPureBufferSemantics() &&
                               linalg::isaCopyOpInterface(linalgOp));
}
