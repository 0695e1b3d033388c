//===- BarrierSearch.c - The cheapest barriers for so many bytes ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which barriers make a plan of at most T bytes possible? With more barriers
// fewer pairs are kept apart, so what fits with some of them fits with more. A
// set of barriers that leaves no plan, and would with any one more, is a
// largest bad set; whatever is good has a barrier outside of each. So the good
// sets are those that hit the complements of all largest bad sets, and a
// cheapest one is found as in BarrierCuts.c, by an implicit hitting set:
//
//      H = a cheapest set that hits all complements known      a lower bound
//      does a plan with the barriers H take at most T bytes?   one packing
//        yes: it is a cheapest plan
//        no:  let H grow to a largest bad set, add its complement, go on
//
// Bad for T bytes is bad for fewer, so one collection of complements serves all
// sizes, from that of the plan with no barriers down to the least: that yields
// the curve. The least bytes come first, though, with a collection of their
// own, since they matter most, and their price bounds the rest.
//
// The paths that every plan has to cut, between instances of one buffer, are
// sets to be hit too. Packing may give up; then bad means not known to be good,
// and the answer may be too dear.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/BarrierSearch.h"
#include "IR/Barriers/BarrierCuts.h"
#include "IR/Barriers/Pairs.h"
#include "IR/Hazards/HazardPaths.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>
#include <string.h>

/// What the search may spend, in steps of packers; a node of the graph that is
/// looked at counts as one, and so much each packing besides.
enum { kMaxWork = 1 << 22, kPackingWork = 1 << 10 };

typedef struct Search {
  BerthSteps *steps;
  BerthHitting bad; ///< complements of bad sets, and paths to be cut
  bool *cuts;       ///< per node: the set of barriers at hand
  BerthJoins apart; ///< the pairs that the last bad set keeps apart
  bool knowsBad;    ///< there is one
  uint32_t *path;   ///< room for one
  uint32_t *others; ///< gaps not in the set, while it grows
  uint32_t *left;   ///< those that it cannot take
  size_t numLeft;
  int64_t target; ///< bytes
  uint64_t work;
} Search;

static size_t numNodes(const Search *search) {
  return search->steps->hazards->graph.numNodes;
}

