//===- HeapPass.cpp - berth-heap --------------------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C and calls lib/IR.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/HeapPass.h"
#include "Dialects.h"
#include "IR/Heap/HeapSpirv.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

namespace berth {
#define GEN_PASS_DEF_HEAP
#define GEN_PASS_DEF_HEAPSPIRV
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct Heap : berth::WithOptions<berth::impl::HeapBase<Heap>> {
  using WithOptions::WithOptions;

  void getDependentDialects(DialectRegistry &registry) const override {
    berth::insertHeapDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    parsed.checked = checked;
    parsed.locked = locked;
    return target.load(*this, context, targetFile, [&](BerthError *error) {
      return berthHeapOptionsParse(
          wrap(context), space.c_str(), unknownOps.c_str(), arena.c_str(),
          lowering.c_str(), allocations.c_str(), size, &parsed, error);
    });
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    BerthHeapFigures figures = {};
    if (berthHeapRun(wrap(getOperation().getOperation()), &parsed, &figures) !=
        BERTH_SUCCESS)
      return signalPassFailure();
    getAnalysis<berth::SaidOfNothing>().note(
        *this, target.getInstance(), getOperation(),
        figures.moved + figures.refused > 0, {&parsed.collect});
    numMoved += figures.moved;
    numRefused += figures.refused;
  }

  BerthHeapOptions parsed = {};

  berth::PassTarget target;
};

struct HeapSpirv : berth::impl::HeapSpirvBase<HeapSpirv> {
  void getDependentDialects(DialectRegistry &registry) const override {
    berth::insertHeapSpirvDialects(registry);
  }

  void runOnOperation() override {
    berth::PassTarget target; // what the environment names, or none
    berth::TargetUse use(target);
    berthHeapFinishSpirv(wrap(getOperation().getOperation()));
  }
};

} // namespace
