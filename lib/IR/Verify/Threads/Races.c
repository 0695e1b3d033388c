//===- Races.c - Buffers that threads touch at once -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Races.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Threads/Clusters.h"
#include "IR/Verify/Threads/OwnBytes.h"
#include "IR/Verify/Threads/RaceNames.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

typedef struct Culprit {
  BerthEventNumber earlier;
  const char *why;
} Culprit;

/// What is pending is kept for each root; of roots in `isSplit` for each of
/// their accesses.
typedef struct Slot {
  uint32_t root;
  BerthEventNumber event; ///< the only one; BERTH_NO_EVENT: all of the root
} Slot;

/// So many ways to touch bytes are told apart at once.
enum { kMostKinds = 16 };

typedef struct Check {
  const BerthViews *views;
  MlirOperation scope;
  BerthStretches code;
  const bool *isShared; ///< by root
  bool *isSplit;        ///< by root
  Slot *slots;          ///< by root
  size_t numSlots;
  size_t *firstSlotOf;      ///< by root, and where the last ones end
  size_t *slotOf;           ///< by event that is an access
  BerthOwnBytes *own;       ///< by event, as they are asked for
  size_t kinds[kMostKinds]; ///< events whose bytes differ
  uint32_t numKinds;
  Culprit *culprits; ///< by event
  bool *needFences;  ///< by slot
  BerthPendingForm form;
  BerthEventNumber **starts; ///< by stretch: what is pending where it begins;
                             ///< NULL: nothing
  bool *isReached;           ///< by stretch
  bool *isDirty;             ///< by stretch: to be passed again
  BerthEventNumber *now;     ///< what is pending at the event at hand
  BerthRaceNames names;
  uint64_t *mayStarts; ///< by stretch: what merges may be there
  uint64_t *may;       ///< at the event at hand
} Check;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

static void addSlot(Check *check, uint32_t root, BerthEventNumber event) {
  check->slots[check->numSlots++] = (Slot){root, event};
}

/// Where each of its accesses has a slot of its own.
static void splitRoot(Check *check, uint32_t root) {
  for (BerthEventNumber i = 0; i < check->code.numEvents; ++i)
    if (check->code.events[i].kind == BERTH_THREADS_ACCESS &&
        check->code.events[i].root == root) {
      check->slotOf[i] = check->numSlots;
      addSlot(check, root, i);
    }
}

static void makeSlots(Check *check) {
  size_t numRoots = check->views->numRoots;
  check->numSlots = 0;
  for (uint32_t i = 0; i < numRoots; ++i) {
    check->firstSlotOf[i] = check->numSlots;
    if (check->isShared[i] && check->isSplit[i])
      splitRoot(check, i);
    else if (check->isShared[i])
      addSlot(check, i, BERTH_NO_EVENT);
  }
  check->firstSlotOf[numRoots] = check->numSlots;
  for (size_t i = 0; i < check->code.numEvents; ++i) {
    const BerthThreadEvent *event = &check->code.events[i];
    if (event->kind == BERTH_THREADS_ACCESS && !check->isSplit[event->root])
      check->slotOf[i] = check->firstSlotOf[event->root];
  }
}

//===----------------------------------------------------------------------===//
// Bytes of one thread
//===----------------------------------------------------------------------===//

/// Gives those that touch alike one number.
static void findAlike(Check *check, size_t event) {
  BerthOwnBytes *own = &check->own[event];
  for (uint32_t i = 0; i < check->numKinds && !own->alike; ++i)
    if (berthOwnBytesAreEqual(own, &check->own[check->kinds[i]]))
      own->alike = i + 1;
  if (own->alike || check->numKinds == kMostKinds)
    return;
  check->kinds[check->numKinds++] = event;
  own->alike = check->numKinds;
}

/// Nothing is known of what is asynchronous.
static const BerthOwnBytes *ownBytesOf(Check *check, size_t event) {
  const BerthThreadEvent *access = &check->code.events[event];
  BerthOwnBytes *own = &check->own[event];
  if (own->isAsked)
    return own;
  if (access->hold == BERTH_HOLD_ORDINARY && !access->isAsync)
    *own =
        berthOwnBytesOf(check->views, check->scope, access->op, access->root);
  if (own->isOneEach)
    findAlike(check, event);
  own->isAsked = true;
  return own;
}

