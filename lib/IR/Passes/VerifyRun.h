//===- VerifyRun.h - berth-verify, with all that attributes tell --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_VERIFYRUN_H
#define BERTH_LIB_IR_PASSES_VERIFYRUN_H

#include "IR/Verify/Runs/VerifyOptions.h"
#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// Checks the arenas in `root` (Verify.h). Allocations that have the places of
/// several slots (berth.offsets) are what turns choose from while that goes on;
/// then the code is as it was.
BerthStatus berthVerifyRun(MlirOperation root,
                           const BerthVerifyOptions *options);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_VERIFYRUN_H
