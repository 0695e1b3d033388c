//===- UnverifiedInput.cpp - Input that verifiers reject --------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnverifiedInput.h"
#include "MLIR/Facts/OptVersions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

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

/// Runs a pipeline, and holds what comes out against what went in.
struct RunUnverified : PassWrapper<RunUnverified, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunUnverified)
  explicit RunUnverified(const OpPassManager &pipeline) : pipeline(pipeline) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    WrongOps before = findWrong();
    if (failed(runPipeline(pipeline, getOperation())))
      return signalPassFailure();
    getOperation()->walk([&](Operation *op) {
      if (!before.contains(keyOf(op)) && isWrong(op))
        signalPassFailure();
    });
  }

private:
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

LogicalResult berth::optUnverified(StringRef inputPath, StringRef outputPath,
                                   DialectRegistry &registry) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig passes = config;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    if (failed(passes.setupPassPipeline(manager)))
      return failure();
    OpPassManager pipeline(static_cast<OpPassManager &>(manager));
    manager.clear();
    manager.addPass(std::make_unique<RunUnverified>(pipeline));
    return success();
  });
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputPath, &error);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input)
    output = openOutputFile(outputPath, &error);
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (failed(
          optMainUnverified(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}
