//===- Crew.c - Threads that share the work of a loop --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Support/Crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// Exact search may be 16,384 levels deep; what is not used costs nothing.
enum { kStackBytes = 1 << 26, kWaitNanoseconds = 20000000 };

typedef struct Hand {
  BerthCrew *crew;
  unsigned number;
  pthread_t thread;
} Hand;

struct BerthCrew {
  pthread_mutex_t mutex;
  pthread_cond_t begun;
  pthread_cond_t left;
  // Guarded by the mutex.
  uint64_t loops; ///< begun so far
  bool open;      ///< the last one may still be joined
  bool over;      ///< there will be no more
  unsigned busy;  ///< hands at work, without the caller
  // Set before a loop begins.
  BerthCrewWork *work;
  void *context;
  uint32_t count;
  atomic_uint_least64_t next; ///< turn to be taken
  unsigned numHands;          ///< without the caller
  Hand hands[kBerthMostHands - 1];
};

// Takes turns until there are none left.
static void takeTurns(BerthCrew *crew, unsigned number) {
  for (;;) {
    uint64_t index =
        atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
    if (index >= crew->count)
      return;
    crew->work(crew->context, number, (uint32_t)index);
  }
}

static void *serve(void *argument) {
  const Hand *hand = argument;
  BerthCrew *crew = hand->crew;
  uint64_t seen = 0;
  pthread_mutex_lock(&crew->mutex);
  for (;;) {
    while (!crew->over && (crew->loops == seen || !crew->open))
      pthread_cond_wait(&crew->begun, &crew->mutex);
    if (crew->over)
      break;
    seen = crew->loops;
    ++crew->busy;
    pthread_mutex_unlock(&crew->mutex);
    takeTurns(crew, hand->number);
    pthread_mutex_lock(&crew->mutex);
    if (--crew->busy == 0)
      pthread_cond_signal(&crew->left);
  }
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

static bool startThread(Hand *hand) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes))
    return false;
  bool started = !pthread_attr_setstacksize(&attributes, kStackBytes) &&
                 !pthread_create(&hand->thread, &attributes, serve, hand);
  pthread_attr_destroy(&attributes);
  return started;
}

BerthCrew *berthCrewCreate(unsigned hands) {
  BerthCrew *crew = hands > 1 ? calloc(1, sizeof *crew) : NULL;
  if (!crew)
    return NULL;
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->begun, NULL);
  pthread_cond_init(&crew->left, NULL);
  atomic_init(&crew->next, 0);
  for (; crew->numHands + 1 < hands && crew->numHands + 1 < kBerthMostHands;
       ++crew->numHands) {
    Hand *hand = &crew->hands[crew->numHands];
    *hand = (Hand){.crew = crew, .number = crew->numHands + 1};
    if (!startThread(hand))
      break;
  }
  return crew;
}

void berthCrewDestroy(BerthCrew *crew) {
  if (!crew)
    return;
  pthread_mutex_lock(&crew->mutex);
  crew->over = true;
  pthread_cond_broadcast(&crew->begun);
  pthread_mutex_unlock(&crew->mutex);
  for (unsigned h = 0; h < crew->numHands; ++h)
    pthread_join(crew->hands[h].thread, NULL);
  pthread_cond_destroy(&crew->left);
  pthread_cond_destroy(&crew->begun);
  pthread_mutex_destroy(&crew->mutex);
  free(crew);
}

unsigned berthCrewHands(const BerthCrew *crew) {
  return crew ? crew->numHands + 1 : 1;
}

// With the mutex held. Lets go of it for what the caller does meanwhile.
static void awaitOthers(BerthCrew *crew, void (*wait)(void *), void *context) {
  while (crew->busy) {
    struct timespec until;
    if (!wait) {
      pthread_cond_wait(&crew->left, &crew->mutex);
      continue;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += kWaitNanoseconds;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      ++until.tv_sec;
    }
    if (!pthread_cond_timedwait(&crew->left, &crew->mutex, &until))
      continue;
    pthread_mutex_unlock(&crew->mutex);
    wait(context);
    pthread_mutex_lock(&crew->mutex);
  }
}

void berthCrewRun(BerthCrew *crew, uint32_t count, BerthCrewWork *work,
                  void (*wait)(void *context), void *context) {
  if (!crew || count < 2) {
    for (uint32_t i = 0; i < count; ++i)
      work(context, 0, i);
    return;
  }
  pthread_mutex_lock(&crew->mutex);
  crew->work = work;
  crew->context = context;
  crew->count = count;
  atomic_store_explicit(&crew->next, 0, memory_order_relaxed);
  ++crew->loops;
  crew->open = true;
  pthread_cond_broadcast(&crew->begun);
  pthread_mutex_unlock(&crew->mutex);
  takeTurns(crew, 0);
  pthread_mutex_lock(&crew->mutex);
  crew->open = false;
  awaitOthers(crew, wait, context);
  pthread_mutex_unlock(&crew->mutex);
}
