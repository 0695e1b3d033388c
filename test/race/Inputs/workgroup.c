//===- workgroup.c - Runs kernels with one thread per GPU thread ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// race.sh links this with two forms of one kernel, both lowered for a GPU and
// retargeted to the CPU: race_reference, where each buffer is a global of its
// own, and race_packed, which Berth has rewritten. Both run under
// ThreadSanitizer on equal data, one pthread per GPU thread, the workgroups one
// after the other; then all arguments must have equal bytes.
//
//   workgroup X Y Z BLOCKS [K]    threads per dimension, workgroups; without
//                                 the K-th barrier that Berth inserted (from 1)
//
// Workgroups of a cluster run at the same time. Each has a copy of the kernel,
// whose shared memory is a section of its own; all are laid out alike, so what
// is n bytes from the start of the one is as far from that of another.
//
// The only order between threads is that of the barriers, as on the GPU: each
// phase has a barrier object of its own, since one that is used again would
// order phases by itself and hide races.
//
// An asynchronous copy destroys its target at once and writes the data when it
// is waited for: the hardware may do either at any time between.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// race.sh writes this for each kernel: RACE_PARAMETERS, the types of its
// parameters; RACE_ARGUMENTS, the initializers of `arguments`; and RACE_PASS,
// what to call it with.
#include "kernel.h"

#include "workgroup.h"

#ifndef RACE_CLUSTER
#define RACE_CLUSTER 1
#endif

enum {
  Cluster = RACE_CLUSTER, ///< workgroups that run at the same time
  MostPhases = 4096,
  MostCopies = 256,
  MostAllocations = 4096,
  MostInstances = 64,
  BarrierIds = 16,
  MostWarps = MostThreads / WarpSize,
  MostParts = BarrierIds + MostWarps,
  MostSeconds = 120,
  /// So often a thread yields before it says that all stand still.
  Patience = 5000
};

enum ExitStatus {
  Equal = 0,
  Different = 1,
  Unusable = 2,
  RaceInReference = 3,
  RaceInPacked = 4,
  StuckInPacked = 5
};

/// One flat memref: 'f' or 'i', bytes per element, elements.
typedef struct Argument {
  char kind;
  size_t elementSize;
  size_t count;
} Argument;

static const Argument arguments[] = {RACE_ARGUMENTS};
enum { NumArguments = sizeof arguments / sizeof *arguments };

typedef void Kernel(RACE_PARAMETERS);
Kernel race_reference, race_packed;
// race.sh makes the other copies, and tells where their memory begins.
#if RACE_CLUSTER > 1
RACE_COPIES
static Kernel *const references[] = {race_reference, RACE_REFERENCES};
static Kernel *const packed[] = {race_packed, RACE_PACKED};
static char *const starts[2][RACE_CLUSTER] = {{RACE_REFERENCE_STARTS},
                                              {RACE_PACKED_STARTS}};
#else
static Kernel *const references[] = {race_reference};
static Kernel *const packed[] = {race_packed};
#endif

static bool isPacked; ///< the form that runs
static void *p[NumArguments]; ///< of the form that runs
static int32_t sizes[3], numBlocks, numThreads;
static int32_t firstBlock; ///< of the cluster that runs
static pthread_barrier_t *phases[Cluster];
static atomic_int arrived[Cluster][MostParts][MostPhases];
static atomic_int inCluster[MostPhases];
static int32_t removed;
static atomic_int standing; ///< threads at a barrier
static atomic_int moves;    ///< how often one has come to a barrier or left it

static _Thread_local int32_t thread, rank; ///< in its workgroup; of that
static _Thread_local int phase, clusterPhase, partPhase[MostParts];
static _Thread_local int32_t insertedNext;
static _Thread_local int64_t instancesMade[MostAllocations];

_Noreturn void raceFail(const char *message) {
  fprintf(stderr, "workgroup: %s\n", message);
  _exit(Unusable);
}

static _Noreturn void failStuck(int signal) {
  (void)signal;
  _exit(isPacked ? StuckInPacked : Unusable);
}

/// It calls this behind each report.
void __tsan_on_report(void *report);
void __tsan_on_report(void *report) {
  (void)report;
  _exit(isPacked ? RaceInPacked : RaceInReference);
}

//===----------------------------------------------------------------------===//
// What the kernel calls: cpu.sed gives NVVM's intrinsics these names
//===----------------------------------------------------------------------===//

int32_t race_tid_x(void) { return thread % sizes[0]; }
int32_t race_tid_y(void) { return thread / sizes[0] % sizes[1]; }
int32_t race_tid_z(void) { return thread / sizes[0] / sizes[1]; }
int32_t race_ntid_x(void) { return sizes[0]; }
int32_t race_ntid_y(void) { return sizes[1]; }
int32_t race_ntid_z(void) { return sizes[2]; }
int32_t race_ctaid_x(void) { return firstBlock + rank; }
int32_t race_ctaid_y(void) { return 0; }
int32_t race_ctaid_z(void) { return 0; }
int32_t race_nctaid_x(void) { return numBlocks; }
int32_t race_nctaid_y(void) { return 1; }
int32_t race_nctaid_z(void) { return 1; }
int32_t race_cluster_ctarank(void) { return rank; }
int32_t race_cluster_nctarank(void) { return Cluster; }
int32_t race_cluster_ctaid_x(void) { return rank; }
int32_t race_cluster_nctaid_x(void) { return Cluster; }
int raceCluster(void) { return Cluster; }

