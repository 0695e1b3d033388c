//===- TargetOption.h - The option `target` of the passes -------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_TARGETOPTION_H
#define BERTH_LIB_MLIR_PASSES_TARGETOPTION_H

#include "IR/Facts/Facts.h"
#include "IR/Target/Builtin.h"
#include "IR/Target/OwnRows.h"
#include "IR/Target/Target.h"
#include "Nothing.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace berth {

/// The description that passes without a `target` option use, or null.
const BerthTarget *defaultTarget();

/// A pass's description, shared with copies of the pass.
class PassTarget {
public:
  /// Reads `path`; if it is empty, takes the default.
  mlir::LogicalResult load(mlir::Pass &pass, mlir::MLIRContext *context,
                           const std::string &path);
  /// Reads `path`, and has `parse` read the other options under it, since they
  /// may name memories that it tells of.
  mlir::LogicalResult load(mlir::Pass &pass, mlir::MLIRContext *context,
                           const std::string &path,
                           llvm::function_ref<BerthStatus(BerthError *)> parse);
  /// Says what is wrong with the options of the pass; returns failure.
  static mlir::LogicalResult
  refuse(mlir::Pass &pass, mlir::MLIRContext *context, const char *message);
  /// Of the memories that the pass looks at, for one that finds nothing where
  /// it is nested.
  void looksAt(const BerthCollectOptions &options) {
    noteLooks(instance, options);
  }
  /// The number of the pass in the pipelines of the process.
  size_t getInstance() const { return instance; }
  const BerthTarget *get() const { return own ? own.get() : defaultTarget(); }

private:
  std::shared_ptr<BerthTarget> own;
  size_t instance = 0;
};

/// Has this thread ask a pass's description, and what attributes of ops say,
/// for as long as the pass runs; sizes that it has found are kept meanwhile.
class TargetUse {
public:
  explicit TargetUse(const PassTarget &target)
      : use(berthTargetEnter(berthBuiltinTarget(), target.get())),
        sizes(berthSizesKeep()) {}
  ~TargetUse() {
    berthSizesForget(sizes);
    berthTargetLeave(use);
    berthOwnRowsDestroy(ownRows);
  }
  TargetUse(const TargetUse &) = delete;

  /// Reads the attributes, and holds all that is told against the program.
  mlir::LogicalResult check(mlir::Pass &pass, mlir::Operation *root);

private:
  BerthTargetUse *use;
  BerthSizes *sizes;
  BerthOwnRows *ownRows = nullptr;
};

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_TARGETOPTION_H
