//===- HeapThreadsTest.c - One heap, sixteen threads ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built twice: as it is, and with lib/Heap under ThreadSanitizer, which then
// sees every access inside the lock and to the payloads.
//
//===----------------------------------------------------------------------===//

#include "berth-c/Heap.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { Threads = 16, Rounds = 2000, Held = 6, Words = 4096 };

static uint32_t arena[Words];
static atomic_bool begun; ///< all threads are there

typedef struct Worker {
  pthread_t thread;
  uint32_t number;
  uint32_t errors;
  uint32_t failures; ///< allocations refused because the arena was full
} Worker;

typedef struct Holding {
  uint32_t handle;
  uint32_t payload;
  uint32_t words;
} Holding;

static void take(Worker *worker, Holding *holding, uint32_t round) {
  uint32_t stride = 1 + (round * 7 + worker->number) % 64;
  uint32_t count = (round * 3 + worker->number) % 5;
  BerthHeapBlock block = berthHeapAlloc(arena, count, stride);
  worker->failures += !block.handle;
  *holding = (Holding){block.handle, block.address * stride, count * stride};
  for (uint32_t i = 0; block.handle && i < holding->words; ++i)
    arena[holding->payload + i] = worker->number;
}

static void giveBack(Worker *worker, Holding *holding) {
  for (uint32_t i = 0; holding->handle && i < holding->words; ++i)
    worker->errors += arena[holding->payload + i] != worker->number;
  worker->errors += berthHeapFree(arena, holding->handle) != BERTH_HEAP_OK;
  holding->handle = 0;
}

static void *run(void *argument) {
  Worker *worker = argument;
  Holding holdings[Held] = {{0, 0, 0}};
  while (!atomic_load(&begun))
    sched_yield();
  for (uint32_t round = 0; round < Rounds; ++round) {
    Holding *holding = &holdings[round % Held];
    giveBack(worker, holding);
    take(worker, holding, round);
  }
  for (int i = 0; i < Held; ++i)
    giveBack(worker, &holdings[i]);
  return NULL;
}

int main(void) {
  Worker workers[Threads] = {{0}};
  berthHeapInit(arena, Words, BERTH_HEAP_LOCKED);
  for (uint32_t i = 0; i < Threads; ++i) {
    workers[i].number = i + 1;
    if (pthread_create(&workers[i].thread, NULL, run, &workers[i])) {
      fputs("cannot create a thread\n", stderr);
      return 1;
    }
  }
  atomic_store(&begun, true);
  uint32_t errors = 0, failures = 0;
  for (int i = 0; i < Threads; ++i) {
    pthread_join(workers[i].thread, NULL);
    errors += workers[i].errors;
    failures += workers[i].failures;
  }
  bool clean = berthHeapCheck(arena, NULL) == BERTH_HEAP_OK &&
               arena[BERTH_HEAP_USED] == 0 && arena[BERTH_HEAP_LOCK] == 0 &&
               arena[BERTH_HEAP_TOP] < Words / 16;
  printf("%d threads, %d rounds each, %u refused, %u errors, %s\n", Threads,
         Rounds, failures, errors, clean ? "all returned" : "heap broken");
  return errors || !clean;
}
