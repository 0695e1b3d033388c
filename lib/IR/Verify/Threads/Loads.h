//===- Loads.h - What shows that a TMA load has ended --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TMA load into a buffer has ended for a thread that has waited for the
// load's mbarrier and then touches bytes that were loaded: it would race with
// the load otherwise, in its own buffer. The wait alone may be for an earlier
// phase.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_LOADS_H
#define BERTH_LIB_IR_VERIFY_THREADS_LOADS_H

#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Threads/LoadRings.h"

/// The TMA loads into one root.
typedef struct BerthRootLoads {
  MlirOperation first; ///< one of them; null: there is none
  bool leaveBytes;     ///< one may fill less than all of the root
  bool differ;         ///< two may tell their end to different mbarriers
  BerthLoadRing ring;  ///< the loop that they end with
} BerthRootLoads;

/// By root; to be freed with free().
BerthRootLoads *berthRootLoadsOf(const BerthViews *views, MlirOperation scope);

/// True if the op waits for the mbarrier of all these loads.
bool berthWaitsForLoads(const BerthRootLoads *loads, MlirOperation op);

/// True if the access surely touches bytes of each of these loads.
bool berthMeetsLoads(const BerthRootLoads *loads, const BerthViews *views,
                     const BerthRootAccess *access);

#endif // BERTH_LIB_IR_VERIFY_THREADS_LOADS_H
