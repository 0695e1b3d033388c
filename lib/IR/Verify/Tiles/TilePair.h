//===- TilePair.h - Tiles, and the loop whose turns take them ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_TILEPAIR_H
#define BERTH_LIB_IR_VERIFY_TILES_TILEPAIR_H

#include "IR/Ops/PointerMap.h"
#include "IR/Verify/Roots/Moves.h"
#include "IR/Verify/Tiles/TileCheck.h"
#include "IR/Verify/Turns/TurnForms.h"

/// A view of one of them, or of a part of it.
typedef struct BerthTileHalfView {
  MlirValue value;
  MlirValue number; ///< null: `constant`
  int64_t constant;
  bool isWhole;
} BerthTileHalfView;

/// Where an op stands, which tells what numbers mean.
typedef enum BerthTileWhere {
  BERTH_TILE_BEFORE,
  BERTH_TILE_IN,
  BERTH_TILE_BEHIND
} BerthTileWhere;

/// In turns: the tile of the turn, that of the next one, and that of the turn
/// before, which of two is the next one's. Elsewhere the ones that the first
/// turn has so, or would have had next.
enum { BERTH_TILE_HERE, BERTH_TILE_NEXT, BERTH_MOST_TILES = 3 };

/// A move from or to one of them.
typedef struct BerthTilePairMove {
  MlirOperation op; ///< a copy, or a start
  BerthTileWhere where;
  int half;
  bool isFill;
  MlirValue slice;
} BerthTilePairMove;

typedef struct BerthTilePair {
  BerthTiles *tiles;
  uint32_t root;
  MlirAttribute number;
  size_t content;
  MlirOperation alloc;
  BerthTileHalfView *views;
  size_t numViews, viewCapacity;
  BerthPointerMap viewOf; ///< value -> index in `views`
  MlirBlock block;        ///< in which all happens, but for the loop's turns
  BerthTurnLoop loop;     ///< or none
  int count;              ///< of the tiles: 2, or 3 if `isUpdated`
  bool hasNumbers;
  /// The loop's numbers of them, as what it carries.
  intptr_t numbers[BERTH_MOST_TILES];
  int64_t initial[BERTH_MOST_TILES];
  BerthTilePairMove *moves;
  size_t numMoves, moveCapacity;
  bool isReturned; ///< what turns write; else what they read is brought
  bool isUpdated;  ///< what is brought is returned again
  bool isWrong;    ///< and told
  bool isLost;     ///< nobody can tell any more when a transfer ends
} BerthTilePair;

/// Tells of it, unless something was told of the pair before. False.
bool berthTilePairFail(BerthTilePair *pair, MlirOperation op, const char *what);

/// The pair of a root. False, and told, unless its loop takes them one after
/// the other; or `isLost`. Ends with berthTilePairFree.
bool berthTilePairFind(BerthTilePair *pair, BerthTiles *tiles, uint32_t root);
void berthTilePairFree(BerthTilePair *pair);

/// What a loop hands on: with what it begins, what its turns yield; and the
/// number that a value in a turn has there, or -1. The value may be null.
MlirValue berthTilePairInitial(const BerthTurnLoop *loop, intptr_t carried);
MlirValue berthTilePairYielded(const BerthTurnLoop *loop, intptr_t carried);
intptr_t berthTilePairCarried(const BerthTurnLoop *loop, MlirValue value);

/// The tile of the turn before.
int berthTilePairLast(const BerthTilePair *pair);

/// The half that the view shows, or -1.
int berthTilePairHalf(const BerthTilePair *pair, const BerthTileHalfView *view,
                      BerthTileWhere where);

/// What a marked op does between one of the two and `*slice`; `*view`: of that.
BerthMoveKind berthTilePairGetMove(const BerthTilePair *pair, MlirOperation op,
                                   bool *isFill, const BerthTileHalfView **view,
                                   MlirValue *slice);

BerthTileWhere berthTilePairWhere(const BerthTilePair *pair, MlirOperation op);

extern const char berthTilePairNoTurns[];

#endif // BERTH_LIB_IR_VERIFY_TILES_TILEPAIR_H
