//===- berth-opt.cpp - mlir-opt with Berth built in -------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "berth/Passes.h"
#include "berth/Target.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

static llvm::cl::opt<std::string> targetFile(
    "berth-target",
    llvm::cl::desc("Description of the target in JSON, for the parser and all "
                   "of Berth's passes (default: the environment's "
                   "BERTH_TARGET)"),
    llvm::cl::value_desc("file"));

#include "llvm/Support/ErrorHandling.h"

// LLVM would abort. One line and an exit code do, and leave no output behind.
[[noreturn]] static void outOfMemory(void *, const char *, bool) {
  llvm::report_fatal_error("out of memory", /*gen_crash_diag=*/false);
}

int main(int argc, char **argv) {
  llvm::install_bad_alloc_error_handler(outOfMemory);
  mlir::registerAllPasses();
  berth::registerPassesOnce();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Berth: memory planning for MLIR\n", registry);
  const char *environment = std::getenv("BERTH_TARGET");
  std::string path = targetFile, error;
  if (path.empty() && environment)
    path = environment;
  if (!path.empty() && !berth::registerTarget(registry, path, error)) {
    llvm::errs() << "berth-opt: " << error << "\n";
    return EXIT_FAILURE;
  }
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
