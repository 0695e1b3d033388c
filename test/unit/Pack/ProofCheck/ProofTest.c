//===- ProofTest.c - Proof logs are accepted, corrupted ones are not -----===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Whatever exact and auto prove about a tiny problem, there is a log that the
// checker accepts; and whatever the checker accepts, tampered with or not, is
// true by brute force.
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
#include "berth-c/Proof.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const kLog = "ProofTest.log";

enum {
  kPlain = BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT | BERTH_CAN_HARD_EDGES |
           BERTH_CAN_GROUPS | BERTH_CAN_CAPACITY,
  kAll = kPlain | BERTH_CAN_GAPS | BERTH_CAN_FIXED | BERTH_CAN_RESERVED |
         BERTH_CAN_HINTS | BERTH_CAN_DISTANCES,
  kPrices = kPlain | BERTH_CAN_PRICED_EDGES | BERTH_CAN_FIXED,
  kPools = kAll | BERTH_CAN_POOLS,
  kPoolPrices = kPools | BERTH_CAN_PRICED_EDGES,
  kMostRefutations = 8
};

/// What a log has proven.
typedef struct Proven {
  BerthRefutation list[kMostRefutations];
  size_t count;
} Proven;

static void remember(void *userData, const BerthRefutation *refutation) {
  Proven *proven = userData;
  assert_true(proven->count < kMostRefutations);
  proven->list[proven->count++] = *refutation;
}

static BerthStatus check(const BerthProblemData *data, Proven *proven,
                         BerthError *error) {
  proven->count = 0;
  return berthProofCheck(data, kLog, remember, proven, error);
}

static BerthProblem *draw(uint64_t seed, uint32_t features, uint32_t buffers) {
  uint32_t some = (uint32_t)(seed * UINT64_C(0x9E3779B97F4A7C15) >> 40);
  RandomSource source = randomFromSeed(seed);
  RandomShape shape = {.maxBuffers = buffers,
                       .maxTime = 8,
                       .maxSize = seed % 3 ? 9 : 4,
                       .features = some & features};
  shape.features |= features & (BERTH_CAN_PRICED_EDGES | BERTH_CAN_POOLS);
  if (features & BERTH_CAN_POOLS)
    shape.maxSize = 4; // brute force sees 40 bytes
  BerthProblem *problem = randomProblem(&source, &shape);
  if (berthProblemCheck(berthProblemGetData(problem), NULL, NULL)) {
    berthProblemDestroy(problem);
    return NULL;
  }
  return problem;
}

// Packs with a proof.
static BerthPlan prove(const BerthProblemData *data, const char *packer) {
  remove(kLog); // some file systems wait for the disk where a file is cut
  BerthPackOptions options = {
      .packer = packer, .proofFile = kLog, .minimize = true};
  BerthPlan plan;
  BerthError error;
  if (berthPack(data, &options, &plan, &error))
    fail_msg("%s", error.message);
  return plan;
}

static bool covers(const Proven *proven, int64_t peak, int64_t price,
                   int64_t poolCost) {
  for (size_t k = 0; k < proven->count; ++k)
    if (proven->list[k].peak >= peak && proven->list[k].price >= price &&
        proven->list[k].poolCost >= poolCost)
      return true;
  return peak < 0 || price < 0 || poolCost < 0;
}

// Is everything proven that the plan claims?
static bool isComplete(const BerthProblemData *data, const BerthPlan *plan,
                       const Proven *proven) {
  const int64_t any = INT64_MAX, peak = plan->peak - 1, price = plan->price;
  int64_t cost = data->numPools ? plan->poolCost : any;
  int64_t capacity = data->numPools ? any : data->capacity;
  switch (plan->status) {
  case BERTH_PLAN_OPTIMAL:
    return data->numPools && !covers(proven, any, any, cost - 1) ? false
           : capacity ? covers(proven, capacity, price - 1, cost) &&
                            covers(proven, peak, price, cost)
                      : covers(proven, peak, any, cost) &&
                            covers(proven, plan->peak, price - 1, cost);
  case BERTH_PLAN_INFEASIBLE:
    return covers(proven, capacity, any, any);
  default:
    return false; // all can be proven
  }
}

