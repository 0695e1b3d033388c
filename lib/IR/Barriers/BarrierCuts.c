//===- BarrierCuts.c - The fewest barriers that separate given pairs ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of gaps separates the pairs if it hits every path without barrier
// between them. There are too many paths to list, so they are found as needed
// (implicit hitting sets: Karp et al., "Implicit hitting set problems and
// multi-genome alignment", 2010): take the cheapest set that hits the paths
// known so far; if some pair still has a path, add it and start again; else the
// set is a cheapest one for all paths.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/BarrierCuts.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Hazards/Hazards.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>
#include <string.h>

/// A barrier in a loop runs about this many times as often as one outside.
enum { kLoopFactor = 16, kMaxLoopDepth = 8 };

/// Loops around an op in the scope: of blocks, and ops that are loops.
static size_t loopDepth(const BerthHazards *hazards, MlirOperation op) {
  size_t depth = 0;
  while (!mlirOperationEqual(op, hazards->job->scope.op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    size_t numLoops = berthPointerMapFind(&hazards->numLoopsOf, block.ptr);
    depth += numLoops == BERTH_NOT_FOUND ? 0 : numLoops;
    op = mlirOperationGetParentOperation(op);
    depth += berthOpIsLoop(op);
  }
  return depth;
}

/// Price of a barrier in a gap: it grows with the depth of loops around it, of
/// blocks as well.
static int64_t cutPrice(const BerthHazards *hazards, uint32_t node) {
  size_t depth = loopDepth(hazards, hazards->graph.nodes[node].gapEnd);
  int64_t price = 1;
  for (size_t i = 0; i < depth && i < kMaxLoopDepth; ++i)
    price *= kLoopFactor;
  return price;
}

int64_t *berthCutPrices(const BerthHazards *hazards) {
  size_t numNodes = hazards->graph.numNodes;
  int64_t *prices = berthAllocateOrDie(numNodes, sizeof *prices);
  for (uint32_t n = 0; n < numNodes; ++n)
    if (hazards->isCuttable[n])
      prices[n] = cutPrice(hazards, n);
  return prices;
}

/// The last gaps first: of equally cheap sets the one with the latest barriers
/// is preferred.
void berthAddPath(const BerthHazards *hazards, BerthHitting *paths,
                  uint32_t *path, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; ++i)
    if (hazards->isCuttable[path[i]])
      path[count++] = path[i];
  for (size_t i = 0; i < count / 2; ++i) {
    uint32_t gap = path[i];
    path[i] = path[count - 1 - i];
    path[count - 1 - i] = gap;
  }
  berthHittingAdd(paths, path, count);
}

typedef struct CutSearch {
  const BerthHazards *hazards;
  BerthHitting paths; ///< the cuttable gaps of each path found so far
  bool *cuts;         ///< per node: a cheapest set that hits these
} CutSearch;

static bool findPath(const CutSearch *search, uint32_t from, uint32_t to,
                     uint32_t *path, size_t *length) {
  if (from == to)
    return berthHazardsFindSelfPath(search->hazards, from, search->cuts, path,
                                    length);
  return berthHazardsFindPath(search->hazards, from, to, search->cuts, path,
                              length);
}

/// Adds a path of each pair that the best set leaves joined; false if none.
static bool addJoinedPairs(CutSearch *search, const BerthPair *pairs,
                           size_t numPairs, uint32_t *path) {
  bool added = false;
  for (size_t i = 0; i < numPairs; ++i) {
    BerthPair pair = pairs[i];
    for (int direction = pair.first == pair.second; direction < 2;
         ++direction) {
      size_t length;
      uint32_t from = direction ? pair.second : pair.first;
      uint32_t to = direction ? pair.first : pair.second;
      if (!findPath(search, from, to, path, &length))
        continue;
      berthAddPath(search->hazards, &search->paths, path, length);
      added = true;
    }
  }
  return added;
}

void berthFindCuts(const BerthHazards *hazards, const BerthPair *pairs,
                   size_t numPairs, bool *cuts) {
  size_t numNodes = hazards->graph.numNodes;
  int64_t *prices = berthCutPrices(hazards);
  uint32_t *path = berthAllocateOrDie(2 * numNodes, sizeof *path);
  CutSearch search = {.hazards = hazards,
                      .paths = {.numElements = numNodes, .prices = prices},
                      .cuts = cuts};
  memset(cuts, 0, numNodes);
  while (addJoinedPairs(&search, pairs, numPairs, path))
    berthHittingSolve(&search.paths, cuts);
  berthHittingFree(&search.paths);
  free(prices);
  free(path);
}
