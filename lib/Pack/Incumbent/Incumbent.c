//===- Incumbent.c - The best plan so far ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/Incumbent.h"

#include "Pack/Task/Host.h"
#include "Pack/Task/Task.h"
#include "Support/Checked.h"

#include <string.h>

//===---------------------------------------------------------------------===//
// Scores
//===---------------------------------------------------------------------===//

static int64_t hintDistance(const BerthTask *task, uint32_t item,
                            int64_t offset) {
  int64_t hint = task->hints[item];
  if (hint == BERTH_NONE)
    return 0;
  return berthMultiplySaturating(offset > hint ? offset - hint : hint - offset,
                                 task->weights[item]);
}

static int64_t excess(const BerthTask *task, uint32_t pool, int64_t top) {
  int64_t capacity = task->pools[pool].capacity;
  return capacity && top > capacity ? top - capacity : 0;
}

BerthScore berthScoreAnswer(const BerthTask *task, const BerthAnswer *answer) {
  BerthScore score = {0};
  int64_t peaks[64] = {0};
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t offset = answer->offsets[i], top = offset + task->sizes[i];
    uint32_t pool = answer->pools[i];
    peaks[pool] = top > peaks[pool] ? top : peaks[pool];
    score.excess = berthAddSaturating(score.excess, excess(task, pool, top));
    score.poolCost =
        berthAddSaturating(score.poolCost, berthItemPoolCost(task, i, pool));
    score.hintDistance =
        berthAddSaturating(score.hintDistance, hintDistance(task, i, offset));
  }
  for (uint32_t pool = 0; pool < task->numPools; ++pool)
    score.peak = berthAddSaturating(score.peak, peaks[pool]);
  for (uint32_t cut = 0; cut < task->numCuts; ++cut)
    if (answer->cutsBought[cut])
      score.price = berthAddSaturating(score.price, task->cuts[cut].price);
  return score;
}

