//===- OptFile.h - What mlir-opt does to a file -----------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_OPT_OPTFILE_H
#define BERTH_TOOLS_BERTH_OPT_OPTFILE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"

namespace berth {

/// What mlir-opt does to a file, with the options of its command line.
/// Functions that a nested pass of Berth has missed are told of.
mlir::LogicalResult optFile(llvm::StringRef inputPath,
                            llvm::StringRef outputPath,
                            mlir::DialectRegistry &registry, bool isVerified);

} // namespace berth

#endif // BERTH_TOOLS_BERTH_OPT_OPTFILE_H
