//===- TileRings.c - Which tile a turn has --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MultiBuffer/TileRings.h"

BerthTileRings berthTileRingsBuild(const bool hasSize[BERTH_TILE_NUM_RINGS],
                                   BerthInsertPoint at) {
  BerthTileRings rings = {0};
  MlirValue numbers[BERTH_TILE_MOST_SLOTS];
  int most = BERTH_TILE_LEAST_SLOTS + hasSize[BERTH_TILE_NUM_RINGS - 1];
  for (int i = 0; i < most; ++i)
    numbers[i] = berthBuildIndex(at, i);
  for (int k = 0; k < BERTH_TILE_NUM_RINGS; ++k) {
    BerthTileRing *ring = &rings.items[k];
    ring->size = hasSize[k] ? k + BERTH_TILE_LEAST_SLOTS : 0;
    for (int i = 0; i < ring->size; ++i)
      ring->numbers[i] = numbers[i];
  }
  return rings;
}

void berthTileRingsTurn(BerthTileRings *rings) {
  const BerthTileRings before = *rings;
  for (int k = 0; k < BERTH_TILE_NUM_RINGS; ++k) {
    const BerthTileRing *ring = &before.items[k];
    for (int i = 0; i < ring->size; ++i)
      rings->items[k].numbers[i] = ring->numbers[(i + 1) % ring->size];
  }
}

MlirValue berthTileNumberOf(const BerthTileRings *rings,
                            const BerthTileMove *move, int which) {
  const BerthTileRing *ring =
      &rings->items[berthTileMoveSlots(move) - BERTH_TILE_LEAST_SLOTS];
  return ring->numbers[which < ring->size ? which : ring->size - 1];
}
