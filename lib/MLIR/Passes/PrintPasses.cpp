//===- PrintPasses.cpp - berth-print-liveness, -interference ----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shells: they turn options into C and call lib/IR.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/PrintPasses.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

namespace berth {
#define GEN_PASS_DEF_PRINTLIVENESS
#define GEN_PASS_DEF_PRINTINTERFERENCE
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

/// What both passes do; Derived names the inspection.
template <typename Base, typename Derived>
struct Print : berth::WithOptions<Base> {
  using berth::WithOptions<Base>::WithOptions;

  LogicalResult initialize(MLIRContext *context) override {
    const std::string &file = this->targetFile;
    return target.load(*this, context, file, [&](BerthError *error) {
      BerthStatus status = berthInspectOptionsParse(
          wrap(context), this->space.c_str(), this->unknownOps.c_str(),
          this->breakRule.c_str(), &parsed, error);
      parsed.isSilent = !this->print;
      return status;
    });
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, this->getOperation())))
      return this->signalPassFailure();
    berthInspect(wrap(this->getOperation()), Derived::what, &parsed);
    this->template getAnalysis<berth::SaidOfNothing>().note(
        *this, target.getInstance(), this->getOperation(), false,
        {&parsed.collect});
    this->markAllAnalysesPreserved();
  }

  BerthInspectOptions parsed;
  berth::PassTarget target;
};

struct PrintLiveness
    : Print<berth::impl::PrintLivenessBase<PrintLiveness>, PrintLiveness> {
  using Print::Print;
  static constexpr BerthInspection what = BERTH_INSPECT_LIVENESS;
};

struct PrintInterference
    : Print<berth::impl::PrintInterferenceBase<PrintInterference>,
            PrintInterference> {
  using Print::Print;
  static constexpr BerthInspection what = BERTH_INSPECT_INTERFERENCE;
};

} // namespace
