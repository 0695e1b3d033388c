//===- TileUpdates.h - Tiles that come, and go back ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that a turn reads and writes comes while the turn before is at work,
// and goes back while the next one is. So its slice has to be the one that it
// was brought from, and to be apart from those of the turns around it: they
// bring theirs while what this one writes is in the tile alone.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_TILEUPDATES_H
#define BERTH_LIB_IR_VERIFY_TILES_TILEUPDATES_H

#include "IR/Verify/Tiles/TilePair.h"

/// True if what is computed in the loop from what it carries is what is
/// computed, in the turn so many turns before, from its variable.
typedef bool (*BerthFollowsVariable)(const BerthTurnLoop *loop,
                                     intptr_t carried);

/// False, and told, unless `returned` in a turn is what `brought` was two turns
/// before. `isSecond`: tells which numbers the loop carries are its variable of
/// then.
bool berthTileUpdatesGoBack(BerthTilePair *pair,
                            const BerthTilePairMove *brought,
                            const BerthTilePairMove *returned,
                            BerthFollowsVariable isSecond);

/// False, and told, unless what three turns in a row bring lies apart.
bool berthTileUpdatesAreApart(BerthTilePair *pair,
                              const BerthTilePairMove *brought);

/// The same of moves one after the other, without a loop.
bool berthTileUpdatesAreInOrder(BerthTilePair *pair);

#endif // BERTH_LIB_IR_VERIFY_TILES_TILEUPDATES_H
