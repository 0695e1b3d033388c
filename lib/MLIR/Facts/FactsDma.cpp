//===- FactsDma.cpp - Transfers whose end a tag tells ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands of the four ops of transfers, and their tag indices as
// ((base + offset) floordiv divisor) mod modulus: what double buffering writes,
// by hand or by affine-pipeline-data-transfer.
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/DmaFacts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool berthOpGetDma(MlirOperation cOp, BerthDma *dma) {
  Operation *op = unwrap(cOp);
  *dma = BerthDma{false, -1, -1, 0, 0};
  if (auto start = dyn_cast<memref::DmaStartOp>(op)) {
    *dma = BerthDma{true, 0, 1 + start.getSrcMemRefRank(),
                    start.getTagMemRefMutable().getOperandNumber(),
                    start.getTagMemRefRank()};
    return true;
  }
  if (auto wait = dyn_cast<memref::DmaWaitOp>(op)) {
    dma->numTagIndices = wait.getTagMemRefRank();
    return true;
  }
  if (auto start = dyn_cast<affine::AffineDmaStartOp>(op)) {
    *dma = BerthDma{true, 0, start.getDstMemRefOperandIndex(),
                    start.getTagMemRefOperandIndex(), start.getTagMemRefRank()};
    return true;
  }
  if (auto wait = dyn_cast<affine::AffineDmaWaitOp>(op)) {
    dma->numTagIndices = wait.getTagMemRefRank();
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Values as indices
//===----------------------------------------------------------------------===//

namespace {

/// How far back values are looked up.
constexpr int kMaxDepth = 16;

BerthIndex unknownIndex() { return {{nullptr}, 0, 1, 0, false}; }
BerthIndex constantIndex(int64_t value) {
  return {{nullptr}, value, 1, 0, true};
}
BerthIndex valueIndex(Value value) { return {wrap(value), 0, 1, 0, true}; }

bool isConstant(BerthIndex index) {
  return index.isKnown && mlirValueIsNull(index.base);
}

/// True for base + offset.
bool isSum(BerthIndex index) {
  return index.isKnown && index.divisor == 1 && index.modulus == 0;
}

/// A whole number more is that many divisors more under the quotient.
BerthIndex add(BerthIndex index, int64_t by) {
  if (!index.isKnown || index.modulus ||
      llvm::MulOverflow(by, index.divisor, by) ||
      llvm::AddOverflow(index.offset, by, index.offset))
    return unknownIndex();
  return index;
}

BerthIndex divide(BerthIndex index, int64_t divisor) {
  if (!index.isKnown || index.modulus || divisor <= 0)
    return unknownIndex();
  if (isConstant(index))
    return constantIndex(llvm::divideFloorSigned(index.offset, divisor));
  if (llvm::MulOverflow(index.divisor, divisor, index.divisor))
    return unknownIndex();
  return index;
}

/// Offsets that are equal up to the period are made equal.
BerthIndex reduce(BerthIndex index, int64_t modulus) {
  int64_t period;
  if (!index.isKnown || index.modulus || modulus <= 0 ||
      llvm::MulOverflow(index.divisor, modulus, period))
    return unknownIndex();
  index.offset = llvm::mod(index.offset, period);
  if (!isConstant(index))
    index.modulus = modulus;
  return index;
}

BerthIndex indexOf(Value value, int depth);

/// A sum of one variable, or quotient, a number, and -divisor times a quotient
/// by that.
struct Sum {
  AffineExpr variable, dividend;
  int64_t number = 0, divisor = 0;
};

bool addTo(Sum &sum, AffineExpr expr, int64_t factor) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t product;
    return !llvm::MulOverflow(constant.getValue(), factor, product) &&
           !llvm::AddOverflow(sum.number, product, sum.number);
  }
  bool isQuotient = expr.getKind() == AffineExprKind::FloorDiv;
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr) ||
      (isQuotient && factor == 1)) {
    bool isFirst = factor == 1 && !sum.variable;
    sum.variable = expr;
    return isFirst;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return addTo(sum, binary.getLHS(), factor) &&
           addTo(sum, binary.getRHS(), factor);
  if (expr.getKind() == AffineExprKind::Mul && right)
    return !llvm::MulOverflow(factor, right.getValue(), factor) &&
           addTo(sum, binary.getLHS(), factor);
  if (!isQuotient || !right || sum.dividend || right.getValue() <= 0 ||
      factor != -right.getValue())
    return false;
  sum.dividend = binary.getLHS();
  sum.divisor = right.getValue();
  return true;
}

