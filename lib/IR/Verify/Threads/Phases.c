//===- Phases.c - Called functions between their barriers -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/Phases.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Verify/Roots/Arrival.h"
#include "IR/Verify/Roots/Scopes.h"
#include "IR/Verify/Threads/Loads.h"
#include "IR/Verify/Threads/ThreadGraph.h"
#include "Support/Bitset.h"
#include "Support/Grow.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static MlirWalkResult numberFunction(MlirOperation op, void *userData) {
  BerthPhaseTable *table = userData;
  if (berthOpIsFunction(op) && berthIsVerifyScope(op))
    berthPointerMapInsert(&table->numberOf, op.ptr, table->numFunctions++);
  return MlirWalkResultAdvance;
}

static void fillTable(BerthPhaseTable *table) {
  if (table->phases)
    return;
  mlirOperationWalk(table->root, numberFunction, table, MlirWalkPreOrder);
  size_t count = table->numFunctions + 1;
  table->phases = BERTH_ARENA_NEW(&table->memory, BerthPhases *, count);
  table->isApart = BERTH_ARENA_NEW(&table->memory, signed char, count);
  table->isBusy = BERTH_ARENA_NEW(&table->memory, bool, count);
  table->runAgain =
      BERTH_ARENA_NEW(&table->memory, uint64_t, berthBitWords(count));
}

size_t berthPhasesNumber(BerthPhaseTable *table, MlirOperation function) {
  fillTable(table);
  return berthPointerMapFind(&table->numberOf, function.ptr);
}

bool berthIsRunApart(BerthPhaseTable *table, MlirOperation scope) {
  size_t number = berthPhasesNumber(table, scope);
  if (number == BERTH_NOT_FOUND)
    return berthSomeThreadsCall(scope, table->root, table->options);
  signed char *isApart = &table->isApart[number];
  if (!*isApart)
    *isApart =
        berthSomeThreadsCall(scope, table->root, table->options) ? 1 : -1;
  return *isApart > 0;
}

void berthPhasesFree(BerthPhaseTable *table) {
  berthPointerMapFree(&table->numberOf);
  berthArenaFree(&table->memory);
}

//===----------------------------------------------------------------------===//
// Calls that come back
//===----------------------------------------------------------------------===//

/// Marks all functions that an op calls, and those that these call.
static MlirWalkResult markCalled(MlirOperation op, void *userData) {
  BerthPhaseTable *table = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee))
    return MlirWalkResultAdvance;
  size_t number = berthPhasesNumber(table, callee);
  if (number == BERTH_NOT_FOUND || berthBitTest(table->runAgain, number))
    return MlirWalkResultAdvance;
  berthBitSet(table->runAgain, number);
  mlirOperationWalk(callee, markCalled, table, MlirWalkPreOrder);
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

typedef struct Passage {
  const BerthStretches *code;
  bool *fromStart; ///< by stretch: its begin is reached without a barrier
  bool *toEnd;     ///< by stretch: from its end, the function's end is
} Passage;

static bool hasBarrier(const BerthStretches *code, size_t stretch) {
  for (size_t i = code->stretches[stretch].begin;
       i < code->stretches[stretch].end; ++i)
    if (code->events[i].kind == BERTH_THREADS_BARRIER)
      return true;
  return false;
}

/// Passes both flags along the edges of one stretch; true if that changed any.
static bool passEdges(const Passage *passage, size_t from) {
  const BerthStretches *code = passage->code;
  bool leaves = passage->fromStart[from] && !hasBarrier(code, from);
  bool isChanged = false;
  for (uint32_t edge = code->stretches[from].firstNext;
       edge != BERTH_NO_STRETCH; edge = code->edges[edge].next) {
    uint32_t to = code->edges[edge].to;
    bool ends = passage->toEnd[to] && !hasBarrier(code, to);
    isChanged |=
        (leaves && !passage->fromStart[to]) || (ends && !passage->toEnd[from]);
    passage->fromStart[to] |= leaves;
    passage->toEnd[from] |= ends;
  }
  return isChanged;
}

static Passage passThrough(const BerthStretches *code) {
  Passage passage = {code, berthAllocateOrDie(code->numStretches, sizeof(bool)),
                     berthAllocateOrDie(code->numStretches, sizeof(bool))};
  passage.fromStart[0] = passage.toEnd[code->exit] = true;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < code->numStretches; ++i)
      isChanged |= passEdges(&passage, i);
  }
  return passage;
}

