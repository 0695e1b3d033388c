//===- Speculate.c - Searching ahead on other threads --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Each turn has a worker: a thread, and a search of its own, built when it is
// first needed. Between begin and join everything of a worker belongs to its
// thread, but for `cancelled` and what the mutex guards; the task is shared and
// never written.
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "Pack/Search/Speculate.h"

#include "Pack/Task/Host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A search may be 16,384 levels deep. The caller looks at its clock and its
// interrupt this often while it waits.
enum { kStackBytes = 1 << 26, kWaitNanoseconds = 20000000 };

typedef struct Worker {
  BerthSpeculation *owner;
  pthread_t thread;
  bool running;  ///< begun and not joined yet
  bool finished; ///< guarded by the owner's mutex
  BerthMemory arena;
  BerthHost host;
  uint64_t steps; ///< of the call under way
  uint64_t stepsLeft;
  BerthSearch *search;
  double *weights;
  bool failed;
  BerthTurn turn;
} Worker;

struct BerthSpeculation {
  const BerthTask *task;
  const BerthHost *host;
  pthread_mutex_t mutex;
  pthread_cond_t changed; ///< some worker has finished
  atomic_bool cancelled;
  unsigned numWorkers;
  Worker workers[kBerthMostTurns];
  unsigned first; ///< the worker of the turn to be taken next
  unsigned count; ///< turns begun and not taken
};

//===---------------------------------------------------------------------===//
// On the worker's thread
//===---------------------------------------------------------------------===//

static bool step(void *context, uint64_t count) {
  Worker *worker = context;
  worker->steps += count;
  return worker->steps < worker->stepsLeft &&
         !atomic_load_explicit(&worker->owner->cancelled, memory_order_relaxed);
}

static bool prepare(Worker *worker) {
  if (!worker->search) {
    worker->host = (BerthHost){.version = BERTH_PACKER_ABI,
                               .size = sizeof(BerthHost),
                               .context = worker,
                               .step = step};
    worker->search =
        berthSearchCreate(worker->owner->task, &worker->host, &worker->arena);
    if (worker->search)
      worker->weights =
          BERTH_MEMORY_NEW(&worker->arena, double, worker->search->numSections);
  }
  return worker->search && worker->weights;
}

// Makes the calls until one settles something. A call that was stopped is worth
// nothing, nor is what was learnt since.
static void runTurn(Worker *worker) {
  BerthTurn *turn = &worker->turn;
  BerthSearch *search = worker->search;
  search->weights = worker->weights;
  for (unsigned i = 0; i < turn->numCalls; ++i) {
    BerthSearchCall *call = &turn->calls[i];
    worker->steps = 0;
    call->result = berthSearchRun(search, call->capacity, call->config,
                                  call->seed, call->failureLimit);
    call->steps = worker->steps;
    worker->stepsLeft -=
        worker->steps < worker->stepsLeft ? worker->steps : worker->stepsLeft;
    ++turn->numDone;
    worker->failed = call->result == BERTH_SEARCH_STOPPED ||
                     call->result == BERTH_SEARCH_MEMORY;
    if (call->result == BERTH_SEARCH_REFUTED)
      call->bound = berthSearchBound(search);
    if (call->result != BERTH_SEARCH_LIMIT)
      break;
  }
  turn->search = search;
  turn->weightsAfter = worker->weights;
}

static void *work(void *argument) {
  Worker *worker = argument;
  BerthSpeculation *owner = worker->owner;
  runTurn(worker);
  pthread_mutex_lock(&owner->mutex);
  worker->finished = true;
  pthread_cond_signal(&owner->changed);
  pthread_mutex_unlock(&owner->mutex);
  return NULL;
}

//===---------------------------------------------------------------------===//
// On the caller's thread
//===---------------------------------------------------------------------===//

