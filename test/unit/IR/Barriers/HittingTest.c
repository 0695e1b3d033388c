//===- HittingTest.c - Hitting sets against all subsets -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Barriers/HittingSet.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { NumElements = 10, Rounds = 2000 };

static uint32_t state;

static uint32_t below(uint32_t bound) {
  state = state * 1664525u + 1013904223u;
  return (state >> 12) % bound;
}

/// Does the set of elements, as bits, hit them all?
static bool hits(const BerthHitting *hitting, unsigned chosen) {
  for (size_t s = 0; s < hitting->numSets; ++s) {
    bool isHit = false;
    for (size_t i = hitting->begin[s]; i < hitting->begin[s + 1]; ++i)
      isHit |= chosen >> hitting->members[i] & 1;
    if (!isHit)
      return false;
  }
  return true;
}

static int64_t priceOf(const BerthHitting *hitting, unsigned chosen) {
  int64_t price = 0;
  for (unsigned e = 0; e < NumElements; ++e)
    if (chosen >> e & 1)
      price += hitting->prices[e];
  return price;
}

static int64_t leastPrice(const BerthHitting *hitting) {
  int64_t least = INT64_MAX;
  for (unsigned chosen = 0; chosen < 1u << NumElements; ++chosen)
    if (hits(hitting, chosen) && priceOf(hitting, chosen) < least)
      least = priceOf(hitting, chosen);
  return least;
}

static void addRandomSet(BerthHitting *hitting) {
  uint32_t members[NumElements];
  uint32_t count = 1 + below(5);
  for (uint32_t i = 0; i < count; ++i) // one may be in it twice
    members[i] = below(NumElements);
  berthHittingAdd(hitting, members, count);
}

static void testAgainstAllSubsets(void **context) {
  (void)context;
  for (uint32_t round = 0; round < Rounds; ++round) {
    int64_t prices[NumElements];
    state = round;
    for (unsigned e = 0; e < NumElements; ++e)
      prices[e] = below(3) ? 1 : 16;
    BerthHitting hitting = {.numElements = NumElements, .prices = prices};
    for (uint32_t s = below(9); s > 0; --s)
      addRandomSet(&hitting);
    bool chosen[NumElements];
    assert_true(berthHittingSolve(&hitting, chosen));
    unsigned bits = 0;
    for (unsigned e = 0; e < NumElements; ++e)
      bits |= (unsigned)chosen[e] << e;
    assert_true(hits(&hitting, bits));
    assert_int_equal(priceOf(&hitting, bits), leastPrice(&hitting));
    berthHittingFree(&hitting);
  }
}

static void testFirstMembersArePreferred(void **context) {
  (void)context;
  const int64_t prices[4] = {1, 1, 1, 1};
  const uint32_t first[] = {2, 1}, second[] = {3, 2, 1, 0};
  BerthHitting hitting = {.numElements = 4, .prices = prices};
  berthHittingAdd(&hitting, first, 2);
  berthHittingAdd(&hitting, second, 4);
  bool chosen[4];
  assert_true(berthHittingSolve(&hitting, chosen));
  assert_true(!chosen[0] && !chosen[1] && chosen[2] && !chosen[3]);
  berthHittingFree(&hitting);
}

/// Cycles of five elements, of which three hit all pairs; nothing connects
/// them.
static void testPartsByThemselves(void **context) {
  (void)context;
  enum { NumCycles = 200, Length = 5 };
  int64_t prices[NumCycles * Length];
  bool chosen[NumCycles * Length];
  for (uint32_t e = 0; e < NumCycles * Length; ++e)
    prices[e] = 1;
  BerthHitting hitting = {.numElements = NumCycles * Length, .prices = prices};
  for (uint32_t i = 0; i < Length; ++i)
    for (uint32_t c = 0; c < NumCycles; ++c) {
      const uint32_t pair[] = {c * Length + i, c * Length + (i + 1) % Length};
      berthHittingAdd(&hitting, pair, 2);
    }
  assert_true(berthHittingSolve(&hitting, chosen));
  unsigned count = 0;
  for (uint32_t e = 0; e < NumCycles * Length; ++e)
    count += chosen[e];
  assert_int_equal(count, 3 * NumCycles);
  berthHittingFree(&hitting);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAgainstAllSubsets),
      cmocka_unit_test(testFirstMembersArePreferred),
      cmocka_unit_test(testPartsByThemselves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
