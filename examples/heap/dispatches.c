//===- dispatches.c - Kernels in a row over one heap ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host of slots.mlir, with one CPU thread per GPU thread:
//
//   dispatches [ROUNDS [WORDS [HARM]]]
//
// It opens the heap with one call. In each round a dispatch of `produce` lets
// some of the threads without a block take one, and a dispatch of `consume`
// lets some of those with a block give it back; which ones, a random number
// says, so that blocks live for any number of dispatches. Every sum is checked.
// After the last round all the others give theirs back.
//
// HARM is what happens to the slots before that: `twice` lets a block that is
// free already be given back, `forged` an address inside a block.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "berth-c/Heap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Blocks = 4, ThreadsPerBlock = 8, Threads = Blocks * ThreadsPerBlock };

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

typedef struct MemRef {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} MemRef;

void _mlir_ciface_produce(MemRef *arena, MemRef *slots, MemRef *lengths,
                          int64_t threads);
void _mlir_ciface_consume(MemRef *arena, MemRef *slots, MemRef *lengths,
                          MemRef *sums, int64_t threads);

static _Thread_local int64_t number;

int64_t _mlir_ciface_thread_id_x(void) { return number % ThreadsPerBlock; }
int64_t _mlir_ciface_thread_id_y(void) { return 0; }
int64_t _mlir_ciface_thread_id_z(void) { return 0; }
int64_t _mlir_ciface_block_id_x(void) { return number / ThreadsPerBlock; }
int64_t _mlir_ciface_block_dim_x(void) { return ThreadsPerBlock; }
void _mlir_ciface_workgroup_barrier(void) { abort(); }

static MemRef arena, slots, lengths, sums;
static pthread_barrier_t start; ///< all threads of a dispatch come at once

static void *produce(void *argument) {
  number = (int64_t)(intptr_t)argument;
  pthread_barrier_wait(&start);
  _mlir_ciface_produce(&arena, &slots, &lengths, Threads);
  return NULL;
}

static void *consume(void *argument) {
  number = (int64_t)(intptr_t)argument;
  pthread_barrier_wait(&start);
  _mlir_ciface_consume(&arena, &slots, &lengths, &sums, Threads);
  return NULL;
}

static void dispatch(void *(*kernel)(void *)) {
  pthread_t threads[Threads];
  pthread_barrier_init(&start, NULL, Threads);
  for (intptr_t i = 0; i < Threads; ++i)
    if (pthread_create(&threads[i], NULL, kernel, (void *)i))
      abort();
  for (int i = 0; i < Threads; ++i)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

static MemRef create(int64_t count, size_t bytes) {
  void *data = NULL;
  if (posix_memalign(&data, 64, (size_t)count * bytes))
    abort();
  memset(data, 0, (size_t)count * bytes);
  return (MemRef){data, data, 0, count, 1};
}

static uint32_t state = 1;

/// A linear congruential generator (D. Knuth, vol. 2, 3.3.4).
static uint32_t next(uint32_t bound) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % bound;
}

static int32_t held[Threads]; ///< length of each thread's block, 0: none
static int numAsked, numGiven, numWrong;

/// Lets those threads ask for a block that have none, each with a chance.
static void runProduce(void) {
  int32_t *asked = lengths.aligned;
  for (int i = 0; i < Threads; ++i) {
    asked[i] = !held[i] && next(2) ? (int32_t)(1 + next(60)) : 0;
    held[i] += asked[i];
    numAsked += asked[i] != 0;
  }
  dispatch(produce);
}

/// Lets every thread with a block give it back, or each with a chance.
static void runConsume(bool all) {
  int32_t *asked = lengths.aligned;
  float *found = sums.aligned;
  for (int i = 0; i < Threads; ++i)
    asked[i] = all || next(2) ? held[i] : 0;
  dispatch(consume);
  for (int i = 0; i < Threads; ++i) {
    if (!asked[i])
      continue;
    numWrong += found[i] != (float)(i * asked[i]);
    ++numGiven;
    held[i] = 0;
  }
}

/// Frees what is no block: thread 1's once more, or one word into thread 2's.
static void harm(const char *how) {
  MemRef *blocks = slots.aligned;
  int32_t *asked = lengths.aligned;
  memset(asked, 0, Threads * sizeof *asked);
  int victim = strcmp(how, "twice") == 0 ? 1 : 2;
  asked[victim] = 1;
  dispatch(produce);
  MemRef good = blocks[victim];
  if (victim == 1)
    dispatch(consume);
  else
    blocks[victim].aligned = (uint32_t *)good.aligned + 1;
  dispatch(consume);
  blocks[victim] = good;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  int64_t words = argc > 2 ? atoll(argv[2]) : 4096;
  arena = create(4 * words, 1);
  slots = create(Threads, sizeof(MemRef));
  lengths = create(Threads, sizeof(int32_t));
  sums = create(Threads, sizeof(float));
  uint32_t *heap = arena.aligned;
  if (berthHeapInit(heap, (uint64_t)words, argc > 3 ? BERTH_HEAP_CHECKED : 0))
    return 2;
  for (int i = 0; i < rounds && !heap[BERTH_HEAP_STATUS]; ++i) {
    runProduce();
    if (!heap[BERTH_HEAP_STATUS])
      runConsume(false);
  }
  if (argc > 3)
    harm(argv[3]);
  else if (!heap[BERTH_HEAP_STATUS])
    runConsume(true);
  bool isSound = berthHeapCheck(heap, NULL) == BERTH_HEAP_OK;
  printf("status: %s\n",
         berthHeapStatusString((BerthHeapStatus)heap[BERTH_HEAP_STATUS]));
  printf("%d blocks asked for, %d given back, %d wrong; %s, words in use: %u\n",
         numAsked, numGiven, numWrong, isSound ? "heap sound" : "heap broken",
         heap[BERTH_HEAP_USED]);
  return numWrong || !isSound;
}
