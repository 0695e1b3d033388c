//===- FoldReachTest.c - How far reads lie behind writes ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldExamples.h"

#include <stdio.h>

static BerthFoldReach find(const BerthFoldSource *source) {
  BerthFoldReach reach;
  BerthError error;
  if (berthFoldFindReach(source, "{ X[i] -> [4 i] }", "{ Y[i] -> [i] }", 0,
                         &reach, &error))
    fail_msg("%s", error.message);
  return reach;
}

/// for i: Y[i] = (i8)X[i], of four bytes.
static void narrowing(void **state) {
  (void)state;
  const BerthFoldSource source = {
      .domain = "{ R[i] : 0 <= i < 64; W[i] : 0 <= i < 64 }",
      .schedule = "{ R[i] -> [0, i, 0]; W[i] -> [0, i, 1] }",
      .reads = "{ R[i] -> X[i] }",
      .writes = "{ W[i] -> Y[i] }"};
  BerthFoldReach reach = find(&source);
  assert_true(reach.exists);
  assert_int_equal(reach.least, 4);     // X[1] behind Y[0]
  assert_int_equal(reach.most, 4 * 63); // X[63] behind Y[0]
}

/// All is read before anything is written; what may be written counts.
static void oneBehindTheOther(void **state) {
  (void)state;
  BerthFoldSource source = {
      .domain = "{ R[i] : 0 <= i < 8; W[i] : 0 <= i < 8 }",
      .schedule = "{ R[i] -> [0, i, 0]; W[i] -> [1, i, 1] }",
      .reads = "{ R[i] -> X[i] }",
      .writes = "{ W[i] -> Y[i] }"};
  assert_false(find(&source).exists);
  source.schedule = "{ R[i] -> [1, i, 0]; W[i] -> [0, i, 1] }";
  source.mayWrites = source.writes;
  source.writes = "{ }";
  BerthFoldReach reach = find(&source);
  assert_true(reach.exists);
  assert_int_equal(reach.least, -7);
  assert_int_equal(reach.most, 28);
}

static void noEndIsRefused(void **state) {
  (void)state;
  const BerthFoldSource source = {
      .domain = "{ R[i] : 0 <= i; W[i] : 0 <= i }",
      .schedule = "{ R[i] -> [0, i, 0]; W[i] -> [0, i, 1] }",
      .reads = "{ R[i] -> X[i] }",
      .writes = "{ W[i] -> Y[i] }"};
  BerthFoldReach reach;
  BerthError error;
  assert_int_equal(berthFoldFindReach(&source, "{ X[i] -> [4 i] }",
                                      "{ Y[i] -> [i] }", 0, &reach, &error),
                   BERTH_INVALID);
  const BerthFoldSource other = {.domain = "{ R[i, j] : 0 <= i, j < 9; "
                                           "W[i, j] : 0 <= i, j < 9 }",
                                 .schedule = "{ R[i, j] -> [i, 0, j]; "
                                             "W[i, j] -> [i, 1, j] }",
                                 .reads = "{ R[i, j] -> X[9 i + j] }",
                                 .writes = "{ W[i, j] -> Y[9 i + j] }"};
  assert_int_equal(berthFoldFindReach(&other, "{ X[i] -> [4 i] }",
                                      "{ Y[i] -> [i] }", 10, &reach, &error),
                   BERTH_RESOURCE);
}

/// Two loops, two accesses in either order at either level, any factors.
static void againstRunningThem(void **state) {
  (void)state;
  unsigned seed = 1;
  for (int trial = 0; trial < 200; ++trial) {
    int n[9];
    for (int k = 0; k < 9; ++k) {
      seed = seed * 1103515245u + 12345u;
      n[k] = (int)(seed >> 16) % 7;
    }
    int readAt = n[7] % 3, writeAt = (n[7] + 1 + n[8] % 2) % 3;
    char schedule[128], reads[128], writes[128];
    snprintf(schedule, sizeof schedule,
             "{ R[i, j] -> [i, j, %d]; W[i, j] -> [i, j, %d] }", readAt,
             writeAt);
    snprintf(reads, sizeof reads, "{ R[i, j] -> X[%d i + %d j + %d] }", n[0],
             n[1] - 3, n[2]);
    snprintf(writes, sizeof writes, "{ W[i, j] -> Y[%d i + %d j] }", n[3] - 2,
             n[4]);
    const BerthFoldSource source = {
        .domain = "{ R[i, j] : 0 <= i < 5 and 0 <= j < 4; "
                  "W[i, j] : 0 <= i < 5 and i <= j < 4 }",
        .schedule = schedule,
        .reads = reads,
        .writes = writes};
    BerthFoldReach reach = find(&source);
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int w = 0; w < 20; ++w)
      for (int r = 0; r < 20; ++r) {
        bool isBehind = r > w || (r == w && readAt > writeAt);
        if (w % 4 < w / 4 || !isBehind)
          continue;
        int64_t d = 4 * (n[0] * (r / 4) + (n[1] - 3) * (r % 4) + n[2]) -
                    ((n[3] - 2) * (w / 4) + n[4] * (w % 4));
        least = d < least ? d : least;
        most = d > most ? d : most;
      }
    assert_true(reach.exists);
    assert_int_equal(reach.least, least);
    assert_int_equal(reach.most, most);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(narrowing),
      cmocka_unit_test(oneBehindTheOther),
      cmocka_unit_test(noEndIsRefused),
      cmocka_unit_test(againstRunningThem),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
