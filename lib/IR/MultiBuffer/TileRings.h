//===- TileRings.h - Which tile a turn has ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles are numbered from 0 on, and in each turn the numbers change places: the
// next turn's tile becomes the turn's own, and that the one of the turn before.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TILERINGS_H
#define BERTH_LIB_IR_MULTIBUFFER_TILERINGS_H

#include "IR/MultiBuffer/TileMoves.h"
#include "IR/Ops/Build.h"

/// The tile that a turn works on, that of the next turn, and that of the turn
/// before; of two the last ones are one.
enum {
  BERTH_TILE_OF_TURN,
  BERTH_TILE_OF_NEXT,
  BERTH_TILE_OF_LAST,
  BERTH_TILE_MOST_SLOTS
};

/// Of two tiles, and of three.
enum { BERTH_TILE_NUM_RINGS = 2, BERTH_TILE_LEAST_SLOTS = 2 };

/// The numbers of so many tiles.
typedef struct BerthTileRing {
  int size; ///< 0: nobody has as many
  MlirValue numbers[BERTH_TILE_MOST_SLOTS];
} BerthTileRing;

typedef struct BerthTileRings {
  BerthTileRing items[BERTH_TILE_NUM_RINGS];
} BerthTileRings;

/// Those of turn 0, of the sizes that are wanted.
BerthTileRings berthTileRingsBuild(const bool hasSize[BERTH_TILE_NUM_RINGS],
                                   BerthInsertPoint at);

/// Makes them those of the next turn.
void berthTileRingsTurn(BerthTileRings *rings);

/// The number of that tile of the move.
MlirValue berthTileNumberOf(const BerthTileRings *rings,
                            const BerthTileMove *move, int which);

#endif // BERTH_LIB_IR_MULTIBUFFER_TILERINGS_H
