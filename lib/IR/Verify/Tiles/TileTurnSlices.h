//===- TileTurnSlices.h - Which slice moves in which turn ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_TILETURNSLICES_H
#define BERTH_LIB_IR_VERIFY_TILES_TILETURNSLICES_H

#include "IR/Verify/Tiles/TilePair.h"

/// False, and told, unless what moves in the loop follows from its variable of
/// one turn, and what moves around the loop is what that would be there.
bool berthTilePairCheckSlices(BerthTilePair *pair);

#endif // BERTH_LIB_IR_VERIFY_TILES_TILETURNSLICES_H