/// MLIR writes a remainder of a sum as x - (x floordiv c) * c. If the
/// expression is one, fills in its x and c.
bool isRemainder(AffineExpr expr, Sum &sum) {
  Sum inner;
  return addTo(sum, expr, 1) && sum.variable && sum.dividend &&
         addTo(inner, sum.dividend, 1) && !inner.dividend &&
         inner.variable == sum.variable && inner.number == sum.number;
}

BerthIndex indexOf(AffineExpr expr, unsigned numDims, ValueRange operands,
                   int depth) {
  Sum sum;
  if (expr.getKind() == AffineExprKind::Add && isRemainder(expr, sum))
    return reduce(
        add(indexOf(sum.variable, numDims, operands, depth), sum.number),
        sum.divisor);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantIndex(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return indexOf(operands[dim.getPosition()], depth);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return indexOf(operands[numDims + symbol.getPosition()], depth);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!right)
    return unknownIndex();
  BerthIndex left = indexOf(binary.getLHS(), numDims, operands, depth);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(left, right.getValue());
  case AffineExprKind::FloorDiv:
    return divide(left, right.getValue());
  case AffineExprKind::Mod:
    return reduce(left, right.getValue());
  default:
    return unknownIndex();
  }
}

/// arith's unsigned quotients and remainders: by powers of two they are what
/// affine's are, whatever wraps around.
BerthIndex indexOfArith(Operation *op, int depth) {
  bool isWide = op->getNumOperands() == 2 && op->getNumResults() == 1 &&
                (op->getResult(0).getType().isIndex() ||
                 op->getResult(0).getType().isInteger(64));
  if (!isWide)
    return unknownIndex();
  std::optional<int64_t> right = getConstantIntValue(op->getOperand(1));
  std::optional<int64_t> left = getConstantIntValue(op->getOperand(0));
  if (isa<arith::AddIOp>(op) && left)
    return add(indexOf(op->getOperand(1), depth), *left);
  if (!right)
    return unknownIndex();
  BerthIndex of = indexOf(op->getOperand(0), depth);
  bool isPower = *right > 0 && llvm::isPowerOf2_64(*right);
  bool mayWrap = isConstant(of) && of.offset < 0;
  if (isa<arith::AddIOp>(op))
    return add(of, *right);
  if (isa<arith::SubIOp>(op) && *right != INT64_MIN)
    return add(of, -*right);
  if (isa<arith::DivUIOp>(op) && isPower && !mayWrap)
    return divide(of, *right);
  if (isa<arith::RemUIOp>(op) && isPower)
    return reduce(of, *right);
  if (isa<arith::AndIOp>(op) && *right >= 0 && llvm::isMask_64(*right))
    return reduce(of, *right + 1);
  return unknownIndex();
}

BerthIndex indexOf(Value value, int depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constantIndex(*constant);
  Operation *op = value.getDefiningOp();
  BerthIndex index = unknownIndex();
  if (op && depth < kMaxDepth) {
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      index = indexOf(apply.getAffineMap().getResult(0),
                      apply.getAffineMap().getNumDims(), apply.getOperands(),
                      depth + 1);
    else
      index = indexOfArith(op, depth + 1);
  }
  return index.isKnown ? index : valueIndex(value);
}

BerthIndex indexOfResult(AffineMap map, intptr_t i, ValueRange operands) {
  return indexOf(map.getResult(static_cast<unsigned>(i)), map.getNumDims(),
                 operands, 0);
}

} // namespace

BerthIndex berthValueGetIndex(MlirValue value) {
  return indexOf(unwrap(value), 0);
}

