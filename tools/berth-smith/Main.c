//===- Main.c - berth-smith: a generator of test programs ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "NextOption.h"
#include "Support/Messages.h"
#include "berth-c/Support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Feature {
  const char *name;
  uint64_t bit;
  const char *help;
} Feature;

static const Feature features[] = {
    {"for", BERTH_SMITH_FOR, "scf.for"},
    {"while", BERTH_SMITH_WHILE, "scf.while"},
    {"if", BERTH_SMITH_IF, "scf.if"},
    {"switch", BERTH_SMITH_SWITCH, "scf.index_switch"},
    {"cf", BERTH_SMITH_CF, "blocks: diamonds, loops, switches, early returns"},
    {"views", BERTH_SMITH_VIEWS, "subviews, casts, reshapes, reinterprets"},
    {"select", BERTH_SMITH_SELECT, "arith.select of memrefs"},
    {"carry", BERTH_SMITH_CARRY, "memrefs as iteration arguments and results"},
    {"call", BERTH_SMITH_CALL, "helper functions that take and return memrefs"},
    {"parallel", BERTH_SMITH_PARALLEL, "scf.parallel and scf.forall"},
    {"vector", BERTH_SMITH_VECTOR, "vector transfers, masked ones too"},
    {"linalg", BERTH_SMITH_LINALG, "linalg.generic and named ops"},
    {"alloca", BERTH_SMITH_ALLOCA, "memref.alloca"},
    {"dealloc", BERTH_SMITH_DEALLOC, "memref.dealloc, in some programs"},
    {"dynamic", BERTH_SMITH_DYNAMIC, "run-time sizes (off by default)"},
    {"async", BERTH_SMITH_ASYNC, "asynchronous copies, in kernels"},
    {"tiles", BERTH_SMITH_TILES,
     "parallel loops with buffers of their own (off by default)"},
    {"groups", BERTH_SMITH_GROUPS,
     "several copies under way, in kernels (off by default)"},
    {"atomics", BERTH_SMITH_ATOMICS,
     "atomic adds, in kernels (off by default)"},
    {"warps", BERTH_SMITH_WARPS,
     "shuffles and reductions, in kernels (off by default)"},
    {"functions", BERTH_SMITH_FUNCTIONS,
     "device functions, in kernels (off by default)"},
    {"dma", BERTH_SMITH_DMA, "memref.dma_start and its waits (off by default)"},
    {"refills", BERTH_SMITH_REFILLS,
     "copies of constant fills (off by default)"},
    {"parts", BERTH_SMITH_PARTS,
     "parts of a buffer with lives of their own (off by default)"},
    {"slices", BERTH_SMITH_SLICES,
     "rows of which loops use a slice a turn (off by default)"},
    {"nests", BERTH_SMITH_NESTS,
     "loops over windows of a dying buffer (off by default)"},
    {"turns", BERTH_SMITH_TURNS,
     "loops that use what some turns before have made (off by default)"},
    {"addresses", BERTH_SMITH_ADDRESSES,
     "addresses as numbers: carried, returned, kept (off by default)"},
    {"tokens", BERTH_SMITH_TOKENS,
     "async work awaited late or never (off by default)"},
    {"handles", BERTH_SMITH_HANDLES,
     "buffers in boxes and tokens of unseen code (off by default)"},
    {"unsigned", BERTH_SMITH_UNSIGNED_LOOPS,
     "unsigned loops, above the signed range too (off by default)"},
    {"wide", BERTH_SMITH_WIDE,
     "views that want more alignment (off by default)"},
    {"recursion", BERTH_SMITH_RECURSION,
     "functions that call themselves by address (off by default)"},
    {"callers", BERTH_SMITH_CALLERS,
     "functions with two callers at once (off by default)"},
    {"clusters", BERTH_SMITH_CLUSTERS,
     "addresses for other workgroups, in kernels (off by default)"},
    {"cluster-barriers", BERTH_SMITH_CLUSTER_BARRIERS,
     "barriers of the cluster, relaxed ones too, in kernels (off by default)"},
    {"signals", BERTH_SMITH_SIGNALS,
     "waits of some threads for others, in kernels (off by default)"},
    {"fills", BERTH_SMITH_FILLS,
     "loops of all threads that fill a buffer, in kernels (off by default)"},
    {"names", BERTH_SMITH_NAMES,
     "values that are one of several buffers, in kernels (off by default)"},
    {"pieces", BERTH_SMITH_PIECES,
     "buffers that are copied side by side, or overwritten piece by piece "
     "(off by default)"},
    {"caches", BERTH_SMITH_CACHES,
     "functions that return a changed copy of an argument (off by default)"},
    {"moves", BERTH_SMITH_MOVES,
     "with --levels, moves as a target description has them (off by default)"},
};

