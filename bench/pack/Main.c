//===- Main.c - The packing benchmark ------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Without a table's name (see usage) it prints, each with the ratio to
// first-fit on the same input in the same run:
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
// Tables of public instances are left out with a message where there are none.
// A peer is a command that is given a CSV file as its last argument and prints
// the same rows, in the same order, with an `offset` column; it is timed on the
// same files.
//
//===---------------------------------------------------------------------===//

#include "Bench.h"

#include "berth-c/Generate.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What is asked for.
typedef struct Request {
  Bench bench;
  bool ratios;
  int seeds;
  bool equalTime;
  double seconds;   ///< of it; 0: what auto takes
  uint64_t steps;   ///< with so many; 0: its default
  unsigned threads; ///< to compare with one; 0: no such table
} Request;

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

// `auto` is what auto takes.
static double readSeconds(const char *text) {
  char *end;
  if (strcmp(text, "auto") == 0)
    return 0;
  double value = strtod(text, &end);
  if (*end || !(value > 0 && value < 1e6)) {
    fprintf(stderr, "pack: '%s' is no number of seconds\n", text);
    exit(2);
  }
  return value;
}

static const char *readPacker(const char *name) {
  if (berthPackerFind(name) == SIZE_MAX) {
    fprintf(stderr, "pack: unknown packer '%s'\n", name);
    exit(2);
  }
  return name;
}

static const char *readFamily(const char *name) {
  if (berthFamilyFind(name) == SIZE_MAX) {
    fprintf(stderr, "pack: unknown family '%s'\n", name);
    exit(2);
  }
  return name;
}

static int usage(int status) {
  fputs(
      "usage: pack [--copies=N] [--largest=N] [--peer=NAME=COMMAND]\n"
      "       pack --ratios [--packer=NAME]\n"
      "       pack --seeds=N --packer=NAME\n"
      "       pack --equal-time=SECONDS|auto [--steps=N] [--copies=N]\n"
      "            [--first-seed=N] [--smallest=N] [--largest=N]\n"
      "            [--family=NAME]\n"
      "       pack --threads=N [--copies=N] [--largest=N]\n"
      "\n"
      "Prints how good auto is, and how fast; every packer on every public\n"
      "instance; how far the seeds of one packer differ; auto against the\n"
      "others at equal processor time, on the public instances and on 20,\n"
      "200, 2000 and so on buffers of each family; what threads gain.\n"
      "\n"
      "  --instances=FOLDER  minimalloc/X.1048576.csv, X from A to K, from\n"
      "                      github.com/google/minimalloc, and\n"
      "                      idealloc/{resnet50,G_1,pangu_2.6B}.csv, from\n"
      "                      github.com/cappadokes/idealloc; default\n"
      "                      " BERTH_INSTANCES "\n"
      "  --copies=N          row-shuffled copies of each (default 20); with\n"
      "                      --equal-time seeds of each family (default 3),\n"
      "                      with --threads runs, of which the fastest counts\n"
      "  --steps=N           with --equal-time=auto every packer has as long "
      "as\n"
      "                      auto takes with so many steps (default: its own)\n"
      "  --first-seed=N      of each family (default 1)\n"
      "  --smallest=N        fewest buffers of --equal-time (default 20), "
      "which\n"
      "                      has ten times as many after them\n"
      "  --largest=N         most buffers generated (default 1000000, with\n"
      "                      --equal-time 2000)\n"
      "  --family=NAME       of `berth-pack gen`, and nothing else\n"
      "  --peer=NAME=COMMAND runs another program on the same files, too\n",
      status ? stderr : stdout);
  return status;
}

static void printDefaultTables(const Bench *bench) {
  if (benchHaveInstances()) {
    benchCapacity(bench);
    benchBudgets(bench);
    benchLarger(bench);
  }
  benchGrowth(bench);
  benchSmall();
}

static int run(Request *request) {
  Bench *bench = &request->bench;
  bool equalTime = request->equalTime;
  bool few = equalTime || request->threads;
  if (!bench->copies)
    bench->copies = few ? 3 : 20;
  if (!bench->largest)
    bench->largest = few ? 2000 : 1000000;
  if (!bench->smallest)
    bench->smallest = 20;
  if (!bench->firstSeed)
    bench->firstSeed = 1;
  if (bench->family && !equalTime)
    return usage(2);
  if (request->seeds && !bench->packer)
    return usage(2);
  if ((request->ratios || request->seeds) && !benchHaveInstances())
    return 1;
  if (request->seeds)
    benchSeeds(bench->packer, request->seeds);
  else if (request->ratios)
    benchRatios(bench);
  else if (request->threads)
    benchThreads(bench, request->threads);
  else if (equalTime)
    benchEqualTime(bench, request->seconds, request->steps);
  else
    printDefaultTables(bench);
  return 0;
}

int main(int argc, char **argv) {
  static const struct option kOptions[] = {
      {"copies", required_argument, NULL, 'c'},
      {"largest", required_argument, NULL, 'l'},
      {"smallest", required_argument, NULL, 'm'},
      {"first-seed", required_argument, NULL, 'd'},
      {"steps", required_argument, NULL, 'n'},
      {"peer", required_argument, NULL, 'p'},
      {"instances", required_argument, NULL, 'i'},
      {"packer", required_argument, NULL, 'k'},
      {"family", required_argument, NULL, 'f'},
      {"ratios", no_argument, NULL, 'r'},
      {"seeds", required_argument, NULL, 's'},
      {"equal-time", required_argument, NULL, 'e'},
      {"threads", required_argument, NULL, 't'},
      {"help", no_argument, NULL, 'h'},
      {0}};
  Request request = {0};
  Bench *bench = &request.bench;
  for (int option; (option = getopt_long(argc, argv, "", kOptions, NULL)) >= 0;)
    switch (option) {
    case 'c':
      bench->copies = readNumber(optarg, kMaxCopies);
      break;
    case 'l':
      bench->largest = (uint32_t)readNumber(optarg, 10000000);
      break;
    case 'm':
      bench->smallest = (uint32_t)readNumber(optarg, 10000000);
      break;
    case 'd':
      bench->firstSeed = readNumber(optarg, 1000000);
      break;
    case 'n':
      request.steps = (uint64_t)readNumber(optarg, INT_MAX);
      break;
    case 'p':
      readPeer(bench, optarg);
      break;
    case 'i':
      benchUseInstances(optarg);
      break;
    case 'k':
      bench->packer = readPacker(optarg);
      break;
    case 'f':
      bench->family = readFamily(optarg);
      break;
    case 'r':
      request.ratios = true;
      break;
    case 's':
      request.seeds = readNumber(optarg, 100000);
      break;
    case 'e':
      request.equalTime = true;
      request.seconds = readSeconds(optarg);
      break;
    case 't':
      request.threads = (unsigned)readNumber(optarg, 256);
      break;
    default:
      return usage(option == 'h' ? 0 : 2);
    }
  return optind < argc ? usage(2) : run(&request);
}
