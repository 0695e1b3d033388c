//===- ExactTest.c - Exact packing against brute force -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What `exact` proves must be true: on tiny problems of every kind the status
// is optimal or infeasible, and the peak is the one brute force finds.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../BruteForce.h"
#include "../RandomProblem.h"
#include "Pack/Search/Search.h"
#include "Pack/Task/Host.h"
#include "Pack/Task/Normalize.h"

static void describe(const BerthProblemData *problem) {
  print_error("capacity %lld\n", (long long)problem->capacity);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *b = &problem->buffers[i];
    print_error("b%zu size %lld align %lld fixed %lld group %lld:", i,
                (long long)b->size, (long long)b->alignment,
                (long long)b->fixedOffset, (long long)b->group);
    for (size_t s = 0; s < b->numSegments; ++s)
      print_error(" %lld-%lld", (long long)b->segments[s].lower,
                  (long long)b->segments[s].upper);
    for (size_t s = 0; s < b->numGaps; ++s)
      print_error(" gap %lld-%lld@%lld:%lld", (long long)b->gaps[s].lower,
                  (long long)b->gaps[s].upper,
                  (long long)b->gaps[s].windowLower,
                  (long long)b->gaps[s].windowUpper);
    print_error("\n");
  }
  for (size_t e = 0; e < problem->numEdges; ++e)
    print_error("edge %u %u\n", problem->edges[e].first,
                problem->edges[e].second);
  for (size_t r = 0; r < problem->numReserved; ++r)
    print_error("reserved %lld-%lld\n", (long long)problem->reserved[r].lower,
                (long long)problem->reserved[r].upper);
}

static bool agrees(const BerthPlan *plan, int64_t least, int64_t capacity) {
  if (least < 0) // out of reach of brute force
    return true;
  if (capacity && least > capacity)
    return plan->status == BERTH_PLAN_INFEASIBLE;
  return plan->status == BERTH_PLAN_OPTIMAL && plan->peak == least &&
         plan->lowerBound == least;
}

static void compare(const BerthProblemData *data, const char *packer) {
  BerthPackOptions options = {.packer = packer, .minimize = true};
  BerthPlan plan;
  BerthError error;
  if (berthPack(data, &options, &plan, &error))
    fail_msg("%s", error.message);
  int64_t least = brutePeak(data, 0, kBruteBytes);
  if (!agrees(&plan, least, data->capacity)) {
    describe(data);
    fail_msg("%s: status %d, peak %lld, bound %lld; brute force: %lld", packer,
             (int)plan.status, (long long)plan.peak, (long long)plan.lowerBound,
             (long long)least);
  }
  berthPlanFree(&plan);
}

// Problems whose features are all those in `mask` that the seed turns on.
static void compareMany(uint64_t from, uint64_t count, uint32_t mask,
                        const char *packer) {
  for (uint64_t seed = from; seed < from + randomCount(count); ++seed) {
    BerthProblem *problem = seededProblem(
        seed, (RandomShape){.maxBuffers = seed % 8 ? 5 : 6,
                            .maxTime = 7,
                            .maxSize = seed % 8 ? 4 : 5,
                            .features = randomFeatures(seed, mask)});
    const BerthProblemData *data = berthProblemGetData(problem);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      compare(data, packer);
    berthProblemDestroy(problem);
  }
}

enum {
  kPlain = BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT | BERTH_CAN_HARD_EDGES |
           BERTH_CAN_CAPACITY | BERTH_CAN_GROUPS,
  kAll = kPlain | BERTH_CAN_GAPS | BERTH_CAN_FIXED | BERTH_CAN_RESERVED |
         BERTH_CAN_HINTS | BERTH_CAN_DISTANCES
};

static void testPlainProblems(void **state) {
  (void)state;
  compareMany(0, 60000, kPlain, "exact");
}

static void testAllFeatures(void **state) {
  (void)state;
  compareMany(100000, 60000, kAll, "exact");
}

// Each way to go through the tree finds a plan at the least peak, and refutes
// what is one unit lower.
static void tryEach(const BerthTask *task, int64_t least, BerthMemory *memory) {
  const BerthPackOptions options = {0};
  BerthHostState host;
  berthHostInit(&host, task, memory, 0, &options);
  BerthSearch *search = berthSearchCreate(task, &host.host, NULL, memory);
  search->weights = BERTH_MEMORY_NEW(memory, double, search->numSections);
  berthSearchForget(search);
  for (unsigned way = 0; way < 20; ++way) {
    BerthSearchConfig config = {.rank = (BerthRankRule)(way / 4),
                                .lastConflict = way % 2,
                                .lowest = way / 2 % 2};
    assert_int_equal(berthSearchRun(search, least, config, way, UINT64_MAX),
                     BERTH_SEARCH_FOUND);
    assert_int_equal(
        berthSearchRun(search, least - search->unit, config, way, UINT64_MAX),
        BERTH_SEARCH_REFUTED);
    assert_int_equal(berthSearchBound(search), least);
  }
}

