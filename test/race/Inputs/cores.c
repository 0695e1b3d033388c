//===- cores.c - Runs functions with one thread per core ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function as several cores would, a thread each, in the form in which
// no buffers share bytes and in the planned one, and compares what they
// compute. Data races are ThreadSanitizer's to find: it exits with 66 then.
//
// The cores have a unit copy for them, too. What each has issued is done in its
// order, up to the next barrier; between those of different cores there is
// none, so the unit takes some of the first core's, and then of all in turn.
//
//===----------------------------------------------------------------------===//

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kElements = 256, kMostCores = 8, kMostCopies = 16 };

typedef struct MemRef {
  int64_t *allocated, *aligned;
  int64_t offset, size, stride;
} MemRef;

// The function, lowered twice.
void _mlir_ciface_reference(MemRef *x, MemRef *y);
void _mlir_ciface_packed(MemRef *x, MemRef *y);

static int numCores = 2;
static _Thread_local int core;
static pthread_barrier_t barrier;

typedef struct Copy {
  MemRef from, to;
} Copy;

typedef struct Queue {
  Copy copies[kMostCopies];
  int count, done;
} Queue;

static Queue queues[kMostCores];
static int isIssuedOnce; // by the first core
static int ahead;        // copies of the first core that are done first

static void copyNext(Queue *queue) {
  if (queue->done == queue->count)
    return;
  const Copy *copy = &queue->copies[queue->done++];
  memmove(copy->to.aligned + copy->to.offset,
          copy->from.aligned + copy->from.offset,
          (size_t)copy->from.size * sizeof(int64_t));
}

static void runUnit(void) {
  for (int i = 0; i < ahead; ++i)
    copyNext(&queues[0]);
  for (int i = 0; i < kMostCopies; ++i)
    for (int k = numCores - 1; k >= 0; --k)
      copyNext(&queues[k]);
  for (int i = 0; i < numCores; ++i)
    queues[i].count = queues[i].done = 0;
}

// What the functions call.
int32_t _mlir_ciface_core_number(void) { return core; }

void _mlir_ciface_unit_copy(MemRef *from, MemRef *to) {
  Queue *queue = &queues[core];
  if (isIssuedOnce && core != 0)
    return;
  if (queue->count == kMostCopies)
    abort();
  queue->copies[queue->count++] = (Copy){*from, *to};
}

void _mlir_ciface_meet(void) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    runUnit();
  pthread_barrier_wait(&barrier);
}

typedef struct Job {
  void (*run)(MemRef *x, MemRef *y);
  MemRef *x, *y;
  int core;
} Job;

static void *start(void *argument) {
  Job *job = argument;
  core = job->core;
  job->run(job->x, job->y);
  return NULL;
}

static void runAll(void (*run)(MemRef *, MemRef *), int64_t *in, int64_t *out) {
  pthread_t threads[kMostCores];
  Job jobs[kMostCores];
  MemRef x = {in, in, 0, kElements, 1}, y = {out, out, 0, kElements, 1};
  pthread_barrier_init(&barrier, NULL, (unsigned)numCores);
  for (int i = 0; i < numCores; ++i) {
    jobs[i] = (Job){run, &x, &y, i};
    pthread_create(&threads[i], NULL, start, &jobs[i]);
  }
  for (int i = 0; i < numCores; ++i)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
}

int main(int argc, char **argv) {
  static int64_t in[kElements], expected[kElements], got[kElements];
  if (argc > 1)
    numCores = atoi(argv[1]);
  isIssuedOnce = argc > 2 && strcmp(argv[2], "once") == 0;
  for (int i = 0; i < kElements; ++i)
    in[i] = 7 * i + 3;
  runAll(_mlir_ciface_reference, in, expected);
  for (; ahead <= kMostCopies; ++ahead) {
    runAll(_mlir_ciface_packed, in, got);
    for (int i = 0; i < kElements; ++i)
      if (expected[i] != got[i]) {
        printf("y[%d] is %lld, not %lld\n", i, (long long)got[i],
               (long long)expected[i]);
        return 1;
      }
  }
  puts("equal");
  return 0;
}