enum { NUM_FEATURES = sizeof features / sizeof features[0] };

static const char usage[] =
    "usage: berth-smith [options]\n"
    "\n"
    "Writes a module of random MLIR programs to stdout. Each program is "
    "valid,\n"
    "terminates, reads no uninitialised element and prints what it computes;\n"
    "it depends on its seed alone. @main runs them all.\n"
    "\n"
    "  --seed=N         seed of the first program (default 1)\n"
    "  --count=N        programs, seeds N, N+1, ... (default 1)\n"
    "  --size=N         statements per program, bodies not counted (default "
    "14)\n"
    "  --features=LIST  comma-separated; `all`, NAME, or -NAME, applied in "
    "order\n"
    "                   to the default set\n"
    "  --levels=N       buffers in a memory behind, and a first line with the "
    "passes\n"
    "                   that fit all into N - 1 memories of drawn capacity (2 "
    "or 3)\n"
    "  --kernel         GPU kernels for 64 threads instead, free of races, in "
    "a\n"
    "                   gpu.module: @seed_N(%in, %out, %n). Of the features "
    "they\n"
    "                   have for, while, if, cf, views, select, async, "
    "groups,\n"
    "                   atomics, warps, functions, clusters, "
    "cluster-barriers,\n"
    "                   fills, names, signals\n"
    "  --classes        tells instead how many of the programs have what "
    "features\n"
    "                   that are off by default draw seldom\n"
    "  --help, --version\n"
    "\n"
    "features:\n";

static void printHelp(void) {
  fputs(usage, stdout);
  for (int i = 0; i < NUM_FEATURES; ++i)
    printf("  %-16s %s\n", features[i].name, features[i].help);
}

static int complain(const char *what, const char *value, const char *why) {
  char text[1024];
  snprintf(text, sizeof text, "%s '%.700s'%s", what, value, why);
  fprintf(stderr, "berth-smith: error: %s%s\n", text, berthMessageNumber(text));
  return 2;
}

static bool parseNumber(const char *text, uint64_t least, uint64_t most,
                        uint64_t *out) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno || end == text || *end || *text == '-' || value < least ||
      value > most)
    return false;
  *out = value;
  return true;
}

static uint64_t findFeature(const char *name) {
  if (!strcmp(name, "all"))
    return ~UINT64_C(0);
  for (int i = 0; i < NUM_FEATURES; ++i)
    if (!strcmp(name, features[i].name))
      return features[i].bit;
  return 0;
}

/// What kernels have, as the help says.
static const uint64_t kernelFeatures =
    BERTH_SMITH_FOR | BERTH_SMITH_WHILE | BERTH_SMITH_IF | BERTH_SMITH_CF |
    BERTH_SMITH_VIEWS | BERTH_SMITH_SELECT | BERTH_SMITH_ASYNC |
    BERTH_SMITH_GROUPS | BERTH_SMITH_ATOMICS | BERTH_SMITH_WARPS |
    BERTH_SMITH_FUNCTIONS | BERTH_SMITH_CLUSTERS | BERTH_SMITH_FILLS |
    BERTH_SMITH_NAMES | BERTH_SMITH_SIGNALS | BERTH_SMITH_CLUSTER_BARRIERS;

/// The name of a feature that was asked for and that kernels do not have.
static const char *findForeignFeature(uint64_t wanted) {
  for (int i = 0; i < NUM_FEATURES; ++i)
    if (wanted & features[i].bit & ~kernelFeatures)
      return features[i].name;
  return NULL;
}

/// Applies the list to `set`, and what it names itself to `wanted`; returns the
/// first unknown name, or NULL.
static const char *parseFeatures(char *list, uint64_t *set, uint64_t *wanted) {
  if (!*list)
    return list;
  for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
    bool off = *name == '-';
    uint64_t bit = findFeature(name + off);
    if (!bit)
      return name;
    *set = off ? *set & ~bit : *set | bit;
    if (off)
      *wanted &= ~bit;
    else if (strcmp(name, "all") != 0)
      *wanted |= bit;
  }
  return NULL;
}

