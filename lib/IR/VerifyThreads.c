//===- VerifyThreads.c - Buffers that threads touch at once --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept for a buffer is sixteen numbers of events, the earliest of each
// sort: accesses of this instance or of an earlier one, reads or writes, by
// what they wait for. Where paths meet, the lesser number stays; so the numbers
// only fall, and the rounds end.
//
//===----------------------------------------------------------------------===//

#include "IR/VerifyThreads.h"
#include "IR/OpTable.h"
#include "IR/VerifyArrival.h"
#include "IR/VerifyCalls.h"
#include "IR/VerifyStretches.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// The event that an access is not separated from; kNone: there is none.
typedef uint32_t EventNumber;
static const EventNumber kNone = UINT32_MAX;

enum { kThisInstance, kOldInstance, kNumInstances };
enum { kReads, kWrites, kNumSorts };

typedef struct Pending {
  EventNumber of[kNumInstances][kNumSorts][BERTH_NUM_HOLDS];
} Pending;

typedef struct Culprit {
  EventNumber earlier;
  const char *why;
} Culprit;

typedef struct Check {
  const BerthViews *views;
  BerthStretches code;
  size_t numShared;
  uint32_t *shared;  ///< roots that threads share
  size_t *slotOf;    ///< root -> its place in `shared`
  Culprit *culprits; ///< by event
  Pending *starts;   ///< by stretch, numShared each: what holds where it begins
  bool *isReached;   ///< by stretch
  bool *isDirty;     ///< by stretch: to be passed again
  Pending *now;      ///< by slot: what holds at the event at hand
} Check;

static void *allocateOrDie(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory)
    abort();
  return memory;
}

//===----------------------------------------------------------------------===//
// Memory that threads share
//===----------------------------------------------------------------------===//

static bool isInGpuModule(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (berthOpIsNamed(op, "gpu.module"))
      return true;
  return false;
}

static bool isGpuCode(const BerthThreads *threads) {
  return berthIsKernel(threads->scope, threads->options) ||
         isInGpuModule(threads->scope);
}

/// Compares an attribute's text, as it comes in pieces.
typedef struct TextMatch {
  const char *rest;
  bool isEqual;
} TextMatch;

static void matchText(MlirStringRef piece, void *userData) {
  TextMatch *match = userData;
  match->isEqual &= strncmp(match->rest, piece.data, piece.length) == 0;
  if (match->isEqual)
    match->rest += piece.length;
}

static bool isSharedSpace(MlirAttribute space, const BerthThreads *threads) {
  if (mlirAttributeIsNull(space))
    return false;
  if (mlirAttributeIsAInteger(space))
    return isGpuCode(threads) && mlirIntegerAttrGetValueInt(space) == 3;
  TextMatch match = {"#gpu.address_space<workgroup>", true};
  mlirAttributePrint(space, matchText, &match);
  return match.isEqual && !*match.rest;
}

static bool isSharedRoot(const BerthRoot *root, const BerthThreads *threads) {
  MlirType type = mlirValueGetType(root->arena);
  return root->instanceOf == BERTH_NO_ROOT && mlirTypeIsAMemRef(type) &&
         isSharedSpace(mlirMemRefTypeGetMemorySpace(type), threads);
}

/// Fills `shared` and `slotOf`; returns a flag per root.
static bool *findShared(Check *check, const BerthThreads *threads) {
  size_t numRoots = check->views->numRoots;
  bool *isShared = allocateOrDie(numRoots, sizeof *isShared);
  check->shared = allocateOrDie(numRoots, sizeof *check->shared);
  check->slotOf = allocateOrDie(numRoots, sizeof *check->slotOf);
  for (uint32_t i = 0; i < numRoots; ++i) {
    isShared[i] = isSharedRoot(&check->views->roots[i], threads);
    if (!isShared[i])
      continue;
    check->slotOf[i] = check->numShared;
    check->shared[check->numShared++] = i;
  }
  return isShared;
}

//===----------------------------------------------------------------------===//
// What is pending
//===----------------------------------------------------------------------===//

static bool lower(EventNumber *number, EventNumber other) {
  bool isLower = other < *number;
  if (isLower)
    *number = other;
  return isLower;
}

static bool joinPending(Pending *into, const Pending *from) {
  bool isChanged = false;
  EventNumber *a = &into->of[0][0][0];
  const EventNumber *b = &from->of[0][0][0];
  for (size_t i = 0; i < sizeof *into / sizeof *a; ++i)
    isChanged |= lower(&a[i], b[i]);
  return isChanged;
}

static void clearPending(Pending *pending, size_t count) {
  // Every byte of kNone is 0xff.
  memset(pending, 0xff, count * sizeof *pending);
}

/// What waited for `from` now waits for `to`, or for nothing.
static void moveHold(Check *check, BerthHold from, BerthHold to) {
  for (size_t i = 0; i < check->numShared; ++i)
    for (int instance = 0; instance < kNumInstances; ++instance)
      for (int sort = 0; sort < kNumSorts; ++sort) {
        EventNumber *of = check->now[i].of[instance][sort];
        if (to != BERTH_NUM_HOLDS)
          lower(&of[to], of[from]);
        of[from] = kNone;
      }
}

