//===- ThreadCovers.c - Buffers that threads overwrite together -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/ThreadCovers.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Runs/Arrival.h"
#include "IR/Verify/Threads/Asking.h"
#include "IR/Verify/Threads/OwnBytes.h"
#include "IR/Verify/Threads/WrittenBytes.h"

#include <stdlib.h>
#include <string.h>

/// Larger buffers are not looked at.
enum { kMostBytes = 1 << 22 };

typedef struct Search {
  const BerthViews *views;
  MlirOperation scope;
  const BerthThreadCode *code;
  BerthCovers *covers;
  // The root at hand:
  uint32_t root;
  size_t *accesses; ///< its events
  size_t numAccesses;
  bool *isWritten; ///< by byte, in the run at hand
} Search;

static const BerthThreadEvent *eventAt(const Search *search, size_t access) {
  return &search->code->stretches.events[search->accesses[access]];
}

static bool isCopy(const BerthThreadEvent *event) {
  return event->hold == berthHoldOfStarted(BERTH_ASYNC_COPY);
}

//===----------------------------------------------------------------------===//
// What comes in the same phase
//===----------------------------------------------------------------------===//

/// What was copied is there for others behind the first barrier that follows a
/// wait which follows its group; what was stored, behind the first one.
enum { kStarted, kInGroup, kEnded, kNumStages };

typedef struct Reach {
  const BerthStretches *code;
  bool *isReached; ///< by event
  bool *isEntered; ///< by stretch and stage
  size_t *pending; ///< of these, those to be passed
  size_t numPending;
} Reach;

/// From an event of a stretch on.
static void pass(Reach *reach, size_t stretch, size_t event, int stage) {
  const BerthStretch *at = &reach->code->stretches[stretch];
  for (; event < at->end; ++event) {
    const BerthThreadEvent *now = &reach->code->events[event];
    bool ofCopies = now->async == BERTH_ASYNC_COPY;
    reach->isReached[event] = true;
    if (now->kind == BERTH_THREADS_BARRIER && stage == kEnded)
      return;
    if (now->kind == BERTH_THREADS_GROUP && ofCopies && stage == kStarted)
      stage = kInGroup;
    else if (now->kind == BERTH_THREADS_WAIT && ofCopies && stage == kInGroup &&
             now->mayPend == 0)
      stage = kEnded;
  }
  for (uint32_t edge = at->firstNext; edge != BERTH_NO_STRETCH;
       edge = reach->code->edges[edge].next) {
    size_t next =
        (size_t)reach->code->edges[edge].to * kNumStages + (size_t)stage;
    if (!reach->isEntered[next])
      reach->pending[reach->numPending++] = next;
    reach->isEntered[next] = true;
  }
}

static void passAll(Reach *reach) {
  while (reach->numPending) {
    size_t next = reach->pending[--reach->numPending];
    size_t stretch = next / kNumStages;
    pass(reach, stretch, reach->code->stretches[stretch].begin,
         (int)(next % kNumStages));
  }
}

/// Marks the events that threads may come to from that one before a barrier, or
/// be at meanwhile on another way.
static bool *reachFrom(const Search *search, size_t event, int stage) {
  const BerthStretches *code = &search->code->stretches;
  size_t numStates = code->numStretches * kNumStages;
  Reach reach = {.code = code,
                 .isReached = berthAllocateOrDie(code->numEvents, sizeof(bool)),
                 .isEntered = berthAllocateOrDie(numStates, sizeof(bool)),
                 .pending =
                     berthAllocateOrDie(numStates, sizeof *reach.pending)};
  for (size_t i = 0; i < code->numStretches; ++i)
    if (code->stretches[i].begin <= event && event < code->stretches[i].end)
      pass(&reach, i, event + 1, stage);
  passAll(&reach);
  for (size_t i = 0; i < code->numBesides; ++i) {
    const BerthBeside *beside = &code->besides[i];
    bool isFirst = beside->firstBegin <= event && event < beside->firstEnd;
    bool isSecond = beside->secondBegin <= event && event < beside->secondEnd;
    for (size_t e = beside->secondBegin; isFirst && e < beside->secondEnd; ++e)
      reach.isReached[e] = true;
    for (size_t e = beside->firstBegin; isSecond && e < beside->firstEnd; ++e)
      reach.isReached[e] = true;
  }
  free(reach.isEntered);
  free(reach.pending);
  return reach.isReached;
}

/// True if one thread may write a byte that another one reads.
static bool mayMeet(const Search *search, size_t write, size_t read) {
  if (isCopy(eventAt(search, write)))
    return true;
  BerthOwnBytes a = berthOwnBytesOf(search->views, search->scope,
                                    eventAt(search, write)->op, search->root);
  BerthOwnBytes b = berthOwnBytesOf(search->views, search->scope,
                                    eventAt(search, read)->op, search->root);
  bool doMeet = berthOwnBytesMeet(&a, &b);
  free(a.threads);
  free(b.threads);
  return doMeet;
}

