//===- PricedCuts.c - Which cuts to buy -----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Choices/PricedCuts.h"

#include "Pack/Choices/CutSets.h"
#include "Pack/Choices/HardEdges.h"
#include "Pack/Choices/Pools.h"
#include "Pack/Improve/Settle.h"
#include "Pack/Incumbent/Inner.h"
#include "Pack/Task/Edges.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"
#include "Support/Random.h"
#include "Support/Sort.h"

#include <string.h>

// A question gets so many steps, and where that is not enough for some, all get
// so many times more. One about more cuts than a set that is refuted has may
// take so many times what that took.
enum {
  kQuickSteps = 1 << 15,
  kFirstSteps = 1 << 20,
  kMoreSteps = 4,
  kRounds = 2,
  kGrowSteps = 4,
  kLeastGrowSteps = 1 << 10,
  kMostDoubts = 2
};

/// What became of a set of cuts.
typedef enum Verdict { VERDICT_FITS, VERDICT_REFUTED, VERDICT_UNKNOWN } Verdict;

/// What a plan has to reach.
typedef struct Goal {
  int64_t height;   ///< of one pool
  int64_t poolCost; ///< of several
  int64_t peak;     ///< the same
} Goal;

typedef struct CutSearch {
  BerthIncumbent *incumbent;
  const BerthTask *task;
  BerthSolve solve;
  BerthMemory arena;
  const uint32_t *order; ///< of the cuts, dearest first
  uint64_t limit;        ///< steps of a question; 0: all there are
  uint8_t *bought;       ///< the set in question
  uint64_t spent;        ///< steps of the last question
  int64_t lowerBound;    ///< proven for that set
  BerthBound bound;      ///< why
  uint32_t *boundItems;  ///< room for those of `bound`
  BerthProofLog proof;   ///< of that bound, where a log is wanted
  BerthScore score;      ///< of its best plan, without cuts that do nothing
  bool settled;          ///< proven: with that set there is no better one
  BerthCutSets refuted;
  BerthProofLog *trees; ///< why, where a log is wanted
  size_t room;
} CutSearch;

//===---------------------------------------------------------------------===//
// The cuts that a plan needs
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

// Returns the cuts that a whole plan can do without as it stands.
static void returnNeedless(const CutSearch *search, BerthAnswer *answer) {
  const BerthTask *task = search->task;
  for (uint32_t k = 0; k < task->numCuts; ++k) {
    uint8_t *bought = &answer->cutsBought[search->order[k]];
    if (!*bought || task->cuts[search->order[k]].price == 0)
      continue;
    *bought = 0;
    if (!isValid(task, answer))
      *bought = 1;
  }
}

//===---------------------------------------------------------------------===//
// A set of cuts
//===---------------------------------------------------------------------===//

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

// What the solution for the set in question says.
static Verdict learn(CutSearch *search, BerthInner *part) {
  BerthIncumbent *outer = search->incumbent, *inner = &part->incumbent;
  if (inner->complete) {
    returnNeedless(search, &part->answer);
    berthIncumbentOffer(outer, &part->answer);
    inner->score.price = berthScoreAnswer(search->task, &part->answer).price;
  }
  outer->stopped |= berthHostState(outer->host)->stopped;
  search->spent = part->slice.steps;
  search->lowerBound = inner->lowerBound;
  keepReason(search, &inner->bound);
  search->score = inner->score;
  search->settled = inner->infeasible || isBest(inner);
  berthIncumbentWriteTree(inner, &search->proof);
  return inner->infeasible ? VERDICT_REFUTED
         : fits(inner)     ? VERDICT_FITS
                           : VERDICT_UNKNOWN;
}

// The best plan, placed anew for the set in question: most cuts can be given
// back without another order.
static void settleBest(const CutSearch *search, BerthInner *part) {
  const BerthIncumbent *outer = search->incumbent;
  BerthAnswer candidate;
  if (!outer->complete || search->task->numPools > 1)
    return;
  if (!berthIncumbentCandidate(&part->incumbent, &part->arena, &candidate))
    return; // the arena knows
  memcpy(candidate.offsets, outer->answer->offsets,
         part->task.numItems * sizeof *candidate.offsets);
  memcpy(candidate.cutsBought, search->bought, part->task.numCuts);
  berthOfferSettled(&part->incumbent, &part->slice.host, NULL, &candidate);
}

