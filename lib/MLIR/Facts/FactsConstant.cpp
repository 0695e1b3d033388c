//===- FactsConstant.cpp - What ops make of constants -----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/ConstantFacts.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

using llvm::APFloat;
using llvm::APInt;

/// Bytes of an element, or 0 where they are not its bits alone.
static size_t bytesOf(Type type) {
  if (!isa<IntegerType, FloatType>(type))
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

/// The bytes of a constant; one element where all are equal.
static ArrayRef<char> bytesOf(Attribute value, bool &isSplat) {
  isSplat = false;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    isSplat = dense.isSplat();
    return dense.getRawData();
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

/// What the values of a payload hold, as bits.
using Bits = llvm::DenseMap<Value, APInt>;

static const llvm::fltSemantics &semanticsOf(Value value) {
  return cast<FloatType>(value.getType()).getFloatSemantics();
}

static APFloat floatOf(const Bits &bits, Value value) {
  return APFloat(semanticsOf(value), bits.lookup(value));
}

static bool evaluateFloats(Operation &op, Bits &bits) {
  Value result = op.getResult(0);
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  bool isExact;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    APFloat number(semanticsOf(result));
    number.convertFromAPInt(bits.lookup(op.getOperand(0)),
                            isa<arith::SIToFPOp>(op), nearest);
    bits.try_emplace(result, number.bitcastToAPInt());
    return true;
  }
  if (!isa<arith::ExtFOp, arith::TruncFOp, arith::AddFOp, arith::SubFOp,
           arith::MulFOp>(op))
    return false;
  APFloat number = floatOf(bits, op.getOperand(0));
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    number.convert(semanticsOf(result), nearest, &isExact);
  } else {
    APFloat other = floatOf(bits, op.getOperand(1));
    if (isa<arith::AddFOp>(op))
      number.add(other, nearest);
    else if (isa<arith::SubFOp>(op))
      number.subtract(other, nearest);
    else
      number.multiply(other, nearest);
  }
  // Which NaN comes out is the machine's business.
  if (number.isNaN())
    return false;
  bits.try_emplace(result, number.bitcastToAPInt());
  return true;
}

static bool evaluateIntegers(Operation &op, Bits &bits) {
  Value result = op.getResult(0);
  if (!isa<IntegerType>(result.getType()))
    return false;
  unsigned width = result.getType().getIntOrFloatBitWidth();
  APInt a = bits.lookup(op.getOperand(0));
  if (isa<arith::ExtSIOp>(op))
    a = a.sext(width);
  else if (isa<arith::ExtUIOp>(op))
    a = a.zext(width);
  else if (isa<arith::AddIOp>(op))
    a += bits.lookup(op.getOperand(1));
  else if (isa<arith::SubIOp>(op))
    a -= bits.lookup(op.getOperand(1));
  else if (isa<arith::MulIOp>(op))
    a *= bits.lookup(op.getOperand(1));
  else
    return false;
  bits.try_emplace(result, a);
  return true;
}

/// Adds a number that stands in the program.
static bool addConstant(Value value, Bits &bits) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return false;
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    bits.try_emplace(value, number.getValue().bitcastToAPInt());
  else if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    bits.try_emplace(value, integer.getValue());
  return bits.contains(value);
}

/// What the payload yields for one element.
static bool evaluate(Block &body, const APInt &element, Bits &bits,
                     APInt &result) {
  bits.clear();
  bits.try_emplace(body.getArgument(0), element);
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    for (Value operand : op.getOperands())
      if (!bits.contains(operand) && !addConstant(operand, bits))
        return false;
    if (op.getNumResults() != 1 ||
        (!evaluateFloats(op, bits) && !evaluateIntegers(op, bits)))
      return false;
  }
  Value yielded = body.getTerminator()->getOperand(0);
  if (!bits.contains(yielded))
    return false;
  result = bits.lookup(yielded);
  return true;
}

static APInt readElement(const char *at, size_t bytes) {
  uint64_t word = 0;
  memcpy(&word, at, bytes);
  return APInt(64, word).trunc(static_cast<unsigned>(8 * bytes));
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

/// Elements that each loop steps over in a memref of that map; false if the map
/// does more than to name loops, or 0.
static bool findSteps(AffineMap map, ArrayRef<int64_t> shape,
                      SmallVector<int64_t> &steps) {
  steps.assign(map.getNumDims(), 0);
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0; step *= shape[i]) {
    AffineExpr expr = map.getResult(static_cast<unsigned>(i));
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      steps[dim.getPosition()] += step;
    else if (expr != getAffineConstantExpr(0, map.getContext()))
      return false;
  }
  return true;
}

