//===- HeapBench.c - Speed and fragmentation on the same traces ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: bench-heap [operations per trace, default 400000]
//
// For each trace and allocator: CPU time per call (the best of five runs),
// also relative to the C library's malloc in the same table, and the footprint
// (the highest word ever used, bookkeeping included; for malloc, how far its
// heap grew) relative to the largest number of payload words live at once.
// Each allocator runs in a process of its own, so that none inherits another's
// heap. Payloads are not touched: only allocation itself is measured.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "Allocator.h"
#include "Random.h"

#include "berth-c/Heap.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

/// words > 0: allocate into the slot; 0: free what the slot holds.
typedef struct Operation {
  uint32_t slot;
  uint32_t words;
} Operation;

typedef struct Trace {
  const char *name;
  uint32_t (*size)(void);
  uint32_t slots; ///< most blocks live at once
  bool phases;    ///< free half of the blocks at a time, not one by one
} Trace;

static uint32_t smallSize(void) { return 1 + next(32); }

/// All magnitudes alike.
static uint32_t mixedSize(void) { return 1 + next(UINT32_C(2) << next(13)); }

/// A few shapes, as tensors have.
static uint32_t tensorSize(void) {
  static const uint32_t shapes[] = {64, 96, 512, 768, 1024, 1024, 3072, 4096};
  return shapes[next(8)] * (1 + next(4));
}

static const Trace traces[] = {
    {"small, 1k live", smallSize, 1000, false},
    {"small, 20k live", smallSize, 20000, false},
    {"mixed, 1k live", mixedSize, 1000, false},
    {"mixed, 20k live", mixedSize, 20000, false},
    {"tensors, 300 live", tensorSize, 300, false},
    {"mixed in phases", mixedSize, 4000, true},
};
enum { NumTraces = sizeof traces / sizeof *traces };

/// Writes the operations; returns the largest sum of live payload words.
static uint64_t makeTrace(const Trace *trace, Operation *operations,
                          size_t count) {
  uint32_t *held = calloc(trace->slots, sizeof *held);
  uint64_t live = 0, most = 0;
  bool filling = true;
  state = trace->slots;
  for (size_t i = 0; held && i < count; ++i) {
    uint32_t slot = next(trace->slots);
    if (trace->phases) {
      if (i % trace->slots == 0)
        filling = !filling || i == 0;
      while (!!held[slot] == filling && next(64))
        slot = next(trace->slots);
    }
    operations[i] = (Operation){slot, held[slot] ? 0 : trace->size()};
    live += operations[i].words;
    live -= held[slot];
    held[slot] = operations[i].words;
    most = live > most ? live : most;
  }
  free(held);
  return most;
}

//===----------------------------------------------------------------------===//
// Allocators
//===----------------------------------------------------------------------===//

static void initHeap(uint32_t *arena, uint32_t words) {
  berthHeapInit(arena, words, 0);
}
static void initLocked(uint32_t *arena, uint32_t words) {
  berthHeapInit(arena, words, BERTH_HEAP_LOCKED);
}
static uintptr_t heapAllocate(uint32_t *arena, uint32_t words) {
  return berthHeapAlloc(arena, words, 1).handle;
}
static void heapRelease(uint32_t *arena, uintptr_t handle) {
  berthHeapFree(arena, (uint32_t)handle);
}
static uint64_t heapFootprint(const uint32_t *arena) {
  return arena[BERTH_HEAP_HIGH_WATER];
}

/// Where malloc's own heap began: its growth is measured from here.
static size_t mallocBefore;

static void initMalloc(uint32_t *arena, uint32_t words) {
  (void)arena;
  (void)words;
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallocBefore = mallinfo2().uordblks;
}
static uintptr_t mallocAllocate(uint32_t *arena, uint32_t words) {
  (void)arena;
  return (uintptr_t)malloc(words * sizeof(uint32_t));
}
static void mallocRelease(uint32_t *arena, uintptr_t handle) {
  (void)arena;
  free((void *)handle);
}
static uint64_t mallocFootprint(const uint32_t *arena) {
  (void)arena;
  return (mallinfo2().arena - mallocBefore) / sizeof(uint32_t);
}

static const Allocator mallocAllocator = {"malloc", initMalloc, mallocAllocate,
                                          mallocRelease, mallocFootprint};
