//===- LateTransfers.cpp - memref.dma_start on the CPU ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass test-late-transfers makes calls of LateRuntime.c of memref.dma_start
// and memref.dma_wait (affine's become these by lower-affine). Upstream lowers
// neither for a CPU. A described move is such a transfer too: npu.dma, whose
// token npu.wait is given; npu.put is a copy to its first operand, over with
// itself. It puts all buffers into the one memory that a CPU has; functions do
// not take any other.
//
//===----------------------------------------------------------------------===//

#include "berth-c/Support.h"

#include "MLIR/Facts/Versions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {

int64_t bytesOf(Type element) {
  return element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
}

Value constant(OpBuilder &builder, Location location, int64_t value) {
  return berth::create<arith::ConstantIndexOp>(builder, location, value);
}

/// The address of an element, as an index.
Value addressOf(OpBuilder &builder, Location location, Value memref,
                ValueRange indices) {
  auto metadata = berth::create<memref::ExtractStridedMetadataOp>(
      builder, location, memref);
  Value element = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(indices, metadata.getStrides())) {
    Value product =
        berth::create<arith::MulIOp>(builder, location, index, stride);
    element = berth::create<arith::AddIOp>(builder, location, element, product);
  }
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  Value bytes = berth::create<arith::MulIOp>(
      builder, location, element, constant(builder, location, bytesOf(type)));
  Value base = berth::create<memref::ExtractAlignedPointerAsIndexOp>(
      builder, location, builder.getIndexType(), memref);
  return berth::create<arith::AddIOp>(builder, location, base, bytes);
}

int64_t spaceOf(Value memref) {
  auto space = dyn_cast_or_null<IntegerAttr>(
      cast<MemRefType>(memref.getType()).getMemorySpace());
  return space ? space.getInt() : 0;
}

/// True if the elements follow each other without gaps.
bool hasNoGaps(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset, expected = 1;
  if (failed(berth::getStridesAndOffset(type, strides, offset)))
    return false;
  for (int64_t d = type.getRank(); d-- > 0; expected *= type.getDimSize(d))
    if (strides[d] != expected && type.getDimSize(d) != 1)
      return false;
  return true;
}

/// Which side has the stride: 0 none, 1 the source, 2 the target. That of the
/// slower memory; where memories have been forgotten, the types may tell.
int64_t stridedSide(memref::DmaStartOp op) {
  if (!op.isStrided())
    return 0;
  Value source = op.getSrcMemRef(), target = op.getDstMemRef();
  if (spaceOf(source) == spaceOf(target) && hasNoGaps(source))
    return hasNoGaps(target) ? 1 : 2;
  return spaceOf(source) <= spaceOf(target) ? 1 : 2;
}

struct LateTransfers : PassWrapper<LateTransfers, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LateTransfers)
  StringRef getArgument() const override { return "test-late-transfers"; }
  StringRef getDescription() const override {
    return "memref.dma_start and memref.dma_wait as calls";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect>();
  }

  void call(OpBuilder &builder, Location location, StringRef name,
            ArrayRef<Value> operands) {
    if (!getOperation().lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(getOperation().getBody());
      SmallVector<Type> types(operands.size(), builder.getIndexType());
      berth::create<func::FuncOp>(builder, location, name,
                                  builder.getFunctionType(types, {}))
          .setPrivate();
    }
    berth::create<func::CallOp>(builder, location, name, TypeRange(), operands);
  }

  void lowerStart(memref::DmaStartOp op) {
    OpBuilder builder(op);
    Location location = op.getLoc();
    Value zero = constant(builder, location, 0);
    Type element =
        cast<MemRefType>(op.getSrcMemRef().getType()).getElementType();
    Value tag =
        addressOf(builder, location, op.getTagMemRef(), op.getTagIndices());
    call(builder, location, "late_start",
         {addressOf(builder, location, op.getSrcMemRef(), op.getSrcIndices()),
          addressOf(builder, location, op.getDstMemRef(), op.getDstIndices()),
          op.getNumElements(), constant(builder, location, bytesOf(element)),
          tag, constant(builder, location, stridedSide(op)),
          op.isStrided() ? op.getStride() : zero,
          op.isStrided() ? op.getNumElementsPerStride() : zero});
    op.erase();
  }

  void lowerWait(memref::DmaWaitOp op) {
    OpBuilder builder(op);
    call(builder, op.getLoc(), "late_wait",
         {addressOf(builder, op.getLoc(), op.getTagMemRef(),
                    op.getTagIndices())});
    op.erase();
  }

  static bool isTold(Operation *op, StringRef name) {
    return op->getName().getStringRef() == name;
  }

  /// A described move becomes a transfer with a tag of its own, whose wait is
  /// where the token is waited for, or a copy.
  void lowerTold(Operation *op) {
    OpBuilder builder(op);
    Location location = op->getLoc();
    if (isTold(op, "npu.put")) {
      berth::create<memref::CopyOp>(builder, location, op->getOperand(1),
                                    op->getOperand(0));
      op->erase();
      return;
    }
    OpBuilder atEntry(
        &op->getParentOfType<func::FuncOp>().getBody().front().front());
    Value tag = berth::create<memref::AllocaOp>(
        atEntry, location, MemRefType::get({1}, builder.getI32Type()));
    Value zero = constant(atEntry, location, 0);
    auto type = cast<MemRefType>(op->getOperand(0).getType());
    Value count = constant(atEntry, location, type.getNumElements());
    SmallVector<Value> indices(type.getRank(), zero);
    for (Operation *wait : llvm::make_early_inc_range(op->getUsers())) {
      OpBuilder there(wait);
      berth::create<memref::DmaWaitOp>(there, location, tag, ValueRange(zero),
                                       count);
      wait->erase();
    }
    berth::create<memref::DmaStartOp>(
        builder, location, op->getOperand(0), ValueRange(indices),
        op->getOperand(1), ValueRange(indices), count, tag, ValueRange(zero));
    op->erase();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops, told;
    getOperation().walk([&](Operation *op) {
      if (isTold(op, "npu.dma") || isTold(op, "npu.put"))
        told.push_back(op);
    });
    llvm::for_each(told, [&](Operation *op) { lowerTold(op); });
    getOperation().walk([&](Operation *op) {
      if (isa<memref::DmaStartOp, memref::DmaWaitOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto start = dyn_cast<memref::DmaStartOp>(op))
        lowerStart(start);
      else
        lowerWait(cast<memref::DmaWaitOp>(op));
    }
    forgetSpaces();
  }

  /// A CPU has one memory.
  void forgetSpaces() {
    auto forget = [](Value value) {
      if (auto type = dyn_cast<MemRefType>(value.getType()))
        value.setType(MemRefType::get(type.getShape(), type.getElementType(),
                                      type.getLayout()));
    };
    getOperation().walk([&](Operation *op) {
      llvm::for_each(op->getResults(), forget);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), forget);
    });
  }
};

} // namespace

extern "C" BERTH_EXPORT ::mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LateTransfers", "1",
          []() { PassRegistration<LateTransfers>(); }};
}
