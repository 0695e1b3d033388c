//===- Threads.c - What more threads gain --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// `auto` with its default budget on one thread and on several, as Markdown. The
// plans have to be the same, byte for byte. Where other programs use the
// machine, the wall clock says little; then the processor time of the caller's
// thread, which is the one that does what cannot be shared, says what the wall
// clock would be at best, and that of all threads what was done in vain.
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "Bench.h"

#include "berth-c/Generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The least of several runs.
typedef struct Times {
  double wall;
  double caller; ///< processor time
  double all;
} Times;

static double read(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static Times now(void) {
  return (Times){read(CLOCK_MONOTONIC), read(CLOCK_THREAD_CPUTIME_ID),
                 read(CLOCK_PROCESS_CPUTIME_ID)};
}

static void keepLeast(double *least, double begin, double end, bool first) {
  if (first || end - begin < *least)
    *least = end - begin;
}

static BerthPlan packOn(const BerthProblem *problem, unsigned threads, int runs,
                        Times *least) {
  BerthPackOptions options = {.threads = threads};
  BerthPlan plan = {0};
  BerthError error;
  for (int r = 0; r < runs; ++r) {
    berthPlanFree(&plan);
    Times begin = now();
    if (berthPack(berthProblemGetData(problem), &options, &plan, &error))
      benchDie("auto", &error);
    Times end = now();
    keepLeast(&least->wall, begin.wall, end.wall, r == 0);
    keepLeast(&least->caller, begin.caller, end.caller, r == 0);
    keepLeast(&least->all, begin.all, end.all, r == 0);
  }
  return plan;
}

static void compareThreads(const char *title, const BerthProblem *problem,
                           unsigned threads, int runs) {
  Times one, several;
  BerthPlan a = packOn(problem, 1, runs, &one);
  BerthPlan b = packOn(problem, threads, runs, &several);
  if (a.peak != b.peak || a.steps != b.steps ||
      memcmp(a.offsets, b.offsets, a.numBuffers * sizeof *a.offsets) != 0) {
    fprintf(stderr, "pack: another plan of %s with %u threads\n", title,
            threads);
    exit(1);
  }
  printf("| %s | %.4f | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f |\n", title,
         (double)a.peak / (double)a.load, one.wall, several.wall,
         one.wall / several.wall, several.caller, several.all,
         one.all / several.caller);
  fflush(stdout);
  berthPlanFree(&b);
  berthPlanFree(&a);
}

void benchThreads(const Bench *bench, unsigned threads) {
  static const char *const kFamilies[] = {"align", "guillotine"};
  printf("\n| input | peak / load | wall s, 1 thread | %u threads | times as "
         "fast | caller s | all s | at best |\n"
         "|---|--:|--:|--:|--:|--:|--:|--:|\n",
         threads);
  for (size_t f = 0; f < kNumBenchFiles && benchHaveInstances(); ++f) {
    BerthProblem *problem =
        benchReadInstance(kBenchFiles[f].folder, kBenchFiles[f].name);
    if (!problem)
      continue;
    compareThreads(kBenchFiles[f].title, problem, threads, bench->copies);
    berthProblemDestroy(problem);
  }
  for (size_t f = 0; f < sizeof kFamilies / sizeof *kFamilies; ++f)
    for (uint32_t n = 200; n <= bench->largest; n *= 10) {
      char title[64];
      snprintf(title, sizeof title, "%s %u", kFamilies[f], n);
      BerthProblem *problem =
          berthGenerate(berthFamilyFind(kFamilies[f]), n, 1, NULL);
      compareThreads(title, problem, threads, bench->copies);
      berthProblemDestroy(problem);
    }
}
