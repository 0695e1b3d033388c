//===- Pending.c - Accesses that nothing has ended yet --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Pending.h"

#include <string.h>

enum { kNumSorts = 2 }; ///< reads, writes

BerthPendingForm berthPendingForm(size_t numBuffers, bool hasAsync) {
  BerthPendingForm form = {.numHolds = hasAsync ? BERTH_NUM_HOLDS
                                                : BERTH_NUM_PLAIN_HOLDS};
  form.count = numBuffers * BERTH_NUM_INSTANCES * kNumSorts * form.numHolds;
  return form;
}

void berthPendingClear(BerthPendingForm form, BerthEventNumber *pending) {
  // Every byte of BERTH_NO_EVENT is 0xff.
  memset(pending, 0xff, form.count * sizeof *pending);
}

bool berthPendingIsNothing(const BerthEventNumber *numbers, size_t count) {
  // All are like the first one.
  return !count ||
         (numbers[0] == BERTH_NO_EVENT &&
          memcmp(numbers, numbers + 1, (count - 1) * sizeof *numbers) == 0);
}

static bool lower(BerthEventNumber *number, BerthEventNumber other) {
  bool isLower = other < *number;
  if (isLower)
    *number = other;
  return isLower;
}

bool berthPendingJoin(BerthPendingForm form, BerthEventNumber *into,
                      const BerthEventNumber *from) {
  enum { kAtOnce = 64 };
  bool isChanged = false;
  for (size_t first = 0; first < form.count; first += kAtOnce) {
    size_t left = form.count - first, count = left < kAtOnce ? left : kAtOnce;
    if (memcmp(into + first, from + first, count * sizeof *into) == 0)
      continue;
    for (size_t i = first; i < first + count; ++i)
      isChanged |= lower(&into[i], from[i]);
  }
  return isChanged;
}

static size_t rowOf(BerthPendingForm form, size_t buffer,
                    BerthInstance instance, bool writes) {
  size_t row = (buffer * BERTH_NUM_INSTANCES + instance) * kNumSorts + writes;
  return row * form.numHolds;
}

const BerthEventNumber *berthPendingOf(BerthPendingForm form,
                                       const BerthEventNumber *pending,
                                       size_t buffer, BerthInstance instance,
                                       bool writes) {
  return pending + rowOf(form, buffer, instance, writes);
}

//===----------------------------------------------------------------------===//
// What an event does to the numbers of one row
//===----------------------------------------------------------------------===//

static void moveHold(BerthEventNumber *of, size_t from, size_t to) {
  lower(&of[to], of[from]);
  of[from] = BERTH_NO_EVENT;
}

/// Each group is older by one now, and what is in none is in the newest.
static void passGroup(BerthEventNumber *of, BerthAsyncKind kind) {
  size_t first = berthHoldOfStarted(kind);
  for (size_t i = BERTH_HOLDS_OF_KIND - 1; i > 0; --i)
    moveHold(of, first + i - 1, first + i);
}

/// Copies, direct loads and what goes to tensor memory are ordinary accesses
/// otherwise; the rest goes by the async proxy.
static void passWait(BerthEventNumber *of, BerthAsyncKind kind,
                     int64_t mayPend) {
  size_t first = berthHoldOfStarted(kind);
  bool isOrdinary = kind == BERTH_ASYNC_COPY || kind == BERTH_ASYNC_DIRECT ||
                    kind == BERTH_ASYNC_TENSOR_LOAD ||
                    kind == BERTH_ASYNC_TENSOR_STORE;
  size_t ended = isOrdinary ? BERTH_HOLD_ORDINARY : BERTH_HOLD_BARRIER;
  for (int64_t newer = mayPend; newer <= BERTH_MOST_NEWER; ++newer)
    moveHold(of, first + 1 + (size_t)newer, ended);
}

static void passBarrier(BerthEventNumber *of) {
  moveHold(of, BERTH_HOLD_ORDINARY, BERTH_HOLD_PASSED);
  of[BERTH_HOLD_BARRIER] = of[BERTH_HOLD_FENCED] =
      of[BERTH_HOLD_PASSED_FENCED] = BERTH_NO_EVENT;
}

static void passFence(BerthEventNumber *of) {
  moveHold(of, BERTH_HOLD_ORDINARY, BERTH_HOLD_FENCED);
  moveHold(of, BERTH_HOLD_PASSED, BERTH_HOLD_PASSED_FENCED);
}