BerthSpeculation *berthSpeculationCreate(const BerthTask *task,
                                         const BerthHost *host) {
  unsigned ahead = task->threads - 1;
  if (task->threads < 2)
    return NULL;
  BerthSpeculation *speculation = calloc(1, sizeof *speculation);
  if (!speculation)
    return NULL;
  speculation->task = task;
  speculation->host = host;
  speculation->numWorkers = ahead < kBerthMostTurns ? ahead : kBerthMostTurns;
  pthread_mutex_init(&speculation->mutex, NULL);
  pthread_cond_init(&speculation->changed, NULL);
  atomic_init(&speculation->cancelled, false);
  for (unsigned i = 0; i < speculation->numWorkers; ++i)
    speculation->workers[i].owner = speculation;
  return speculation;
}

void berthSpeculationDestroy(BerthSpeculation *speculation) {
  if (!speculation)
    return;
  berthSpeculationCancel(speculation);
  for (unsigned i = 0; i < speculation->numWorkers; ++i)
    berthMemoryFree(&speculation->workers[i].arena);
  pthread_cond_destroy(&speculation->changed);
  pthread_mutex_destroy(&speculation->mutex);
  free(speculation);
}

unsigned berthSpeculationRoom(const BerthSpeculation *speculation) {
  return speculation ? speculation->numWorkers - speculation->count : 0;
}

bool berthSpeculationIsBusy(const BerthSpeculation *speculation) {
  return speculation && speculation->count > 0;
}

static bool startThread(Worker *worker) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes))
    return false;
  bool started = !pthread_attr_setstacksize(&attributes, kStackBytes) &&
                 !pthread_create(&worker->thread, &attributes, work, worker);
  pthread_attr_destroy(&attributes);
  return started;
}

void berthSpeculationBegin(BerthSpeculation *speculation,
                           const BerthTurn *turn) {
  unsigned next =
      (speculation->first + speculation->count) % speculation->numWorkers;
  Worker *worker = &speculation->workers[next];
  ++speculation->count;
  worker->turn = *turn;
  worker->turn.numDone = 0;
  worker->finished = false;
  worker->stepsLeft = berthHostRemaining(berthHostState(speculation->host));
  worker->failed = !prepare(worker);
  if (worker->failed)
    return;
  memcpy(worker->weights, turn->weights,
         worker->search->numSections * sizeof *worker->weights);
  worker->running = startThread(worker);
  if (!worker->running)
    worker->failed = true;
}

static void join(Worker *worker) {
  if (worker->running)
    pthread_join(worker->thread, NULL);
  worker->running = false;
}

// Waits until the worker has finished. False where the caller has to stop.
static bool await(BerthSpeculation *speculation, Worker *worker) {
  bool go = true;
  while (go) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += kWaitNanoseconds;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      ++until.tv_sec;
    }
    pthread_mutex_lock(&speculation->mutex);
    if (!worker->finished)
      pthread_cond_timedwait(&speculation->changed, &speculation->mutex,
                             &until);
    bool finished = worker->finished;
    pthread_mutex_unlock(&speculation->mutex);
    if (finished)
      return true;
    go = berthHostPoll(berthHostState(speculation->host));
  }
  return false;
}

const BerthTurn *berthSpeculationTake(BerthSpeculation *speculation,
                                      uint64_t number) {
  if (!speculation || !speculation->count)
    return NULL;
  Worker *worker = &speculation->workers[speculation->first];
  uint64_t steps = 0;
  if (worker->turn.number != number)
    return NULL;
  if (worker->running && !await(speculation, worker)) {
    berthSpeculationCancel(speculation);
    return NULL;
  }
  join(worker);
  speculation->first = (speculation->first + 1) % speculation->numWorkers;
  --speculation->count;
  for (unsigned i = 0; i < worker->turn.numDone; ++i)
    steps += worker->turn.calls[i].steps;
  // Within its last steps the caller stops in the middle of a call.
  if (worker->failed ||
      steps >= berthHostRemaining(berthHostState(speculation->host)))
    return NULL;
  return &worker->turn;
}

void berthSpeculationCancel(BerthSpeculation *speculation) {
  if (!speculation)
    return;
  atomic_store_explicit(&speculation->cancelled, true, memory_order_relaxed);
  for (unsigned i = 0; i < speculation->numWorkers; ++i)
    join(&speculation->workers[i]);
  atomic_store_explicit(&speculation->cancelled, false, memory_order_relaxed);
  speculation->count = 0;
}