bool berthScoreIsBetter(const BerthTask *task, const BerthScore *a,
                        const BerthScore *b) {
  bool priceFirst = task->features & BERTH_CAN_CAPACITY;
  const int64_t pairs[][2] = {
      {a->excess, b->excess},
      {a->poolCost, b->poolCost},
      {priceFirst ? a->price : a->peak, priceFirst ? b->price : b->peak},
      {priceFirst ? a->peak : a->price, priceFirst ? b->peak : b->price},
      {a->hintDistance, b->hintDistance}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (pairs[i][0] != pairs[i][1])
      return pairs[i][0] < pairs[i][1];
  return false;
}

//===---------------------------------------------------------------------===//
// The incumbent
//===---------------------------------------------------------------------===//

static void updateGoal(BerthIncumbent *incumbent) {
  int64_t capacity = incumbent->capacity;
  incumbent->goal = incumbent->lowerBound;
  if (!incumbent->task->minimize && capacity > incumbent->goal)
    incumbent->goal = capacity;
  if (capacity && incumbent->lowerBound > capacity)
    incumbent->infeasible = true;
}

void berthIncumbentInit(BerthIncumbent *incumbent, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer) {
  *incumbent = (BerthIncumbent){
      .task = task,
      .host = host,
      .answer = answer,
      .score = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
      .peak = INT64_MAX,
      .lowerBound = task->lowerBound,
      .capacity = task->capacity,
      .proof = {.numbers = task->rowNumbers},
      .book = {.numbers = task->rowNumbers}};
  if (task->numPools > 1)
    incumbent->leastPoolCost = berthTaskLeastCost(task);
  updateGoal(incumbent);
}

// With several pools the peak says little before what comes first is settled.
static bool isContent(const BerthIncumbent *incumbent) {
  const BerthScore *score = &incumbent->score;
  if (incumbent->settled)
    return true;
  if (!incumbent->complete)
    return false;
  if (incumbent->task->numPools > 1 &&
      (score->excess || score->poolCost > incumbent->leastPoolCost))
    return false;
  return incumbent->peak <= incumbent->goal;
}

bool berthIncumbentDone(const BerthIncumbent *incumbent) {
  return incumbent->infeasible || incumbent->stopped || incumbent->failed ||
         isContent(incumbent);
}

static void accept(BerthIncumbent *incumbent, const BerthScore *score) {
  incumbent->complete = true;
  incumbent->score = *score;
  incumbent->peak = score->peak;
  incumbent->host->report(incumbent->host->context, incumbent->answer);
}

bool berthIncumbentOffer(BerthIncumbent *incumbent, const BerthAnswer *answer) {
  const BerthTask *task = incumbent->task;
  BerthScore score = berthScoreAnswer(task, answer);
  BerthAnswer *best = incumbent->answer;
  if (incumbent->complete &&
      !berthScoreIsBetter(task, &score, &incumbent->score))
    return false;
  if (answer != best) {
    memcpy(best->offsets, answer->offsets,
           task->numItems * sizeof *best->offsets);
    memcpy(best->pools, answer->pools, task->numItems * sizeof *best->pools);
    if (task->numCuts)
      memcpy(best->cutsBought, answer->cutsBought, task->numCuts);
  }
  accept(incumbent, &score);
  return true;
}

bool berthIncumbentOfferOffsets(BerthIncumbent *incumbent,
                                const int64_t *offsets) {
  BerthAnswer answer = *incumbent->answer;
  answer.offsets = (int64_t *)offsets; // only read
  return berthIncumbentOffer(incumbent, &answer);
}

bool berthIncumbentCandidate(const BerthIncumbent *incumbent,
                             BerthMemory *arena, BerthAnswer *candidate) {
  const BerthTask *task = incumbent->task;
  if (!berthAnswerInit(candidate, task, arena))
    return false;
  if (task->numCuts)
    memcpy(candidate->cutsBought, incumbent->answer->cutsBought, task->numCuts);
  return true;
}

// The items that are named may not live as long as the incumbent does.
static void keepReason(BerthIncumbent *incumbent, const BerthBound *why) {
  const BerthHost *host = incumbent->host;
  size_t bytes = why->numItems * sizeof *why->items;
  incumbent->bound = *why;
  incumbent->bound.items = NULL;
  incumbent->bound.numItems = 0;
  if (!bytes)
    return;
  if (!incumbent->boundItems)
    incumbent->boundItems = host->allocate(
        host->context, incumbent->task->numItems * sizeof *why->items);
  if (!incumbent->boundItems) {
    incumbent->failed = true;
    return;
  }
  memcpy(incumbent->boundItems, why->items, bytes);
  incumbent->bound.items = incumbent->boundItems;
  incumbent->bound.numItems = why->numItems;
}

void berthIncumbentRaise(BerthIncumbent *incumbent, int64_t lowerBound,
                         const BerthBound *why) {
  if (lowerBound <= incumbent->lowerBound)
    return;
  incumbent->lowerBound = lowerBound;
  keepReason(incumbent, why);
  updateGoal(incumbent);
}

void berthIncumbentProve(BerthIncumbent *incumbent, int64_t lowerBound,
                         const BerthBound *why, BerthProofLog *tree) {
  if (lowerBound <= incumbent->lowerBound)
    return;
  if (incumbent->task->proofFile) {
    BerthProofLog swap = incumbent->proof;
    incumbent->proof = *tree;
    *tree = swap;
  }
  berthIncumbentRaise(incumbent, lowerBound, why);
}

// A bound that no height meets is written as one above the capacity.
int64_t berthIncumbentRefuted(const BerthIncumbent *incumbent) {
  int64_t refuted = incumbent->lowerBound - 1;
  int64_t capacity = incumbent->task->capacity;
  return capacity && refuted > capacity ? capacity : refuted;
}

void berthIncumbentWriteTree(const BerthIncumbent *incumbent,
                             BerthProofLog *book) {
  if (incumbent->proof.count)
    berthProofAppend(book, &incumbent->proof);
  else
    berthProofFail(book); // the load, a large item or a pin
}

/// No plan is below the lower bound, or whatever the book says.
static bool writeProof(BerthIncumbent *incumbent) {
  BerthHostState *host = berthHostState(incumbent->host);
  if (!incumbent->book.count) {
    berthProofRefute(&incumbent->book, berthIncumbentRefuted(incumbent),
                     INT64_MAX, INT64_MAX);
    berthProofCase(&incumbent->book, BERTH_ALL_CUTS);
    berthIncumbentWriteTree(incumbent, &incumbent->book);
  }
  host->proofStatus = berthProofWrite(
      &incumbent->book, incumbent->task->proofFile, &host->proofError);
  return host->proofStatus == BERTH_SUCCESS;
}

BerthStatus berthIncumbentFinish(BerthIncumbent *incumbent) {
  bool isDone = !incumbent->failed &&
                (!incumbent->task->proofFile || writeProof(incumbent));
  berthProofFree(&incumbent->book);
  berthProofFree(&incumbent->proof);
  BerthAnswer *answer = incumbent->answer;
  answer->lowerBound = incumbent->lowerBound;
  answer->bound = incumbent->bound;
  answer->infeasible = incumbent->infeasible;
  answer->stopped = BERTH_STOP_EXHAUSTED;
  if (incumbent->peak == incumbent->lowerBound)
    answer->stopped = BERTH_STOP_BOUND;
  else if (incumbent->peak <= incumbent->goal)
    answer->stopped = BERTH_STOP_FIT;
  return isDone ? BERTH_SUCCESS : BERTH_RESOURCE;
}