static void makeAgain(Pending *pending) {
  for (int sort = 0; sort < kNumSorts; ++sort)
    for (int hold = 0; hold < BERTH_NUM_HOLDS; ++hold) {
      lower(&pending->of[kOldInstance][sort][hold],
            pending->of[kThisInstance][sort][hold]);
      pending->of[kThisInstance][sort][hold] = kNone;
    }
}

static void applyEvent(Check *check, EventNumber number) {
  const BerthThreadEvent *event = &check->code.events[number];
  Pending *own = &check->now[check->slotOf[event->root]];
  switch (event->kind) {
  case BERTH_THREADS_ACCESS:
    lower(
        &own->of[kThisInstance][event->writes ? kWrites : kReads][event->hold],
        number);
    break;
  case BERTH_THREADS_MAKE:
    makeAgain(own);
    break;
  case BERTH_THREADS_BARRIER:
    moveHold(check, BERTH_HOLD_BARRIER, BERTH_NUM_HOLDS);
    break;
  case BERTH_THREADS_WAIT:
    moveHold(check, BERTH_HOLD_WAIT, BERTH_HOLD_BARRIER);
    break;
  case BERTH_THREADS_COMMIT:
    moveHold(check, BERTH_HOLD_COMMIT, BERTH_HOLD_WAIT);
    break;
  }
}

//===----------------------------------------------------------------------===//
// Forwards, until nothing changes
//===----------------------------------------------------------------------===//

static Pending *startOf(const Check *check, size_t stretch) {
  return check->starts + stretch * check->numShared;
}

static void handOn(Check *check, size_t to) {
  bool isChanged = !check->isReached[to];
  check->isReached[to] = true;
  for (size_t i = 0; i < check->numShared; ++i)
    isChanged |= joinPending(&startOf(check, to)[i], &check->now[i]);
  check->isDirty[to] |= isChanged;
}

static void enterStretch(Check *check, size_t stretch) {
  memcpy(check->now, startOf(check, stretch),
         check->numShared * sizeof *check->now);
}

static void passStretch(Check *check, size_t index) {
  const BerthStretch *stretch = &check->code.stretches[index];
  enterStretch(check, index);
  for (size_t i = stretch->begin; i < stretch->end; ++i)
    applyEvent(check, (EventNumber)i);
  for (uint32_t edge = stretch->firstNext; edge != BERTH_NO_STRETCH;
       edge = check->code.edges[edge].next)
    handOn(check, check->code.edges[edge].to);
}

static void findPending(Check *check) {
  size_t count = check->code.numStretches;
  clearPending(check->starts, count * check->numShared);
  check->isReached[0] = check->isDirty[0] = true;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < count; ++i) {
      if (!check->isDirty[i])
        continue;
      check->isDirty[i] = false;
      isChanged = true;
      passStretch(check, i);
    }
  }
}

//===----------------------------------------------------------------------===//
// Accesses against what is pending
//===----------------------------------------------------------------------===//

static const char *const whyBarrier =
    "touches bytes of the arena that other threads may still use through "
    "another buffer: there is a way here without a barrier of the whole "
    "workgroup";
static const char *const whyInstance =
    "touches a buffer that has been made anew while other threads may still "
    "use its last instance: there is a way here without a barrier of the whole "
    "workgroup";
static const char *const whyWait =
    "touches bytes of the arena into which an asynchronous copy may still be "
    "under way through another buffer";
static const char *const whyEnd =
    "touches bytes of the arena that something no barrier orders may still use "
    "through another buffer";
static const char *const whyBeside =
    "touches bytes of the arena that other threads, which may have taken "
    "another way, use through another buffer at the same time";

static bool isBlamed(const Check *check, size_t event) {
  return check->culprits[event].earlier != kNone;
}

/// Of several culprits the earliest is named.
static void blame(Check *check, size_t event, EventNumber earlier,
                  const char *why) {
  if (earlier < check->culprits[event].earlier)
    check->culprits[event] = (Culprit){earlier, why};
}

static void checkAgainst(Check *check, size_t event, const Pending *pending,
                         int instance, const char *whyOrdinary) {
  const char *const why[] = {whyOrdinary, whyWait, whyWait, whyEnd};
  bool writes = check->code.events[event].writes;
  for (int hold = 0; hold < BERTH_NUM_HOLDS; ++hold) {
    blame(check, event, pending->of[instance][kWrites][hold], why[hold]);
    if (writes)
      blame(check, event, pending->of[instance][kReads][hold], why[hold]);
  }
}

