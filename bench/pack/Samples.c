//===- Samples.c - Runs of packers, measured -----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE // getrusage, mkstemp

#include "Bench.h"

#include "berth-c/IO.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double benchSeconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The same of all children that have ended.
static double nowOfChildren(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double benchMedian(const double *values, int count) {
  double sorted[kMaxCopies];
  memcpy(sorted, values, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, compareDoubles);
  return sorted[count / 2];
}

double benchLargest(const double *values, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i)
    largest = values[i] > largest ? values[i] : largest;
  return largest;
}

//===---------------------------------------------------------------------===//
// Runs
//===---------------------------------------------------------------------===//

void benchSample(Samples *samples, const BerthProblem *problem,
                 const char *packer, uint64_t steps) {
  BerthPackOptions options = {.packer = packer, .steps = steps};
  BerthPlan plan;
  BerthError error = {{0}, 0, 0};
  double start = benchSeconds();
  if (berthPack(berthProblemGetData(problem), &options, &plan, &error))
    benchDie(packer, &error);
  int i = samples->count++;
  samples->seconds[i] = benchSeconds() - start;
  samples->ratios[i] = (double)plan.peak / (double)plan.load;
  samples->optimal += plan.status == BERTH_PLAN_OPTIMAL;
  samples->fitting += plan.status <= BERTH_PLAN_FEASIBLE;
  berthPlanFree(&plan);
}

// Takes the peer's plan as far as the verifier does.
static void judgePeer(Samples *samples, int index, const BerthProblemData *data,
                      const BerthPlan *given) {
  if (!given || given->numBuffers != data->numBuffers)
    return;
  BerthPlan plan = *given;
  bool fits = !data->capacity || plan.peak <= data->capacity;
  plan.status = fits ? BERTH_PLAN_FEASIBLE : BERTH_PLAN_BUDGET;
  plan.load = plan.lowerBound = berthProblemLoad(data, NULL);
  plan.provenLevels = 0;
  if (berthPlanVerify(data, &plan, NULL))
    return;
  samples->ratios[index] = (double)plan.peak / (double)plan.load;
  samples->fitting += fits;
}

void benchSamplePeer(const Bench *bench, Samples *samples,
                     const BerthProblem *problem) {
  char path[] = "/tmp/berth-bench-XXXXXX", command[4096];
  int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  const BerthProblemData *data = berthProblemGetData(problem);
  BerthDocument *document = NULL;
  BerthReadOptions options = {.offsetsArePlan = true};
  BerthError error = {{0}, 0, 0};
  if (!file || berthWriteCsv(file, data, NULL, &error) || fclose(file))
    benchDie("peer's input", &error);
  char output[sizeof path + 4];
  snprintf(output, sizeof output, "%s.out", path);
  snprintf(command, sizeof command, "%s %s > %s", bench->peerCommand, path,
           output);
  double start = nowOfChildren();
  int status = system(command);
  int i = samples->count++;
  samples->seconds[i] = nowOfChildren() - start;
  samples->ratios[i] = 0;
  if (status == 0 &&
      berthDocumentRead(output, &options, &document, &error) == 0) {
    judgePeer(samples, i, data, berthDocumentGetPlan(document));
    berthDocumentDestroy(document);
  }
  unlink(output);
  unlink(path);
}

void benchPrintRow(const char *input, const char *packer,
                   const Samples *samples, const Samples *baseline) {
  double seconds = benchMedian(samples->seconds, samples->count);
  double base = benchMedian(baseline->seconds, baseline->count);
  printf("%-18s %-11s %3d/%-3d %3d/%-3d %10.6f %10.6f %9.2f %9.5f %9.5f "
         "%9.5f\n",
         input, packer, samples->fitting, samples->count, samples->optimal,
         samples->count, seconds,
         benchLargest(samples->seconds, samples->count), seconds / base,
         benchMedian(samples->ratios, samples->count),
         benchLargest(samples->ratios, samples->count),
         benchMedian(baseline->ratios, baseline->count));
  fflush(stdout);
}

void benchPrintHead(const char *title) {
  printf("\n%s\n%-18s %-11s %-7s %-7s %10s %10s %9s %9s %9s "
         "%9s\n", title, "input",
         "packer", "fit", "optimal", "median s", "max s", "x ff time",
         "peak/load", "worst", "ff's");
}
