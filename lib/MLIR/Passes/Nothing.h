//===- Nothing.h - When a pass has nothing to do ----------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_NOTHING_H
#define BERTH_LIB_MLIR_PASSES_NOTHING_H

#include "IR/Passes/Nothing.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace berth {

/// What a run of passes on an op has said of finding nothing; it is kept for as
/// long as that lasts.
class SaidOfNothing {
public:
  explicit SaidOfNothing(mlir::Operation *) {}
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) const {
    return false;
  }
  /// Warns if that looks like a mistake (berthWarnOfNothing). A run on a single
  /// function says nothing: others may have what it is for.
  void warn(const mlir::Pass &pass, mlir::Operation *root,
            const BerthCollectOptions *options) {
    if (mlir::isa<mlir::ModuleOp>(root))
      berthWarnOfNothing(wrap(root), options, pass.getArgument().str().c_str(),
                         &toldTensors);
  }

private:
  bool toldTensors = false;
};

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_NOTHING_H
