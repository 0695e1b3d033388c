//===- LoadLoops.h - Loops whose turns load tiles by TMA ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread starts a load, and an mbarrier tells all of its end:
//
//   init %m[0], 1
//   barrier
//   scf.for %i ... {
//     arrive.expect_tx %m[0], bytes         one more phase of %m
//     tma.async.load ... %m[0] to %a
//     try_wait.parity %m[0], parity         until that phase is over
//     use %a
//     barrier                               all threads have used %a
//   }
//
// Turn t has phase t of the mbarrier. With n slots and an mbarrier for each, it
// has phase t / n of number t mod n. So nobody else may use the mbarrier, each
// turn has to arrive there and load as the others do, and the wait has to be
// for the phase of its turn.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_LOADLOOPS_H
#define BERTH_LIB_IR_MULTIBUFFER_LOADLOOPS_H

#include "IR/MultiBuffer/TurnUses.h"

/// An mbarrier that loads of the loop tell their end to.
typedef struct BerthLoadGroup {
  MlirValue value;
  MlirOperation init; ///< in front of the loop
  MlirOperation wait; ///< in the body
} BerthLoadGroup;

typedef struct BerthLoadLoop {
  BerthOpList moved; ///< all loads, and what arrives for them, in order; they
                     ///< stand in the body
  size_t numGroups, groupCapacity;
  BerthLoadGroup *groups;
  const char *reason; ///< why its loads cannot move; NULL: they may
  MlirOperation at;   ///< the op that forbids it
} BerthLoadLoop;

BerthLoadLoop berthLoadLoopOf(MlirOperation loop);
void berthLoadLoopFree(BerthLoadLoop *loop);

/// Of a buffer that such loads fill: whether it may have slots, or why not.
bool berthMayHaveLoadSlots(const BerthJob *job, bool movesAhead,
                           BerthFilled *filled);

/// Of such buffers: those get none of whose loop another load does not go into
/// one that gets some.
void berthLeaveMixedLoads(BerthFilled *list, size_t count);

#endif // BERTH_LIB_IR_MULTIBUFFER_LOADLOOPS_H