// Solves with the set in question bought; with a `height`, only asks whether it
// fits below it.
static Verdict trySet(CutSearch *search, int64_t height) {
  BerthIncumbent *outer = search->incumbent;
  BerthInner part = {0};
  BerthTask *rest = &part.task;
  BerthClash clash;
  Verdict verdict = VERDICT_REFUTED;
  search->lowerBound = INT64_MAX;
  search->proof.count = 0;
  search->settled = true;
  search->spent = 0;
  bool ready =
      berthHardenEdges(search->task, search->bought, &part.arena, rest,
                       &clash) &&
      (!height || limitHeight(rest, height, &part.arena)) &&
      berthInnerBegin(&part, berthHostState(outer->host), search->limit);
  if (ready) {
    memcpy(part.answer.cutsBought, search->bought, rest->numCuts);
    if (height)
      settleBest(search, &part);
    if (!clash.atOdds)
      search->solve(&part.incumbent);
    else if (berthPoolsCanHandle(rest))
      berthImproveByPools(&part.incumbent, &part.slice.host, search->solve);
    verdict = learn(search, &part);
  } else if (!part.arena.failed) {
    berthProofFail(&search->proof); // pins, or a group, say no
  }
  outer->failed |= !berthInnerEnd(&part);
  return verdict;
}

// Is its best plan, in several pools, as good as wanted?
static Verdict compare(const CutSearch *search, const Goal *goal) {
  const BerthScore *score = &search->score;
  if (score->poolCost <= goal->poolCost && score->peak <= goal->peak)
    return VERDICT_FITS;
  return search->settled ? VERDICT_REFUTED : VERDICT_UNKNOWN;
}

// As good as wanted? Of several pools that takes the best plan.
static Verdict askBought(CutSearch *search, const Goal *goal) {
  bool one = search->task->numPools == 1;
  if (one && goal->height == 0) { // items are larger than that
    search->proof.count = 0;
    berthProofFail(&search->proof);
    return VERDICT_REFUTED;
  }
  Verdict verdict = trySet(search, one ? goal->height : 0);
  if (one || verdict != VERDICT_FITS)
    return verdict;
  return compare(search, goal);
}

static void choose(CutSearch *search, uint64_t set) {
  for (uint32_t c = 0; c < search->task->numCuts; ++c)
    search->bought[c] = (uint8_t)(set >> c & 1);
}

static Verdict ask(CutSearch *search, uint64_t set, const Goal *goal) {
  choose(search, set);
  return askBought(search, goal);
}

//===---------------------------------------------------------------------===//
// What is refuted
//===---------------------------------------------------------------------===//

static bool isOver(const CutSearch *search) {
  return search->incumbent->stopped || search->incumbent->failed;
}

// The set in question is, as `search->proof` says, which is left empty.
static void keepRefuted(CutSearch *search, uint64_t set) {
  BerthIncumbent *incumbent = search->incumbent;
  size_t at = search->refuted.count;
  if (!berthCutSetsRefute(&search->refuted, set) ||
      !berthMemoryReserve(&search->arena, &search->trees, &search->room,
                          at + 1)) {
    incumbent->failed = true;
    return;
  }
  search->trees[at] = search->proof;
  search->proof = (BerthProofLog){.numbers = search->task->rowNumbers};
}

// The same with as many cuts more as can be, cheap ones first: so what it takes
// to have another set is dear.
static uint64_t growRefuted(CutSearch *search, uint64_t set, const Goal *goal) {
  uint64_t limit = search->limit;
  uint64_t most = kGrowSteps * search->spent + kLeastGrowSteps;
  search->limit = !limit || most < limit ? most : limit;
  for (uint32_t k = search->task->numCuts; k-- > 0 && !isOver(search);) {
    uint64_t more = set | UINT64_C(1) << search->order[k];
    if (more == set)
      continue;
    BerthProofLog tree = search->proof;
    search->proof = (BerthProofLog){.numbers = search->task->rowNumbers};
    bool refuted = ask(search, more, goal) == VERDICT_REFUTED;
    if (refuted)
      set = more;
    berthProofFree(refuted ? &tree : &search->proof);
    if (!refuted)
      search->proof = tree;
  }
  search->limit = limit;
  return set;
}

// Is every set at this price, or below, refuted?
static bool allRefuted(const CutSearch *search, int64_t most) {
  uint64_t set;
  return berthCutSetsCheapest(&search->refuted, most, &set) ==
         BERTH_CHEAPEST_NONE;
}

// Says one that was refuted later the same?
static bool isNeedless(const CutSearch *search, size_t at) {
  const BerthCutSets *sets = &search->refuted;
  for (size_t k = at + 1; k < sets->count; ++k)
    if (!(sets->refuted[at] & ~sets->refuted[k]))
      return true;
  return false;
}