/// True if no access of the run has a read in its phase that may meet it.
static bool isApart(const Search *search, size_t begin, size_t end) {
  bool isFine = true;
  for (size_t from = 0; from < search->numAccesses && isFine; ++from) {
    const BerthThreadEvent *event = eventAt(search, from);
    bool isOfRun = from >= begin && from < end;
    if (!isOfRun && !event->reads)
      continue;
    bool *isReached = reachFrom(search, search->accesses[from],
                                isOfRun && isCopy(event) ? kStarted : kEnded);
    for (size_t to = 0; to < search->numAccesses && isFine; ++to) {
      bool isPair =
          isOfRun ? eventAt(search, to)->reads : to >= begin && to < end;
      if (isPair && isReached[search->accesses[to]])
        isFine = !mayMeet(search, isOfRun ? from : to, isOfRun ? to : from);
    }
    free(isReached);
  }
  return isFine;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static size_t sizeOf(const Search *search) {
  const BerthRoot *root = &search->views->roots[search->root];
  return (size_t)(root->upper - root->lower);
}

static bool isAllWritten(const Search *search) {
  for (size_t i = 0; i < sizeOf(search); ++i)
    if (!search->isWritten[i])
      return false;
  return true;
}

/// The op of the block that holds `op`; null: none does.
static MlirOperation topIn(MlirBlock block, MlirOperation op) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    op = mlirOperationGetParentOperation(op);
    if (!mlirOperationIsNull(op) && mlirBlockIsNull(mlirOperationGetBlock(op)))
      return (MlirOperation){NULL};
  }
  return op;
}

/// One op of the block, and the accesses [begin, end) in it.
typedef struct Item {
  MlirOperation top;
  size_t begin;
  size_t end;
  bool reads;
} Item;

static Item itemFrom(const Search *search, MlirBlock block, size_t access) {
  Item item = {topIn(block, eventAt(search, access)->op), access, access,
               false};
  while (
      item.end < search->numAccesses &&
      mlirOperationEqual(topIn(block, eventAt(search, item.end)->op), item.top))
    item.reads |= eventAt(search, item.end++)->reads;
  return item;
}

/// A block that all threads come to. Accesses of a block follow one another.
static void findInBlock(Search *search, MlirBlock block, size_t first) {
  MlirOperation start = {NULL};
  size_t begin = 0;
  Item item;
  for (size_t at = first; at < search->numAccesses; at = item.end) {
    item = itemFrom(search, block, at);
    if (mlirOperationIsNull(item.top))
      break;
    if (mlirOperationIsNull(start)) {
      start = item.top;
      begin = item.begin;
      memset(search->isWritten, 0, sizeOf(search));
    }
    for (size_t i = item.begin; i < item.end && !item.reads; ++i)
      berthMarkWrittenBytes(search->views, search->scope,
                            eventAt(search, i)->op, item.top, search->root,
                            search->isWritten);
    bool isCovered = !item.reads && isAllWritten(search);
    if (isCovered && isApart(search, begin, item.end))
      berthCoversNote(search->covers, start, search->root);
    if (isCovered || item.reads)
      start = (MlirOperation){NULL};
  }
}

/// All blocks that hold accesses, each from its first one on.
static void findInBlocks(Search *search) {
  BerthPointerMap seen = {0};
  for (size_t i = 0; i < search->numAccesses; ++i)
    for (MlirOperation op = eventAt(search, i)->op;
         !mlirOperationEqual(op, search->scope);
         op = mlirOperationGetParentOperation(op)) {
      MlirBlock block = mlirOperationGetBlock(op);
      if (berthPointerMapInsert(&seen, block.ptr, 1) &&
          !berthControlDiverges(&search->code->divergence,
                                mlirBlockGetFirstOperation(block)))
        findInBlock(search, block, i);
    }
  berthPointerMapFree(&seen);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// True if the root has no other name, so that its events tell all.
static bool isOnlyName(const Search *search) {
  const BerthViews *views = search->views;
  const BerthRoot *root = &views->roots[search->root];
  if (root->isBase || root->isShifted || root->mergedFrom != BERTH_NO_ROOT ||
      root->upper - root->lower > kMostBytes || root->upper <= root->lower)
    return false;
  for (size_t i = 0; i < views->numRoots; ++i)
    if (views->roots[i].instanceOf == search->root ||
        views->roots[i].mergedFrom == search->root)
      return false;
  return true;
}

static bool isUnderstood(const Search *search, const BerthThreadEvent *event) {
  if (event->isAsync)
    return false;
  return isCopy(event) ? !event->reads
                       : event->hold == BERTH_HOLD_ORDINARY &&
                             berthIsPlainForThreads(event->op, search->scope);
}

static void findOfRoot(Search *search) {
  const BerthStretches *code = &search->code->stretches;
  bool isFine = isOnlyName(search);
  search->numAccesses = 0;
  for (size_t i = 0; i < code->numEvents && isFine; ++i) {
    const BerthThreadEvent *event = &code->events[i];
    if (event->kind != BERTH_THREADS_ACCESS || event->root != search->root)
      continue;
    isFine = isUnderstood(search, event);
    search->accesses[search->numAccesses++] = i;
  }
  if (!isFine || search->numAccesses == 0)
    return;
  search->isWritten = berthAllocateOrDie(sizeOf(search), sizeof(bool));
  findInBlocks(search);
  free(search->isWritten);
}

static bool comeTogether(const BerthThreads *threads) {
  return berthIsKernel(threads->scope, threads->options) ||
         (berthAllCallsAreSeen(threads->scope, threads->root) &&
          !berthSomeThreadsCall(threads->scope, threads->root,
                                threads->options));
}

void berthAddThreadCovers(const BerthThreads *threads, BerthCovers *covers) {
  BerthThreadCode code;
  if (!threads->options->forThreads || !comeTogether(threads) ||
      !berthThreadCodeOf(threads, &code))
    return;
  Search search = {.views = threads->views,
                   .scope = threads->scope,
                   .code = &code,
                   .covers = covers,
                   .accesses = berthAllocateOrDie(code.stretches.numEvents,
                                                  sizeof *search.accesses)};
  for (uint32_t i = 0; i < threads->views->numRoots; ++i) {
    search.root = i;
    if (code.isShared[i])
      findOfRoot(&search);
  }
  free(search.accesses);
  berthThreadCodeFree(&code);
}
