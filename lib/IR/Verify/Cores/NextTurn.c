//===- NextTurn.c - Buffers made anew while others use them ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Cores/NextTurn.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Cores/Unmet.h"

#include <stdlib.h>
#include <string.h>

/// A check under way.
typedef struct Check {
  const BerthTouches *touches;
  MlirOperation scope;
  BerthMeetingCallback callback;
  void *userData;
} Check;

/// By root: the first touch, and whether others are not its runner's.
typedef struct Sharing {
  const BerthTouch *first;
  bool areSeveral;
  bool isMade; ///< its allocation has been looked at
  /// Its touches that do not make it: the first one, then `next` of each, as
  /// numbers from 1; 0 ends them.
  size_t head;
} Sharing;

static bool isPlaced(const BerthTouches *touches, uint32_t root) {
  return !mlirOperationIsNull(touches->views->roots[root].view);
}

static void noteSharing(Sharing *sharing, const BerthTouch *touch,
                        bool isKnown) {
  if (!sharing->first)
    sharing->first = touch;
  sharing->areSeveral |= !isKnown || !berthHaveOneRunner(sharing->first, touch);
}

/// In an arena all turns of a loop have one place for a buffer that each makes
/// for itself. Where the phases of the cores are not known, barriers do not
/// tell that all are in one turn.
static void checkMade(const Check *check, const BerthTouch *made, size_t head,
                      const size_t *next, bool isKnown) {
  BerthUnmet unmet = berthUnmetBefore(check->scope, made->access.op, isKnown);
  for (size_t i = head; i; i = next[i - 1]) {
    const BerthTouch *touch = &check->touches->items[i - 1];
    if (berthIsUnmet(&unmet, touch->access.op)) {
      check->callback(made->access.op, touch->access.op,
                      BERTH_MEETING_NEXT_TURN, check->userData);
      break;
    }
  }
  berthUnmetFree(&unmet);
}

static void checkLeft(const Check *check, const Sharing *sharing) {
  BerthUnmet unmet =
      berthUnmetBefore(check->scope, (MlirOperation){NULL}, true);
  for (size_t i = 0; i < check->touches->count; ++i) {
    const BerthTouch *touch = &check->touches->items[i];
    bool goesOn = touch->unit || berthNumCores() > 1 ||
                  sharing[touch->access.root].areSeveral;
    if (!touch->makes && goesOn &&
        isPlaced(check->touches, touch->access.root) &&
        berthIsUnmet(&unmet, touch->access.op))
      check->callback(touch->access.op, (MlirOperation){NULL},
                      BERTH_MEETING_LEFT, check->userData);
  }
  berthUnmetFree(&unmet);
}

