//===- VerifyTiles.c - Slices that tiles hold -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/VerifyTiles.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Access.h"
#include "IR/Verify/Roots/Apart.h"
#include "IR/Verify/Roots/Marks.h"
#include "IR/Verify/Roots/Moves.h"
#include "IR/Verify/Slots/SlotUses.h"
#include "IR/Verify/Tiles/TileCheck.h"
#include "IR/Verify/Tiles/VerifyTileTurns.h"

#include <stdlib.h>

/// One of them, on the way through its block.
typedef struct Tile {
  uint32_t root;
  MlirAttribute number;
  size_t content;
  MlirValue value;
  MlirOperation alloc;
  MlirOperation last;  ///< the last op that uses it, but for those that free it
  MlirValue slice;     ///< or null, as long as nothing tells
  bool holds;          ///< all of the slice
  bool isWritten;      ///< since the slice held the same
  MlirOperation start; ///< of the transfer under way; or null
  bool isFilling;      ///< it is to the tile
  bool isLost;         ///< nobody can tell any more when one ends
} Tile;

static bool isUnderWay(const Tile *tile) {
  return !mlirOperationIsNull(tile->start);
}

static void fail(BerthTiles *tiles, MlirOperation op, const char *what,
                 const Tile *tile) {
  berthTileFail(tiles, op, what, tile->alloc);
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

static MlirWalkResult collectTile(MlirOperation op, void *userData) {
  BerthTiles *tiles = userData;
  if (mlirOperationEqual(op, tiles->function))
    return MlirWalkResultAdvance;
  if (berthOpIsFunction(op))
    return MlirWalkResultSkip;
  if (!berthOpIsPlainAllocation(op) ||
      !mlirAttributeIsNull(berthAttributeOf(op, BERTH_SLOTS)) ||
      berthTileContent(tiles->contents, berthTileNumber(op)) == BERTH_NOT_FOUND)
    return MlirWalkResultAdvance;
  tiles->allocs = berthGrow(tiles->allocs, tiles->count, &tiles->capacity,
                            sizeof *tiles->allocs);
  tiles->allocs[tiles->count++] = op;
  return MlirWalkResultAdvance;
}

static void findViews(BerthTiles *tiles, BerthCallees *callees,
                      BerthMemory *memory) {
  BerthRoot *roots = BERTH_NEW(memory, BerthRoot, tiles->count);
  BerthRootValue *values = BERTH_NEW(memory, BerthRootValue, tiles->count);
  for (size_t i = 0; i < tiles->count; ++i) {
    MlirValue value = mlirOperationGetResult(tiles->allocs[i], 0);
    BerthTypeSize size;
    bool isSized = berthMemRefGetSize(mlirValueGetType(value), tiles->allocs[i],
                                      &size) == BERTH_SIZE_OK;
    roots[i] = (BerthRoot){.arena = value,
                           .upper = isSized ? size.bytes : INT64_MAX,
                           .instanceOf = BERTH_NO_ROOT,
                           .mergedFrom = BERTH_NO_ROOT};
    values[i] = (BerthRootValue){value, (uint32_t)i};
  }
  tiles->views = berthViewsOfValues(roots, tiles->count, values, tiles->count,
                                    callees, memory);
}

//===----------------------------------------------------------------------===//
// Copies of slices
//===----------------------------------------------------------------------===//

/// What a marked op does between all of the tile and `*slice`.
static BerthMoveKind tileMove(const Tile *tile, MlirOperation op, bool *isFill,
                              MlirValue *slice) {
  MlirValue from, to;
  MlirAttribute number = berthTileMoveNumber(op);
  BerthMoveKind kind =
      mlirAttributeIsNull(number) || !mlirAttributeEqual(number, tile->number)
          ? BERTH_MOVE_NONE
          : berthGetMove(op, &from, &to);
  if (kind == BERTH_MOVE_NONE)
    return kind;
  *isFill = mlirValueEqual(to, tile->value);
  *slice = *isFill ? from : to;
  return *isFill || mlirValueEqual(from, tile->value) ? kind : BERTH_MOVE_NONE;
}

/// A copy, or the start of a transfer.
static void beginMove(BerthTiles *tiles, Tile *tile, MlirOperation op,
                      bool isFill, MlirValue slice) {
  if (!berthTileIsSlice(tiles->contents, tile->content, slice, isFill) ||
      !berthTileMovesAll(op))
    fail(tiles, op, "moves between a tile and what is no slice of its content",
         tile);
  else if (!mlirValueIsNull(tile->slice) && !berthIsOnePart(tile->slice, slice))
    fail(tiles, op, "takes a tile to another slice than it was brought from",
         tile);
  tile->slice = slice;
  if (!isFill && !tile->holds)
    fail(tiles, op, "uses a tile that may not hold its slice", tile);
  if (isFill && tile->isWritten)
    fail(tiles, op, "loses what was written to a tile", tile);
  if (isUnderWay(tile))
    fail(tiles, op, "moves a tile that a transfer still uses", tile);
  // Until it has all come, it holds anything; and until all has been taken, it
  // alone does.
  tile->holds = !isFill;
  tile->isWritten = !isFill;
  tile->start = op;
  tile->isFilling = isFill;
}

static void endMove(Tile *tile) {
  tile->holds = true;
  tile->isWritten = false;
  tile->start = (MlirOperation){NULL};
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

typedef struct Use {
  const BerthTiles *tiles;
  uint32_t root;
  bool found;
} Use;

static MlirWalkResult lookForUse(MlirOperation op, void *userData) {
  Use *use = userData;
  use->found = !berthOpIsFree(op) && berthTileIsUsed(use->tiles, op, use->root);
  return use->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool usesInside(const BerthTiles *tiles, MlirOperation op,
                       uint32_t root) {
  Use use = {tiles, root, false};
  mlirOperationWalk(op, lookForUse, &use, MlirWalkPreOrder);
  return use.found;
}

typedef struct Start {
  const BerthTiles *tiles;
  uint32_t root;
  bool found;
  bool isLost; ///< some pass has put something in the place of its tag
} Start;

static MlirWalkResult lookForStart(MlirOperation op, void *userData) {
  Start *start = userData;
  start->found =
      berthIsStart(op) && berthTileIsUsed(start->tiles, op, start->root);
  BerthDma dma;
  start->isLost = start->found && berthOpGetDma(op, &dma) &&
                  !berthIsFreshMemory(mlirOperationGetOperand(op, dma.tag));
  return start->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Looks for a transfer from or to the tile that the op, or one in it, begins.
static Start findStart(const BerthTiles *tiles, MlirOperation op,
                       uint32_t root) {
  Start start = {tiles, root, false, false};
  mlirOperationWalk(op, lookForStart, &start, MlirWalkPreOrder);
  return start;
}

/// What the op, or one in it, does to the tile.
static void useTile(BerthTiles *tiles, Tile *tile, MlirOperation op) {
  bool reads = false, writes = false, overwrites = false, isLost = false;
  berthRootAccessesOf(&tiles->accesses, &tiles->views, op, true);
  for (size_t i = 0; i < tiles->accesses.count; ++i) {
    const BerthRootAccess *access = &tiles->accesses.items[i];
    if (access->root != tile->root)
      continue;
    isLost |= access->isHandedOn;
    reads |= access->reads;
    writes |= access->writes;
    overwrites |= access->overwrites && access->isWhole;
  }
  if (isLost)
    fail(tiles, op, "uses a tile outside of the block that made it", tile);
  Start start = findStart(tiles, op, tile->root);
  tile->isLost = start.isLost;
  if (start.found && !start.isLost)
    fail(tiles, op, "starts a transfer of a tile that nothing surely ends",
         tile);
  if (tile->isLost)
    return;
  if (isUnderWay(tile) && (writes || (reads && tile->isFilling))) {
    fail(tiles, op, "touches a tile that a transfer still uses", tile);
    return;
  }
  if (!tile->holds && (reads || (writes && !overwrites)))
    fail(tiles, op, "uses a tile that may not hold its slice", tile);
  tile->holds |= reads || writes;
  tile->isWritten |= writes;
}

typedef struct Passing {
  BerthTiles *tiles;
  BerthTileBeside beside;
  bool touches;
} Passing;

static MlirWalkResult passNested(MlirOperation op, void *userData) {
  Passing *passing = userData;
  passing->touches |=
      berthTileIsTouchedBeside(passing->tiles, &passing->beside, op);
  return MlirWalkResultAdvance;
}

static void passBy(BerthTiles *tiles, const Tile *tile, MlirOperation op) {
  Passing passing = {.tiles = tiles,
                     .beside = {.root = tile->root,
                                .content = tile->content,
                                .number = tile->number,
                                .isWritten = tile->isWritten}};
  mlirOperationWalk(op, passNested, &passing, MlirWalkPreOrder);
  if (passing.touches)
    fail(tiles, op, "touches a slice that a tile holds", tile);
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

/// True if all that leads to the tile is used in runs of its block.
static bool staysIn(MlirValue value, MlirBlock block) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(berthTopInBlock(op, block)))
      return false;
    MlirValue viewed = berthViewGetSource(op);
    if (!mlirValueIsNull(viewed) && mlirValueEqual(viewed, value) &&
        !staysIn(mlirOperationGetResult(op, 0), block))
      return false;
  }
  return true;
}

static bool frees(const BerthTiles *tiles, const Tile *tile, MlirOperation op) {
  return berthOpIsFree(op) && berthTileIsUsed(tiles, op, tile->root);
}

static void endTile(BerthTiles *tiles, const Tile *tile, MlirOperation op) {
  if (isUnderWay(tile))
    fail(tiles, op, "ends a tile that a transfer still uses", tile);
  else if (tile->isWritten)
    fail(tiles, op, "loses what was written to a tile", tile);
}

/// `isOpen`: some op still uses the tile.
static void passOp(BerthTiles *tiles, Tile *tile, MlirOperation op,
                   bool isOpen) {
  MlirValue slice;
  bool isFill;
  BerthMoveKind kind = tileMove(tile, op, &isFill, &slice);
  if (kind == BERTH_MOVE_COPY || kind == BERTH_MOVE_START)
    beginMove(tiles, tile, op, isFill, slice);
  if (kind == BERTH_MOVE_COPY || kind == BERTH_MOVE_WAIT) {
    endMove(tile);
  } else if (kind == BERTH_MOVE_NONE) {
    useTile(tiles, tile, op);
    if (!tile->isLost && ((isOpen && tile->holds) || isUnderWay(tile)))
      passBy(tiles, tile, op);
  }
}

static void checkTile(BerthTiles *tiles, Tile *tile) {
  MlirOperation op = tile->alloc;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (usesInside(tiles, op, tile->root))
      tile->last = op;
  bool isOpen = true;
  for (op = mlirOperationGetNextInBlock(tile->alloc); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (frees(tiles, tile, op) ||
        mlirOperationIsNull(mlirOperationGetNextInBlock(op))) {
      endTile(tiles, tile, op);
      return;
    }
    passOp(tiles, tile, op, isOpen);
    if (tile->isLost)
      return;
    isOpen &=
        mlirOperationIsNull(tile->last) || !mlirOperationEqual(op, tile->last);
  }
}

//===----------------------------------------------------------------------===//
// Slots of tiles
//===----------------------------------------------------------------------===//

/// What is copied to slots that were tiles of the layer is a slice of their
/// content. Which of them, and when, is for Slots/Slots.h to say.
static MlirWalkResult checkSlotFill(MlirOperation op, void *userData) {
  BerthTiles *tiles = userData;
  MlirValue from, to;
  BerthMoveKind kind = berthGetMove(op, &from, &to);
  if (kind != BERTH_MOVE_COPY && kind != BERTH_MOVE_START)
    return MlirWalkResultAdvance;
  MlirValue slots = berthValueBehindViews(to);
  if (!mlirValueIsAOpResult(slots))
    return MlirWalkResultAdvance;
  MlirOperation alloc = mlirOpResultGetOwner(slots);
  Tile tile = {.number = berthTileNumber(alloc), .alloc = alloc};
  tile.content = berthTileContent(tiles->contents, tile.number);
  if (mlirAttributeIsNull(berthAttributeOf(alloc, BERTH_SLOTS)) ||
      tile.content == BERTH_NOT_FOUND)
    return MlirWalkResultAdvance;
  if (!berthTileIsSlice(tiles->contents, tile.content, from, true) ||
      !berthTileMovesAll(op))
    fail(tiles, op, "moves between a tile and what is no slice of its content",
         &tile);
  return MlirWalkResultAdvance;
}

size_t berthVerifyTiles(const BerthContents *contents, MlirOperation function,
                        BerthCallees *callees, BerthMemory *memory) {
  BerthTiles tiles = {.contents = contents, .function = function};
  mlirOperationWalk(function, collectTile, &tiles, MlirWalkPreOrder);
  mlirOperationWalk(function, checkSlotFill, &tiles, MlirWalkPreOrder);
  if (tiles.count == 0)
    return tiles.numErrors;
  findViews(&tiles, callees, memory);
  for (size_t i = 0; i < tiles.count; ++i) {
    MlirAttribute number = berthTileNumber(tiles.allocs[i]);
    Tile tile = {.root = (uint32_t)i,
                 .number = number,
                 .content = berthTileContent(contents, number),
                 .value = mlirOperationGetResult(tiles.allocs[i], 0),
                 .alloc = tiles.allocs[i]};
    if (!mlirAttributeIsNull(berthAttributeOf(tile.alloc, BERTH_TILE_TURNS)))
      berthVerifyTileTurns(&tiles, (uint32_t)i);
    else if (staysIn(tile.value, mlirOperationGetBlock(tile.alloc)))
      checkTile(&tiles, &tile);
    else
      fail(&tiles, tile.alloc, "uses a tile outside of the block that made it",
           &tile);
  }
  berthRootAccessesFree(&tiles.accesses);
  berthViewsFree(&tiles.views);
  free(tiles.allocs);
  return tiles.numErrors;
}
