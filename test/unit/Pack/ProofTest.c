//===- ProofTest.c - Proof logs are accepted, corrupted ones are not -----===//
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

#include "RandomProblem.h"
#include "berth-c/Proof.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const kLog = "ProofTest.log";

static BerthProblem *plainProblem(uint64_t seed) {
  RandomSource source = randomFromSeed(seed);
  RandomShape shape = {.maxBuffers = 8,
                       .maxTime = 9,
                       .maxSize = 9,
                       .features = BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT |
                                   BERTH_CAN_HARD_EDGES | BERTH_CAN_GROUPS};
  return randomProblem(&source, &shape);
}

// Packs with a proof; returns whether one was written.
static bool prove(const BerthProblemData *data, BerthPlan *plan) {
  BerthPackOptions options = {.packer = "exact", .proofFile = kLog};
  remove(kLog);
  assert_int_equal(berthPack(data, &options, plan, NULL), BERTH_SUCCESS);
  FILE *file = fopen(kLog, "r");
  if (file)
    fclose(file);
  return file != NULL;
}

static void testLogsAreAccepted(void **state) {
  (void)state;
  unsigned written = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    BerthProblem *problem = plainProblem(seed);
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPlan plan;
    BerthError error = {{0}, 0, 0};
    int64_t refuted = 0;
    if (berthProblemCheck(data, NULL, NULL) == 0) {
      if (prove(data, &plan)) {
        ++written;
        if (berthProofCheck(data, kLog, &refuted, &error))
          fail_msg("seed %llu line %llu: %s", (unsigned long long)seed,
                   (unsigned long long)error.line, error.message);
        assert_true(refuted == plan.lowerBound - 1);
      }
      berthPlanFree(&plan);
    }
    berthProblemDestroy(problem);
  }
  remove(kLog);
  assert_true(written > 20);
}

static char *readLog(size_t *length) {
  FILE *file = fopen(kLog, "r");
  char *text = malloc(1 << 20);
  assert_non_null(file);
  assert_non_null(text);
  *length = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

static void writeLog(const char *text, size_t length) {
  FILE *file = fopen(kLog, "w");
  assert_non_null(file);
  fwrite(text, 1, length, file);
  fclose(file);
}

// A higher height than was refuted, and a log that lacks a line.
static void corrupt(const BerthProblemData *data, int64_t peak) {
  size_t length;
  char *text = readLog(&length), line[64];
  char *tree = strchr(strchr(text, '\n') + 1, '\n');
  size_t head = (size_t)snprintf(line, sizeof line,
                                 "berth-proof 1\nrefute %lld", (long long)peak);
  char *higher = malloc(length + 64);
  assert_non_null(higher);
  memcpy(higher, line, head);
  size_t rest = length - (size_t)(tree - text);
  memcpy(higher + head, tree, rest);
  writeLog(higher, head + rest);
  assert_int_equal(berthProofCheck(data, kLog, NULL, NULL), BERTH_INVALID);
  writeLog(text, length - 6); // without "x\nend\n"
  assert_int_equal(berthProofCheck(data, kLog, NULL, NULL), BERTH_INVALID);
  free(higher);
  free(text);
}

static void testCorruptedLogsAreRefused(void **state) {
  (void)state;
  unsigned tried = 0;
  for (uint64_t seed = 0; seed < 20000 && tried < 20; ++seed) {
    BerthProblem *problem = plainProblem(seed);
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPlan plan;
    if (berthProblemCheck(data, NULL, NULL) == 0) {
      if (prove(data, &plan)) {
        ++tried;
        corrupt(data, plan.peak);
      }
      berthPlanFree(&plan);
    }
    berthProblemDestroy(problem);
  }
  remove(kLog);
  assert_int_equal(tried, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testLogsAreAccepted),
      cmocka_unit_test(testCorruptedLogsAreRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
