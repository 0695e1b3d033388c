//===- FindPhases.c - The phases of functions with bodies -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/FindPhases.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Threads/Loads.h"
#include "IR/Verify/Threads/ThreadGraph.h"
#include "Support/Bitset.h"

#include <stdlib.h>

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
  BerthMemory *memory = &table->memory;
  size_t words = berthBitWords(table->numFunctions);
  BerthPhase phase = {.arguments =
                          BERTH_NEW(memory, BerthCalleeArgument, numArguments),
                      .functions = BERTH_NEW(memory, uint64_t, words)};
  berthBitSet(phase.functions, number);
  return phase;
}

static BerthPhases *lookInto(BerthPhaseTable *table, MlirOperation function,
                             size_t number) {
  BerthMemory memory = {0};
  BerthViews views = berthViewsOfArguments(function, table->callees, &memory);
  BerthDivergence divergence =
      berthFindDivergence(function, false, NULL, &memory);
  bool *isShared = BERTH_NEW(&memory, bool, views.numRoots + 1);
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
  BerthPhases *phases = BERTH_NEW(&table->memory, BerthPhases, 1);
  phases->first = newPhase(table, number, views.numRoots);
  phases->last = newPhase(table, number, views.numRoots);
  Passage passage = passThrough(&code);
  collectPhases(table, phases, &passage);
  free(passage.fromStart);
  free(passage.toEnd);
  free(loads);
  berthStretchesFree(&code);
  berthDivergenceFree(&divergence);
  berthViewsFree(&views);
  berthMemoryFree(&memory);
  return phases;
}

BerthPhaseTable berthPhasesIn(MlirOperation root, BerthCallees *callees,
                              const BerthVerifyOptions *options) {
  return (BerthPhaseTable){.root = root,
                           .callees = callees,
                           .options = options,
                           .lookInto = lookInto};
}