static bool isSpent(const Search *search) {
  return search->work > kMaxWork || search->steps->status != BERTH_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Good or bad
//===----------------------------------------------------------------------===//

/// True if a plan of the target's size is found for the set at hand; it is
/// offered. Else the set is bad.
static bool isGood(Search *search) {
  BerthSteps *steps = search->steps;
  size_t n = steps->job->numPlaced;
  BerthJoins joins = berthHazardsJoined(steps->hazards, search->cuts);
  berthJoinUnordered(steps->job, &joins);
  search->work += steps->hazards->slices.count * numNodes(search);
  bool isBad = berthJoinsSplitGroup(steps->job, &joins) ||
               (search->knowsBad && berthJoinsEqual(&joins, &search->apart, n));
  BerthPacked packed = {.status = BERTH_SUCCESS};
  if (!isBad) {
    int64_t capacity = search->target == INT64_MAX ? 0 : search->target;
    packed = berthStepsPackApart(steps, &joins, capacity);
    search->work += kPackingWork + packed.plan.steps;
  }
  bool good = !isBad && berthPackedFits(&packed);
  if (good) {
    berthStepsOffer(steps, packed.plan, search->cuts);
    berthJoinsFree(&joins);
  } else {
    berthJoinsFree(&search->apart);
    search->apart = joins;
    search->knowsBad = true;
    berthPlanFree(&packed.plan);
  }
  return good;
}

/// Adds the others from `begin` to `end` to a bad set as far as it stays bad.
static void grow(Search *search, size_t begin, size_t end) {
  if (begin == end || isSpent(search))
    return;
  for (size_t i = begin; i < end; ++i)
    search->cuts[search->others[i]] = true;
  if (!isGood(search))
    return;
  for (size_t i = begin; i < end; ++i)
    search->cuts[search->others[i]] = false;
  if (end - begin == 1) {
    search->left[search->numLeft++] = search->others[begin];
    return;
  }
  size_t middle = begin + (end - begin) / 2;
  grow(search, begin, middle);
  grow(search, middle, end);
}

/// Adds what the bad set at hand lacks. False if nothing can make it good.
static bool addComplement(Search *search) {
  search->numLeft = 0;
  // Those left over at the end are dear, and raise the bound.
  size_t count =
      berthGapsByPrice(search->steps, search->cuts, false, search->others);
  grow(search, 0, count);
  if (!search->numLeft)
    return false;
  for (size_t i = 0; i < search->numLeft / 2; ++i) {
    uint32_t gap = search->left[i];
    search->left[i] = search->left[search->numLeft - 1 - i];
    search->left[search->numLeft - 1 - i] = gap;
  }
  berthHittingAdd(&search->bad, search->left, search->numLeft);
  return true;
}

//===----------------------------------------------------------------------===//
// What every plan needs
//===----------------------------------------------------------------------===//

/// Adds paths between instances of one buffer that the set at hand leaves open;
/// false if there are none.
static bool addSelfPaths(Search *search) {
  const BerthHazards *hazards = search->steps->hazards;
  BerthHazardSearch from = berthHazardSearchCreate(hazards, search->cuts);
  bool added = false;
  for (uint32_t x = 0; x < hazards->job->numPlaced; ++x) {
    size_t length;
    if (!search->steps->joinedSelves[x])
      continue;
    search->work += numNodes(search);
    if (!berthHazardsFindSelfPath(&from, x, search->path, &length))
      continue;
    berthAddPath(hazards, &search->bad, search->path, length);
    added = true;
  }
  berthHazardSearchFree(&from);
  return added;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// The cheapest step that is small enough.
static const BerthCurvePoint *cheapestKnown(const Search *search) {
  const BerthStep *step = search->steps->curve;
  while (step->point.bytes > search->target)
    ++step;
  return &step->point;
}

/// Offers a smallest plan for the set at hand, which is good.
static void offerSmallest(Search *search) {
  BerthPacked packed = berthStepsPack(search->steps, search->cuts, 0);
  search->work += packed.plan.steps;
  if (packed.status == BERTH_SUCCESS)
    berthStepsOffer(search->steps, packed.plan, search->cuts);
}

static int64_t priceAtHand(const Search *search) {
  int64_t price = 0;
  for (size_t node = 0; node < numNodes(search); ++node)
    if (search->cuts[node])
      price += search->steps->prices[node];
  return price;
}

/// Finds the cheapest steps of at most `target` bytes and of all smaller sizes.
static bool descend(Search *search, int64_t target) {
  search->bad.numSets = search->bad.numMembers = 0;
  for (search->target = target;
       search->target >= berthStepsLeast(search->steps)->point.bytes;) {
    if (isSpent(search) || !berthHittingSolve(&search->bad, search->cuts))
      return false;
    const BerthCurvePoint *known = cheapestKnown(search);
    if (known->cost <= priceAtHand(search)) {
      search->target = known->bytes - 1;
      continue;
    }
    if (addSelfPaths(search))
      continue;
    search->knowsBad = false;
    if (isGood(search))
      offerSmallest(search);
    else if (!addComplement(search))
      return false;
  }
  return true;
}

bool berthStepsSearch(BerthSteps *steps) {
  size_t nodes = steps->hazards->graph.numNodes;
  Search search = {.steps = steps,
                   .bad = {.numElements = nodes, .prices = steps->prices},
                   .cuts = berthAllocateOrDie(nodes, sizeof(bool)),
                   .path = berthAllocateOrDie(2 * nodes, sizeof(uint32_t)),
                   .others = berthAllocateOrDie(nodes, sizeof(uint32_t)),
                   .left = berthAllocateOrDie(nodes, sizeof(uint32_t))};
  bool isDone = descend(&search, berthStepsLeast(steps)->point.bytes) &&
                descend(&search, INT64_MAX);
  berthHittingFree(&search.bad);
  free(search.cuts);
  berthJoinsFree(&search.apart);
  free(search.path);
  free(search.others);
  free(search.left);
  return isDone;
}
