//===- TileTurns.h - Slices that come and go beside a turn --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a turn reads comes while the turn before is at work, and what it writes
// goes out while the next one is, each from or to one of two tiles that take
// turns, and what it both reads and writes by one of three:
//
//   for %i = %lb to %ub step %s          turn 0 comes: %a[%lb] -> %x[0]
//     %x = alloc, %y = alloc             turn 1 comes: %a[%lb + %s] -> %x[1]
//     copy %a[%i], %x                    turn 0: exp %x[0] -> %y[0]
//     exp ins(%x) outs(%y)               for %j = %lb + 2 * %s to %ub step %s
//     copy %y, %b[%i]                        (%p = %lb + %s, %q = %lb,
//                                             %this = 1, %next = 0)
//                                          start %y[%next] -> %b[%q]
//                                          start %a[%j] -> %x[%next]
//                                          turn of %p: exp %x[%this] -> ...
//                                          wait for both
//                                          (%j, %p, %next, %this)
//                                        the last turn, without a start of %a
//                                        what it wrote goes out
//
// Starts and waits stand in one block, so tags and tokens are what they are
// elsewhere. Where the number of turns is not known, all of it stands under the
// condition that there are enough.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TILETURNS_H
#define BERTH_LIB_IR_MULTIBUFFER_TILETURNS_H

#include "IR/MultiBuffer/TileMoves.h"

/// Makes the first `count` of these moves, which may all move, go on beside
/// another turn of the loop, which is rewritten and gone then. `allocs`: filled
/// with those of the tiles. The tags are allocated in memory `tagSpace`, and
/// numbers of contents are above `*lastContent`.
void berthBuildTileTurns(MlirOperation loop, MlirOperation scope,
                         BerthTileMove *moves, size_t count,
                         MlirAttribute tagSpace, int64_t *lastContent,
                         const char *breakRule, MlirOperation *allocs);

/// So many turns the loop needs for the first `count` moves: one that is left,
/// and those that stand around it.
int64_t berthTileTurnsNeeded(const BerthTileMove *moves, size_t count);

#endif // BERTH_LIB_IR_MULTIBUFFER_TILETURNS_H
