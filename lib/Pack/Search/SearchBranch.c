//===- SearchBranch.c - What to decide next ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   solve   split into parts that nothing joins -> each by itself
//           pick the most pressing section, from it the best of its lowest
//           items, and from there down to a locally lowest one
//           place it and solve; if that fails for a reason that has to do with
//           it, skip it and solve
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/SearchBranch.h"

#include "Pack/Incumbent/ProofLog.h"
#include "Pack/Search/SearchPropagate.h"
#include "Pack/Search/SearchRefuted.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Picking a section
//===---------------------------------------------------------------------===//

// The node's section with its score, the first of several.
static uint32_t descend(const BerthSearch *search, uint32_t node) {
  while (node < search->scoreLeaves) {
    node *= 2;
    node += search->scores[node] < search->scores[node + 1];
  }
  return node - search->scoreLeaves;
}

// The section in [lower, upper) with the largest score, the first of several.
static uint32_t bestSection(const BerthSearch *search, uint32_t lower,
                            uint32_t upper, double *bestScore) {
  const double *scores = search->scores;
  uint32_t from = lower + search->scoreLeaves;
  uint32_t to = upper + search->scoreLeaves;
  uint32_t left = 0, right = 0; // 0: none yet
  for (; from < to; from /= 2, to /= 2) {
    if (from % 2) {
      left = !left || scores[from] > scores[left] ? from : left;
      ++from;
    }
    if (to % 2) {
      --to;
      right = !right || scores[to] >= scores[right] ? to : right;
    }
  }
  uint32_t best =
      !right || (left && scores[left] >= scores[right]) ? left : right;
  *bestScore = scores[best];
  return descend(search, best);
}

static uint32_t pickSection(const BerthSearch *search, uint32_t lower,
                            uint32_t upper) {
  uint32_t last = search->lastConflict;
  double score;
  if (search->config.lastConflict && last >= lower && last < upper &&
      search->remaining[last])
    return last;
  return bestSection(search, lower, upper, &score);
}

//===---------------------------------------------------------------------===//
// Picking an item
//===---------------------------------------------------------------------===//

/// Compared first by `major`, then by `minor`, then by the index.
typedef struct Rank {
  double major;
  double minor;
} Rank;

static Rank rankOf(const BerthSearch *search, uint32_t item) {
  const uint32_t *s = search->sections + search->sectionBegin[item];
  const uint32_t *end = search->sections + search->sectionBegin[item + 1];
  double noise = search->noise[item];
  Rank rank = {0, 0};
  switch (search->config.rank) {
  case BERTH_RANK_SPAN:
    rank.major = search->spans[item];
    rank.minor = (double)search->sizes[item];
    break;
  case BERTH_RANK_LOAD:
    rank.major = search->loads[item] * noise;
    rank.minor = search->spans[item];
    break;
  case BERTH_RANK_HEIGHT:
    for (; s != end; ++s)
      rank.major += (double)search->stacks[*s];
    rank.major *= noise;
    break;
  case BERTH_RANK_FAILED:
    for (; s != end; ++s) {
      double weight = search->weights[*s];
      rank.major = weight > rank.major ? weight : rank.major;
      rank.minor += weight;
    }
    rank.minor *= noise;
    break;
  case BERTH_RANK_SCARCE:
    for (; s != end; ++s)
      rank.major += 1.0 / search->remaining[*s];
    rank.major *= noise;
    break;
  }
  return rank;
}

/// The best item so far, and its rank once that is needed.
typedef struct Pick {
  uint32_t item;
  bool ranked;
  Rank rank;
} Pick;

// Is the item better than the pick at the same minimum? What is pinned comes
// first, as there is nothing to decide about it.
static bool beats(const BerthSearch *search, uint32_t item, Pick *pick,
                  Rank *rank) {
  bool pinned = berthSearchIsPinned(search, item);
  if (!pick->ranked)
    pick->rank = rankOf(search, pick->item);
  pick->ranked = true;
  *rank = rankOf(search, item);
  if (pinned != berthSearchIsPinned(search, pick->item))
    return pinned;
  if (rank->major != pick->rank.major)
    return rank->major > pick->rank.major;
  if (rank->minor != pick->rank.minor)
    return rank->minor > pick->rank.minor;
  return item < pick->item;
}

// The best ranked of the section's lowest unplaced items.
static uint32_t pickInSection(const BerthSearch *search, uint32_t section) {
  uint32_t end = search->memberBegin[section + 1];
  uint32_t m = end - search->remaining[section];
  Pick best = {.item = search->members[m]};
  while (++m < end) {
    uint32_t item = search->members[m];
    int64_t above = search->minimums[item] - search->minimums[best.item];
    Rank rank;
    if (above < 0)
      best = (Pick){.item = item};
    else if (above == 0 && beats(search, item, &best, &rank))
      best = (Pick){item, true, rank};
  }
  return best.item;
}

