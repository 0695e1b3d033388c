//===- BarrierCurve.c - Bytes against barriers ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The pairs that no barrier can separate are kept apart; the rest is
//      packed as if barriers were free: the least bytes there are.
//   2. The cheapest barriers that make this plan right are found
//      (BarrierCuts.c).
//   3. Other plans may do with fewer barriers, be they as small or larger. They
//      are searched for (BarrierSearch.c). Each plan with its barriers is a
//      step, with a price and bytes; those that no other beats in both are the
//      curve.
//   4. Where the search was given up, sets of the barriers of the least plan
//      are tried too. Of few barriers every set, of many some of these: only
//      the cheapest one, the two cheapest, and so on.
//   5. The cheapest step that is good enough is taken: one that fits the
//      capacity, or reaches as many of the sizes worth reaching as the least
//      bytes do, or else the least bytes themselves.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/BarrierCurve.h"
#include "IR/Barriers/BarrierCuts.h"
#include "IR/Barriers/BarrierSearch.h"
#include "IR/Barriers/PackApart.h"
#include "IR/Ops/OrDie.h"
#include "IR/Plan/Residency.h"

#include <stdlib.h>
#include <string.h>

/// Up to so many barriers every set of them is tried: 2^5 plans. No more are
/// tried where there are more barriers, and fewer of so many buffers that all
/// plans together would place more pairs of buffers than that.
enum {
  kMaxForAllSets = 5,
  kMaxSets = 1 << kMaxForAllSets,
  kMinSets = 4,
  kMaxPairs = 1 << 21
};

//===----------------------------------------------------------------------===//
// Sets of the least plan's barriers
//===----------------------------------------------------------------------===//

/// Offers the best plan with some of the barriers in `order` and those that
/// every plan needs: the first `set` of many, or of few those whose bits are
/// set.
static void offerSet(BerthSteps *steps, const bool *needed,
                     const uint32_t *order, size_t count, size_t set) {
  size_t numNodes = steps->hazards->graph.numNodes;
  bool *cuts = berthAllocateOrDie(numNodes, sizeof *cuts);
  memcpy(cuts, needed, numNodes);
  for (size_t i = 0; i < count; ++i)
    cuts[order[i]] |= count <= kMaxForAllSets ? set >> i & 1 : i < set;
  BerthPacked packed = berthStepsPack(steps, cuts, 0);
  if (packed.status == BERTH_SUCCESS)
    berthStepsOffer(steps, packed.plan, cuts);
  free(cuts);
}

static size_t mostSets(const BerthSteps *steps) {
  size_t n = steps->job->numPlaced;
  size_t sets = kMaxPairs / (n * n);
  return sets > kMaxSets ? kMaxSets : sets < kMinSets ? kMinSets : sets;
}

/// Sets of `cuts`, flags per node.
static void trySets(BerthSteps *steps, const bool *cuts) {
  uint32_t *order =
      berthAllocateOrDie(steps->hazards->graph.numNodes, sizeof *order);
  size_t count = berthGapsByPrice(steps, cuts, true, order);
  size_t numSets = count <= kMaxForAllSets ? (size_t)1 << count : count + 1;
  bool *needed = berthCheapestCuts(steps, NULL);
  size_t most = mostSets(steps);
  size_t numTries = numSets < most ? numSets : most;
  for (size_t i = 0; i < numTries && steps->status == BERTH_SUCCESS; ++i)
    offerSet(steps, needed, order, count,
             numTries == 1 ? 0 : i * (numSets - 1) / (numTries - 1));
  free(needed);
  free(order);
}

//===----------------------------------------------------------------------===//
// Which step is good enough
//===----------------------------------------------------------------------===//

static bool isGoodEnough(const BerthSteps *steps, int64_t bytes) {
  const BerthArenaOptions *options = steps->job->options;
  int64_t least = berthStepsLeast(steps)->point.bytes;
  if (options->capacity && bytes > options->capacity)
    return false;
  if (steps->job->numSizes)
    return berthSizesReached(steps->job, bytes) >=
           berthSizesReached(steps->job, least);
  return options->capacity || bytes <= least;
}