void *raceIn(void *pointer, int other) {
  if (other < 0 || other >= Cluster)
    raceFail("an address of a workgroup outside of the cluster");
#if RACE_CLUSTER > 1
  return (char *)pointer - starts[isPacked][rank] + starts[isPacked][other];
#else
  return pointer;
#endif
}

void *race_mapa(void *pointer, int32_t other) {
  return raceIn(pointer, other);
}
int32_t race_laneid(void) { return raceLane(); }

/// Stands in front of each barrier that Berth inserted.
void race_inserted(int32_t number) { insertedNext = number; }

// Relaxed: ThreadSanitizer must see no order in these.
void raceStand(int change) {
  atomic_fetch_add_explicit(&standing, change, memory_order_relaxed);
  atomic_fetch_add_explicit(&moves, 1, memory_order_relaxed);
}

void raceLookForDeadlock(int *yields, int *lastMove) {
  int move = atomic_load_explicit(&moves, memory_order_relaxed);
  if (move != *lastMove ||
      atomic_load_explicit(&standing, memory_order_relaxed) !=
          numThreads * Cluster)
    *yields = 0;
  *lastMove = move;
  if (++*yields > Patience)
    failStuck(0);
}

/// A barrier that `count` threads share. How many is known only here, so it is
/// counted by hand, and ThreadSanitizer told what it orders.
static void waitForPart(int part, int count) {
  if (part < 0 || part >= MostParts || partPhase[part] == MostPhases)
    raceFail("too many barriers of a part of the workgroup");
  atomic_int *counter = &arrived[rank][part][partPhase[part]++];
  __tsan_release(counter);
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
  raceStand(1);
  int yields = 0, lastMove = 0;
  while (atomic_load_explicit(counter, memory_order_relaxed) < count) {
    raceLookForDeadlock(&yields, &lastMove);
    sched_yield();
  }
  raceStand(-1);
  __tsan_acquire(counter);
}

void race_part_barrier(int32_t id, int32_t count) { waitForPart(id, count); }

/// The cluster's barrier in its two halves. Who arrives relaxed brings nothing.
void race_cluster_arrive_relaxed(void) {
  if (clusterPhase == MostPhases)
    raceFail("too many phases of the cluster");
  atomic_fetch_add_explicit(&inCluster[clusterPhase], 1, memory_order_relaxed);
}

void race_cluster_arrive(void) {
  if (clusterPhase < MostPhases)
    __tsan_release(&inCluster[clusterPhase]);
  race_cluster_arrive_relaxed();
}

void race_cluster_wait(void) {
  atomic_int *counter = &inCluster[clusterPhase++];
  raceStand(1);
  int yields = 0, lastMove = 0;
  while (atomic_load_explicit(counter, memory_order_relaxed) <
         numThreads * Cluster) {
    raceLookForDeadlock(&yields, &lastMove);
    sched_yield();
  }
  raceStand(-1);
  __tsan_acquire(counter);
}

static int warpOfBlock(void) { return thread / WarpSize; }
int raceWarp(void) {
  return rank * ((numThreads + WarpSize - 1) / WarpSize) + warpOfBlock();
}
int raceLane(void) { return thread % WarpSize; }
int raceLanes(void) {
  int rest = numThreads - warpOfBlock() * WarpSize;
  return rest < WarpSize ? rest : WarpSize;
}

void race_warp_barrier(int32_t mask) {
  if (mask != -1)
    raceFail("a barrier of a part of a warp");
  waitForPart(BarrierIds + warpOfBlock(), raceLanes());
}

void race_barrier(int32_t id) {
  bool isRemoved = removed && insertedNext == removed;
  insertedNext = 0;
  if (isRemoved)
    return;
  if (id != 0) {
    waitForPart(id, numThreads);
    return;
  }
  if (phase == MostPhases)
    raceFail("too many phases");
  raceStand(1);
  pthread_barrier_wait(&phases[rank][phase++]);
  raceStand(-1);
}

/// The instance of a global that stands for an allocation, in globals.awk.
int64_t race_instance(int32_t id) {
  if (id >= MostAllocations)
    raceFail("too many allocations");
  return instancesMade[id]++ % MostInstances;
}

typedef struct Copy {
  char *to;
  const char *from;
  size_t size;
  int group;
} Copy;

static _Thread_local Copy copies[MostCopies];
static _Thread_local int numCopies;
static _Thread_local int group; ///< the one that copies join

static void startCopy(char *to, const char *from, size_t size) {
  if (numCopies == MostCopies)
    raceFail("too many asynchronous copies");
  memcpy(to, from, size); // whoever writes the source meanwhile races
  memset(to, 0xff, size);
  copies[numCopies++] = (Copy){to, from, size, group};
}

