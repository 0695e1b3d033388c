//===- HittingSet.c - A cheapest set that hits given sets -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound: one of the members of a set that is not hit yet has to be
// chosen; once one of them has been tried, the later ones are tried without it.
// Sets not hit that have no member in common cost at least their cheapest
// members together, which is the bound. Sets that no chain of common members
// connects are parts with answers of their own.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/HittingSet.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>
#include <string.h>

/// So many members are looked at before the search is given up.
enum { kMaxWork = 1 << 24 };

typedef struct Search {
  const BerthHitting *hitting;
  bool *chosen;
  uint32_t *excluded; ///< per element: so many levels go on without it
  bool *best;
  uint32_t *markedBy; ///< per element: the bound that last saw it
  uint32_t bounds;    ///< how many have been taken
  int64_t price;
  int64_t bestPrice;
  uint64_t work, limit;
  bool isGivenUp;
} Search;

void berthHittingAdd(BerthHitting *hitting, const uint32_t *members,
                     size_t count) {
  hitting->begin = berthGrow(hitting->begin, hitting->numSets + 1,
                             &hitting->setCapacity, sizeof *hitting->begin);
  hitting->begin[0] = 0;
  for (size_t i = 0; i < count; ++i) {
    hitting->members =
        berthGrow(hitting->members, hitting->numMembers,
                  &hitting->memberCapacity, sizeof *hitting->members);
    hitting->members[hitting->numMembers++] = members[i];
  }
  hitting->begin[++hitting->numSets] = hitting->numMembers;
}

void berthHittingFree(BerthHitting *hitting) {
  free(hitting->members);
  free(hitting->begin);
}

/// The sets not hit, seen together: the one with the fewest members that may
/// still be chosen, numSets if all are hit; and what they cost at least.
typedef struct Outlook {
  size_t smallest;
  int64_t bound;
} Outlook;

static Outlook lookAhead(Search *search) {
  const BerthHitting *hitting = search->hitting;
  Outlook outlook = {.smallest = hitting->numSets};
  size_t fewest = SIZE_MAX;
  uint32_t stamp = ++search->bounds;
  for (size_t s = 0; s < hitting->numSets; ++s) {
    bool isHit = false, isApart = true;
    size_t count = 0;
    int64_t least = INT64_MAX;
    for (size_t i = hitting->begin[s]; i < hitting->begin[s + 1] && !isHit;
         ++i) {
      uint32_t e = hitting->members[i];
      ++search->work;
      isHit = search->chosen[e];
      if (search->excluded[e])
        continue;
      ++count;
      isApart &= search->markedBy[e] != stamp;
      if (hitting->prices[e] < least)
        least = hitting->prices[e];
    }
    if (isHit)
      continue;
    if (count < fewest) {
      fewest = count;
      outlook.smallest = s;
    }
    if (!count)
      return (Outlook){s, INT64_MAX}; // a dead end
    if (!isApart)
      continue;
    outlook.bound += least;
    for (size_t i = hitting->begin[s]; i < hitting->begin[s + 1]; ++i)
      search->markedBy[hitting->members[i]] = stamp;
  }
  return outlook;
}

