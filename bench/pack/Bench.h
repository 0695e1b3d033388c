//===- Bench.h - What the parts of the packing benchmark share ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_BENCH_PACK_BENCH_H
#define BERTH_BENCH_PACK_BENCH_H

#include "berth-c/Pack.h"

enum { kMaxCopies = 100, kMaxPackers = 32 };

typedef struct Bench {
  int copies;
  uint32_t smallest; ///< of the comparison at equal time
  uint32_t largest;
  int firstSeed;        ///< the same
  const char *packer;   ///< of the ratios; NULL: all
  const char *family;   ///< of the comparison at equal time; NULL: all
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

//===---------------------------------------------------------------------===//
// Inputs.c
//===---------------------------------------------------------------------===//

/// A public instance, one of a folder of kBenchFiles.
typedef struct BenchFile {
  const char *folder;
  const char *name;
  const char *title;
} BenchFile;

/// All public instances that the tables know.
extern const BenchFile kBenchFiles[];
extern const size_t kNumBenchFiles;

/// Where the instances are, unless beside the source tree. Keeps the pointer.
void benchUseInstances(const char *folder);

/// Are there instances? Says so where there are none.
bool benchHaveInstances(void);

/// Reads an instance; NULL where there is none of that name. The caller
/// destroys it.
BerthProblem *benchReadInstance(const char *folder, const char *name);

/// The same problem with its rows in another order; copy 0 is that of the file.
/// Edges, cuts, pools and reserved bytes are left out: no input here has any.
BerthProblem *benchShuffled(const BerthProblem *problem, uint64_t copy);

/// Ends the program.
void benchDie(const char *what, const BerthError *error);

//===---------------------------------------------------------------------===//
// Samples.c
//===---------------------------------------------------------------------===//

/// Seconds of processor time of this process: a machine that others use too
/// makes the wall clock say little.
double benchSeconds(void);

double benchMedian(const double *values, int count);
double benchLargest(const double *values, int count);

/// Packs and adds a sample.
void benchSample(Samples *samples, const BerthProblem *problem,
                 const char *packer, uint64_t steps);

/// The same for the peer, on the problem as a file. Its time includes starting
/// it. A plan that is wrong or missing counts as a ratio of 0.
void benchSamplePeer(const Bench *bench, Samples *samples,
                     const BerthProblem *problem);

void benchPrintHead(const char *title);
void benchPrintRow(const char *input, const char *packer,
                   const Samples *samples, const Samples *baseline);

//===---------------------------------------------------------------------===//
// The tables
//===---------------------------------------------------------------------===//

void benchCapacity(const Bench *bench);
void benchBudgets(const Bench *bench);
void benchLarger(const Bench *bench);
void benchGrowth(const Bench *bench);
void benchSmall(void);

/// Ratios.c
void benchRatios(const Bench *bench);
void benchSeeds(const char *packer, int seeds);

/// EqualTime.c
/// Each has so many seconds, or, where that is 0, what auto takes with so many
/// steps (0: its default).
void benchEqualTime(const Bench *bench, double seconds, uint64_t steps);

/// Threads.c
void benchThreads(const Bench *bench, unsigned threads);

#endif // BERTH_BENCH_PACK_BENCH_H