BerthIndex berthDmaGetTagIndex(MlirOperation cOp, intptr_t i) {
  Operation *op = unwrap(cOp);
  if (auto start = dyn_cast<affine::AffineDmaStartOp>(op))
    return indexOfResult(start.getTagMap(), i, start.getTagIndices());
  if (auto wait = dyn_cast<affine::AffineDmaWaitOp>(op))
    return indexOfResult(wait.getTagMap(), i, wait.getTagIndices());
  auto number = static_cast<unsigned>(i);
  if (auto start = dyn_cast<memref::DmaStartOp>(op))
    return indexOf(start.getTagIndices()[number], 0);
  return indexOf(cast<memref::DmaWaitOp>(op).getTagIndices()[number], 0);
}

BerthIndex berthIndexAt(BerthIndex index, int64_t value) {
  if (!index.isKnown || isConstant(index) ||
      llvm::AddOverflow(index.offset, value, index.offset))
    return index.isKnown && isConstant(index) ? index : unknownIndex();
  int64_t quotient = llvm::divideFloorSigned(index.offset, index.divisor);
  return constantIndex(index.modulus ? llvm::mod(quotient, index.modulus)
                                     : quotient);
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

namespace {

/// The number of a memory; the higher, the faster, as memref.dma_start has it.
std::optional<int64_t> spaceOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return 0;
  auto number = dyn_cast<IntegerAttr>(space);
  return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
}

bool isZero(BerthIndex index) { return isConstant(index) && !index.offset; }

/// A start of either dialect: its target from index 0 on, and how much.
struct Start {
  Value source, target, numElements;
  bool isStrided, startsTarget;
};

std::optional<Start> startOf(Operation *op) {
  if (auto start = dyn_cast<memref::DmaStartOp>(op))
    return Start{start.getSrcMemRef(), start.getDstMemRef(),
                 start.getNumElements(), start.isStrided(),
                 llvm::all_of(start.getDstIndices(), [](Value index) {
                   return isZero(indexOf(index, 0));
                 })};
  auto start = dyn_cast<affine::AffineDmaStartOp>(op);
  if (!start)
    return std::nullopt;
  bool startsTarget = true;
  for (unsigned i = 0, e = start.getDstMap().getNumResults(); i != e; ++i)
    startsTarget &=
        isZero(indexOfResult(start.getDstMap(), i, start.getDstIndices()));
  return Start{start.getSrcMemRef(), start.getDstMemRef(),
               start.getNumElements(), start.isStrided(), startsTarget};
}

} // namespace

namespace {

/// True if the elements follow each other without gaps, wherever they begin.
bool hasNoGaps(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, expected = 1;
  if (!type.hasStaticShape() ||
      failed(berth::getStridesAndOffset(type, strides, offset)))
    return false;
  for (int64_t d = type.getRank(); d-- > 0; expected *= type.getDimSize(d))
    if (strides[d] != expected && type.getDimSize(d) != 1)
      return false;
  return true;
}

} // namespace

bool berthDmaOverwrites(MlirOperation cOp, intptr_t operandIndex) {
  Operation *op = unwrap(cOp);
  BerthDma dma;
  std::optional<Start> start = startOf(op);
  if (!start || !berthOpGetDma(cOp, &dma) || dma.target != operandIndex)
    return false;
  auto source = cast<MemRefType>(start->source.getType());
  auto target = cast<MemRefType>(start->target.getType());
  std::optional<int64_t> count = getConstantIntValue(start->numElements);
  if (!hasNoGaps(target) || !start->startsTarget || !count ||
      *count != target.getNumElements())
    return false;
  std::optional<int64_t> from = spaceOf(source), to = spaceOf(target);
  return !start->isStrided || (from && to && *from < *to);
}

namespace {

/// Elements in runs without gaps, of which one begins every `stride`; 0: there
/// is one run.
struct SliceRuns {
  int64_t length, stride;
};

std::optional<SliceRuns> runsOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(berth::getStridesAndOffset(type, strides, offset)))
    return std::nullopt;
  SliceRuns runs{1, 0};
  int64_t next = 0; // where the next run but those so far would begin
  for (int64_t d = type.getRank(); d-- > 0;) {
    int64_t size = type.getDimSize(d);
    if (size == 1)
      continue;
    if (runs.stride == 0 && strides[d] == runs.length) {
      runs.length *= size;
      continue;
    }
    if (strides[d] <= 0 || (runs.stride != 0 && strides[d] != next))
      return std::nullopt;
    if (runs.stride == 0)
      runs.stride = strides[d];
    next = strides[d] * size;
  }
  return runs;
}

