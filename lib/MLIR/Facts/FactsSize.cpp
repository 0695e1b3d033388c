//===- FactsSize.cpp - Byte sizes of memref types ---------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes as the LLVM lowering lays elements out: the distance from one element
// to the next is what a GEP would step, i.e. the store size rounded up to the
// alignment (i1 and i4: 1 byte, i24: 4, vector<3xf32>: 16). The data layout may
// ask for more alignment; it is never asked about memrefs, where it aborts.
// Its ABI alignment of i64 and index is 4, but lowered loads assume the natural
// one, so that is the least.
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace {

struct ElementSize {
  uint64_t bytes;     ///< from one element to the next
  uint64_t alignment; ///< a power of two
};

/// The largest alignment that a plain integer gets.
constexpr uint64_t maxIntegerAlignment = 16;

ElementSize ofBits(uint64_t bits, uint64_t maxAlignment) {
  uint64_t bytes = std::max<uint64_t>(1, llvm::divideCeil(bits, 8));
  uint64_t alignment = std::min(llvm::PowerOf2Ceil(bytes), maxAlignment);
  return {llvm::alignTo(bytes, alignment), alignment};
}

std::optional<ElementSize> sizeOf(Type type, const DataLayout &layout);

std::optional<uint64_t> scalarBits(Type type, const DataLayout &layout) {
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth();
  if (type.isIndex())
    return layout.getTypeSizeInBits(type).getFixedValue();
  return std::nullopt;
}

/// Far below what could overflow, also in MLIR's own sums.
bool isOfSomeSize(VectorType type, uint64_t bits) {
  const uint64_t most = UINT64_C(1) << 40;
  for (int64_t extent : type.getShape()) {
    if (bits > most / static_cast<uint64_t>(extent)) // extents are positive
      return false;
    bits *= static_cast<uint64_t>(extent);
  }
  return true;
}

/// The innermost dimension is an LLVM vector, padded to a power of two; the
/// others are arrays of these.
std::optional<ElementSize> sizeOfVector(VectorType type,
                                        const DataLayout &layout) {
  std::optional<uint64_t> bits = scalarBits(type.getElementType(), layout);
  if (type.isScalable() || !bits || !isOfSomeSize(type, *bits))
    return std::nullopt;
  uint64_t innermost = type.getRank() ? type.getShape().back() : 1;
  ElementSize row = ofBits(*bits * innermost, UINT64_C(1) << 31);
  row.bytes *= type.getNumElements() / innermost;
  return row;
}

std::optional<ElementSize> naturalSize(Type type, const DataLayout &layout) {
  if (std::optional<uint64_t> bits = scalarBits(type, layout))
    return ofBits(*bits, maxIntegerAlignment);
  if (auto vector = dyn_cast<VectorType>(type))
    return sizeOfVector(vector, layout);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<ElementSize> part = sizeOf(complex.getElementType(), layout);
    if (part)
      part->bytes *= 2;
    return part;
  }
  if (isa<DataLayoutTypeInterface>(type) &&
      !layout.getTypeSize(type).isScalable())
    return ElementSize{layout.getTypeSize(type).getFixedValue(), 1};
  return std::nullopt;
}

std::optional<ElementSize> sizeOf(Type type, const DataLayout &layout) {
  // One without dimensions is lowered like this; DataLayout knows none.
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.getRank() == 0)
    type = VectorType::get(1, vector.getElementType());
  std::optional<ElementSize> size = naturalSize(type, layout);
  if (!size)
    return std::nullopt;
  size->alignment = std::max({size->alignment, layout.getTypeABIAlignment(type),
                              layout.getTypePreferredAlignment(type)});
  size->bytes = llvm::alignTo(size->bytes, layout.getTypeABIAlignment(type));
  return size;
}

/// Elements from the buffer's start to past its last one.
BerthSizeResult countElements(MemRefType type, int64_t &count) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(berth::getStridesAndOffset(type, strides, offset)))
    return BERTH_SIZE_LAYOUT;
  if (!type.hasStaticShape() || ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return BERTH_SIZE_DYNAMIC;
  if (offset < 0 ||
      llvm::any_of(strides, [](int64_t stride) { return stride < 0; }))
    return BERTH_SIZE_LAYOUT;
  count = 0;
  if (llvm::is_contained(type.getShape(), 0))
    return BERTH_SIZE_OK;
  count = 1;
  if (llvm::AddOverflow(count, offset, count))
    return BERTH_SIZE_OVERFLOW;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides)) {
    int64_t span;
    if (llvm::MulOverflow(extent - 1, stride, span) ||
        llvm::AddOverflow(count, span, count))
      return BERTH_SIZE_OVERFLOW;
  }
  return BERTH_SIZE_OK;
}

std::optional<int64_t> upperBound(Value value);

bool isUnsignedLoop(Operation *op) {
  auto loop = dyn_cast_or_null<scf::ForOp>(op);
  return loop && berth::isUnsigned(loop);
}