static void testConfigurations(void **state) {
  (void)state;
  unsigned tried = 0;
  for (uint64_t seed = 400000; seed < 400000 + randomCount(20000); ++seed) {
    BerthProblem *problem = seededProblem(
        seed,
        (RandomShape){.maxBuffers = 6,
                      .maxTime = 7,
                      .maxSize = 5,
                      .features = BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT |
                                  BERTH_CAN_HARD_EDGES | BERTH_CAN_FIXED |
                                  BERTH_CAN_RESERVED});
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthMemory memory = {0};
    BerthReduction reduction;
    int64_t least = -1;
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      least = brutePeak(data, 0, kBruteBytes);
    if (least > 0 && berthNormalize(data, ~0u, &memory, &reduction) == 0 &&
        berthSearchCanHandle(&reduction.task)) {
      tryEach(&reduction.task, least, &memory);
      ++tried;
    }
    berthMemoryFree(&memory);
    berthProblemDestroy(problem);
  }
  assert_true(tried > randomCount(20000) / 4);
}

/// A search that remembers what it has refuted, and one that does not.
typedef struct Two {
  BerthSearch *remembering;
  BerthSearch *forgetful;
  bool known; ///< neither ran into its limit
} Two;

// At one height, in one order. True: it fits.
static bool fitsFor(Two *two, int64_t height, BerthRankRule rank) {
  BerthSearchConfig config = {.rank = rank, .lastConflict = rank % 2};
  BerthSearchResult results[2];
  BerthSearch *searches[2] = {two->forgetful, two->remembering};
  for (int k = 0; k < 2; ++k) {
    results[k] = berthSearchRun(searches[k], height, config, rank, 20000);
    if (results[k] == BERTH_SEARCH_LIMIT)
      two->known = false;
  }
  if (!two->known)
    return true;
  assert_int_equal(results[0], results[1]);
  return results[0] == BERTH_SEARCH_FOUND;
}

// Height after height, in all orders: what was refuted below, or in another
// order, is used above. No bound is above where it fits.
static unsigned climb(Two *two, const BerthTask *task) {
  int64_t bound = 0, height = task->lowerBound;
  for (;; ++height) {
    bool fits = false;
    for (int rank = BERTH_RANK_SPAN; rank <= BERTH_RANK_LOAD; ++rank) {
      fits = fitsFor(two, height, (BerthRankRule)rank);
      if (!two->known)
        return 0;
      if (fits)
        break;
      int64_t here = berthSearchBound(two->remembering);
      if (here == INT64_MAX) // nothing fits, however high
        return 0;
      bound = here > bound ? here : bound;
    }
    if (fits)
      break;
  }
  if (bound > height)
    fail_msg("a bound of %lld, but it fits at %lld", (long long)bound,
             (long long)height);
  return bound > 0;
}

static unsigned compareMemories(const BerthProblemData *data) {
  BerthMemory arena = {0};
  BerthReduction reduction;
  BerthHostState host;
  const BerthPackOptions options = {0};
  Two two = {.known = true};
  unsigned refuted = 0;
  assert_int_equal(berthNormalize(data, ~0u, &arena, &reduction), 0);
  berthHostInit(&host, &reduction.task, &arena, 0, &options);
  if (berthSearchCanHandle(&reduction.task)) {
    two.remembering =
        berthSearchCreate(&reduction.task, &host.host, NULL, &arena);
    two.forgetful =
        berthSearchCreate(&reduction.task, &host.host, NULL, &arena);
    assert_true(two.remembering && two.forgetful);
    two.remembering->rememberFrom = 1;
    refuted = climb(&two, &reduction.task);
  }
  berthMemoryFree(&arena);
  return refuted;
}

// Few sizes and times, so that much comes back in other orders, and some are
// twins.
static void testRemembering(void **state) {
  (void)state;
  unsigned refuted = 0;
  const uint32_t mask = kPlain | BERTH_CAN_FIXED | BERTH_CAN_RESERVED;
  for (uint64_t seed = 500000; seed < 500000 + randomCount(4000); ++seed) {
    BerthProblem *problem = seededProblem(
        seed, (RandomShape){.maxBuffers = 8 + (uint32_t)(seed % 7),
                            .maxTime = 4 + (int64_t)(seed % 5),
                            .maxSize = 3 + (int64_t)(seed % 4),
                            .features = randomFeatures(seed, mask)});
    const BerthProblemData *data = berthProblemGetData(problem);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      refuted += compareMemories(data);
    berthProblemDestroy(problem);
  }
  print_message("%u with something to refute\n", refuted);
  assert_true(refuted > randomCount(400));
}