bool isNumber(Value value, int64_t number) {
  std::optional<int64_t> constant =
      value ? getConstantIntValue(value) : std::nullopt;
  return constant && *constant == number;
}

} // namespace

bool berthDmaMovesAll(MlirOperation cOp) {
  auto start = dyn_cast<memref::DmaStartOp>(unwrap(cOp));
  if (!start)
    return false;
  auto source = cast<MemRefType>(start.getSrcMemRef().getType());
  auto target = cast<MemRefType>(start.getDstMemRef().getType());
  std::optional<SliceRuns> from = runsOf(source), to = runsOf(target);
  auto isFirst = [](Value index) { return isZero(indexOf(index, 0)); };
  if (!from || !to || source.getShape() != target.getShape() ||
      source.getElementType() != target.getElementType() ||
      !isNumber(start.getNumElements(), source.getNumElements()) ||
      !llvm::all_of(start.getSrcIndices(), isFirst) ||
      !llvm::all_of(start.getDstIndices(), isFirst))
    return false;
  if (!start.isStrided())
    return from->stride == 0 && to->stride == 0;
  std::optional<int64_t> a = spaceOf(source), b = spaceOf(target);
  if (!a || !b || *a == *b)
    return false;
  const SliceRuns &slow = *a < *b ? *from : *to, &fast = *a < *b ? *to : *from;
  return fast.stride == 0 && isNumber(start.getStride(), slow.stride) &&
         isNumber(start.getNumElementsPerStride(), slow.length);
}

//===----------------------------------------------------------------------===//
// Two of them
//===----------------------------------------------------------------------===//

bool berthIndicesAreEqual(BerthIndex a, BerthIndex b) {
  return a.isKnown && b.isKnown && mlirValueEqual(a.base, b.base) &&
         a.offset == b.offset && a.divisor == b.divisor &&
         a.modulus == b.modulus;
}

namespace {

/// Whole quotients apart, and not by a whole number of periods.
bool differByOffset(BerthIndex a, BerthIndex b) {
  int64_t distance;
  if (a.divisor != b.divisor || a.modulus != b.modulus ||
      llvm::SubOverflow(a.offset, b.offset, distance) ||
      distance % a.divisor != 0)
    return false;
  int64_t quotients = distance / a.divisor;
  return a.modulus ? quotients % a.modulus != 0 : quotients != 0;
}

/// x, and (x + offset) mod modulus where no multiple of that is added.
bool differByRemainder(BerthIndex plain, BerthIndex reduced) {
  int64_t distance;
  return isSum(plain) && reduced.divisor == 1 && reduced.modulus > 0 &&
         !llvm::SubOverflow(plain.offset, reduced.offset, distance) &&
         distance % reduced.modulus != 0;
}

/// True for x xor c with c not 0, and for c - x with an odd c.
bool flips(Value flipped, Value value) {
  Operation *op = flipped.getDefiningOp();
  if (auto exclusive = dyn_cast_or_null<arith::XOrIOp>(op)) {
    std::optional<int64_t> by = getConstantIntValue(exclusive.getRhs());
    return exclusive.getLhs() == value && by && *by != 0;
  }
  if (auto difference = dyn_cast_or_null<arith::SubIOp>(op)) {
    std::optional<int64_t> from = getConstantIntValue(difference.getLhs());
    return difference.getRhs() == value && from && *from % 2 != 0;
  }
  return false;
}

/// The values that the loop begins with must be different constants, and each
/// turn must hand the values of the set on to the set, each to one place.
bool areSwapped(Value first, Value second) {
  auto a = dyn_cast<BlockArgument>(first), b = dyn_cast<BlockArgument>(second);
  if (!a || !b || a == b || a.getOwner() != b.getOwner())
    return false;
  auto loop =
      dyn_cast_or_null<LoopLikeOpInterface>(a.getOwner()->getParentOp());
  if (!loop || !isa<scf::ForOp, affine::AffineForOp>(loop.getOperation()))
    return false;
  SmallVector<Value> carried(loop.getRegionIterArgs());
  SmallVector<Value> inits(loop.getInits()), yields(loop.getYieldedValues());
  SmallVector<Value> set = {first};
  SmallVector<int64_t> starts;
  for (size_t i = 0; i < set.size(); ++i) {
    auto place = llvm::find(carried, set[i]) - carried.begin();
    if (place == static_cast<ptrdiff_t>(carried.size()))
      return false;
    std::optional<int64_t> start = getConstantIntValue(inits[place]);
    if (!start || llvm::is_contained(starts, *start))
      return false;
    starts.push_back(*start);
    // The turns form a cycle: each value comes from the one in front of it.
    if (yields[place] != first)
      set.push_back(yields[place]);
    else
      return llvm::is_contained(set, second);
    if (set.size() > carried.size())
      return false;
  }
  return false;
}

} // namespace

