//===- TileTurnCount.h - Turns that run outside of their loop ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Around a loop whose turns take tiles one or two of its turns stand by
// themselves: the last of them is the one before the first that the loop
// itself runs. In a program whose loop has fewer turns they may not run.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_TILETURNCOUNT_H
#define BERTH_LIB_IR_VERIFY_TILES_TILETURNCOUNT_H

#include "IR/Verify/Tiles/TilePair.h"

/// True if constants say that the turn before the loop's first is one, or a
/// condition around the loop does.
bool berthTileTurnsAreThere(const BerthTilePair *pair);

#endif // BERTH_LIB_IR_VERIFY_TILES_TILETURNCOUNT_H
