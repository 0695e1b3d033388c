//===- PrintPasses.cpp - berth-print-liveness, -interference -----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shells: they turn options into C and call lib/IR.
//
//===----------------------------------------------------------------------===//

#include "IR/Inspect.h"
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

template <typename Pass>
LogicalResult inspect(Pass &pass, BerthInspection what) {
  BerthInspectOptions options = {what, pass.space.c_str(),
                                 pass.unknownOps.c_str(),
                                 pass.breakRule.c_str()};
  return success(berthInspect(wrap(pass.getOperation()), &options) ==
                 BERTH_SUCCESS);
}

struct PrintLiveness : berth::impl::PrintLivenessBase<PrintLiveness> {
  using PrintLivenessBase::PrintLivenessBase;
  template <typename Pass>
  friend LogicalResult inspect(Pass &pass, BerthInspection what);
  void runOnOperation() override {
    if (failed(inspect(*this, BERTH_INSPECT_LIVENESS)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct PrintInterference
    : berth::impl::PrintInterferenceBase<PrintInterference> {
  using PrintInterferenceBase::PrintInterferenceBase;
  template <typename Pass>
  friend LogicalResult inspect(Pass &pass, BerthInspection what);
  void runOnOperation() override {
    if (failed(inspect(*this, BERTH_INSPECT_INTERFERENCE)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
