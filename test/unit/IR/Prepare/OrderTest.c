//===- OrderTest.c - Orders of ops against all orders ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/OrderSearch.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MaxOps = 7, MaxBuffers = 6, Rounds = 1500 };

static uint32_t state = 1;

static uint32_t below(uint32_t bound) {
  state = state * 1664525u + 1013904223u;
  return (state >> 12) % bound;
}

typedef struct Case {
  BerthOrderProblem problem;
  BerthOrderBuffer buffers[MaxBuffers];
  BerthOrderEdge edges[MaxOps * MaxOps];
  BerthOrderTouch touches[MaxOps * MaxBuffers];
  BerthOrderReuse reuses[MaxOps];
} Case;

static bool touches(const Case *one, uint32_t op, uint32_t buffer) {
  for (size_t i = 0; i < one->problem.numTouches; ++i)
    if (one->touches[i].op == op && one->touches[i].buffer == buffer)
      return true;
  return false;
}

static void draw(Case *one) {
  BerthOrderProblem *problem = &one->problem;
  *one = (Case){.problem = {.numOps = 2 + below(MaxOps - 1),
                            .numBuffers = 1 + below(MaxBuffers),
                            .buffers = one->buffers,
                            .edges = one->edges,
                            .touches = one->touches,
                            .reuses = one->reuses}};
  for (uint32_t b = 0; b < problem->numBuffers; ++b)
    one->buffers[b] =
        (BerthOrderBuffer){below(20), below(6) == 0, below(6) == 0};
  for (uint32_t op = 0; op < problem->numOps; ++op) {
    for (uint32_t after = op + 1; after < problem->numOps; ++after)
      if (below(4) == 0)
        one->edges[problem->numEdges++] = (BerthOrderEdge){op, after};
    for (uint32_t b = 0; b < problem->numBuffers; ++b)
      if (below(3) == 0)
        one->touches[problem->numTouches++] = (BerthOrderTouch){op, b};
    uint32_t x = below(problem->numBuffers), y = below(problem->numBuffers);
    if (x != y && one->buffers[x].size == one->buffers[y].size &&
        touches(one, op, x) && touches(one, op, y))
      one->reuses[problem->numReuses++] = (BerthOrderReuse){op, x, y};
  }
}

/// The first or last place in the order where the buffer is touched, or none.
static bool endsOf(const Case *one, const uint32_t *order, uint32_t buffer,
                   uint32_t *first, uint32_t *last) {
  bool isTouched = false;
  for (uint32_t i = 0; i < one->problem.numOps; ++i)
    if (touches(one, order[i], buffer)) {
      *first = isTouched ? *first : i;
      *last = i;
      isTouched = true;
    }
  return isTouched;
}

static bool isLive(const Case *one, const uint32_t *order, uint32_t buffer,
                   uint32_t place) {
  const BerthOrderBuffer *data = &one->buffers[buffer];
  uint32_t first = 0, last = 0;
  if (!endsOf(one, order, buffer, &first, &last))
    return data->isLiveIn;
  return (data->isLiveIn || first <= place) &&
         (data->isLiveOut || place <= last);
}

static bool dies(const Case *one, const uint32_t *order, uint32_t buffer,
                 uint32_t place) {
  uint32_t first = 0, last = 0;
  return endsOf(one, order, buffer, &first, &last) && last == place &&
         !one->buffers[buffer].isLiveOut;
}

static bool begins(const Case *one, const uint32_t *order, uint32_t buffer,
                   uint32_t place) {
  uint32_t first = 0, last = 0;
  return endsOf(one, order, buffer, &first, &last) && first == place &&
         !one->buffers[buffer].isLiveIn;
}

static int64_t peakOf(const Case *one, const uint32_t *order) {
  int64_t peak = 0;
  for (uint32_t b = 0; b < one->problem.numBuffers; ++b)
    peak += one->buffers[b].isLiveIn ? one->buffers[b].size : 0;
  for (uint32_t place = 0; place < one->problem.numOps; ++place) {
    int64_t load = 0;
    for (uint32_t b = 0; b < one->problem.numBuffers; ++b)
      load += isLive(one, order, b, place) ? one->buffers[b].size : 0;
    for (size_t i = 0; i < one->problem.numReuses; ++i) {
      const BerthOrderReuse *reuse = &one->reuses[i];
      if (reuse->op == order[place] &&
          dies(one, order, reuse->operand, place) &&
          begins(one, order, reuse->result, place))
        load -= one->buffers[reuse->result].size;
    }
    peak = load > peak ? load : peak;
  }
  return peak;
}

static bool isAllowed(const Case *one, const uint32_t *order) {
  uint32_t placeOf[MaxOps] = {0};
  for (uint32_t i = 0; i < one->problem.numOps; ++i)
    placeOf[order[i]] = i;
  for (size_t i = 0; i < one->problem.numEdges; ++i)
    if (placeOf[one->edges[i].before] > placeOf[one->edges[i].after])
      return false;
  return true;
}

/// The least peak of all orders whose first `fixed` places are as they are.
static int64_t leastPeak(const Case *one, uint32_t *order, uint32_t fixed) {
  if (fixed == one->problem.numOps)
    return isAllowed(one, order) ? peakOf(one, order) : INT64_MAX;
  int64_t least = INT64_MAX;
  for (uint32_t i = fixed; i < one->problem.numOps; ++i) {
    uint32_t kept = order[fixed];
    order[fixed] = order[i];
    order[i] = kept;
    int64_t peak = leastPeak(one, order, fixed + 1);
    least = peak < least ? peak : least;
    kept = order[fixed];
    order[fixed] = order[i];
    order[i] = kept;
  }
  return least;
}

static void testAgainstAllOrders(void **context) {
  (void)context;
  int rounds = Rounds;
#ifdef BERTH_TEST_SLOWLY
  rounds = 100;
#endif
  for (int round = 0; round < rounds; ++round) {
    static Case one;
    draw(&one);
    uint32_t order[MaxOps], given[MaxOps];
    for (uint32_t i = 0; i < one.problem.numOps; ++i)
      given[i] = i;
    BerthOrderResult result;
    assert_true(berthSearchOrder(&one.problem, 1000000, order, &result));
    assert_true(isAllowed(&one, order));
    assert_true(result.givenPeak == peakOf(&one, given));
    assert_true(result.peak == peakOf(&one, order));
    assert_true(result.isOptimal);
    assert_true(result.peak == leastPeak(&one, given, 0));
  }
}

/// Without steps it follows one set, and claims nothing.
static void testFewSteps(void **context) {
  (void)context;
  for (int round = 0; round < 200; ++round) {
    static Case one;
    draw(&one);
    uint32_t order[MaxOps];
    BerthOrderResult result;
    assert_true(berthSearchOrder(&one.problem, 1, order, &result));
    assert_true(isAllowed(&one, order));
    assert_true(result.peak == peakOf(&one, order));
    assert_true(result.peak <= result.givenPeak);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAgainstAllOrders),
      cmocka_unit_test(testFewSteps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