/// False if different threads touch no common byte by the two accesses.
static bool mayMeet(Check *check, size_t a, size_t b) {
  const BerthOwnBytes *first = ownBytesOf(check, a);
  const BerthOwnBytes *second = ownBytesOf(check, b);
  if (first->alike && first->alike == second->alike)
    return false;
  return !first->isKnown || !second->isKnown ||
         berthOwnBytesMeet(first, second);
}

//===----------------------------------------------------------------------===//
// Forwards, until nothing changes
//===----------------------------------------------------------------------===//

static uint64_t *mayStartOf(const Check *check, size_t stretch) {
  return check->mayStarts + stretch * berthRaceNamesWords(&check->names);
}

static void handOn(Check *check, size_t to) {
  bool isChanged = !check->isReached[to];
  check->isReached[to] = true;
  if (!berthPendingIsNothing(check->now, check->form.count)) {
    if (!check->starts[to]) {
      check->starts[to] =
          berthAllocateOrDie(check->form.count, sizeof **check->starts);
      berthPendingClear(check->form, check->starts[to]);
    }
    isChanged |= berthPendingJoin(check->form, check->starts[to], check->now);
  }
  isChanged |=
      berthRaceNamesJoin(&check->names, mayStartOf(check, to), check->may);
  check->isDirty[to] |= isChanged;
}

static void enterStretch(Check *check, size_t stretch) {
  if (check->starts[stretch])
    memcpy(check->now, check->starts[stretch],
           check->form.count * sizeof *check->now);
  else
    berthPendingClear(check->form, check->now);
  if (check->names.words)
    memcpy(check->may, mayStartOf(check, stretch),
           berthRaceNamesWords(&check->names) * sizeof *check->may);
}

//===----------------------------------------------------------------------===//
// What merges may be
//===----------------------------------------------------------------------===//

static size_t rowOf(const Check *check, size_t slot, BerthInstance instance,
                    bool writes) {
  const BerthEventNumber *of =
      berthPendingOf(check->form, check->now, slot, instance, writes);
  return (size_t)(of - check->now) / check->form.numHolds;
}

/// What only the async proxy still has to wait for has no names.
static bool isNameless(size_t hold) {
  return hold == BERTH_HOLD_PASSED || hold == BERTH_HOLD_PASSED_FENCED;
}

static bool isRowPending(const Check *check, size_t row) {
  for (size_t hold = 0; hold < check->form.numHolds; ++hold)
    if (!isNameless(hold) &&
        check->now[row * check->form.numHolds + hold] != BERTH_NO_EVENT)
      return true;
  return false;
}

/// Of an access, ahead of what it does to what is pending.
static void nameAccess(Check *check, const BerthThreadEvent *event,
                       size_t slot) {
  size_t row = rowOf(check, slot, BERTH_THIS_INSTANCE, event->writes);
  berthRaceNamesAccess(&check->names, check->may, row, event->root,
                       isRowPending(check, row));
}

/// Of a view that is made, ahead of what it does.
static void nameInstance(Check *check, size_t slot) {
  for (int writes = 0; writes < 2; ++writes) {
    size_t from = rowOf(check, slot, BERTH_THIS_INSTANCE, writes);
    size_t to = rowOf(check, slot, BERTH_OLD_INSTANCE, writes);
    berthRaceNamesMove(&check->names, check->may, from, to);
  }
}

static void nameHands(Check *check, const BerthThreadEvent *event) {
  for (size_t slot = 0; slot < check->numSlots; ++slot)
    for (int instance = 0; instance < BERTH_NUM_INSTANCES; ++instance)
      for (int writes = 0; writes < 2; ++writes) {
        size_t row = rowOf(check, slot, (BerthInstance)instance, writes);
        if (isRowPending(check, row))
          berthRaceNamesHand(&check->names, check->may, row, event);
      }
}

/// Where nothing is pending any more.
static void forgetNames(Check *check) {
  for (size_t row = 0; row < check->names.rows; ++row)
    if (!isRowPending(check, row))
      berthRaceNamesForget(&check->names, check->may, row);
}