// A refutation of plans at this height and price by all that is known.
static void writeRefuted(CutSearch *search, int64_t height, int64_t price) {
  BerthProofLog *book = &search->incumbent->book;
  if (!search->task->proofFile || search->task->numPools > 1 || height < 0 ||
      price < 0)
    return;
  berthProofRefute(book, height, price, INT64_MAX);
  for (size_t k = 0; k < search->refuted.count; ++k) {
    uint64_t set = search->refuted.refuted[k];
    if (isNeedless(search, k))
      continue;
    berthProofCase(book, set == search->refuted.all ? BERTH_ALL_CUTS : set);
    berthProofAppend(book, &search->trees[k]);
  }
}

//===---------------------------------------------------------------------===//
// Set after set
//===---------------------------------------------------------------------===//

/// What is known, or could not be decided, within some steps a question.
typedef struct Pass {
  BerthCutSets sets; ///< refuted, or doubtful
  unsigned doubts;
  BerthCutSets fits; ///< the cuts that are not bought of sets that will do
} Pass;

static bool beginPass(CutSearch *search, Pass *pass) {
  bool kept = true;
  *pass = (Pass){.sets = berthCutSetsOf(search->task, &search->arena),
                 .fits = berthCutSetsOf(search->task, &search->arena)};
  for (size_t k = 0; k < search->refuted.count; ++k)
    kept &= berthCutSetsRefute(&pass->sets, search->refuted.refuted[k]);
  search->incumbent->failed |= !kept;
  return kept;
}

// The set in question will not do, or nobody knows.
static void passOver(CutSearch *search, Pass *pass, uint64_t set,
                     Verdict verdict, const Goal *goal) {
  if (verdict == VERDICT_REFUTED) {
    set = growRefuted(search, set, goal);
    keepRefuted(search, set);
  } else {
    ++pass->doubts;
  }
  search->incumbent->failed |= !berthCutSetsRefute(&pass->sets, set);
}

// Asks only what is not known: more cuts than will do will do, fewer than will
// not will not, and are harder to decide.
static bool willDo(CutSearch *search, Pass *pass, uint64_t set,
                   const Goal *goal) {
  uint64_t all = pass->sets.all;
  if (berthCutSetsHave(&pass->fits, all & ~set))
    return true;
  if (berthCutSetsHave(&pass->sets, set))
    return false;
  Verdict verdict = ask(search, set, goal);
  bool fits = verdict == VERDICT_FITS;
  if (verdict == VERDICT_REFUTED)
    keepRefuted(search, set);
  search->incumbent->failed |=
      fits ? !berthCutSetsRefute(&pass->fits, all & ~set)
           : !berthCutSetsRefute(&pass->sets, set);
  return fits;
}

// From all cuts, gives back one after the other as long as the rest will do,
// dear ones first, but for what chance has to say.
static void giveBack(CutSearch *search, Pass *pass, const Goal *goal,
                     uint64_t *random) {
  uint32_t numCuts = search->task->numCuts;
  uint64_t set = pass->sets.all, left = set & ~pass->sets.free;
  while (left && !isOver(search)) {
    uint32_t next = 0;
    for (uint32_t k = 0; k < numCuts; ++k)
      if (left >> search->order[k] & 1) {
        next = search->order[k];
        if (!*random || berthNextRandom(random) % 4)
          break;
      }
    left &= ~(UINT64_C(1) << next);
    if (willDo(search, pass, set & ~(UINT64_C(1) << next), goal))
      set &= ~(UINT64_C(1) << next);
  }
}

// Is the best plan as good as wanted?
static bool isReached(const CutSearch *search, const Goal *goal) {
  const BerthIncumbent *incumbent = search->incumbent;
  const BerthScore *score = &incumbent->score;
  if (!incumbent->complete || score->excess > 0)
    return false;
  return search->task->numPools == 1 ? score->peak <= goal->height
                                     : score->poolCost <= goal->poolCost;
}

// Asks about the cheapest sets that are left until one will do, or none is
// cheaper than that of the best plan.
static void buyLeast(CutSearch *search, Pass *pass, const Goal *goal) {
  unsigned most = pass->doubts + kMostDoubts;
  while (!isOver(search) && pass->doubts < most) {
    bool reached = isReached(search, goal);
    int64_t below = reached ? search->incumbent->score.price - 1 : INT64_MAX;
    uint64_t set;
    if (berthCutSetsCheapest(&pass->sets, below, &set) != BERTH_CHEAPEST_FOUND)
      return;
    Verdict verdict = ask(search, set, goal);
    if (verdict == VERDICT_FITS) // none that is left is cheaper
      return;
    passOver(search, pass, set, verdict, goal);
  }
}

