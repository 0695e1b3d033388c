//===- tma.c - TMA and mbarriers for the race oracle ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tma.sed gives the ops of the nvvm dialect these names. A load destroys its
// target at once and writes the data as late as may be: when the first thread
// that waits for its mbarrier may go on, or when its thread ends. A store reads
// its source when it is waited for.
//
// Of the order between threads ThreadSanitizer is told what the hardware
// promises: who waits for an mbarrier comes after those who arrived and after
// what was loaded. Nothing here orders threads by the way, so there is no lock
// that it knows of.
//
//===----------------------------------------------------------------------===//

#include "workgroup.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UNWATCHED __attribute__((no_sanitize("thread"), noinline))

enum {
  MostMaps = 128,
  MostTransfers = 2048,
  MostBarriers = 1024,
  MostOfPhase = 64
};

/// A matrix in global memory, of which TMA moves boxes: bytes.
typedef struct Map {
  char *base;
  int64_t pitch;   ///< from row to row
  int64_t element; ///< of one element
  int64_t rows, columns;
} Map;

typedef struct Transfer {
  Map map;
  char *global; ///< the box's first element
  char *shared;
  int64_t owner; ///< the thread that started it
  int group;     ///< of stores
} Transfer;

/// An mbarrier and the loads of its present phase.
typedef struct Barrier {
  void *at;
  int expected; ///< arrivals
  int arrived;
  int64_t bytes; ///< to come
  unsigned phase;
  int numLoads;
  const Transfer *loads[MostOfPhase]; ///< each in its thread's memory
} Barrier;

static Barrier barriers[MostBarriers];
static atomic_int lock;

static _Thread_local Map maps[MostMaps];
static _Thread_local int numMaps;
static _Thread_local Transfer loads[MostTransfers];
static _Thread_local int numLoads;
static _Thread_local Transfer stores[MostTransfers];
static _Thread_local int numStores, storeGroup;
static _Thread_local char self; ///< its address names the thread

UNWATCHED static void enter(void) {
  while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed))
    sched_yield();
}

UNWATCHED static void leave(void) {
  atomic_store_explicit(&lock, 0, memory_order_relaxed);
}

/// Makes a map; the kernels for the oracle call this themselves.
UNWATCHED void *race_map(char *base, int64_t pitch, int64_t element,
                         int64_t rows, int64_t columns) {
  if (numMaps == MostMaps)
    raceFail("too many tensor maps");
  maps[numMaps] = (Map){base, pitch * element, element, rows, columns};
  return &maps[numMaps++];
}

UNWATCHED static Transfer transferOf(const Map *map, char *shared,
                                     int32_t column, int32_t row) {
  Transfer transfer = {.map = *map, .shared = shared, .owner = (intptr_t)&self};
  transfer.global = map->base + row * map->pitch + column * map->element;
  return transfer;
}

/// Moves the box; ThreadSanitizer sees what memcpy touches.
UNWATCHED static void move(const Transfer *transfer, bool isStore) {
  const Map *map = &transfer->map;
  int64_t width = map->columns * map->element;
  for (int64_t row = 0; row < map->rows; ++row) {
    char *global = transfer->global + row * map->pitch;
    char *shared = transfer->shared + row * width;
    if (isStore)
      memcpy(global, shared, (size_t)width);
    else
      memcpy(shared, global, (size_t)width);
  }
}

//===----------------------------------------------------------------------===//
// Mbarriers and loads
//===----------------------------------------------------------------------===//

UNWATCHED static Barrier *find(void *at) {
  int i = 0;
  while (i < MostBarriers && barriers[i].at && barriers[i].at != at)
    ++i;
  if (i == MostBarriers)
    raceFail("too many mbarriers");
  barriers[i].at = at;
  return &barriers[i];
}

UNWATCHED void race_mbarrier_init(void *at, int32_t count, uint32_t predicate) {
  if (!(predicate & 1))
    return;
  enter();
  *find(at) = (Barrier){.at = at, .expected = count};
  leave();
}

UNWATCHED void race_mbarrier_expect(void *at, int32_t bytes,
                                    uint32_t predicate) {
  if (!(predicate & 1))
    return;
  __tsan_release(at);
  enter();
  Barrier *barrier = find(at);
  barrier->bytes += bytes;
  ++barrier->arrived;
  leave();
}

