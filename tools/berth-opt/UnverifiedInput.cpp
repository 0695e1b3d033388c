//===- UnverifiedInput.cpp - Input that verifiers reject --------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnverifiedInput.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Regex.h"

#include <memory>

using namespace mlir;

namespace {

/// Ops by name and place: passes replace them.
using WrongOps = llvm::DenseSet<std::pair<const void *, const void *>>;

std::pair<const void *, const void *> keyOf(Operation *op) {
  return {op->getName().getAsOpaquePointer(),
          op->getLoc().getAsOpaquePointer()};
}

/// Without what it holds.
bool isWrong(Operation *op) {
  return failed(verify(op, /*verifyRecursively=*/false));
}

/// What the verifier says of the op; empty if it is right.
std::string faultOf(Operation *op) {
  std::string fault;
  ScopedDiagnosticHandler listen(op->getContext(), [&](Diagnostic &diagnostic) {
    if (fault.empty())
      fault = diagnostic.str();
    return success();
  });
  return isWrong(op) && fault.empty() ? "does not verify" : fault;
}

/// True for the faults of ops that lack operands, results, attributes or
/// blocks: whoever asks such an op, or an interface of it, reaches for what is
/// not there. That the parts do not fit together breaks no question. MLIR tells
/// the two apart in its words only.
bool isMissing(StringRef fault) {
  static llvm::Regex counts(
      "(requires|expected|expects) (at least |zero |one |a single |single )?"
      "[0-9]*( or more)? ?(operand|result|region|successor)s?(,|$| but| and)");
  static llvm::Regex parts("requires attribute|failed to verify constraint: "
                           "region|blocks|operand count|operands present|"
                           "SegmentSizes|null operand");
  return counts.match(fault) || parts.match(fault);
}

/// A block without an end, where flow is followed over ends. It is none of the
/// op's faults: that is seen where blocks are verified. (MLIR says what an end
/// is: hasTrait fails where it was built by another compiler.)
bool lacksTerminator(Operation *op) {
  if (!isa<RegionBranchOpInterface, FunctionOpInterface>(op))
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.mightHaveTerminator())
        return true;
  return false;
}

/// Runs a pipeline, and holds what comes out against what went in.
struct RunUnverified : PassWrapper<RunUnverified, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunUnverified)
  explicit RunUnverified(const OpPassManager &pipeline) : pipeline(pipeline) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(checkParts()))
      return signalPassFailure();
    WrongOps before = findWrong();
    if (failed(runPipeline(pipeline, getOperation())))
      return signalPassFailure();
    getOperation()->walk([&](Operation *op) {
      if (!before.contains(keyOf(op)) && isWrong(op))
        signalPassFailure();
    });
  }

private:
  LogicalResult checkParts() {
    WalkResult result = getOperation()->walk([](Operation *op) {
      std::string fault = faultOf(op);
      if (lacksTerminator(op))
        fault = "'" + op->getName().getStringRef().str() +
                "' op has a block with no terminator";
      else if (!isMissing(fault))
        return WalkResult::advance();
      emitError(op->getLoc()) << fault << " (no pass can read such an op)";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  WrongOps findWrong() {
    WrongOps wrong;
    ScopedDiagnosticHandler quiet(&getContext(),
                                  [](Diagnostic &) { return success(); });
    getOperation()->walk([&](Operation *op) {
      if (isWrong(op))
        wrong.insert(keyOf(op));
    });
    return wrong;
  }

  OpPassManager pipeline;
};

} // namespace

void berth::runUnverified(PassManager &manager) {
  OpPassManager pipeline(static_cast<OpPassManager &>(manager));
  manager.clear();
  manager.addPass(std::make_unique<RunUnverified>(pipeline));
}
