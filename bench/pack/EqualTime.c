//===- EqualTime.c - auto against the others at equal time ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Every packer runs once on each problem, and it is written down how low it was
// after how many seconds of processor time. Each other packer is then compared
// with where auto was when that one had come to its last plan, or soon after:
// what takes a few milliseconds nobody waits for.
//
//===---------------------------------------------------------------------===//

#include "Bench.h"

#include "berth-c/Generate.h"
#include "berth-c/Packer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostLosses = 1000, kMostPlans = 4096 };

/// Nobody waits for less, in seconds and for each buffer.
static const double kSoon = 0.02, kSoonABuffer = 4e-6;

/// A plan this much higher is a loss.
static const double kLoss = 1.001;

/// When a packer had which peak.
typedef struct Curve {
  double start;
  double limit; ///< in seconds of the processor
  double seconds[kMostPlans];
  int64_t peaks[kMostPlans];
  size_t count;
} Curve;

/// The problems of one kind and size.
typedef struct Group {
  char name[40];
  double ratios[kMaxPackers][kMaxCopies]; ///< auto's peak / the packer's
  double seconds[kMaxPackers][kMaxCopies];
  int counts[kMaxPackers];
} Group;

typedef struct Contest {
  double limit; ///< seconds of a run
  unsigned runs;
  unsigned better;
  unsigned numLosses;
  char losses[kMostLosses][160];
} Contest;

static bool isOver(void *userData) {
  const Curve *curve = userData;
  return benchSeconds() - curve->start > curve->limit;
}

static void addPlan(Curve *curve, int64_t peak) {
  bool better = !curve->count || peak < curve->peaks[curve->count - 1];
  if (!better || peak == INT64_MAX)
    return;
  if (curve->count == kMostPlans) // so long a fall: keep its end
    --curve->count;
  curve->seconds[curve->count] = benchSeconds() - curve->start;
  curve->peaks[curve->count++] = peak;
}

static void noteProgress(void *userData, int64_t bestPeak, int64_t lowerBound,
                         uint64_t steps) {
  (void)lowerBound;
  (void)steps;
  addPlan(userData, bestPeak);
}

// False if the packer refuses the problem.
static bool drawCurve(Curve *curve, const BerthProblem *problem,
                      const char *packer, double limit) {
  BerthPackOptions options = {.packer = packer,
                              .interrupted = isOver,
                              .progress = noteProgress,
                              .userData = curve};
  BerthPlan plan;
  curve->count = 0;
  curve->limit = limit;
  curve->start = benchSeconds();
  if (berthPack(berthProblemGetData(problem), &options, &plan, NULL))
    return false;
  addPlan(curve, plan.peak);
  berthPlanFree(&plan);
  return true;
}

// The lowest peak by then, or else the first one.
static int64_t peakAt(const Curve *curve, double seconds) {
  size_t at = 0;
  while (at + 1 < curve->count && curve->seconds[at + 1] <= seconds)
    ++at;
  return curve->peaks[at];
}

static void compare(Contest *contest, Group *group, size_t packer,
                    const Curve *ours, const Curve *theirs, double soon) {
  double needed = theirs->seconds[theirs->count - 1];
  int64_t their = theirs->peaks[theirs->count - 1];
  int64_t our = peakAt(ours, needed > soon ? needed : soon);
  double ratio = (double)our / (double)their;
  int at = group->counts[packer]++;
  group->ratios[packer][at] = ratio;
  group->seconds[packer][at] = needed;
  ++contest->runs;
  contest->better += our < their;
  if (ratio > kLoss && contest->numLosses < kMostLosses)
    snprintf(contest->losses[contest->numLosses++], sizeof *contest->losses,
             "%-18s %4d %-20s %9.4f %12lld %12lld %9.5f", group->name, at + 1,
             berthPackerName(packer), needed, (long long)their, (long long)our,
             ratio);
}

