//===- Touches.c - What cores and units touch, and when -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Cores/Touches.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

/// The unit that an op runs on, unless the program follows it to its end: where
/// it gets a token of the op for itself alone, which Dma.h looks after.
static int ownUnit(MlirOperation op) {
  bool isFollowed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    isFollowed |= berthOpIsTokenResult(op, i);
  return isFollowed && berthNumCores() < 2 ? 0 : berthOpGetUnit(op);
}

typedef struct UnitSearch {
  MlirOperation op;
  BerthPointerMap seen; ///< called functions
  bool found;
} UnitSearch;

/// Work of units, or pending work, in what the op stands for as a whole.
static MlirWalkResult findUnit(MlirOperation op, void *userData) {
  UnitSearch *search = userData;
  MlirOperation callee;
  bool isItself = mlirOperationEqual(op, search->op);
  search->found |= !isItself && (ownUnit(op) != 0 ||
                                 berthOpStartsAsync(op, BERTH_ASYNC_WORK));
  if (berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      berthPointerMapInsert(&search->seen, callee.ptr, 1))
    mlirOperationWalk(callee, findUnit, search, MlirWalkPreOrder);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void addTouch(BerthTouches *touches, const BerthTraceEvent *event,
                     size_t place, BerthRootAccess access, bool makes) {
  touches->items = berthGrow(touches->items, touches->count, &touches->capacity,
                             sizeof *touches->items);
  touches->items[touches->count++] =
      (BerthTouch){.access = access,
                   .phase = event->phase,
                   .place = place,
                   .core = event->core,
                   .unit = ownUnit(access.op),
                   .isPending = berthOpStartsAsync(access.op, BERTH_ASYNC_WORK),
                   .isOnce = berthOpIsIssuedOnce(access.op),
                   .isLoose = event->isLoose,
                   .makes = makes};
}

/// Ops that have been come to, in the order of one core.
typedef struct Behind {
  BerthPointerMap phases; ///< op that makes a token -> phase
  int core;
} Behind;

static void noteStart(Behind *behind, const BerthTraceEvent *event) {
  if (behind->core != event->core)
    berthPointerMapClear(&behind->phases);
  behind->core = event->core;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(event->op); ++i)
    if (berthOpIsTokenResult(event->op, i))
      berthPointerMapSet(&behind->phases, event->op.ptr, event->phase);
}

/// What is waited for here may have been done in any phase since its start.
static void addAwaited(BerthTouches *touches, const Behind *behind,
                       const BerthTraceEvent *wait, size_t place,
                       MlirValue token, int depth) {
  enum { kLongestChain = 16 };
  if (depth > kLongestChain || !mlirValueIsAOpResult(token))
    return;
  MlirOperation start = mlirOpResultGetOwner(token);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(start); ++i)
    if (berthOpGetRole(start, i) == BERTH_OPERAND_VIEWED)
      addAwaited(touches, behind, wait, place,
                 mlirOperationGetOperand(start, i), depth + 1);
  size_t phase = berthPointerMapFind(&behind->phases, start.ptr);
  if (phase == BERTH_NOT_FOUND)
    return;
  BerthRootAccesses accesses = {0};
  berthRootAccessesOf(&accesses, touches->views, start, false);
  BerthTraceEvent event = *wait;
  for (event.phase = phase + 1; event.phase <= wait->phase; ++event.phase)
    for (size_t k = 0; k < accesses.count; ++k) {
      BerthRootAccess access = accesses.items[k];
      access.op = wait->op;
      access.overwrites = false;
      if (access.reads || access.writes)
        addTouch(touches, &event, place, access, false);
    }
  berthRootAccessesFree(&accesses);
}

