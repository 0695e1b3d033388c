//===- pack.c - The packing benchmark ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//     pack [--copies=N] [--largest=N] [--peer=NAME=COMMAND]
//
// Prints, each with the ratio to first-fit on the same input in the same run:
//
//   1. public instances at capacity 1048576, medians over row-shuffled copies,
//      so that no seed can be tuned to a file; one of them also without
//      a capacity, for several step budgets
//   2. larger public instances, minimised
//   3. growth: generated families from 1,000 buffers up
//   4. small problems
//
// Times are processor time, of the packing alone: not of reading and writing.
//
// The instances are read from ../shared/instances beside the source tree; the
// first two tables are left out with a message where there are none. A peer is
// a command that is given a CSV file as its last argument and prints the same
// rows, in the same order, with an `offset` column; it is timed on the same
// files.
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE // wait4

#include "berth-c/Generate.h"
#include "berth-c/IO.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kMaxCopies = 100 };

typedef struct Bench {
  int copies;
  uint32_t largest;
  const char *peerName; ///< or NULL
  const char *peerCommand;
} Bench;

/// Figures of one input over all its copies.
typedef struct Samples {
  int count;
  double seconds[kMaxCopies];
  double ratios[kMaxCopies]; ///< peak / load
  int optimal;
  int fitting;
} Samples;

// Processor time of this process: a machine that others use too makes
// the wall clock say little.
static double now(void) {
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

static double median(const double *values, int count) {
  double sorted[kMaxCopies];
  memcpy(sorted, values, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, compareDoubles);
  return sorted[count / 2];
}

static double largestOf(const double *values, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i)
    largest = values[i] > largest ? values[i] : largest;
  return largest;
}

static void die(const char *what, const BerthError *error) {
  fprintf(stderr, "pack: %s: %s\n", what, error->message);
  exit(1);
}

//===---------------------------------------------------------------------===//
// Inputs
//===---------------------------------------------------------------------===//

static BerthProblem *readProblem(const char *path) {
  BerthDocument *document;
  BerthError error = {{0}, 0, 0};
  BerthReadOptions options = {0};
  if (berthDocumentRead(path, &options, &document, &error))
    die(path, &error);
  const BerthProblemData *data =
      berthProblemGetData(berthDocumentGetProblem(document));
  BerthProblem *copy = berthProblemCreate();
  for (size_t i = 0; i < data->numBuffers; ++i)
    berthProblemAddBuffer(copy, &data->buffers[i]);
  berthDocumentDestroy(document);
  return copy;
}

// The same buffers in another order; copy 0 is the order of the file.
static BerthProblem *shuffled(const BerthProblem *problem, uint64_t copy) {
  const BerthProblemData *data = berthProblemGetData(problem);
  size_t n = data->numBuffers;
  size_t *order = malloc(n * sizeof *order);
  BerthProblem *result = berthProblemCreate();
  uint64_t state = copy * UINT64_C(0x9E3779B97F4A7C15) + 1;
  if (!order || !result)
    exit(1);
  for (size_t i = 0; i < n; ++i)
    order[i] = i;
  for (size_t i = n; copy && i > 1; --i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    size_t j = (size_t)(state % i), swap = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swap;
  }
  for (size_t i = 0; i < n; ++i)
    berthProblemAddBuffer(result, &data->buffers[order[i]]);
  berthProblemSetCapacity(result, data->capacity);
  free(order);
  return result;
}

//===---------------------------------------------------------------------===//
// Runs
//===---------------------------------------------------------------------===//

