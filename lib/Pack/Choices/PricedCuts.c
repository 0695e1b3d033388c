//===- PricedCuts.c - Which cuts to buy -----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PricedCuts.h"

#include "Pack/Choices/Pools.h"
#include "Pack/Task/Edges.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <string.h>

enum { kMaxEnumerated = 8 };

/// What became of a set of cuts.
typedef enum Verdict { VERDICT_FITS, VERDICT_REFUTED, VERDICT_UNKNOWN } Verdict;

typedef struct CutSearch {
  BerthIncumbent *incumbent;
  const BerthTask *task;
  BerthSolve solve;
  uint8_t *bought;      ///< the set in question
  int64_t lowerBound;   ///< proven for that set
  BerthBound bound;     ///< why
  uint32_t *boundItems; ///< room for those of `bound`
  BerthProofLog proof;  ///< of that bound, where a log is wanted
  BerthScore score;     ///< of its best plan
  bool settled;         ///< proven: with that set there is no better one
} CutSearch;

//===---------------------------------------------------------------------===//
// The task that remains
//===---------------------------------------------------------------------===//

// Inserts `partner` into the ascending list at `list`, unless it is there.
static void insertPartner(uint32_t *list, uint32_t *count, uint32_t partner) {
  uint32_t at = *count;
  for (; at > 0 && list[at - 1] > partner; --at)
    ;
  if (at > 0 && list[at - 1] == partner)
    return;
  memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
  list[at] = partner;
  ++*count;
}

// Can the pins stand in these pools, given that this edge holds?
static bool pinsAllow(const BerthTask *task, const uint64_t *pools,
                      const BerthEdge *edge) {
  int64_t a = task->fixedOffsets[edge->first];
  int64_t b = task->fixedOffsets[edge->second];
  uint64_t first = pools[edge->first], second = pools[edge->second];
  bool onePool = first == second && !(first & (first - 1));
  if (edge->first == edge->second)
    return false;
  return a == BERTH_NONE || b == BERTH_NONE || !onePool ||
         a + task->sizes[edge->first] <= b ||
         b + task->sizes[edge->second] <= a;
}

bool berthHardenEdges(const BerthTask *task, const uint8_t *bought,
                      BerthMemory *arena, BerthTask *rest, BerthClash *clash) {
  uint32_t n = task->numItems;
  size_t most = task->hardBegin[n] + 2 * (size_t)task->numPricedEdges;
  uint32_t *begin = BERTH_MEMORY_NEW(arena, uint32_t, n + 1);
  uint32_t *partners = BERTH_MEMORY_NEW(arena, uint32_t, most + 1);
  *rest = *task;
  *clash = (BerthClash){0};
  if (arena->failed)
    return false;
  for (uint32_t i = 0, at = 0; i < n; ++i) {
    uint32_t count = task->hardBegin[i + 1] - task->hardBegin[i];
    begin[i] = at;
    memcpy(partners + at, task->hardEdges + task->hardBegin[i],
           count * sizeof *partners);
    for (uint32_t e = 0; e < task->numPricedEdges; ++e) {
      const BerthEdge *edge = &task->pricedEdges[e];
      if ((edge->first != i && edge->second != i) ||
          berthEdgeIsFree(edge, bought))
        continue;
      if (!pinsAllow(task, task->allowedPools, edge)) {
        clash->edge = edge;
        return false;
      }
      clash->atOdds |= !pinsAllow(task, task->poolMasks, edge);
      insertPartner(partners + at, &count,
                    edge->first == i ? edge->second : edge->first);
    }
    begin[i + 1] = at += count;
  }
  rest->hardBegin = begin;
  rest->hardEdges = partners;
  rest->features |= begin[n] ? BERTH_CAN_HARD_EDGES : 0u;
  rest->features &= ~(uint32_t)BERTH_CAN_PRICED_EDGES;
  rest->numPricedEdges = 0;
  return true;
}

// Asks for a peak of at most `height` instead of the capacity; one pool only.
static bool limitHeight(BerthTask *rest, int64_t height, BerthMemory *arena) {
  BerthPool *pool =
      berthMemoryCopy(arena, rest->pools, rest->numPools, sizeof *rest->pools);
  if (!pool)
    return false;
  pool->capacity = height;
  rest->pools = pool;
  rest->capacity = height;
  rest->features |= BERTH_CAN_CAPACITY;
  rest->minimize = false;
  return true;
}

static bool fits(const BerthIncumbent *inner) {
  return inner->complete && inner->score.excess == 0;
}