// The lowest unplaced neighbour below `item`, or `item` itself.
static uint32_t stepDown(BerthSearch *search, uint32_t item) {
  Pick lowest = {.item = item};
  int64_t least = search->minimums[item];
  search->work +=
      search->neighbourBegin[item + 1] - search->neighbourBegin[item];
  for (uint32_t k = search->neighbourBegin[item];
       k < search->neighbourBegin[item + 1]; ++k) {
    uint32_t j = search->neighbours[k];
    int64_t minimum = search->minimums[j];
    Rank rank;
    if (search->placed[j] || minimum > least)
      continue;
    if (minimum < least) {
      least = minimum;
      lowest = (Pick){.item = j};
    } else if (lowest.item == item) {
      if (berthSearchIsPinned(search, j))
        lowest = (Pick){.item = j};
    } else if (beats(search, j, &lowest, &rank)) {
      lowest = (Pick){j, true, rank};
    }
  }
  return lowest.item;
}

// The lowest unplaced item of a part, which none of its neighbours undercuts.
static uint32_t pickLowest(BerthSearch *search, uint32_t lower,
                           uint32_t upper) {
  Pick lowest = {.item = UINT32_MAX};
  search->work += search->numItems / 4;
  for (uint32_t i = 0; i < search->numItems; ++i) {
    Rank rank;
    if (search->placed[i] || search->lowers[i] < lower ||
        search->uppers[i] > upper)
      continue;
    if (lowest.item == UINT32_MAX ||
        search->minimums[i] < search->minimums[lowest.item])
      lowest = (Pick){.item = i};
    else if (search->minimums[i] == search->minimums[lowest.item] &&
             beats(search, i, &lowest, &rank))
      lowest = (Pick){i, true, rank};
  }
  return lowest.item;
}

static uint32_t pickItem(BerthSearch *search, uint32_t section) {
  uint32_t item = pickInSection(search, section);
  for (uint32_t below = stepDown(search, item); below != item;
       below = stepDown(search, item))
    item = below;
  return item;
}

//===---------------------------------------------------------------------===//
// Parts
//===---------------------------------------------------------------------===//

/// Sections [lower, upper) that no unplaced item leaves.
typedef struct Part {
  uint32_t lower;
  uint32_t upper;
} Part;

// The next part at or after `from` that has items left; false if there is none.
static bool nextPart(const BerthSearch *search, uint32_t from, uint32_t end,
                     Part *part) {
  if (!search->splits) { // all or nothing
    *part = (Part){from, end};
    return from == 0 && search->numPlaced < search->numItems;
  }
  part->lower = berthOrderedSetNext(&search->live, from);
  if (part->lower >= end)
    return false;
  uint32_t border =
      berthOrderedSetNext(&search->borders, (uint64_t)part->lower + 1);
  part->upper = border < end ? border : end;
  return true;
}

static double partScore(const BerthSearch *search, Part part) {
  double score;
  bestSection(search, part.lower, part.upper, &score);
  return score;
}

// The part that presses most; what is solved has nothing left and drops out.
static Part hardestPart(const BerthSearch *search, Part whole, Part part) {
  Part hardest = part;
  double bestScore = partScore(search, part);
  while (nextPart(search, part.upper, whole.upper, &part)) {
    double score = partScore(search, part);
    if (score <= bestScore)
      continue;
    bestScore = score;
    hardest = part;
  }
  return hardest;
}

//===---------------------------------------------------------------------===//
// The recursion
//===---------------------------------------------------------------------===//

// Accounts for a node. False: stop here.
static bool enterNode(BerthSearch *search) {
  if (search->failures >= search->failureLimit ||
      search->depth >= search->maxDepth)
    search->result = BERTH_SEARCH_LIMIT;
  else if (!search->host->step(search->host->context, search->work + 1))
    search->result = BERTH_SEARCH_STOPPED;
  else
    ++search->nodes;
  search->work = 0;
  return search->result == BERTH_SEARCH_FOUND;
}

static BerthSearchResult solveDeeper(BerthSearch *search, Part part) {
  if (search->result != BERTH_SEARCH_FOUND)
    return search->result;
  ++search->depth;
  BerthSearchResult result = berthSearchSolve(search, part.lower, part.upper);
  --search->depth;
  return result;
}

static uint64_t *savedNogood(BerthSearch *search) {
  return search->savedNogoods + search->depth * search->words;
}