static void sample(Samples *samples, const BerthProblem *problem,
                   const char *packer, uint64_t steps) {
  BerthPackOptions options = {.packer = packer, .steps = steps};
  BerthPlan plan;
  BerthError error = {{0}, 0, 0};
  double start = now();
  if (berthPack(berthProblemGetData(problem), &options, &plan, &error))
    die(packer, &error);
  int i = samples->count++;
  samples->seconds[i] = now() - start;
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

// Runs the peer on the problem as a file. Its time includes starting it. A plan
// that is wrong or missing counts as a ratio of 0.
static void samplePeer(const Bench *bench, Samples *samples,
                       const BerthProblem *problem) {
  char path[] = "/tmp/berth-bench-XXXXXX", command[4096];
  int descriptor = mkstemp(path);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  const BerthProblemData *data = berthProblemGetData(problem);
  BerthDocument *document = NULL;
  BerthReadOptions options = {.offsetsArePlan = true};
  BerthError error = {{0}, 0, 0};
  if (!file || berthWriteCsv(file, data, NULL, &error) || fclose(file))
    die("peer's input", &error);
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

static void printRow(const char *input, const char *packer,
                     const Samples *samples, const Samples *baseline) {
  double seconds = median(samples->seconds, samples->count);
  double base = median(baseline->seconds, baseline->count);
  printf("%-18s %-11s %3d/%-3d %3d/%-3d %10.6f %10.6f %9.2f %9.5f %9.5f\n",
         input, packer, samples->fitting, samples->count, samples->optimal,
         samples->count, seconds, largestOf(samples->seconds, samples->count),
         seconds / base, median(samples->ratios, samples->count),
         median(baseline->ratios, baseline->count));
  fflush(stdout);
}

static void printHead(const char *title) {
  printf("\n%s\n%-18s %-11s %-7s %-7s %10s %10s %9s %9s %9s\n", title, "input",
         "packer", "fit", "optimal", "median s", "max s", "x ff time",
         "peak/load", "ff's");
}

static double benchProblem(const Bench *bench, const char *name,
                           const BerthProblem *problem, int copies,
                           uint64_t steps) {
  Samples ours = {0}, base = {0}, peer = {0};
  for (int copy = 0; copy < copies; ++copy) {
    BerthProblem *other = shuffled(problem, (uint64_t)copy);
    sample(&ours, other, "auto", steps);
    // First fit is slow where much is live at a time: once is enough then.
    if (copy == 0 || base.seconds[0] < 0.5)
      sample(&base, other, "first-fit", 0);
    if (bench->peerName)
      samplePeer(bench, &peer, other);
    berthProblemDestroy(other);
  }
  printRow(name, "auto", &ours, &base);
  if (bench->peerName)
    printRow(name, bench->peerName, &peer, &base);
  return median(ours.seconds, ours.count);
}

//===---------------------------------------------------------------------===//
// Tables
//===---------------------------------------------------------------------===//

static const char *const kInstances = BERTH_INSTANCES;

static bool haveInstances(void) {
  bool have = access(kInstances, R_OK) == 0;
  if (!have)
    printf("\nno instances in %s: tables 1 and 2 are left out\n", kInstances);
  return have;
}

static BerthProblem *readInstance(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/%s.csv", kInstances, folder, name);
  return access(path, R_OK) == 0 ? readProblem(path) : NULL;
}

static void tableCapacity(const Bench *bench) {
  char name[64];
  double total = 0;
  printHead("1. minimalloc's instances at capacity 1048576, row-shuffled");
  for (char letter = 'A'; letter <= 'K'; ++letter) {
    snprintf(name, sizeof name, "%c.1048576", letter);
    BerthProblem *problem = readInstance("minimalloc", name);
    if (!problem)
      continue;
    berthProblemSetCapacity(problem, 1048576);
    total += benchProblem(bench, name, problem, bench->copies, 0);
    berthProblemDestroy(problem);
  }
  printf("sum of the medians: %.4f s\n", total);
}

static void tableBudgets(const Bench *bench) {
  BerthProblem *problem = readInstance("minimalloc", "D.1048576");
  printHead("1b. D without a capacity, by step budget");
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

static void tableLarger(const Bench *bench) {
  static const char *const kNames[] = {"resnet50", "G_1", "pangu_2.6B"};
  printHead("2. larger instances, minimised, row-shuffled");
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) {
    BerthProblem *problem = readInstance("idealloc", kNames[i]);
    if (!problem)
      continue;
    benchProblem(bench, kNames[i], problem, bench->copies, 0);
    berthProblemDestroy(problem);
  }
}

// Large problems get the skyline alone: the time is what counts there.
static void benchGrowth(const char *family, uint32_t count,
                        const BerthProblem *problem) {
  Samples ours = {0}, skyline = {0};
  char name[40];
  snprintf(name, sizeof name, "%.9s %u", family, count);
  sample(&skyline, problem, "skyline", 1);
  sample(&ours, problem, "auto", 0);
  printRow(name, "skyline x1", &skyline, &skyline);
  printRow(name, "auto", &ours, &skyline);
}

static void generateAndBench(size_t family, uint32_t count) {
  BerthProblem *problem = berthGenerate(family, count, 1, NULL);
  if (problem)
    benchGrowth(berthFamilyName(family), count, problem);
  berthProblemDestroy(problem);
}

// Each problem in a process of its own, so that its memory can be told.
static void tableGrowth(const Bench *bench) {
  printHead("3. growth; baseline here: one run of the skyline");
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

static void tableSmall(void) {
  printHead("4. 20 buffers, 100 problems each");
  for (size_t family = 0; family < berthFamilyCount(); ++family) {
    Samples ours = {0}, base = {0};
    for (int i = 0; i < kMaxCopies; ++i) {
      BerthProblem *problem = berthGenerate(family, 20, (uint64_t)i + 1, NULL);
      if (!problem)
        continue;
      sample(&ours, problem, "auto", 0);
      sample(&base, problem, "first-fit", 0);
      berthProblemDestroy(problem);
    }
    printRow(berthFamilyName(family), "auto", &ours, &base);
  }
}

static void readPeer(Bench *bench, char *argument) {
  char *equals = strchr(argument, '=');
  if (!equals) {
    fprintf(stderr, "pack: --peer wants NAME=COMMAND\n");
    exit(2);
  }
  *equals = '\0';
  bench->peerName = argument;
  bench->peerCommand = equals + 1;
}

static int readNumber(const char *text, int most) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || value < 1 || value > most) {
    fprintf(stderr, "pack: '%s' is not between 1 and %d\n", text, most);
    exit(2);
  }
  return (int)value;
}

int main(int argc, char **argv) {
  static const struct option kOptions[] = {
      {"copies", required_argument, NULL, 'c'},
      {"largest", required_argument, NULL, 'l'},
      {"peer", required_argument, NULL, 'p'},
      {"help", no_argument, NULL, 'h'},
      {0}};
  Bench bench = {.copies = 20, .largest = 1000000};
  for (int option; (option = getopt_long(argc, argv, "", kOptions, NULL)) >= 0;)
    switch (option) {
    case 'c':
      bench.copies = readNumber(optarg, kMaxCopies);
      break;
    case 'l':
      bench.largest = (uint32_t)readNumber(optarg, 10000000);
      break;
    case 'p':
      readPeer(&bench, optarg);
      break;
    default:
      fprintf(stderr, "usage: pack [--copies=N] [--largest=N] "
                      "[--peer=NAME=COMMAND]\n");
      return option == 'h' ? 0 : 2;
    }
  if (haveInstances()) {
    tableCapacity(&bench);
    tableBudgets(&bench);
    tableLarger(&bench);
  }
  tableGrowth(&bench);
  tableSmall();
  return 0;
}