/// The first descent always ends with an answer, so a search that is given up
/// has one too.
static void hit(Search *search) {
  const BerthHitting *hitting = search->hitting;
  Outlook outlook = lookAhead(search);
  if (outlook.smallest == hitting->numSets) {
    if (search->price < search->bestPrice) {
      for (size_t i = 0; i < hitting->numMembers; ++i)
        search->best[hitting->members[i]] = search->chosen[hitting->members[i]];
      search->bestPrice = search->price;
    }
    return;
  }
  size_t begin = hitting->begin[outlook.smallest];
  size_t end = hitting->begin[outlook.smallest + 1], at = begin;
  // The bound may be INT64_MAX, so it is not added to.
  bool isHopeless = outlook.bound >= search->bestPrice - search->price;
  for (; at < end && !isHopeless; ++at) {
    if (search->work > search->limit && search->bestPrice != INT64_MAX) {
      search->isGivenUp = true;
      break;
    }
    uint32_t e = hitting->members[at];
    if (search->excluded[e]++)
      continue;
    search->chosen[e] = true;
    search->price += hitting->prices[e];
    hit(search);
    search->price -= hitting->prices[e];
    search->chosen[e] = false;
    isHopeless = search->bestPrice - search->price <= outlook.bound;
  }
  while (at-- > begin)
    --search->excluded[hitting->members[at]];
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static uint32_t leaderOf(uint32_t *parents, uint32_t element) {
  while (parents[element] != element) {
    parents[element] = parents[parents[element]];
    element = parents[element];
  }
  return element;
}

/// Per element, one that stands for all that sets connect with it.
static uint32_t *findParts(const BerthHitting *hitting) {
  uint32_t *parents = berthAllocateOrDie(hitting->numElements, sizeof *parents);
  for (uint32_t e = 0; e < hitting->numElements; ++e)
    parents[e] = e;
  for (size_t s = 0; s < hitting->numSets; ++s)
    for (size_t i = hitting->begin[s] + 1; i < hitting->begin[s + 1]; ++i)
      parents[leaderOf(parents, hitting->members[i])] =
          leaderOf(parents, hitting->members[i - 1]);
  return parents;
}

/// The sets of each part, in their order: per element that stands for one, the
/// first; per set, the next of the same part. SIZE_MAX: none.
typedef struct Parts {
  size_t *firstOf;
  size_t *nextOf;
} Parts;

static Parts listParts(const BerthHitting *hitting) {
  Parts parts = {
      berthAllocateOrDie(hitting->numElements, sizeof *parts.firstOf),
      berthAllocateOrDie(hitting->numSets, sizeof *parts.nextOf)};
  uint32_t *parents = findParts(hitting);
  memset(parts.firstOf, 0xff, hitting->numElements * sizeof *parts.firstOf);
  for (size_t s = hitting->numSets; s-- > 0;) {
    uint32_t leader = leaderOf(parents, hitting->members[hitting->begin[s]]);
    parts.nextOf[s] = parts.firstOf[leader];
    parts.firstOf[leader] = s;
  }
  free(parents);
  return parts;
}

/// Chooses for the sets that have members in common, over others too, with half
/// of the work that is left.
static void hitPart(Search *search, const BerthHitting *all, const Parts *parts,
                    size_t set) {
  BerthHitting part = {.numElements = all->numElements, .prices = all->prices};
  for (; set != SIZE_MAX; set = parts->nextOf[set])
    berthHittingAdd(&part, &all->members[all->begin[set]],
                    all->begin[set + 1] - all->begin[set]);
  search->hitting = &part;
  search->price = 0;
  search->bestPrice = INT64_MAX;
  uint64_t left = search->work < kMaxWork ? kMaxWork - search->work : 0;
  search->limit = search->work + left / 2;
  hit(search);
  berthHittingFree(&part);
}

bool berthHittingSolve(const BerthHitting *hitting, bool *chosen) {
  size_t n = hitting->numElements;
  Search search = {.best = chosen};
  search.chosen = berthAllocateOrDie(n, sizeof *search.chosen);
  search.excluded = berthAllocateOrDie(n, sizeof *search.excluded);
  search.markedBy = berthAllocateOrDie(n, sizeof *search.markedBy);
  memset(chosen, 0, n);
  Parts parts = listParts(hitting);
  for (uint32_t e = 0; e < n; ++e)
    if (parts.firstOf[e] != SIZE_MAX)
      hitPart(&search, hitting, &parts, parts.firstOf[e]);
  free(parts.firstOf);
  free(parts.nextOf);
  free(search.chosen);
  free(search.excluded);
  free(search.markedBy);
  return !search.isGivenUp;
}
