//===- VerifyPass.cpp - berth-verify -------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell around IR/Verify.h.
//
//===----------------------------------------------------------------------===//

#include "IR/Verify.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"

#include <vector>

namespace berth {
#define GEN_PASS_DEF_VERIFY
#include "berth/Passes.h.inc"
} // namespace berth

namespace {

struct Verify : berth::impl::VerifyBase<Verify> {
  using VerifyBase::VerifyBase;

  void runOnOperation() override {
    std::vector<const char *> names;
    for (const std::string &name : kernels)
      names.push_back(name.c_str());
    BerthVerifyOptions options = {threads, names.size(), names.data()};
    if (berthVerifyArenas(wrap(getOperation()), &options) != BERTH_SUCCESS)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
