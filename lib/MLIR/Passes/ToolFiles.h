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
#include "mlir/Pass/AnalysisManager.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace berth {

/// An option for code in C: null where nothing was said.
inline const char *orNull(const std::string &option) {
  return option.empty() ? nullptr : option.c_str();
}

/// What a program has for itself; no path, or an empty one: nothing.
struct ToolFiles {
  std::string input, output, remarks;
  bool reports = false; ///< all arenas, on standard error
};

/// To be called once, before any pass is made ready: this process is one run.
void setToolFiles(ToolFiles files);
/// Of no program that told of them, nothing.
const ToolFiles &getToolFiles();

/// Whether these options' files are apart from each other and from the
/// program's. The module comes from where `location` says, if it is given.
BerthStatus checkFilesOfOptions(llvm::ArrayRef<BerthNamedFile> files,
                                mlir::LocationAttr location, BerthError *error);

/// The files that passes have written in a run on a module, as an analysis that
/// lasts as long as the run does: none may replace what another one wrote.
class WrittenFiles {
public:
  explicit WrittenFiles(mlir::Operation *) {}
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) const {
    return false;
  }
  /// Notes those of `files` that are written, unless one of them is there.
  BerthStatus take(llvm::ArrayRef<BerthNamedFile> files, BerthError *error);

private:
  std::vector<std::string> paths;
};

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_TOOLFILES_H
