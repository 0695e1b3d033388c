//===- Slots.h - Slots that the turns of a loop use in turn --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   scf.for %i = %lb to %ub step %s {     copy x(%lb) into slot 0
//     copy x(%i) into %a                  scf.for %i = %lb to %ub step %s {
//     use %a                                %t = (%i - %lb) / %s
//   }                              ->       if there is a turn %t + 1
//                                             copy x(%i + %s) into
//                                                          slot (%t + 1) mod 2
//                                           use slot %t mod 2
//                                         }
//
// With n slots copies are made n - 1 turns ahead: the slot that one goes into
// was last used in the turn before. All numbers are computed without sign, so
// that nothing overflows whatever the bounds are.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_SLOTS_H
#define BERTH_LIB_IR_MULTIBUFFER_SLOTS_H

#include "IR/MultiBuffer/Filled.h"

typedef struct BerthSlotOptions {
  int64_t numSlots; ///< two or more, no more than the loop has turns
  bool movesAhead;  ///< copies are made ahead
  const char *breakRule;
} BerthSlotOptions;

/// Gives a buffer its slots, or several that transfers fill in the turns of one
/// loop. `slots` is their allocation then, and `fill` the copy in the loop. The
/// job's analysis is of no use afterwards.
void berthBuildSlots(BerthFilled *filled, size_t count,
                     const BerthSlotOptions *options);

#endif // BERTH_LIB_IR_MULTIBUFFER_SLOTS_H
