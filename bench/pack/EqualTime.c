//===- EqualTime.c - auto against the others at equal wall time ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Up to 2,000 buffers auto promises to be no worse than packers that run once,
// however long that takes. Against those that go on and on, and beyond that
// size against all, it competes here: each packer runs with its default budget
// and a time limit, then auto with the time that the packer has taken. What it
// loses is listed.
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE // clock_gettime

#include "Bench.h"

#include "berth-c/Generate.h"
#include "berth-c/Packer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// From this size on auto promises nothing.
enum { kPromisedUpTo = 2000, kMostLosses = 1000 };

typedef struct Contest {
  double limit; ///< seconds of a run
  unsigned runs;
  unsigned better;
  unsigned numLosses;
  char losses[kMostLosses][100];
} Contest;

static double wallTime(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Packs within `limit` seconds; returns peak / load, 0 if the packer refuses
// the problem.
static double packFor(const BerthProblem *problem, const char *packer,
                      double limit, double *seconds) {
  BerthPackOptions options = {.packer = packer, .timeLimit = limit};
  BerthPlan plan;
  double start = wallTime();
  if (berthPack(berthProblemGetData(problem), &options, &plan, NULL))
    return 0;
  *seconds = wallTime() - start;
  double ratio = (double)plan.peak / (double)plan.load;
  berthPlanFree(&plan);
  return ratio;
}

static bool competes(size_t packer, size_t buffers) {
  bool once = berthPackerGet(packer)->traits & BERTH_PACKER_ONE_SHOT;
  return strcmp(berthPackerName(packer), "auto") != 0 &&
         (!once || buffers > kPromisedUpTo);
}

static void compete(Contest *contest, const char *input,
                    const BerthProblem *problem) {
  for (size_t p = 0; p < berthPackerCount(); ++p) {
    const char *name = berthPackerName(p);
    double theirTime, ourTime;
    if (!competes(p, berthProblemGetData(problem)->numBuffers))
      continue;
    double theirs = packFor(problem, name, contest->limit, &theirTime);
    if (theirs == 0)
      continue;
    double ours = packFor(problem, "auto", theirTime, &ourTime);
    char row[100];
    snprintf(row, sizeof row, "%-16s %-20s %9.4f %9.5f %9.4f %9.5f", input,
             name, theirTime, theirs, ourTime, ours);
    ++contest->runs;
    contest->better += ours < theirs;
    if (ours > theirs && contest->numLosses < kMostLosses)
      strcpy(contest->losses[contest->numLosses++], row);
    printf("%s%s\n", row, ours > theirs ? " loss" : "");
    fflush(stdout);
  }
}

void benchEqualTime(const Bench *bench, double seconds) {
  static Contest contest; // too large for the stack
  contest = (Contest){.limit = seconds};
  printf("%-16s %-20s %9s %9s %9s %9s\n", "input", "packer", "s", "peak/load",
         "auto's s", "auto's");
  size_t files = benchHaveInstances() ? kNumBenchFiles : 0;
  for (size_t f = 0; f < files; ++f) {
    BerthProblem *problem =
        benchReadInstance(kBenchFiles[f].folder, kBenchFiles[f].name);
    if (problem)
      compete(&contest, kBenchFiles[f].title, problem);
    berthProblemDestroy(problem);
  }
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    for (uint32_t count = 1000; count <= bench->largest; count *= 10) {
      BerthProblem *problem = berthGenerate(family, count, 1, NULL);
      char name[40];
      snprintf(name, sizeof name, "%.11s %u", berthFamilyName(family), count);
      if (problem)
        compete(&contest, name, problem);
      berthProblemDestroy(problem);
    }
  printf("\nauto is better in %u of %u runs, worse in %u:\n", contest.better,
         contest.runs, contest.numLosses);
  for (unsigned k = 0; k < contest.numLosses; ++k)
    printf("%s\n", contest.losses[k]);
}
