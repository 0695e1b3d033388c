//===- LoadRings.h - TMA loads that end with a loop ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a buffer in slots, each of which has an mbarrier, the verifier's own proof
// that no load into it goes on behind a loop: each load is for a turn that
// comes, and each turn waits for the mbarrier of its slot and touches bytes of
// that, which it could not do beside the load:
//
//     turn t: load slot (t + n), mbarrier (t + n), only if there is such a turn
//             wait for mbarrier t
//             touch slot t
//             barrier                  then nobody touches what has been loaded
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_LOADRINGS_H
#define BERTH_LIB_IR_VERIFY_THREADS_LOADRINGS_H

#include "IR/Verify/Roots/RootSets.h"

typedef struct BerthLoadRing {
  MlirOperation loop; ///< null: there is none
  MlirOperation
      proof; ///< in its body: behind it the load of the turn has ended
} BerthLoadRing;

/// Of all loads into the root that the scope starts.
BerthLoadRing berthLoadRingOf(const BerthViews *views, MlirOperation scope,
                              uint32_t root);

#endif // BERTH_LIB_IR_VERIFY_THREADS_LOADRINGS_H