static const Allocator heapAllocator = {"berth heap", initHeap, heapAllocate,
                                        heapRelease, heapFootprint};
static const Allocator lockedAllocator = {
    "  with lock", initLocked, heapAllocate, heapRelease, heapFootprint};

static const Allocator *const allocators[] = {&mallocAllocator, &heapAllocator,
                                              &lockedAllocator, &tlsfAllocator,
                                              &firstFitAllocator};
enum { NumAllocators = sizeof allocators / sizeof *allocators };

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

typedef struct Result {
  double seconds; ///< of CPU time, best run
  uint64_t footprint;
  uint64_t refused;
} Result;

static double cpuSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t replay(const Allocator *allocator, uint32_t *arena,
                       const Operation *operations, size_t count,
                       uintptr_t *slots) {
  uint64_t refused = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t slot = operations[i].slot;
    if (operations[i].words) {
      slots[slot] = allocator->allocate(arena, operations[i].words);
      refused += !slots[slot];
    } else if (slots[slot]) {
      allocator->release(arena, slots[slot]);
      slots[slot] = 0;
    }
  }
  return refused;
}

enum { Runs = 5 };

static Result measure(const Allocator *allocator, const Trace *trace,
                      const Operation *operations, size_t count,
                      uint32_t words) {
  uint32_t *arena = calloc(words, sizeof *arena);
  uintptr_t *slots = calloc(trace->slots, sizeof *slots);
  Result result = {.seconds = 1e9};
  if (!arena || !slots)
    exit(1);
  for (int run = 0; run < Runs; ++run) {
    allocator->init(arena, words);
    double start = cpuSeconds();
    result.refused = replay(allocator, arena, operations, count, slots);
    double seconds = cpuSeconds() - start;
    result.seconds = seconds < result.seconds ? seconds : result.seconds;
    if (run == 0)
      result.footprint = allocator->footprint(arena);
    for (uint32_t slot = 0; slot < trace->slots; ++slot) {
      if (slots[slot])
        allocator->release(arena, slots[slot]);
      slots[slot] = 0;
    }
  }
  return result;
}

/// `measure` in a child process.
static Result measureApart(const Allocator *allocator, const Trace *trace,
                           const Operation *operations, size_t count,
                           uint32_t words) {
  int ends[2];
  Result result = {.seconds = 0};
  if (pipe(ends))
    exit(1);
  pid_t child = fork();
  if (child == 0) {
    result = measure(allocator, trace, operations, count, words);
    _exit(write(ends[1], &result, sizeof result) != sizeof result);
  }
  int status = 1;
  if (child < 0 || read(ends[0], &result, sizeof result) != sizeof result ||
      waitpid(child, &status, 0) != child || status) {
    fprintf(stderr, "%s failed on '%s'\n", allocator->name, trace->name);
    exit(1);
  }
  close(ends[0]);
  close(ends[1]);
  return result;
}

static void report(const Trace *trace, Operation *operations, size_t count) {
  uint64_t most = makeTrace(trace, operations, count);
  uint32_t words = (uint32_t)(most * 2 + 65536);
  double baseline = 0;
  for (size_t a = 0; a < NumAllocators; ++a) {
    Result result =
        measureApart(allocators[a], trace, operations, count, words);
    if (a == 0)
      baseline = result.seconds;
    printf("%-18s %-12s %8.1f %8.2f %12llu %8.3f %8llu\n",
           a == 0 ? trace->name : "", allocators[a]->name,
           result.seconds * 1e9 / (double)count, result.seconds / baseline,
           (unsigned long long)result.footprint,
           (double)result.footprint / (double)most,
           (unsigned long long)result.refused);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 400000;
  if (argc > 2 || count < 1 || count > 100000000) {
    fputs("usage: bench-heap [operations per trace, at most 100000000]\n",
          stderr);
    return 2;
  }
  Operation *operations = calloc((size_t)count, sizeof *operations);
  if (!operations)
    return 1;
  printf("%-18s %-12s %8s %8s %12s %8s %8s\n", "trace", "allocator", "ns/call",
         "x malloc", "words used", "x live", "refused");
  for (size_t t = 0; t < NumTraces; ++t)
    report(&traces[t], operations, (size_t)count);
  free(operations);
  return 0;
}
