//===- PatternBench.c - The heap against a plain max-heap ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: bench-heap-patterns [calls per trace, default 400000]
//
// Four patterns of lifetimes, each by 1, 32 and 1,024 simulated threads that
// take turns call by call on one heap:
//
//   random     a random block of the thread's is freed, or one is allocated
//   nested     last in, first out, to a random depth
//   fifo       first in, first out
//   sawtooth   all of the thread's blocks are allocated, then all are freed
//
// Prints the time per call in an arena that suffices by far, and the fill: the
// largest number of live words over the words of the smallest arena, header and
// array included, in which nothing is refused. The last two columns are the
// heap's with a parked block for each class in front of it (Slots.c): which
// share of all calls needs no lock then, and the fill.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "Allocator.h"
#include "Random.h"
#include "Slots.h"

#include "berth-c/Heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

typedef enum Pattern { Random, Nested, Fifo, Sawtooth, NumPatterns } Pattern;

static const char *const patternNames[] = {"random", "nested", "fifo",
                                           "sawtooth"};

/// words > 0: allocate into the slot; 0: free what the slot holds.
typedef struct Operation {
  uint32_t slot;
  uint32_t words;
} Operation;

/// One simulated thread: `slots` slots from `first`, used as a ring by the
/// patterns with an order.
typedef struct Thread {
  uint32_t first;
  uint32_t slots;
  uint32_t begin; ///< the oldest one held
  uint32_t held;
  uint32_t target; ///< how many to hold before going the other way
  bool isGrowing;
} Thread;

/// All magnitudes from 1 to 255 words alike.
static uint32_t anySize(void) { return 1 + next(UINT32_C(2) << next(8)); }

static Operation grow(Thread *thread) {
  uint32_t slot = (thread->begin + thread->held++) % thread->slots;
  return (Operation){thread->first + slot, anySize()};
}

static Operation shrink(Thread *thread, bool takesNewest) {
  uint32_t slot = thread->begin;
  --thread->held;
  if (takesNewest)
    slot = (slot + thread->held) % thread->slots;
  else
    thread->begin = (thread->begin + 1) % thread->slots;
  return (Operation){thread->first + slot, 0};
}

/// `words` of each slot, 0 where it holds nothing.
static Operation step(Thread *thread, Pattern pattern, const uint32_t *words) {
  if (pattern == Random) {
    uint32_t slot = thread->first + next(thread->slots);
    return (Operation){slot, words[slot] ? 0 : anySize()};
  }
  if (pattern == Fifo)
    return thread->held < thread->slots ? grow(thread) : shrink(thread, false);
  if (thread->held == thread->target) {
    thread->isGrowing = !thread->isGrowing;
    if (pattern == Sawtooth)
      thread->target = thread->isGrowing ? thread->slots : 0;
    else
      thread->target =
          thread->isGrowing
              ? thread->held + 1 + next(thread->slots - thread->held)
              : next(thread->held);
  }
  return thread->isGrowing ? grow(thread) : shrink(thread, pattern == Nested);
}

typedef struct Trace {
  Operation *operations;
  size_t count;
  uint64_t most; ///< payload words live at once
} Trace;

static Trace makeTrace(Pattern pattern, uint32_t threads, uint32_t slots,
                       size_t count) {
  Trace trace = {calloc(count, sizeof *trace.operations), count, 0};
  Thread *all = calloc(threads, sizeof *all);
  uint32_t *words = calloc((size_t)threads * slots, sizeof *words);
  if (!trace.operations || !all || !words)
    exit(1);
  uint64_t live = 0;
  state = threads;
  for (uint32_t t = 0; t < threads; ++t)
    all[t] = (Thread){.first = t * slots,
                      .slots = slots,
                      .target = pattern == Nested ? 1 + next(slots) : slots,
                      .isGrowing = true};
  for (size_t i = 0; i < count; ++i) {
    Operation operation = step(&all[i % threads], pattern, words);
    live += operation.words;
    live -= operation.words ? 0 : words[operation.slot];
    words[operation.slot] = operation.words;
    trace.operations[i] = operation;
    trace.most = live > trace.most ? live : trace.most;
  }
  free(all);
  free(words);
  return trace;
}

//===----------------------------------------------------------------------===//
// Allocators
//===----------------------------------------------------------------------===//