// What is better than the best plan at its price.
static Goal lower(const CutSearch *search) {
  const BerthScore *best = &search->incumbent->score;
  return (Goal){best->peak - 1, best->poolCost, best->peak - 1};
}

// Is there no other one left at this price?
static bool isLastSet(CutSearch *search, Pass *pass, uint64_t set,
                      int64_t price) {
  uint64_t other;
  search->incumbent->failed |= !berthCutSetsRefute(&pass->sets, set);
  bool last =
      berthCutSetsCheapest(&pass->sets, price, &other) == BERTH_CHEAPEST_NONE;
  pass->sets.count -= pass->sets.count > 0;
  return last;
}

// Asks about sets that cost no more than the best plan's until none is left
// that may have a lower peak.
static void lowerPeak(CutSearch *search, Pass *pass) {
  BerthIncumbent *incumbent = search->incumbent;
  bool one = search->task->numPools == 1;
  while (!isOver(search) && pass->doubts < kMostDoubts) {
    int64_t price = incumbent->score.price;
    uint64_t set, limit = search->limit;
    if (berthCutSetsCheapest(&pass->sets, price, &set) != BERTH_CHEAPEST_FOUND)
      return;
    set = berthCutSetsFill(&pass->sets, set, price);
    choose(search, set);
    search->limit = isLastSet(search, pass, set, price) ? 0 : limit;
    Verdict verdict = trySet(search, 0);
    search->limit = limit;
    Goal goal = lower(search);
    if (one && search->lowerBound > goal.height)
      verdict = VERDICT_REFUTED;
    else if (!one && verdict == VERDICT_FITS)
      verdict = compare(search, &goal);
    passOver(search, pass, set, verdict, &goal);
  }
}

//===---------------------------------------------------------------------===//
// Level by level
//===---------------------------------------------------------------------===//

static bool isLast(const CutSearch *search, uint64_t limit) {
  return isOver(search) || limit > UINT64_MAX / kMoreSteps ||
         limit >= berthHostRemaining(berthHostState(search->incumbent->host));
}

// Gives back one cut after the other as long as the rest will do: for more cuts
// than a word has bits. True: each was decided.
static bool giveBackOnce(CutSearch *search, const Goal *goal) {
  const BerthAnswer *answer = search->incumbent->answer;
  uint32_t numCuts = search->task->numCuts;
  bool decided = true;
  memcpy(search->bought, answer->cutsBought, numCuts);
  for (uint32_t k = 0; k < numCuts && !isOver(search); ++k) {
    uint8_t *bought = &search->bought[search->order[k]];
    if (!*bought || search->task->cuts[search->order[k]].price == 0)
      continue;
    *bought = 0;
    Verdict verdict = askBought(search, goal);
    decided &= verdict != VERDICT_UNKNOWN;
    *bought = verdict != VERDICT_FITS;
  }
  return decided;
}

static void giveBackMany(CutSearch *search, const Goal *goal) {
  search->limit = kQuickSteps;
  while (!giveBackOnce(search, goal) && !isLast(search, search->limit))
    search->limit *= kMoreSteps;
}

// Most of what is not needed goes back within a few steps each, before anything
// is asked that takes long.
static void giveBackQuickly(CutSearch *search, const Goal *goal) {
  uint64_t random = 0;
  Pass pass;
  search->limit = kQuickSteps;
  if (beginPass(search, &pass))
    giveBack(search, &pass, goal, &random);
}

// The least price at which the goal is reached. Proven? What has been given
// back in one order, and in others, bounds it from above.
static bool settlePrice(CutSearch *search, const Goal *goal) {
  BerthIncumbent *incumbent = search->incumbent;
  uint64_t random = 0;
  giveBackQuickly(search, goal);
  for (uint64_t limit = kFirstSteps;; limit *= kMoreSteps) {
    Pass pass;
    search->limit = limit;
    if (!beginPass(search, &pass))
      return false;
    for (unsigned round = 0; round < kRounds; ++round, ++random) {
      buyLeast(search, &pass, goal);
      int64_t price = incumbent->score.price;
      if (isReached(search, goal) && allRefuted(search, price - 1)) {
        writeRefuted(search, goal->height, price - 1);
        return true;
      }
      giveBack(search, &pass, goal, &random);
    }
    if (isLast(search, limit))
      return false;
  }
}

