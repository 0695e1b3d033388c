//===- Statement.c - The table of statements -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

enum { MAX_DEPTH = 4 };

/// One kind of statement. `feature` 0: always on.
typedef struct Statement {
  bool (*emit)(BerthSmith *smith);
  int weight;
  uint64_t feature;
  bool nests;  ///< has bodies: not below the greatest depth
  bool blocks; ///< opens blocks: only where a region may have several
} Statement;

static const Statement statements[] = {
    {berthSmithAlloc, 8, 0, false, false},
    {berthSmithFill, 8, 0, false, false},
    {berthSmithStore, 3, 0, false, false},
    {berthSmithLoad, 2, 0, false, false},
    {berthSmithCopy, 6, 0, false, false},
    {berthSmithObserve, 10, 0, false, false},
    {berthSmithCopiesOfFill, 12, BERTH_SMITH_REFILLS, false, false},
    {berthSmithParts, 12, BERTH_SMITH_PARTS, true, false},
    {berthSmithElementLoop, 5, BERTH_SMITH_FOR, false, false},
    {berthSmithAlloca, 2, BERTH_SMITH_ALLOCA, false, false},
    {berthSmithSubview, 3, BERTH_SMITH_VIEWS, false, false},
    {berthSmithCast, 1, BERTH_SMITH_VIEWS, false, false},
    {berthSmithReshape, 2, BERTH_SMITH_VIEWS, false, false},
    {berthSmithReinterpret, 2, BERTH_SMITH_VIEWS, false, false},
    {berthSmithMetadata, 1, BERTH_SMITH_VIEWS, false, false},
    {berthSmithSelect, 2, BERTH_SMITH_SELECT, false, false},
    {berthSmithGeneric, 12, BERTH_SMITH_LINALG, false, false},
    {berthSmithSpread, 2, BERTH_SMITH_LINALG, false, false},
    {berthSmithTranspose, 2, BERTH_SMITH_LINALG, false, false},
    {berthSmithMatmul, 2, BERTH_SMITH_LINALG, false, false},
    {berthSmithReduce, 2, BERTH_SMITH_LINALG, false, false},
    {berthSmithTransfer, 4, BERTH_SMITH_VECTOR, false, false},
    {berthSmithMaskedTransfer, 2, BERTH_SMITH_VECTOR, false, false},
    {berthSmithParallel, 2, BERTH_SMITH_PARALLEL, false, false},
    {berthSmithForall, 2, BERTH_SMITH_PARALLEL, false, false},
    {berthSmithTiles, 6, BERTH_SMITH_TILES, true, false},
    {berthSmithDma, 8, BERTH_SMITH_DMA, true, false},
    {berthSmithStages, 5, BERTH_SMITH_DMA, true, false},
    {berthSmithAddress, 6, BERTH_SMITH_ADDRESSES, true, false},
    {berthSmithCarriedAddress, 4, BERTH_SMITH_ADDRESSES, true, false},
    {berthSmithAddressTable, 4, BERTH_SMITH_ADDRESSES, true, false},
    {berthSmithReturnedAddress, 4, BERTH_SMITH_ADDRESSES, true, false},
    {berthSmithToken, 16, BERTH_SMITH_TOKENS, true, false},
    {berthSmithStorage, 4, BERTH_SMITH_TOKENS, true, false},
    {berthSmithHandle, 10, BERTH_SMITH_HANDLES, true, false},
    {berthSmithUnsignedFor, 10, BERTH_SMITH_UNSIGNED_LOOPS, true, false},
    {berthSmithWideNumbers, 8, BERTH_SMITH_WIDE, true, false},
    {berthSmithWideVectors, 5, BERTH_SMITH_WIDE, true, false},
    {berthSmithAssumeAlignment, 4, BERTH_SMITH_WIDE, false, false},
    {berthSmithDistinct, 4, BERTH_SMITH_WIDE, false, false},
    {berthSmithCallAgain, 6, BERTH_SMITH_RECURSION, false, false},
    {berthSmithTwoCallers, 6, BERTH_SMITH_CALLERS, false, false},
    {berthSmithCall, 3, BERTH_SMITH_CALL, false, false},
    {berthSmithFor, 7, BERTH_SMITH_FOR, true, false},
    {berthSmithWhile, 3, BERTH_SMITH_WHILE, true, false},
    {berthSmithIf, 6, BERTH_SMITH_IF, true, false},
    {berthSmithSwitch, 2, BERTH_SMITH_SWITCH, true, false},
    {berthSmithExecuteRegion, 1, BERTH_SMITH_CF, true, false},
    {berthSmithDiamond, 3, BERTH_SMITH_CF, true, true},
    {berthSmithBlockLoop, 3, BERTH_SMITH_CF, true, true},
    {berthSmithBlockSwitch, 1, BERTH_SMITH_CF, true, true},
    {berthSmithEarlyReturn, 1, BERTH_SMITH_CF, false, true},
};

enum { NUM_STATEMENTS = sizeof statements / sizeof statements[0] };

static bool isAllowed(const BerthSmith *smith, const Statement *statement) {
  if (statement->feature && !(smith->features & statement->feature))
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
