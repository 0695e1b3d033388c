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
//   (BarrierCuts.c).
//   3. Other plans may do with fewer barriers, be they as small or larger. They
//      are searched for (BarrierSearch.c). Each plan with its barriers is a
//      step, with a price and bytes; those that no other beats in both are the
//      curve.
//   4. Where the search was given up, sets of the barriers of the least plan
//      are tried too. Of few barriers every set, of many only the cheapest one,
//      the two cheapest, and so on.
//   5. The cheapest step that is good enough is taken: one that fits the
//      capacity, or reaches as many of the sizes worth reaching as the least
//      bytes do, or else the least bytes themselves.
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/BarrierCurve.h"
#include "IR/Barriers/BarrierCuts.h"
#include "Support/Grow.h"

#include <stdlib.h>
#include <string.h>

/// Up to so many barriers every set of them is tried: 2^5 plans.
enum { kMaxForAllSets = 5 };

//===----------------------------------------------------------------------===//
// The barriers that a plan needs
//===----------------------------------------------------------------------===//

static bool shareBytes(const BerthJob *job, size_t x, size_t y) {
  int64_t a = job->plan.offsets[x], b = job->plan.offsets[y];
  const BerthBufferInfo *buffers = job->scope.buffers;
  return a < b + buffers[job->bufferOf[y]].size &&
         b < a + buffers[job->bufferOf[x]].size;
}

/// The cheapest barriers that keep the instances of each buffer apart and, with
/// `joined`, make the job's plan right, as flags per node.
static bool *cheapestCuts(const BerthHazards *hazards, const bool *joined) {
  const BerthJob *job = hazards->job;
  size_t n = job->numPlaced, count = 0;
  BerthPair *pairs = berthAllocateOrDie(n * n + n, sizeof *pairs);
  for (size_t x = 0; x < n; ++x) {
    if (berthHazardsOverlapItself(hazards, x, NULL))
      pairs[count++] = (BerthPair){(uint32_t)x, (uint32_t)x};
    for (size_t y = x + 1; joined && y < n; ++y)
      if (joined[x * n + y] && shareBytes(job, x, y))
        pairs[count++] = (BerthPair){(uint32_t)x, (uint32_t)y};
  }
  bool *cuts = berthAllocateOrDie(hazards->graph.numNodes, sizeof *cuts);
  berthFindCuts(hazards, pairs, count, cuts);
  free(pairs);
  return cuts;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool berthPlanFits(const BerthJob *job) {
  return job->status == BERTH_SUCCESS &&
         (job->plan.status == BERTH_PLAN_OPTIMAL ||
          job->plan.status == BERTH_PLAN_FEASIBLE);
}

bool berthStepsPack(const BerthSteps *steps, const bool *cuts,
                    int64_t capacity) {
  bool *joined = berthHazardsJoined(steps->hazards, cuts);
  berthJoinUnordered(steps->job, joined);
  berthPackApart(steps->job, joined, capacity);
  free(joined);
  return steps->job->status == BERTH_SUCCESS;
}

static BerthCurvePoint pointOf(const BerthSteps *steps, const bool *cuts) {
  BerthCurvePoint point = {.bytes = steps->job->plan.peak};
  for (uint32_t n = 0; n < steps->hazards->graph.numNodes; ++n)
    if (cuts[n]) {
      ++point.barriers;
      point.cost += steps->prices[n];
    }
  return point;
}

static bool isNoBetter(const BerthCurvePoint *a, const BerthCurvePoint *b) {
  return a->cost >= b->cost && a->bytes >= b->bytes;
}

static void freeStep(BerthStep *step) {
  berthPlanFree(&step->plan);
  free(step->cuts);
}

/// Keeps the curve to points of which none is as cheap and as small as another,
/// by rising cost. False if the step is not among them.
static bool addToCurve(BerthSteps *steps, BerthStep step) {
  size_t kept = 0;
  for (size_t i = 0; i < steps->length; ++i)
    if (isNoBetter(&step.point, &steps->curve[i].point))
      return false;
  for (size_t i = 0; i < steps->length; ++i)
    if (!isNoBetter(&steps->curve[i].point, &step.point))
      steps->curve[kept++] = steps->curve[i];
    else
      freeStep(&steps->curve[i]);
  steps->curve =
      berthGrow(steps->curve, kept, &steps->capacity, sizeof *steps->curve);
  size_t k = kept++;
  for (; k > 0 && steps->curve[k - 1].point.cost > step.point.cost; --k)
    steps->curve[k] = steps->curve[k - 1];
  steps->curve[k] = step;
  steps->length = kept;
  return true;
}

void berthStepsOffer(BerthSteps *steps, const bool *cuts) {
  BerthJob *job = steps->job;
  size_t numNodes = steps->hazards->graph.numNodes;
  BerthStep step = {.cuts = cheapestCuts(steps->hazards, steps->joined)};
  step.point = pointOf(steps, step.cuts);
  // They are the cheapest unless the search for them was given up.
  if (cuts && pointOf(steps, cuts).cost < step.point.cost) {
    memcpy(step.cuts, cuts, numNodes);
    step.point = pointOf(steps, cuts);
  }
  step.plan = job->plan;
  if (step.plan.peak == steps->lowerBound) {
    step.plan.status = BERTH_PLAN_OPTIMAL;
    step.plan.lowerBound = steps->lowerBound;
  }
  if (addToCurve(steps, step))
    job->plan = (BerthPlan){0};
  else
    free(step.cuts);
}

const BerthStep *berthStepsLeast(const BerthSteps *steps) {
  return &steps->curve[steps->length - 1];
}

//===----------------------------------------------------------------------===//
// Sets of the least plan's barriers
//===----------------------------------------------------------------------===//

/// The chosen nodes, cheap ones first, then as the code goes.
static size_t orderCuts(const BerthSteps *steps, const bool *cuts,
                        uint32_t *order) {
  size_t count = 0;
  for (uint32_t n = 0; n < steps->hazards->graph.numNodes; ++n) {
    if (!cuts[n])
      continue;
    size_t k = count++;
    for (; k > 0 && steps->prices[order[k - 1]] > steps->prices[n]; --k)
      order[k] = order[k - 1];
    order[k] = n;
  }
  return count;
}

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
  if (berthStepsPack(steps, cuts, 0))
    berthStepsOffer(steps, cuts);
  free(cuts);
}