// Is there no better pool cost, and no better peak at that cost?
static bool isBest(const BerthIncumbent *inner) {
  return inner->settled ||
         (fits(inner) && inner->score.poolCost == inner->leastPoolCost &&
          inner->peak == inner->lowerBound);
}

// Why the bound of the set in question holds, which dies with its incumbent.
static void keepReason(CutSearch *search, const BerthBound *why) {
  search->bound = *why;
  search->bound.items = search->boundItems;
  if (why->numItems)
    memcpy(search->boundItems, why->items,
           why->numItems * sizeof *search->boundItems);
}

// Solves with the set in question bought; with a `height`, only asks whether it
// fits below it.
static Verdict trySet(CutSearch *search, int64_t height) {
  BerthIncumbent *outer = search->incumbent, inner;
  BerthMemory arena = {0};
  BerthTask rest;
  BerthClash clash;
  BerthHostState slice;
  BerthAnswer answer;
  Verdict verdict = VERDICT_REFUTED;
  search->lowerBound = INT64_MAX;
  search->proof.count = 0;
  search->settled = true;
  bool ready =
      berthHardenEdges(search->task, search->bought, &arena, &rest, &clash) &&
      (!height || limitHeight(&rest, height, &arena)) &&
      berthAnswerInit(&answer, &rest, &arena);
  if (arena.failed)
    outer->failed = true;
  if (ready) {
    memcpy(answer.cutsBought, search->bought, rest.numCuts);
    berthHostSlice(&slice, berthHostState(outer->host), &rest, &arena, 0);
    berthIncumbentInit(&inner, &rest, &slice.host, &answer);
    if (!clash.atOdds)
      search->solve(&inner);
    else if (berthPoolsCanHandle(&rest))
      berthImproveByPools(&inner, inner.host, search->solve);
    if (inner.complete)
      berthIncumbentOffer(outer, &answer);
    outer->failed |= inner.failed || slice.failed;
    outer->stopped |= slice.stopped;
    search->lowerBound = inner.lowerBound;
    keepReason(search, &inner.bound);
    search->score = inner.score;
    search->settled = inner.infeasible || isBest(&inner);
    berthIncumbentWriteTree(&inner, &search->proof);
    berthProofFree(&inner.proof);
    verdict = inner.infeasible ? VERDICT_REFUTED
              : fits(&inner)   ? VERDICT_FITS
                               : VERDICT_UNKNOWN;
  } else if (!arena.failed) {
    berthProofFail(&search->proof); // pins, or a group, say no
  }
  berthMemoryFree(&arena);
  return verdict;
}

//===---------------------------------------------------------------------===//
// Giving back
//===---------------------------------------------------------------------===//

static bool sharesBytes(const BerthTask *task, const BerthAnswer *answer,
                        const BerthEdge *edge) {
  uint32_t i = edge->first, j = edge->second;
  return answer->pools[i] == answer->pools[j] &&
         answer->offsets[i] < answer->offsets[j] + task->sizes[j] &&
         answer->offsets[j] < answer->offsets[i] + task->sizes[i];
}

static bool isValid(const BerthTask *task, const BerthAnswer *answer) {
  for (uint32_t e = 0; e < task->numPricedEdges; ++e)
    if (!berthEdgeIsFree(&task->pricedEdges[e], answer->cutsBought) &&
        sharesBytes(task, answer, &task->pricedEdges[e]))
      return false;
  return true;
}

// The cuts, dearest first.
static uint32_t *sortCuts(const BerthTask *task, BerthMemory *arena) {
  BerthSorting sorting;
  if (!berthSortingInit(&sorting, task->numCuts, arena))
    return NULL;
  for (uint32_t c = 0; c < task->numCuts; ++c)
    sorting.keys[c] = berthKeyDescending(task->cuts[c].price);
  return berthSort(&sorting);
}

// Returns the cuts that the best plan can do without as it stands.
static void returnNeedless(BerthIncumbent *incumbent, const uint32_t *order) {
  const BerthTask *task = incumbent->task;
  BerthAnswer *answer = incumbent->answer;
  if (!incumbent->complete)
    return;
  for (uint32_t k = 0; k < task->numCuts; ++k) {
    uint8_t *bought = &answer->cutsBought[order[k]];
    if (!*bought || task->cuts[order[k]].price == 0)
      continue;
    *bought = 0;
    if (!isValid(task, answer))
      *bought = 1;
  }
  incumbent->score = berthScoreAnswer(task, answer);
}

