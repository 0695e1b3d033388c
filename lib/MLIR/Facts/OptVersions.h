//===- OptVersions.h - mlir-opt of a version --------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As Versions.h, for what drives mlir-opt; apart from it, since only berth-opt
// may need the library of that.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_FACTS_OPTVERSIONS_H
#define BERTH_LIB_MLIR_FACTS_OPTVERSIONS_H

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"

#if LLVM_VERSION_MAJOR < 22
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/ParseUtilities.h"
#include "llvm/Support/SourceMgr.h"
#endif

namespace berth {

/// Files that options of mlir-opt name: remarks are written, dialects read.
struct OptFiles {
  std::string remarks, irdl;
};

inline OptFiles getOptFiles() {
#if LLVM_VERSION_MAJOR >= 22
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  return {config.getRemarksOutputFile(), config.getIrdlFile().str()};
#else
  return {"",
          mlir::MlirOptMainConfig::createFromCLOptions().getIrdlFile().str()};
#endif
}

/// Whether the options ask for lists of what there is, and no input is read.
inline bool optOnlyLists() {
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
#if LLVM_VERSION_MAJOR >= 22
  return config.shouldShowDialects() || config.shouldListPasses();
#else
  return config.shouldShowDialects();
#endif
}

/// MlirOptMain that does not verify what it parses, nor after passes.
inline llvm::LogicalResult optMainUnverified(
    llvm::raw_ostream &output, std::unique_ptr<llvm::MemoryBuffer> input,
    mlir::DialectRegistry &registry, mlir::MlirOptMainConfig config) {
#if LLVM_VERSION_MAJOR >= 22
  config.verifyOnParsing(false).verifyPasses(false);
  return mlir::MlirOptMain(output, std::move(input), registry, config);
#else
  // Its parser always verifies. Of the options of mlir-opt this heeds those of
  // passes, of printing, and of dialects that nobody knows.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  mlir::SourceMgrDiagnosticHandler handler(*sources, &context);
  mlir::OwningOpRef<mlir::Operation *> op = mlir::parseSourceFileForTool(
      sources, mlir::ParserConfig(&context, /*verifyAfterParse=*/false),
      !config.shouldUseExplicitModule());
  if (!op)
    return mlir::failure();
  mlir::PassManager manager(op.get()->getName());
  manager.enableVerifier(false);
  if (failed(mlir::applyPassManagerCLOptions(manager)) ||
      failed(config.setupPassPipeline(manager)) ||
      failed(manager.run(op.get())))
    return mlir::failure();
  op.get()->print(output);
  output << "\n";
  return mlir::success();
#endif
}

} // namespace berth

#endif // BERTH_LIB_MLIR_FACTS_OPTVERSIONS_H
