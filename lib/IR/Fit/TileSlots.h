//===- TileSlots.h - Tiles that are brought a turn ahead ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What brings a tile in each turn of a loop may become a transfer that the turn
// before starts, with two tiles that take turns: that is what
// berth-multi-buffer makes of a start and a wait in the turn. So each such copy
// becomes these two, is offered, and is the copy again where it got no slots.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_TILESLOTS_H
#define BERTH_LIB_IR_FIT_TILESLOTS_H

#include "IR/Fit/FitLevel.h"

/// How many of the scope's copies are offered now: those into tiles, in bodies
/// of loops of whose ops none tells of places of content, which would stand a
/// second time behind the loop.
size_t berthFitOfferTiles(MlirOperation scope, const BerthFitLevel *levels,
                          size_t numLevels, MlirAttribute tagSpace);

/// Ends the offers of the scope.
void berthFitSettleTiles(MlirOperation scope);

#endif // BERTH_LIB_IR_FIT_TILESLOTS_H