// What the plain search does with pins.
static void testPins(void **state) {
  (void)state;
  compareMany(300000, 30000, kPlain | BERTH_CAN_FIXED, "exact");
}

// A problem with some more reserved ranges than the generator draws.
static BerthProblem *reservedProblem(uint64_t seed, RandomShape shape) {
  RandomSource source = randomFromSeed(seed);
  BerthProblem *problem = randomProblem(&source, &shape);
  for (int64_t k = 3; k > 0; --k) {
    BerthRange range;
    randomReserved(&source, shape.maxSize, &range);
    range.lower *= k;
    range.upper = range.lower + 1 + randomBelow(&source, shape.maxSize);
    berthProblemAddReserved(problem, range);
  }
  return problem;
}

static void testReserved(void **state) {
  (void)state;
  for (uint64_t seed = 400000; seed < 400000 + randomCount(30000); ++seed) {
    RandomShape shape = {.maxBuffers = 5,
                         .maxTime = seed % 2 ? 7 : 3,
                         .maxSize = 5,
                         .features =
                             randomFeatures(seed, kPlain | BERTH_CAN_FIXED)};
    BerthProblem *problem = reservedProblem(seed, shape);
    const BerthProblemData *data = berthProblemGetData(problem);
    if (berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      compare(data, "exact");
    berthProblemDestroy(problem);
  }
}

// A bin packing problem in all but name takes few steps nevertheless.
static void testReservedTakesFewSteps(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomShape shape = {.maxBuffers = 12, .maxTime = 12, .maxSize = 20};
    BerthProblem *problem = reservedProblem(seed, shape);
    BerthPackOptions options = {.packer = "exact", .steps = 50000};
    BerthPlan plan;
    assert_int_equal(
        berthPack(berthProblemGetData(problem), &options, &plan, NULL), 0);
    assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
}

static void testAuto(void **state) {
  (void)state;
  compareMany(200000, 20000, kAll, "auto");
}

//===---------------------------------------------------------------------===//
// Prices
//===---------------------------------------------------------------------===//

typedef struct Truth {
  int64_t peak; ///< -1: nothing fits
  int64_t price;
} Truth;

static bool isBetter(const Truth *a, const Truth *b, bool priceFirst) {
  if (b->peak < 0)
    return true;
  if (priceFirst && a->price != b->price)
    return a->price < b->price;
  if (!priceFirst && a->peak != b->peak)
    return a->peak < b->peak;
  return priceFirst ? a->peak < b->peak : a->price < b->price;
}

// Every set of cuts, each by brute force.
static Truth bruteTruth(const BerthProblemData *data) {
  Truth best = {-1, 0};
  int64_t most = data->capacity ? data->capacity : 40;
  for (uint32_t set = 0; set < 1u << data->numCuts; ++set) {
    Truth truth = {brutePeak(data, set, most < 40 ? most : 40), 0};
    for (uint32_t c = 0; c < data->numCuts; ++c)
      truth.price += set >> c & 1 ? data->cuts[c].price : 0;
    if (truth.peak >= 0 && isBetter(&truth, &best, data->capacity > 0))
      best = truth;
  }
  return best;
}

static void testPrices(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < randomCount(4000); ++seed) {
    BerthProblem *problem = seededProblem(
        seed,
        (RandomShape){.maxBuffers = 4,
                      .maxTime = 6,
                      .maxSize = 4,
                      .features = BERTH_CAN_PRICED_EDGES |
                                  (seed % 2 ? BERTH_CAN_CAPACITY : 0u) |
                                  (seed % 3 ? 0u : BERTH_CAN_HARD_EDGES)});
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPackOptions options = {.minimize = true};
    BerthPlan plan;
    if (data->numCuts > 0 && berthProblemCheck(data, NULL, NULL) == 0) {
      assert_int_equal(berthPack(data, &options, &plan, NULL), 0);
      Truth truth = bruteTruth(data);
      if (truth.peak < 0) {
        assert_true(data->capacity > 0);
        assert_int_equal(plan.status, BERTH_PLAN_INFEASIBLE);
      } else {
        assert_int_equal(plan.peak, truth.peak);
        assert_int_equal(plan.price, truth.price);
        assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
      }
      berthPlanFree(&plan);
    }
    berthProblemDestroy(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testPlainProblems),
      cmocka_unit_test(testAllFeatures),
      cmocka_unit_test(testConfigurations),
      cmocka_unit_test(testRemembering),
      cmocka_unit_test(testPins),
      cmocka_unit_test(testReserved),
      cmocka_unit_test(testReservedTakesFewSteps),
      cmocka_unit_test(testAuto),
      cmocka_unit_test(testPrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
