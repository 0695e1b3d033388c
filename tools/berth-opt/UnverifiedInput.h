//===- UnverifiedInput.h - Input that verifiers reject ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some compilers print what MLIR rejects: a get_global in another memory space
// than its global, say. That is no business of Berth's, but what becomes of it
// is: an op that is wrong afterwards was wrong before, at the same place.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_OPT_UNVERIFIEDINPUT_H
#define BERTH_TOOLS_BERTH_OPT_UNVERIFIEDINPUT_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"

namespace berth {

/// What mlir-opt does to a file, with the options of its command line.
/// Functions that a nested pass of Berth has missed are told of.
mlir::LogicalResult optFile(llvm::StringRef inputPath,
                            llvm::StringRef outputPath,
                            mlir::DialectRegistry &registry, bool isVerified);

} // namespace berth

#endif // BERTH_TOOLS_BERTH_OPT_UNVERIFIEDINPUT_H