static void addFunctions(const BerthPhaseTable *table, BerthPhase *phase,
                         const uint64_t *functions) {
  for (size_t i = 0; i < berthBitWords(table->numFunctions); ++i)
    phase->functions[i] |= functions[i];
}

static void addEvent(const BerthPhaseTable *table, BerthPhase *phase,
                     const BerthThreadEvent *event, bool isFirst) {
  if (event->kind == BERTH_THREADS_ACCESS) {
    phase->arguments[event->root].isRead |= !event->writes;
    phase->arguments[event->root].isWritten |= event->writes;
  }
  if (isFirst && event->kind == BERTH_THREADS_ENTER)
    addFunctions(table, phase, table->phases[event->function]->first.functions);
  if (!isFirst && event->kind == BERTH_THREADS_LEAVE)
    addFunctions(table, phase, table->phases[event->function]->last.functions);
}

static void collectPhases(const BerthPhaseTable *table, BerthPhases *phases,
                          const Passage *passage) {
  const BerthStretches *code = passage->code;
  for (size_t s = 0; s < code->numStretches; ++s) {
    const BerthStretch *stretch = &code->stretches[s];
    for (size_t i = stretch->begin; passage->fromStart[s] && i < stretch->end;
         ++i) {
      if (code->events[i].kind == BERTH_THREADS_BARRIER)
        break;
      addEvent(table, &phases->first, &code->events[i], true);
    }
    for (size_t i = stretch->end; passage->toEnd[s] && i-- > stretch->begin;) {
      if (code->events[i].kind == BERTH_THREADS_BARRIER)
        break;
      addEvent(table, &phases->last, &code->events[i], false);
    }
  }
  phases->isOpen =
      passage->fromStart[code->exit] && !hasBarrier(code, code->exit);
}

static BerthPhase newPhase(BerthPhaseTable *table, size_t number,
                           size_t numArguments) {
  BerthArena *memory = &table->memory;
  size_t words = berthBitWords(table->numFunctions);
  BerthPhase phase = {
      .arguments = BERTH_ARENA_NEW(memory, BerthCalleeArgument, numArguments),
      .functions = BERTH_ARENA_NEW(memory, uint64_t, words)};
  berthBitSet(phase.functions, number);
  return phase;
}

static void lookInto(BerthPhaseTable *table, MlirOperation function,
                     size_t number) {
  BerthArena memory = {0};
  BerthViews views = berthViewsOfArguments(function, table->callees, &memory);
  BerthDivergence divergence = berthFindDivergence(function, false, &memory);
  bool *isShared = BERTH_ARENA_NEW(&memory, bool, views.numRoots + 1);
  for (size_t i = 0; i < views.numRoots; ++i)
    isShared[i] = true;
  BerthRootLoads *loads = berthRootLoadsOf(&views, function);
  BerthThreadScope scope = {.views = &views,
                            .divergence = &divergence,
                            .phases = table,
                            .isShared = isShared,
                            .loads = loads,
                            .isRunApart = berthIsRunApart(table, function)};
  BerthStretches code = berthStretchesOf(&scope);
  BerthPhases *phases = BERTH_ARENA_NEW(&table->memory, BerthPhases, 1);
  phases->first = newPhase(table, number, views.numRoots);
  phases->last = newPhase(table, number, views.numRoots);
  Passage passage = passThrough(&code);
  collectPhases(table, phases, &passage);
  table->phases[number] = phases;
  free(passage.fromStart);
  free(passage.toEnd);
  free(loads);
  berthStretchesFree(&code);
  berthDivergenceFree(&divergence);
  berthViewsFree(&views);
  berthArenaFree(&memory);
}

const BerthPhases *berthPhasesOf(BerthPhaseTable *table, MlirOperation callee) {
  size_t number = berthPhasesNumber(table, callee);
  if (number == BERTH_NOT_FOUND)
    return NULL;
  if (table->isBusy[number]) {
    berthBitSet(table->runAgain, number);
    mlirOperationWalk(callee, markCalled, table, MlirWalkPreOrder);
    return NULL;
  }
  if (!table->phases[number]) {
    table->isBusy[number] = true;
    lookInto(table, callee, number);
    table->isBusy[number] = false;
  }
  return table->phases[number];
}

