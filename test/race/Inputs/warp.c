//===- warp.c - What the threads of a warp exchange ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shuffles and reductions of whole warps. They order no memory.
//
//===----------------------------------------------------------------------===//

#include "workgroup.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/// By warp and by how many lanes take part; of every second exchange in the
/// same place: its number, from 1, and the value behind it.
static _Atomic uint64_t exchanged[MostThreads / WarpSize][WarpSize + 1][2]
                                 [WarpSize];
static atomic_int exchanges[MostThreads / WarpSize]
                           [WarpSize + 1]; ///< lanes that came
static _Thread_local int exchangesMade[WarpSize + 1];

void raceResetWarps(void) {
  memset(exchanged, 0, sizeof exchanged);
  memset(exchanges, 0, sizeof exchanges);
}

/// Shows a value to the first lanes of the warp, as many as the mask has bits,
/// and waits for theirs, which stay readable up to the next exchange. It orders
/// nothing, so ThreadSanitizer must not see that threads wait here: all is
/// relaxed, and a value is taken only when its number is right.
static _Atomic uint64_t *exchange(int32_t mask, uint32_t value) {
  int lanes = __builtin_popcount((uint32_t)mask), lane = raceLane();
  if (mask != (int32_t)((UINT64_C(1) << lanes) - 1) || lane >= lanes)
    raceFail("an exchange among others than the first lanes of a warp");
  if (lanes > raceLanes())
    lanes = raceLanes();
  int warp = raceWarp(), number = ++exchangesMade[lanes];
  _Atomic uint64_t *values = exchanged[warp][lanes][number % 2];
  atomic_int *counter = &exchanges[warp][lanes];
  atomic_store_explicit(&values[lane], (uint64_t)number << 32 | value,
                        memory_order_relaxed);
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
  while (atomic_load_explicit(counter, memory_order_relaxed) < number * lanes)
    sched_yield();
  for (int i = 0; i < lanes; ++i)
    while (atomic_load_explicit(&values[i], memory_order_relaxed) >> 32 !=
           (uint64_t)number)
      sched_yield();
  return values;
}

static uint32_t valueOf(_Atomic uint64_t *values, int lane) {
  return (uint32_t)atomic_load_explicit(&values[lane], memory_order_relaxed);
}

void raceExchange(uint32_t value, uint32_t of[WarpSize]) {
  if (raceLanes() != WarpSize)
    raceFail("a warp that is not whole");
  _Atomic uint64_t *values = exchange(-1, value);
  for (int i = 0; i < WarpSize; ++i)
    of[i] = valueOf(values, i);
}

/// The value of lane `from`, and above it whether there is one in the segment
/// that ends with lane `clamp`; else the thread's own.
static uint64_t shuffle(int32_t mask, int32_t value, int from, int32_t clamp) {
  _Atomic uint64_t *values = exchange(mask, (uint32_t)value);
  if (from < 0 || from > clamp || from >= raceLanes())
    return (uint32_t)value;
  return valueOf(values, from) | UINT64_C(1) << 32;
}

// Of shuffle.ll. Segments of less than a warp are not known here.
uint64_t race_shuffle_bfly(int32_t mask, int32_t value, int32_t by,
                           int32_t clamp) {
  return shuffle(mask, value, raceLane() ^ by, clamp);
}
uint64_t race_shuffle_idx(int32_t mask, int32_t value, int32_t lane,
                          int32_t clamp) {
  return shuffle(mask, value, lane % WarpSize, clamp);
}
uint64_t race_shuffle_down(int32_t mask, int32_t value, int32_t by,
                           int32_t clamp) {
  return shuffle(mask, value, raceLane() + by, clamp);
}
uint64_t race_shuffle_up(int32_t mask, int32_t value, int32_t by,
                         int32_t clamp) {
  // Here the bound is the first lane of the segment.
  if (clamp != 0)
    raceFail("a shuffle within a part of a warp");
  return shuffle(mask, value, raceLane() - by, WarpSize - 1);
}

#define RACE_REDUX(NAME, TYPE, EXPRESSION)                                     \
  int32_t race_redux_##NAME(int32_t value, int32_t mask) {                     \
    _Atomic uint64_t *values = exchange(mask, (uint32_t)value);                \
    int lanes = __builtin_popcount((uint32_t)mask);                            \
    TYPE a = (TYPE)valueOf(values, 0);                                         \
    for (int i = 1; i < lanes && i < raceLanes(); ++i) {                       \
      TYPE b = (TYPE)valueOf(values, i);                                       \
      a = EXPRESSION;                                                          \
    }                                                                          \
    return (int32_t)a;                                                         \
  }
RACE_REDUX(add, uint32_t, a + b)
RACE_REDUX(and, uint32_t, a &b)
RACE_REDUX(or, uint32_t, a | b)
RACE_REDUX(xor, uint32_t, a ^ b)
RACE_REDUX(umin, uint32_t, a < b ? a : b)
RACE_REDUX(umax, uint32_t, a > b ? a : b)
RACE_REDUX(min, int32_t, a < b ? a : b)
RACE_REDUX(max, int32_t, a > b ? a : b)
