//===- Tables.c - auto against first fit and a peer ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE // wait4

#include "Bench.h"

#include "berth-c/Generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double benchProblem(const Bench *bench, const char *name,
                           const BerthProblem *problem, int copies,
                           uint64_t steps) {
  Samples ours = {0}, base = {0}, peer = {0};
  for (int copy = 0; copy < copies; ++copy) {
    BerthProblem *other = benchShuffled(problem, (uint64_t)copy + 1);
    benchSample(&ours, other, "auto", steps);
    // First fit is slow where much is live at a time: once is enough then.
    if (copy == 0 || base.seconds[0] < 0.5)
      benchSample(&base, other, "first-fit", 0);
    if (bench->peerName)
      benchSamplePeer(bench, &peer, other);
    berthProblemDestroy(other);
  }
  benchPrintRow(name, "auto", &ours, &base);
  if (bench->peerName)
    benchPrintRow(name, bench->peerName, &peer, &base);
  return benchMedian(ours.seconds, ours.count);
}

void benchCapacity(const Bench *bench) {
  char name[64];
  double total = 0;
  benchPrintHead("1. minimalloc's instances at capacity 1048576, row-shuffled");
  for (char letter = 'A'; letter <= 'K'; ++letter) {
    snprintf(name, sizeof name, "%c.1048576", letter);
    BerthProblem *problem = benchReadInstance("minimalloc", name);
    if (!problem)
      continue;
    berthProblemSetCapacity(problem, 1048576);
    total += benchProblem(bench, name, problem, bench->copies, 0);
    berthProblemDestroy(problem);
  }
  printf("sum of the medians: %.4f s\n", total);
}

void benchBudgets(const Bench *bench) {
  BerthProblem *problem = benchReadInstance("minimalloc", "D.1048576");
  benchPrintHead("1b. D without a capacity, by step budget");
  if (!problem)
    return;
  for (uint64_t steps = 100000000; steps <= 1600000000; steps *= 4) {
    char name[32];
    snprintf(name, sizeof name, "D %llu M",
             (unsigned long long)steps / 1000000);
    benchProblem(bench, name, problem, bench->copies < 5 ? bench->copies : 5,
                 steps);
  }
  berthProblemDestroy(problem);
}

void benchLarger(const Bench *bench) {
  static const char *const kNames[] = {"resnet50", "G_1", "pangu_2.6B"};
  benchPrintHead("2. larger instances, minimised, row-shuffled");
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    BerthProblem *problem = benchReadInstance("idealloc", kNames[i]);
    if (!problem)
      continue;
    benchProblem(bench, kNames[i], problem, bench->copies, 0);
    berthProblemDestroy(problem);
  }
}

// Large problems get the skyline alone: the time is what counts there.
static void growProblem(const char *family, uint32_t count,
                        const BerthProblem *problem) {
  Samples ours = {0}, skyline = {0};
  char name[40];
  snprintf(name, sizeof name, "%.9s %u", family, count);
  benchSample(&skyline, problem, "skyline", 1);
  benchSample(&ours, problem, "auto", 0);
  benchPrintRow(name, "skyline x1", &skyline, &skyline);
  benchPrintRow(name, "auto", &ours, &skyline);
}

static void generateAndBench(size_t family, uint32_t count) {
  BerthProblem *problem = berthGenerate(family, count, 1, NULL);
  BerthProblem *shuffled = problem ? benchShuffled(problem, 1) : NULL;
  berthProblemDestroy(problem);
  if (shuffled)
    growProblem(berthFamilyName(family), count, shuffled);
  berthProblemDestroy(shuffled);
}

// Each problem in a process of its own, so that its memory can be told.
void benchGrowth(const Bench *bench) {
  benchPrintHead("3. growth; baseline here: one run of the skyline");
  for (size_t family = 0; family < berthFamilyCount(); ++family)
    for (uint32_t count = 1000; count <= bench->largest; count *= 10) {
      struct rusage usage = {0};
      fflush(stdout);
      pid_t child = fork();
      if (child == 0) {
        generateAndBench(family, count);
        exit(0);
      }
      if (child > 0 && wait4(child, NULL, 0, &usage) == child)
        printf("%-18s %ld MiB, the problem itself included\n", "",
               usage.ru_maxrss / 1024);
    }
}

void benchSmall(void) {
  benchPrintHead("4. 20 buffers, 100 problems each");
  for (size_t family = 0; family < berthFamilyCount(); ++family) {
    Samples ours = {0}, base = {0};
    for (int i = 0; i < kMaxCopies; ++i) {
      BerthProblem *problem = berthGenerate(family, 20, (uint64_t)i + 1, NULL);
      if (!problem)
        continue;
      benchSample(&ours, problem, "auto", 0);
      benchSample(&base, problem, "first-fit", 0);
      berthProblemDestroy(problem);
    }
    benchPrintRow(berthFamilyName(family), "auto", &ours, &base);
  }
}