// Places the item and solves the rest. On failure `nogood` is in terms of the
// state before, which is restored.
static BerthSearchResult tryPlacing(BerthSearch *search, Part part,
                                    uint32_t item) {
  BerthSearchMark mark = berthSearchGetMark(search);
  int64_t offset = search->minimums[item] * search->unit;
  if (!berthSearchIsPinned(search, item)) // else there is no other way
    berthProofPlace(search->proof, item, offset);
  BerthSearchResult result = BERTH_SEARCH_REFUTED;
  if (berthSearchPlace(search, item))
    result = solveDeeper(search, part);
  else
    berthProofFail(search->proof);
  if (result == BERTH_SEARCH_REFUTED) {
    ++search->failures;
    berthSearchBlame(search, mark, item);
  }
  if (result != BERTH_SEARCH_FOUND)
    berthSearchUndo(search, mark);
  return result;
}

static BerthSearchResult trySkipping(BerthSearch *search, Part part,
                                     uint32_t item) {
  BerthSearchMark mark = berthSearchGetMark(search);
  BerthSearchResult result = BERTH_SEARCH_REFUTED;
  if (berthSearchSkip(search, item))
    result = solveDeeper(search, part);
  else
    berthProofFail(search->proof);
  if (result == BERTH_SEARCH_REFUTED)
    berthSearchBlame(search, mark, item);
  if (result != BERTH_SEARCH_FOUND)
    berthSearchUndo(search, mark);
  return result;
}

static bool tookPart(const BerthSearch *search, uint32_t item) {
  return berthBitTest(search->nogood, item);
}

// A decision that had no part in the failure of one of its branches is jumped
// over; in a log that branch then stands for the whole node.
static BerthSearchResult branch(BerthSearch *search, Part part, uint32_t item) {
  size_t bytes = search->words * sizeof *search->nogood;
  if (berthSearchIsPinned(search, item))
    return tryPlacing(search, part, item);
  // Nothing holds it up here, which goes without saying in a log.
  if (search->minimums[item] > search->bases[item])
    return trySkipping(search, part, item);
  size_t begin = berthProofBegin(search->proof);
  BerthSearchResult result = tryPlacing(search, part, item);
  if (result != BERTH_SEARCH_REFUTED)
    return result;
  if (!tookPart(search, item)) {
    berthProofErase(search->proof, begin, begin + 1);
    return result;
  }
  memcpy(savedNogood(search), search->nogood, bytes);
  berthProofSkip(search->proof, item, search->minimums[item] * search->unit);
  size_t other = berthProofBegin(search->proof);
  result = trySkipping(search, part, item);
  if (result != BERTH_SEARCH_REFUTED)
    return result;
  if (!tookPart(search, item)) {
    berthProofErase(search->proof, begin, other);
    return result;
  }
  const uint64_t *saved = savedNogood(search);
  for (size_t w = 0; w < search->words; ++w)
    search->nogood[w] |= saved[w];
  return result;
}

// Solves several parts; one that cannot be solved condemns them all.
static BerthSearchResult solveParts(BerthSearch *search, Part whole) {
  BerthSearchMark mark = berthSearchGetMark(search);
  Part part;
  while (nextPart(search, whole.lower, whole.upper, &part)) {
    size_t begin = berthProofBegin(search->proof);
    BerthSearchResult result =
        solveDeeper(search, hardestPart(search, whole, part));
    if (result != BERTH_SEARCH_REFUTED)
      berthProofForget(search->proof, begin);
    if (result == BERTH_SEARCH_FOUND)
      continue;
    berthSearchUndo(search, mark);
    return result;
  }
  return BERTH_SEARCH_FOUND;
}

static uint32_t pickNext(BerthSearch *search, Part part) {
  if (search->config.lowest)
    return pickLowest(search, part.lower, part.upper);
  return pickItem(search, pickSection(search, part.lower, part.upper));
}

// Solves what nothing joins to anything else.
static BerthSearchResult solvePart(BerthSearch *search, Part part) {
  int64_t before = search->leastExcess;
  if (berthSearchIsRefuted(search, part.lower, part.upper))
    return BERTH_SEARCH_REFUTED;
  search->leastExcess = INT64_MAX; // of this part alone
  BerthSearchResult result = branch(search, part, pickNext(search, part));
  if (result == BERTH_SEARCH_REFUTED && search->result == BERTH_SEARCH_FOUND)
    berthSearchNoteRefuted(search, part.lower, part.upper, search->leastExcess);
  if (before < search->leastExcess)
    search->leastExcess = before;
  return result;
}

BerthSearchResult berthSearchSolve(BerthSearch *search, uint32_t lower,
                                   uint32_t upper) {
  Part whole = {lower, upper}, part, second;
  if (!nextPart(search, lower, upper, &part))
    return BERTH_SEARCH_FOUND;
  if (nextPart(search, part.upper, upper, &second))
    return solveParts(search, whole);
  if (!enterNode(search))
    return search->result;
  return solvePart(search, part);
}
