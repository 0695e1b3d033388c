//===- LateUses.h - What may use buffers behind an op --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op may be behind us and its buffers still be in use:
//
//  - It lets an address go to where no alias is followed: it stores it, hands
//  it
//    to another block of a cluster, or to code that nobody reads. Whoever finds
//    it there may use it at any time.
//  - It goes on: it returns a token or a handle, or runs its regions later. A
//    wait for the token ends that, or for one of a later op that has waited for
//    the token itself.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_LATEUSES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_LATEUSES_H

#include "IR/Verify/Roots/Views.h"

typedef enum BerthLateKind {
  BERTH_LATE_NONE,
  BERTH_LATE_WORK,   ///< the op's own, or that of what it started
  BERTH_LATE_HOLDER, ///< who has the address
  BERTH_LATE_KEEPER  ///< the same, even when the scope has ended
} BerthLateKind;

/// What may be done through operand `operand` behind the op; work: through all.
BerthLateKind berthLateUseOf(const BerthViews *views, MlirOperation op,
                             intptr_t operand);

/// True if the op returns a token or a handle, or runs its regions later; as
/// nobody knows of those that are unknown, unless `unknownEnds`.
bool berthOpGoesOn(MlirOperation op, bool unknownEnds);

/// True if `wait` does not return before all that the op `start` began has
/// ended: it is given its token, or that of an op which awaits this one first.
bool berthEndsWork(MlirOperation wait, MlirOperation start, bool unknownEnds);

/// True if the op goes on, and its own block does not wait for it.
bool berthOutlivesBlock(MlirOperation op, bool unknownEnds);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_LATEUSES_H