/// Sets of `cuts`, flags per node.
static void trySets(BerthSteps *steps, const bool *cuts) {
  uint32_t *order = BERTH_MEMORY_NEW(&steps->job->memory, uint32_t,
                                     steps->hazards->graph.numNodes);
  size_t count = orderCuts(steps, cuts, order);
  size_t numSets = count <= kMaxForAllSets ? (size_t)1 << count : count + 1;
  bool *needed = cheapestCuts(steps->hazards, NULL);
  for (size_t s = 0; s < numSets && steps->job->status == BERTH_SUCCESS; ++s)
    offerSet(steps, needed, order, count, s);
  free(needed);
}

//===----------------------------------------------------------------------===//
// Which step is good enough
//===----------------------------------------------------------------------===//

size_t berthSizesReached(const BerthArenaOptions *options, int64_t bytes) {
  size_t count = 0;
  for (size_t i = 0; i < options->numOccupancy; ++i)
    count += bytes <= options->occupancy[i];
  return count;
}

static bool isGoodEnough(const BerthSteps *steps, int64_t bytes) {
  const BerthArenaOptions *options = steps->job->options;
  int64_t least = berthStepsLeast(steps)->point.bytes;
  if (options->capacity && bytes > options->capacity)
    return false;
  if (options->numOccupancy)
    return berthSizesReached(options, bytes) >=
           berthSizesReached(options, least);
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

static void tellCurve(const BerthSteps *steps) {
  BerthJob *job = steps->job;
  job->curve = BERTH_MEMORY_NEW(&job->memory, BerthCurvePoint, steps->length);
  job->curveLength = steps->length;
  for (size_t i = 0; i < steps->length; ++i)
    job->curve[i] = steps->curve[i].point;
}

/// Makes a step's plan and barriers the job's.
static void settle(const BerthSteps *steps, BerthStep *step) {
  BerthJob *job = steps->job;
  const BerthFlowGraph *graph = &steps->hazards->graph;
  bool *joined = berthHazardsJoined(steps->hazards, step->cuts);
  berthJoinUnordered(job, joined);
  berthKeepApart(job, joined, job->options->capacity);
  free(joined);
  berthPlanFree(&job->plan);
  job->plan = step->plan;
  step->plan = (BerthPlan){0};
  job->status = berthPlanVerify(berthProblemGetData(job->problem), &job->plan,
                                &job->error);
  job->numBarriers = 0;
  job->barriers =
      BERTH_MEMORY_NEW(&job->memory, MlirOperation, graph->numNodes + 1);
  for (uint32_t n = 0; n < graph->numNodes; ++n)
    if (step->cuts[n])
      job->barriers[job->numBarriers++] = graph->nodes[n].gapEnd;
}

/// A plan stands that fits; takes it or a better one.
static void takeSteps(BerthSteps *steps) {
  BerthJob *job = steps->job;
  steps->lowerBound = job->options->capacity ? 0 : job->plan.lowerBound;
  berthStepsOffer(steps, NULL);
  if (job->options->capacity) {
    // The first plan that fits need not be the least one.
    berthPackApart(job, steps->apart, 0);
    if (job->status != BERTH_SUCCESS)
      return;
    steps->lowerBound = job->plan.lowerBound;
    berthStepsOffer(steps, NULL);
  }
  size_t numNodes = steps->hazards->graph.numNodes;
  bool *cuts = berthAllocateOrDie(numNodes, sizeof *cuts);
  memcpy(cuts, berthStepsLeast(steps)->cuts, numNodes);
  if (!berthStepsSearch(steps) && job->status == BERTH_SUCCESS)
    trySets(steps, cuts);
  free(cuts);
  if (job->status != BERTH_SUCCESS)
    return;
  tellCurve(steps);
  settle(steps, chooseStep(steps));
}

void berthPackInserting(const BerthHazards *hazards) {
  BerthJob *job = hazards->job;
  bool *joined = berthHazardsJoined(hazards, NULL);
  bool *apart = berthHazardsJoined(hazards, hazards->isCuttable);
  int64_t *prices = berthCutPrices(hazards);
  berthJoinUnordered(job, apart);
  berthPackApart(job, apart, job->options->capacity);
  BerthSteps steps = {.job = job,
                      .hazards = hazards,
                      .prices = prices,
                      .joined = joined,
                      .apart = apart};
  if (berthPlanFits(job))
    takeSteps(&steps);
  for (size_t i = 0; i < steps.length; ++i)
    freeStep(&steps.curve[i]);
  free(steps.curve);
  free(prices);
  free(joined);
  free(apart);
}
