//===- Meetings.c - Buffers that cores and units use at once --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Cores/Meetings.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Cores/NextTurn.h"
#include "IR/Verify/Cores/Touches.h"

#include <stdlib.h>

/// The buffers that have bytes in common with one.
typedef struct BerthNeighbours {
  uint32_t *roots;
  size_t count, capacity;
} BerthNeighbours;

typedef struct Check {
  BerthTouches touches;
  BerthPointerMap reported; ///< ops
  BerthMeetingCallback callback;
  void *userData;
} Check;

/// Each op is reported once.
static void report(MlirOperation op, MlirOperation other,
                   BerthMeetingFault fault, void *userData) {
  Check *check = userData;
  if (berthPointerMapInsert(&check->reported, op.ptr, 1))
    check->callback(op, other, fault, check->userData);
}

//===----------------------------------------------------------------------===//
// At the same time
//===----------------------------------------------------------------------===//

/// True if one run of the code around both makes one of the two only, or makes
/// them in an order that the text does not tell.
static bool areAlternatives(MlirOperation a, MlirOperation b) {
  for (MlirOperation up = a; !mlirOperationIsNull(up);
       up = mlirOperationGetParentOperation(up)) {
    MlirBlock block = mlirOperationGetBlock(up);
    if (mlirBlockIsNull(block))
      return false;
    MlirOperation holder = mlirBlockGetParentOperation(block);
    for (MlirOperation other = b; !mlirOperationIsNull(other);
         other = mlirOperationGetParentOperation(other)) {
      MlirBlock otherBlock = mlirOperationGetBlock(other);
      if (!mlirBlockIsNull(otherBlock) &&
          mlirOperationEqual(mlirBlockGetParentOperation(otherBlock), holder))
        return !mlirBlockEqual(block, otherBlock);
    }
  }
  return false;
}

/// True if the first is surely over before the second begins, or is no longer
/// to come.
static bool areInOrder(const BerthTouch *first, const BerthTouch *second) {
  return berthHaveOneRunner(first, second) &&
         (!first->isPending ||
          areAlternatives(first->access.op, second->access.op));
}

static bool isSameKind(const BerthTouch *a, const BerthTouch *b) {
  return a->access.reads == b->access.reads &&
         a->access.writes == b->access.writes && a->cores == b->cores &&
         a->unit == b->unit && a->isPending == b->isPending &&
         a->isOnce == b->isOnce && a->isLoose == b->isLoose &&
         a->isSeveral == b->isSeveral &&
         mlirBlockEqual(mlirOperationGetBlock(a->access.op),
                        mlirOperationGetBlock(b->access.op));
}

/// Touches of one buffer in the phase at hand, one of each kind.
typedef struct Kinds {
  size_t *touches;
  size_t count, capacity;
} Kinds;

static void holdAgainst(Check *check, const Kinds *kinds,
                        const BerthTouch *later) {
  for (size_t i = 0; i < kinds->count; ++i) {
    const BerthTouch *earlier = &check->touches.items[kinds->touches[i]];
    if ((earlier->access.writes || later->access.writes) &&
        !areInOrder(earlier, later))
      report(later->access.op, earlier->access.op, BERTH_MEETING_AT_ONCE,
             check);
  }
}

static void addKind(Check *check, Kinds *kinds, size_t touch) {
  for (size_t i = 0; i < kinds->count; ++i)
    if (isSameKind(&check->touches.items[kinds->touches[i]],
                   &check->touches.items[touch]))
      return;
  kinds->touches = berthGrow(kinds->touches, kinds->count, &kinds->capacity,
                             sizeof *kinds->touches);
  kinds->touches[kinds->count++] = touch;
}

static void addNeighbour(BerthNeighbours *near, uint32_t root) {
  near->roots =
      berthGrow(near->roots, near->count, &near->capacity, sizeof *near->roots);
  near->roots[near->count++] = root;
}

/// Sorts roots by their first bytes: those that begin behind another's end are
/// not asked about.
typedef struct Start {
  int64_t lower;
  uint32_t root;
} Start;

static int compareStarts(const void *left, const void *right) {
  const Start *a = left, *b = right;
  if (a->lower != b->lower)
    return a->lower < b->lower ? -1 : 1;
  return (a->root > b->root) - (a->root < b->root);
}