static void compete(Contest *contest, Group *group,
                    const BerthProblem *problem) {
  static Curve ours, theirs[kMaxPackers]; // too large for the stack
  size_t packers = berthPackerCount();
  double soon =
      kSoon + kSoonABuffer * (double)berthProblemGetData(problem)->numBuffers;
  double limit = soon;
  bool runs[kMaxPackers];
  for (size_t p = 0; p < packers; ++p) {
    const char *name = berthPackerName(p);
    runs[p] = strcmp(name, "auto") != 0 &&
              drawCurve(&theirs[p], problem, name, contest->limit);
    if (runs[p] && theirs[p].seconds[theirs[p].count - 1] > limit)
      limit = theirs[p].seconds[theirs[p].count - 1];
  }
  if (!drawCurve(&ours, problem, "auto", limit))
    return;
  for (size_t p = 0; p < packers; ++p)
    if (runs[p])
      compare(contest, group, p, &ours, &theirs[p], soon);
}

static void printGroup(const Group *group) {
  for (size_t p = 0; p < berthPackerCount(); ++p)
    if (group->counts[p])
      printf("%-18s %-20s %4d %9.4f %9.5f %9.5f\n", group->name,
             berthPackerName(p), group->counts[p],
             benchMedian(group->seconds[p], group->counts[p]),
             benchMedian(group->ratios[p], group->counts[p]),
             benchLargest(group->ratios[p], group->counts[p]));
  fflush(stdout);
}

static void competeOnFile(Contest *contest, const BenchFile *file) {
  static Group group;
  BerthProblem *problem = benchReadInstance(file->folder, file->name);
  if (!problem)
    return;
  // The order of rows changes no answer; one copy shows that well enough.
  BerthProblem *shuffled = benchShuffled(problem, 1);
  group = (Group){0};
  snprintf(group.name, sizeof group.name, "%s", file->title);
  compete(contest, &group, shuffled);
  printGroup(&group);
  berthProblemDestroy(shuffled);
  berthProblemDestroy(problem);
}

static void competeOnFamily(Contest *contest, const Bench *bench, size_t family,
                            uint32_t count) {
  static Group group;
  group = (Group){0};
  snprintf(group.name, sizeof group.name, "%.11s %u", berthFamilyName(family),
           count);
  for (int seed = 1; seed <= bench->copies; ++seed) {
    BerthProblem *problem =
        berthGenerate(family, count, (uint64_t)seed, NULL);
    BerthProblem *shuffled =
        problem ? benchShuffled(problem, (uint64_t)seed) : NULL;
    if (shuffled)
      compete(contest, &group, shuffled);
    berthProblemDestroy(shuffled);
    berthProblemDestroy(problem);
  }
  printGroup(&group);
}

void benchEqualTime(const Bench *bench, double seconds) {
  static Contest contest; // too large for the stack
  contest = (Contest){.limit = seconds};
  printf("%-18s %-20s %4s %9s %9s %9s\n", "input", "packer", "runs",
         "median s", "auto / it", "worst");
  size_t files = !bench->family && benchHaveInstances() ? kNumBenchFiles : 0;
  for (size_t f = 0; f < files; ++f)
    competeOnFile(&contest, &kBenchFiles[f]);
  for (uint32_t count = 20; count <= bench->largest; count *= 10)
    for (size_t family = 0; family < berthFamilyCount(); ++family)
      if (!bench->family ||
          strcmp(bench->family, berthFamilyName(family)) == 0)
        competeOnFamily(&contest, bench, family, count);
  printf("\nauto is better in %u of %u runs, worse by over 0.1 %% in %u:\n",
         contest.better, contest.runs, contest.numLosses);
  if (contest.numLosses)
    printf("%-18s %4s %-20s %9s %12s %12s %9s\n", "input", "seed", "packer",
           "s", "peak", "auto's", "ratio");
  for (unsigned k = 0; k < contest.numLosses; ++k)
    printf("%s\n", contest.losses[k]);
}
