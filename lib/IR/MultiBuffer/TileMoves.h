//===- TileMoves.h - Slices that may move beside another turn ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A turn of a loop brings slices into tiles, and takes others out
// (Fit/Tiles.h). What it only reads may come while the turn before is at work,
// and what it only writes may go out while the next one is: if nobody writes
// the one meanwhile, or uses the memory of the other.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TILEMOVES_H
#define BERTH_LIB_IR_MULTIBUFFER_TILEMOVES_H

#include "IR/Fit/FitLevel.h"
#include "IR/Ops/Worklist.h"
#include "IR/Scope/Job.h"

/// A copy in the body of a loop between a slice and a tile.
typedef struct BerthTileMove {
  MlirOperation copy;
  MlirOperation back;  ///< takes out again what `copy` brings; or null
  MlirOperation alloc; ///< of the tile
  MlirOperation free;  ///< of the tile; or null
  MlirValue slice;
  bool isFill; ///< it brings the slice; else it takes it out
  const BerthFitLevel *level;
  int64_t bytes;      ///< of the tile
  const char *reason; ///< why it stays in its turn; NULL: it may move
  MlirOperation reasonAt;
} BerthTileMove;

typedef struct BerthTileMoves {
  BerthTileMove *items;
  size_t count, capacity;
} BerthTileMoves;

/// What moves ahead of its turn, and what moves behind it.
bool berthTileMoveBrings(const BerthTileMove *move);
bool berthTileMoveReturns(const BerthTileMove *move);

/// So many tiles take turns where it moves beside other turns.
int64_t berthTileMoveSlots(const BerthTileMove *move);

/// True if there is any such copy in the loop's body.
bool berthHoldsTileMoves(MlirOperation loop);

/// Those in the body of a scf.for, of levels that have such transfers. The job
/// is of the scope as it is now, in any of its memories.
BerthTileMoves berthFindTileMoves(const BerthJob *job, MlirOperation loop,
                                  const BerthFitLevel *levels,
                                  size_t numLevels);

/// Adds the ops of the turn that the slice of a move is computed by. False: it
/// does not follow from the loop's variable by ops without effects.
bool berthTileMoveNeeds(BerthTileMove *move, BerthWorklist *needed);

#endif // BERTH_LIB_IR_MULTIBUFFER_TILEMOVES_H
