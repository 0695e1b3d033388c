//===- WitnessTest.c - The buffers of a bound need what it says ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../AddBuffer.h"
#include "../BruteForce.h"
#include "../RandomProblem.h"

enum { kMostBuffers = 8, kNumReasons = BERTH_BOUND_STATED + 1 };

/// The buffers that a bound names, as a problem of their own.
typedef struct Part {
  BerthProblemData data;
  BerthBuffer buffers[kMostBuffers];
  BerthEdge edges[64];
  BerthDistance distances[64];
  uint32_t newIndex[kMostBuffers]; ///< UINT32_MAX: left out
} Part;

static bool isKept(const Part *part, uint32_t first, uint32_t second) {
  return part->newIndex[first] != UINT32_MAX &&
         part->newIndex[second] != UINT32_MAX;
}

static void takePart(Part *part, const BerthProblemData *whole,
                     const BerthPlan *plan) {
  *part = (Part){.data = *whole};
  part->data.buffers = part->buffers;
  part->data.edges = part->edges;
  part->data.distances = part->distances;
  part->data.numBuffers = part->data.numEdges = part->data.numDistances = 0;
  for (uint32_t i = 0, k = 0; i < whole->numBuffers; ++i) {
    bool named = !plan->numBoundBuffers ||
                 (k < plan->numBoundBuffers && plan->boundBuffers[k] == i);
    k += named;
    part->newIndex[i] = UINT32_MAX;
    if (!named)
      continue;
    part->newIndex[i] = (uint32_t)part->data.numBuffers;
    part->buffers[part->data.numBuffers++] = whole->buffers[i];
  }
  for (size_t e = 0; e < whole->numEdges; ++e) {
    BerthEdge edge = whole->edges[e];
    if (!isKept(part, edge.first, edge.second))
      continue;
    edge.first = part->newIndex[edge.first];
    edge.second = part->newIndex[edge.second];
    part->edges[part->data.numEdges++] = edge;
  }
  for (size_t d = 0; d < whole->numDistances; ++d) {
    BerthDistance distance = whole->distances[d];
    if (!isKept(part, distance.first, distance.second))
      continue;
    distance.first = part->newIndex[distance.first];
    distance.second = part->newIndex[distance.second];
    part->distances[part->data.numDistances++] = distance;
  }
}

// All of them live within the times, if the buffers are named.
static void checkTimes(const BerthProblemData *data, const BerthPlan *plan) {
  assert_true(plan->boundFrom < plan->boundTo);
  for (size_t k = 0; k < plan->numBoundBuffers; ++k) {
    const BerthBuffer *buffer = &data->buffers[plan->boundBuffers[k]];
    assert_true(k == 0 || plan->boundBuffers[k - 1] < plan->boundBuffers[k]);
    bool live = buffer->group != BERTH_NONE; // another one of it is
    for (size_t s = 0; s < buffer->numSegments; ++s)
      live |= buffer->segments[s].lower < plan->boundTo &&
              plan->boundFrom < buffer->segments[s].upper;
    assert_true(live);
  }
}

static void compare(const BerthProblemData *data, const char *packer,
                    unsigned *seen) {
  BerthPackOptions options = {.packer = packer, .steps = 20000};
  BerthPlan plan;
  BerthError error = {{0}, 0, 0};
  if (berthPack(data, &options, &plan, &error))
    return; // the packer cannot handle it
  // Without a capacity, and with all cuts bought, as the bound has it.
  Part part;
  takePart(&part, data, &plan);
  part.data.capacity = 0;
  uint32_t cuts = (1u << data->numCuts) - 1;
  if (brutePeak(&part.data, cuts, plan.lowerBound - 1) >= 0)
    fail_msg("%s: %zu buffers do not need %lld, as is said with reason %d",
             packer, plan.numBoundBuffers, (long long)plan.lowerBound,
             plan.boundReason);
  checkTimes(data, &plan);
  if (plan.boundReason == BERTH_BOUND_LOAD)
    assert_int_equal(plan.lowerBound, plan.load);
  ++seen[plan.boundReason];
  berthPlanFree(&plan);
}

static void testRandomProblems(void **state) {
  (void)state;
  const uint32_t all = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS |
                       BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED |
                       BERTH_CAN_HARD_EDGES | BERTH_CAN_PRICED_EDGES |
                       BERTH_CAN_RESERVED | BERTH_CAN_GROUPS |
                       BERTH_CAN_CAPACITY | BERTH_CAN_DISTANCES;
  static const char *const kPackers[] = {"auto", "exact", "local-search",
                                         "first-fit"};
  unsigned seen[kNumReasons] = {0};
  for (uint64_t seed = 1; seed <= randomCount(12000); ++seed) {
    BerthProblem *problem = seededProblem(
        seed, (RandomShape){.maxBuffers = 6,
                            .maxTime = seed % 2 ? 7 : 3,
                            .maxSize = seed % 3 ? 4 : 7,
                            .features = randomFeatures(seed, all)});
    const BerthProblemData *data = berthProblemGetData(problem);
    const char *packer = kPackers[seed % 8 < 5 ? 0 : seed % 8 - 4];
    if (data->numBuffers && data->numBuffers <= kMostBuffers &&
        data->numEdges <= 64 && data->numDistances <= 64 &&
        berthProblemCheck(data, NULL, NULL) == BERTH_SUCCESS)
      compare(data, packer, seen);
    berthProblemDestroy(problem);
  }
  // Search comes to its end before the others have anything to say.
  for (int r = BERTH_BOUND_LOAD; r <= BERTH_BOUND_ORDER; ++r)
    if (!seen[r])
      fail_msg("reason %d was never given", r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testRandomProblems)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
