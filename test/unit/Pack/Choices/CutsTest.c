//===- CutsTest.c - Many cuts, and which to buy ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What auto settles about tiny problems with a dozen cuts, in one pool or two,
// within groups too, against every set of cuts. What many sets leave of the
// edges is the same, so brute force looks at that but once.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../BruteForce.h"
#include "../RandomProblem.h"
#include "berth-c/Proof.h"

#include <stdio.h>

enum { kMostEdges = 8, kMostCuts = 12 };

//===---------------------------------------------------------------------===//
// The truth
//===---------------------------------------------------------------------===//

typedef struct Truth {
  const BerthProblemData *problem;
  bool known[1 << kMostEdges];
  BruteBest best[1 << kMostEdges]; ///< by the edges that are left
} Truth;

static uint32_t edgesLeft(const BerthProblemData *problem, uint32_t set) {
  BruteForce brute = {.problem = problem, .cutsBought = set};
  uint32_t left = 0;
  for (uint32_t e = 0; e < problem->numEdges; ++e)
    if (!bruteIsBought(&brute, &problem->edges[e]))
      left |= 1u << e;
  return left;
}

static BruteBest bestWith(const BerthProblemData *problem, uint32_t set) {
  int64_t capacity = problem->capacity;
  if (problem->numPools)
    return brutePools(problem, set, false);
  int64_t most = capacity && capacity < kBruteTop ? capacity : kBruteTop;
  int64_t peak = brutePeak(problem, set, most);
  return (BruteBest){peak >= 0, 0, peak, 0};
}

static BruteBest findTruth(const BerthProblemData *problem) {
  Truth truth = {.problem = problem};
  BruteBest best = {.fits = false};
  bool priceFirst = problem->capacity || problem->numPools;
  for (uint32_t set = 0; set < 1u << problem->numCuts; ++set) {
    uint32_t left = edgesLeft(problem, set);
    if (!truth.known[left])
      truth.best[left] = bestWith(problem, set);
    truth.known[left] = true;
    BruteBest next = truth.best[left];
    for (uint32_t c = 0; c < problem->numCuts; ++c)
      next.price += set >> c & 1 ? problem->cuts[c].price : 0;
    if (bruteIsBetter(&next, &best, priceFirst))
      best = next;
  }
  return best;
}

//===---------------------------------------------------------------------===//
// Problems
//===---------------------------------------------------------------------===//

static void addEdge(RandomSource *source, uint32_t buffers, uint32_t cuts,
                    BerthProblem *problem) {
  uint32_t names[3][3];
  BerthCutSet lists[3];
  BerthEdge edge = {(uint32_t)randomBelow(source, buffers),
                    (uint32_t)randomBelow(source, buffers),
                    1 + (size_t)randomBelow(source, 3), lists};
  for (size_t a = 0; a < edge.numAlternatives; ++a) {
    lists[a] = (BerthCutSet){1 + (size_t)randomBelow(source, 3), names[a]};
    for (size_t k = 0; k < lists[a].numCuts; ++k)
      names[a][k] = (uint32_t)randomBelow(source, cuts);
  }
  if (edge.first != edge.second)
    berthProblemAddEdge(problem, &edge);
}

static BerthProblem *draw(uint64_t seed, uint32_t features) {
  RandomSource source = randomFromSeed(seed);
  RandomShape shape = {.maxBuffers = 5,
                       .maxTime = 6,
                       .maxSize = 4,
                       .features = BERTH_CAN_GROUPS | BERTH_CAN_CAPACITY |
                                   randomFeatures(seed, features)};
  BerthProblem *problem = randomProblem(&source, &shape);
  const BerthProblemData *data = berthProblemGetData(problem);
  uint32_t cuts = 9 + (uint32_t)randomBelow(&source, kMostCuts - 8);
  for (uint32_t c = 0; c < cuts; ++c) {
    BerthCut cut = {NULL, randomBelow(&source, 6)};
    berthProblemAddCut(problem, &cut);
  }
  for (uint32_t e = 0; e < kMostEdges && data->numBuffers > 1; ++e)
    addEdge(&source, (uint32_t)data->numBuffers, cuts, problem);
  return problem;
}

static bool isRight(const BerthProblemData *data, const BerthPlan *plan) {
  BruteBest truth = findTruth(data);
  return truth.fits ? plan->status == BERTH_PLAN_OPTIMAL &&
                          plan->poolCost == truth.poolCost &&
                          plan->peak == truth.peak && plan->price == truth.price
                    : plan->status == BERTH_PLAN_INFEASIBLE;
}

static void settleMany(uint64_t from, uint64_t count, uint32_t features,
                       const char *proof) {
  uint64_t settled = 0;
  for (uint64_t seed = from; seed < from + randomCount(count); ++seed) {
    BerthProblem *problem = draw(seed, features);
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPackOptions options = {.minimize = true, .proofFile = proof};
    BerthPlan plan;
    BerthError error;
    BerthStatus status = berthPack(data, &options, &plan, &error);
    if (status &&
        status != BERTH_INVALID) // what is drawn may contradict itself
      fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    if (!status && !isRight(data, &plan))
      fail_msg("seed %llu: status %d, peak %lld, price %lld",
               (unsigned long long)seed, (int)plan.status, (long long)plan.peak,
               (long long)plan.price);
    if (!status && proof && berthProofCheck(data, proof, NULL, NULL, &error))
      fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    settled += !status;
    if (!status)
      berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
  assert_true(settled > randomCount(count) / 2);
  if (proof)
    remove(proof);
}

enum {
  kFeatures = BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED |
              BERTH_CAN_RESERVED | BERTH_CAN_HINTS | BERTH_CAN_DISTANCES
};

static void testOnePool(void **state) {
  (void)state;
  settleMany(0, 2000, kFeatures, NULL);
  settleMany(100000, 1000, kFeatures, "CutsTest.log");
}

static void testPools(void **state) {
  (void)state;
  settleMany(200000, 500, kFeatures | BERTH_CAN_POOLS, NULL);
  settleMany(300000, 200, kFeatures | BERTH_CAN_POOLS, "CutsTest.log");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testOnePool),
      cmocka_unit_test(testPools),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
