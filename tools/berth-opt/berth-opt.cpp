//===- berth-opt.cpp - mlir-opt with Berth built in -------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "berth/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

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
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Berth: memory planning for MLIR\n", registry));
}
