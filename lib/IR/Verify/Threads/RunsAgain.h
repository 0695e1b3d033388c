//===- RunsAgain.h - Functions that run again -------------- C ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_RUNSAGAIN_H
#define BERTH_LIB_IR_VERIFY_THREADS_RUNSAGAIN_H

#include "IR/Verify/Threads/Phases.h"

/// True if the function may be run again with no barrier since its last run, or
/// if it may have callers that nobody sees.
bool berthMayRunAgain(BerthPhaseTable *table, MlirOperation function);

#endif // BERTH_LIB_IR_VERIFY_THREADS_RUNSAGAIN_H