/// Notes which of these roots have bytes in common with which; true if any two
/// have. Without lists one pair is enough.
static bool findNeighbours(const BerthViews *views, Start *starts, size_t count,
                           BerthNeighbours *near) {
  bool found = false;
  if (count)
    qsort(starts, count, sizeof *starts, compareStarts);
  for (size_t i = 0; i < count && (near || !found); ++i)
    for (size_t k = i + 1;
         k < count && starts[k].lower < views->roots[starts[i].root].upper;
         ++k) {
      uint32_t a = starts[i].root, b = starts[k].root;
      if (!berthViewsOverlap(views, a, b))
        continue;
      found = true;
      if (!near)
        break;
      addNeighbour(&near[a], b);
      addNeighbour(&near[b], a);
    }
  return found;
}

/// Of all roots.
static bool findAllNeighbours(const BerthViews *views, BerthNeighbours *near) {
  size_t count = views->numRoots;
  Start *starts = berthAllocateOrDie(count, sizeof *starts);
  for (uint32_t i = 0; i < count; ++i)
    starts[i] = (Start){views->roots[i].lower, i};
  bool found = findNeighbours(views, starts, count, near);
  free(starts);
  return found;
}

static void freeNeighbours(BerthNeighbours *near, size_t count) {
  for (size_t i = 0; i < count; ++i)
    free(near[i].roots);
  free(near);
}

/// What one phase has of each root.
typedef struct Phase {
  Kinds *kinds;
  BerthNeighbours *near; ///< among the roots of the phase
  Start *starts;         ///< of these
  bool *isIn;
} Phase;

static void checkPhase(Check *check, Phase *phase, size_t begin, size_t end) {
  size_t count = 0;
  for (size_t i = begin; i < end; ++i) {
    uint32_t root = check->touches.items[i].access.root;
    if (check->touches.items[i].makes || phase->isIn[root])
      continue;
    phase->isIn[root] = true;
    phase->starts[count++] =
        (Start){check->touches.views->roots[root].lower, root};
  }
  bool haveCommon =
      findNeighbours(check->touches.views, phase->starts, count, phase->near);
  for (size_t i = begin; haveCommon && i < end; ++i) {
    const BerthTouch *touch = &check->touches.items[i];
    if (touch->makes)
      continue;
    const BerthNeighbours *near = &phase->near[touch->access.root];
    for (size_t k = 0; k < near->count; ++k)
      holdAgainst(check, &phase->kinds[near->roots[k]], touch);
    addKind(check, &phase->kinds[touch->access.root], i);
  }
  while (count) {
    uint32_t root = phase->starts[--count].root;
    phase->isIn[root] = false;
    phase->near[root].count = phase->kinds[root].count = 0;
  }
}

static void checkPhases(Check *check) {
  size_t numRoots = check->touches.views->numRoots;
  Phase phase = {.kinds = berthAllocateOrDie(numRoots, sizeof *phase.kinds),
                 .near = berthAllocateOrDie(numRoots, sizeof *phase.near),
                 .starts = berthAllocateOrDie(numRoots, sizeof *phase.starts),
                 .isIn = berthAllocateOrDie(numRoots, sizeof *phase.isIn)};
  for (size_t begin = 0, end; begin < check->touches.count; begin = end) {
    for (end = begin;
         end < check->touches.count &&
         check->touches.items[end].phase == check->touches.items[begin].phase;)
      ++end;
    checkPhase(check, &phase, begin, end);
  }
  for (size_t i = 0; i < numRoots; ++i)
    free(phase.kinds[i].touches);
  free(phase.kinds);
  freeNeighbours(phase.near, numRoots);
  free(phase.starts);
  free(phase.isIn);
}

//===----------------------------------------------------------------------===//
// Contents, from phase to phase
//===----------------------------------------------------------------------===//

typedef struct Content {
  bool isSet;
  MlirOperation clobberedBy;
} Content;

static void applyTouch(Check *check, Content *contents,
                       const BerthNeighbours *nearOf, const BerthTouch *touch) {
  const BerthRootAccess *access = &touch->access;
  Content *own = &contents[access->root];
  bool isBase = check->touches.views->roots[access->root].isBase;
  if (touch->makes) {
    *own = (Content){0};
    return;
  }
  if (access->reads && !isBase && !mlirOperationIsNull(own->clobberedBy))
    report(access->op, own->clobberedBy, BERTH_MEETING_CLOBBERED, check);
  if (!access->writes)
    return;
  const BerthNeighbours *near = &nearOf[access->root];
  for (size_t i = 0; i < near->count; ++i)
    if (contents[near->roots[i]].isSet)
      contents[near->roots[i]].clobberedBy = access->op;
  own->isSet = true;
  if (access->overwrites)
    own->clobberedBy = (MlirOperation){NULL};
}

