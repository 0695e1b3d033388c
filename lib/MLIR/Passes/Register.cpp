//===- Register.cpp - Registration of Berth's passes ------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MLIR/Facts/Versions.h"
#include "berth-c/Passes.h"
#include "berth/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace berth {
#define GEN_PASS_REGISTRATION
#include "berth/Passes.h.inc"
} // namespace berth

void berth::registerPassesOnce() {
  if (mlir::PassInfo::lookup("berth-print-liveness"))
    return;
  registerBerthPasses();
  registerPipelines();
  registerRemarkOption();
}

void berthRegisterPasses() { berth::registerPassesOnce(); }