static void applyEvent(Check *check, size_t number) {
  const BerthThreadEvent *event = &check->code.events[number];
  bool isOfRoot = event->kind == BERTH_THREADS_MAKE ||
                  event->kind == BERTH_THREADS_DRAIN ||
                  ((event->kind == BERTH_THREADS_GROUP ||
                    event->kind == BERTH_THREADS_WAIT) &&
                   event->async == BERTH_ASYNC_LOAD);
  size_t begin = check->slotOf[number], end = begin + 1;
  if (isOfRoot) {
    begin = check->firstSlotOf[event->root];
    end = check->firstSlotOf[event->root + 1];
  }
  bool hasNames = check->names.words > 0;
  if (hasNames && event->kind == BERTH_THREADS_HAND)
    nameHands(check, event);
  for (size_t slot = begin; slot < end; ++slot) {
    if (hasNames && event->kind == BERTH_THREADS_ACCESS)
      nameAccess(check, event, slot);
    if (hasNames && event->kind == BERTH_THREADS_MAKE)
      nameInstance(check, slot);
    berthPendingApply(check->form, check->now, event, (BerthEventNumber)number,
                      slot);
  }
  if (hasNames && event->kind != BERTH_THREADS_ACCESS)
    forgetNames(check);
}

static void passStretch(Check *check, size_t index) {
  const BerthStretch *stretch = &check->code.stretches[index];
  enterStretch(check, index);
  for (size_t i = stretch->begin; i < stretch->end; ++i)
    applyEvent(check, i);
  for (uint32_t edge = stretch->firstNext; edge != BERTH_NO_STRETCH;
       edge = check->code.edges[edge].next)
    handOn(check, check->code.edges[edge].to);
}