static void initHeap(uint32_t *arena, uint32_t words) {
  berthHeapInit(arena, words, 0);
}
static uintptr_t heapAllocate(uint32_t *arena, uint32_t words) {
  return berthHeapAllocAligned(arena, words, 1).handle;
}
static void heapRelease(uint32_t *arena, uintptr_t handle) {
  berthHeapFree(arena, (uint32_t)handle);
}
static uint64_t heapFootprint(const uint32_t *arena) {
  return arena[BERTH_HEAP_HIGH_WATER];
}

static const Allocator heapAllocator = {"berth heap", initHeap, heapAllocate,
                                        heapRelease, heapFootprint};

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static double cpuSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// False if an allocation was refused; nothing is done behind it.
static bool replay(const Allocator *allocator, uint32_t *arena, uint32_t words,
                   const Trace *trace, uintptr_t *slots) {
  allocator->init(arena, words);
  for (size_t i = 0; i < trace->count; ++i) {
    Operation operation = trace->operations[i];
    if (!operation.words) {
      allocator->release(arena, slots[operation.slot]);
      continue;
    }
    slots[operation.slot] = allocator->allocate(arena, operation.words);
    if (!slots[operation.slot])
      return false;
  }
  return true;
}

static const Allocator *const allocators[] = {&plainHeapAllocator,
                                              &heapAllocator};
enum { NumAllocators = 2, Runs = 9 };

/// Nanoseconds a call, the best run; they take turns, so that whatever else the
/// machine does hits both.
static void measure(uint32_t *arena, uint32_t words, const Trace *trace,
                    uintptr_t *slots, double *nanoseconds) {
  for (int run = 0; run < Runs; ++run)
    for (int a = 0; a < NumAllocators; ++a) {
      double start = cpuSeconds();
      if (!replay(allocators[a], arena, words, trace, slots)) {
        fprintf(stderr, "%s: refused\n", allocators[a]->name);
        exit(1);
      }
      double time = (cpuSeconds() - start) * 1e9 / (double)trace->count;
      if (run == 0 || time < nanoseconds[a])
        nanoseconds[a] = time;
    }
}

/// The most live words over the words of the smallest arena in which no call is
/// refused, within half a percent.
static double findFill(const Allocator *allocator, uint32_t *arena,
                       uint32_t words, const Trace *trace, uintptr_t *slots) {
  uint32_t tooFew = (uint32_t)trace->most, enough = words;
  while (enough - tooFew > trace->most / 200 + 1) {
    uint32_t middle = tooFew + (enough - tooFew) / 2;
    if (replay(allocator, arena, middle, trace, slots))
      enough = middle;
    else
      tooFew = middle;
  }
  return (double)trace->most / enough;
}

static void report(Pattern pattern, uint32_t threads, size_t count) {
  uint32_t slots = threads == 1 ? 1000 : threads == 32 ? 128 : 16;
  Trace trace = makeTrace(pattern, threads, slots, count);
  uint32_t words = (uint32_t)(trace.most * 4 + 65536);
  uint32_t *arena = calloc(words, sizeof *arena);
  uintptr_t *held = calloc((size_t)threads * slots, sizeof *held);
  if (!arena || !held)
    exit(1);
  double times[NumAllocators], fills[NumAllocators];
  measure(arena, words, &trace, held, times);
  for (int a = 0; a < NumAllocators; ++a)
    fills[a] = findFill(allocators[a], arena, words, &trace, held);
  replay(&slotsAllocator, arena, words, &trace, held);
  double served = (double)slotCounts.served / (double)slotCounts.calls;
  printf("%-10s %8u %9.1f %9.1f %6.2f %9.2f %9.2f %9.3f %9.2f\n",
         patternNames[pattern], threads, times[0], times[1],
         times[1] / times[0], fills[0], fills[1], served,
         findFill(&slotsAllocator, arena, words, &trace, held));
  fflush(stdout);
  free(arena);
  free(held);
  free(trace.operations);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 400000;
  if (argc > 2 || count < 1 || count > 100000000) {
    fputs("usage: bench-heap-patterns [calls per trace, at most 100000000]\n",
          stderr);
    return 2;
  }
  printf("%-10s %8s %9s %9s %6s %9s %9s %9s %9s\n", "pattern", "threads",
         "plain ns", "heap ns", "ratio", "plain fill", "heap fill", "parked",
         "fill then");
  for (Pattern pattern = Random; pattern < NumPatterns; ++pattern)
    for (uint32_t threads = 1; threads <= 1024; threads *= 32)
      report(pattern, threads, (size_t)count);
  return 0;
}
