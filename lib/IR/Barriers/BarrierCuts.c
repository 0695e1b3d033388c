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
// known so far; as long as some pair still has a path, add it and cut it
// somewhere; if that made the set dearer than it has to be for these paths,
// start again; else it is a cheapest one for all paths.
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

bool berthCutNeedsBarrier(const BerthHazards *hazards, uint32_t node) {
  for (uint32_t e = hazards->graph.nodes[node].firstNext; e != BERTH_NO_NODE;
       e = hazards->graph.edges[e].nextOut)
    if (!hazards->isBarrier[hazards->graph.edges[e].to])
      return true;
  return hazards->graph.nodes[node].firstNext == BERTH_NO_NODE;
}

/// Price of a barrier in a gap: it grows with the depth of loops around it, of
/// blocks as well. One with a fence is as dear as two; where a barrier stands
/// behind the gap a fence is enough.
static int64_t cutPrice(const BerthHazards *hazards, uint32_t node) {
  size_t depth = loopDepth(hazards, hazards->graph.nodes[node].gapEnd);
  bool bringsFence = hazards->hasAsync && hazards->addsFences;
  int64_t price = 1 + (bringsFence && berthCutNeedsBarrier(hazards, node));
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
  const int64_t *prices; ///< per node
  BerthHitting paths;    ///< the cuttable gaps of each path found so far
  bool *cuts;            ///< per node: what has been cut in this round
} CutSearch;

/// Adds a path and cuts its cheapest gap, so that few paths are found.
static void addPath(CutSearch *search, uint32_t *path, size_t length) {
  BerthHitting *paths = &search->paths;
  berthAddPath(search->hazards, paths, path, length);
  size_t best = paths->begin[paths->numSets - 1];
  for (size_t i = best; i < paths->numMembers; ++i)
    if (search->prices[paths->members[i]] <
        search->prices[paths->members[best]])
      best = i;
  search->cuts[paths->members[best]] = true;
}

/// The pairs of each slice, in both directions: those of slice s begin at
/// begin[s] in `others`. Both are to be freed.
typedef struct PairIndex {
  uint32_t *begin;
  uint32_t *others;
} PairIndex;

static PairIndex indexPairs(const BerthToCut *toCut, size_t numSlices) {
  PairIndex index = {berthAllocateOrDie(numSlices + 1, sizeof(uint32_t)),
                     berthAllocateOrDie(2 * toCut->count, sizeof(uint32_t))};
  for (size_t i = 0; i < toCut->count; ++i) {
    ++index.begin[toCut->pairs[i].first];
    ++index.begin[toCut->pairs[i].second];
  }
  for (size_t s = 0; s < numSlices; ++s)
    index.begin[s + 1] += index.begin[s];
  for (size_t i = toCut->count; i-- > 0;) {
    BerthSlicePair pair = toCut->pairs[i];
    index.others[--index.begin[pair.first]] = pair.second;
    index.others[--index.begin[pair.second]] = pair.first;
  }
  return index;
}

/// Cuts until no pair is joined.
static void cutJoinedPairs(CutSearch *search, const BerthToCut *toCut) {
  const BerthSlices *slices = &search->hazards->slices;
  size_t n = search->hazards->job->numPlaced, length;
  PairIndex index = indexPairs(toCut, slices->count);
  bool *targets = berthAllocateOrDie(slices->count, sizeof *targets);
  uint32_t *path =
      berthAllocateOrDie(2 * search->hazards->graph.numNodes, sizeof *path);
  BerthHazardSearch from =
      berthHazardSearchCreate(search->hazards, search->cuts);
  for (uint32_t x = 0; x < n; ++x) {
    while (toCut->selves[x] &&
           berthHazardsFindSelfPath(&from, x, path, &length))
      addPath(search, path, length);
    for (uint32_t s = slices->firstOf[x]; s < slices->firstOf[x + 1]; ++s) {
      uint32_t begin = index.begin[s], end = index.begin[s + 1];
      for (uint32_t i = begin; i < end; ++i)
        targets[index.others[i]] = true;
      while (begin < end &&
             berthHazardsFindPath(&from, s, targets, path, &length))
        addPath(search, path, length);
      for (uint32_t i = begin; i < end; ++i)
        targets[index.others[i]] = false;
    }
  }
  berthHazardSearchFree(&from);
  free(path);
  free(targets);
  free(index.begin);
  free(index.others);
}

static int64_t priceOf(const CutSearch *search, const bool *cuts) {
  int64_t price = 0;
  for (size_t n = 0; n < search->paths.numElements; ++n)
    price += cuts[n] ? search->prices[n] : 0;
  return price;
}

/// Rounds: from a cheapest set for the paths known, cut on until no pair is
/// joined. What that ends with is a cheapest set for all once it is no dearer
/// than the one that hits the paths known by then.
void berthFindCuts(const BerthHazards *hazards, const BerthToCut *toCut,
                   bool *cuts) {
  size_t numNodes = hazards->graph.numNodes;
  int64_t *prices = berthCutPrices(hazards);
  CutSearch search = {.hazards = hazards,
                      .prices = prices,
                      .paths = {.numElements = numNodes, .prices = prices},
                      .cuts = berthAllocateOrDie(numNodes, sizeof(bool))};
  memset(cuts, 0, numNodes);
  do {
    memcpy(search.cuts, cuts, numNodes);
    cutJoinedPairs(&search, toCut);
    berthHittingSolve(&search.paths, cuts);
  } while (priceOf(&search, cuts) < priceOf(&search, search.cuts));
  memcpy(cuts, search.cuts, numNodes);
  berthHittingFree(&search.paths);
  free(search.cuts);
  free(prices);
}
