//===- FindPhases.h - The phases of functions with bodies C ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_FINDPHASES_H
#define BERTH_LIB_IR_VERIFY_THREADS_FINDPHASES_H

#include "IR/Verify/Threads/Phases.h"

/// An empty table that looks into the functions inside `root`.
BerthPhaseTable berthPhasesIn(MlirOperation root, BerthCallees *callees,
                              const BerthVerifyOptions *options);

#endif // BERTH_LIB_IR_VERIFY_THREADS_FINDPHASES_H
