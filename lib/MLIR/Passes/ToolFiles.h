//===- ToolFiles.h - Files that a program has for itself --------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a pass writes must be none of the files that the program around it reads
// and writes. berth-opt names those; under another program nothing is known but
// what the module's own location says.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_TOOLFILES_H
#define BERTH_LIB_MLIR_PASSES_TOOLFILES_H

#include "IO/NamedFiles.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace berth {

/// To be called once, before any pass is made ready.
void setToolFiles(std::string input, std::string output);

/// Whether these options' files are apart from each other and from the
/// program's. The module comes from where `location` says, if it is given.
BerthStatus checkFilesOfOptions(llvm::ArrayRef<BerthNamedFile> files,
                                mlir::LocationAttr location, BerthError *error);

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_TOOLFILES_H