void berthVerifyNextTurn(const BerthTouches *touches, MlirOperation scope,
                         bool isKnown, bool returns,
                         BerthMeetingCallback callback, void *userData) {
  Check check = {touches, scope, callback, userData};
  Sharing *sharing =
      berthAllocateOrDie(touches->views->numRoots, sizeof *sharing);
  size_t *next = berthAllocateOrDie(touches->count, sizeof *next);
  for (size_t i = 0; i < touches->count; ++i)
    if (!touches->items[i].makes)
      noteSharing(&sharing[touches->items[i].access.root], &touches->items[i],
                  isKnown);
  for (size_t i = touches->count; i > 0; --i) {
    Sharing *own = &sharing[touches->items[i - 1].access.root];
    if (touches->items[i - 1].makes)
      continue;
    next[i - 1] = own->head;
    own->head = i;
  }
  for (size_t i = 0; i < touches->count; ++i) {
    const BerthTouch *touch = &touches->items[i];
    Sharing *own = &sharing[touch->access.root];
    if (!touch->makes || !own->areSeveral || own->isMade ||
        !isPlaced(touches, touch->access.root))
      continue;
    own->isMade = true;
    checkMade(&check, touch, own->head, next, isKnown);
  }
  if (returns)
    checkLeft(&check, sharing);
  free(next);
  free(sharing);
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// A touch, and which instance of its buffer it is of: how often its core has
/// made that before.
typedef struct InstanceTouch {
  const BerthTouch *touch;
  size_t instance;
} InstanceTouch;

static int compareInstances(const void *left, const void *right) {
  const InstanceTouch *a = left, *b = right;
  if (a->touch->access.root != b->touch->access.root)
    return a->touch->access.root < b->touch->access.root ? -1 : 1;
  if (a->instance != b->instance)
    return a->instance < b->instance ? -1 : 1;
  return (a->touch > b->touch) - (a->touch < b->touch);
}

/// Gathers the touches of buffers that are made, which are core after core.
static size_t findInstances(const BerthTouches *touches, InstanceTouch *items) {
  size_t *made = berthAllocateOrDie(touches->views->numRoots, sizeof *made);
  size_t count = 0;
  for (size_t i = 0; i < touches->count; ++i) {
    const BerthTouch *touch = &touches->items[i];
    if (i > 0 && touch->core != touches->items[i - 1].core)
      memset(made, 0, touches->views->numRoots * sizeof *made);
    size_t *own = &made[touch->access.root];
    if (touch->makes)
      ++*own;
    else if (*own && isPlaced(touches, touch->access.root))
      items[count++] = (InstanceTouch){touch, *own};
  }
  free(made);
  return count;
}

/// True if, of the buffer of the first item, all cores come to each op in one
/// phase, turn by turn. Then the barriers of a turn hold them together, and
/// berthUnmetBefore has looked for those.
static bool isInStep(const InstanceTouch *items, size_t count) {
  BerthPointerMap phaseOf = {0};
  bool same = true;
  for (size_t i = 0; same && i < count &&
                     items[i].touch->access.root == items[0].touch->access.root;
       ++i) {
    const BerthTouch *touch = items[i].touch;
    if (i > 0 && items[i].instance != items[i - 1].instance) {
      berthPointerMapFree(&phaseOf);
      phaseOf = (BerthPointerMap){0};
    }
    same =
        berthPointerMapInsert(&phaseOf, touch->access.op.ptr, touch->phase) ||
        berthPointerMapFind(&phaseOf, touch->access.op.ptr) == touch->phase;
  }
  berthPointerMapFree(&phaseOf);
  return same;
}

void berthVerifyInstances(const BerthTouches *touches, size_t numCores,
                          BerthMeetingCallback callback, void *userData) {
  InstanceTouch *items = berthAllocateOrDie(touches->count + 1, sizeof *items);
  size_t *busyUntil = berthAllocateOrDie(numCores + 1, sizeof *busyUntil);
  size_t count = findInstances(touches, items);
  bool skips = false;
  qsort(items, count, sizeof *items, compareInstances);
  for (size_t begin = 0, end; begin < count; begin = end) {
    uint32_t root = items[begin].touch->access.root;
    if (begin == 0 || items[begin - 1].touch->access.root != root) {
      memset(busyUntil, 0, numCores * sizeof *busyUntil);
      skips = isInStep(&items[begin], count - begin);
    }
    for (end = begin; end < count && items[end].touch->access.root == root &&
                      items[end].instance == items[begin].instance;
         ++end)
      for (size_t core = 0; !skips && core < numCores; ++core)
        if ((int)core != items[end].touch->core &&
            busyUntil[core] > items[end].touch->phase)
          callback(touches->views->roots[root].view,
                   items[end].touch->access.op, BERTH_MEETING_NEXT_TURN,
                   userData);
    for (size_t i = begin; i < end; ++i) {
      const BerthTouch *touch = items[i].touch;
      if (busyUntil[touch->core] <= touch->phase)
        busyUntil[touch->core] = touch->phase + 1;
    }
  }
  free(busyUntil);
  free(items);
}
