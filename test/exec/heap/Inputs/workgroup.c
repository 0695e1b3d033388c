//===- workgroup.c - Runs a kernel with one thread per GPU thread --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One workgroup of 32 threads calls the kernel of kernel-threads.mlir, lowered
// for the CPU, under ThreadSanitizer: a barrier that is missing is a race. Each
// phase has a barrier object of its own, since one that is used again would
// order the phases by itself and hide races.
//
//   workgroup ROWS BASE    row r has BASE + r elements
//
// Prints the heap's status, the rows that came out reversed, those that were
// left alone, and those that are wrong.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { Threads = 32, MostPhases = 4096, Pitch = 4096 };

typedef struct MemRef {
  float *allocated;
  float *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} MemRef;

void _mlir_ciface_reverse_rows(MemRef *in, MemRef *out, int64_t rows,
                               int64_t base);
extern int32_t berth_heap_status[1];

static pthread_barrier_t phases[MostPhases];
static _Thread_local int phase;
static _Thread_local int64_t threadId;

int64_t _mlir_ciface_thread_id_x(void) { return threadId; }
int64_t _mlir_ciface_thread_id_y(void) { return 0; }
int64_t _mlir_ciface_thread_id_z(void) { return 0; }
int64_t _mlir_ciface_block_dim_x(void) { return Threads; }

void _mlir_ciface_workgroup_barrier(void) {
  if (phase == MostPhases)
    abort();
  pthread_barrier_wait(&phases[phase++]);
}

static int64_t rows, base;
static MemRef in, out;

static MemRef create(void) {
  int64_t size = rows * Pitch;
  float *data = calloc((size_t)size, sizeof *data);
  if (!data)
    abort();
  return (MemRef){data, data, 0, size, 1};
}

static void *run(void *argument) {
  threadId = (int64_t)(intptr_t)argument;
  _mlir_ciface_reverse_rows(&in, &out, rows, base);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  rows = atoll(argv[1]);
  base = atoll(argv[2]);
  in = create();
  out = create();
  for (int64_t i = 0; i < in.size; ++i)
    in.aligned[i] = (float)(i % 1000 + 1);
  for (int i = 0; i < MostPhases; ++i)
    pthread_barrier_init(&phases[i], NULL, Threads);
  pthread_t threads[Threads];
  for (intptr_t i = 0; i < Threads; ++i)
    pthread_create(&threads[i], NULL, run, (void *)i);
  for (int i = 0; i < Threads; ++i)
    pthread_join(threads[i], NULL);
  int reversed = 0, untouched = 0, wrong = 0;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t length = base + r, good = 0, empty = 0;
    for (int64_t i = 0; i < length; ++i) {
      float value = out.aligned[r * Pitch + i];
      good += value == in.aligned[r * Pitch + length - 1 - i];
      empty += value == 0.0f;
    }
    reversed += good == length;
    untouched += good != length && empty == length;
    wrong += good != length && empty != length;
  }
  printf("status %d, %d reversed, %d untouched, %d wrong\n",
         berth_heap_status[0], reversed, untouched, wrong);
  return wrong != 0;
}
