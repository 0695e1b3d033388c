//===- BarrierSteps.c - Bytes against barriers ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The pairs that no barrier can separate are kept apart; the rest is
//   packed
//      as if barriers were free: the least bytes there are.
//   2. The cheapest barriers that make this plan right are found (Cuts.c).
//   3. For sets of these barriers, from none (but those that a buffer in a loop
//      needs to be placed at all) to all, the best plan is made and
//      the barriers that it really needs are found: a step each, with a price
//      and bytes.
//   4. The cheapest step that is good enough is taken: one that fits the
//      capacity, or reaches as many of the sizes worth reaching as the least
//      bytes do, or else the least bytes themselves.
//
// Of few barriers every set is tried. Of many only the cheapest one, the two
// cheapest, and so on.
//
//===----------------------------------------------------------------------===//

#include "IR/BarrierSteps.h"

#include <stdlib.h>
#include <string.h>

/// Up to so many barriers every set of them is tried: 2^5 plans.
enum { kMaxForAllSets = 5 };

/// A set of barriers of the least plan: the first `length` of them, cheapest
/// first, or those whose bits are set.
typedef struct Step {
  uint32_t members;
  size_t length;
  int64_t price;
} Step;

typedef struct Steps {
  BerthJob *job;
  const BerthHazards *hazards;
  const bool *joined; ///< pairs that need a barrier
  const bool *apart;  ///< pairs that no barrier can separate
  bool *needed;       ///< barriers that every plan has, as flags per node
  uint32_t *order;    ///< the least plan's barriers, cheapest first
  size_t count;
  Step *steps; ///< by price; the last one has all barriers
  size_t numSteps;
  int64_t least; ///< bytes of the least plan
} Steps;

//===----------------------------------------------------------------------===//
// The barriers that a plan needs
//===----------------------------------------------------------------------===//

static bool *newFlags(size_t count) {
  bool *flags = calloc(count + 1, sizeof *flags);
  if (!flags)
    abort();
  return flags;
}

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
  BerthPair *pairs = malloc((n * n + n + 1) * sizeof *pairs);
  if (!pairs)
    abort();
  for (size_t x = 0; x < n; ++x) {
    if (berthHazardsOverlapItself(hazards, x, NULL))
      pairs[count++] = (BerthPair){(uint32_t)x, (uint32_t)x};
    for (size_t y = x + 1; joined && y < n; ++y)
      if (joined[x * n + y] && shareBytes(job, x, y))
        pairs[count++] = (BerthPair){(uint32_t)x, (uint32_t)y};
  }
  bool *cuts = newFlags(hazards->graph.numNodes);
  berthFindCuts(hazards, pairs, count, cuts);
  free(pairs);
  return cuts;
}