/// The interface takes the variable of every scf.for for a signed number
/// between its bounds, so no bound is followed into that of an unsigned one.
bool stopsAt(Value value, std::optional<int64_t>, ValueBoundsConstraintSet &) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getArgNumber() == 0 &&
         isUnsignedLoop(argument.getOwner()->getParentOp());
}

/// Without a condition the search stops as soon as there is a bound.
FailureOr<int64_t> constantBound(presburger::BoundType type, Value value) {
  bool isInUnsignedLoop = false;
  for (Operation *op = value.getParentBlock()->getParentOp(); op;
       op = op->getParentOp())
    isInUnsignedLoop |= isUnsignedLoop(op);
  ValueBoundsConstraintSet::StopConditionFn stop;
  if (isInUnsignedLoop)
    stop = stopsAt;
  return ValueBoundsConstraintSet::computeConstantBound(type, value, stop,
                                                        /*closedUB=*/true);
}

bool isNonNegative(Value value) {
  FailureOr<int64_t> bound = constantBound(presburger::BoundType::LB, value);
  return succeeded(bound) && *bound >= 0;
}

/// The least of the bounds that are known. A negative operand of an unsigned
/// minimum is a huge one, whatever its bound.
std::optional<int64_t> leastBound(Operation *op) {
  std::optional<int64_t> least;
  for (Value operand : op->getOperands()) {
    if (isa<arith::MinUIOp>(op) && !isNonNegative(operand))
      continue;
    if (std::optional<int64_t> bound = upperBound(operand))
      least = least ? std::min(*least, *bound) : *bound;
  }
  return least;
}

/// Minima by arith have no ValueBoundsOpInterface.
std::optional<int64_t> upperBound(Value value) {
  Operation *op = value.getDefiningOp();
  if (!value.getType().isIndex())
    return std::nullopt;
  if (op && isa<arith::MinUIOp, arith::MinSIOp>(op))
    return leastBound(op);
  FailureOr<int64_t> bound = constantBound(presburger::BoundType::UB, value);
  return failed(bound) ? std::nullopt : std::optional<int64_t>(*bound);
}

} // namespace

bool berthValueGetUpperBound(MlirValue value, int64_t *bound) {
  std::optional<int64_t> known = upperBound(unwrap(value));
  if (!known || *known < 0)
    return false;
  *bound = *known;
  return true;
}

int64_t berthIndexMax(MlirOperation at) {
  Operation *op = unwrap(at);
  uint64_t bits = DataLayout::closest(op)
                      .getTypeSizeInBits(IndexType::get(op->getContext()))
                      .getFixedValue();
  return bits >= 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
}

static BerthSizeResult findSize(MemRefType type, Operation *at,
                                BerthTypeSize *size) {
  DataLayout layout = DataLayout::closest(at);
  std::optional<ElementSize> element = sizeOf(type.getElementType(), layout);
  if (!element)
    return BERTH_SIZE_ELEMENT;
  size->elementBytes = static_cast<int64_t>(element->bytes);
  size->elementAlignment = static_cast<int64_t>(element->alignment);
  int64_t count;
  BerthSizeResult result = countElements(type, count);
  if (result != BERTH_SIZE_OK)
    return result;
  if (llvm::MulOverflow(count, size->elementBytes, size->bytes))
    return BERTH_SIZE_OVERFLOW;
  return BERTH_SIZE_OK;
}

/// The op whose data layout DataLayout::closest takes.
static Operation *layoutOpOf(Operation *op) {
  while (op && !isa<ModuleOp>(op) && !isa<DataLayoutOpInterface>(op))
    op = op->getParentOp();
  return op;
}

/// A data layout costs more than all the rest, and a program has few types.
struct BerthSizes {
  struct Size {
    BerthSizeResult result;
    BerthTypeSize size;
  };
  llvm::DenseMap<std::pair<Operation *, Type>, Size> known;
  BerthSizes *before;
};

static thread_local BerthSizes *sizes;

BerthSizes *berthSizesKeep(void) {
  auto *kept = new BerthSizes();
  kept->before = sizes;
  return sizes = kept;
}

void berthSizesForget(BerthSizes *kept) {
  sizes = kept->before;
  delete kept;
}

BerthSizeResult berthMemRefGetSize(MlirType cType, MlirOperation at,
                                   BerthTypeSize *size) {
  auto type = dyn_cast<MemRefType>(unwrap(cType));
  if (!type)
    return BERTH_SIZE_LAYOUT;
  if (!sizes)
    return findSize(type, unwrap(at), size);
  auto [place, isNew] =
      sizes->known.try_emplace({layoutOpOf(unwrap(at)), type});
  BerthSizes::Size &known = place->second;
  if (isNew)
    known.result = findSize(type, unwrap(at), &known.size);
  // What is not found stays what the caller had.
  if (known.result != BERTH_SIZE_ELEMENT) {
    size->elementBytes = known.size.elementBytes;
    size->elementAlignment = known.size.elementAlignment;
  }
  if (known.result == BERTH_SIZE_OK)
    size->bytes = known.size.bytes;
  return known.result;
}