//===----------------------------------------------------------------------===//
// Functions that run again
//===----------------------------------------------------------------------===//

/// Along the stretches of one scope: the functions that have been left in the
/// phase at hand, as bits.
typedef struct Leaving {
  BerthPhaseTable *table;
  const BerthStretches *code;
  size_t words;
  uint64_t *starts; ///< by stretch: what has been left where it begins
  bool *isDirty;    ///< by stretch
  uint64_t *now;
} Leaving;

static void passEvent(Leaving *leaving, const BerthThreadEvent *event) {
  BerthPhaseTable *table = leaving->table;
  for (size_t w = 0; w < leaving->words; ++w) {
    uint64_t *now = &leaving->now[w];
    if (event->kind == BERTH_THREADS_ENTER)
      table->runAgain[w] |=
          *now & table->phases[event->function]->first.functions[w];
    if (event->kind == BERTH_THREADS_BARRIER)
      *now = 0;
    if (event->kind == BERTH_THREADS_LEAVE)
      *now |= table->phases[event->function]->last.functions[w];
  }
}

static void passStretch(Leaving *leaving, size_t index) {
  const BerthStretch *stretch = &leaving->code->stretches[index];
  for (size_t w = 0; w < leaving->words; ++w)
    leaving->now[w] = leaving->starts[index * leaving->words + w];
  for (size_t i = stretch->begin; i < stretch->end; ++i)
    passEvent(leaving, &leaving->code->events[i]);
  for (uint32_t edge = stretch->firstNext; edge != BERTH_NO_STRETCH;
       edge = leaving->code->edges[edge].next) {
    uint32_t to = leaving->code->edges[edge].to;
    for (size_t w = 0; w < leaving->words; ++w) {
      uint64_t *start = &leaving->starts[to * leaving->words + w];
      leaving->isDirty[to] |= leaving->now[w] & ~*start;
      *start |= leaving->now[w];
    }
  }
}

/// Every stretch is passed once, and again when more may have been left.
static void passAll(BerthPhaseTable *table, const BerthStretches *code) {
  size_t words = berthBitWords(table->numFunctions);
  Leaving leaving = {
      .table = table,
      .code = code,
      .words = words,
      .starts =
          berthAllocateOrDie(code->numStretches * words, sizeof(uint64_t)),
      .isDirty = berthAllocateOrDie(code->numStretches, sizeof(bool)),
      .now = berthAllocateOrDie(words, sizeof(uint64_t))};
  for (size_t i = 0; i < code->numStretches; ++i)
    leaving.isDirty[i] = true;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < code->numStretches; ++i) {
      bool isDirty = leaving.isDirty[i];
      leaving.isDirty[i] = false;
      isChanged |= isDirty;
      if (isDirty)
        passStretch(&leaving, i);
    }
  }
  free(leaving.starts);
  free(leaving.isDirty);
  free(leaving.now);
}

static void searchScope(BerthPhaseTable *table, MlirOperation scope) {
  bool isKernel = berthIsKernel(scope, table->options);
  BerthArena memory = {0};
  BerthViews views = {.memory = &memory, .callees = table->callees};
  BerthDivergence divergence = berthFindDivergence(scope, isKernel, &memory);
  BerthThreadScope threads = {.views = &views,
                              .divergence = &divergence,
                              .phases = table,
                              .isRunApart = berthIsRunApart(table, scope)};
  BerthStretches code = berthStretchesOf(&threads);
  if (code.numEvents)
    passAll(table, &code);
  berthStretchesFree(&code);
  berthDivergenceFree(&divergence);
  berthArenaFree(&memory);
}

/// What runs in a parallel op belongs to the function around it.
static MlirWalkResult searchOp(MlirOperation op, void *userData) {
  if (berthIsVerifyScope(op) && !berthOpIsParallel(op))
    searchScope(userData, op);
  return MlirWalkResultAdvance;
}

bool berthMayRunAgain(BerthPhaseTable *table, MlirOperation function) {
  size_t number = berthPhasesNumber(table, function);
  if (number == BERTH_NOT_FOUND ||
      !berthAllCallsAreSeen(function, table->root) ||
      berthIsRunApart(table, function))
    return true;
  if (!table->isSearched)
    mlirOperationWalk(table->root, searchOp, table, MlirWalkPreOrder);
  table->isSearched = true;
  return berthBitTest(table->runAgain, number);
}