/// The chosen nodes, cheap ones first, then as the code goes.
static size_t orderCuts(const BerthHazards *hazards, const bool *cuts,
                        uint32_t *order) {
  size_t count = 0;
  for (uint32_t n = 0; n < hazards->graph.numNodes; ++n) {
    if (!cuts[n])
      continue;
    int64_t price = berthCutPrice(hazards, n);
    size_t k = count++;
    for (; k > 0 && berthCutPrice(hazards, order[k - 1]) > price; --k)
      order[k] = order[k - 1];
    order[k] = n;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static bool allSetsTried(const Steps *steps) {
  return steps->count <= kMaxForAllSets;
}

static bool isMember(const Steps *steps, const Step *step, size_t barrier) {
  return allSetsTried(steps) ? step->members >> barrier & 1
                             : barrier < step->length;
}

static int compareSteps(const void *left, const void *right) {
  const Step *a = left, *b = right;
  if (a->price != b->price)
    return a->price < b->price ? -1 : 1;
  if (a->length != b->length)
    return a->length < b->length ? -1 : 1;
  return a->members < b->members ? -1 : a->members > b->members;
}

static void listSteps(Steps *steps) {
  size_t count = steps->count;
  steps->numSteps = allSetsTried(steps) ? (size_t)1 << count : count + 1;
  steps->steps = BERTH_ARENA_NEW(&steps->job->memory, Step, steps->numSteps);
  for (size_t s = 0; s < steps->numSteps; ++s) {
    Step *step = &steps->steps[s];
    *step = (Step){.members = (uint32_t)s, .length = s};
    size_t length = 0;
    for (size_t i = 0; i < count; ++i)
      if (isMember(steps, step, i)) {
        step->price += berthCutPrice(steps->hazards, steps->order[i]);
        ++length;
      }
    step->length = length;
  }
  qsort(steps->steps, steps->numSteps, sizeof *steps->steps, compareSteps);
}

/// The best plan with the step's barriers.
static void packStep(const Steps *steps, const Step *step) {
  if (step->length == steps->count) {
    berthPackApart(steps->job, steps->apart, 0);
    return;
  }
  size_t numNodes = steps->hazards->graph.numNodes;
  bool *cuts = newFlags(numNodes);
  memcpy(cuts, steps->needed, numNodes);
  for (size_t i = 0; i < steps->count; ++i)
    cuts[steps->order[i]] |= isMember(steps, step, i);
  bool *joined = berthHazardsJoined(steps->hazards, cuts);
  berthJoinUnordered(steps->job, joined);
  berthPackApart(steps->job, joined, 0);
  free(joined);
  free(cuts);
}

/// What the plan at hand costs and needs.
static BerthCurvePoint pointOfPlan(const Steps *steps) {
  BerthCurvePoint point = {.bytes = steps->job->plan.peak};
  bool *cuts = cheapestCuts(steps->hazards, steps->joined);
  for (uint32_t n = 0; n < steps->hazards->graph.numNodes; ++n)
    if (cuts[n]) {
      ++point.barriers;
      point.cost += berthCutPrice(steps->hazards, n);
    }
  free(cuts);
  return point;
}

static bool isNoBetter(const BerthCurvePoint *a, const BerthCurvePoint *b) {
  return a->cost >= b->cost && a->bytes >= b->bytes;
}

/// Keeps the curve to points of which none is as cheap and as small as another,
/// by rising cost.
static void addToCurve(BerthJob *job, BerthCurvePoint point) {
  size_t kept = 0;
  for (size_t i = 0; i < job->curveLength; ++i)
    if (isNoBetter(&point, &job->curve[i]))
      return;
  for (size_t i = 0; i < job->curveLength; ++i)
    if (!isNoBetter(&job->curve[i], &point))
      job->curve[kept++] = job->curve[i];
  size_t k = kept++;
  for (; k > 0 && job->curve[k - 1].cost > point.cost; --k)
    job->curve[k] = job->curve[k - 1];
  job->curve[k] = point;
  job->curveLength = kept;
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

static bool isGoodEnough(const Steps *steps, int64_t bytes) {
  const BerthArenaOptions *options = steps->job->options;
  if (options->capacity && bytes > options->capacity)
    return false;
  if (options->numOccupancy)
    return berthSizesReached(options, bytes) >=
           berthSizesReached(options, steps->least);
  return options->capacity || bytes <= steps->least;
}

/// Makes the plans of all steps; the best of those that are good enough, or the
/// last step where none is. Fails as packing does.
static size_t chooseStep(Steps *steps) {
  BerthJob *job = steps->job;
  size_t best = steps->numSteps;
  BerthCurvePoint bestPoint = {0};
  for (size_t s = 0; s < steps->numSteps; ++s) {
    packStep(steps, &steps->steps[s]);
    if (job->status != BERTH_SUCCESS)
      return s;
    BerthCurvePoint point = pointOfPlan(steps);
    addToCurve(job, point);
    bool isBetter =
        best == steps->numSteps || point.cost < bestPoint.cost ||
        (point.cost == bestPoint.cost && point.bytes < bestPoint.bytes);
    if (!isBetter || !isGoodEnough(steps, point.bytes))
      continue;
    best = s;
    bestPoint = point;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static bool planFits(const BerthJob *job) {
  return job->status == BERTH_SUCCESS &&
         (job->plan.status == BERTH_PLAN_OPTIMAL ||
          job->plan.status == BERTH_PLAN_FEASIBLE);
}

/// Keeps the plan at hand and the barriers that make it right.
static void settle(const Steps *steps) {
  BerthJob *job = steps->job;
  const BerthFlowGraph *graph = &steps->hazards->graph;
  bool *cuts = cheapestCuts(steps->hazards, steps->joined);
  job->numBarriers = 0;
  job->barriers =
      BERTH_ARENA_NEW(&job->memory, MlirOperation, graph->numNodes + 1);
  for (uint32_t n = 0; n < graph->numNodes; ++n)
    if (cuts[n])
      job->barriers[job->numBarriers++] = graph->nodes[n].gapEnd;
  free(cuts);
}

/// The least plan stands; finds the steps on the way to it and takes one.
static void takeSteps(Steps *steps) {
  BerthJob *job = steps->job;
  steps->least = job->plan.peak;
  steps->order =
      BERTH_ARENA_NEW(&job->memory, uint32_t, steps->hazards->graph.numNodes);
  bool *cuts = cheapestCuts(steps->hazards, steps->joined);
  steps->count = orderCuts(steps->hazards, cuts, steps->order);
  free(cuts);
  steps->needed = cheapestCuts(steps->hazards, NULL);
  listSteps(steps);
  job->curve = BERTH_ARENA_NEW(&job->memory, BerthCurvePoint, steps->numSteps);
  size_t best = chooseStep(steps);
  bool isLast = best + 1 == steps->numSteps;
  if (job->status == BERTH_SUCCESS && best == steps->numSteps)
    // Only the search that knew the capacity found a plan within it.
    berthPackApart(job, steps->apart, job->options->capacity);
  else if (job->status == BERTH_SUCCESS && !isLast)
    packStep(steps, &steps->steps[best]);
  free(steps->needed);
  if (job->status == BERTH_SUCCESS)
    settle(steps);
}

void berthPackInserting(const BerthHazards *hazards) {
  BerthJob *job = hazards->job;
  bool *joined = berthHazardsJoined(hazards, NULL);
  bool *apart = berthHazardsJoined(hazards, hazards->isCuttable);
  berthJoinUnordered(job, apart);
  berthPackApart(job, apart, job->options->capacity);
  // Within a capacity the first plan that fits need not be the least one.
  if (job->options->capacity && planFits(job))
    berthPackApart(job, apart, 0);
  Steps steps = {
      .job = job, .hazards = hazards, .joined = joined, .apart = apart};
  if (planFits(job))
    takeSteps(&steps);
  free(joined);
  free(apart);
}
