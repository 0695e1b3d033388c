//===- Statement.c - The table of statements -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

enum { MAX_DEPTH = 4 };

/// One kind of statement. `feature` 0: always on, with so many memories.
typedef struct Statement {
  bool (*emit)(BerthSmith *smith);
  int weight;
  uint64_t feature;
  bool nests;  ///< has bodies: not below the greatest depth
  bool blocks; ///< opens blocks: only where a region may have several
  int levels;  ///< memories there have to be
} Statement;

static const Statement statements[] = {
    {berthSmithAlloc, 8, 0, false, false, 1},
    {berthSmithFill, 8, 0, false, false, 1},
    {berthSmithStore, 3, 0, false, false, 1},
    {berthSmithLoad, 2, 0, false, false, 1},
    {berthSmithCopy, 6, 0, false, false, 1},
    {berthSmithObserve, 10, 0, false, false, 1},
    {berthSmithCopiesOfFill, 12, BERTH_SMITH_REFILLS, false, false, 1},
    {berthSmithParts, 12, BERTH_SMITH_PARTS, true, false, 1},
    {berthSmithSideBySide, 10, BERTH_SMITH_PIECES, true, false, 1},
    {berthSmithCover, 10, BERTH_SMITH_PIECES, true, false, 1},
    {berthSmithUpdate, 12, BERTH_SMITH_CACHES, true, false, 1},
    {berthSmithNest, 12, BERTH_SMITH_NESTS, false, false, 1},
    {berthSmithTurns, 12, BERTH_SMITH_TURNS, false, false, 1},
    {berthSmithSlices, 16, BERTH_SMITH_SLICES, true, false, 1},
    {berthSmithBringIn, 10, 0, true, false, 2},
    {berthSmithElementLoop, 5, BERTH_SMITH_FOR, false, false, 1},
    {berthSmithAlloca, 2, BERTH_SMITH_ALLOCA, false, false, 1},
    {berthSmithSubview, 3, BERTH_SMITH_VIEWS, false, false, 1},
    {berthSmithCast, 1, BERTH_SMITH_VIEWS, false, false, 1},
    {berthSmithReshape, 2, BERTH_SMITH_VIEWS, false, false, 1},
    {berthSmithReinterpret, 2, BERTH_SMITH_VIEWS, false, false, 1},
    {berthSmithMetadata, 1, BERTH_SMITH_VIEWS, false, false, 1},
    {berthSmithSelect, 2, BERTH_SMITH_SELECT, false, false, 1},
    {berthSmithGeneric, 12, BERTH_SMITH_LINALG, false, false, 1},
    {berthSmithSpread, 2, BERTH_SMITH_LINALG, false, false, 1},
    {berthSmithTranspose, 2, BERTH_SMITH_LINALG, false, false, 1},
    {berthSmithMatmul, 2, BERTH_SMITH_LINALG, false, false, 1},
    {berthSmithReduce, 2, BERTH_SMITH_LINALG, false, false, 1},
    {berthSmithTransfer, 4, BERTH_SMITH_VECTOR, false, false, 1},
    {berthSmithMaskedTransfer, 2, BERTH_SMITH_VECTOR, false, false, 1},
    {berthSmithParallel, 2, BERTH_SMITH_PARALLEL, false, false, 1},
    {berthSmithForall, 2, BERTH_SMITH_PARALLEL, false, false, 1},
    {berthSmithTiles, 6, BERTH_SMITH_TILES, true, false, 1},
    {berthSmithDma, 8, BERTH_SMITH_DMA, true, false, 1},
    {berthSmithStages, 5, BERTH_SMITH_DMA, true, false, 1},
    {berthSmithAddress, 6, BERTH_SMITH_ADDRESSES, true, false, 1},
    {berthSmithCarriedAddress, 4, BERTH_SMITH_ADDRESSES, true, false, 1},
    {berthSmithAddressTable, 4, BERTH_SMITH_ADDRESSES, true, false, 1},
    {berthSmithReturnedAddress, 4, BERTH_SMITH_ADDRESSES, true, false, 1},
    {berthSmithToken, 16, BERTH_SMITH_TOKENS, true, false, 1},
    {berthSmithStorage, 4, BERTH_SMITH_TOKENS, true, false, 1},
    {berthSmithHandle, 10, BERTH_SMITH_HANDLES, true, false, 1},
    {berthSmithUnsignedFor, 10, BERTH_SMITH_UNSIGNED_LOOPS, true, false, 1},
    {berthSmithWideNumbers, 8, BERTH_SMITH_WIDE, true, false, 1},
    {berthSmithWideVectors, 5, BERTH_SMITH_WIDE, true, false, 1},
    {berthSmithAssumeAlignment, 4, BERTH_SMITH_WIDE, false, false, 1},
    {berthSmithDistinct, 4, BERTH_SMITH_WIDE, false, false, 1},
    {berthSmithCallAgain, 6, BERTH_SMITH_RECURSION, false, false, 1},
    {berthSmithTwoCallers, 6, BERTH_SMITH_CALLERS, false, false, 1},
    {berthSmithCall, 3, BERTH_SMITH_CALL, false, false, 1},
    {berthSmithFor, 7, BERTH_SMITH_FOR, true, false, 1},
    {berthSmithWhile, 3, BERTH_SMITH_WHILE, true, false, 1},
    {berthSmithIf, 6, BERTH_SMITH_IF, true, false, 1},
    {berthSmithSwitch, 2, BERTH_SMITH_SWITCH, true, false, 1},
    {berthSmithExecuteRegion, 1, BERTH_SMITH_CF, true, false, 1},
    {berthSmithDiamond, 3, BERTH_SMITH_CF, true, true, 1},
    {berthSmithBlockLoop, 3, BERTH_SMITH_CF, true, true, 1},
    {berthSmithBlockSwitch, 1, BERTH_SMITH_CF, true, true, 1},
    {berthSmithEarlyReturn, 1, BERTH_SMITH_CF, false, true, 1},
};

enum { NUM_STATEMENTS = sizeof statements / sizeof statements[0] };

static bool isAllowed(const BerthSmith *smith, const Statement *statement) {
  if (statement->feature && !(smith->features & statement->feature))
    return false;
  if (smith->options->levels < statement->levels)
    return false;
  if (statement->nests && smith->depth >= MAX_DEPTH)
    return false;
  return !statement->blocks || smith->multiBlock;
}

static const Statement *pickStatement(BerthSmith *smith) {
  int total = 0;
  const Statement *picked = NULL;
  for (int i = 0; i < NUM_STATEMENTS; ++i) {
    if (!isAllowed(smith, &statements[i]))
      continue;
    total += statements[i].weight;
    if (berthRandomBelow(&smith->random, total) < statements[i].weight)
      picked = &statements[i];
  }
  return picked;
}

void berthSmithDraw(BerthSmith *smith, BerthSmithClass which) {
  berthSmithDrew(smith->options->census, smith->seed, which);
}

void berthSmithStatements(BerthSmith *smith, int count) {
  for (int i = 0; i < count; ++i) {
    if (smith->budget <= 0 || !berthSmithHasRoom(smith))
      return;
    --smith->budget;
    const Statement *statement = pickStatement(smith);
    if (!statement->emit(smith) && !berthSmithGeneric(smith))
      berthSmithAlloc(smith);
  }
}