// Gives back one cut after the other as long as the rest still fits.
static void giveBack(CutSearch *search, const uint32_t *order, int64_t height) {
  BerthIncumbent *incumbent = search->incumbent;
  uint32_t numCuts = search->task->numCuts;
  memcpy(search->bought, incumbent->answer->cutsBought, numCuts);
  for (uint32_t k = 0; k < numCuts && !incumbent->stopped; ++k) {
    uint8_t *bought = &search->bought[order[k]];
    if (!*bought || search->task->cuts[order[k]].price == 0)
      continue;
    *bought = 0;
    if (trySet(search, height) != VERDICT_FITS)
      *bought = 1;
  }
  returnNeedless(incumbent, order);
}

//===---------------------------------------------------------------------===//
// All sets
//===---------------------------------------------------------------------===//

static uint32_t *sortSets(const BerthTask *task, BerthMemory *arena) {
  BerthSorting sorting;
  if (!berthSortingInit(&sorting, 1u << task->numCuts, arena))
    return NULL;
  for (uint32_t set = 0; set < sorting.count; ++set)
    sorting.keys[set] = (uint64_t)berthTaskPriceOf(task, set);
  return berthSort(&sorting);
}

static void chooseSet(CutSearch *search, uint32_t set) {
  for (uint32_t c = 0; c < search->task->numCuts; ++c)
    search->bought[c] = (uint8_t)(set >> c & 1);
}

// Adds what was said about the set in question to the book.
static void addCase(CutSearch *search, uint32_t set) {
  BerthProofLog *book = &search->incumbent->book;
  if (!search->task->proofFile)
    return;
  berthProofCase(book, set);
  berthProofAppend(book, &search->proof);
}

// Among the sets of this price, the smallest peak. Was it proven? The book ends
// with why cheaper ones do not fit, from `begin` on.
static bool minimizeAtPrice(CutSearch *search, const uint32_t *sets,
                            int64_t price, size_t begin) {
  const BerthTask *task = search->task;
  BerthProofLog *book = task->proofFile ? &search->incumbent->book : NULL;
  int64_t least = INT64_MAX;
  size_t end = berthProofBegin(book);
  berthProofRefute(book, 0, price, INT64_MAX);
  for (size_t k = begin + kBerthRefuteLines; book && !book->failed && k < end;
       ++k)
    berthProofAppend(book,
                     &(BerthProofLog){.lines = &book->lines[k], .count = 1});
  for (uint32_t k = 0; k < 1u << task->numCuts; ++k) {
    if (berthTaskPriceOf(task, sets[k]) != price)
      continue;
    chooseSet(search, sets[k]);
    trySet(search, 0);
    addCase(search, sets[k]);
    least = search->lowerBound < least ? search->lowerBound : least;
  }
  if (search->incumbent->peak != least || least == 0)
    berthProofForget(book, end);
  else if (book && !book->failed)
    book->lines[end].number = least - 1;
  return search->incumbent->peak == least;
}

// Says of the refutation [begin, end) that it is one of lower prices than this
// one, if there are any.
static void closeRefutation(BerthProofLog *book, size_t begin, size_t end,
                            int64_t price) {
  if (price == 0)
    berthProofErase(book, begin, end);
  else if (book && !book->failed)
    book->lines[begin + 1].number = price - 1;
}

// Asks set after set, cheap ones first. The price is proven if all cheaper ones
// are refuted.
static void enumerate(CutSearch *search, const uint32_t *sets, int64_t height) {
  BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = search->task;
  BerthProofLog *book = task->proofFile ? &incumbent->book : NULL;
  bool proven = true;
  size_t begin = berthProofBegin(book);
  berthProofRefute(book, height, INT64_MAX, INT64_MAX);
  for (uint32_t k = 0; k < 1u << task->numCuts && !incumbent->stopped; ++k) {
    chooseSet(search, sets[k]);
    Verdict verdict = trySet(search, height);
    proven &= verdict != VERDICT_UNKNOWN;
    if (verdict == VERDICT_REFUTED)
      addCase(search, sets[k]);
    if (verdict != VERDICT_FITS)
      continue;
    if (!proven) {
      berthProofForget(book, begin);
      return;
    }
    incumbent->answer->provenLevels |= BERTH_LEVEL_PRICE;
    int64_t price = berthTaskPriceOf(task, sets[k]);
    size_t end = berthProofBegin(book);
    if (task->capacity && task->minimize &&
        minimizeAtPrice(search, sets, price, begin))
      incumbent->answer->provenLevels |= BERTH_LEVEL_PEAK;
    closeRefutation(book, begin, end, price);
    return;
  }
  if (proven && task->capacity && !incumbent->stopped)
    incumbent->infeasible = true; // not even with all of them
  else
    berthProofForget(book, begin);
}

