//===- FitPass.h - The pass berth-fit, in C ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_FITPASS_H
#define BERTH_LIB_IR_PASSES_FITPASS_H

#include "IR/Fit/FitLevel.h"

BERTH_EXTERN_C_BEGIN

/// Fits all scopes in `root` into each memory in turn, the fastest first. If
/// one cannot be fitted, and has to, nothing is changed; nor if what has become
/// of the program is not right (VerifyContents.h), which is looked at if
/// `verifies`.
BerthStatus berthFitRun(MlirOperation root, const BerthFitLevel *levels,
                        size_t numLevels, bool verifies,
                        BerthFitFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_FITPASS_H
