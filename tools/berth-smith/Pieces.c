//===- Pieces.c - Buffers that are written piece by piece ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is put side by side: buffers that are made, and then copied to parts of
// a larger one. And what is overwritten by several ops, so that nothing from
// before is wanted; or not quite.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

static BerthSmithText typeOf(BerthSmithValue value) {
  return berthSmithTypeText(value.type);
}

/// A buffer that may take what others have, by a linalg op.
static void printMade(BerthSmith *smith, BerthSmithValue to,
                      BerthSmithValue from) {
  bool isReal = to.type.element == BERTH_F32 || to.type.element == BERTH_F64;
  berthSmithLine(smith,
                 "linalg.map { arith.%s } ins(%%m%d, %%m%d : %s, %s) "
                 "outs(%%m%d : %s)",
                 isReal ? "maximumf" : "ori", from.id, from.id,
                 typeOf(from).text, typeOf(from).text, to.id, typeOf(to).text);
  berthSmithRead(smith, from);
  berthSmithWrote(smith, to);
}

/// Fills the buffer: with one number, by an op, or by a loop.
static void makeContent(BerthSmith *smith, BerthSmithValue to) {
  BerthSmithType type = to.type;
  if (berthRandomChance(&smith->random, 20)) {
    berthSmithFillValue(smith, to);
    return;
  }
  BerthSmithValue from = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, from);
  berthSmithStore(smith);
  if (type.rank == 1 && berthRandomChance(&smith->random, 40))
    berthSmithPrintElements(smith, to, from);
  else
    printMade(smith, to, from);
  smith->roots[from.root].resting |= berthRandomChance(&smith->random, 80);
}

//===----------------------------------------------------------------------===//
// Side by side
//===----------------------------------------------------------------------===//

/// Makes a buffer, and copies it to rows of the whole.
static void printPiece(BerthSmith *smith, BerthSmithValue whole, int64_t first,
                       int64_t rows) {
  BerthSmithType type = whole.type;
  type.shape[0] = rows;
  BerthSmithValue source = berthSmithNewBuffer(smith, type);
  makeContent(smith, source);
  if (berthRandomChance(&smith->random, 25))
    berthSmithMeanwhile(smith);
  BerthSmithValue part = berthSmithPartOf(smith, whole, first, rows);
  // Then the copy has to stay behind that.
  if (berthRandomChance(&smith->random, 10))
    berthSmithFillValue(smith, part);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", source.id,
                 part.id, typeOf(source).text, typeOf(part).text);
  berthSmithRead(smith, source);
  smith->roots[source.root].resting |= berthRandomChance(&smith->random, 85);
}

bool berthSmithSideBySide(BerthSmith *smith) {
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  int64_t rows = type.shape[0];
  int count = 2 + berthRandomBelow(&smith->random, 2);
  bool isPadded = berthRandomChance(&smith->random, 50);
  type.shape[0] = rows * count + (isPadded ? 2 : 0);
  BerthSmithValue whole = berthSmithNewBuffer(smith, type);
  if (isPadded)
    berthSmithFillValue(smith, whole);
  for (int i = 0; i < count && berthSmithHasRoom(smith); ++i)
    printPiece(smith, whole, rows * i + (isPadded ? 1 : 0), rows);
  if (!berthSmithHasRoom(smith))
    return true;
  berthSmithWrote(smith, whole);
  if (berthRandomChance(&smith->random, 70))
    berthSmithObserveValue(smith, whole);
  return true;
}

//===----------------------------------------------------------------------===//
// Covers
//===----------------------------------------------------------------------===//

/// One part behind the other; the last one may be missing.
static void printParts(BerthSmith *smith, BerthSmithValue whole) {
  int64_t rows = whole.type.shape[0], first = 0;
  while (first < rows && berthSmithHasRoom(smith)) {
    int64_t count = 1 + berthRandomBelow(&smith->random, (int)(rows - first));
    if (first > 0 && berthRandomChance(&smith->random, 8))
      return;
    berthSmithFillValue(smith, berthSmithPartOf(smith, whole, first, count));
    first += count;
  }
}

/// A loop over tiles of some rows, and what is left of them; now and then it
/// begins a tile too late.
static void printTiles(BerthSmith *smith, BerthSmithValue whole) {
  int64_t rows = whole.type.shape[0];
  int64_t tile = 1 + berthRandomBelow(&smith->random, rows > 4 ? 4 : (int)rows);
  int64_t end = rows / tile * tile;
  int low = berthSmithConstantIndex(
      smith, berthRandomChance(&smith->random, 10) ? tile : 0);
  int high = berthSmithConstantIndex(smith, end);
  int step = berthSmithConstantIndex(smith, tile);
  int index = berthSmithNewId(smith);
  berthSmithLine(smith, "scf.for %%s%d = %%s%d to %%s%d step %%s%d {", index,
                 low, high, step);
  ++smith->indent;
  berthSmithFillValue(smith, berthSmithPartAt(smith, whole, index, tile));
  --smith->indent;
  berthSmithLine(smith, "}");
  if (end < rows)
    berthSmithFillValue(smith, berthSmithPartOf(smith, whole, end, rows - end));
}

/// All elements, one at a time.
static void printStores(BerthSmith *smith, BerthSmithValue whole) {
  BerthSmithValue from = berthSmithNewBuffer(smith, whole.type);
  berthSmithFillValue(smith, from);
  berthSmithPrintElements(smith, whole, from);
}

bool berthSmithCover(BerthSmith *smith) {
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  BerthSmithValue whole = berthSmithNewBuffer(smith, type);
  makeContent(smith, whole);
  berthSmithObserveValue(smith, whole);
  // Its bytes may be others' until it is overwritten.
  if (berthRandomChance(&smith->random, 60)) {
    BerthSmithValue other = berthSmithNewBuffer(smith, type);
    makeContent(smith, other);
    berthSmithObserveValue(smith, other);
    smith->roots[other.root].resting = true;
  } else {
    berthSmithMeanwhile(smith);
  }
  int kind = berthRandomBelow(&smith->random, type.rank == 1 ? 3 : 2);
  if (kind == 0)
    printParts(smith, whole);
  else if (kind == 1)
    printTiles(smith, whole);
  else
    printStores(smith, whole);
  if (berthSmithHasRoom(smith))
    berthSmithObserveValue(smith, whole);
  return true;
}
