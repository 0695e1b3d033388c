//===- Steady.h - Loads between barriers, for the verifier -- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load of shared memory finds the same in all threads that come to it between
// the same barriers, if none of them writes these bytes there, through whatever
// buffer. So the ops of the scope are made a graph; from the load it is gone
// through to the next barriers, and back to the last ones, and no op on the way
// may write bytes of the buffer that is read.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_STEADY_H
#define BERTH_LIB_IR_VERIFY_THREADS_STEADY_H

#include "IR/Verify/Roots/Views.h"
#include "IR/Verify/Runs/SteadyLoads.h"

/// Loads that are steady if all threads come to them and to their barriers.
/// `isShared`, per root: threads share its memory.
BerthSteadyLoads berthFindSteadyLoads(const BerthViews *views,
                                      const bool *isShared,
                                      MlirOperation scope);
#endif // BERTH_LIB_IR_VERIFY_THREADS_STEADY_H