static void passRow(BerthEventNumber *of, const BerthThreadEvent *event) {
  if (event->kind == BERTH_THREADS_BARRIER)
    passBarrier(of);
  if (event->kind == BERTH_THREADS_FENCE)
    passFence(of);
  if (event->kind == BERTH_THREADS_GROUP)
    passGroup(of, event->async);
  if (event->kind == BERTH_THREADS_WAIT)
    passWait(of, event->async, event->mayPend);
}

/// In a scope without asynchronous ops only barriers mean something.
static void passPlainRow(BerthEventNumber *of) {
  of[BERTH_HOLD_BARRIER] = of[BERTH_HOLD_ORDINARY] = BERTH_NO_EVENT;
}

//===----------------------------------------------------------------------===//
// What it does to all
//===----------------------------------------------------------------------===//

static void makeAgain(BerthPendingForm form, BerthEventNumber *pending,
                      size_t buffer) {
  for (int writes = 0; writes < kNumSorts; ++writes) {
    BerthEventNumber *old =
        pending + rowOf(form, buffer, BERTH_OLD_INSTANCE, writes);
    BerthEventNumber *now =
        pending + rowOf(form, buffer, BERTH_THIS_INSTANCE, writes);
    for (size_t hold = 0; hold < form.numHolds; ++hold) {
      lower(&old[hold], now[hold]);
      now[hold] = BERTH_NO_EVENT;
    }
  }
}

/// What a thread knows of loads, it knows of the buffer's present instance.
static void passLoads(BerthPendingForm form, BerthEventNumber *pending,
                      const BerthThreadEvent *event, size_t buffer) {
  for (int writes = 0; writes < kNumSorts; ++writes)
    passRow(pending + rowOf(form, buffer, BERTH_THIS_INSTANCE, writes), event);
}

/// Whatever stands in front of a barrier has ended by that.
static void passDrain(BerthPendingForm form, BerthEventNumber *pending,
                      const BerthThreadEvent *event, size_t buffer) {
  size_t first = berthHoldOfStarted(BERTH_ASYNC_LOAD);
  for (int writes = 0; writes < kNumSorts; ++writes) {
    BerthEventNumber *of =
        pending + rowOf(form, buffer, BERTH_THIS_INSTANCE, writes);
    for (size_t i = first; i < first + BERTH_HOLDS_OF_KIND; ++i) {
      moveHold(of, i, BERTH_HOLD_BARRIER);
      if (event->isPassed)
        of[BERTH_HOLD_BARRIER] = BERTH_NO_EVENT;
    }
  }
}

static void passAll(BerthPendingForm form, BerthEventNumber *pending,
                    const BerthThreadEvent *event) {
  bool isPlain = form.numHolds == BERTH_NUM_PLAIN_HOLDS;
  bool isBare = event->kind == BERTH_THREADS_BARRIER && !event->isFenced;
  size_t ofBuffer = form.numHolds * BERTH_NUM_INSTANCES * kNumSorts;
  for (size_t i = 0; i < form.count; i += form.numHolds)
    if (isBare && form.needFences && form.needFences[i / ofBuffer])
      continue;
    else if (!isPlain)
      passRow(pending + i, event);
    else if (event->kind == BERTH_THREADS_BARRIER)
      passPlainRow(pending + i);
}

void berthPendingApply(BerthPendingForm form, BerthEventNumber *pending,
                       const BerthThreadEvent *event, BerthEventNumber number,
                       size_t buffer) {
  bool isPlain = form.numHolds == BERTH_NUM_PLAIN_HOLDS;
  bool isOfGroups =
      event->kind == BERTH_THREADS_GROUP || event->kind == BERTH_THREADS_WAIT;
  if (event->kind == BERTH_THREADS_ACCESS) {
    BerthEventNumber *of =
        pending + rowOf(form, buffer, BERTH_THIS_INSTANCE, event->writes);
    lower(&of[event->hold], number);
  } else if (event->kind == BERTH_THREADS_MAKE) {
    makeAgain(form, pending, buffer);
  } else if (event->kind == BERTH_THREADS_DRAIN) {
    if (!isPlain)
      passDrain(form, pending, event, buffer);
  } else if (!isOfGroups || event->async != BERTH_ASYNC_LOAD) {
    passAll(form, pending, event);
  } else if (!isPlain) {
    passLoads(form, pending, event, buffer);
  }
}