static bool isWholeArray(MemRefType type) {
  return type && type.hasStaticShape() && type.getLayout().isIdentity() &&
         bytesOf(type.getElementType());
}

/// Runs the loops; false where an element cannot be computed.
static bool runLoops(linalg::LinalgOp op, OpOperand &in, OpOperand &out,
                     ArrayRef<char> from, bool isSplat,
                     MutableArrayRef<char> to) {
  auto inType = cast<MemRefType>(in.get().getType());
  auto outType = cast<MemRefType>(out.get().getType());
  SmallVector<int64_t> inSteps, outSteps;
  if (!findSteps(op.getMatchingIndexingMap(&in), inType.getShape(), inSteps) ||
      !findSteps(op.getMatchingIndexingMap(&out), outType.getShape(), outSteps))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> at(ranges.size(), 0);
  size_t inBytes = bytesOf(inType.getElementType());
  size_t outBytes = bytesOf(outType.getElementType());
  Block &body = op->getRegion(0).front();
  bool moves = body.getTerminator()->getOperand(0) == body.getArgument(0);
  Bits bits;
  int64_t source = 0, target = 0;
  while (true) {
    const char *element = from.data() + (isSplat ? 0 : source) * inBytes;
    char *result = to.data() + target * outBytes;
    APInt value;
    if (moves) {
      memcpy(result, element, outBytes);
    } else {
      if (!evaluate(body, readElement(element, inBytes), bits, value))
        return false;
      uint64_t word = value.getZExtValue();
      memcpy(result, &word, outBytes);
    }
    size_t d = ranges.size();
    while (d-- > 0) {
      source += inSteps[d];
      target += outSteps[d];
      if (++at[d] < ranges[d])
        break;
      source -= inSteps[d] * ranges[d];
      target -= outSteps[d] * ranges[d];
      at[d] = 0;
    }
    if (d == SIZE_MAX)
      return true;
  }
}

MlirAttribute berthOpComputeConstant(MlirOperation cOp, intptr_t input,
                                     intptr_t output, MlirAttribute cValue) {
  Operation *op = unwrap(cOp);
  OpOperand &in = op->getOpOperand(static_cast<unsigned>(input));
  OpOperand &out = op->getOpOperand(static_cast<unsigned>(output));
  auto inType = dyn_cast<MemRefType>(in.get().getType());
  auto outType = dyn_cast<MemRefType>(out.get().getType());
  if (!isWholeArray(inType) || !isWholeArray(outType) ||
      outType.getNumElements() == 0)
    return MlirAttribute{nullptr};
  bool isSplat;
  ArrayRef<char> from = bytesOf(unwrap(cValue), isSplat);
  size_t held = isSplat ? 1 : static_cast<size_t>(inType.getNumElements());
  if (from.size() != held * bytesOf(inType.getElementType()))
    return MlirAttribute{nullptr};
  std::vector<char> to(static_cast<size_t>(outType.getNumElements()) *
                       bytesOf(outType.getElementType()));
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (isa<memref::CopyOp>(op)) {
    to.assign(from.begin(), from.end());
  } else if (!linalgOp || !linalgOp.hasPureBufferSemantics() ||
             linalgOp.getNumDpsInputs() != 1 ||
             linalgOp.getNumDpsInits() != 1 ||
             linalgOp.getNumParallelLoops() != linalgOp.getNumLoops() ||
             linalgOp.hasIndexSemantics() || !linalgOp.isDpsInput(&in) ||
             !runLoops(linalgOp, in, out, from, isSplat, to)) {
    return MlirAttribute{nullptr};
  }
  return wrap(DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get(outType.getShape(), outType.getElementType()), to));
}

bool berthSymbolIsUnused(MlirOperation symbol) {
  Operation *op = unwrap(symbol);
  return SymbolTable::getSymbolVisibility(op) ==
             SymbolTable::Visibility::Private &&
         SymbolTable::symbolKnownUseEmpty(op, op->getParentOp());
}
