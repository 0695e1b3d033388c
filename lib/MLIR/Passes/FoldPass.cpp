//===- FoldPass.cpp - berth-fold --------------------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C, calls lib/IR and counts.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FoldPass.h"
#include "Dialects.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "SharedOptions.h"
#include "Support/Nearest.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "llvm/ADT/StringExtras.h"

namespace berth {
#define GEN_PASS_DEF_FOLD
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct Fold : berth::WithOptions<berth::impl::FoldBase<Fold>> {
  using WithOptions::WithOptions;

  void getDependentDialects(DialectRegistry &registry) const override {
    berth::insertFoldDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    BerthError error = {};
    if (berthFoldOpen(&error) != BERTH_SUCCESS)
      return berth::PassTarget::refuse(*this, context, error.message);
    if (failed(target.load(*this, context, targetFile)))
      return failure();
    if (berth::readBrokenRule(breakRule, &brokenRule, &error))
      return berth::PassTarget::refuse(*this, context, error.message);
    std::vector<const char *> names;
    for (size_t i = 0, e = berthFoldNumMethods(); i != e; ++i) {
      if (method == berthFoldMethodName(i))
        return checkNumbers(context);
      names.push_back(berthFoldMethodName(i));
    }
    return berth::PassTarget::refuse(
        *this, context,
        ("no method is called '" + method + "'; there are " +
         llvm::join(names, ", ") +
         berthNearest(method.c_str(), names.data(), names.size()).text)
            .c_str());
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    BerthFoldPassOptions options = {};
    options.fold = berthFoldOptionsDefault();
    options.fold.method = method.c_str();
    options.fold.alone = alone;
    options.fold.pow2Slack = static_cast<unsigned>(pow2Slack.value);
    options.fold.copySlack = static_cast<unsigned>(copySlack.value);
    options.maxOperations = maxOperations;
    options.minGain = static_cast<unsigned>(minGain.value);
    options.joint = joint;
    options.countLive = countLive;
    options.breakRule = brokenRule;
    BerthFoldFigures figures = {};
    berthFoldRun(wrap(getOperation()), &options, &figures);
    getAnalysis<berth::SaidOfNothing>().note(
        *this, target.getInstance(), getOperation(), figures.arrays > 0);
    numArrays += figures.arrays;
    numFolded += figures.folded;
    numJoined += figures.joined;
  }

private:
  berth::PassTarget target;
  const char *brokenRule = nullptr; ///< of `breakRule`

  LogicalResult checkNumbers(MLIRContext *context) {
    if (maxOperations < BERTH_FOLD_AUTOMATIC)
      return berth::PassTarget::refuse(
          *this, context,
          ("max-operations is at least -1, not " +
           std::to_string(maxOperations.getValue()))
              .c_str());
    auto isUpTo = [](int64_t percent, int64_t most) {
      return percent >= 0 && percent <= most;
    };
    if (isUpTo(minGain, 100) && isUpTo(pow2Slack, 1000) &&
        isUpTo(copySlack, 1000))
      return success();
    return berth::PassTarget::refuse(*this, context,
                                     "min-gain is at most 100 percent, "
                                     "pow2-slack and copy-slack at most 1000, "
                                     "and none is below 0");
  }
};

} // namespace
