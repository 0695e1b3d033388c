//===- Window.h - Part of a plan, taken out and put back ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Between the files that repair a plan where it is too high:
//
//   Window.c   what to take out around an item, and how to put it back
//   Cores.c    the same in two steps, where all is free in the first
//   Windows.c  which items are too high, which way to take, what to aim at
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_WINDOW_H
#define BERTH_LIB_PACK_IMPROVE_WINDOW_H

#include "Pack/Incumbent/Incumbent.h"
#include "Pack/Task/Overlap.h"

/// A half-open range of sections.
typedef struct BerthSpan {
  uint32_t lower;
  uint32_t upper;
} BerthSpan;

/// What an item's offset was.
typedef struct BerthMove {
  uint32_t item;
  int64_t offset;
} BerthMove;

/// How hard to try to put a window back.
enum { kBerthMostSearches = 4 };
typedef struct BerthEffort {
  unsigned searches; ///< each with another configuration
  uint64_t failures; ///< of each
} BerthEffort;

/// A part of the plan as a task of its own, in which what stays is pinned.
typedef struct BerthWindow {
  BerthMemory arena; ///< all of it
  BerthTask task;
  uint32_t *members; ///< item of the task -> of the whole
  int64_t *offsets;  ///< where they were put
  BerthEffort effort;
  uint64_t seed; ///< of the next search
  bool built;
  bool failed; ///< memory ran out
} BerthWindow;

/// Ways to repair a moment, one after the other.
enum { kBerthMostWays = 3 };

typedef struct BerthWindows {
  BerthIncumbent *incumbent;
  const BerthHost *host;
  const BerthTask *task;
  int64_t *offsets; ///< the plan that is worked on
  bool *free;       ///< item -> taken out
  uint32_t *order;  ///< room for sorting
  uint32_t *scratch;
  uint64_t *keys;
  uint32_t *members;       ///< what is taken out and what stays around it
  BerthOverlapIndex index; ///< all items by their sections
  uint32_t *high;          ///< what is above the target, ascending
  uint32_t numHigh;
  BerthMove *moves; ///< what was put back since the repair began
  uint32_t numMoves;
  uint64_t failures; ///< limit of a search
  unsigned ways;     ///< to repair a moment, of those there are
  bool cores;        ///< may be repaired in two steps, and what cannot be is
                     ///< left for later
  bool byOrder;      ///< put back by order search instead of exact search
  bool stopped;      ///< the host said stop, be it only this slice's
  uint64_t runs;
  BerthWindow tries[kBerthMostWays];
  uint32_t center; ///< of the tries
  int64_t target;
  unsigned round;
} BerthWindows;

/// A window of more items, or pairs of them in a section, is not searched.
enum { kBerthMaxMembers = 3000, kBerthMaxPairs = 1 << 23 };

static inline bool berthWindowsAreBroken(const BerthWindows *windows) {
  return windows->stopped || windows->incumbent->failed;
}

static inline bool berthWindowsIsHigh(const BerthWindows *windows,
                                      uint32_t item, int64_t target) {
  return windows->offsets[item] + windows->task->sizes[item] > target;
}

/// Takes the item out, unless it is pinned; the span grows to what it covers.
void berthWindowsTakeOut(BerthWindows *windows, uint32_t item, BerthSpan *span);

/// Takes out the `wanted` items that stick out of `around` least, of those that
/// lie within `bounds`.
void berthWindowsTakeOutNear(BerthWindows *windows, BerthSpan around,
                             BerthSpan bounds, uint32_t wanted,
                             BerthSpan *span);

/// Takes out what is above the target and reaches into the span.
void berthWindowsTakeOutHigh(BerthWindows *windows, int64_t target,
                             BerthSpan *span);

/// Lists in `members` all with a piece in the span, ascending; returns how
/// many.
uint32_t berthWindowsCollect(BerthWindows *windows, BerthSpan span);

/// The window of the first `count` members. What is taken out is not pinned.
/// False when memory ran out.
bool berthWindowBuild(const BerthWindows *windows, uint32_t count,
                      BerthSpan span, BerthWindow *window);

/// Looks for offsets of all that is in the window below the target. Changes
/// nothing but the window, so that several may be tried at a time. `host` is
/// one of Berth's.
bool berthWindowSolve(const BerthWindows *windows, BerthWindow *window,
                      int64_t target, const BerthHost *host);

/// Takes the offsets over into the plan.
void berthWindowUse(BerthWindows *windows, const BerthWindow *window);

/// Puts those of the first `count` members that are taken out back below the
/// target. False if that failed; then nothing has changed.
bool berthWindowsPutBack(BerthWindows *windows, uint32_t count, BerthSpan span,
                         int64_t target, BerthEffort effort);

/// Undoes the moves.
void berthWindowsTakeBack(BerthWindows *windows);

#endif // BERTH_LIB_PACK_IMPROVE_WINDOW_H