static void checkAccess(Check *check, size_t event) {
  uint32_t root = check->code.events[event].root;
  for (size_t i = 0; i < check->numShared; ++i) {
    if (!berthViewsOverlap(check->views, check->shared[i], root))
      continue;
    checkAgainst(check, event, &check->now[i], kThisInstance, whyBarrier);
    checkAgainst(check, event, &check->now[i], kOldInstance, whyBarrier);
  }
  if (!isBlamed(check, event) &&
      !berthIsHandedOver(check->views->roots[root].view))
    checkAgainst(check, event, &check->now[check->slotOf[root]], kOldInstance,
                 whyInstance);
}

static void checkPaths(Check *check) {
  for (size_t s = 0; s < check->code.numStretches; ++s) {
    const BerthStretch *stretch = &check->code.stretches[s];
    enterStretch(check, s);
    for (size_t i = stretch->begin; i < stretch->end; ++i) {
      if (check->code.events[i].kind == BERTH_THREADS_ACCESS)
        checkAccess(check, i);
      applyEvent(check, (EventNumber)i);
    }
  }
}

//===----------------------------------------------------------------------===//
// Pairs that no path explains
//===----------------------------------------------------------------------===//

/// True if the events are accesses of different buffers that have bytes in
/// common, one of them a write.
static bool doClash(const Check *check, size_t a, size_t b) {
  const BerthThreadEvent *first = &check->code.events[a];
  const BerthThreadEvent *second = &check->code.events[b];
  return first->kind == BERTH_THREADS_ACCESS &&
         second->kind == BERTH_THREADS_ACCESS &&
         (first->writes || second->writes) &&
         berthViewsOverlap(check->views, first->root, second->root);
}

static void checkBeside(Check *check) {
  for (size_t i = 0; i < check->code.numBesides; ++i) {
    const BerthBeside *beside = &check->code.besides[i];
    for (size_t b = beside->secondBegin; b < beside->secondEnd; ++b)
      for (size_t a = beside->firstBegin; a < beside->firstEnd; ++a)
        if (!isBlamed(check, b) && doClash(check, a, b))
          blame(check, b, (EventNumber)a, whyBeside);
  }
}

/// No barrier orders these with accesses before them either.
static void checkUnordered(Check *check) {
  const BerthThreadEvent *events = check->code.events;
  for (size_t later = 0; later < check->code.numEvents; ++later)
    for (size_t k = 0; k < later && !isBlamed(check, later); ++k)
      if ((events[k].hold == BERTH_HOLD_END ||
           events[later].hold == BERTH_HOLD_END) &&
          doClash(check, k, later))
        blame(check, later, (EventNumber)k, whyEnd);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Reports each op once, by its first bad access.
static void report(const Check *check, BerthRaceCallback callback,
                   void *userData) {
  BerthPointerMap isReported = {0};
  const BerthThreadEvent *events = check->code.events;
  for (size_t i = 0; i < check->code.numEvents; ++i) {
    const Culprit *culprit = &check->culprits[i];
    if (culprit->earlier != kNone &&
        berthPointerMapInsert(&isReported, events[i].op.ptr, 1))
      callback(events[i].op, events[culprit->earlier].op, culprit->why,
               userData);
  }
  berthPointerMapFree(&isReported);
}

static void run(Check *check) {
  size_t numEvents = check->code.numEvents;
  size_t numStretches = check->code.numStretches;
  check->culprits = allocateOrDie(numEvents, sizeof *check->culprits);
  for (size_t i = 0; i < numEvents; ++i)
    check->culprits[i].earlier = kNone;
  check->starts =
      allocateOrDie(numStretches * check->numShared, sizeof *check->starts);
  check->isReached = allocateOrDie(numStretches, sizeof *check->isReached);
  check->isDirty = allocateOrDie(numStretches, sizeof *check->isDirty);
  check->now = allocateOrDie(check->numShared, sizeof *check->now);
  findPending(check);
  checkPaths(check);
  checkBeside(check);
  checkUnordered(check);
}

static void freeCheck(Check *check) {
  berthStretchesFree(&check->code);
  free(check->shared);
  free(check->slotOf);
  free(check->culprits);
  free(check->starts);
  free(check->isReached);
  free(check->isDirty);
  free(check->now);
}

static void checkScope(Check *check, const BerthThreads *threads,
                       const bool *isShared) {
  BerthArena memory = {0};
  bool isKernel = berthIsKernel(threads->scope, threads->options);
  BerthDivergence divergence =
      berthFindDivergence(threads->scope, isKernel, &memory);
  BerthThreadScope scope = {
      .views = threads->views,
      .divergence = &divergence,
      .isShared = isShared,
      .isRunAgain = !isKernel,
      .isRunApart = berthSomeThreadsCall(threads->scope, threads->root,
                                         threads->options)};
  check->code = berthStretchesOf(&scope);
  run(check);
  berthDivergenceFree(&divergence);
  berthArenaFree(&memory);
}

void berthVerifyThreads(const BerthThreads *threads, BerthRaceCallback callback,
                        void *userData) {
  Check check = {.views = threads->views};
  bool *isShared = findShared(&check, threads);
  if (check.numShared) {
    checkScope(&check, threads, isShared);
    report(&check, callback, userData);
  }
  freeCheck(&check);
  free(isShared);
}