bool berthIndicesDiffer(BerthIndex a, BerthIndex b) {
  if (!a.isKnown || !b.isKnown)
    return false;
  if (mlirValueEqual(a.base, b.base))
    return isConstant(a) ? a.offset != b.offset
                         : differByOffset(a, b) || differByRemainder(a, b) ||
                               differByRemainder(b, a);
  if (isConstant(a) || isConstant(b) || !isSum(a) || !isSum(b) || a.offset ||
      b.offset)
    return false;
  Value first = unwrap(a.base), second = unwrap(b.base);
  return flips(first, second) || flips(second, first) ||
         areSwapped(first, second);
}

BerthIndex berthIndexReceive(BerthIndex index, MlirValue forwarded,
                             MlirValue received, int64_t increase) {
  if (!unwrap(received).getType().isIntOrIndex())
    return unknownIndex();
  BerthIndex from = berthValueGetIndex(forwarded);
  if (berthIndicesAreEqual(index, from))
    return add(valueIndex(unwrap(received)), -increase);
  if (isConstant(index) || !isSum(from) || isConstant(from) ||
      !mlirValueEqual(index.base, from.base) ||
      llvm::SubOverflow(index.offset, from.offset, index.offset) ||
      llvm::SubOverflow(index.offset, increase, index.offset))
    return unknownIndex();
  index.base = received;
  int64_t modulus = index.modulus;
  index.modulus = 0;
  return modulus ? reduce(index, modulus) : index;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool berthLoopGetCount(MlirOperation cOp, BerthLoopCount *count) {
  Operation *op = unwrap(cOp);
  std::optional<int64_t> first, end, step;
  bool isUnsigned = false;
  *count = BerthLoopCount{};
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    isUnsigned = berth::isUnsigned(loop);
    count->variable = wrap(loop.getInductionVar());
    first = getConstantIntValue(loop.getLowerBound());
    end = getConstantIntValue(loop.getUpperBound());
    step = getConstantIntValue(loop.getStep());
  } else if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    count->variable = wrap(loop.getInductionVar());
    step = loop.getStepAsInt();
    if (loop.hasConstantLowerBound())
      first = loop.getConstantLowerBound();
    if (loop.hasConstantUpperBound())
      end = loop.getConstantUpperBound();
  } else {
    return false;
  }
  // A loop of unsigned numbers may pass the largest signed one, where a step
  // more is a large step back, unless both its bounds lie below that.
  bool mayWrap = isUnsigned && !(first && end && 0 <= *first && 0 <= *end);
  count->hasStep = step && *step > 0 && !mayWrap;
  count->hasFirst = first.has_value();
  count->step = step.value_or(0);
  count->first = first.value_or(0);
  count->hasEnd = end.has_value();
  count->end = end.value_or(0);
  int64_t way;
  count->hasLast = count->hasStep && first && end && *first < *end &&
                   !llvm::SubOverflow(*end, *first, way);
  if (count->hasLast)
    count->last = *first + (way - 1) / *step * *step;
  return true;
}
