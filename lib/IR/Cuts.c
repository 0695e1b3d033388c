//===- Cuts.c - The fewest barriers that separate given pairs -------------===//
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

#include "IR/Hazards.h"

#include <stdlib.h>
#include <string.h>

/// Beyond this many steps the search for the cheapest set settles for the best
/// found, which still hits every path.
enum { kMaxSteps = 200000 };

/// A barrier in a loop runs about this many times as often as one outside.
enum { kLoopFactor = 16, kMaxLoopDepth = 8 };

int64_t berthCutPrice(const BerthHazards *hazards, uint32_t node) {
  MlirOperation op = hazards->graph.nodes[node].gapEnd;
  const BerthScope *scope = &hazards->job->scope;
  int64_t price = 1;
  int depth = 0;
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(op, scope->op) && depth < kMaxLoopDepth;
       op = mlirOperationGetParentOperation(op))
    if (berthOpIsLoop(op)) {
      price *= kLoopFactor;
      ++depth;
    }
  return price;
}

/// The gaps on the paths found so far, path by path.
typedef struct Paths {
  uint32_t *gaps;
  size_t numGaps;
  size_t capacity;
  size_t *begin; ///< numPaths + 1 positions in `gaps`
  size_t numPaths;
  size_t pathCapacity;
} Paths;

typedef struct CutSearch {
  const BerthHazards *hazards;
  Paths paths;
  bool *chosen; ///< per node: in the set at hand
  bool *best;   ///< per node: in the cheapest set found
  int64_t price;
  int64_t bestPrice;
  uint64_t steps;
} CutSearch;

static void *growOrDie(void *array, size_t count, size_t size) {
  array = realloc(array, count * size);
  if (!array)
    abort();
  return array;
}

/// Adds the cuttable gaps of a path, the last first: of equally cheap sets the
/// one with the latest barriers is found first.
static void addPath(CutSearch *search, const uint32_t *path, size_t length) {
  Paths *paths = &search->paths;
  if (paths->numPaths + 2 > paths->pathCapacity) {
    paths->pathCapacity = 2 * paths->pathCapacity + 16;
    paths->begin =
        growOrDie(paths->begin, paths->pathCapacity, sizeof *paths->begin);
  }
  if (paths->numGaps + length > paths->capacity) {
    paths->capacity = 2 * (paths->numGaps + length);
    paths->gaps = growOrDie(paths->gaps, paths->capacity, sizeof *paths->gaps);
  }
  paths->begin[0] = 0;
  for (size_t i = length; i-- > 0;)
    if (search->hazards->isCuttable[path[i]])
      paths->gaps[paths->numGaps++] = path[i];
  paths->begin[++paths->numPaths] = paths->numGaps;
}

/// The first known path that the chosen set does not hit, or numPaths.
static size_t firstUnhit(const CutSearch *search) {
  const Paths *paths = &search->paths;
  for (size_t p = 0; p < paths->numPaths; ++p) {
    bool isHit = false;
    for (size_t i = paths->begin[p]; i < paths->begin[p + 1]; ++i)
      isHit |= search->chosen[paths->gaps[i]];
    if (!isHit)
      return p;
  }
  return paths->numPaths;
}

/// Branches over the gaps of the first path not hit. The first descent always
/// ends with a set, so a spent budget still leaves one.
static void hitPaths(CutSearch *search) {
  if (search->price >= search->bestPrice)
    return;
  size_t path = firstUnhit(search);
  if (path == search->paths.numPaths) {
    memcpy(search->best, search->chosen, search->hazards->graph.numNodes);
    search->bestPrice = search->price;
    return;
  }
  for (size_t i = search->paths.begin[path]; i < search->paths.begin[path + 1];
       ++i) {
    if (++search->steps > kMaxSteps && search->bestPrice != INT64_MAX)
      return;
    uint32_t gap = search->paths.gaps[i];
    int64_t price = berthCutPrice(search->hazards, gap);
    search->chosen[gap] = true;
    search->price += price;
    hitPaths(search);
    search->price -= price;
    search->chosen[gap] = false;
  }
}

static bool findPath(const CutSearch *search, uint32_t from, uint32_t to,
                     uint32_t *path, size_t *length) {
  if (from == to)
    return berthHazardsFindSelfPath(search->hazards, from, search->best, path,
                                    length);
  return berthHazardsFindPath(search->hazards, from, to, search->best, path,
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
      addPath(search, path, length);
      added = true;
    }
  }
  return added;
}

void berthFindCuts(const BerthHazards *hazards, const BerthPair *pairs,
                   size_t numPairs, bool *cuts) {
  size_t numNodes = hazards->graph.numNodes;
  CutSearch search = {.hazards = hazards, .best = cuts};
  search.chosen = calloc(numNodes + 1, sizeof(bool));
  uint32_t *path = calloc(2 * numNodes + 1, sizeof *path);
  if (!search.chosen || !path)
    abort();
  memset(cuts, 0, numNodes);
  while (addJoinedPairs(&search, pairs, numPairs, path)) {
    search.bestPrice = INT64_MAX;
    search.steps = 0;
    hitPaths(&search);
  }
  free(search.chosen);
  free(search.paths.gaps);
  free(search.paths.begin);
  free(path);
}