static void proveOne(const BerthProblemData *data, uint64_t seed,
                     const char *packer) {
  Proven proven;
  BerthError error = {{0}, 0, 0};
  BerthPlan plan = prove(data, packer);
  if (check(data, &proven, &error))
    fail_msg("seed %llu line %llu: %s", (unsigned long long)seed,
             (unsigned long long)error.line, error.message);
  if (!isComplete(data, &plan, &proven))
    fail_msg("seed %llu: the proof lacks something", (unsigned long long)seed);
  berthPlanFree(&plan);
}

static void proveMany(uint64_t from, uint64_t count, uint32_t features,
                      const char *packer) {
  for (uint64_t seed = from; seed < from + randomCount(count); ++seed) {
    BerthProblem *problem = draw(seed, features, 7);
    if (!problem)
      continue;
    proveOne(berthProblemGetData(problem), seed, packer);
    berthProblemDestroy(problem);
  }
  remove(kLog);
}

static void testPlain(void **state) {
  (void)state;
  proveMany(0, 2000, kPlain, "exact");
}

// Trees large enough that decisions are jumped over; what is proven about these
// is for ExactTest.c.
static void testJumps(void **state) {
  (void)state;
  size_t accepted = 0;
  for (uint64_t seed = 60000; seed < 60000 + randomCount(4000); ++seed) {
    BerthProblem *problem =
        draw(seed, kPlain | BERTH_CAN_FIXED | BERTH_CAN_RESERVED, 16);
    if (!problem)
      continue;
    BerthPackOptions options = {.packer = "exact",
                                .proofFile = kLog,
                                .minimize = true,
                                .steps = 300000};
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPlan plan;
    BerthError error = {{0}, 0, 0};
    Proven proven;
    remove(kLog);
    assert_int_equal(berthPack(data, &options, &plan, &error), BERTH_SUCCESS);
    if (check(data, &proven, &error))
      fail_msg("seed %llu line %llu: %s", (unsigned long long)seed,
               (unsigned long long)error.line, error.message);
    ++accepted;
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
  remove(kLog);
  assert_true(accepted > randomCount(2000));
}

static void testAllFeatures(void **state) {
  (void)state;
  proveMany(10000, 3000, kAll, "exact");
  proveMany(20000, 1000, kAll, "auto");
}

static void testPrices(void **state) {
  (void)state;
  proveMany(30000, 1500, kPrices, "auto");
}

// Whatever levels a plan claims are in the log.
static bool claimsWhatIsProven(const BerthProblemData *data,
                               const BerthPlan *plan, const Proven *proven) {
  const int64_t any = INT64_MAX, height = data->capacity;
  if (plan->status == BERTH_PLAN_INFEASIBLE)
    return covers(proven, height, any, any);
  return (!(plan->provenLevels & BERTH_LEVEL_PRICE) ||
          covers(proven, height, plan->price - 1, any)) &&
         (!(plan->provenLevels & BERTH_LEVEL_PEAK) ||
          covers(proven, plan->peak - 1, plan->price, any));
}

// Where fitting is enough, a peak that meets the bound is proven all the same.
static void testFittingPrices(void **state) {
  (void)state;
  size_t drawn = 0;
  for (uint64_t seed = 0; seed < randomCount(2000); ++seed) {
    BerthProblem *problem = draw(seed, kPrices, 6);
    const BerthProblemData *data = problem ? berthProblemGetData(problem) : 0;
    if (data && data->capacity && data->numCuts) {
      BerthPackOptions options = {.packer = "auto", .proofFile = kLog};
      BerthPlan plan;
      Proven proven;
      BerthError error = {{0}, 0, 0};
      remove(kLog);
      assert_int_equal(berthPack(data, &options, &plan, &error), BERTH_SUCCESS);
      assert_int_equal(check(data, &proven, &error), BERTH_SUCCESS);
      if (!claimsWhatIsProven(data, &plan, &proven))
        fail_msg("seed %llu: a level is not in the log",
                 (unsigned long long)seed);
      berthPlanFree(&plan);
      ++drawn;
    }
    berthProblemDestroy(problem);
  }
  remove(kLog);
  assert_true(drawn > randomCount(300));
}

static void testPools(void **state) {
  (void)state;
  proveMany(40000, 3000, kPools, "auto");
}

static void testPoolsAndPrices(void **state) {
  (void)state;
  proveMany(50000, 1000, kPoolPrices, "auto");
}

//===---------------------------------------------------------------------===//
// Tampering
//===---------------------------------------------------------------------===//

enum { kMostLines = 400, kLineLength = 64 };

typedef struct Log {
  char lines[kMostLines][kLineLength];
  size_t count;
} Log;

static bool readLog(Log *log) {
  FILE *file = fopen(kLog, "r");
  assert_non_null(file);
  log->count = 0;
  while (log->count < kMostLines &&
         fgets(log->lines[log->count], kLineLength, file))
    ++log->count;
  bool whole = feof(file) != 0;
  fclose(file);
  return whole;
}

static void writeLog(const Log *log) {
  remove(kLog);
  FILE *file = fopen(kLog, "w");
  assert_non_null(file);
  for (size_t k = 0; k < log->count; ++k)
    fputs(log->lines[k], file);
  fclose(file);
}

static void drop(Log *log, size_t at) {
  --log->count;
  memmove(log->lines[at], log->lines[at + 1],
          (log->count - at) * sizeof *log->lines);
}

static void swap(Log *log, size_t a, size_t b) {
  char line[kLineLength];
  memcpy(line, log->lines[a], sizeof line);
  memcpy(log->lines[a], log->lines[b], sizeof line);
  memcpy(log->lines[b], line, sizeof line);
}

// Another digit for one of the line's.
static void change(Log *log, size_t at, RandomSource *source) {
  char *line = log->lines[at];
  size_t digits = 0;
  for (char *c = line; *c; ++c)
    digits += *c >= '0' && *c <= '9';
  if (!digits) {
    memcpy(line, "x\n", 3);
    return;
  }
  size_t which = (size_t)randomBelow(source, (int64_t)digits);
  for (char *c = line; *c; ++c)
    if (*c >= '0' && *c <= '9' && which-- == 0)
      *c = (char)('0' + randomBelow(source, 10));
}

// One of the lines that say what is refuted, if there are any from here on.
static size_t findClaim(const Log *log, size_t from) {
  for (size_t at = from; at < log->count; ++at)
    if (strncmp(log->lines[at], "refute", 6) == 0)
      return at;
  return from;
}

static void tamper(Log *log, RandomSource *source) {
  size_t at = (size_t)randomBelow(source, (int64_t)log->count);
  size_t other = (size_t)randomBelow(source, (int64_t)log->count);
  switch (randomBelow(source, 6)) {
  case 0:
    drop(log, at);
    break;
  case 1:
    swap(log, at, other);
    break;
  case 2:
    memcpy(log->lines[at], log->lines[other], kLineLength);
    break;
  case 3:
    change(log, findClaim(log, at), source);
    break;
  default:
    change(log, at, source);
  }
}

static bool isTrue(const BerthProblemData *data,
                   const BerthRefutation *refutation) {
  return bruteIsRefuted(data, refutation->peak, refutation->price,
                        refutation->poolCost, kBruteBytes);
}

static void tamperWith(const BerthProblemData *data, uint64_t seed,
                       const Log *original, unsigned *refused,
                       unsigned *accepted) {
  RandomSource source = randomFromSeed(seed + 1000000);
  for (int times = 0; times < 12; ++times) {
    Log log = *original;
    Proven proven;
    for (int64_t k = randomBelow(&source, 2); k >= 0; --k)
      if (log.count > 1)
        tamper(&log, &source);
    writeLog(&log);
    BerthStatus status = check(data, &proven, NULL);
    assert_true(status == BERTH_SUCCESS || status == BERTH_INVALID);
    for (size_t k = 0; k < proven.count; ++k)
      if (!isTrue(data, &proven.list[k]))
        fail_msg("seed %llu: accepted what is not true",
                 (unsigned long long)seed);
    *refused += status == BERTH_INVALID;
    *accepted += status == BERTH_SUCCESS;
  }
}

// Of how many logs that were changed how many are refused and still true?
static void tamperWithMany(uint64_t count, uint32_t features, uint32_t prices,
                           unsigned *refused, unsigned *accepted) {
  for (uint64_t seed = 0; seed < randomCount(count); ++seed) {
    BerthProblem *problem = draw(seed, seed % 4 ? features : prices, 5);
    if (!problem)
      continue;
    const BerthProblemData *data = berthProblemGetData(problem);
    static Log log;
    BerthPlan plan = prove(data, "auto");
    if (readLog(&log))
      tamperWith(data, seed, &log, refused, accepted);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
  remove(kLog);
  print_message("%u refused, %u still true\n", *refused, *accepted);
}

static void testTampering(void **state) {
  (void)state;
  unsigned refused = 0, accepted = 0;
  tamperWithMany(1000, kAll, kPrices, &refused, &accepted);
  assert_true(refused > randomCount(5000) && accepted > randomCount(500));
}

static void testTamperingWithPools(void **state) {
  (void)state;
  unsigned refused = 0, accepted = 0;
  tamperWithMany(1000, kPools, kPoolPrices, &refused, &accepted);
  assert_true(refused > randomCount(5000) && accepted > randomCount(500));
}

//===---------------------------------------------------------------------===//
// Depth
//===---------------------------------------------------------------------===//

// Opens one branch in the other, once for each of many buffers.
static void nest(uint32_t buffers, size_t pools, const char *line) {
  BerthProblem *problem = berthProblemCreate();
  BerthPool pool = {.capacity = 1};
  BerthError error = {{0}, 0, 0};
  for (uint32_t i = 0; i < buffers; ++i)
    addPlain(problem, 1, i, i + 1);
  for (size_t p = 0; p < pools; ++p)
    berthProblemAddPool(problem, &pool);
  FILE *file = tmpfile();
  assert_non_null(file);
  fputs("berth-proof 3\nrefute 0 any any\ncase all\n", file);
  for (uint32_t i = 0; i < buffers; ++i)
    fprintf(file, line, i);
  rewind(file);
  assert_int_equal(berthProofCheckStream(berthProblemGetData(problem), file,
                                         NULL, NULL, &error),
                   BERTH_INVALID);
  assert_non_null(strstr(error.message, "the proof"));
  assert_int_equal(error.line, 3 + 4096 + 1);
  fclose(file);
  berthProblemDestroy(problem);
}

static void testDepth(void **state) {
  (void)state;
  nest(5000, 0, "p %u 0\n");
  nest(200000, 2, "i %u\n");
}

//===---------------------------------------------------------------------===//
// Alignments
//===---------------------------------------------------------------------===//

// Two of 5 bytes at multiples of 8 need 13, unless a distance lets the second
// begin where the first does.
static void testAlignedMayShare(void **state) {
  (void)state;
  for (int shares = 0; shares < 2; ++shares) {
    BerthProblem *problem = berthProblemCreate();
    BerthBuffer buffer = berthBufferDefault();
    BerthSegment life = {0, 1};
    BerthDistance distance = {0, 1, 0, 5};
    BerthError error;
    buffer.size = 5;
    buffer.alignment = 8;
    buffer.numSegments = 1;
    buffer.segments = &life;
    berthProblemAddBuffer(problem, &buffer);
    berthProblemAddBuffer(problem, &buffer);
    if (shares)
      berthProblemAddDistance(problem, &distance);
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs("berth-proof 3\nrefute 12 any any\ncase all\na 8\nend\n", file);
    rewind(file);
    assert_int_equal(berthProofCheckStream(berthProblemGetData(problem), file,
                                           NULL, NULL, &error),
                     shares ? BERTH_INVALID : BERTH_SUCCESS);
    fclose(file);
    berthProblemDestroy(problem);
  }
}

//===---------------------------------------------------------------------===//
// Parts
//===---------------------------------------------------------------------===//

// Of the first buffer bytes [2, 6) stay in use while the third is live; the
// second lives with all of the first, and then with the third.
static BerthProblem *partlyUsed(void) {
  BerthProblem *problem = berthProblemCreate();
  BerthBuffer buffer = berthBufferDefault();
  BerthGap gap = {4, 9, 2, 6};
  BerthSegment twice[] = {{0, 4}, {6, 8}};
  buffer.size = 8;
  buffer.numGaps = 1;
  buffer.gaps = &gap;
  addLive(problem, buffer, 0, 9);
  buffer = berthBufferDefault();
  buffer.size = 7;
  buffer.numSegments = 2;
  buffer.segments = twice;
  berthProblemAddBuffer(problem, &buffer);
  addPlain(problem, 6, 7, 9);
  return problem;
}

static void checkParts(const char *parts, const char *complaint) {
  BerthProblem *problem = partlyUsed();
  BerthError error = {{0}, 0, 0};
  FILE *file = tmpfile();
  assert_non_null(file);
  fprintf(file, "berth-proof 3\nrefute 16 any any\ncase all\n%send\n", parts);
  rewind(file);
  BerthStatus status = berthProofCheckStream(berthProblemGetData(problem), file,
                                             NULL, NULL, &error);
  if (complaint)
    assert_string_equal(error.message, complaint);
  assert_int_equal(status, complaint ? BERTH_INVALID : BERTH_SUCCESS);
  fclose(file);
  berthProblemDestroy(problem);
}

static void testParts(void **state) {
  (void)state;
  checkParts("b 0 2 6\nb 1 0 7\nb 2 0 6\nx\n", NULL);
  checkParts("b 0 2 5\nb 0 5 6\nb 1 0 7\nb 2 0 6\nx\n", NULL);
  // A byte less, and it fits; a byte more is free when the third is live.
  checkParts("b 0 2 5\nb 1 0 7\nb 2 0 6\nx\n", "these bytes fit");
  checkParts("b 0 1 6\nb 1 0 7\nb 2 0 6\nx\n", "these bytes fit");
  checkParts("b 0 2 7\nb 1 0 7\nb 2 0 6\nx\n", "these bytes fit");
  checkParts("b 0 2 6\nb 0 2 6\nb 1 0 7\nb 2 0 6\nx\n", "these bytes fit");
  checkParts("b 0 2 9\nb 1 0 7\nb 2 0 6\nx\n", "the buffer has no such bytes");
  checkParts("b 0 6 6\nb 1 0 7\nb 2 0 6\nx\n", "the buffer has no such bytes");
  checkParts("b 3 0 1\nx\n", "the proof names no such buffer");
  checkParts("b 0 2\nx\n", "the proof names no such buffer");
  checkParts("b 0 2 6\nb 1 0 7\nb 2 0 6\nc\n", "expected b or x");
}

// Buffers of which parts stay in use, whose logs have to do with parts.
static void testPartsMutated(void **state) {
  (void)state;
  static Log log;
  unsigned refused = 0, accepted = 0, named = 0;
  for (uint64_t seed = 0; seed < randomCount(3000); ++seed) {
    RandomSource source = randomFromSeed(seed);
    BerthProblem *problem = randomWindowed(&source);
    const BerthProblemData *data = berthProblemGetData(problem);
    BerthPlan plan = prove(data, "auto");
    bool parts = false;
    if (readLog(&log))
      for (size_t k = 0; k < log.count; ++k)
        parts |= strncmp(log.lines[k], "b ", 2) == 0;
    named += parts;
    if (parts)
      tamperWith(data, seed, &log, &refused, &accepted);
    berthPlanFree(&plan);
    berthProblemDestroy(problem);
  }
  remove(kLog);
  print_message("%u named parts: %u refused, %u still true\n", named, refused,
                accepted);
  assert_true(named > randomCount(30));
}

//===---------------------------------------------------------------------===//
// What there are no logs for
//===---------------------------------------------------------------------===//

static void testRefusals(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  addPlain(problem, 1, 0, 1);
  BerthPackOptions options = {.packer = "first-fit", .proofFile = kLog};
  BerthPlan plan;
  BerthError error;
  assert_int_equal(
      berthPack(berthProblemGetData(problem), &options, &plan, &error),
      BERTH_INVALID);
  assert_non_null(strstr(error.message, "proves nothing"));
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testPlain),
      cmocka_unit_test(testJumps),
      cmocka_unit_test(testAllFeatures),
      cmocka_unit_test(testPrices),
      cmocka_unit_test(testFittingPrices),
      cmocka_unit_test(testPools),
      cmocka_unit_test(testPoolsAndPrices),
      cmocka_unit_test(testTampering),
      cmocka_unit_test(testTamperingWithPools),
      cmocka_unit_test(testDepth),
      cmocka_unit_test(testAlignedMayShare),
      cmocka_unit_test(testParts),
      cmocka_unit_test(testPartsMutated),
      cmocka_unit_test(testRefusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
