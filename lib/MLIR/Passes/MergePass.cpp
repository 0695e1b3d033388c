//===- MergePass.cpp - berth-merge ------------------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C, calls lib/IR and counts.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/MergePass.h"
#include "Dialects.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"

namespace berth {
#define GEN_PASS_DEF_MERGE
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct Merge : berth::WithOptions<berth::impl::MergeBase<Merge>> {
  using WithOptions::WithOptions;

  void getDependentDialects(DialectRegistry &registry) const override {
    berth::insertMergeDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    parsed = BerthMergeOptions();
    parsed.sizeChecks = sizeChecks;
    parsed.refill = refill;
    return target.load(*this, context, targetFile, [&](BerthError *error) {
      return parse(context, error);
    });
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    BerthMergeFigures figures = {};
    berthMergeRun(wrap(getOperation()), &parsed, &figures);
    numBuffers += figures.buffers;
    numLeft += figures.allocations;
    getAnalysis<berth::SaidOfNothing>().note(
        *this, target.getInstance(), getOperation(), figures.buffers > 0,
        {&parsed.collect});
  }

private:
  BerthStatus parse(MLIRContext *context, BerthError *error) {
    if (berthParseMayMerge(mayMerge.c_str(), &parsed.mayMerge, error) ||
        berthParseDynamic(dynamic.c_str(), &parsed.collect.dynamic, error) ||
        berthParseUnknownOps(unknownOps.c_str(), &parsed.alias.unknownOps,
                             error))
      return BERTH_INVALID;
    if (berthParseSpace(wrap(context), space.c_str(), &parsed.collect, error))
      return BERTH_INVALID;
    target.looksAt(parsed.collect);
    return BERTH_SUCCESS;
  }

  berth::PassTarget target;

  BerthMergeOptions parsed;
};

} // namespace
