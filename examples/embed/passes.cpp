//===- passes.cpp - Berth's passes in a compiler ----------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module from a file, runs berth-arena on its functions, prints it.
//
//===----------------------------------------------------------------------===//

#include "berth/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: passes FILE.mlir\n";
    return 2;
  }
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                      mlir::memref::MemRefDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  mlir::PassManager manager(&context);
  // A field for each option of the pass, of the option's type: sizes that take
  // a suffix, and memory spaces, are text (capacity = "64K").
  berth::ArenaOptions options;
  options.alignment = 64;
  manager.addNestedPass<mlir::func::FuncOp>(berth::createArena(options));
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