UNWATCHED void race_tma_load(char *to, const Map *map, void *at, int32_t column,
                             int32_t row, uint32_t predicate) {
  if (!(predicate & 1))
    return;
  if (numLoads == MostTransfers)
    raceFail("too many loads");
  memset(to, 0xff, (size_t)(map->rows * map->columns * map->element));
  loads[numLoads] = transferOf(map, to, column, row);
  __tsan_release(at);
  enter();
  Barrier *barrier = find(at);
  if (barrier->numLoads == MostOfPhase)
    raceFail("too many loads");
  barrier->loads[barrier->numLoads++] = &loads[numLoads++];
  leave();
}

/// To all workgroups of the mask, where each has its own mbarrier.
UNWATCHED void race_tma_multicast(char *to, const Map *map, void *at,
                                  int32_t column, int32_t row, int16_t mask,
                                  uint32_t predicate) {
  if (!(predicate & 1))
    return;
  if ((uint16_t)mask >> raceCluster())
    raceFail("a load to a workgroup outside of the cluster");
  for (int rank = 0; rank < raceCluster(); ++rank)
    if (mask >> rank & 1)
      race_tma_load(raceIn(to, rank), map, raceIn(at, rank), column, row, 1);
}

UNWATCHED static bool isComplete(const Barrier *barrier) {
  int64_t bytes = 0;
  for (int i = 0; i < barrier->numLoads; ++i) {
    const Map *map = &barrier->loads[i]->map;
    bytes += map->rows * map->columns * map->element;
  }
  return barrier->arrived == barrier->expected && bytes == barrier->bytes;
}

/// Ends the phase, in the thread that waits.
UNWATCHED static void complete(Barrier *barrier) {
  __tsan_acquire(barrier->at);
  for (int i = 0; i < barrier->numLoads; ++i)
    move(barrier->loads[i], false);
  barrier->numLoads = barrier->arrived = 0;
  barrier->bytes = 0;
  ++barrier->phase;
  __tsan_release(barrier->at);
}

UNWATCHED void race_mbarrier_wait(void *at, uint32_t parity) {
  int yields = 0, lastMove = 0;
  raceStand(1);
  for (bool isOver = false; !isOver; sched_yield()) {
    raceLookForDeadlock(&yields, &lastMove);
    enter();
    Barrier *barrier = find(at);
    bool isPresent = (barrier->phase & 1) == (parity & 1);
    if (isPresent && isComplete(barrier))
      complete(barrier);
    isOver = (barrier->phase & 1) != (parity & 1);
    leave();
  }
  raceStand(-1);
  __tsan_acquire(at);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

UNWATCHED void race_tma_store(const Map *map, char *from, int32_t column,
                              int32_t row, uint32_t predicate) {
  if (!(predicate & 1))
    return;
  if (numStores == MostTransfers)
    raceFail("too many stores");
  stores[numStores] = transferOf(map, from, column, row);
  stores[numStores++].group = storeGroup;
}

void race_bulk_commit(void) { ++storeGroup; }

UNWATCHED static void endStoresBefore(int firstPending) {
  int kept = 0;
  for (int i = 0; i < numStores; ++i)
    if (stores[i].group < firstPending)
      move(&stores[i], true);
    else
      stores[kept++] = stores[i];
  numStores = kept;
}

void race_bulk_wait(int32_t pending) { endStoresBefore(storeGroup - pending); }

//===----------------------------------------------------------------------===//
// The end of a thread
//===----------------------------------------------------------------------===//

UNWATCHED void raceEndTma(void) {
  endStoresBefore(storeGroup + 1);
  enter();
  for (int b = 0; b < MostBarriers; ++b) {
    Barrier *barrier = &barriers[b];
    int kept = 0;
    for (int i = 0; i < barrier->numLoads; ++i)
      if (barrier->loads[i]->owner == (intptr_t)&self)
        move(barrier->loads[i], false);
      else
        barrier->loads[kept++] = barrier->loads[i];
    barrier->numLoads = kept;
  }
  leave();
}
