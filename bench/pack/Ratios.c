//===- Ratios.c - Every packer on every public instance ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The tables of docs/packers.md, as Markdown: peak divided by load, without a
// capacity, each packer with its default budget. 1 is the load itself; what is
// above it by less than can be shown is 1.000.
//
//===---------------------------------------------------------------------===//

#include "Bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// What a run has given.
typedef struct Outcome {
  double ratio;
  double seconds; ///< of processor time
} Outcome;

static Outcome packOnce(const BerthProblem *problem, const char *packer,
                        uint64_t seed) {
  BerthPackOptions options = {.packer = packer, .seed = seed};
  BerthPlan plan;
  BerthError error;
  clock_t start = clock();
  if (berthPack(berthProblemGetData(problem), &options, &plan, &error))
    benchDie(packer, &error);
  Outcome outcome = {.ratio = (double)plan.peak / (double)plan.load,
                     .seconds =
                         (double)(clock() - start) / (double)CLOCKS_PER_SEC};
  berthPlanFree(&plan);
  return outcome;
}

static BerthProblem *readFile(const BenchFile *file) {
  BerthProblem *problem = benchReadInstance(file->folder, file->name);
  if (!problem) {
    fprintf(stderr, "pack: no instance '%s'\n", file->name);
    exit(1);
  }
  return problem;
}

static void printRatio(double ratio) {
  if (ratio > 1)
    printf(" %.3f |", ratio);
  else
    printf(" 1 |");
  fflush(stdout);
}

// The head of a table of the first files.
static void printTitles(size_t files, bool times) {
  printf("\n| packer |");
  for (size_t f = 0; f < files; ++f)
    printf(" %s |", kBenchFiles[f].title);
  printf("%s\n|---|", times ? " s |" : "");
  for (size_t f = 0; f < files + times; ++f)
    printf("--:|");
  printf("\n");
}

void benchRatios(const Bench *bench) {
  BerthProblem **problems = calloc(kNumBenchFiles, sizeof(BerthProblem *));
  if (!problems)
    exit(1);
  for (size_t f = 0; f < kNumBenchFiles; ++f)
    problems[f] = readFile(&kBenchFiles[f]);
  printTitles(kNumBenchFiles, true);
  for (size_t p = 0; p < berthPackerCount(); ++p) {
    const char *packer = berthPackerName(p);
    double seconds = 0;
    if (bench->packer && strcmp(bench->packer, packer) != 0)
      continue;
    printf("| %s |", packer);
    for (size_t f = 0; f < kNumBenchFiles; ++f) {
      Outcome outcome = packOnce(problems[f], packer, 0);
      seconds += outcome.seconds;
      printRatio(outcome.ratio);
    }
    printf(" %.1f |\n", seconds);
  }
  for (size_t f = 0; f < kNumBenchFiles; ++f)
    berthProblemDestroy(problems[f]);
  free(problems);
}

//===---------------------------------------------------------------------===//
// Seeds
//===---------------------------------------------------------------------===//

static int compareRatios(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// minimalloc's files come first; on the others seeds hardly differ.
enum { kSeedFiles = 7 };

void benchSeeds(const char *packer, int seeds) {
  static const char *const kNames[] = {"lowest", "median", "highest"};
  double found[kSeedFiles][3];
  double *ratios = calloc((size_t)seeds, sizeof *ratios);
  if (!ratios)
    exit(1);
  for (size_t f = 0; f < kSeedFiles; ++f) {
    BerthProblem *problem = readFile(&kBenchFiles[f]);
    for (int seed = 0; seed < seeds; ++seed)
      ratios[seed] = packOnce(problem, packer, (uint64_t)seed).ratio;
    qsort(ratios, (size_t)seeds, sizeof *ratios, compareRatios);
    found[f][0] = ratios[0];
    found[f][1] = ratios[seeds / 2];
    found[f][2] = ratios[seeds - 1];
    berthProblemDestroy(problem);
  }
  free(ratios);
  printTitles(kSeedFiles, false);
  for (size_t k = 0; k < 3; ++k) {
    printf("| %s, %s of %d |", packer, kNames[k], seeds);
    for (size_t f = 0; f < kSeedFiles; ++f)
      printRatio(found[f][k]);
    printf("\n");
  }
}
