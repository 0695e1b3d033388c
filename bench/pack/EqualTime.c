//===- EqualTime.c - auto against the others at equal time ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Every packer runs once on each problem, and it is written down how low it was
// after how many seconds of processor time. Two figures come of it:
//
//   end    all have had the same time, be it some seconds or what auto takes
//          with its budget: whose plan is lower?
//   worst  each other packer against where auto was when that one had come to
//          its last plan, or soon after, as nobody waits for less than a few
//          milliseconds: how far was auto behind at its worst?
//
//===---------------------------------------------------------------------===//

#include "Bench.h"

#include "berth-c/Generate.h"
#include "berth-c/Packer.h"

#include <math.h>
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
  double end;   ///< when it was done
  double seconds[kMostPlans];
  int64_t peaks[kMostPlans];
  size_t count;
} Curve;

enum { kAtEnd, kAtWorst, kNumFigures };

static const char *const kFigures[kNumFigures] = {"end", "worst"};

/// The problems of one kind and size.
typedef struct Group {
  char name[40];
  /// auto's peak / the packer's
  double ratios[kNumFigures][kMaxPackers][kMaxCopies];
  double seconds[kMaxPackers][kMaxCopies]; ///< to its last plan
  int counts[kMaxPackers];
} Group;

typedef struct Contest {
  double limit;   ///< seconds of a run; 0: what auto takes
  uint64_t steps; ///< auto's budget then; 0: its default
  unsigned inputs;
  unsigned runs;
  unsigned better[kNumFigures];
  unsigned worse[kNumFigures];
  unsigned lostInputs[kNumFigures]; ///< to any packer
  bool isLost[kNumFigures];         ///< the input at hand
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
                      const char *packer, double limit, uint64_t steps) {
  BerthPackOptions options = {.packer = packer,
                              .steps = steps,
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
  curve->end = benchSeconds() - curve->start;
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

static void judge(Contest *contest, Group *group, size_t packer, int at,
                  unsigned figure, int64_t our, int64_t their) {
  double ratio = (double)our / (double)their;
  group->ratios[figure][packer][at] = ratio;
  contest->better[figure] += our < their;
  if (ratio <= kLoss)
    return;
  contest->isLost[figure] = true;
  ++contest->worse[figure];
  if (contest->numLosses < kMostLosses)
    snprintf(contest->losses[contest->numLosses++], sizeof *contest->losses,
             "%-18s %4d %-20s %-5s %9.4f %12lld %12lld %9.5f", group->name,
             at + 1, berthPackerName(packer), kFigures[figure],
             group->seconds[packer][at], (long long)their, (long long)our,
             ratio);
}

static void compare(Contest *contest, Group *group, size_t packer,
                    const Curve *ours, const Curve *theirs, double soon,
                    double limit) {
  int at = group->counts[packer]++;
  double needed = theirs->seconds[theirs->count - 1];
  int64_t end = peakAt(theirs, limit);
  group->seconds[packer][at] = needed;
  ++contest->runs;
  judge(contest, group, packer, at, kAtEnd, peakAt(ours, limit), end);
  judge(contest, group, packer, at, kAtWorst,
        peakAt(ours, needed > soon ? needed : soon),
        theirs->peaks[theirs->count - 1]);
}

static void compete(Contest *contest, Group *group,
                    const BerthProblem *problem) {
  static Curve ours, theirs; // too large for the stack
  double soon =
      kSoon + kSoonABuffer * (double)berthProblemGetData(problem)->numBuffers;
  double limit = contest->limit > 0 ? contest->limit : HUGE_VAL;
  if (!drawCurve(&ours, problem, "auto", limit, contest->steps))
    return;
  if (contest->limit <= 0)
    limit = ours.end > soon ? ours.end : soon;
  ++contest->inputs;
  memset(contest->isLost, 0, sizeof contest->isLost);
  for (size_t p = 0; p < berthPackerCount(); ++p) {
    const char *name = berthPackerName(p);
    // Without a time of its own each could go on for ever.
    if (strcmp(name, "auto") != 0 &&
        drawCurve(&theirs, problem, name, limit, UINT64_MAX))
      compare(contest, group, p, &ours, &theirs, soon, limit);
  }
  for (unsigned f = 0; f < kNumFigures; ++f)
    contest->lostInputs[f] += contest->isLost[f];
}

static void printGroup(const Group *group) {
  for (size_t p = 0; p < berthPackerCount(); ++p) {
    int count = group->counts[p];
    if (!count)
      continue;
    printf("%-18s %-20s %4d %9.4f", group->name, berthPackerName(p), count,
           benchMedian(group->seconds[p], count));
    for (unsigned f = 0; f < kNumFigures; ++f)
      printf(" %9.5f %9.5f", benchMedian(group->ratios[f][p], count),
             benchLargest(group->ratios[f][p], count));
    printf("\n");
  }
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
  int first = bench->firstSeed;
  for (int seed = first; seed < first + bench->copies; ++seed) {
    BerthProblem *problem = berthGenerate(family, count, (uint64_t)seed, NULL);
    BerthProblem *shuffled =
        problem ? benchShuffled(problem, (uint64_t)seed) : NULL;
    if (shuffled)
      compete(contest, &group, shuffled);
    berthProblemDestroy(shuffled);
    berthProblemDestroy(problem);
  }
  printGroup(&group);
}

void benchEqualTime(const Bench *bench, double seconds, uint64_t steps) {
  static Contest contest; // too large for the stack
  contest = (Contest){.limit = seconds, .steps = steps};
  printf("%-18s %-20s %4s %9s %9s %9s %9s %9s\n", "input", "packer", "runs",
         "median s", "end", "largest", "worst", "largest");
  size_t files = !bench->family && benchHaveInstances() ? kNumBenchFiles : 0;
  for (size_t f = 0; f < files; ++f)
    competeOnFile(&contest, &kBenchFiles[f]);
  for (uint32_t count = bench->smallest; count <= bench->largest; count *= 10)
    for (size_t family = 0; family < berthFamilyCount(); ++family)
      if (!bench->family || strcmp(bench->family, berthFamilyName(family)) == 0)
        competeOnFamily(&contest, bench, family, count);
  printf("\n");
  for (unsigned f = 0; f < kNumFigures; ++f)
    printf("%-5s: auto is better in %u of %u runs, worse by over 0.1 %% in %u, "
           "on %u of %u inputs\n",
           kFigures[f], contest.better[f], contest.runs, contest.worse[f],
           contest.lostInputs[f], contest.inputs);
  if (contest.numLosses)
    printf("\n%-18s %4s %-20s %-5s %9s %12s %12s %9s\n", "input", "copy",
           "packer", "", "s", "peak", "auto's", "ratio");
  for (unsigned k = 0; k < contest.numLosses; ++k)
    printf("%s\n", contest.losses[k]);
}