void berthTouchesAdd(BerthTouches *touches, const BerthTrace *trace) {
  BerthRootAccesses accesses = {0};
  Behind behind = {.core = -1};
  for (size_t i = 0; i < trace->count; ++i) {
    const BerthTraceEvent *event = &trace->events[i];
    uint32_t root;
    noteStart(&behind, event);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(event->op); ++k)
      if (berthOpAwaits(event->op, k))
        addAwaited(touches, &behind, event, i,
                   mlirOperationGetOperand(event->op, k), 0);
    if (berthViewsMakesAnew(touches->views, event->op, &root)) {
      addTouch(touches, event, i,
               (BerthRootAccess){.root = root, .op = event->op}, true);
      continue;
    }
    berthRootAccessesOf(&accesses, touches->views, event->op,
                        event->withNested);
    size_t first = touches->count;
    for (size_t k = 0; k < accesses.count; ++k)
      if (accesses.items[k].reads || accesses.items[k].writes)
        addTouch(touches, event, i, accesses.items[k], false);
    if (touches->count == first)
      continue;
    UnitSearch search = {.op = event->op};
    if (event->withNested || !mlirOperationGetNumRegions(event->op))
      mlirOperationWalk(event->op, findUnit, &search, MlirWalkPreOrder);
    berthPointerMapFree(&search.seen);
    for (size_t k = first; search.found && k < touches->count; ++k)
      touches->items[k].isSeveral = true;
  }
  berthRootAccessesFree(&accesses);
  berthPointerMapFree(&behind.phases);
}

static int compareTouches(const void *left, const void *right) {
  const BerthTouch *a = left, *b = right;
  if (a->phase != b->phase)
    return a->phase < b->phase ? -1 : 1;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  // Of one op reads come before writes.
  if (a->access.reads != b->access.reads)
    return a->access.reads ? -1 : 1;
  return (a->access.operand > b->access.operand) -
         (a->access.operand < b->access.operand);
}

bool berthTouchesFindCores(BerthTouches *touches, const BerthTrace *trace) {
  BerthPointerMap placeOf = {0};
  uint64_t *cores = berthAllocateOrDie(trace->count + 1, sizeof *cores);
  for (size_t i = 0; i < trace->count; ++i) {
    const BerthTraceEvent *event = &trace->events[i];
    berthPointerMapInsert(&placeOf, event->op.ptr, i);
    uint64_t bit = UINT64_C(1) << (event->core & 63); // 64 cores at most
    cores[berthPointerMapFind(&placeOf, event->op.ptr)] |= bit;
  }
  uint64_t first = 0;
  bool differ = false;
  for (size_t i = 0; i < touches->count; ++i) {
    BerthTouch *touch = &touches->items[i];
    touch->cores = cores[berthPointerMapFind(&placeOf, touch->access.op.ptr)];
    first = first || touch->makes ? first : touch->cores;
    differ |= !touch->makes && touch->cores != first;
  }
  free(cores);
  berthPointerMapFree(&placeOf);
  return differ;
}

/// What several cores come to in one phase counts once. The touches of a phase
/// are in a row, by their places.
static void dropRepeated(BerthTouches *touches) {
  BerthPointerMap coreOf = {0};
  size_t kept = 0;
  for (size_t i = 0; i < touches->count; ++i) {
    const BerthTouch *touch = &touches->items[i];
    if (kept && touches->items[kept - 1].phase != touch->phase)
      berthPointerMapClear(&coreOf);
    const void *key = touch->access.op.ptr;
    berthPointerMapInsert(&coreOf, key, (size_t)touch->core);
    if (berthPointerMapFind(&coreOf, key) == (size_t)touch->core)
      touches->items[kept++] = *touch;
  }
  touches->count = kept;
  berthPointerMapFree(&coreOf);
}

bool berthHaveOneRunner(const BerthTouch *first, const BerthTouch *second) {
  bool isOneCore = !(first->cores & (first->cores - 1));
  bool isLoose =
      (first->isLoose || second->isLoose) && !(berthNumCores() && isOneCore);
  bool isOnce = !berthNumCores() || (first->isOnce && second->isOnce);
  return first->unit == second->unit && first->cores == second->cores &&
         (isOneCore || (first->unit && isOnce)) && !isLoose &&
         !first->isSeveral && !second->isSeveral;
}

void berthTouchesJoin(BerthTouches *touches) {
  if (touches->count)
    qsort(touches->items, touches->count, sizeof *touches->items,
          compareTouches);
  dropRepeated(touches);
}