static void endCopiesBefore(int firstPending) {
  int kept = 0;
  for (int i = 0; i < numCopies; ++i)
    if (copies[i].group < firstPending)
      memcpy(copies[i].to, copies[i].from, copies[i].size);
    else
      copies[kept++] = copies[i];
  numCopies = kept;
}

void race_copy_4(char *to, const char *from) { startCopy(to, from, 4); }
void race_copy_8(char *to, const char *from) { startCopy(to, from, 8); }
void race_copy_16(char *to, const char *from) { startCopy(to, from, 16); }
void race_copy_commit(void) { ++group; }
void race_copy_wait(int32_t pending) { endCopiesBefore(group - pending); }
void race_copy_wait_all(void) { endCopiesBefore(group + 1); }

/// The one function of libdevice in use that libm lacks.
float rsqrtf(float x) { return 1.0f / sqrtf(x); }

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void fill(const Argument *argument, void *data, uint32_t state) {
  for (size_t i = 0; i < argument->count; ++i) {
    state = state * 1664525u + 1013904223u;
    uint32_t number = state >> 20;
    float single = (float)number / 1024.0f - 2.0f;
    double real = single;
    uint64_t integer = number % 64;
    const void *value = argument->kind == 'i'        ? (void *)&integer
                        : argument->elementSize == 4 ? (void *)&single
                                                     : (void *)&real;
    memcpy((char *)data + i * argument->elementSize, value,
           argument->elementSize);
  }
}

static void *runThread(void *number) {
  rank = (int32_t)(intptr_t)number / numThreads;
  thread = (int32_t)(intptr_t)number % numThreads;
  (isPacked ? packed : references)[rank](RACE_PASS);
  endCopiesBefore(group + 1);
  raceEndTma();
  return NULL;
}

static void runCluster(int32_t number) {
  firstBlock = number;
  for (int c = 0; c < Cluster; ++c) {
    phases[c] = calloc(MostPhases, sizeof *phases[c]);
    if (!phases[c])
      raceFail("out of memory");
    for (int i = 0; i < MostPhases; ++i)
      pthread_barrier_init(&phases[c][i], NULL, (unsigned)numThreads);
  }
  memset(arrived, 0, sizeof arrived);
  memset(inCluster, 0, sizeof inCluster);
  raceResetWarps();
  pthread_t threads[MostThreads];
  for (intptr_t i = 0; i < numThreads * Cluster; ++i)
    if (pthread_create(&threads[i], NULL, runThread, (void *)i))
      raceFail("cannot create a thread");
  for (int i = 0; i < numThreads * Cluster; ++i)
    pthread_join(threads[i], NULL);
  for (int c = 0; c < Cluster; ++c)
    free(phases[c]);
}

static void *newData(size_t i) {
  size_t size = arguments[i].count * arguments[i].elementSize;
  void *data = aligned_alloc(64, (size + 64) / 64 * 64);
  if (!data)
    raceFail("out of memory");
  fill(&arguments[i], data, (uint32_t)i);
  return data;
}

/// Runs one form on fresh data and keeps what becomes of it in `data`.
static void run(bool form, void **data) {
  isPacked = form;
  for (size_t i = 0; i < NumArguments; ++i)
    data[i] = p[i] = newData(i);
  for (int32_t i = 0; i < numBlocks; i += Cluster)
    runCluster(i);
}

static bool isUnchanged(void *const *data) {
  bool changed = false;
  for (size_t i = 0; i < NumArguments; ++i) {
    void *before = newData(i);
    changed |= memcmp(before, data[i],
                      arguments[i].count * arguments[i].elementSize) != 0;
    free(before);
  }
  return !changed;
}

static int compare(void *const *expected, void *const *actual) {
  int status = Equal;
  for (size_t i = 0; i < NumArguments; ++i) {
    size_t size = arguments[i].elementSize, wrong = 0, first = 0;
    for (size_t k = arguments[i].count; k-- > 0;)
      if (memcmp((char *)expected[i] + k * size, (char *)actual[i] + k * size,
                 size)) {
        ++wrong;
        first = k;
      }
    if (!wrong)
      continue;
    fprintf(stderr, "argument %zu: %zu elements differ, the first at %zu\n", i,
            wrong, first);
    status = Different;
  }
  return status;
}

int main(int argc, char **argv) {
  if (argc < 5 || argc > 6)
    raceFail("usage: workgroup X Y Z BLOCKS [K]");
  for (int i = 0; i < 3; ++i)
    sizes[i] = atoi(argv[1 + i]);
  numThreads = sizes[0] * sizes[1] * sizes[2];
  numBlocks = atoi(argv[4]);
  removed = argc == 6 ? atoi(argv[5]) : 0;
  if (numThreads < 1 || numThreads * Cluster > MostThreads || numBlocks < 1 ||
      numBlocks % Cluster)
    raceFail("bad launch size");
  signal(SIGALRM, failStuck);
  alarm(MostSeconds);
  void *expected[NumArguments], *actual[NumArguments];
  run(false, expected);
  if (isUnchanged(expected))
    raceFail("the kernel changes no argument");
  run(true, actual);
  return compare(expected, actual);
}
