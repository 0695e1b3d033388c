//===- VerifyPass.cpp - berth-verify -------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell around IR/Verify/Verify.h.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/VerifyRun.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "Support/Messages.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace berth {
#define GEN_PASS_DEF_VERIFY
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct Verify : berth::WithOptions<berth::impl::VerifyBase<Verify>> {
  using WithOptions::WithOptions;

  LogicalResult initialize(MLIRContext *context) override {
    if (!unknownOps.empty() && unknownOps != "use")
      return berth::PassTarget::refuse(
          *this, context,
          ("unknown-ops '" + unknownOps + "' is not 'use'").c_str());
    return target.load(*this, context, targetFile);
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    std::vector<const char *> names;
    for (const std::string &name : kernels) {
      names.push_back(name.c_str());
      if (isa<ModuleOp>(getOperation()) && !hasFunction(name)) {
        emitError(getOperation()->getLoc())
            << "kernels: the module has no function '" << name << "'"
            << berthMessageNumber("the module has no function");
        return signalPassFailure();
      }
    }
    BerthVerifyOptions options = {threads,      unknownOps == "use",
                                  names.size(), names.data(),
                                  slots,        slots,
                                  nullptr,      0};
    if (berthVerifyRun(wrap(getOperation()), &options) != BERTH_SUCCESS)
      return signalPassFailure();
    getAnalysis<berth::SaidOfNothing>().note(*this, target.getInstance(),
                                             getOperation(), false);
    markAllAnalysesPreserved();
  }

private:
  berth::PassTarget target;

  /// A run on one function cannot tell what others there are.
  bool hasFunction(StringRef name) {
    return getOperation()
        ->walk([&](FunctionOpInterface function) {
          return function.getName() == name ? WalkResult::interrupt()
                                            : WalkResult::advance();
        })
        .wasInterrupted();
  }
};

} // namespace
