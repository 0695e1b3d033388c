//===- TileCheck.c - What is known while tiles are checked ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Tiles/TileCheck.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Verify/Roots/Marks.h"
#include "IR/Verify/Roots/Moves.h"

void berthTileFail(BerthTiles *tiles, MlirOperation op, const char *what,
                   MlirOperation alloc) {
  static const char note[] = "the tile is made here";
  berthEmitError(op, what, alloc, note);
  ++tiles->numErrors;
}

MlirAttribute berthTileNumber(MlirOperation op) {
  return berthMarkNumber(berthAttributeOf(op, BERTH_TILE), 0);
}

size_t berthTileContent(const BerthContents *contents, MlirAttribute number) {
  size_t content = mlirAttributeIsNull(number)
                       ? BERTH_NOT_FOUND
                       : berthPointerMapFind(&contents->indexOf, number.ptr);
  bool isHere = content != BERTH_NOT_FOUND &&
                contents->items[content].layer == contents->layer;
  return isHere ? content : BERTH_NOT_FOUND;
}

bool berthTileIsSlice(const BerthContents *contents, size_t index,
                      MlirValue value, bool isFill) {
  const BerthContent *content = &contents->items[index];
  MlirValue behind = berthValueBehindViews(value);
  bool mayBePlaced = !content->isComplete && mlirValueIsAOpResult(behind) &&
                     mlirAttributeIsNull(berthPlaceContent(behind));
  return berthPlaceOf(value, content->number) >= 0 || mayBePlaced ||
         (isFill && !mlirValueIsNull(content->source) &&
          mlirValueEqual(behind, berthValueBehindViews(content->source)));
}

/// A described copy has no sizes but those of its memory.
bool berthTileMovesAll(MlirOperation op) {
  BerthDma dma;
  return berthOpGetDma(op, &dma) ? berthDmaMovesAll(op) : berthMoveIsWhole(op);
}

bool berthTileIsUsed(const BerthTiles *tiles, MlirOperation op, uint32_t root) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (berthRootSetHas(
            berthViewsFind(&tiles->views, mlirOperationGetOperand(op, i)),
            root))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Beside a tile
//===----------------------------------------------------------------------===//

typedef struct BesideSearch {
  const BerthTileBeside *beside;
  bool touches;
} BesideSearch;

static void noteSpoilt(size_t content, void *userData) {
  BesideSearch *search = userData;
  search->touches |= content == search->beside->content;
}

bool berthTileIsTouchedBeside(BerthTiles *tiles, const BerthTileBeside *beside,
                              MlirOperation op) {
  const BerthContents *contents = tiles->contents;
  BesideSearch search = {beside, false};
  size_t moved;
  berthRootAccessesOf(&tiles->accesses, &contents->views, op, false);
  for (size_t i = 0; i < tiles->accesses.count; ++i) {
    const BerthRootAccess *access = &tiles->accesses.items[i];
    search.touches |= contents->contentOf[access->root] == beside->content &&
                      (access->writes || beside->isWritten);
  }
  // Another tile is as good as what it is a slice of, to others than those that
  // bring it from there and back.
  MlirAttribute number = berthTileMoveNumber(op);
  bool isCopy = !mlirAttributeIsNull(number) &&
                mlirAttributeEqual(number, beside->number);
  berthRootAccessesOf(&tiles->accesses, &tiles->views, op, false);
  for (size_t i = 0; i < tiles->accesses.count && !isCopy; ++i) {
    const BerthRootAccess *access = &tiles->accesses.items[i];
    search.touches |=
        access->root != beside->root &&
        mlirAttributeEqual(berthTileNumber(tiles->allocs[access->root]),
                           beside->number) &&
        (access->writes || beside->isWritten);
  }
  if (berthContentsIsMove(contents, op, &moved))
    search.touches |= moved == beside->content && beside->isWritten;
  berthContentsForEachSpoilt(contents, op, noteSpoilt, &search);
  return search.touches;
}
