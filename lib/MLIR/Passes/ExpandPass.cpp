//===- ExpandPass.cpp - berth-expand ----------------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C, calls lib/IR and counts.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/ExpandPass.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "SharedOptions.h"
#include "Support/Bytes.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace berth {
#define GEN_PASS_DEF_EXPAND
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct Expand : berth::WithOptions<berth::impl::ExpandBase<Expand>> {
  using WithOptions::WithOptions;

  LogicalResult initialize(MLIRContext *context) override {
    return target.load(*this, context, targetFile,
                       [&](BerthError *error) { return parse(error); });
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    BerthExpandFigures figures = {};
    if (berthExpandRun(wrap(getOperation().getOperation()), &parsed,
                       &figures) != BERTH_SUCCESS)
      return signalPassFailure();
    numKernels += figures.kernels;
    numInterleaved += figures.interleaved;
    numBuffers += figures.buffers;
    numLaunches += figures.launches;
  }

private:
  static BerthStatus parseBytes(const char *name, const std::string &text,
                                int64_t *bytes, BerthError *error) {
    if (berthParseBytes(text.c_str(), bytes) && *bytes <= BERTH_MOST_EXPANDED)
      return BERTH_SUCCESS;
    const char *complaint = berthBytesComplaint(text.c_str());
    return berthErrorSet(
        error, BERTH_INVALID, "%s '%s': %s", name, text.c_str(),
        *bytes > BERTH_MOST_EXPANDED ? "more than 1024G" : complaint);
  }

  BerthStatus parse(BerthError *error) {
    parsed = {};
    if (parseBytes("capacity", capacity, &parsed.capacity, error) ||
        parseBytes("least", least, &parsed.arena.collect.leastExpanded,
                   error) ||
        berth::readBrokenRule(breakRule, &parsed.arena.alias.breakRule, error))
      return BERTH_INVALID;
    if (layout != "auto" && layout != "row")
      return berthErrorSet(error, BERTH_INVALID,
                           "layout '%s' is neither auto nor row",
                           layout.c_str());
    parsed.interleaves = layout == "auto";
    parsed.verify = verify;
    parsed.arena.inPlace = true;
    parsed.arena.splitLives = true;
    parsed.arena.byteRanges = true;
    parsed.arena.poison = poison;
    return berthParseUnknownOps(unknownOps.c_str(),
                                &parsed.arena.alias.unknownOps, error);
  }

  BerthExpandOptions parsed;
  berth::PassTarget target;
};

} // namespace
