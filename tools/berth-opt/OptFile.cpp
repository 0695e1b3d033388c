//===- OptFile.cpp - What mlir-opt does to a file ---------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptFile.h"
#include "MLIR/Facts/OptVersions.h"
#include "MLIR/Passes/NestWatch.h"
#include "MLIR/Passes/Nothing.h"
#include "UnverifiedInput.h"
#include "berth/Target.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace mlir;

LogicalResult berth::optFile(StringRef inputPath, StringRef outputPath,
                             DialectRegistry &registry, bool isVerified) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig passes = config;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    berth::watchNests(manager);
    if (failed(passes.setupPassPipeline(manager)))
      return failure();
    if (!isVerified)
      runUnverified(manager);
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
  std::string note = berth::noteOfForeignAlias(input->getBuffer(), registry);
  std::string name = input->getBufferIdentifier().str();
  if (failed(isVerified
                 ? MlirOptMain(output->os(), std::move(input), registry, config)
                 : optMainUnverified(output->os(), std::move(input), registry,
                                     config))) {
    bool isUntold = !berth::passWasAsked() && !berth::wasToldOfDialects() &&
                    !config.shouldAllowUnregisteredDialects();
    if (isUntold && !note.empty())
      llvm::errs() << name << ":" << note << "\n";
    return failure();
  }
  output->keep();
  return success();
}
