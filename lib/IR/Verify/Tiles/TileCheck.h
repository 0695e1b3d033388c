//===- TileCheck.h - What is known while tiles are checked --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_TILECHECK_H
#define BERTH_LIB_IR_VERIFY_TILES_TILECHECK_H

#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/Contents.h"

/// All tiles of a layer, a root for each.
typedef struct BerthTiles {
  const BerthContents *contents;
  MlirOperation function;
  size_t count, capacity;
  MlirOperation *allocs;
  BerthViews views;
  BerthRootAccesses accesses;
  size_t numErrors;
} BerthTiles;

/// Tells of it; `alloc` makes the tile.
void berthTileFail(BerthTiles *tiles, MlirOperation op, const char *what,
                   MlirOperation alloc);

/// The number of the content that the op has a tile of, or null.
MlirAttribute berthTileNumber(MlirOperation op);

/// The content of the layer that the number stands for, or BERTH_NOT_FOUND.
size_t berthTileContent(const BerthContents *contents, MlirAttribute number);

/// True for a part of a place of the content, or of what it was copied from; or
/// of what some pass may have put in the place of one.
bool berthTileIsSlice(const BerthContents *contents, size_t content,
                      MlirValue value, bool isFill);

/// True if the copy or the start moves all of what it is given.
bool berthTileMovesAll(MlirOperation op);

/// True if the tile leads to an operand.
bool berthTileIsUsed(const BerthTiles *tiles, MlirOperation op, uint32_t root);

/// A tile that holds a slice, or what has to be taken there.
typedef struct BerthTileBeside {
  uint32_t root;
  size_t content;
  MlirAttribute number;
  bool isWritten; ///< since the slice held the same
} BerthTileBeside;

/// True if the op by itself writes to the content elsewhere, be it to another
/// tile, or reads there what was written to the tile.
bool berthTileIsTouchedBeside(BerthTiles *tiles, const BerthTileBeside *beside,
                              MlirOperation op);

#endif // BERTH_LIB_IR_VERIFY_TILES_TILECHECK_H
