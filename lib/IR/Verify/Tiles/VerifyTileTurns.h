//===- VerifyTileTurns.h - Tiles that turns of a loop take --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tiles, of which a turn of a loop works on one, while the slice of another
// turn comes into the other one, or goes out from it:
//
//   %p = alloc {berth.tile = 1, berth.tile_turns}
//   ...                                 what the first turn needs has come, or
//                                       what the turn before it wrote is there
//   for %j iter_args(%q = .., %here = 1, %there = 0)
//     start %p[%there] -> %b[%q]
//     ... %p[%here] ...
//     wait
//     yield %j, %there, %here
//   start %p[%there'] -> %b[%q'], wait
//
// What is read and written comes and goes, by three tiles (TileUpdates.h):
//
//   for %j iter_args(%q = .., %here = 1, %next = 2, %before = 0)
//     start %p[%before] -> %b[%q]
//     start %b[%j] -> %p[%next]
//     ... %p[%here] ...
//     wait for both
//     yield %j, .., %next, %before, %here
//
// What has to be so: the numbers are those from 0 on and change places in each
// turn; a turn touches its own tile only; each tile is filled, used, written
// and taken out in an order that is right whatever the number of turns; what
// moves is the slice of the turn next to it; and nobody else has to do with the
// content meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_VERIFYTILETURNS_H
#define BERTH_LIB_IR_VERIFY_TILES_VERIFYTILETURNS_H

#include "IR/Verify/Tiles/TileCheck.h"

/// Checks the tiles of that root, and tells of what is wrong.
void berthVerifyTileTurns(BerthTiles *tiles, uint32_t root);

#endif // BERTH_LIB_IR_VERIFY_TILES_VERIFYTILETURNS_H