//===---------------------------------------------------------------------===//
// With several pools
//===---------------------------------------------------------------------===//

// With all cuts bought pool cost and peak, at that cost, are the least there
// are. Asks set after set, cheap ones first, up to those of the first price at
// which the cost, and where it comes first the peak, is no more.
static void enumerateWithPools(CutSearch *search, const uint32_t *sets) {
  BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = search->task;
  bool priceFirst = task->features & BERTH_CAN_CAPACITY;
  bool proven = search->settled, reached = false;
  BerthScore least = search->score;
  int64_t price = INT64_MAX;
  for (uint32_t k = 0; k < 1u << task->numCuts && !incumbent->stopped; ++k) {
    if (reached && berthTaskPriceOf(task, sets[k]) > price)
      break;
    chooseSet(search, sets[k]);
    Verdict verdict = trySet(search, 0);
    proven &= search->settled;
    if (verdict != VERDICT_FITS || search->score.poolCost != least.poolCost ||
        (!priceFirst && search->score.peak != least.peak))
      continue;
    reached = true;
    price = berthTaskPriceOf(task, sets[k]);
  }
  if (proven && reached && !incumbent->stopped)
    incumbent->answer->provenLevels |=
        BERTH_LEVEL_POOL_COST | BERTH_LEVEL_PEAK | BERTH_LEVEL_PRICE;
}

//===---------------------------------------------------------------------===//
// What pins force
//===---------------------------------------------------------------------===//

// As few cuts as there can be: what costs nothing and what pins force. This is
// what a packer sees that cannot buy, so its plans are among those tried here.
static void tryForced(CutSearch *search) {
  const BerthTask *task = search->task;
  for (uint32_t c = 0; c < task->numCuts; ++c)
    search->bought[c] = task->cuts[c].price == 0;
  for (uint32_t e = 0; e < task->numPricedEdges; ++e)
    if (!berthEdgeIsFree(&task->pricedEdges[e], search->bought) &&
        !pinsAllow(task, task->poolMasks, &task->pricedEdges[e]))
      berthBuyCheapest(&task->pricedEdges[e], task->cuts, search->bought);
  trySet(search, 0);
}

// What is proven with all cuts bought holds for all sets of them.
static void raiseWithAll(CutSearch *search) {
  BerthIncumbent *incumbent = search->incumbent;
  if (search->task->proofFile && search->lowerBound > 0) {
    berthProofRefute(&incumbent->book, search->lowerBound - 1, INT64_MAX,
                     INT64_MAX);
    berthProofCase(&incumbent->book, UINT32_MAX);
    berthProofAppend(&incumbent->book, &search->proof);
  }
  berthIncumbentRaise(incumbent, search->lowerBound, &search->bound);
}

void berthImproveByCuts(BerthIncumbent *incumbent, BerthSolve solve) {
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  CutSearch search = {.incumbent = incumbent, .task = task, .solve = solve};
  search.bought = BERTH_MEMORY_NEW(&arena, uint8_t, task->numCuts);
  search.boundItems = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
  uint32_t *cuts = sortCuts(task, &arena);
  uint32_t *sets =
      task->numCuts <= kMaxEnumerated ? sortSets(task, &arena) : NULL;
  incumbent->failed |= arena.failed;
  if (!arena.failed) {
    memset(search.bought, 1, task->numCuts);
    Verdict withAll = trySet(&search, 0);
    if (!task->capacity && task->numPools == 1)
      raiseWithAll(&search);
    int64_t height = task->capacity ? task->capacity : incumbent->peak;
    returnNeedless(incumbent, cuts);
    bool all = sets && (task->numPools == 1 || withAll == VERDICT_FITS);
    if (task->numPools > 1 && withAll == VERDICT_REFUTED)
      incumbent->infeasible = true;
    else if (all && task->numPools > 1)
      enumerateWithPools(&search, sets);
    else if (all)
      enumerate(&search, sets, height);
    else
      giveBack(&search, cuts, task->numPools == 1 ? height : 0);
    if (!all || incumbent->stopped)
      tryForced(&search);
  }
  berthProofFree(&search.proof);
  berthMemoryFree(&arena);
}