/// The least one always is.
static BerthStep *chooseStep(const BerthSteps *steps) {
  size_t i = 0;
  while (!isGoodEnough(steps, steps->curve[i].point.bytes))
    ++i;
  return &steps->curve[i];
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void tellCurve(BerthJob *job, const BerthSteps *steps) {
  job->curve = BERTH_NEW(&job->memory, BerthCurvePoint, steps->length);
  job->curveLength = steps->length;
  for (size_t i = 0; i < steps->length; ++i)
    job->curve[i] = steps->curve[i].point;
}

/// Checks a step's plan with its barriers; makes the problem that it solves.
static BerthStatus checkStep(const BerthSteps *steps, const BerthStep *step,
                             BerthProblem **problem, BerthError *error) {
  const BerthJob *job = steps->job;
  BerthJoins joins = berthHazardsJoined(steps->hazards, step->cuts);
  berthJoinUnordered(job, &joins);
  *problem = berthProblemApart(job, joins.areApart, job->options->capacity);
  BerthStatus status =
      berthPlanVerify(berthProblemGetData(*problem), &step->plan, error);
  if (status == BERTH_SUCCESS &&
      !berthPlanMisses(steps->hazards, &joins, &step->plan))
    status = berthErrorSet(
        error, BERTH_INTERNAL,
        "buffers share bytes that no barrier separates: a fault of Berth");
  berthJoinsFree(&joins);
  return status;
}

/// True if the step is right as it is, its new instances too.
static bool isRight(const BerthSteps *steps, const BerthStep *step) {
  BerthError error;
  BerthProblem *problem;
  bool right = checkStep(steps, step, &problem, &error) == BERTH_SUCCESS;
  berthProblemDestroy(problem);
  bool *selves = berthHazardsJoinedSelves(steps->hazards, step->cuts);
  for (size_t i = 0; i < steps->job->numPlaced; ++i)
    right &= !selves[i];
  free(selves);
  return right;
}

/// Takes away the fences that the step can do without, one after the other; a
/// fence alone that goes, goes with its cut.
static void spareFences(const BerthSteps *steps, BerthStep *step) {
  const BerthHazards *hazards = steps->hazards;
  bool bringsFences = hazards->hasAsync && hazards->addsFences;
  for (uint32_t n = 0; bringsFences && n < hazards->graph.numNodes; ++n) {
    if (!step->cuts[n])
      continue;
    hazards->hasNoFence[n] = true;
    hazards->hasNoFence[n] = isRight(steps, step);
  }
}

static void tellBarriers(BerthJob *job, const BerthHazards *hazards,
                         const BerthStep *step) {
  size_t count = hazards->graph.numNodes;
  bool bringsFences = hazards->hasAsync && hazards->addsFences;
  job->numBarriers = job->numFences = 0;
  job->barriers = BERTH_NEW(&job->memory, MlirOperation, count + 1);
  job->fences = BERTH_NEW(&job->memory, MlirOperation, count + 1);
  for (uint32_t n = 0; n < count; ++n) {
    if (!step->cuts[n])
      continue;
    MlirOperation end = hazards->graph.nodes[n].gapEnd;
    if (bringsFences && !hazards->hasNoFence[n])
      job->fences[job->numFences++] = end;
    if (berthCutNeedsBarrier(hazards, n))
      job->barriers[job->numBarriers++] = end;
  }
}

/// Makes a step's plan and barriers the job's.
static void settle(BerthJob *job, const BerthSteps *steps, BerthStep *step) {
  spareFences(steps, step);
  BerthProblem *problem;
  BerthPacked packed = {0};
  packed.status = checkStep(steps, step, &problem, &packed.error);
  packed.plan = step->plan;
  step->plan = (BerthPlan){0};
  berthJobTake(job, problem, packed);
  tellBarriers(job, steps->hazards, step);
}

/// Finds the steps, from a plan that fits.
static void findSteps(BerthSteps *steps, BerthPlan plan) {
  int64_t capacity = steps->job->options->capacity;
  steps->lowerBound = capacity ? 0 : plan.lowerBound;
  berthStepsOffer(steps, plan, NULL);
  if (capacity) {
    // The first plan that fits need not be the least one.
    BerthPacked packed =
        berthPackApart(steps->hazards, steps->apart, 0, berthPackJob);
    steps->status = packed.status;
    steps->error = packed.error;
    if (packed.status != BERTH_SUCCESS)
      return;
    steps->lowerBound = packed.plan.lowerBound;
    berthStepsOffer(steps, packed.plan, NULL);
  }
  size_t numNodes = steps->hazards->graph.numNodes;
  bool *cuts = berthAllocateOrDie(numNodes, sizeof *cuts);
  memcpy(cuts, berthStepsLeast(steps)->cuts, numNodes);
  if (!berthStepsSearch(steps) && steps->status == BERTH_SUCCESS)
    trySets(steps, cuts);
  free(cuts);
}

/// `apart` are the pairs that no barrier can separate.
static void packAndChoose(BerthJob *job, BerthSteps *steps) {
  int64_t capacity = job->options->capacity;
  BerthPacked packed =
      berthPackApart(steps->hazards, steps->apart, capacity, berthPackJob);
  if (!berthPackedFits(&packed)) {
    berthJobTake(job, berthProblemApart(job, steps->apart->areApart, capacity),
                 packed);
    return;
  }
  findSteps(steps, packed.plan);
  job->status = steps->status;
  job->error = steps->error;
  if (job->status != BERTH_SUCCESS)
    return;
  tellCurve(job, steps);
  settle(job, steps, chooseStep(steps));
}

void berthPackInserting(const BerthHazards *hazards) {
  BerthJob *job = hazards->job;
  BerthJoins joined = berthHazardsJoined(hazards, NULL);
  BerthJoins apart = berthHazardsJoined(hazards, hazards->isCuttable);
  bool *joinedSelves = berthHazardsJoinedSelves(hazards, NULL);
  int64_t *prices = berthCutPrices(hazards);
  berthJoinUnordered(job, &apart);
  BerthSteps steps = {.job = job,
                      .hazards = hazards,
                      .prices = prices,
                      .joined = &joined,
                      .joinedSelves = joinedSelves,
                      .apart = &apart};
  packAndChoose(job, &steps);
  berthStepsFree(&steps);
  free(prices);
  free(joinedSelves);
  berthJoinsFree(&joined);
  berthJoinsFree(&apart);
}