static int parseOption(int option, char *value, BerthSmithOptions *options,
                       uint64_t *wanted) {
  uint64_t number = 0;
  const char *unknown;
  switch (option) {
  case 's':
    if (!parseNumber(value, 0, UINT64_MAX, &options->seed))
      return complain("--seed", value, ": expected a whole number");
    return 0;
  case 'c':
    if (!parseNumber(value, 1, 1000000, &options->count))
      return complain("--count", value,
                      ": expected a number from 1 to 1000000");
    return 0;
  case 'z':
    if (!parseNumber(value, 1, 200, &number))
      return complain("--size", value, ": expected a number from 1 to 200");
    options->size = (int)number;
    return 0;
  case 'l':
    if (!parseNumber(value, 1, 3, &number))
      return complain("--levels", value, ": expected a number from 1 to 3");
    options->levels = (int)number;
    return 0;
  case 'f':
    unknown = parseFeatures(value, &options->features, wanted);
    return unknown ? complain("unknown feature", unknown, "; --help lists them")
                   : 0;
  default:
    return 2; // toolNextOption has said why
  }
}

static int writePrograms(int argc, char **argv) {
  static const struct option longOptions[] = {
      {"seed", required_argument, NULL, 's'},
      {"count", required_argument, NULL, 'c'},
      {"size", required_argument, NULL, 'z'},
      {"features", required_argument, NULL, 'f'},
      {"levels", required_argument, NULL, 'l'},
      {"kernel", no_argument, NULL, 'k'},
      {"classes", no_argument, NULL, 'n'},
      {"help", no_argument, NULL, 'h'},
      {"version", no_argument, NULL, 'v'},
      {NULL, 0, NULL, 0}};
  BerthSmithOptions options = {
      .seed = 1,
      .count = 1,
      .size = 20,
      .levels = 1,
      .features = ~(uint64_t)(BERTH_SMITH_DYNAMIC | BERTH_SMITH_TILES |
                              BERTH_SMITH_GROUPS | BERTH_SMITH_ATOMICS |
                              BERTH_SMITH_WARPS | BERTH_SMITH_FUNCTIONS |
                              BERTH_SMITH_DMA | BERTH_SMITH_REFILLS |
                              BERTH_SMITH_ADDRESSES | BERTH_SMITH_TOKENS |
                              BERTH_SMITH_UNSIGNED_LOOPS | BERTH_SMITH_WIDE |
                              BERTH_SMITH_RECURSION | BERTH_SMITH_CALLERS |
                              BERTH_SMITH_HANDLES | BERTH_SMITH_CLUSTERS |
                              BERTH_SMITH_SIGNALS | BERTH_SMITH_PARTS |
                              BERTH_SMITH_NESTS | BERTH_SMITH_MOVES |
                              BERTH_SMITH_TURNS | BERTH_SMITH_FILLS |
                              BERTH_SMITH_SLICES | BERTH_SMITH_NAMES |
                              BERTH_SMITH_PIECES | BERTH_SMITH_CACHES |
                              BERTH_SMITH_CLUSTER_BARRIERS)};
  BerthSmithCensus census = {{0}, {0}};
  FILE *out = stdout;
  bool isKernel = false;
  uint64_t wanted = 0;
  int option;
  while ((option = toolNextOption("berth-smith", argc, argv, "",
                                  longOptions)) != -1) {
    if (option == 'h')
      return printHelp(), 0;
    if (option == 'v')
      return printf("berth-smith %s\n", BERTH_VERSION_STRING), 0;
    isKernel |= option == 'k';
    if (option == 'n')
      options.census = &census;
    int status = option == 'k' || option == 'n'
                     ? 0
                     : parseOption(option, optarg, &options, &wanted);
    if (status)
      return status;
  }
  if (optind < argc)
    return complain("berth-smith reads no file, but", argv[optind],
                    " is no option");
  if (isKernel && findForeignFeature(wanted))
    return complain("--kernel does not have the feature",
                    findForeignFeature(wanted), "");
  if (isKernel && options.levels > 1)
    return complain("--kernel does not have", "--levels", "");
  if (options.census && !(out = fopen("/dev/null", "w")))
    return complain("cannot write", "/dev/null", "");
  if (isKernel)
    berthKernelModule(&options, out);
  else
    berthSmithModule(&options, out);
  if (options.census) {
    fclose(out);
    berthSmithPrintCensus(&census, options.count, stdout);
  }
  return 0;
}

int main(int argc, char **argv) {
  int code = writePrograms(argc, argv);
  if (fflush(stdout) || ferror(stdout))
    return code ? code : complain("cannot write", "standard output", "");
  return code;
}