// The least peak at that price. Proven? At first without asking about prices.
static bool settlePeak(CutSearch *search) {
  BerthIncumbent *incumbent = search->incumbent;
  Goal goal = lower(search);
  search->limit = kFirstSteps;
  if (ask(search, search->refuted.all, &goal) == VERDICT_REFUTED)
    keepRefuted(search, search->refuted.all);
  for (uint64_t limit = kFirstSteps;; limit *= kMoreSteps) {
    Pass pass;
    search->limit = limit;
    if (!beginPass(search, &pass))
      return false;
    lowerPeak(search, &pass);
    int64_t price = incumbent->score.price;
    if (allRefuted(search, price)) {
      writeRefuted(search, incumbent->score.peak - 1, price);
      return true;
    }
    if (isLast(search, limit))
      return false;
  }
}

// The levels after what all cuts together reach, which is `goal`, and whether
// there is no better one. Is all settled?
static bool settleLevels(CutSearch *search, const Goal *goal, bool best) {
  BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = search->task;
  uint32_t *levels = &incumbent->answer->provenLevels;
  bool several = task->numPools > 1;
  if (!settlePrice(search, goal) || (several && !best))
    return false;
  *levels |= BERTH_LEVEL_PRICE | (several ? BERTH_LEVEL_POOL_COST : 0u);
  if (!several && !(task->capacity && task->minimize))
    return true;
  if (!settlePeak(search))
    return false;
  *levels |= BERTH_LEVEL_PEAK;
  return true;
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
        !berthPinsAllow(task, task->poolMasks, &task->pricedEdges[e]))
      berthBuyCheapest(&task->pricedEdges[e], task->cuts, search->bought);
  search->limit = 0;
  trySet(search, 0);
}

//===---------------------------------------------------------------------===//
// All of it
//===---------------------------------------------------------------------===//

// What is proven with all cuts bought holds for all sets of them.
static void writeWithAll(CutSearch *search, int64_t height) {
  BerthProofLog *book = &search->incumbent->book;
  berthProofRefute(book, height, INT64_MAX, INT64_MAX);
  berthProofCase(book, BERTH_ALL_CUTS);
  berthProofAppend(book, &search->proof);
}

// Where fitting is enough nothing is asked about peaks below the capacity, and
// a plan that meets the bound is proven by it alone.
static void raiseWithAll(CutSearch *search) {
  BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = search->task;
  bool inBook = (!task->capacity || !task->minimize) && task->numPools == 1;
  if (task->proofFile && !inBook)
    return;
  if (task->proofFile && search->lowerBound > 0)
    writeWithAll(search, search->lowerBound - 1);
  berthIncumbentRaise(incumbent, search->lowerBound, &search->bound);
}

// Not even all cuts together will do, however many there are.
static void failWithAll(CutSearch *search) {
  search->incumbent->infeasible = true;
  if (search->task->proofFile && search->task->numPools == 1)
    writeWithAll(search, search->task->capacity);
}

// With all cuts bought the peak, or pool cost and peak, are the least there
// are. Where that comes first most of the steps are for it.
static Verdict tryAll(CutSearch *search) {
  const BerthTask *task = search->task;
  uint64_t left = berthHostRemaining(berthHostState(search->incumbent->host));
  memset(search->bought, 1, task->numCuts);
  search->limit = left - left / 8;
  return trySet(search, task->capacity);
}

static void buy(CutSearch *search) {
  BerthIncumbent *incumbent = search->incumbent;
  const BerthTask *task = search->task;
  Verdict withAll = tryAll(search);
  bool best = search->settled;
  if (withAll == VERDICT_REFUTED) {
    failWithAll(search);
    return;
  }
  raiseWithAll(search);
  Goal goal = {task->capacity ? task->capacity : incumbent->peak,
               search->score.poolCost, INT64_MAX};
  bool settled = false;
  if (task->numCuts <= kBerthMaxCuts)
    settled = settleLevels(search, &goal, best);
  else
    giveBackMany(search, &goal);
  if (!settled)
    tryForced(search);
}

void berthImproveByCuts(BerthIncumbent *incumbent, BerthSolve solve) {
  const BerthTask *task = incumbent->task;
  CutSearch search = {.incumbent = incumbent, .task = task, .solve = solve};
  search.proof.numbers = task->rowNumbers;
  search.bought = BERTH_MEMORY_NEW(&search.arena, uint8_t, task->numCuts);
  search.boundItems = BERTH_MEMORY_NEW(&search.arena, uint32_t, task->numItems);
  search.order = sortCuts(task, &search.arena);
  if (task->numCuts <= kBerthMaxCuts)
    search.refuted = berthCutSetsOf(task, &search.arena);
  incumbent->failed |= search.arena.failed;
  if (!search.arena.failed)
    buy(&search);
  for (size_t k = 0; k < search.refuted.count; ++k)
    berthProofFree(&search.trees[k]);
  berthProofFree(&search.proof);
  berthMemoryFree(&search.arena);
}