/// In one phase buffers are made first: each core does so for itself.
static void checkContents(Check *check) {
  Content *contents =
      berthAllocateOrDie(check->touches.views->numRoots, sizeof *contents);
  BerthNeighbours *near =
      berthAllocateOrDie(check->touches.views->numRoots, sizeof *near);
  findAllNeighbours(check->touches.views, near);
  for (size_t i = 0, end; i < check->touches.count; i = end) {
    for (end = i;
         end < check->touches.count &&
         check->touches.items[end].phase == check->touches.items[i].phase;)
      ++end;
    for (size_t k = i; k < end; ++k)
      if (check->touches.items[k].makes)
        applyTouch(check, contents, near, &check->touches.items[k]);
    for (size_t k = i; k < end; ++k)
      if (!check->touches.items[k].makes)
        applyTouch(check, contents, near, &check->touches.items[k]);
  }
  freeNeighbours(near, check->touches.views->numRoots);
  free(contents);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//
static MlirWalkResult noteEvent(MlirOperation op, void *userData) {
  BerthTrace *trace = userData;
  trace->events = berthGrow(trace->events, trace->count, &trace->capacity,
                            sizeof *trace->events);
  trace->events[trace->count++] = (BerthTraceEvent){.op = op};
  return MlirWalkResultAdvance;
}

/// All ops of the scope, where the cores cannot be held together.
static BerthTrace traceOfText(MlirOperation scope) {
  BerthTrace trace = {0};
  mlirOperationWalk(scope, noteEvent, &trace, MlirWalkPreOrder);
  return trace;
}

/// One run, with loops of unknown length run so often. Without bytes in common
/// nothing but `next` is asked: whether turns and calls meet.
static bool checkRun(Check *check, MlirOperation scope, size_t mostTurns,
                     bool haveCommon, bool next, bool returns) {
  BerthTouches *touches = &check->touches;
  BerthTrace trace = berthTraceOf(scope, mostTurns);
  bool haveOwnBranches = true;
  bool isKnown = mlirOperationIsNull(trace.failedAt);
  touches->count = 0;
  if (isKnown) {
    berthTouchesAdd(touches, &trace);
    haveOwnBranches = berthTouchesFindCores(touches, &trace);
    if (next && berthNumCores() > 1)
      berthVerifyInstances(touches, (size_t)berthNumCores(), report, check);
    berthTouchesJoin(touches);
    if (haveCommon)
      checkPhases(check);
    if (haveCommon && haveOwnBranches)
      checkContents(check);
  } else if (haveCommon) {
    report(trace.failedAt, (MlirOperation){NULL}, BERTH_MEETING_UNKNOWN, check);
  }
  berthTraceFree(&trace);
  if (next && !isKnown) {
    trace = traceOfText(scope);
    berthTouchesAdd(touches, &trace);
    berthTraceFree(&trace);
  }
  if (next)
    berthVerifyNextTurn(touches, scope, isKnown, returns, report, check);
  return haveCommon && haveOwnBranches;
}

bool berthVerifyMeetings(const BerthViews *views, MlirOperation scope,
                         bool returns, BerthMeetingCallback callback,
                         void *userData) {
  bool arePlaced = false;
  for (size_t i = 0; i < views->numRoots; ++i)
    arePlaced |= !mlirOperationIsNull(views->roots[i].view);
  if (!berthHasConcurrentUnits() || !arePlaced)
    return false;
  Check check = {
      .touches.views = views, .callback = callback, .userData = userData};
  bool haveOwnBranches = false, haveCommon = findAllNeighbours(views, NULL);
  if (haveCommon)
    haveOwnBranches |= checkRun(&check, scope, 0, true, false, returns);
  haveOwnBranches |= checkRun(&check, scope, 3, haveCommon, true, returns);
  free(check.touches.items);
  berthPointerMapFree(&check.reported);
  return haveOwnBranches;
}