static void findPending(Check *check) {
  size_t count = check->code.numStretches;
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
    "touches bytes of the arena that something asynchronous may still use "
    "through another buffer";
static const char *const whyFence =
    "touches bytes of the arena by TMA or wgmma that threads have used through "
    "another buffer by loads and stores: there is a way here without "
    "fence.proxy.async and then a barrier of the whole workgroup";
static const char *const whyEnd =
    "touches bytes of the arena that something no barrier orders may still use "
    "through another buffer";
static const char *const whyCluster =
    "touches bytes of the arena that other workgroups of the cluster may still "
    "use through another buffer: no full barrier of the cluster that all of "
    "them come to has ended that";
static const char *const whyClusterInstance =
    "touches a buffer that has been made anew, and that other workgroups of "
    "the cluster may still use as it was: no full barrier of the cluster that "
    "all of them come to has ended that";
static const char *const whyBeside =
    "touches bytes of the arena that other threads, which may have taken "
    "another way, use through another buffer at the same time";

bool berthRaceIsOfNames(const char *why) {
  return why == whyBarrier || why == whyBeside;
}

static bool isBlamed(const Check *check, size_t event) {
  return check->culprits[event].earlier != BERTH_NO_EVENT;
}

/// Of several culprits the earliest is named.
static void blame(Check *check, size_t event, BerthEventNumber earlier,
                  const char *why) {
  if (earlier < check->culprits[event].earlier)
    check->culprits[event] = (Culprit){earlier, why};
}

/// Why an access may not come yet; NULL: it may.
static const char *whyHeld(const BerthThreadEvent *access, size_t hold,
                           const char *whyOrdinary) {
  switch (hold) {
  case BERTH_HOLD_BARRIER:
  case BERTH_HOLD_ORDINARY:
  case BERTH_HOLD_FENCED:
    return whyOrdinary;
  case BERTH_HOLD_PASSED:
  case BERTH_HOLD_PASSED_FENCED:
    return access->isAsync ? whyFence : NULL;
  case BERTH_HOLD_END:
    return whyEnd;
  default:
    return whyWait;
  }
}

/// False if what is accessed is a merge that is not that buffer.
static bool mayFollow(const Check *check, size_t event, size_t slot,
                      BerthInstance instance, bool writes) {
  return !check->names.words ||
         !berthRaceNamesExclude(&check->names, check->may,
                                rowOf(check, slot, instance, writes),
                                check->code.events[event].root);
}

/// True if the roots' buffers are two with bytes in common.
static bool doOverlap(const Check *check, uint32_t a, uint32_t b) {
  return berthViewsOverlap(check->views, berthRaceNamesBuffer(check->views, a),
                           berthRaceNamesBuffer(check->views, b));
}

static void checkAgainst(Check *check, size_t event, size_t slot,
                         BerthInstance instance, const char *whyOrdinary) {
  BerthPendingForm form = check->form;
  const BerthEventNumber *reads =
      berthPendingOf(form, check->now, slot, instance, false);
  const BerthEventNumber *writes =
      berthPendingOf(form, check->now, slot, instance, true);
  const BerthThreadEvent *access = &check->code.events[event];
  bool afterReads = mayFollow(check, event, slot, instance, false);
  bool afterWrites = mayFollow(check, event, slot, instance, true);
  for (size_t hold = 0; hold < form.numHolds; ++hold) {
    const char *why = whyHeld(access, hold, whyOrdinary);
    if (why && (afterWrites || isNameless(hold)))
      blame(check, event, writes[hold], why);
    if (why && access->writes && (afterReads || isNameless(hold)))
      blame(check, event, reads[hold], why);
  }
}

/// True if there are accesses of the slot that something has not ended.
static bool isPending(const Check *check, size_t slot) {
  size_t count =
      (size_t)BERTH_NUM_INSTANCES * 2 * check->form.numHolds; // reads, writes
  return !berthPendingIsNothing(check->now + slot * count, count);
}

static void checkAccess(Check *check, size_t event) {
  uint32_t root = check->code.events[event].root;
  for (size_t i = 0; i < check->numSlots; ++i) {
    const Slot *slot = &check->slots[i];
    if (!isPending(check, i) || !doOverlap(check, slot->root, root) ||
        (slot->event != BERTH_NO_EVENT && !mayMeet(check, slot->event, event)))
      continue;
    checkAgainst(check, event, i, BERTH_THIS_INSTANCE, whyBarrier);
    checkAgainst(check, event, i, BERTH_OLD_INSTANCE, whyBarrier);
  }
  if (isBlamed(check, event) ||
      berthIsHandedOver(check->views->roots[root].view))
    return;
  for (size_t i = check->firstSlotOf[root]; i < check->firstSlotOf[root + 1];
       ++i)
    checkAgainst(check, event, i, BERTH_OLD_INSTANCE, whyInstance);
}

static void checkPaths(Check *check) {
  for (size_t s = 0; s < check->code.numStretches; ++s) {
    const BerthStretch *stretch = &check->code.stretches[s];
    enterStretch(check, s);
    for (size_t i = stretch->begin; i < stretch->end; ++i) {
      if (check->code.events[i].kind == BERTH_THREADS_ACCESS)
        checkAccess(check, i);
      applyEvent(check, i);
    }
  }
}

//===----------------------------------------------------------------------===//
// Pairs that no path explains
//===----------------------------------------------------------------------===//

/// True if the events are accesses of different buffers that have bytes in
/// common, one of them a write.
static bool doClash(Check *check, size_t a, size_t b) {
  const BerthThreadEvent *first = &check->code.events[a];
  const BerthThreadEvent *second = &check->code.events[b];
  return first->kind == BERTH_THREADS_ACCESS &&
         second->kind == BERTH_THREADS_ACCESS &&
         (first->writes || second->writes) &&
         doOverlap(check, first->root, second->root) && mayMeet(check, a, b);
}

/// What all threads agree on is no other merge while they are apart.
static bool areOneName(const Check *check, size_t a, size_t b) {
  const BerthThreadEvent *events = check->code.events;
  return events[a].kind == BERTH_THREADS_ACCESS &&
         events[b].kind == BERTH_THREADS_ACCESS &&
         berthRaceNamesAreOne(&check->names, events[a].root, events[b].root);
}

static void checkBeside(Check *check) {
  for (size_t i = 0; i < check->code.numBesides; ++i) {
    const BerthBeside *beside = &check->code.besides[i];
    for (size_t b = beside->secondBegin; b < beside->secondEnd; ++b)
      for (size_t a = beside->firstBegin; a < beside->firstEnd; ++a)
        if (!isBlamed(check, b) && doClash(check, a, b) &&
            !areOneName(check, a, b))
          blame(check, b, (BerthEventNumber)a, whyBeside);
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
        blame(check, later, (BerthEventNumber)k, whyEnd);
}

static void blameForCluster(size_t later, size_t earlier, void *userData) {
  Check *check = userData;
  const BerthThreadEvent *events = check->code.events;
  bool isOfOne = events[later].root == events[earlier].root;
  blame(check, later, (BerthEventNumber)earlier,
        isOfOne ? whyClusterInstance : whyCluster);
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
    if (culprit->earlier != BERTH_NO_EVENT &&
        berthPointerMapInsert(&isReported, events[i].op.ptr, 1))
      callback(events[i].op, events[culprit->earlier].op, culprit->why,
               userData);
  }
  berthPointerMapFree(&isReported);
}

/// Splits the roots of accesses that were blamed for nothing, since no thread
/// meets another; true if some were not split yet.
static bool splitMore(Check *check) {
  bool isMore = false;
  for (size_t i = 0; i < check->code.numEvents; ++i) {
    size_t earlier = check->culprits[i].earlier;
    if (earlier == BERTH_NO_EVENT)
      continue;
    uint32_t roots[2] = {check->code.events[earlier].root,
                         check->code.events[i].root};
    if (roots[0] == roots[1] || mayMeet(check, earlier, i))
      continue;
    for (int k = 0; k < 2; ++k) {
      isMore |= !check->isSplit[roots[k]];
      check->isSplit[roots[k]] = true;
    }
  }
  return isMore;
}

static void freeRun(Check *check) {
  free(check->culprits);
  for (size_t i = 0; check->starts && i < check->code.numStretches; ++i)
    free(check->starts[i]);
  free(check->needFences);
  free(check->starts);
  free(check->isReached);
  free(check->isDirty);
  free(check->now);
  free(check->mayStarts);
  free(check->may);
}

static void run(Check *check) {
  size_t numEvents = check->code.numEvents;
  size_t numStretches = check->code.numStretches;
  makeSlots(check);
  check->culprits = berthAllocateOrDie(numEvents, sizeof *check->culprits);
  for (size_t i = 0; i < numEvents; ++i)
    check->culprits[i].earlier = BERTH_NO_EVENT;
  check->form = berthPendingForm(check->numSlots, check->code.hasAsync);
  check->needFences =
      berthAllocateOrDie(check->numSlots, sizeof *check->needFences);
  for (size_t i = 0; i < check->numSlots; ++i)
    check->needFences[i] =
        berthRootIsOfTensors(&check->views->roots[check->slots[i].root]);
  check->form.needFences = check->needFences;
  check->starts = berthAllocateOrDie(numStretches, sizeof *check->starts);
  check->isReached = berthAllocateOrDie(numStretches, sizeof *check->isReached);
  check->isDirty = berthAllocateOrDie(numStretches, sizeof *check->isDirty);
  check->now = berthAllocateOrDie(check->form.count, sizeof *check->now);
  check->names = berthRaceNamesOf(check->views, &check->code, check->form);
  size_t words = berthRaceNamesWords(&check->names);
  check->mayStarts =
      berthAllocateOrDie(numStretches * words, sizeof *check->mayStarts);
  check->may = berthAllocateOrDie(words, sizeof *check->may);
  findPending(check);
  checkPaths(check);
  checkBeside(check);
  checkUnordered(check);
  berthVerifyClusters(check->views, &check->code, blameForCluster, check);
}

static void runUntilSplit(Check *check) {
  size_t numEvents = check->code.numEvents;
  size_t numRoots = check->views->numRoots;
  check->own = berthAllocateOrDie(numEvents, sizeof *check->own);
  check->slotOf = berthAllocateOrDie(numEvents, sizeof *check->slotOf);
  check->slots = berthAllocateOrDie(numEvents + numRoots, sizeof(Slot));
  check->firstSlotOf =
      berthAllocateOrDie(numRoots + 1, sizeof *check->firstSlotOf);
  check->isSplit = berthAllocateOrDie(numRoots, sizeof *check->isSplit);
  run(check);
  while (splitMore(check)) {
    freeRun(check);
    run(check);
  }
}

static void freeCheck(Check *check) {
  for (size_t i = 0; i < check->code.numEvents; ++i)
    free(check->own[i].threads);
  freeRun(check);
  free(check->own);
  free(check->slotOf);
  free(check->slots);
  free(check->firstSlotOf);
  free(check->isSplit);
}

void berthVerifyThreads(const BerthThreads *threads, BerthRaceCallback callback,
                        void *userData) {
  BerthThreadCode code;
  if (!berthThreadCodeOf(threads, &code))
    return;
  Check check = {.views = threads->views,
                 .scope = threads->scope,
                 .code = code.stretches,
                 .isShared = code.isShared};
  runUntilSplit(&check);
  report(&check, callback, userData);
  freeCheck(&check);
  berthThreadCodeFree(&code);
}
